//! A task that is being worked on: its signs of life, and how far it is.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use crossbeam_channel::{RecvTimeoutError, Sender, bounded};

use super::{Step, Task, Tasks, Wanted};
use crate::{Error, Location, Result};

/// How long a task is its holder's after a sign of life.
pub const LEASE: Duration = Duration::from_secs(15);
/// How often a holder gives one.
const BEAT: Duration = Duration::from_secs(2);

/// A task that this program works on. A thread gives the signs of life; dropped without an end, the task counts as stopped.
#[derive(Debug)]
pub struct Work {
    task: Task,
    shared: Arc<Shared>,
    /// Gone when the work is over: that wakes the thread.
    wake: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Debug)]
struct Shared {
    tasks: Mutex<Tasks>,
    step: Mutex<Step>,
    lost: AtomicBool,
}

impl Work {
    /// Begins a task beside an index. `None`: another holds it. `free`: whoever held it is known to be dead, since a lock that it
    /// had to hold is ours.
    ///
    /// # Errors
    /// If the table can't be written.
    pub fn begin(location: &Location, kind: &str, key: &str, payload: &str, free: bool) -> Result<Option<Self>> {
        let tasks = Tasks::of(location)?;
        let program = std::env::current_exe().ok();
        let name =
            program.as_deref().and_then(|path| path.file_stem()).map_or("?".into(), |name| name.to_string_lossy());
        let wanted = Wanted { kind, key, payload, holder: &name };
        let Some(task) = tasks.begin(&wanted, free, LEASE)? else { return Ok(None) };
        let shared = Shared { tasks: Mutex::new(tasks), step: Mutex::default(), lost: AtomicBool::new(false) };
        let shared = Arc::new(shared);
        let (wake, woken) = bounded::<()>(0);
        let (held, ours) = (task.clone(), Arc::clone(&shared));
        let beat = move || {
            while woken.recv_timeout(BEAT) == Err(RecvTimeoutError::Timeout) {
                ours.beat(&held);
            }
        };
        let thread = std::thread::Builder::new().name("task".to_owned()).spawn(beat);
        let thread = thread.map_err(Error::io(location.pointer()))?;
        Ok(Some(Self { task, shared, wake: Some(wake), thread: Some(thread) }))
    }

    /// Says how far the work is; costs nothing, others see it with the next sign of life.
    pub fn note(&self, phase: &'static str, done: usize, total: usize) {
        *locked(&self.shared.step) = Step { phase, done, total };
    }

    /// Whether another has claimed the task: this program gave no sign of life for too long. The work must stop.
    #[must_use]
    pub fn is_lost(&self) -> bool {
        self.shared.lost.load(Ordering::Relaxed)
    }

    /// Ends the task with what came of it.
    pub fn end(mut self, result: std::result::Result<&str, &str>) {
        self.last_word(|tasks, task| tasks.end(task, result));
    }

    /// Ends the task as done. It comes back if it was asked for again meanwhile: then there may be more to do.
    #[must_use]
    pub fn end_unless_asked(mut self, result: &str) -> Option<Self> {
        let ended = locked(&self.shared.tasks).end_unless_asked(&self.task, result);
        if !ended.unwrap_or(true) {
            self.shared.beat(&self.task);
            if !self.is_lost() {
                return Some(self);
            }
        }
        self.last_word(|_, _| Ok(true));
        None
    }

    /// Gives the task back: somebody may go on with it another time.
    pub fn give_back(mut self) {
        self.last_word(Tasks::give_back);
    }

    /// Ends the thread, and says what is the last of this claim.
    fn last_word(&mut self, say: impl FnOnce(&Tasks, &Task) -> Result<bool>) {
        drop(self.wake.take());
        let Some(thread) = self.thread.take() else { return };
        // It has no panic in it, and if it had: the word counts.
        let _ = thread.join();
        if let Err(error) = say(&locked(&self.shared.tasks), &self.task) {
            // The lease will run out.
            tracing::debug!(%error, "the end of a task was not written");
        }
    }
}

impl Drop for Work {
    fn drop(&mut self) {
        self.last_word(|tasks, task| tasks.end(task, Err("stopped")));
    }
}

impl Shared {
    /// A sign of life.
    fn beat(&self, task: &Task) {
        let step = *locked(&self.step);
        match locked(&self.tasks).renew(task, LEASE, step) {
            Ok(true) => {}
            Ok(false) => self.lost.store(true, Ordering::Relaxed),
            // The next beat may succeed; if none does, the lease runs out.
            Err(error) => tracing::debug!(%error, "no sign of life"),
        }
    }
}

/// What stands behind these locks is whole after each statement.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tasks::{ALL, INDEX, TaskState};

    #[test]
    fn a_task_that_is_worked_on_says_how_far_it_is_until_it_ends() {
        let folder = tempfile::tempdir().unwrap();
        let location = Location::at(folder.path().join("index.db"));
        let begin = |free| Work::begin(&location, INDEX, ALL, "", free).unwrap();
        let rows = || Tasks::of(&location).unwrap().list(9).unwrap();
        let work = begin(false).unwrap();
        assert!(begin(false).is_none(), "it is held");
        work.note("modules", 3, 9);
        work.shared.beat(&work.task);
        assert_eq!((rows()[0].phase.as_str(), rows()[0].done, rows()[0].state), ("modules", 3, TaskState::Running));
        // Another takes it over: what the first one says counts no more.
        let other = begin(true).unwrap();
        work.shared.beat(&work.task);
        assert!(work.is_lost());
        work.end(Ok("late"));
        assert_eq!(rows()[0].state, TaskState::Running);
        assert!(Tasks::of(&location).unwrap().ask(INDEX, ALL).unwrap());
        let other = other.end_unless_asked("1").unwrap();
        assert!(other.end_unless_asked("2").is_none());
        assert_eq!((rows()[0].state, rows()[0].result.as_deref()), (TaskState::Done, Some("2")));
        drop(begin(false).unwrap());
        assert_eq!((rows()[0].state, rows()[0].result.as_deref()), (TaskState::Failed, Some("stopped")));
        begin(false).unwrap().give_back();
        assert_eq!(rows()[0].state, TaskState::Waiting);
    }
}
