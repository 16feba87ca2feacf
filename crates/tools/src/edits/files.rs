//! The files of the project, as changes see them.

use std::io::ErrorKind;

use index::{Index, ProjectFile};

use super::error::EditError;
use crate::error::ToolError;

/// The largest file that is edited, in bytes.
const LARGEST: u64 = 64 << 20;

/// The file of a path that the views show.
///
/// # Errors
/// [`EditError::Outside`] for a path that is absolute, has `..`, or leads through a link; [`EditError::NotAFile`] for one that is none of the
/// index's, and none of a module that an object of the index may have.
pub(super) fn locate(index: &Index, path: &str) -> Result<ProjectFile, ToolError> {
    let shown = || path.chars().take(200).collect::<String>();
    // A path of the views is written in one way only.
    let is_plain = !path.contains('\\') && !path.split('/').any(|part| part == ".");
    if !is_plain || index.layer_roots()?.inside(path).is_none() {
        return Err(EditError::Outside { path: shown() }.into());
    }
    let file = match index.project_file(path)? {
        Some(file) => file,
        None => match index.absent_module_at(path)? {
            Some(absent) => absent.file,
            None => return Err(EditError::NotAFile { path: shown() }.into()),
        },
    };
    // A link would be replaced by the file that is written in its place.
    match std::fs::symlink_metadata(&file.full_path) {
        Ok(known) if known.is_symlink() => Err(EditError::Outside { path: shown() }.into()),
        Err(source) if source.kind() != ErrorKind::NotFound => {
            Err(EditError::Io { path: file.full_path.clone(), source }.into())
        }
        _ => Ok(file),
    }
}

/// The text of a file as it lies on the disk; None if there is none.
///
/// # Errors
/// [`EditError::NotText`] if it isn't UTF-8, or holds a container; [`EditError::TooLarge`].
pub(super) fn read(file: &ProjectFile) -> Result<Option<String>, EditError> {
    let io = |source| EditError::Io { path: file.full_path.clone(), source };
    let size = match std::fs::metadata(&file.full_path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        known => known.map_err(io)?.len(),
    };
    if size > LARGEST {
        return Err(EditError::TooLarge { what: file.path.clone(), bytes: size, limit: LARGEST });
    }
    let bytes = std::fs::read(&file.full_path).map_err(io)?;
    if bytes.contains(&0) {
        return Err(EditError::NotText { path: file.path.clone() });
    }
    String::from_utf8(bytes).map(Some).map_err(|_| EditError::NotText { path: file.path.clone() })
}

/// 1-based line of a byte.
pub fn line_at(text: &str, at: usize) -> u32 {
    let before = text.as_bytes().get(..at).unwrap_or(text.as_bytes());
    u32::try_from(before.iter().filter(|&&byte| byte == b'\n').count() + 1).unwrap_or(u32::MAX)
}
