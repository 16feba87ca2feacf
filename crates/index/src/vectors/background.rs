//! Vectors of an index, made in the background: what the program calls.

use std::fs::OpenOptions;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::file::{FileError, Head, Vectors};
use super::model::{ModelError, locate};
use super::path_beside;
use super::supervise::{OnProgress, Queue, QueueError};
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
/// or when `on_progress` says false; called again it goes on where it stopped. Blocks: give it a thread.
///
/// `command` starts a worker: this program with its hidden subcommand, which calls [`super::worker::run`].
///
/// # Errors
/// Model or runtime are missing; there is no index; another process makes the vectors of this index already
/// ([`Error::Busy`]); workers die at once.
pub fn embed(
    location: &Location,
    command: &(dyn Fn() -> Command + Sync),
    options: &Options,
    on_progress: &mut OnProgress<'_>,
) -> Result<Head, QueueError> {
    locate(options.runtime.as_deref())?;
    let places = paths::Places::of_user().ok_or(ModelError::NoDataDirectory)?;
    let generation = location.current()?.ok_or_else(|| Error::NoIndex { path: location.pointer().to_path_buf() })?;
    let path = location.sibling("vectors-lock");
    let lock = OpenOptions::new().create(true).truncate(false).write(true).open(&path).map_err(Error::io(&path))?;
    if lock.try_lock().is_err() {
        return Err(Error::Busy { path, holder: None }.into());
    }
    let model = paths::MODEL;
    let queue = Queue {
        index: &generation,
        cache_dir: places.cache_dir(),
        vectors: path_beside(&generation),
        model: (&model.id(), model.network.sha256),
        dimensions: model.dimensions,
        workers: options.workers,
        command,
    };
    let head = queue.run(on_progress);
    drop(lock);
    head
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
