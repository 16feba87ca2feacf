//! A change as a diff.

use std::collections::BTreeMap;

use index::Index;

use super::diff::{FileDiff, diff};
use super::model::{EditId, EditState, FileEdit, Pending, hash};
use super::stack::Stack;
use super::{EditError, Edits};
use crate::error::ToolError;

/// Lines shown around a difference.
const AROUND: usize = 3;

/// A file of a change, before and after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sides {
    /// Its path.
    pub path: String,
    /// What differs. Of a file that is another one by now, only the pieces that the change replaces.
    pub diff: FileDiff,
    /// Both texts, if they can still be worked out; a byte order mark is part of them.
    pub texts: Option<(String, String)>,
}

impl Edits {
    /// What a change does to each of its files. Of one whose files are others by now, only the pieces that it replaces.
    ///
    /// # Errors
    /// [`EditError::Unknown`].
    pub fn diffs(&self, index: &Index, id: EditId) -> Result<Vec<FileDiff>, ToolError> {
        Ok(self.sides(index, id)?.into_iter().map(|sides| sides.diff).collect())
    }

    /// As [`Edits::diffs`], with the whole texts.
    ///
    /// # Errors
    /// [`EditError::Unknown`].
    pub fn sides(&self, index: &Index, id: EditId) -> Result<Vec<Sides>, ToolError> {
        let all = self.list()?;
        let Some(one) = all.iter().find(|one| one.id == id).cloned() else {
            return Err(self.get(id).err().unwrap_or(EditError::Busy).into());
        };
        let mut stack = Stack::of(index, all);
        let mut sides = Vec::new();
        for file in &one.files {
            // A file that is gone has no text; its pieces are shown.
            let known = stack.read(&file.path).is_ok();
            let before = if known { before(&stack, &one, file) } else { None };
            let texts = before.and_then(|before| file.splices.apply(&before).ok().map(|after| (before, after)));
            let shown = match &texts {
                Some((before, after)) => diff(&file.path, before, after, AROUND),
                None => pieces(file),
            };
            let diff = FileDiff { creates: file.creates, ..shown };
            sides.push(Sides { path: file.path.clone(), diff, texts });
        }
        Ok(sides)
    }
}

/// The text for which the change of a file was made, if it can be found.
fn before(stack: &Stack<'_>, one: &Pending, file: &FileEdit) -> Option<String> {
    let disk = match stack.found(&file.path) {
        None if file.creates && one.state != EditState::Applied => return Some(String::new()),
        found => found?,
    };
    match one.state {
        EditState::Pending => stack.before(one.id, &file.path),
        EditState::Applied => {
            // Those applied after it are taken off in turn.
            let mut text = disk.to_owned();
            let applied: BTreeMap<&str, &FileEdit> = stack
                .all()
                .iter()
                .filter(|other| other.state == EditState::Applied)
                .filter_map(|other| other.file(&file.path))
                .map(|file| (&*file.after, file))
                .collect();
            for _ in 0..=applied.len() {
                let last = applied.get(&*hash(&text))?;
                text = last.splices.inverse().apply(&text).ok()?;
                if last.after == file.after {
                    return Some(text);
                }
            }
            None
        }
        EditState::Undone | EditState::Discarded => (hash(disk) == file.before).then(|| disk.to_owned()),
    }
}

/// The pieces alone.
fn pieces(file: &FileEdit) -> FileDiff {
    let mut whole = FileDiff { path: file.path.clone(), creates: false, removed: 0, added: 0, hunks: Vec::new() };
    for splice in file.splices.iter() {
        let piece = diff(&file.path, &splice.removed, &splice.inserted, 0);
        whole.removed += piece.removed;
        whole.added += piece.added;
        whole.hunks.extend(piece.hunks);
    }
    whole
}
