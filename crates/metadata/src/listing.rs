//! The files of a dump: level by level, the folders of one level side by side.
//!
//! Most of the time goes into asking the system what stands in each of thousands of folders. One whose entries are the same as when
//! it was last asked is not asked again, only its files are looked at. Whether they are is told by the time of the folder's own last
//! change (`ctime`), which the system sets whenever an entry comes, goes or gets another name, and which no program can set back.
//! Where that doesn't hold, on other systems and on file systems that are not known to do so, every folder is asked each time.

use crate::detect::ReadError;
use crate::model::Text;
use crate::model::configuration::{LayerId, SourceFile, SourceFolder};
use crate::model::problem::{Problem, ProblemKind};
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use std::fs;
use std::path::Path;

/// What stands below a folder.
#[derive(Debug, Default)]
pub struct Listing {
    /// Its files, sorted by path.
    pub files: Vec<SourceFile>,
    /// It and every folder below it, sorted by path; none if times of folders tell nothing here.
    pub folders: Vec<SourceFolder>,
    /// What could not be listed.
    pub problems: Vec<Problem>,
}

/// What an earlier listing of the same folder found.
#[derive(Debug, Default)]
pub struct Known<'a>(FxHashMap<&'a str, Entries<'a>>);

/// The entries of a folder that was listed.
#[derive(Debug, Default)]
struct Entries<'a> {
    changed: i64,
    files: Vec<&'a str>,
    folders: Vec<&'a str>,
}

