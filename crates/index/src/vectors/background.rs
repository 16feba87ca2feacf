//! Vectors of an index, made in the background: what the program calls.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use super::file::{FileError, Head, Vectors};
use super::model::{ModelError, locate};
use super::path_beside;
use super::supervise::{OnProgress, Queue, QueueError};
use crate::location::WriterLock;
use crate::tasks::{self, TaskState, Tasks, Work};
use crate::{Error, Location};

/// How vectors are made.
#[derive(Clone, Debug)]
pub struct Options {
    /// ONNX Runtime's library, if the settings name one.
    pub runtime: Option<PathBuf>,
    /// Number of worker processes, each with a model of its own (340 MB).
    pub workers: usize,
}

impl Default for Options {
    fn default() -> Self {
        // Half of the cores, at least one, at most four: the machine stays the user's.
        let cores = std::thread::available_parallelism().map_or(2, std::num::NonZero::get);
        Self { runtime: None, workers: cores.div_ceil(2).clamp(1, 4).max(cores.min(2)) }
    }
}

/// Makes the vectors of an index that are missing, and writes the file of vectors beside it. Returns when all is done,
/// or when `on_progress` says false; called again it goes on where it stopped. Blocks: give it a thread. What is asked for
/// meanwhile ([`ask`]) it does too.
///
/// `command` starts a worker: this program with its hidden subcommand, which calls [`super::worker::run`].
///
/// # Errors
/// Model or runtime are missing; there is no index; another process makes the vectors of this index already
/// ([`Error::VectorsBusy`]); workers die at once.
pub fn embed(
    location: &Location,
    command: &(dyn Fn() -> Command + Sync),
    options: &Options,
    on_progress: &mut OnProgress<'_>,
) -> Result<Head, QueueError> {
    locate(options.runtime.as_deref())?;
    let places = paths::Places::of_user().ok_or(ModelError::NoDataDirectory)?;
    let model = paths::MODEL;
    let make = |on_progress: &mut OnProgress<'_>| {
        let generation =
            location.current()?.ok_or_else(|| Error::NoIndex { path: location.pointer().to_path_buf() })?;
        let queue = Queue {
            index: &generation,
            cache_dir: places.cache_dir(),
            vectors: path_beside(&generation),
            model: (&model.id(), model.network.sha256),
            dimensions: model.dimensions,
            workers: options.workers,
            command,
        };
        queue.run(on_progress)
    };
    as_task(location, &make, on_progress)
}

/// A piece of the work: makes what is missing now.
type Make<'m> = dyn Fn(&mut OnProgress<'_>) -> Result<Head, QueueError> + 'm;

/// Makes vectors as the one program that does, until there is nothing left that was asked for.
///
/// # Errors
/// Those of `make`; [`Error::VectorsBusy`].
pub fn as_task(location: &Location, make: &Make<'_>, on_progress: &mut OnProgress<'_>) -> Result<Head, QueueError> {
    let _lock = lock(location).map_err(|error| tasks::with_doer(error, location))?;
    // The lock says that nobody else is at it. Without the table the work is told of by nobody, and as good.
    let mut work = Work::begin(location, tasks::VECTORS, tasks::ALL, "", true).ok().flatten();
    loop {
        let mut stopped = false;
        let result = make(&mut |progress| {
            let lost = work.as_ref().is_some_and(|work| {
                work.note(progress.stage.word(), progress.done, progress.total);
                work.is_lost()
            });
            stopped = lost || !on_progress(progress);
            !stopped
        });
        let Some(held) = work.take() else { return result };
        match &result {
            Err(error) => held.end(Err(&error.to_string())),
            // What is left waits for somebody to go on.
            Ok(_) if stopped => held.give_back(),
            Ok(head) => {
                let made = format!("{} + {}", head.names_done, head.bodies_done);
                work = held.end_unless_asked(&made);
                if work.is_some() {
                    continue;
                }
            }
        }
        return result;
    }
}

/// Wants the vectors of an index to be made as it is now. True: a program that is at it already does it; else somebody must be
/// started ([`embed`]).
///
/// # Errors
/// If the table of tasks can't be written.
pub fn ask(location: &Location) -> Result<bool, Error> {
    let runs = Tasks::of(location)?.ask(tasks::VECTORS, tasks::ALL)?;
    // Its lease may not be over yet, but who lost the lock is dead.
    Ok(runs && matches!(location.lock_as(LOCK), Err(Error::Busy { .. })))
}

/// Extension of the file that is locked while vectors are made.
const LOCK: &str = "vectors-lock";
/// How long one who has said that it is done may take until it lets the lock go, and one who only looks.
const PATIENCE: Duration = Duration::from_secs(2);

fn lock(location: &Location) -> Result<WriterLock, Error> {
    let begun = Instant::now();
    loop {
        let holder = match location.lock_as(LOCK) {
            Err(Error::Busy { holder, .. }) => holder,
            other => return other,
        };
        let row =
            Tasks::known(location)?.map(|tasks| tasks.open_one(tasks::VECTORS, tasks::ALL)).transpose()?.flatten();
        if row.is_some_and(|row| row.state == TaskState::Running) || begun.elapsed() > PATIENCE {
            return Err(Error::VectorsBusy { holder, doing: None });
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// What is there of an index's vectors: None if nothing is. `generation` is [`crate::Index::path`].
///
/// # Errors
/// The file is damaged or of another version.
pub fn status(generation: &Path) -> Result<Option<Head>, FileError> {
    match Vectors::head(&path_beside(generation)) {
        Ok(head) => Ok(Some(head)),
        Err(FileError::Missing) => Ok(None),
        Err(error) => Err(error),
    }
}
