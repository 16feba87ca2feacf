//! From a dump to an index.
//!
//! ```text
//! metadata::read ──────────────► Configuration
//! modules ──rayon──► facts, packed; summaries; full text ─────────┐
//! World::new(configuration, summaries)                            ├─ bounded channel ─► one writer, one transaction
//! configuration ──► rows;  packed facts ──rayon──► rows, edges ───┘
//! ```
//!
//! The writer fills a new generation of the index and publishes it at the end (see [`crate::Location`]).

mod code;
mod compact;
mod files;
mod names;
mod objects;
mod pack;
mod queries;
mod rows;
mod things;
mod writer;

pub(crate) use compact::method_place;
pub(crate) use files::{changed_files, modified_of};
pub(crate) use pack::unpack;

use crate::location::Location;
use crate::read::{Index, ProblemRow, format_of, open_read_only};
use crate::schema::{self, FORMAT};
use crate::settings::ProjectSettings;
use crate::text::Splitter;
use crate::{Error, Result};
use graph::World;
use metadata::Configuration;
use names::NameTable;
use rayon::prelude::*;
use serde::Serialize;
use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use writer::{Message, Writer};

/// Batches that may wait for the writer: enough to keep it busy, few enough to bound memory.
const WAITING: usize = 32;

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
}

/// A stage of a build.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Comparing the files with the index.
    Files,
    /// Reading metadata.
    Metadata,
    /// Reading modules.
    Modules,
    /// Deriving edges and writing rows.
    Edges,
    /// Writing what is left, and making the indexes.
    Finish,
}

/// How far a build is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// The stage.
    pub phase: Phase,
    /// Steps done in it.
    pub done: usize,
    /// Steps of the stage; 0 if it has no steps.
    pub total: usize,
}

/// Why an index was, or was not, built.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum Outcome {
    /// No file changed: the index is as it was.
    Unchanged,
    /// There was no index.
    Built,
    /// Files changed.
    Updated {
        /// Files that were added, removed or changed.
        changed: u64,
    },
    /// The caller asked for it, or the program, its settings or the dump's place are others.
    Rebuilt,
    /// The index had another format.
    FormatChanged {
        /// What it said.
        found: String,
    },
}

/// What a build did.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// Why it ran.
    pub outcome: Outcome,
    /// The database file that is the current one now.
    pub file: PathBuf,
    /// Its size in bytes.
    pub bytes: u64,
    /// Rows of the main views.
    pub counts: Vec<(String, u64)>,
    /// Seconds a stage.
    pub phases: Vec<(Phase, f64)>,
    /// Seconds in all.
    pub seconds: f64,
    /// Most memory that the process held, in bytes; None where the system doesn't say.
    pub peak_memory: Option<u64>,
    /// Number of problems: what could not be read.
    pub problems: u64,
}

/// Stops a build from outside.
#[derive(Debug, Default)]
pub struct Stop(AtomicBool);

impl Stop {
    /// Asks the build to stop at the next module; the old index stays.
    pub fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    fn check(&self) -> Result<()> {
        if self.0.load(Ordering::Relaxed) { Err(Error::Stopped) } else { Ok(()) }
    }
}

/// Reads a dump, with the settings of its project, and writes an index, unless nothing changed since the last time. `progress` is called from several threads.
///
/// # Errors
/// [`Error::Busy`] if another program writes this index; [`Error::Metadata`] if the folder is no dump; [`Error::Stopped`];
/// otherwise what the file system or SQLite say. In each case the index that was there stays.
pub fn build(
    project: &Path,
    location: &Location,
    options: &Options,
    stop: &Stop,
    progress: &(dyn Fn(Progress) + Sync),
) -> Result<Report> {
    let started = Instant::now();
    let _lock = location.lock()?;
    let current = location.current()?;
    location.sweep(current.as_deref());
    progress(Progress { phase: Phase::Files, done: 0, total: 0 });
    let root = metadata::detect(project)?.root;
    let settings = ProjectSettings::of(&root);
    let outcome = match &current {
        None => Outcome::Built,
        Some(file) => why(file, &root, &settings, options)?,
    };
    let mut clock = Clock::start(started);
    if let (Outcome::Unchanged, Some(file)) = (&outcome, &current) {
        clock.lap(Phase::Files);
        return report(outcome, file, clock, started);
    }
    clock.lap(Phase::Files);
    let file = location.next_generation();
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(options.threads)
        .thread_name(|number| format!("index-{number}"))
        .build()
        .map_err(|error| Error::io(&file)(std::io::Error::other(error)))?;
    let job = Job { root: &root, settings: &settings, stop, progress };
    if let Err(error) = pool.install(|| job.run(&file, &mut clock)) {
        let _ = std::fs::remove_file(&file);
        return Err(error);
    }
    location.publish(&file)?;
    location.sweep(Some(&file));
    clock.lap(Phase::Finish);
    report(outcome, &file, clock, started)
}