impl<'a> Known<'a> {
    /// All its folders with their times, and paths of all its files.
    pub fn new(folders: impl IntoIterator<Item = (&'a str, i64)>, files: impl IntoIterator<Item = &'a str>) -> Self {
        let folders = folders.into_iter().map(|(path, changed)| (path, Entries { changed, ..Entries::default() }));
        let mut known = Self(folders.collect());
        let mut paths: Vec<&str> = known.0.keys().copied().filter(|path| !path.is_empty()).collect();
        paths.sort_unstable();
        for path in paths {
            known.entries_around(path, |entries| entries.folders.push(path));
        }
        for path in files {
            known.entries_around(path, |entries| entries.files.push(path));
        }
        known
    }

    fn entries_around(&mut self, path: &str, put: impl FnOnce(&mut Entries<'a>)) {
        let around = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        if let Some(entries) = self.0.get_mut(around) {
            put(entries);
        }
    }
}

/// Every file below a folder, sorted by path, with what could not be listed; hidden folders are left out.
///
/// # Errors
/// If the folder itself can't be listed.
pub fn list_files(root: &Path) -> Result<(Vec<SourceFile>, Vec<Problem>), ReadError> {
    let Listing { files, problems, .. } = list(root, &Known::default())?;
    Ok((files, problems))
}

/// [`list_files`] with what is known of them, and with what is to be known next time.
///
/// # Errors
/// If the folder itself can't be listed.
pub fn list(root: &Path, known: &Known<'_>) -> Result<Listing, ReadError> {
    let unreadable = |source| ReadError::Unreadable { path: root.to_path_buf(), source };
    fs::read_dir(root).map_err(unreadable)?;
    let clock = times::Clock::of(root);
    let mut all = Listing::default();
    let mut folders = vec![String::new()];
    while !folders.is_empty() {
        let listed = folders.into_par_iter().map(|folder| {
            let before = clock.time_of(&root.join(&folder));
            let entries = known.0.get(&*folder).filter(|entries| before.is_some_and(|time| time.is(entries.changed)));
            let mut found = match entries.and_then(|entries| look(root, entries)) {
                Some(found) => found,
                None => ask(root, &folder),
            };
            let changed = before.and_then(|time| time.to_keep()).filter(|_| found.problems.is_empty()).unwrap_or(0);
            found.known = clock.tells().then(|| SourceFolder { path: folder.into(), changed });
            found
        });
        let listed: Vec<Found> = listed.collect();
        folders = Vec::new();
        for found in listed {
            folders.extend(found.folders);
            all.files.extend(found.files);
            all.problems.extend(found.problems);
            all.folders.extend(found.known);
        }
    }
    all.files.sort_by(|a, b| a.path.cmp(&b.path));
    all.folders.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(all)
}

/// The files of one folder, sorted, without what lies below it, and what could not be listed.
///
/// # Errors
/// If the folder can't be listed.
pub(crate) fn list_folder(folder: &Path) -> Result<(Vec<SourceFile>, Vec<Problem>), ReadError> {
    fs::read_dir(folder).map_err(|source| ReadError::Unreadable { path: folder.to_path_buf(), source })?;
    let mut found = ask(folder, "");
    found.files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok((found.files, found.problems))
}

/// What stands in one folder.
#[derive(Default)]
struct Found {
    files: Vec<SourceFile>,
    /// Paths relative to the root, with `/` on every system.
    folders: Vec<String>,
    problems: Vec<Problem>,
    known: Option<SourceFolder>,
}

/// Looks at the files that are known to stand in a folder; None if one of them is not what it was.
fn look(root: &Path, entries: &Entries<'_>) -> Option<Found> {
    let look = |path: &&str| {
        let meta = fs::metadata(root.join(path)).ok().filter(fs::Metadata::is_file)?;
        Some(SourceFile::new(Text::from(*path), &meta))
    };
    let files = entries.files.iter().map(look).collect::<Option<_>>()?;
    let folders = entries.folders.iter().map(|&folder| folder.to_owned()).collect();
    Some(Found { files, folders, ..Found::default() })
}

/// Asks the system what stands in a folder.
fn ask(root: &Path, folder: &str) -> Found {
    let mut found = Found::default();
    let problem = |path: &str, error: &std::io::Error| {
        let kind = ProblemKind::Unreadable(error.to_string().into());
        Problem { path: path.into(), line: 0, kind }
    };
    let entries = match fs::read_dir(root.join(folder)) {
        Ok(entries) => entries,
        Err(error) => {
            found.problems.push(problem(folder, &error));
            return found;
        }
    };
    for entry in entries {
        let (name, kind, entry) = match entry.and_then(|entry| Ok((entry.file_name(), entry.file_type()?, entry))) {
            Ok(entry) => entry,
            Err(error) => {
                found.problems.push(problem(folder, &error));
                continue;
            }
        };
        let name = name.to_string_lossy();
        if name.starts_with('.') {
            continue;
        }
        let path = if folder.is_empty() { name.into_owned() } else { format!("{folder}/{name}") };
        if kind.is_dir() {
            found.folders.push(path);
            continue;
        }
        // A link counts as the file that it leads to; one to a folder is left alone, since it could lead back.
        let meta = if kind.is_symlink() { fs::metadata(entry.path()) } else { entry.metadata() };
        match meta {
            Ok(meta) if meta.is_file() => found.files.push(SourceFile::new(path.as_str().into(), &meta)),
            Ok(_) => {}
            Err(error) if kind.is_symlink() => found.problems.push(problem(&path, &error)),
            Err(_) if kind.is_file() => {
                found.files.push(SourceFile { path: path.as_str().into(), size: 0, modified: 0, layer: LayerId(0) });
            }
            Err(_) => {}
        }
    }
    found
}

/// Times of folders, where they tell whether entries changed.
#[cfg(target_os = "linux")]
mod times {
    use std::fs;
    use std::os::unix::fs::MetadataExt;
    use std::path::Path;
    use std::time::{SystemTime, UNIX_EPOCH};

    /// File systems of this machine's own whose folders change their `ctime` with every change of an entry, by the numbers of
    /// `linux/magic.h` and of their own sources: ext2 to ext4, XFS, Btrfs, tmpfs, ZFS, F2FS, bcachefs, overlayfs.
    const TOLD: [u64; 8] =
        [0xef53, 0x5846_5342, 0x9123_683e, 0x0102_1994, 0x2fc1_2fc1, 0xf2f5_2010, 0xca45_1a4e, 0x794c_7630];
    /// A change so short before, in nanoseconds, may be followed by one at the same time: clocks of files tick slowly.
    const TICK: i128 = 2_000_000_000;

    /// What times of folders are compared with.
    pub struct Clock {
        /// The file system whose folders tell; None if they don't.
        device: Option<u64>,
        now: i128,
    }

    /// The time of a folder.
    #[derive(Clone, Copy)]
    pub struct Time {
        changed: i128,
        now: i128,
    }

    impl Clock {
        pub fn of(root: &Path) -> Self {
            let told = rustix::fs::statfs(root).is_ok_and(|system| TOLD.contains(&(system.f_type as u64)));
            let device = fs::metadata(root).ok().filter(|_| told).map(|meta| meta.dev());
            let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |now| now.as_nanos());
            Self { device, now: i128::try_from(now).unwrap_or(0) }
        }

        pub fn tells(&self) -> bool {
            self.device.is_some()
        }

        /// The time of a folder; None if it tells nothing.
        pub fn time_of(&self, folder: &Path) -> Option<Time> {
            let device = self.device?;
            let meta = fs::metadata(folder).ok().filter(|meta| meta.dev() == device)?;
            Some(Time {
                changed: i128::from(meta.ctime()) * 1_000_000_000 + i128::from(meta.ctime_nsec()),
                now: self.now,
            })
        }
    }

    impl Time {
        pub fn is(self, known: i64) -> bool {
            self.changed == i128::from(known)
        }

        /// The time, if it can be compared with next time.
        pub fn to_keep(self) -> Option<i64> {
            i64::try_from(self.changed).ok().filter(|_| self.changed + TICK < self.now)
        }
    }
}

/// Times of folders, where they tell nothing.
#[cfg(not(target_os = "linux"))]
mod times {
    use std::path::Path;

