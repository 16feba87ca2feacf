//! Support for tests: where the workspace, the real configurations and the hand-made answers lie.
//!
//! The real configurations are not ours to publish, so they are found at run time: a folder named by
//! `METASCOPE_CORPUS` (default `../shared/corpus` beside the workspace) holds `<name>.tar.xz` archives or folders
//! `<name>`. A test that needs one is `#[ignore = "corpus"]` and asks [`require_corpus`]; `cargo xtask test` runs these tests if the
//! folder exists, and says how many were not run if it does not.

#![forbid(unsafe_code)]

pub mod container;
mod corpus;
pub mod extension;
mod forms;
mod letters;
mod schemas;
mod twin;

pub use corpus::{Corpus, CorpusError};
pub use forms::dump_of_forms;
pub use letters::counts_of_letters;
pub use schemas::{SchemaFile, demo_schemas, genuine_schemas, schemas_in};
pub use twin::write_edt;

use std::path::{Path, PathBuf};

/// Root of the workspace.
///
/// # Panics
/// Never: the manifest of this crate lies one folder below.
#[must_use]
pub fn workspace_root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new("."))
}

/// The demo configuration.
#[must_use]
pub fn demo() -> PathBuf {
    workspace_root().join("corpus").join("demo")
}

/// The demo configuration as a project of 1C:EDT.
#[must_use]
pub fn demo_edt() -> PathBuf {
    workspace_root().join("corpus").join("demo_edt")
}

/// The real configuration `name`, unpacked; None if there is none on this machine.
///
/// # Panics
/// The archive is there, but cannot be unpacked.
#[must_use]
pub fn corpus(name: &str) -> Option<PathBuf> {
    match Corpus::find()?.unpacked(name) {
        Ok(dir) => Some(dir),
        Err(CorpusError::Absent { .. }) => None,
        Err(error) => panic!("{error}"),
    }
}

/// The real configuration `name`, unpacked. For tests that are `#[ignore = "corpus"]`.
///
/// # Panics
/// It is not there, or cannot be unpacked: such a test must not pass by doing nothing.
#[must_use]
pub fn require_corpus(name: &str) -> PathBuf {
    let corpus = Corpus::find().unwrap_or_else(|| panic!("{}", CorpusError::NoFolder));
    corpus.unpacked(name).unwrap_or_else(|error| panic!("{error}"))
}

/// Folder of the hand-made answers about the real configurations: `METASCOPE_GOLD`, default `gold` beside the corpus.
#[must_use]
pub fn gold() -> Option<PathBuf> {
    let dir = match std::env::var_os("METASCOPE_GOLD") {
        Some(dir) => PathBuf::from(dir),
        None => Corpus::find()?.folder().parent()?.join("gold"),
    };
    dir.is_dir().then_some(dir)
}

/// Copies a folder with everything in it.
///
/// # Panics
/// A file can't be read or written.
pub fn copy_folder(from: &Path, to: &Path) {
    copy_files(from, to, &|from, to| std::fs::copy(from, to).map(drop));
}

/// The same by links to the files, where the system has them: for what is never written to, only replaced.
///
/// # Panics
/// A file can't be read or written.
pub fn link_folder(from: &Path, to: &Path) {
    copy_files(from, to, &|from, to| std::fs::hard_link(from, to).or_else(|_| std::fs::copy(from, to).map(drop)));
}

fn copy_files(from: &Path, to: &Path, copy: &dyn Fn(&Path, &Path) -> std::io::Result<()>) {
    let failed = |error: std::io::Error| -> ! { panic!("{}: {error}", from.display()) };
    std::fs::create_dir_all(to).unwrap_or_else(|error| failed(error));
    for entry in std::fs::read_dir(from).unwrap_or_else(|error| failed(error)) {
        let path = entry.unwrap_or_else(|error| failed(error)).path();
        let target = to.join(path.file_name().unwrap_or_default());
        if path.is_dir() {
            copy_files(&path, &target, copy);
        } else {
            copy(&path, &target).unwrap_or_else(|error| failed(error));
        }
    }
}

/// A fresh folder, removed when the value is dropped.
///
/// # Panics
/// The system has no place for temporary files.
#[must_use]
pub fn temp_dir() -> tempfile::TempDir {
    tempfile::tempdir().unwrap_or_else(|error| panic!("no temporary folder: {error}"))
}

/// Writes a file of a dump, with the folders that it lies in.
///
/// # Panics
/// It can't be written.
pub fn put(root: &Path, path: &str, text: &str) {
    let file = root.join(path);
    let folder = file.parent().unwrap_or(root);
    let written = std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&file, text));
    written.unwrap_or_else(|error| panic!("{}: {error}", file.display()));
}

/// The description of a thing in Designer's XML: kind, name, properties, what it lists.
#[must_use]
pub fn description(kind: &str, name: &str, properties: &str, children: &str) -> String {
    format!(
        "<MetaDataObject xmlns=\"http://v8.1c.ru/8.3/MDClasses\" xmlns:v8=\"http://v8.1c.ru/8.1/data/core\" \
         xmlns:cfg=\"http://v8.1c.ru/8.1/data/enterprise/current-config\" version=\"2.20\"><{kind} uuid=\"\"><Properties><Name>{name}</Name>\
         {properties}</Properties><ChildObjects>{children}</ChildObjects></{kind}></MetaDataObject>"
    )
}
