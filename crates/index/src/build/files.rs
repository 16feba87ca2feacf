//! Whether the files of a dump changed since they were indexed: by size and time.

use crate::Result;
use crate::read::{Index, count};
use crate::settings::ProjectSettings;
use metadata::ProblemKind;
use rustc_hash::FxHashMap;
use std::path::Path;
use std::time::UNIX_EPOCH;

/// Time of the last change, in nanoseconds since 1970; 0 if the system doesn't say.
pub(crate) fn modified_of(meta: &std::fs::Metadata) -> i64 {
    let since = meta.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    since.and_then(|time| i64::try_from(time.as_nanos()).ok()).unwrap_or(0)
}

/// How many files were added, removed or changed.
pub(crate) fn changes(index: &Index, root: &Path) -> Result<u64> {
    let known = index.rows("SELECT path, size, modified FROM file", [], |row| {
        Ok((row.get::<_, String>(0)?, (count(row, 1)?, row.get::<_, i64>(2)?)))
    })?;
    let mut known: FxHashMap<String, (u64, i64)> = known.into_iter().collect();
    let mut changed = 0;
    for file in metadata::list_files(root)?.0 {
        match known.remove(&*file.path) {
            Some(then) if then == (file.size, file.modified) => {}
            _ => changed += 1,
        }
    }
    Ok(changed + known.len() as u64)
}

/// [`changes`] of an index against its own dump and settings; None if the dump isn't there any more.
pub(crate) fn changed_files(index: &Index) -> Result<Option<u64>> {
    let root = index.root()?;
    if !root.is_dir() {
        return Ok(None);
    }
    // Within the dump the file of settings is one of the files that were compared; above it, it counts by itself.
    let settings = ProjectSettings::of(&root);
    let others = index.meta("settings")? != Some(settings.key());
    Ok(Some(changes(index, &root)?.max(u64::from(others))))
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
    )
}