    pub struct Clock;

    #[derive(Clone, Copy)]
    pub struct Time;

    impl Clock {
        pub fn of(_root: &Path) -> Self {
            Self
        }

        pub fn tells(&self) -> bool {
            false
        }

        pub fn time_of(&self, _folder: &Path) -> Option<Time> {
            None
        }
    }

    impl Time {
        pub fn is(self, _known: i64) -> bool {
            false
        }

        pub fn to_keep(self) -> Option<i64> {
            None
        }
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::os::unix::fs::MetadataExt;
    use std::path::PathBuf;

    /// What is known after a listing.
    struct Before {
        folders: Vec<(String, i64)>,
        files: Vec<String>,
    }

    impl Before {
        /// As if the last change of some folders had been long before the listing, and that of all others just now.
        fn of(root: &Path, is_old: impl Fn(usize) -> bool) -> Self {
            let Listing { files, folders, .. } = list(root, &Known::default()).expect("a folder");
            assert!(!folders.is_empty(), "the tests' folder tells times");
            let time = |(place, folder): (usize, &SourceFolder)| {
                let meta = fs::metadata(root.join(&*folder.path)).expect("a folder");
                let changed = meta.ctime() * 1_000_000_000 + meta.ctime_nsec();
                (folder.path.to_string(), if is_old(place) { changed } else { 0 })
            };
            let folders = folders.iter().enumerate().map(time).collect();
            Self { folders, files: files.iter().map(|file| file.path.to_string()).collect() }
        }

        fn known(&self) -> Known<'_> {
            Known::new(self.folders.iter().map(|(path, time)| (&**path, *time)), self.files.iter().map(|path| &**path))
        }
    }

    fn write(root: &Path, path: &str, text: &str) {
        let path: PathBuf = root.join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
        fs::write(path, text).expect("a file");
    }

    fn paths(listing: &Listing) -> Vec<(String, u64)> {
        listing.files.iter().map(|file| (file.path.to_string(), file.size)).collect()
    }

