//! Following the files of a project: waits until something in its folders changed and it is quiet again.
//!
//! The system tells of changes (`notify`); where it can't, because there are more folders than it watches, or because the files
//! lie in a network folder that it knows nothing of, a clock does. What really changed the build finds out by itself: who waits
//! needs to know no more than *when*. A branch that is switched changes thousands of files within a second or two: it is one
//! change, since it counts as over only when nothing happened for a while.

use crate::build::Stop;
use crossbeam_channel::{Receiver, RecvTimeoutError, bounded};
use notify::{Event, RecommendedWatcher, RecursiveMode, Watcher};
use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};
use std::time::{Duration, Instant};

/// How long nothing must happen until a change counts as over.
const QUIET: Duration = Duration::from_millis(250);
/// Longest that is waited for quiet: a file that is written all the time must not put everything off for ever.
const LONGEST: Duration = Duration::from_secs(10);
/// How often files are compared where the system doesn't tell of changes.
const CLOCK: Duration = Duration::from_secs(3);
/// How soon a stop is noticed.
const STEP: Duration = Duration::from_millis(100);

/// Tells when something changed in some folders. One that goes away and comes back is another folder to the system: it is watched
/// anew.
pub struct Changes {
    roots: Vec<PathBuf>,
    told: Receiver<()>,
    /// It tells as long as it lives; None where only a clock does.
    watcher: Option<RecommendedWatcher>,
    /// Why only a clock does.
    reason: Option<String>,
}

/// Why a wait ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Waited {
    /// Something changed, or may have.
    Changed,
    /// It was stopped.
    Stopped,
}

impl Changes {
    /// Begins to watch folders, with all folders in them. Whatever changes from now on is told, also before anybody
    /// [waits](Self::wait).
    #[must_use]
    pub fn of(roots: &[PathBuf]) -> Self {
        // One word is enough: it says that there is something to look at.
        let (tell, told) = bounded(1);
        let ours = roots.to_vec();
        let watcher = notify::recommended_watcher(move |event: notify::Result<Event>| {
            // An error may hide a change.
            if event.is_ok_and(|event| !matters(&event, &ours)) {
                return;
            }
            let _ = tell.try_send(());
        });
        let watching = watcher.and_then(|mut watcher| {
            for root in roots {
                watcher.watch(root, RecursiveMode::Recursive)?;
            }
            Ok(watcher)
        });
        match watching {
            Ok(watcher) => Self { roots: roots.to_vec(), told, watcher: Some(watcher), reason: None },
            Err(error) => Self { roots: roots.to_vec(), told, watcher: None, reason: Some(error.to_string()) },
        }
    }

    /// Why the files are compared by the clock: the system doesn't tell of changes. None where it does.
    #[must_use]
    pub fn by_clock(&self) -> Option<&str> {
        self.reason.as_deref()
    }

    /// Waits for a change, and until it is over.
    #[must_use]
    pub fn wait(&mut self, stop: &Stop) -> Waited {
        let waited = self.wait_as_it_is(stop);
        // What changes while nobody watches is found by who is told of a change now.
        if waited == Waited::Changed && (self.watcher.is_none() || !self.roots.iter().all(|root| root.is_dir())) {
            *self = Self::of(&self.roots);
        }
        waited
    }

    fn wait_as_it_is(&self, stop: &Stop) -> Waited {
        let begun = Instant::now();
        loop {
            if stop.is_asked() {
                return Waited::Stopped;
            }
            if self.watcher.is_none() {
                std::thread::sleep(STEP);
                if begun.elapsed() >= CLOCK {
                    return Waited::Changed;
                }
                continue;
            }
            match self.told.recv_timeout(STEP) {
                Ok(()) => break,
                Err(RecvTimeoutError::Timeout) => {}
                // The thread that told is gone: nothing will be told any more.
                Err(RecvTimeoutError::Disconnected) => std::thread::sleep(CLOCK),
            }
        }
        let first = Instant::now();
        while first.elapsed() < LONGEST && self.told.recv_timeout(QUIET).is_ok() {
            if stop.is_asked() {
                return Waited::Stopped;
            }
        }
        Waited::Changed
    }
}

/// Whether an event may concern a file that is indexed: no mere look at one, nothing in hidden folders (`.git`).
fn matters(event: &Event, roots: &[PathBuf]) -> bool {
    if event.kind.is_access() {
        return false;
    }
    let hidden = |path: &Path| {
        let inside = roots.iter().find_map(|root| path.strip_prefix(root).ok()).unwrap_or(path);
        inside.components().any(|part| matches!(part, Component::Normal(name) if is_hidden(name)))
    };
    event.paths.is_empty() || !event.paths.iter().all(|path| hidden(path))
}

fn is_hidden(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b".")
}

#[cfg(test)]
mod tests {
    use super::*;
    use notify::EventKind;
    use notify::event::{AccessKind, CreateKind};
    use std::sync::Arc;

    fn folder() -> tempfile::TempDir {
        tempfile::tempdir().unwrap()
    }

    #[test]
    fn a_change_is_told_once_it_is_over() {
        let folder = folder();
        std::fs::create_dir_all(folder.path().join("CommonModules/Х/Ext")).unwrap();
        let mut changes = Changes::of(&[folder.path().to_path_buf()]);
        assert_eq!(changes.by_clock(), None);
        let module = folder.path().join("CommonModules/Х/Ext/Module.bsl");
        let writer = std::thread::spawn(move || {
            for round in 0..5 {
                std::fs::write(&module, format!("// {round}")).unwrap();
                std::thread::sleep(Duration::from_millis(60));
            }
            Instant::now()
        });
        assert_eq!(changes.wait(&Stop::default()), Waited::Changed);
        let told = Instant::now();
        let written = writer.join().unwrap();
        assert!(told + Duration::from_millis(70) > written + QUIET, "{:?}", told - written);
    }

    #[test]
    fn a_stop_ends_the_wait() {
        let folder = folder();
        let mut changes = Changes::of(&[folder.path().to_path_buf()]);
        let stop = Arc::new(Stop::default());
        let asked = Arc::clone(&stop);
        let waiting = std::thread::spawn(move || changes.wait(&stop));
        asked.stop();
        assert_eq!(waiting.join().unwrap(), Waited::Stopped);
    }

    #[test]
    fn a_folder_that_is_not_there_is_watched_by_the_clock_until_it_is() {
        let folder = folder();
        let root = folder.path().join("выгрузка");
        let mut changes = Changes::of(std::slice::from_ref(&root));
        assert!(changes.by_clock().is_some());
        std::fs::create_dir(&root).unwrap();
        assert_eq!(changes.wait(&Stop::default()), Waited::Changed);
        assert_eq!(changes.by_clock(), None);
        std::fs::remove_dir(&root).unwrap();
        assert_eq!(changes.wait(&Stop::default()), Waited::Changed);
        assert!(changes.by_clock().is_some());
    }

    #[test]
    fn looks_and_hidden_folders_are_no_changes() {
        let root = PathBuf::from("/.скрыто/выгрузка");
        let event = |kind, path: &str| Event::new(kind).add_path(root.join(path));
        let created = EventKind::Create(CreateKind::File);
        let roots = [root.clone()];
        assert!(matters(&event(created, "CommonModules/Х.xml"), &roots));
        assert!(!matters(&event(created, ".git/index.lock"), &roots));
        assert!(!matters(&event(EventKind::Access(AccessKind::Any), "CommonModules/Х.xml"), &roots));
    }
}
