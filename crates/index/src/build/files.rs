//! Whether the files of a dump changed since they were indexed: by size and time.

use super::sources::{self, Sources};
use crate::Result;
use crate::read::{Index, count};
use crate::settings::ProjectSettings;
use metadata::{Detected, LayerId, Listing, ProblemKind, SourceFile, SourceFolder};
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
    /// Numbers of the files that came.
    pub added: Vec<u32>,
    /// The files that are gone, by number: number and path.
    pub gone: Vec<(u32, String)>,
    /// All files, by number: a file keeps the number that it had, those that came have the next ones. A number that no file has
    /// any more has one without a path.
    pub files: Vec<SourceFile>,
    /// Folders of another time than when they were listed before, and paths of those that are gone.
    pub folders: (Vec<SourceFolder>, Vec<String>),
}

impl Changes {
    /// How many files were added, removed or changed.
    pub fn count(&self) -> u64 {
        (self.changed.len() + self.added.len() + self.gone.len()) as u64
    }

    /// Path of a file, one that is gone among them.
    pub fn path(&self, number: u32) -> &str {
        match self.gone.binary_search_by_key(&number, |(gone, _)| *gone) {
            Ok(place) => self.gone.get(place).map_or("", |(_, path)| path),
            Err(_) => self.files.get(number as usize).map_or("", |file| &file.path),
        }
    }
}

/// So many numbers of files may be in no use any more.
const MOST_UNUSED: usize = 1 << 20;

/// Compares the files of the dumps of an index with those that were indexed. None if so many numbers of files are in no use any more that they
/// should be given out anew.
pub(crate) fn changes(index: &Index, layers: &[(String, Detected)]) -> Result<Option<Changes>> {
    let known = known(index)?;
    let times = folders(index)?;
    let paths = known.iter().map(|known| &*known.path);
    let of_folders = times.iter().map(|(path, changed)| (&**path, *changed));
    let Listing { files: listed, folders: listed_folders, .. } =
        sources::files(layers, &metadata::Known::new(of_folders, paths))?;
    let folders = changed_folders(times, listed_folders);
    let next = known.iter().map(|known| known.id).max().map_or(0, |last| last.saturating_add(1));
    if next as usize > known.len() + MOST_UNUSED {
        return Ok(None);
    }
    let none = SourceFile { path: "".into(), size: 0, modified: 0, layer: LayerId(0) };
    let mut files = vec![none; next as usize];
    let mut known: FxHashMap<&str, &Known> = known.iter().map(|known| (&*known.path, known)).collect();
    let (mut changed, mut added) = (Vec::new(), Vec::new());
    for file in listed {
        let Some(then) = known.remove(&*file.path) else {
            added.push(file);
            continue;
        };
        if (then.size, then.modified) != (file.size, file.modified) {
            changed.push(then.id);
        }
        if let Some(place) = files.get_mut(then.id as usize) {
            *place = file;
        }
    }
    let mut gone: Vec<(u32, String)> = known.into_values().map(|known| (known.id, known.path.clone())).collect();
    gone.sort_unstable();
    files.extend(added);
    let last = u32::try_from(files.len()).unwrap_or(u32::MAX);
    Ok(Some(Changes { changed, added: (next..last).collect(), gone, files, folders }))
}

/// The folders of another time than before, and those that are gone.
fn changed_folders(mut before: FxHashMap<String, i64>, now: Vec<SourceFolder>) -> (Vec<SourceFolder>, Vec<String>) {
    let changed = now.into_iter().filter(|folder| before.remove(&*folder.path) != Some(folder.changed)).collect();
    (changed, before.into_keys().collect())
}

/// A file as it was indexed.
struct Known {
    id: u32,
    path: String,
    size: u64,
    modified: i64,
}

/// The files that were indexed.
fn known(index: &Index) -> Result<Vec<Known>> {
    index.rows("SELECT id, path, size, modified FROM file", [], |row| {
        Ok(Known { id: row.get(0)?, path: row.get(1)?, size: count(row, 2)?, modified: row.get(3)? })
    })
}

/// The times of the folders that were listed.
fn folders(index: &Index) -> Result<FxHashMap<String, i64>> {
    let rows = index.rows("SELECT path, changed FROM folder", [], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(rows.into_iter().collect())
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
    let count = changes(index, &layers)?.map_or(1, |changes| changes.count());
    Ok(Some(count.max(u64::from(others))))
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