/// Whether an index must be built anew, and why.
fn why(file: &Path, root: &Path, settings: &ProjectSettings, options: &Options) -> Result<Outcome> {
    let index = match Index::open_file(file) {
        Ok(index) => index,
        Err(Error::Format { found, .. }) => return Ok(Outcome::FormatChanged { found }),
        Err(Error::Sqlite(_)) => return Ok(Outcome::FormatChanged { found: "unreadable".to_owned() }),
        Err(error) => return Err(error),
    };
    // A newer program, and other settings, derive something else from the same files.
    let same = index.root()? == root
        && index.meta("program_version")?.as_deref() == Some(env!("CARGO_PKG_VERSION"))
        && index.meta("settings")? == Some(settings.key());
    if options.rebuild || !same {
        return Ok(Outcome::Rebuilt);
    }
    Ok(match files::changes(&index, root)? {
        0 => Outcome::Unchanged,
        changed => Outcome::Updated { changed },
    })
}

/// The version that a file says it has, for messages.
///
/// # Errors
/// If the file can't be opened.
pub fn format_version(file: &Path) -> Result<Option<String>> {
    format_of(&open_read_only(file)?)
}

struct Clock {
    last: Instant,
    phases: Vec<(Phase, f64)>,
}

impl Clock {
    fn start(at: Instant) -> Self {
        Self { last: at, phases: Vec::new() }
    }

    fn lap(&mut self, phase: Phase) {
        let now = Instant::now();
        let seconds = (now - self.last).as_secs_f64();
        self.last = now;
        match self.phases.iter_mut().find(|(known, _)| *known == phase) {
            Some((_, sum)) => *sum += seconds,
            None => self.phases.push((phase, seconds)),
        }
    }
}

struct Job<'a> {
    root: &'a Path,
    settings: &'a ProjectSettings,
    stop: &'a Stop,
    progress: &'a (dyn Fn(Progress) + Sync),
}

impl Job<'_> {
    fn run(&self, file: &Path, clock: &mut Clock) -> Result<()> {
        self.say(Phase::Metadata, 0, 0);
        let configuration = metadata::read(self.root)?;
        self.stop.check()?;
        clock.lap(Phase::Metadata);
        let (sender, receiver) = crossbeam_channel::bounded::<Message>(WAITING);
        std::thread::scope(|scope| {
            let writer = std::thread::Builder::new().name("index-writer".to_owned()).spawn_scoped(scope, || {
                let mut writer = Writer::create(file)?;
                // An error closes the channel, which stops the readers.
                for message in receiver {
                    writer.take(message)?;
                }
                Ok::<_, Error>(writer)
            });
            let writer = writer.map_err(Error::io(file))?;
            let made = self.produce(configuration, &sender, clock);
            drop(sender);
            let writer = writer.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
            let facts = made?;
            self.say(Phase::Finish, 0, 0);
            self.stop.check()?;
            writer.finish(self.root, &facts)?;
            clock.lap(Phase::Finish);
            Ok(())
        })
    }

    fn produce(
        &self,
        configuration: Configuration,
        sender: &crossbeam_channel::Sender<Message>,
        clock: &mut Clock,
    ) -> Result<Made> {
        let total = configuration.modules.len();
        let done = AtomicUsize::new(0);
        let step = |phase| {
            self.stop.check()?;
            self.say(phase, done.fetch_add(1, Ordering::Relaxed) + 1, total);
            Ok::<_, Error>(())
        };
        let read: Vec<(code::Read, graph::ModuleSummary)> = (0..total)
            .into_par_iter()
            .map(|module| {
                let (read, summary, texts) =
                    SPLITTER.with_borrow_mut(|splitter| code::read(&configuration, module, splitter))?;
                send(sender, Message::Texts { module, texts })?;
                step(Phase::Modules)?;
                Ok((read, summary))
            })
            .collect::<Result<_>>()?;
        let (modules, summaries): (Vec<_>, Vec<_>) = read.into_iter().unzip();
        let world = World::new(&configuration, &summaries, &self.settings.graph);
        drop(summaries);
        clock.lap(Phase::Modules);

        done.store(0, Ordering::Relaxed);
        let mut made = Made::of(&configuration, &modules);
        made.settings(self.settings, &world);
        send(sender, Message::Edges(world.metadata_edges(&configuration)))?;
        let mut names = NameTable::new(&world, &configuration);
        SPLITTER.with_borrow_mut(|splitter| {
            objects::write(&configuration, &mut names, splitter, &mut |message| send(sender, message))
        })?;
        things::write(&configuration, &mut names, &mut |message| send(sender, message))?;
        made.first_ghost = names.first_ghost();
        let around = code::Around::new(&world, &configuration);
        drop(configuration);
        send(sender, Message::Names(names.finish()))?;
        modules.into_par_iter().enumerate().try_for_each(|(number, module)| {
            send(sender, code::derive(&around, number, module)?)?;
            step(Phase::Edges)
        })?;
        clock.lap(Phase::Edges);
        Ok(made)
    }

    fn say(&self, phase: Phase, done: usize, total: usize) {
        (self.progress)(Progress { phase, done, total });
    }
}

