//! A question to the agent as a task: others see that it is worked on, and how far it is. One whose program was killed is told to
//! whoever comes next, stands in the record of questions, and can be gone on with.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use agent::{Event, Mode, Record, Status, Unfinished};
use index::Location;
use index::tasks::{self, TaskRow, TaskState, Tasks, Work};
use serde::{Deserialize, Serialize};

/// Questions that were not answered to their end and are kept.
const KEPT: usize = 5;

/// A question that is being worked on.
pub struct Asked {
    work: Mutex<Option<Work>>,
    /// Where its history is kept as long as it isn't answered.
    file: PathBuf,
}

/// What the table of tasks says of a question.
#[derive(Serialize, Deserialize)]
struct Payload {
    question: String,
    model: String,
    mode: String,
}

impl Asked {
    /// Begins to work on a question. Where it can't be written down it is worked on all the same.
    pub fn begin(location: &Location, question: &str, model: &str, mode: Mode) -> Self {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let key = format!("{}-{}", now.as_millis(), std::process::id());
        let payload = Payload {
            question: question.chars().take(500).collect(),
            model: model.to_owned(),
            mode: mode.word().to_owned(),
        };
        let payload = serde_json::to_string(&payload).unwrap_or_default();
        let work = Work::begin(location, tasks::AGENT, &key, &payload, false).unwrap_or_else(|error| {
            tracing::debug!(%error, "the question is no task");
            None
        });
        Self { work: Mutex::new(work), file: folder(location).join(format!("{key}.json")) }
    }

    /// Takes a step of the agent: how far the question is.
    pub fn step(&self, event: &Event) {
        if let Event::Turn { number, limit } = event
            && let Some(work) = &*self.work.lock().unwrap_or_else(PoisonError::into_inner)
        {
            work.note("turn", *number as usize, *limit as usize);
        }
    }

    /// Keeps the history, so that another run of the program can go on with it.
    pub fn keep(&self, unfinished: &Unfinished) {
        let write = || -> std::io::Result<()> {
            if let Some(folder) = self.file.parent() {
                std::fs::create_dir_all(folder)?;
            }
            let beside = self.file.with_extension("new");
            std::fs::write(&beside, serde_json::to_vec(unfinished)?)?;
            std::fs::rename(&beside, &self.file)
        };
        if let Err(error) = write() {
            tracing::warn!(%error, "the question can't be gone on with if it breaks off");
        }
    }

    /// The question is over; one that was answered leaves nothing to go on with.
    pub fn end(&self, status: &Status) {
        if *status == Status::Answered {
            // What doesn't go now goes with the oldest.
            let _ = std::fs::remove_file(&self.file);
        }
        if let Some(work) = self.work.lock().unwrap_or_else(PoisonError::into_inner).take() {
            work.end(Ok(status.word()));
        }
    }
}

/// Records the questions whose programs were killed since the last time, each once; gives the records.
pub fn broken_off(location: &Location) -> Vec<Record> {
    let bury = || Tasks::known(location)?.map_or_else(|| Ok(Vec::new()), |tasks| tasks.bury(tasks::AGENT));
    let rows = bury().unwrap_or_else(|error: index::Error| {
        tracing::warn!(%error, "the table of tasks can't be read");
        Vec::new()
    });
    let records: Vec<Record> = rows.iter().filter_map(record_of).collect();
    let path = Record::path_beside(location.pointer());
    for record in &records {
        if let Err(error) = record.append(&path) {
            tracing::warn!(%error, "a question that broke off is not recorded");
        }
    }
    records
}

fn record_of(row: &TaskRow) -> Option<Record> {
    let payload: Payload = serde_json::from_str(&row.payload).ok()?;
    let turns = u32::try_from(row.done).unwrap_or_default();
    let took = row.holder.as_ref().map_or(0, |holder| holder.since.saturating_sub(holder.silent));
    let mode = Mode::from_word(&payload.mode).unwrap_or_default();
    Some(Record::killed(&payload.model, mode, &payload.question, turns, Duration::from_millis(took)))
}

/// The question that was left unfinished last, by whatever cause, and that nobody works on; it is this program's from now on.
pub fn unfinished(location: &Location) -> Option<Unfinished> {
    let open = Tasks::known(location).ok().flatten().and_then(|tasks| tasks.open_ones().ok()).unwrap_or_default();
    let runs = |key: &str| open.iter().any(|row| row.key == key && row.state == TaskState::Running);
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder(location)).ok()?.flatten().map(|entry| entry.path()).collect();
    files.retain(|path| key_of(path).is_some_and(|key| !runs(key)));
    // The time stands first in the name.
    files.sort();
    for old in files.iter().rev().skip(KEPT) {
        let _ = std::fs::remove_file(old);
    }
    let file = files.pop()?;
    let kept = serde_json::from_slice(&std::fs::read(&file).ok()?).ok();
    // Of two that go on at the same moment one takes it; a file that can't be read is in nobody's way.
    std::fs::remove_file(&file).ok()?;
    kept
}

/// The key of the task that a file is of.
fn key_of(path: &Path) -> Option<&str> {
    path.file_name()?.to_str()?.strip_suffix(".json")
}

fn folder(location: &Location) -> PathBuf {
    location.sibling("unfinished")
}
