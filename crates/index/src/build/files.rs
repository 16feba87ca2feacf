//! Whether the files of a dump changed since they were indexed: by size and time.

use super::sources::{self, Sources};
use crate::Result;
use crate::read::{Index, count};
use crate::settings::ProjectSettings;
use metadata::{Detected, ProblemKind, SourceFile};
use rustc_hash::FxHashMap;
use std::time::UNIX_EPOCH;

/// Time of the last change, in nanoseconds since 1970; 0 if the system doesn't say.
pub(crate) fn modified_of(meta: &std::fs::Metadata) -> i64 {
    let since = meta.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    since.and_then(|time| i64::try_from(time.as_nanos()).ok()).unwrap_or(0)
}

/// How the files of a dump differ from those that were indexed.
pub(crate) struct Changes {
    /// Numbers of the files that are there still, and are others now.
    pub changed: Vec<u32>,
    /// How many were added or removed.
    pub others: u64,
    /// All files of the dump, as a configuration lists them. If none was added or removed, they have the numbers that they had.
    pub files: Vec<SourceFile>,
}

impl Changes {
    /// How many files were added, removed or changed.
    pub fn count(&self) -> u64 {
        self.changed.len() as u64 + self.others
    }
}

/// Compares the files of dumps with those that were indexed.
pub(crate) fn changes(known: &[Known], layers: &[(String, Detected)]) -> Result<Changes> {
    let files = sources::files(layers)?.0;
    let mut known: FxHashMap<&str, &Known> = known.iter().map(|known| (&*known.path, known)).collect();
    let (mut changed, mut others) = (Vec::new(), 0);
    for file in &files {
        match known.remove(&*file.path) {
            Some(then) if (then.size, then.modified) == (file.size, file.modified) => {}
            Some(then) => changed.push(then.id),
            None => others += 1,
        }
    }
    others += known.len() as u64;
    Ok(Changes { changed, others, files })
}

/// A file as it was indexed.
pub(crate) struct Known {
    id: u32,
    path: String,
    size: u64,
    modified: i64,
}

/// The files that were indexed.
pub(crate) fn known(index: &Index) -> Result<Vec<Known>> {
    index.rows("SELECT id, path, size, modified FROM file", [], |row| {
        Ok(Known { id: row.get(0)?, path: row.get(1)?, size: count(row, 2)?, modified: row.get(3)? })
    })
}

/// [`changes`] of an index against its own dump and settings; None if the dump isn't there any more.
pub(crate) fn changed_files(index: &Index) -> Result<Option<u64>> {
    let root = index.root()?;
    let layers = Sources::of(index)?;
    if !layers.iter().all(|(_, layer)| layer.root.is_dir()) {
        return Ok(None);
    }
    // Within the dump the file of settings is one of the files that were compared; above it, it counts by itself.
    let settings = ProjectSettings::of(&root);
    let others = index.meta("settings")? != Some(settings.key());
    Ok(Some(changes(&known(index)?, &layers)?.count().max(u64::from(others))))
}

/// Whether a problem may hide a link: content that was there and was not read.
pub(crate) fn hides(problem: &ProblemKind) -> bool {
    matches!(
        problem,
        ProblemKind::Unreadable(_)
            | ProblemKind::Malformed(_)
            | ProblemKind::UnexpectedRoot(_)
            | ProblemKind::MissingFile(_)
            | ProblemKind::NotReadYet(_)
            | ProblemKind::Container(_)
            | ProblemKind::Protected(_)
    )
}