/// What the last step must know of a build.
pub(crate) struct Made {
    /// Name, synonym and so on of the configuration.
    pub meta: Vec<(String, String)>,
    /// Files that could not be read, wholly or in part.
    pub unread_files: usize,
    /// Numbers from this one on name what is only referred to.
    pub first_ghost: u32,
    /// Problems found in modules: (path, line, message).
    pub code_problems: Vec<(String, u32, String)>,
    /// Problems of the project's settings.
    pub settings_problems: Vec<ProblemRow>,
}

impl Made {
    fn of(configuration: &Configuration, modules: &[code::Read]) -> Self {
        let properties = &configuration.properties;
        let layer = match configuration.layer.kind {
            metadata::LayerKind::Main => "main",
            metadata::LayerKind::Extension => "extension",
            metadata::LayerKind::External => "external",
        };
        let format = match configuration.format {
            metadata::Format::Designer => "designer",
            metadata::Format::Edt => "edt",
        };
        let meta = [
            ("configuration", &*properties.name),
            ("configuration_synonym", properties.synonym.first()),
            ("configuration_version", &*properties.version),
            ("vendor", &*properties.vendor),
            ("compatibility_mode", &*properties.compatibility_mode),
            ("script_variant", &*properties.script_variant),
            ("source_format", format),
            ("export_version", &*properties.export_version),
            ("layer", layer),
        ];
        let mut unread: Vec<&str> =
            configuration.problems.iter().filter(|p| files::hides(&p.kind)).map(|p| &*p.path).collect();
        unread.sort_unstable();
        unread.dedup();
        let code_problems = modules.iter().zip(&configuration.modules).flat_map(|(read, module)| {
            let path = configuration.path(module.file);
            read.problems.iter().map(move |p| (path.to_owned(), p.line, p.message.clone()))
        });
        let code_problems: Vec<_> = code_problems.collect();
        let unread_modules = modules.iter().filter(|module| module.unread).count();
        Self {
            meta: meta.into_iter().map(|(key, value)| (key.to_owned(), value.to_owned())).collect(),
            unread_files: unread.len() + unread_modules,
            first_ghost: 0,
            code_problems,
            settings_problems: Vec::new(),
        }
    }

    /// Notes by what settings the index was built, and what is wrong with them.
    fn settings(&mut self, settings: &ProjectSettings, world: &World) {
        let mut meta = |key: &str, value: String| self.meta.push((key.to_owned(), value));
        meta("settings", settings.key());
        meta("settings_file", settings.file.clone().unwrap_or_default());
        self.settings_problems.clone_from(&settings.problems);
        self.settings_problems.extend(settings.missing(world));
    }
}

/// Hands a message to the writer. If it is gone, its own error is the one to report: this one only stops the readers.
fn send(sender: &crossbeam_channel::Sender<Message>, message: Message) -> Result<()> {
    sender.send(message).map_err(|_| Error::Stopped)
}

fn report(outcome: Outcome, file: &Path, clock: Clock, started: Instant) -> Result<Report> {
    let index = Index::open_file(file)?;
    let mut counts = Vec::new();
    for (key, value) in index.metas()? {
        if let (Some(view), Ok(count)) = (key.strip_prefix("count_"), value.parse()) {
            counts.push((view.to_owned(), count));
        }
    }
    Ok(Report {
        outcome,
        file: file.to_path_buf(),
        bytes: std::fs::metadata(file).map_err(Error::io(file))?.len(),
        counts,
        phases: clock.phases,
        seconds: started.elapsed().as_secs_f64(),
        peak_memory: peak_memory(),
        problems: index.meta("problems")?.and_then(|text| text.parse().ok()).unwrap_or(0),
    })
}

/// Most memory that this process held so far, in bytes; None where the system doesn't say.
#[must_use]
pub fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok().map(|kb| kb * 1024)
}

/// Facts that go into `meta` with every build.
fn fixed_meta() -> [(&'static str, String); 5] {
    let model = paths::MODEL;
    [
        ("format_version", FORMAT.to_string()),
        ("program_version", env!("CARGO_PKG_VERSION").to_owned()),
        ("unfilled_views", schema::UNFILLED.join(" ")),
        // Of the vectors that are made of this index; how many there are so far stands in their own file.
        ("model", model.id()),
        ("model_sha256", model.network.sha256.to_owned()),
    ]
}

/// Seconds since 1970.
fn now() -> Duration {
    std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default()
}
