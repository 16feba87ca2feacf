//! The embedding model and ONNX Runtime: what is pinned, and where it is looked for.

use crate::{PinnedFile, PinnedFileError, Places, verify};
use std::path::{Path, PathBuf};

/// The command that puts model and runtime in place: for messages.
pub const SETUP_HINT: &str = "cargo xtask setup";

/// An embedding model of the form that `fastembed` takes from memory.
#[derive(Debug, Clone, Copy)]
pub struct Model {
    /// Folder name, and the human half of the id.
    pub name: &'static str,
    /// Length of a vector.
    pub dimensions: usize,
    /// The network (dynamic int8, mean pooling is left to the caller).
    pub network: PinnedFile,
    /// The tokenizer.
    pub tokenizer: PinnedFile,
    /// What `fastembed` wants beside the tokenizer: config, special tokens, tokenizer config.
    pub config: PinnedFile,
    /// The map of special tokens.
    pub special_tokens: PinnedFile,
    /// The tokenizer's own configuration.
    pub tokenizer_config: PinnedFile,
}

impl Model {
    /// All files of the model.
    #[must_use]
    pub fn files(&self) -> [PinnedFile; 5] {
        [self.network, self.tokenizer, self.config, self.special_tokens, self.tokenizer_config]
    }

    /// What vectors are labelled with: vectors of different ids must never be compared. Name and both hashes that
    /// decide a vector, cut to 12 digits.
    #[must_use]
    pub fn id(&self) -> String {
        let short = |f: PinnedFile| f.sha256.get(..12).unwrap_or(f.sha256);
        format!("{}@{}-{}", self.name, short(self.network), short(self.tokenizer))
    }
}

/// multilingual-e5-small (MIT), without the vocabulary that is neither Latin nor Cyrillic. `xtask setup` makes it; the
/// result is the same to the byte on every machine, which is why it can be pinned.
pub const MODEL: Model = Model {
    name: "multilingual-e5-small",
    dimensions: 384,
    network: PinnedFile {
        name: "model_dyn8.onnx",
        sha256: "c9156e5b01ca9ed0bf7eacdaebfa537d83485275f7d72dfb3466f07fc9a19890",
    },
    tokenizer: PinnedFile {
        name: "tokenizer.json",
        sha256: "9a79269f0fd7b9f946e52c67f5c5834ca692046931e23275c2089e716428ab15",
    },
    config: PinnedFile {
        name: "config.json",
        sha256: "1a2ee8d615fad83b2610b9d2172edd354f8d51d153144add0b67f3f7c2794025",
    },
    special_tokens: PinnedFile {
        name: "special_tokens_map.json",
        sha256: "2c9098e686995df37e21e2d654603c576e748d9f06cb28c1405e180c261b6a13",
    },
    tokenizer_config: PinnedFile {
        name: "tokenizer_config.json",
        sha256: "db8db3f959dcf083da85cbdefbb859b4cb195254cb1705421132fc4828af700d",
    },
};

/// Version of ONNX Runtime; `fastembed` needs 1.24 or later.
pub const RUNTIME_VERSION: &str = "1.32.0";

/// ONNX Runtime for one platform.
#[derive(Debug, Clone, Copy)]
pub struct Runtime {
    /// The shared library.
    pub library: PinnedFile,
    /// Platform tag of the wheel that holds it.
    pub wheel_platform: &'static str,
    /// SHA-256 of that wheel.
    pub wheel_sha256: &'static str,
}

