//! What a build says of itself: stages while it runs, a report at its end.

use crate::read::Index;
use crate::{Error, Result, tasks};
use metadata::Language;
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// A stage of a build.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Comparing the files with the index.
    Files,
    /// Reading metadata.
    Metadata,
    /// Reading what an earlier build kept, instead of metadata.
    Kept,
    /// Reading modules.
    Modules,
    /// Putting together what modules know of each other.
    World,
    /// Deriving edges and writing rows.
    Edges,
    /// Writing what is left, and making the indexes.
    Finish,
}

impl Phase {
    /// All of them; a build goes through some, in this order.
    pub const ALL: [Self; 7] =
        [Self::Files, Self::Metadata, Self::Kept, Self::Modules, Self::World, Self::Edges, Self::Finish];

    /// Its word in JSON and in the table of tasks.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Files => "files",
            Self::Metadata => "metadata",
            Self::Kept => "kept",
            Self::Modules => "modules",
            Self::World => "world",
            Self::Edges => "edges",
            Self::Finish => "finish",
        }
    }

    /// As people read it.
    #[must_use]
    pub fn text(self, language: Language) -> &'static str {
        tasks::phase(self.word(), language)
    }
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
        /// What was done anew.
        scope: Scope,
    },
    /// The caller asked for it, or the program, its settings or the dump's place are others.
    Rebuilt,
    /// The index had another format.
    FormatChanged {
        /// What it said.
        found: String,
    },
}

/// How much an update did anew.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Scope {
    /// Only modules changed: they were read, and others whose links depend on them were derived again.
    Modules {
        /// Modules whose text changed.
        read: usize,
        /// Modules whose rows were derived anew, those that were read among them.
        derived: usize,
    },
    /// Files of metadata changed, or files came or went: metadata was read, and its rows that differ were written.
    Metadata {
        /// Files of metadata that came or changed, and all that went.
        files: usize,
        /// Modules whose text was read.
        read: usize,
        /// Modules whose rows were derived anew, those that were read among them.
        derived: usize,
    },
    /// Everything was.
    Whole {
        /// Why.
        because: Because,
    },
}

/// Why an update did everything anew.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Because {
    /// Files came while they were read.
    Moving,
    /// Too many modules changed, or depend on what changed.
    ManyModules,
    /// A method is gone, or is written in another case, that metadata names as a handler.
    NamedInMetadata,
    /// A module could not be read, now or when it was indexed.
    UnreadModule,
    /// What an update starts from is not in the index, or is damaged.
    NothingKept,
    /// Readers have held old states of the index for so long that its log has grown too large.
    LongLog,
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

/// Takes the times of the stages.
pub(super) struct Clock {
    last: Instant,
    phases: Vec<(Phase, f64)>,
}

impl Clock {
    pub fn start(at: Instant) -> Self {
        Self { last: at, phases: Vec::new() }
    }

    pub fn lap(&mut self, phase: Phase) {
        let now = Instant::now();
        let seconds = (now - self.last).as_secs_f64();
        self.last = now;
        match self.phases.iter_mut().find(|(known, _)| *known == phase) {
            Some((_, sum)) => *sum += seconds,
            None => self.phases.push((phase, seconds)),
        }
    }
}

pub(super) fn report(outcome: Outcome, file: &Path, clock: Clock, started: Instant) -> Result<Report> {
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
