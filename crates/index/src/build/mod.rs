//! From a dump to an index.
//!
//! ```text
//! metadata::read ──────────────► Configuration
//! modules ──rayon──► facts, packed; summaries; full text ─────────┐
//! World::new(configuration, summaries)                            ├─ bounded channel ─► one writer, one transaction
//! configuration ──► rows;  packed facts ──rayon──► rows, edges ───┘
//! ```
//!
//! The writer fills a new generation of the index and publishes it at the end (see [`crate::Location`]). If files
//! changed, came or went, an update ([`update`]) reads what changed, and derives the modules that asked for it: it starts
//! from what the build kept (`input`, `stored_world`), and changes the rows of the current generation in one transaction.

mod code;
mod compact;
mod files;
mod full;
pub(crate) mod input;
mod insert;
mod names;
mod numbers;
mod objects;
mod overrides;
mod pack;
mod queries;
mod references;
mod relink;
mod replace;
mod report;
mod rewrite;
mod rows;
mod schemas;
mod sources;
mod spool;
pub(crate) mod stored_world;
mod things;
mod update;
mod writer;

pub(crate) use code::places;
pub(crate) use compact::method_place;
pub(crate) use files::{changed_files, modified_of};
pub(crate) use pack::unpack;
pub use report::{Because, Outcome, Phase, Progress, Report, Scope, peak_memory};
pub(crate) use things::{PROTECTED, SET_FOR_NEW_OBJECTS};

use crate::location::Location;
use crate::read::{Index, format_of, open_read_only};
use crate::schema::FORMAT;
use crate::settings::ProjectSettings;
use crate::tasks::{self, Work};
use crate::text::Splitter;
use crate::{Error, Result};
use files::Changes;
use full::Job;
use report::{Clock, report};
pub use sources::LayerPaths;
use sources::Sources;
use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

thread_local! {
    /// One a thread; the threads of a build end with it, and give its memory back.
    static SPLITTER: RefCell<Splitter> = RefCell::new(Splitter::default());
}

/// How to build.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Build even if no file changed.
    pub rebuild: bool,
    /// Threads for reading; 0: as many as there are cores.
    pub threads: usize,
    /// Extensions and external processors to index with the dump; None: those that the index remembers.
    pub layers: Option<LayerPaths>,
    /// Called before everything is read: what the program does then to use less memory, at the price of time that an update
    /// has not.
    pub before_whole: Option<fn()>,
}

/// Stops a build from outside.
#[derive(Debug, Default)]
pub struct Stop(AtomicBool);