/// ONNX Runtime for the platform that this program was compiled for; None if its makers publish none.
#[must_use]
pub fn runtime() -> Option<Runtime> {
    let runtime = |name, sha256, wheel_platform, wheel_sha256| {
        Some(Runtime { library: PinnedFile { name, sha256 }, wheel_platform, wheel_sha256 })
    };
    match (std::env::consts::OS, std::env::consts::ARCH) {
        ("linux", "x86_64") => runtime(
            "libonnxruntime.so",
            "6c1585d1bbf45b0712ea4a21b705c5fcb4ba04ff2e30f1fbf81a49faf658638f",
            "manylinux_2_28_x86_64",
            "99e1074c4b2197accd5073052a465361be17b89c093b8ffb6e6bd8f986c52df8",
        ),
        ("linux", "aarch64") => runtime(
            "libonnxruntime.so",
            "49852228a93995158b2a813d4df487d47a1b76b0eaa894507ef49e91b6d7954a",
            "manylinux_2_28_aarch64",
            "e36c187006e7a7c8b8d6d57f1a209dd63f52430dca6c282b177718ad6b841054",
        ),
        ("windows", "x86_64") => runtime(
            "onnxruntime.dll",
            "443c0065fcdba17618ddef05050308f4b471893c5c7da0337d6957c9073ad8a7",
            "win_amd64",
            "efe7456952c243a05a53d5b8732953625144642c2f3989094277f6217f0c0c40",
        ),
        ("windows", "aarch64") => runtime(
            "onnxruntime.dll",
            "a5c1951a7d495fa0c22a0865fe36981fe67f9d5dc7ba3893c20fa7266dd1e994",
            "win_arm64",
            "64d394c69d561af3efd4d4f49dcac8f11d0ce135a20701c16d53b74056cd4cf8",
        ),
        ("macos", "aarch64") => runtime(
            "libonnxruntime.dylib",
            "fa585fabbea65b823b9a8f7e27d46aee3989d1be7e36b528203d3a1fd613aae7",
            "macosx_14_0_arm64",
            "d52510bbbcc880c13b826f7d75cdf33ac5cf0bb864d960000fc29ce73f0cb83e",
        ),
        _ => None,
    }
}

/// A model and a runtime that were found and verified.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Embedder {
    /// Folder of the model's files.
    pub model_dir: PathBuf,
    /// The runtime's shared library, to be loaded by full path.
    pub runtime: PathBuf,
}

impl Embedder {
    /// Looks for model and runtime. The runtime: `library` (from the settings), `ORT_DYLIB_PATH`, beside the program, the
    /// data directory. The model: beside the program (folder `models/<name>`), the data directory.
    ///
    /// A library that the user named is taken as it is; the one in the data directory must have its pinned content,
    /// and so must the model wherever it lies.
    ///
    /// # Errors
    /// What is missing or damaged first; the remedy is [`SETUP_HINT`].
    pub fn find(places: &Places, library: Option<&Path>) -> Result<Self, PinnedFileError> {
        let beside = std::env::current_exe().ok().and_then(|exe| exe.parent().map(Path::to_path_buf));
        let named = library
            .map(Path::to_path_buf)
            .or_else(|| std::env::var_os("ORT_DYLIB_PATH").filter(|p| !p.is_empty()).map(PathBuf::from));
        Self::find_in(places, named, beside.as_deref())
    }

    fn find_in(places: &Places, named: Option<PathBuf>, beside: Option<&Path>) -> Result<Self, PinnedFileError> {
        let packed_model = beside.map(|dir| dir.join("models").join(MODEL.name)).filter(|dir| dir.is_dir());
        let model_dir = packed_model.unwrap_or_else(|| places.model_dir());
        verify(&model_dir, &MODEL.files())?;
        Ok(Self { model_dir, runtime: find_runtime(places, named, beside)? })
    }
}

fn find_runtime(places: &Places, named: Option<PathBuf>, beside: Option<&Path>) -> Result<PathBuf, PinnedFileError> {
    if let Some(path) = named {
        return if path.is_file() { Ok(path) } else { Err(PinnedFileError::Missing(path)) };
    }
    let dir = places.runtime_dir();
    let Some(runtime) = runtime() else { return Err(PinnedFileError::Missing(dir)) };
    if let Some(path) = beside.map(|b| b.join(runtime.library.name)).filter(|p| p.is_file()) {
        return Ok(path);
    }
    verify(&dir, &[runtime.library])?;
    Ok(dir.join(runtime.library.name))
}
