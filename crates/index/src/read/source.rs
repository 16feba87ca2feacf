//! Source text, read from the files of the dump.

use super::{Index, NameId};
use crate::{Error, Result};
use rusqlite::OptionalExtension;
use serde::Serialize;
use std::path::PathBuf;

/// Lines of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SourceText {
    /// Path relative to the root of the dump.
    pub file: String,
    /// 1-based number of the first line.
    pub line: u32,
    /// 1-based number of the last line.
    pub end_line: u32,
    /// The lines, ended by LF.
    pub text: String,
    /// True if the file changed after it was indexed: the lines may have moved.
    pub stale: bool,
}

/// The file of a module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sources {
    /// Number of the module.
    pub module: NameId,
    /// Path relative to the root.
    pub path: String,
    /// Where it is on this machine.
    pub full_path: PathBuf,
}

impl Index {
    /// The text of a method.
    ///
    /// # Errors
    /// If the number is no method's, or the file can't be read.
    pub fn method_source(&self, method: NameId) -> Result<SourceText> {
        let mut statement = self.connection.prepare_cached(
            "SELECT f.path, m.line, m.end_line FROM method m JOIN module x ON x.id = m.module
             JOIN file f ON f.id = x.file WHERE m.id = ?1",
        )?;
        let found =
            statement.query_row([method], |row| Ok((row.get::<_, String>(0)?, row.get(1)?, row.get(2)?))).optional()?;
        let Some((path, line, end_line)) = found else {
            return Err(Error::UnknownName { name: self.full_name(method)?, nearest: Vec::new() });
        };
        self.lines(&path, line, end_line)
    }

    /// Lines of a file of the dump, both ends included; `end_line` may lie beyond the end.
    ///
    /// # Errors
    /// If the file isn't one of the dump's or can't be read.
    pub fn lines(&self, path: &str, line: u32, end_line: u32) -> Result<SourceText> {
        let known = self.rows("SELECT size, modified FROM file WHERE path = ?1", [path], |row| {
            Ok((super::count(row, 0)?, row.get::<_, i64>(1)?))
        })?;
        // Only files that were indexed: a path never leads out of the dump.
        let Some(&(size, modified)) = known.first() else {
            return Err(Error::UnknownName { name: path.to_owned(), nearest: Vec::new() });
        };
        let full = self.layer_roots()?.path(path);
        let bytes = metadata::shown_text(&full).map_err(Error::source_of(&full))?;
        let now = std::fs::metadata(&full).map_err(Error::io(&full))?;
        let stale = now.len() != size || crate::build::modified_of(&now) != modified;
        let all = String::from_utf8_lossy(bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes));
        let first = line.max(1);
        let mut text = String::new();
        let mut last = first.saturating_sub(1);
        for (number, content) in (1_u32..).zip(all.split('\n')).skip(first as usize - 1) {
            if number > end_line {
                break;
            }
            text.push_str(content.trim_end_matches('\r'));
            text.push('\n');
            last = number;
        }
        Ok(SourceText { file: path.to_owned(), line: first, end_line: last, text, stale })
    }

    /// The modules' files, by path.
    ///
    /// # Errors
    /// If the index can't be read.
    pub fn module_files(&self) -> Result<Vec<Sources>> {
        let roots = self.layer_roots()?;
        self.rows("SELECT m.id, f.path FROM module m JOIN file f ON f.id = m.file ORDER BY f.path", [], |row| {
            let path: String = row.get(1)?;
            Ok(Sources { module: row.get(0)?, full_path: roots.path(&path), path })
        })
    }

    /// The innermost method at a line of a file.
    ///
    /// # Errors
    /// If the index can't be read.
    pub fn method_at(&self, path: &str, line: u32) -> Result<Option<NameId>> {
        let found = self.rows(
            "SELECT m.id FROM file f JOIN module x ON x.file = f.id JOIN method m ON m.module = x.id
             WHERE f.path = ?1 AND m.line <= ?2 AND m.end_line >= ?2 ORDER BY m.line DESC LIMIT 1",
            (path, line),
            |row| row.get(0),
        )?;
        Ok(found.into_iter().next())
    }
}
