//! Where an index lives, which of its generations is the current one, and who may write.
//!
//! ```text
//! index.db        the pointer: a link to the current generation (a small text file where links can't be made)
//! index.7.db      a generation: a whole SQLite file
//! index.7.db-wal  its log, and an index of that (-shm): what updates wrote, while readers hold an older state
//! index.7.db-world  what updates start from; without it the next one is a build
//! index.lock      held by the one writer
//! index.tasks.db  who does long work on it, and how far it is (see [`crate::tasks`])
//! ```
//!
//! A build writes a new generation and replaces the pointer in one rename: a kill at any moment leaves the old index
//! whole, readers that hold an old generation go on reading it, and Windows, which can't rename over an open file, is
//! served too. An update changes the current generation in one transaction: the same holds of its states.

use crate::build::stored_world;
use crate::{Error, Result};
use std::fs::{self, File, OpenOptions};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

/// First bytes of every SQLite file.
const SQLITE_MAGIC: &[u8] = b"SQLite format 3\0";

/// The place of an index: its pointer file, with generations, lock and vectors beside it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Location {
    pointer: PathBuf,
}

/// Held while an index is written; released when dropped.
#[derive(Debug)]
pub struct WriterLock {
    _file: File,
}

impl Location {
    /// The index at a file that the user named.
    #[must_use]
    pub fn at(pointer: impl Into<PathBuf>) -> Self {
        Self { pointer: pointer.into() }
    }

