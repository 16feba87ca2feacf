//! Pending changes: proposed, shown, applied by a person, taken back.
//!
//! - [`Edits`] keeps them in a folder beside the index: one file a change, written whole. Two processes may read it; one at a time
//!   writes.
//! - [`Edits::propose`] is the one way in: the result passes the [`gates`], or there is no change.
//! - A change is made for the text as the changes before it leave it ([`Edits::text`]). Where two don't touch, their order can be
//!   changed: any of them can be applied or dropped without the others ([`splice::Splices::exchange`]).
//! - [`Edits::apply`] and [`Edits::undo`] write files: all of them or none ([`journal`]), and never over what another hand wrote.
//! - [`patch`] finds the place of a change by what stands there; `code` knows methods, regions and names.

mod apply;
pub(crate) mod code;
pub mod diff;
mod error;
mod files;
pub mod gate;
pub mod gates;
mod journal;
mod model;
pub mod patch;
mod show;
pub mod splice;
mod stack;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use index::{Index, Location, WriterLock};
use serde_json::Value;

use crate::audit::milliseconds;
use crate::context::Context;
use crate::error::ToolError;
use gate::{Changed, Finding};
use stack::Stack;

pub use apply::Applied;
pub use error::EditError;
pub use files::line_at;
pub use model::{EditId, EditState, FileEdit, Pending, hash};
pub use show::Sides;
pub use splice::{Revision, Splice, Splices};

/// Most bytes that one change may put in.
const MOST_INSERTED: usize = 4 << 20;
/// Changes that are done with and are kept.
const KEPT: usize = 1000;
/// How long a writer waits for another one.
const PATIENCE: Duration = Duration::from_secs(5);

/// The pending changes of a project.
#[derive(Clone, Debug)]
pub struct Edits {
    folder: PathBuf,
}

/// A change that a tool proposes.
#[derive(Clone, Debug)]
pub struct Draft {
    /// One line for people.
    pub title: String,
    /// The tool.
    pub tool: &'static str,
    /// Its arguments.
    pub arguments: Value,
    /// The files, each a revision of what [`Edits::text`] gave.
    pub files: Vec<(String, Revision)>,
}

impl Edits {
    /// Those beside an index.
    pub fn of(location: &Location) -> Self {
        Self { folder: location.sibling("edits") }
    }

