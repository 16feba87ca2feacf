//! Whether the files that an answer relies on are still as they were indexed: by size and time.

use super::Roots;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::{Duration, Instant};

use rustc_hash::FxHashMap;

/// A file is looked at again after so long: whoever keeps answers for hours sees what was changed meanwhile.
const LOOK_AGAIN: Duration = Duration::from_secs(1);

/// A file as it was indexed.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Stamp {
    /// As the views show it.
    pub path: String,
    pub size: u64,
    pub modified: i64,
}

/// Stamps that one answer relies on.
pub(super) type Relied = Vec<Arc<Stamp>>;

/// Looks at files, and keeps which of them are others now.
pub(super) struct Stamps {
    roots: Roots,
    looked: RwLock<FxHashMap<String, (Instant, bool)>>,
    outdated: Mutex<BTreeSet<String>>,
}

impl Stamps {
    pub(super) fn new(roots: Roots) -> Self {
        Self { roots, looked: RwLock::default(), outdated: Mutex::default() }
    }

    /// Whether all these files are as they were indexed. Those that aren't are kept for [`Self::outdated`].
    pub(super) fn are_current(&self, files: &[Arc<Stamp>]) -> bool {
        // All of them are asked: a person is told of each.
        files.iter().filter(|file| !self.is_current(file)).count() == 0
    }

    fn is_current(&self, file: &Stamp) -> bool {
        let known = self.looked.read().unwrap_or_else(PoisonError::into_inner).get(&file.path).copied();
        if let Some((when, is_current)) = known
            && when.elapsed() < LOOK_AGAIN
        {
            return is_current;
        }
        let is_current = self.look(file);
        let mut looked = self.looked.write().unwrap_or_else(PoisonError::into_inner);
        looked.insert(file.path.clone(), (Instant::now(), is_current));
        drop(looked);
        let mut outdated = self.outdated.lock().unwrap_or_else(PoisonError::into_inner);
        if is_current {
            outdated.remove(&file.path);
        } else {
            outdated.insert(file.path.clone());
        }
        is_current
    }

    fn look(&self, file: &Stamp) -> bool {
        let (root, path) = self.roots.split(&file.path);
        match std::fs::metadata(root.join(path)) {
            Ok(now) => now.len() == file.size && crate::build::modified_of(&now) == file.modified,
            // Of a dump that is gone as a whole, the index is all there is.
            Err(_) => !Path::new(root).is_dir(),
        }
    }

    /// The files that were asked about and are others now, sorted.
    pub(super) fn outdated(&self) -> Vec<String> {
        self.outdated.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "helpers of tests, where a panic is the message")]

    use super::*;

    #[test]
    fn another_size_or_a_file_that_is_gone_is_outdated() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str| {
            std::fs::write(folder.path().join(name), "текст").unwrap();
            let meta = std::fs::metadata(folder.path().join(name)).unwrap();
            let modified = crate::build::modified_of(&meta);
            Arc::new(Stamp { path: name.to_owned(), size: meta.len(), modified })
        };
        let (same, longer, gone) = (write("same.xml"), write("longer.xml"), write("gone.xml"));
        std::fs::write(folder.path().join("longer.xml"), "другой текст").unwrap();
        std::fs::remove_file(folder.path().join("gone.xml")).unwrap();
        let stamps = Stamps::new(Roots::at(folder.path()));
        assert!(stamps.are_current(&[Arc::clone(&same)]));
        assert!(!stamps.are_current(&[same, Arc::clone(&longer), gone]));
        assert_eq!(stamps.outdated(), ["gone.xml", "longer.xml"]);
        // The dump is gone as a whole.
        let nowhere = Stamps::new(Roots::at(&folder.path().join("nowhere")));
        assert!(nowhere.are_current(&[longer]) && nowhere.outdated().is_empty());
    }
}
