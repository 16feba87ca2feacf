//! Where Metascope keeps its files on the user's machine, and the pinned hashes of the files that it did not write
//! itself: the embedding model and ONNX Runtime.
//!
//! The program and `xtask` share this crate, so that what set-up writes is exactly what the program looks for.
//!
//! ```text
//! <data>/models/multilingual-e5-small/   model_dyn8.onnx, tokenizer.json, ...
//! <data>/onnxruntime/1.32.0/             libonnxruntime.so (.dll, .dylib)
//! <data>/indexes/                        one folder a project
//! <data>/demo/                           the demo configuration, unpacked out of the program
//! <data>/chat_models.json                the chat models that the user has set up; holds no key
//! <data>/sent/                           what was sent to them
//! <cache>/                               what can be made again: downloads, vectors, unpacked test configurations
//! ```

#![forbid(unsafe_code)]

mod model;
mod pinned;

pub use model::{Embedder, MODEL, Model, RUNTIME_VERSION, Runtime, SETUP_HINT, runtime};
pub use pinned::{PinnedFile, PinnedFileError, sha256_of, verify};

use std::path::{Path, PathBuf};

/// Overrides the data directory (and puts the cache into its folder `cache`). For tests and portable installations.
pub const DATA_DIR_VARIABLE: &str = "METASCOPE_DATA_DIR";

/// The user's directories.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Places {
    data: PathBuf,
    cache: PathBuf,
}

impl Places {
    /// The directories of this user: [`DATA_DIR_VARIABLE`] if set, else those of the operating system.
    /// None if the user has no home directory.
    #[must_use]
    pub fn of_user() -> Option<Self> {
        if let Some(dir) = std::env::var_os(DATA_DIR_VARIABLE).filter(|d| !d.is_empty()) {
            return Some(Self::at(Path::new(&dir)));
        }
        let dirs = directories::ProjectDirs::from("", "", "metascope")?;
        Some(Self { data: dirs.data_local_dir().to_path_buf(), cache: dirs.cache_dir().to_path_buf() })
    }

    /// Everything below one folder.
    #[must_use]
    pub fn at(dir: &Path) -> Self {
        Self { data: dir.to_path_buf(), cache: dir.join("cache") }
    }

    /// What must be kept.
    #[must_use]
    pub fn data_dir(&self) -> &Path {
        &self.data
    }

    /// What can be made again.
    #[must_use]
    pub fn cache_dir(&self) -> &Path {
        &self.cache
    }

    /// The default home of indexes, one folder a project.
    #[must_use]
    pub fn indexes_dir(&self) -> PathBuf {
        self.data.join("indexes")
    }

    /// Where the demo configuration is unpacked.
    #[must_use]
    pub fn demo_dir(&self) -> PathBuf {
        self.data.join("demo")
    }

    /// The file of the chat models that the user has set up.
    #[must_use]
    pub fn chat_models_file(&self) -> PathBuf {
        self.data.join("chat_models.json")
    }

    /// The log of what was sent to chat models.
    #[must_use]
    pub fn sent_file(&self) -> PathBuf {
        self.data.join("sent").join("sent.jsonl")
    }

    /// The folder of the embedding model that set-up prepares.
    #[must_use]
    pub fn model_dir(&self) -> PathBuf {
        self.data.join("models").join(MODEL.name)
    }

    /// The folder of ONNX Runtime that set-up prepares.
    #[must_use]
    pub fn runtime_dir(&self) -> PathBuf {
        self.data.join("onnxruntime").join(RUNTIME_VERSION)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_stays_below_an_explicit_folder() {
        let places = Places::at(Path::new("base"));
        for dir in [places.model_dir(), places.runtime_dir(), places.indexes_dir(), places.cache_dir().to_path_buf()] {
            assert!(dir.starts_with("base"), "{dir:?}");
        }
        assert_ne!(places.data_dir(), places.cache_dir());
    }
}