    /// The default place for a project: a folder below `indexes_dir` named after the project's folder and a hash of its
    /// canonical path.
    ///
    /// # Errors
    /// If the project's folder can't be found.
    pub fn of_project(indexes_dir: &Path, project: &Path) -> Result<Self> {
        let project = project.canonicalize().map_err(Error::io(project))?;
        let mut name = project.components().rev().filter_map(|part| part.as_os_str().to_str());
        // `…/src/cf` says nothing to a person who looks into the folder; the project's own name does.
        let name = name.find(|n| !matches!(*n, "cf" | "src" | "")).unwrap_or("project");
        let hash = crate::names::hash64(project.to_string_lossy().as_bytes());
        let safe: String =
            name.chars().map(|c| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '_' }).collect();
        Ok(Self { pointer: indexes_dir.join(format!("{safe}-{hash:016x}")).join("index.db") })
    }

    /// The pointer file: what `--index` names.
    #[must_use]
    pub fn pointer(&self) -> &Path {
        &self.pointer
    }

    /// A file beside the pointer: `index.db` and `vectors` give `index.vectors`.
    #[must_use]
    pub fn sibling(&self, extension: &str) -> PathBuf {
        self.pointer.with_extension(extension)
    }

    /// The file of the current generation, None if there is no index yet.
    ///
    /// # Errors
    /// If the pointer is there and can't be read.
    pub fn current(&self) -> Result<Option<PathBuf>> {
        if let Ok(target) = fs::read_link(&self.pointer) {
            return Ok(Some(self.beside(&target)).filter(|path| path.exists()));
        }
        let mut start = Vec::new();
        match File::open(&self.pointer) {
            Ok(file) => file.take(4096).read_to_end(&mut start).map_err(Error::io(&self.pointer))?,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(Error::io(&self.pointer)(error)),
        };
        // A database that somebody copied here: read it as it is.
        if start.starts_with(SQLITE_MAGIC) {
            return Ok(Some(self.pointer.clone()));
        }
        let name = String::from_utf8_lossy(&start);
        Ok(Some(self.beside(Path::new(name.trim()))).filter(|path| path.is_file()))
    }

    /// Copies the current generation with all that belongs to it into a folder: an index of its own, with no pending changes.
    ///
    /// # Errors
    /// If there is none, or a file can't be read or written.
    pub fn copied_to(&self, folder: &Path) -> Result<Self> {
        let Some(current) = self.current()? else { return Err(Error::NoIndex { path: self.pointer.clone() }) };
        fs::create_dir_all(folder).map_err(Error::io(folder))?;
        let copy = Self::at(folder.join("index.db"));
        let with = |path: &Path, suffix: &str| {
            let mut name = path.as_os_str().to_owned();
            name.push(suffix);
            PathBuf::from(name)
        };
        let beside = ["", "-wal"].into_iter().chain(stored_world::SUFFIXES.into_iter().take(1));
        let mut files: Vec<(PathBuf, PathBuf)> =
            beside.map(|suffix| (with(&current, suffix), with(&copy.pointer, suffix))).collect();
        files.push((crate::vectors::path_beside(&current), crate::vectors::path_beside(&copy.pointer)));
        for (from, to) in files.iter().filter(|(from, _)| from.exists()) {
            fs::copy(from, to).map_err(Error::io(to))?;
        }
        Ok(copy)
    }

    /// Takes the writer's lock.
    ///
    /// # Errors
    /// [`Error::Busy`] if another process holds it.
    pub fn lock(&self) -> Result<WriterLock> {
        self.lock_as("lock")
    }

    /// Takes the lock of another piece of work that only one program may do at a time; `extension` is that of its file.
    ///
    /// # Errors
    /// As [`Location::lock`].
    pub(crate) fn lock_as(&self, extension: &str) -> Result<WriterLock> {
        if let Some(dir) = self.pointer.parent().filter(|dir| !dir.as_os_str().is_empty()) {
            fs::create_dir_all(dir).map_err(Error::io(dir))?;
        }
        let path = self.sibling(extension);
        let mut file =
            OpenOptions::new().create(true).truncate(false).write(true).open(&path).map_err(Error::io(&path))?;
        match file.try_lock() {
            Ok(()) => {
                // Who holds it, for those who find it held. It holds without that, too: on a full disk, say.
                let _ = file.set_len(0).and_then(|()| write!(file, "{}", std::process::id()));
                Ok(WriterLock { _file: file })
            }
            Err(fs::TryLockError::WouldBlock) => {
                // Windows lets nobody read a file that is locked.
                let holder = fs::read_to_string(&path).ok().and_then(|number| number.trim().parse().ok());
                Err(Error::Busy { path, holder, doing: None })
            }
            Err(fs::TryLockError::Error(error)) => Err(Error::io(&path)(error)),
        }
    }

    /// The index that a generation is of, or was; None if it has another name than `index.db` gives.
    pub(crate) fn of_generation(file: &Path) -> Option<Self> {
        let (stem, number) = file.file_name()?.to_str()?.strip_suffix(".db")?.rsplit_once('.')?;
        number.parse::<u64>().ok()?;
        Some(Self::at(file.with_file_name(format!("{stem}.db"))))
    }

    /// The file of a generation that doesn't exist yet.
    pub(crate) fn next_generation(&self) -> PathBuf {
        let last = self.generations().into_iter().map(|(number, _)| number).max().unwrap_or(0);
        self.sibling(&format!("{}.db", last + 1))
    }

    /// Makes a finished generation the current one, in one rename.
    pub(crate) fn publish(&self, generation: &Path) -> Result<()> {
        let name = generation.file_name().unwrap_or_default();
        let new = self.sibling("new");
        let _ = fs::remove_file(&new);
        if make_link(Path::new(name), &new).is_err() {
            let mut file = File::create(&new).map_err(Error::io(&new))?;
            let text = format!("{}\n", name.to_string_lossy());
            file.write_all(text.as_bytes()).and_then(|()| file.sync_all()).map_err(Error::io(&new))?;
        }
        fs::rename(&new, &self.pointer).map_err(Error::io(&self.pointer))
    }

    /// Removes every generation but one. A file that a reader holds open on Windows stays until the next build.
    pub(crate) fn sweep(&self, keep: Option<&Path>) {
        for (_, path) in self.generations() {
            if keep != Some(path.as_path()) {
                for suffix in ["", "-journal", "-wal", "-shm"].into_iter().chain(stored_world::SUFFIXES) {
                    let mut file = path.clone().into_os_string();
                    file.push(suffix);
                    let _ = fs::remove_file(PathBuf::from(file));
                }
            }
        }
    }

    fn beside(&self, name: &Path) -> PathBuf {
        self.pointer.parent().unwrap_or(Path::new("")).join(name)
    }

    fn generations(&self) -> Vec<(u64, PathBuf)> {
        let Some(stem) = self.pointer.file_stem().and_then(|s| s.to_str()) else { return Vec::new() };
        let dir = self.pointer.parent().filter(|dir| !dir.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let Ok(entries) = fs::read_dir(dir) else { return Vec::new() };
        entries
            .filter_map(|entry| {
                let name = entry.ok()?.file_name().into_string().ok()?;
                let number = name.strip_prefix(stem)?.strip_prefix('.')?.strip_suffix(".db")?.parse().ok()?;
                Some((number, self.beside(Path::new(&name))))
            })
            .collect()
    }
}