    #[test]
    fn a_folder_whose_time_is_the_same_is_not_asked_again() {
        let dir = tempfile::tempdir().expect("a folder");
        let root = dir.path();
        write(root, "A/1.bsl", "1");
        write(root, "A/B/2.bsl", "22");
        let mut before = Before::of(root, |_| true);
        // What is known is believed: the folder isn't looked into.
        before.files.retain(|path| path != "A/1.bsl");
        assert_eq!(paths(&list(root, &before.known()).expect("a folder")), [("A/B/2.bsl".to_owned(), 2)]);
        // A file that is gone from it is a sign that it must be.
        before.files.push("A/3.bsl".to_owned());
        let all = [("A/1.bsl".to_owned(), 1), ("A/B/2.bsl".to_owned(), 2)];
        assert_eq!(paths(&list(root, &before.known()).expect("a folder")), all);
        // So is another time.
        before.files.pop();
        before.folders.iter_mut().for_each(|(_, time)| *time -= 1);
        assert_eq!(paths(&list(root, &before.known()).expect("a folder")), all);
    }

    #[test]
    fn a_time_just_now_is_not_kept() {
        let dir = tempfile::tempdir().expect("a folder");
        write(dir.path(), "A/1.bsl", "1");
        let folders = list(dir.path(), &Known::default()).expect("a folder").folders;
        assert_eq!(
            folders.iter().map(|folder| (&*folder.path, folder.changed)).collect::<Vec<_>>(),
            [("", 0), ("A", 0)]
        );
    }

    #[test]
    fn a_link_in_the_place_of_a_folder_is_not_followed() {
        let dir = tempfile::tempdir().expect("a folder");
        let root = dir.path();
        write(root, "A/B/1.bsl", "1");
        write(root, "C/1.bsl", "22");
        let before = Before::of(root, |_| true);
        fs::rename(root.join("A/B"), root.join("A/D")).expect("renamed");
        std::os::unix::fs::symlink(root.join("C"), root.join("A/B")).expect("a link");
        let listing = list(root, &before.known()).expect("a folder");
        assert_eq!(paths(&listing), [("A/D/1.bsl".to_owned(), 1), ("C/1.bsl".to_owned(), 2)]);
    }

    #[derive(Debug, Clone)]
    enum Change {
        Write(String, usize),
        Remove(String),
        Rename(String, String),
        Folder(String),
    }

    fn change() -> impl Strategy<Value = Change> {
        let path = || "[ab](/[ab]){0,3}".prop_map(String::from);
        prop_oneof![
            (path(), 0..5_usize).prop_map(|(path, size)| Change::Write(format!("{path}.bsl"), size)),
            path().prop_map(|path| Change::Remove(format!("{path}.bsl"))),
            path().prop_map(Change::Remove),
            (path(), path()).prop_map(|(from, to)| Change::Rename(from, to)),
            (path(), path()).prop_map(|(from, to)| Change::Rename(format!("{from}.bsl"), format!("{to}.bsl"))),
            path().prop_map(Change::Folder),
        ]
    }

    fn make(root: &Path, change: &Change) {
        // Whatever can't be done is left undone.
        let _ = match change {
            Change::Write(path, size) => root
                .join(path)
                .parent()
                .map_or(Ok(()), fs::create_dir_all)
                .and_then(|()| fs::write(root.join(path), "x".repeat(*size))),
            Change::Remove(path) => fs::remove_file(root.join(path)).or_else(|_| fs::remove_dir_all(root.join(path))),
            Change::Rename(from, to) => fs::rename(root.join(from), root.join(to)),
            Change::Folder(path) => fs::create_dir_all(root.join(path)),
        };
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn what_is_known_changes_nothing_in_what_is_found(
            first in proptest::collection::vec(change(), 1..20),
            then in proptest::collection::vec(change(), 0..6),
            old in proptest::collection::vec(any::<bool>(), 16),
        ) {
            let dir = tempfile::tempdir().expect("a folder");
            first.iter().for_each(|change| make(dir.path(), change));
            let before = Before::of(dir.path(), |place| old.get(place).copied().unwrap_or(true));
            // Longer than a tick of the file system's clock.
            std::thread::sleep(std::time::Duration::from_millis(12));
            then.iter().for_each(|change| make(dir.path(), change));
            let afresh = list(dir.path(), &Known::default()).expect("a folder");
            prop_assert_eq!(paths(&list(dir.path(), &before.known()).expect("a folder")), paths(&afresh));
        }
    }
}
