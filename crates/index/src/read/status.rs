//! The state of an index: what is in it, and whether the files moved on.

use super::Index;
use crate::Result;
use crate::schema::counted_views;
use serde::Serialize;

/// The state of an index.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Status {
    /// Format version.
    pub format: String,
    /// Layers of the project.
    pub layers: Vec<LayerRow>,
    /// Rows a view.
    pub counts: Vec<(String, u64)>,
    /// Channels that are not derived yet.
    pub unfilled_channels: Vec<String>,
    /// Number of files that could not be read, wholly or in part.
    pub unread_files: u64,
    /// Number of problems.
    pub problems: u64,
    /// Files that were added, removed or changed since; None if the dump isn't there any more.
    pub changed_files: Option<u64>,
    /// Size of the database file in bytes.
    pub bytes: u64,
    /// Everything in `meta`.
    pub meta: Vec<(String, String)>,
}

/// A layer of the project.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LayerRow {
    /// Name; empty for the main configuration.
    pub name: String,
    /// `main`, `extension` or `external`.
    pub kind: String,
    /// What an extension is for (`Patch`, `Customization`, `AddOn`); empty for other layers.
    pub purpose: String,
    /// `designer` or `edt`.
    pub format: String,
    /// Folder of the dump.
    pub root: String,
}

/// Something that could not be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ProblemRow {
    /// File, relative to the root of the dump.
    pub file: String,
    /// 1-based line; 0: the whole file.
    pub line: u32,
    /// A short word for the sort of problem.
    pub kind: String,
    /// Russian message.
    pub message_ru: String,
    /// English message.
    pub message_en: String,
}

impl Index {
    /// The state of the index.
    ///
    /// # Errors
    /// If the file can't be read.
    pub fn status(&self) -> Result<Status> {
        let words = |text: Option<String>| -> Vec<String> {
            text.unwrap_or_default().split_whitespace().map(str::to_owned).collect()
        };
        let mut counts = Vec::new();
        let number = |key: &str| -> Result<u64> { Ok(self.meta(key)?.and_then(|text| text.parse().ok()).unwrap_or(0)) };
        for view in counted_views() {
            counts.push((view.to_owned(), number(&format!("count_{view}"))?));
        }
        Ok(Status {
            format: self.meta("format_version")?.unwrap_or_default(),
            layers: self.rows("SELECT name, kind, purpose, format, root FROM layer ORDER BY id", [], |row| {
                Ok(LayerRow {
                    name: row.get(0)?,
                    kind: row.get(1)?,
                    purpose: row.get(2)?,
                    format: row.get(3)?,
                    root: row.get(4)?,
                })
            })?,
            counts,
            unfilled_channels: words(self.meta("unfilled_channels")?),
            unread_files: number("unread_files")?,
            problems: number("problems")?,
            changed_files: crate::build::changed_files(self)?,
            bytes: std::fs::metadata(self.path()).map_or(0, |meta| meta.len()),
            meta: self.metas()?,
        })
    }

    /// Bytes by table and index, the largest first.
    ///
    /// # Errors
    /// If the file can't be read.
    pub fn table_sizes(&self) -> Result<Vec<(String, u64)>> {
        self.rows("SELECT name, sum(pgsize) FROM dbstat GROUP BY name ORDER BY 2 DESC", [], |row| {
            Ok((row.get(0)?, super::count(row, 1)?))
        })
    }

    /// What could not be read, at most `limit`.
    ///
    /// # Errors
    /// If the file can't be read.
    pub fn problems(&self, limit: usize) -> Result<Vec<ProblemRow>> {
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        self.rows(
            "SELECT file, line, kind, message_ru, message_en FROM problem ORDER BY file, line LIMIT ?1",
            [limit],
            |row| {
                Ok(ProblemRow {
                    file: row.get(0)?,
                    line: row.get(1)?,
                    kind: row.get(2)?,
                    message_ru: row.get(3)?,
                    message_en: row.get(4)?,
                })
            },
        )
    }
}