    /// All changes that are known, by number.
    ///
    /// # Errors
    /// If what is kept can't be read.
    pub fn list(&self) -> Result<Vec<Pending>, EditError> {
        self.repair()?;
        let entries = match std::fs::read_dir(&self.folder) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries.map_err(|source| EditError::Io { path: self.folder.clone(), source })?,
        };
        let mut all = Vec::new();
        for path in entries.flatten().map(|entry| entry.path()) {
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            if name.strip_suffix(".json").is_some_and(|stem| stem.parse::<EditId>().is_ok())
                && let Some(text) = journal::read(&path)?
            {
                all.push(from_json(&path, &text)?);
            }
        }
        all.sort_by_key(|pending: &Pending| pending.id);
        Ok(all)
    }

    /// Brings to an end what a killed program left half-written; nothing if another one is at it.
    ///
    /// # Errors
    /// If a file can't be written.
    pub fn repair(&self) -> Result<(), EditError> {
        if journal::is_open(&self.folder)
            && let Ok(_lock) = self.place().lock()
        {
            journal::repair(&self.folder, journal::GO_ON)?;
        }
        Ok(())
    }

    /// One of them.
    ///
    /// # Errors
    /// [`EditError::Unknown`] with those that wait.
    pub fn get(&self, id: EditId) -> Result<Pending, EditError> {
        let all = self.list()?;
        let waiting = |all: &[Pending]| {
            all.iter().filter(|one| one.state == EditState::Pending).map(|one| one.id).collect::<Vec<_>>()
        };
        let pending = waiting(&all);
        all.into_iter().find(|one| one.id == id).ok_or(EditError::Unknown { id, pending })
    }

    /// What tells this state of the changes from every other one: answers that show it hold as long as it stays the same.
    ///
    /// # Errors
    /// If what is kept can't be read.
    pub fn version(&self) -> Result<String, EditError> {
        let states = self.list()?;
        let states: Vec<String> = states.iter().map(|one| format!("{}{}", one.id, one.state.word())).collect();
        Ok(hash(&states.join(" ")))
    }

    /// The text of a file with the pending changes in it: what the next change is made for. A byte order mark is part of it.
    ///
    /// # Errors
    /// If the path is no file of the project's, or the file no text.
    pub fn text(&self, index: &Index, path: &str) -> Result<String, ToolError> {
        let absent = || EditError::NotAFile { path: path.to_owned() };
        Ok(self.text_if_any(index, path)?.ok_or_else(absent)?)
    }

    /// The same; None for the file of a module that may be made and that neither the disk nor a pending change has.
    ///
    /// # Errors
    /// As [`text`](Self::text).
    pub fn text_if_any(&self, index: &Index, path: &str) -> Result<Option<String>, ToolError> {
        let mut stack = Stack::of(index, self.list()?);
        stack.read(path)?;
        Ok(stack.text(path).map(str::to_owned))
    }

    /// The changes that wait and don't fit any more, each with the first file that is another one by now.
    ///
    /// # Errors
    /// If what is kept can't be read.
    pub fn conflicts(&self, index: &Index) -> Result<Vec<(EditId, String)>, ToolError> {
        Ok(Stack::of(index, self.list()?).conflicts().to_vec())
    }

    /// Keeps a change if its result passes the gates.
    ///
    /// # Errors
    /// [`EditError::Blocked`] with everything that was found; [`EditError::Nothing`]; [`EditError::Conflict`] if a text is not that of
    /// [`Edits::text`] any more.
    pub fn propose(&self, context: &Context<'_>, draft: Draft) -> Result<Pending, ToolError> {
        let files: Vec<(String, Revision)> =
            draft.files.into_iter().filter(|(_, revision)| !revision.splices().is_empty()).collect();
        if files.is_empty() {
            return Err(EditError::Nothing.into());
        }
        let inserted: usize =
            files.iter().flat_map(|(_, revision)| revision.splices().iter()).map(|splice| splice.inserted.len()).sum();
        if inserted > MOST_INSERTED {
            let (bytes, limit) = (inserted as u64, MOST_INSERTED as u64);
            return Err(EditError::TooLarge { what: draft.title, bytes, limit }.into());
        }
        let remarks = check(context, &files)?;
        let _lock = self.lock()?;
        let all = self.list()?;
        let id = all.last().map_or(1, |last| last.id + 1);
        let mut stack = Stack::of(context.index, all);
        let mut edits = Vec::new();
        for (path, revision) in files {
            stack.read(&path)?;
            let text = stack.text(&path);
            if text.unwrap_or_default() != revision.original() {
                return Err(EditError::Conflict { id, path, by: None }.into());
            }
            let (before, after) = (hash(revision.original()), hash(revision.text()));
            let creates = text.is_none();
            edits.push(FileEdit { path, creates, before, after, splices: revision.splices().clone() });
        }
        edits.sort_by(|a, b| a.path.cmp(&b.path));
        let at = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, milliseconds);
        let pending = Pending {
            id,
            title: draft.title,
            tool: draft.tool.to_owned(),
            arguments: draft.arguments,
            at,
            state: EditState::Pending,
            files: edits,
            remarks,
        };
        journal::write_whole(&self.record(id), &to_json(&self.record(id), &pending)?)?;
        self.forget_old(stack.all());
        Ok(pending)
    }

    /// Drops a change that waits. Later ones that stand in the same files are made to fit without it.
    ///
    /// # Errors
    /// [`EditError::StandsOn`] if a later one changes what this one put in; [`EditError::State`] if it doesn't wait.
    pub fn discard(&self, index: &Index, id: EditId) -> Result<Pending, ToolError> {
        let _lock = self.lock()?;
        self.get(id)?;
        let mut stack = Stack::of(index, self.list()?);
        stack.discard(id)?;
        self.write(&stack, Vec::new(), journal::GO_ON)?;
        Ok(self.get(id)?)
    }

    fn record(&self, id: EditId) -> PathBuf {
        self.folder.join(format!("{id}.json"))
    }

    /// A place of its own for the lock, so that building an index and editing don't wait for each other.
    fn place(&self) -> Location {
        Location::at(self.folder.join("edits"))
    }

    /// Taken by whoever writes; what a killed writer left is brought to an end first.
    fn lock(&self) -> Result<WriterLock, EditError> {
        let place = self.place();
        let started = Instant::now();
        let lock = loop {
            match place.lock() {
                Ok(lock) => break lock,
                Err(index::Error::Busy { .. }) if started.elapsed() < PATIENCE => {
                    std::thread::sleep(Duration::from_millis(20));
                }
                Err(index::Error::Io { path, source }) => return Err(EditError::Io { path, source }),
                Err(_) => return Err(EditError::Busy),
            }
        };
        journal::repair(&self.folder, journal::GO_ON)?;
        Ok(lock)
    }

    /// Records of changes that are long done with go.
    fn forget_old(&self, all: &[Pending]) {
        let done: Vec<EditId> = all
            .iter()
            .filter(|one| matches!(one.state, EditState::Undone | EditState::Discarded))
            .map(|one| one.id)
            .collect();
        for &id in done.iter().take(done.len().saturating_sub(KEPT)) {
            // It is tried again next time.
            let _ = std::fs::remove_file(self.record(id));
        }
    }
}

/// What the gates remark; an error if one of them refuses.
fn check(context: &Context<'_>, files: &[(String, Revision)]) -> Result<Vec<Finding>, ToolError> {
    let changed: Vec<Changed<'_>> = files
        .iter()
        .map(|(path, revision)| Changed {
            path,
            before: revision.original(),
            after: revision.text(),
            splices: revision.splices(),
        })
        .collect();
    let mut found = Vec::new();
    for gate in gates::ALL {
        context.check()?;
        found.extend(gate.check(context, &changed)?);
        // What lies outside, or is locked, is not looked into.
        if found.iter().any(|finding| finding.blocking) {
            return Err(EditError::Blocked { found }.into());
        }
    }
    Ok(found)
}

fn from_json(path: &Path, text: &str) -> Result<Pending, EditError> {
    serde_json::from_str(text).map_err(|error| EditError::Record { path: path.to_path_buf(), why: error.to_string() })
}

fn to_json(path: &Path, pending: &Pending) -> Result<String, EditError> {
    serde_json::to_string_pretty(pending)
        .map_err(|error| EditError::Record { path: path.to_path_buf(), why: error.to_string() })
}