#[cfg(unix)]
fn make_link(target: &Path, link: &Path) -> std::io::Result<()> {
    std::os::unix::fs::symlink(target, link)
}

#[cfg(not(unix))]
fn make_link(_target: &Path, _link: &Path) -> std::io::Result<()> {
    // Links need a privilege on Windows: the text form of the pointer does the same.
    Err(std::io::ErrorKind::Unsupported.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generations_follow_each_other_and_old_ones_go() {
        let dir = tempfile::tempdir().unwrap();
        let place = Location::at(dir.path().join("index.db"));
        assert_eq!(place.current().unwrap(), None);
        let first = place.next_generation();
        assert_eq!(Location::of_generation(&first), Some(place.clone()));
        assert_eq!(Location::of_generation(place.pointer()), None);
        fs::write(&first, b"one").unwrap();
        place.publish(&first).unwrap();
        let second = place.next_generation();
        assert_ne!(first, second);
        assert_eq!(place.current().unwrap(), Some(first.clone()));
        fs::write(&second, b"two").unwrap();
        place.publish(&second).unwrap();
        place.sweep(Some(&second));
        assert_eq!(place.current().unwrap(), Some(second));
        assert!(!first.exists());
    }

    #[test]
    fn a_pointer_may_be_text_and_a_copied_database_is_read_as_it_is() {
        let dir = tempfile::tempdir().unwrap();
        let place = Location::at(dir.path().join("x.db"));
        fs::write(dir.path().join("x.4.db"), b"").unwrap();
        fs::write(place.pointer(), "x.4.db\n").unwrap();
        assert_eq!(place.current().unwrap(), Some(dir.path().join("x.4.db")));
        assert_eq!(place.next_generation(), dir.path().join("x.5.db"));
        fs::write(place.pointer(), SQLITE_MAGIC).unwrap();
        assert_eq!(place.current().unwrap(), Some(place.pointer().to_path_buf()));
    }

    #[test]
    fn one_writer_at_a_time() {
        let dir = tempfile::tempdir().unwrap();
        let place = Location::at(dir.path().join("index.db"));
        let lock = place.lock().unwrap();
        assert!(matches!(place.lock(), Err(Error::Busy { .. })));
        drop(lock);
        place.lock().unwrap();
    }

    #[test]
    fn a_project_has_a_place_of_its_own() {
        let dir = tempfile::tempdir().unwrap();
        let (a, b) = (dir.path().join("Торговля/src/cf"), dir.path().join("b"));
        fs::create_dir_all(&a).unwrap();
        fs::create_dir_all(&b).unwrap();
        let of = |project| Location::of_project(Path::new("indexes"), project).unwrap();
        assert!(of(&a).pointer().to_string_lossy().contains("Торговля-"));
        assert_ne!(of(&a), of(&b));
        assert_eq!(of(&a), of(&dir.path().join("b/../Торговля/src/cf")));
    }
}
