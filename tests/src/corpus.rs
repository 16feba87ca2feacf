//! Real configurations: found, and unpacked once.

use std::fs;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

const FOLDER_VARIABLE: &str = "METASCOPE_CORPUS";
const DEFAULT_FOLDER: &str = "../shared/corpus";
const EXTENSION: &str = ".tar.xz";

/// Why a real configuration cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum CorpusError {
    /// No folder of real configurations on this machine.
    #[error("no real configurations: set {FOLDER_VARIABLE} to a folder of .tar.xz archives (default {DEFAULT_FOLDER})")]
    NoFolder,
    /// The folder does not hold this one.
    #[error("{folder} holds neither {name}{EXTENSION} nor a folder {name}")]
    Absent {
        /// The configuration.
        name: String,
        /// Where it was looked for.
        folder: PathBuf,
    },
    /// There is no place for what is unpacked.
    #[error("no cache directory: set {}", paths::DATA_DIR_VARIABLE)]
    NoCache,
    /// Unpacking failed.
    #[error("cannot unpack {archive}: {source}")]
    Unpack {
        /// The archive.
        archive: PathBuf,
        /// What went wrong.
        source: std::io::Error,
    },
}

/// A folder of real configurations.
#[derive(Debug, Clone)]
pub struct Corpus {
    folder: PathBuf,
    cache: Option<PathBuf>,
}

impl Corpus {
    /// The folder of this machine; None if there is none.
    #[must_use]
    pub fn find() -> Option<Self> {
        let folder = match std::env::var_os(FOLDER_VARIABLE).filter(|value| !value.is_empty()) {
            Some(folder) => PathBuf::from(folder),
            None => PathBuf::from(DEFAULT_FOLDER),
        };
        // Relative to the workspace, whatever folder a test runs in.
        let folder = crate::workspace_root().join(folder).canonicalize().ok()?;
        let cache = paths::Places::of_user().map(|places| places.cache_dir().join("corpus"));
        folder.is_dir().then_some(Self { folder, cache })
    }

    /// The folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Names of all archives in the folder, sorted.
    #[must_use]
    pub fn archives(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let mut names: Vec<String> =
            entries.filter_map(|entry| Some(entry.file_name().to_str()?.strip_suffix(EXTENSION)?.to_owned())).collect();
        names.sort();
        names
    }

    /// Root folder of one configuration, unpacked on the first call. Several processes may ask at once.
    ///
    /// # Errors
    /// It is absent or cannot be unpacked.
    pub fn unpacked(&self, name: &str) -> Result<PathBuf, CorpusError> {
        let plain = self.folder.join(name);
        if plain.is_dir() {
            return Ok(plain);
        }
        let archive = self.folder.join(format!("{name}{EXTENSION}"));
        let Ok(meta) = archive.metadata() else {
            return Err(CorpusError::Absent { name: name.to_owned(), folder: self.folder.clone() });
        };
        let modified = meta.modified().ok().and_then(|t| t.duration_since(UNIX_EPOCH).ok()).unwrap_or_default();
        let cache = self.cache.as_ref().ok_or(CorpusError::NoCache)?;
        let target = cache.join(format!("{name}-{}-{}", meta.len(), modified.as_secs()));
        if !target.is_dir() {
            unpack(&archive, cache, &target).map_err(|source| CorpusError::Unpack { archive, source })?;
        }
        Ok(inner(target, name))
    }
}

/// An archive holds one folder, usually of its own name.
fn inner(target: PathBuf, name: &str) -> PathBuf {
    let folder = target.join(name);
    if folder.is_dir() { folder } else { target }
}

/// Unpacks beside the target and moves the result there, so that an interrupted run leaves nothing half-made and of two
/// runs at once the first wins.
fn unpack(archive: &Path, cache: &Path, target: &Path) -> std::io::Result<()> {
    fs::create_dir_all(cache)?;
    let fresh = tempfile::Builder::new().prefix(".new-").tempdir_in(cache)?;
    let stream = lzma_rust2::XzReader::new(BufReader::new(fs::File::open(archive)?), true);
    let mut tar = tar::Archive::new(stream);
    tar.set_preserve_mtime(true);
    tar.unpack(fresh.path())?;
    match fs::rename(fresh.path(), target) {
        Ok(()) => {
            let _ = fresh.keep();
            Ok(())
        }
        Err(_) if target.is_dir() => Ok(()),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn corpus() -> (tempfile::TempDir, Corpus) {
        let base = crate::temp_dir();
        let folder = base.path().join("archives");
        fs::create_dir(&folder).unwrap();
        let cache = Some(base.path().join("cache"));
        (base, Corpus { folder, cache })
    }

    #[test]
    fn an_archive_is_unpacked_once() {
        let (_base, corpus) = corpus();
        let bytes = {
            let writer = lzma_rust2::XzWriter::new(Vec::new(), lzma_rust2::XzOptions::with_preset(1)).unwrap();
            let mut tar = tar::Builder::new(writer);
            let mut header = tar::Header::new_gnu();
            header.set_size(5);
            header.set_mode(0o644);
            tar.append_data(&mut header, "small/Ext/Модуль.bsl", &b"\xef\xbb\xbf1\r"[..]).unwrap();
            tar.into_inner().unwrap().finish().unwrap()
        };
        fs::write(corpus.folder().join("small.tar.xz"), bytes).unwrap();

        assert_eq!(corpus.archives(), ["small"]);
        let root = corpus.unpacked("small").unwrap();
        assert_eq!(fs::read(root.join("Ext/Модуль.bsl")).unwrap(), b"\xef\xbb\xbf1\r");
        fs::write(root.join("mark"), "").unwrap();
        assert!(corpus.unpacked("small").unwrap().join("mark").exists());
    }

    #[test]
    fn what_is_absent_or_damaged_is_told_apart() {
        let (_base, corpus) = corpus();
        assert!(matches!(corpus.unpacked("none"), Err(CorpusError::Absent { .. })));
        fs::write(corpus.folder().join("bad.tar.xz"), "not an archive").unwrap();
        assert!(matches!(corpus.unpacked("bad"), Err(CorpusError::Unpack { .. })));
        assert!(matches!(corpus.unpacked("bad"), Err(CorpusError::Unpack { .. })), "nothing half-made stays");
    }

    #[test]
    fn a_plain_folder_is_used_as_it_is() {
        let (_base, corpus) = corpus();
        let plain = corpus.folder().join("plain");
        fs::create_dir(&plain).unwrap();
        assert_eq!(corpus.unpacked("plain").unwrap(), plain);
    }
}
