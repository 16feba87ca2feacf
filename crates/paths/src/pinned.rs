//! Files whose content is known beforehand.

use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

/// A file whose content is known beforehand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PinnedFile {
    /// File name within its folder.
    pub name: &'static str,
    /// SHA-256 of the content, lower-case hexadecimal.
    pub sha256: &'static str,
}

/// Why a pinned file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum PinnedFileError {
    /// It is not there.
    #[error("{0} is missing")]
    Missing(PathBuf),
    /// It is there, but not with the content that was pinned.
    #[error("{path} is damaged or of another version: SHA-256 {found}, expected {expected}")]
    Different {
        /// The file.
        path: PathBuf,
        /// Its SHA-256.
        found: String,
        /// The pinned SHA-256.
        expected: &'static str,
    },
    /// It could not be read.
    #[error("cannot read {path}: {source}")]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
}

/// SHA-256 of a file's content, lower-case hexadecimal.
///
/// # Errors
/// The file cannot be read.
pub fn sha256_of(path: &Path) -> std::io::Result<String> {
    let mut file = std::fs::File::open(path)?;
    let mut hasher = Sha256::new();
    let mut buffer = vec![0; 1 << 18];
    loop {
        let n = file.read(&mut buffer)?;
        if n == 0 {
            break;
        }
        hasher.update(buffer.get(..n).unwrap_or_default());
    }
    Ok(hasher.finalize().iter().fold(String::with_capacity(64), |mut hex, byte| {
        // Writing to a String cannot fail.
        let _ = write!(hex, "{byte:02x}");
        hex
    }))
}

/// Checks that every file of `files` is in `dir` with its pinned content.
///
/// Hashing 90 MB takes a third of a second, so a verified file is remembered, with size and time of modification, in
/// `dir/.verified`: the next check only asks for these. A folder that cannot be written is simply hashed each time.
///
/// # Errors
/// The first file that is missing, different or unreadable.
pub fn verify(dir: &Path, files: &[PinnedFile]) -> Result<(), PinnedFileError> {
    let note = dir.join(".verified");
    let known = std::fs::read_to_string(&note).unwrap_or_default();
    let mut lines = String::new();
    for file in files {
        let path = dir.join(file.name);
        let stamp = match std::fs::metadata(&path) {
            Ok(meta) if meta.is_file() => stamp(file, &meta),
            Ok(_) => return Err(PinnedFileError::Missing(path)),
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Err(PinnedFileError::Missing(path)),
            Err(source) => return Err(PinnedFileError::Unreadable { path, source }),
        };
        if !known.lines().any(|line| line == stamp) {
            match sha256_of(&path) {
                Ok(found) if found == file.sha256 => {}
                Ok(found) => return Err(PinnedFileError::Different { path, found, expected: file.sha256 }),
                Err(source) => return Err(PinnedFileError::Unreadable { path, source }),
            }
        }
        lines.push_str(&stamp);
        lines.push('\n');
    }
    if lines != known {
        let _ = std::fs::write(&note, lines);
    }
    Ok(())
}

fn stamp(file: &PinnedFile, meta: &std::fs::Metadata) -> String {
    let modified = meta.modified().ok().and_then(|t| t.duration_since(UNIX_EPOCH).ok()).unwrap_or_default();
    format!("{} {} {} {}", file.name, file.sha256, meta.len(), modified.as_nanos())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// SHA-256 of "abc", from FIPS 180-4.
    const ABC: PinnedFile =
        PinnedFile { name: "abc", sha256: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" };

    #[test]
    fn content_is_checked_and_remembered() {
        let dir = tempfile::tempdir().unwrap();
        assert!(matches!(verify(dir.path(), &[ABC]), Err(PinnedFileError::Missing(_))));

        std::fs::write(dir.path().join("abc"), "abc").unwrap();
        verify(dir.path(), &[ABC]).unwrap();
        let note = std::fs::read_to_string(dir.path().join(".verified")).unwrap();
        assert!(note.starts_with("abc ba7816bf"), "{note}");
        verify(dir.path(), &[ABC]).unwrap();
    }

    #[test]
    fn a_changed_file_is_noticed_although_it_was_verified() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("abc"), "abc").unwrap();
        verify(dir.path(), &[ABC]).unwrap();
        std::fs::write(dir.path().join("abc"), "abcd").unwrap();
        let error = verify(dir.path(), &[ABC]).unwrap_err();
        assert!(matches!(error, PinnedFileError::Different { .. }), "{error}");
    }
}