impl Stop {
    /// Asks the build to stop at the next module; the old index stays.
    pub fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether somebody asked.
    pub fn is_asked(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    fn check(&self) -> Result<()> {
        if self.is_asked() { Err(Error::Stopped) } else { Ok(()) }
    }
}

/// Reads a dump, with the settings of its project, and writes an index, unless nothing changed since the last time. `progress` is called from several threads.
///
/// # Errors
/// [`Error::Busy`] if another program writes this index; [`Error::Metadata`] if the folder is no dump; [`Error::Stopped`];
/// [`Error::DiskFull`]; otherwise what the file system or SQLite say. In each case the index that was there stays.
pub fn build(
    project: &Path,
    location: &Location,
    options: &Options,
    stop: &Stop,
    progress: &(dyn Fn(Progress) + Sync),
) -> Result<Report> {
    build_with_room(project, location, options, stop, progress).map_err(|error| match error.no_room() {
        None => error,
        Some(why) => {
            let current = location.current().ok().flatten();
            let size = current.and_then(|file| std::fs::metadata(file).ok()).map_or(0, |meta| meta.len());
            let folder = location.pointer().parent().unwrap_or(Path::new(".")).to_path_buf();
            Error::DiskFull { folder, why, size }
        }
    })
}

fn build_with_room(
    project: &Path,
    location: &Location,
    options: &Options,
    stop: &Stop,
    progress: &(dyn Fn(Progress) + Sync),
) -> Result<Report> {
    let started = Instant::now();
    let _lock = location.lock().map_err(|error| tasks::with_doer(error, location))?;
    // The lock says that nobody else is at it. Without the table the build is told of by nobody, and as good.
    let work = Work::begin(location, tasks::INDEX, tasks::ALL, "", true).unwrap_or_else(|error| {
        tracing::debug!(%error, "the build is no task");
        None
    });
    let progress = |step: Progress| {
        work.iter().for_each(|work| work.note(step.phase.word(), step.done, step.total));
        progress(step);
    };
    let result = build_alone(project, location, options, stop, &progress, started);
    if let Some(work) = work {
        match &result {
            Ok(_) => work.end(Ok("")),
            Err(error) => work.end(Err(&error.to_string())),
        }
    }
    result
}

/// The build of one who holds the lock.
fn build_alone(
    project: &Path,
    location: &Location,
    options: &Options,
    stop: &Stop,
    progress: &(dyn Fn(Progress) + Sync),
    started: Instant,
) -> Result<Report> {
    let current = location.current()?;
    location.sweep(current.as_deref());
    progress(Progress { phase: Phase::Files, done: 0, total: 0 });
    let sources = Sources::find(project, options.layers.as_ref(), current.as_deref())?;
    let settings = ProjectSettings::of(sources.root());
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(options.threads)
        .thread_name(|number| format!("index-{number}"))
        .build()
        .map_err(|error| Error::io(location.pointer())(std::io::Error::other(error)))?;
    let need = match &current {
        None => Need::Whole(Outcome::Built),
        Some(file) => pool.install(|| need(file, &sources, &settings, options))?,
    };
    let mut clock = Clock::start(started);
    clock.lap(Phase::Files);
    let job = Job { sources: &sources, settings: &settings, stop, progress };
    let outcome = match (need, current) {
        (Need::Nothing, Some(file)) => return report(Outcome::Unchanged, &file, clock, started),
        (Need::Changes(changes), Some(file)) => {
            let changed = changes.count();
            let scope = pool.install(|| update::update(&job, location, &file, &changes, &mut clock))?;
            let outcome = Outcome::Updated { changed, scope };
            if !matches!(scope, Scope::Whole { .. }) {
                return report(outcome, &file, clock, started);
            }
            outcome
        }
        (Need::Whole(outcome), _) => outcome,
        (_, None) => Outcome::Built,
    };
    if let Some(prepare) = options.before_whole {
        prepare();
    }
    let file = location.next_generation();
    if let Err(error) = pool.install(|| job.run(&file, &mut clock)).and_then(|()| location.publish(&file)) {
        // What the pointer says decides on what stays: if that can't be read, everything does.
        if let Ok(current) = location.current() {
            location.sweep(current.as_deref());
        }
        return Err(error);
    }
    location.sweep(Some(&file));
    clock.lap(Phase::Finish);
    report(outcome, &file, clock, started)
}

/// The folders that a build of a project reads: of its dump, and of the layers that its index remembers.
///
/// # Errors
/// [`Error::Metadata`] if one of them is no dump.
pub fn folders(project: &Path, location: &Location) -> Result<Vec<PathBuf>> {
    let current = location.current()?;
    let mut folders: Vec<PathBuf> =
        Sources::find(project, None, current.as_deref())?.layers.into_iter().map(|layer| layer.root).collect();
    folders.dedup();
    Ok(folders)
}

/// What there is to do.
enum Need {
    Nothing,
    /// Files changed.
    Changes(Changes),
    /// Everything, whatever the files.
    Whole(Outcome),
}

/// What there is to do for an index to be as the files are.
fn need(file: &Path, sources: &Sources, settings: &ProjectSettings, options: &Options) -> Result<Need> {
    let index = match Index::open_file(file) {
        Ok(index) => index,
        Err(Error::Format { found, .. }) => return Ok(Need::Whole(Outcome::FormatChanged { found })),
        Err(Error::Sqlite(_)) => {
            return Ok(Need::Whole(Outcome::FormatChanged { found: "unreadable".to_owned() }));
        }
        Err(error) => return Err(error),
    };
    // A newer program, and other settings, derive something else from the same files.
    let layers = Sources::of(&index)?;
    let same = sources.are_of(&layers)
        && index.meta("program_version")?.as_deref() == Some(env!("CARGO_PKG_VERSION"))
        && index.meta("settings")? == Some(settings.key());
    if options.rebuild || !same {
        return Ok(Need::Whole(Outcome::Rebuilt));
    }
    Ok(match files::changes(&index, &layers)? {
        None => Need::Whole(Outcome::Rebuilt),
        Some(changes) if changes.count() == 0 => Need::Nothing,
        Some(changes) => Need::Changes(changes),
    })
}

/// The version that a file says it has, for messages.
///
/// # Errors
/// If the file can't be opened.
pub fn format_version(file: &Path) -> Result<Option<String>> {
    format_of(&open_read_only(file)?)
}

/// The log of a database file.
pub(crate) fn wal_of(file: &Path) -> PathBuf {
    let mut log = file.as_os_str().to_owned();
    log.push("-wal");
    PathBuf::from(log)
}

/// Facts that go into `meta` with every build.
fn fixed_meta() -> [(&'static str, String); 4] {
    let model = paths::MODEL;
    [
        ("format_version", FORMAT.to_string()),
        ("program_version", env!("CARGO_PKG_VERSION").to_owned()),
        // Of the vectors that are made of this index; how many there are so far stands in their own file.
        ("model", model.id()),
        ("model_sha256", model.network.sha256.to_owned()),
    ]
}

/// Seconds since 1970.
fn now() -> Duration {
    std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default()
}
