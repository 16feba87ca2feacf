//! The changes that wait, one on another, over the files as they are.

use std::collections::BTreeMap;
use std::path::PathBuf;

use index::Index;

use super::error::EditError;
use super::files::{locate, read};
use super::journal::Replacement;
use super::model::{EditId, EditState, FileEdit, Pending, hash};
use crate::error::ToolError;

/// The changes that wait, one on another, over the files as they are.
pub(super) struct Stack<'i> {
    index: &'i Index,
    all: Vec<Pending>,
    /// Places in `all` of those that fit, in the order in which they stand on each other.
    live: Vec<usize>,
    /// Of each file: where it is, its text on the disk, and that with those that wait.
    files: BTreeMap<String, File>,
    /// Changes that don't fit, with the first file that changed.
    conflicts: Vec<(EditId, String)>,
}

/// A file; a text is None where there is none.
struct File {
    full_path: PathBuf,
    /// As it was read.
    found: Option<String>,
    /// As it is to be.
    disk: Option<String>,
    /// With those that wait.
    text: Option<String>,
}

/// The text that a change makes of that of a file; None if it was made for another one.
fn changed(edit: &FileEdit, text: Option<&str>) -> Option<String> {
    if edit.creates != text.is_none() {
        return None;
    }
    edit.splices.apply(text.unwrap_or_default()).ok()
}

/// The hash of a text; of the empty one, where there is none.
fn hash_of(text: Option<&str>) -> String {
    hash(text.unwrap_or_default())
}

impl<'i> Stack<'i> {
    /// Puts the changes that wait onto the files; one that doesn't fit any more stays aside.
    pub(super) fn of(index: &'i Index, all: Vec<Pending>) -> Self {
        let mut stack = Self { index, all, live: Vec::new(), files: BTreeMap::new(), conflicts: Vec::new() };
        for place in 0..stack.all.len() {
            let Some(pending) = stack.all.get(place).cloned() else { continue };
            if pending.state != EditState::Pending {
                continue;
            }
            match stack.onto(&pending) {
                Ok(()) => stack.live.push(place),
                Err(path) => stack.conflicts.push((pending.id, path)),
            }
        }
        stack
    }

    /// Puts one change on top; otherwise the path of the file that it doesn't fit.
    fn onto(&mut self, pending: &Pending) -> Result<(), String> {
        let mut texts = Vec::new();
        for file in &pending.files {
            let path = || file.path.clone();
            self.read(&file.path).map_err(|_| path())?;
            let text = self.text(&file.path);
            if hash_of(text) != file.before {
                return Err(path());
            }
            texts.push(changed(file, text).ok_or_else(path)?);
        }
        for (file, text) in pending.files.iter().zip(texts) {
            if let Some(known) = self.files.get_mut(&file.path) {
                known.text = Some(text);
            }
        }
        Ok(())
    }

    /// Reads a file of the project, if it wasn't read yet.
    pub(super) fn read(&mut self, path: &str) -> Result<(), ToolError> {
        if !self.files.contains_key(path) {
            let file = locate(self.index, path)?;
            let disk = read(&file)?;
            let known = File { full_path: file.full_path, text: disk.clone(), found: disk.clone(), disk };
            self.files.insert(path.to_owned(), known);
        }
        Ok(())
    }

    /// The text of a file that was read, with the changes that wait; None also if there is none.
    pub(super) fn text(&self, path: &str) -> Option<&str> {
        self.files.get(path)?.text.as_deref()
    }

    /// The text of a file that was read, as it lies on the disk; None also if there is none.
    pub(super) fn found(&self, path: &str) -> Option<&str> {
        self.files.get(path)?.found.as_deref()
    }

    /// The text of a file for which a change was made that waits and fits; empty if the change makes the file.
    pub(super) fn before(&self, id: EditId, path: &str) -> Option<String> {
        let mut text = self.found(path).unwrap_or_default().to_owned();
        for one in self.live.iter().filter_map(|&place| self.all.get(place)) {
            if one.id == id {
                return Some(text);
            }
            if let Some(file) = one.file(path) {
                text = file.splices.apply(&text).ok()?;
            }
        }
        None
    }

    pub(super) fn all(&self) -> &[Pending] {
        &self.all
    }

    /// The files whose text on the disk is to become another one, by path.
    pub(super) fn written(&self) -> (Vec<String>, Vec<Replacement>) {
        let changed = self.files.iter().filter(|(_, file)| file.found != file.disk);
        let replacement = |file: &File| Replacement {
            target: file.full_path.clone(),
            old: file.found.clone(),
            new: file.disk.clone(),
        };
        changed.map(|(path, file)| (path.clone(), replacement(file))).unzip()
    }

    /// Changes that don't fit, with the first file that changed.
    pub(super) fn conflicts(&self) -> &[(EditId, String)] {
        &self.conflicts
    }

    /// The file that a change doesn't fit any more.
    fn conflict(&self, id: EditId) -> Option<&str> {
        self.conflicts.iter().find(|(other, _)| *other == id).map(|(_, path)| &**path)
    }

    /// The place in `live` of a change that can be applied.
    fn place(&self, id: EditId) -> Result<usize, EditError> {
        if let Some(path) = self.conflict(id) {
            return Err(EditError::Conflict { id, path: path.to_owned(), by: None });
        }
        let is = |place: &usize| self.all.get(*place).is_some_and(|one| one.id == id);
        if let Some(place) = self.live.iter().position(is) {
            return Ok(place);
        }
        match self.all.iter().find(|one| one.id == id) {
            Some(one) => Err(EditError::State { id, state: one.state }),
            None => Err(EditError::Unknown {
                id,
                pending: self.live.iter().filter_map(|&at| self.all.get(at)).map(|one| one.id).collect(),
            }),
        }
    }

    /// Changes the order of two changes that follow each other; false if the second stands on the first.
    fn exchange(all: &mut [Pending], first: usize, second: usize) -> bool {
        let Ok([first, second]) = all.get_disjoint_mut([first, second]) else { return false };
        let mut changed = Vec::new();
        for (at, file) in first.files.iter().enumerate() {
            let Some(other) = second.files.iter().position(|other| other.path == file.path) else { continue };
            if file.creates {
                return false;
            }
            let Some(splices) = second.files.get(other).and_then(|other| file.splices.exchange(&other.splices)) else {
                return false;
            };
            changed.push((at, other, splices));
        }
        for (at, other, (early, late)) in changed {
            if let (Some(file), Some(other)) = (first.files.get_mut(at), second.files.get_mut(other)) {
                (file.splices, other.splices) = (late, early);
            }
        }
        true
    }

    fn id_at(&self, place: usize) -> EditId {
        self.all.get(place).map_or(0, |one| one.id)
    }

    /// Takes a change out of those that wait and puts it into the texts of the disk.
    pub(super) fn apply(&mut self, id: EditId) -> Result<(), EditError> {
        let mut at = self.place(id)?;
        while at > 0 {
            let (Some(&first), Some(&second)) = (self.live.get(at - 1), self.live.get(at)) else { break };
            if !Self::exchange(&mut self.all, first, second) {
                return Err(EditError::StandsOn { id, first: self.id_at(first) });
            }
            self.live.swap(at - 1, at);
            at -= 1;
        }
        let place = self.live.remove(0);
        let Some(one) = self.all.get_mut(place) else { return Ok(()) };
        one.state = EditState::Applied;
        for edit in &mut one.files {
            let Some(file) = self.files.get_mut(&edit.path) else { continue };
            let conflict = || EditError::Conflict { id, path: edit.path.clone(), by: None };
            let new = changed(edit, file.disk.as_deref()).ok_or_else(conflict)?;
            edit.before = hash_of(file.disk.as_deref());
            edit.after = hash(&new);
            file.disk = Some(new);
        }
        self.restate()
    }

    /// Drops a change.
    pub(super) fn discard(&mut self, id: EditId) -> Result<(), EditError> {
        match self.place(id) {
            Ok(mut at) => {
                while let (Some(&first), Some(&second)) = (self.live.get(at), self.live.get(at + 1)) {
                    if !Self::exchange(&mut self.all, first, second) {
                        return Err(EditError::StandsOn { id: self.id_at(second), first: id });
                    }
                    self.live.swap(at, at + 1);
                    at += 1;
                }
                if let Some(place) = self.live.pop() {
                    self.set_state(place, EditState::Discarded);
                }
                self.restate()
            }
            // What doesn't fit any more stands under nothing.
            Err(EditError::Conflict { .. }) => {
                let place = self.all.iter().position(|one| one.id == id);
                place.into_iter().for_each(|place| self.set_state(place, EditState::Discarded));
                Ok(())
            }
            Err(error) => Err(error),
        }
    }

    /// Takes a change back that stands in the files.
    pub(super) fn undo(&mut self, id: EditId) -> Result<(), ToolError> {
        let place = self.all.iter().position(|one| one.id == id && one.state == EditState::Applied);
        let Some(place) = place else {
            return Err(self.place(id).err().unwrap_or(EditError::State { id, state: EditState::Pending }).into());
        };
        let Some(one) = self.all.get(place).cloned() else { return Ok(()) };
        for edit in &one.files {
            self.read(&edit.path)?;
            let disk = self.files.get(&edit.path).and_then(|file| file.disk.as_deref());
            let now = hash_of(disk);
            if now != edit.after || disk.is_none() {
                let stands = |other: &&Pending| {
                    other.state == EditState::Applied && other.file(&edit.path).is_some_and(|file| file.after == now)
                };
                let by = self.all.iter().find(stands).map(|other| other.id).filter(|by| *by != id);
                return Err(EditError::Conflict { id, path: edit.path.clone(), by }.into());
            }
        }
        // Those that wait stand on it: each must do without it.
        for &later in &self.live {
            if !Self::exchange(&mut self.all, place, later) {
                let stands = self.all.get(later).map_or(0, |one| one.id);
                return Err(EditError::StandsOn { id: stands, first: id }.into());
            }
        }
        for edit in &one.files {
            let Some(file) = self.files.get_mut(&edit.path) else { continue };
            let conflict = |_| EditError::Conflict { id, path: edit.path.clone(), by: None };
            let disk = file.disk.as_deref().unwrap_or_default();
            let before = edit.splices.inverse().apply(disk).map_err(conflict)?;
            file.disk = (!edit.creates).then_some(before);
        }
        // The record says what was done, not what would have been behind the others.
        if let Some(kept) = self.all.get_mut(place) {
            *kept = Pending { state: EditState::Undone, ..one };
        }
        Ok(self.restate()?)
    }

    fn set_state(&mut self, place: usize, state: EditState) {
        if let Some(one) = self.all.get_mut(place) {
            one.state = state;
        }
    }

    /// Works out texts and hashes anew, from the disk up.
    fn restate(&mut self) -> Result<(), EditError> {
        for file in self.files.values_mut() {
            file.text.clone_from(&file.disk);
        }
        for &place in &self.live {
            let Some(one) = self.all.get_mut(place) else { continue };
            for edit in &mut one.files {
                let Some(file) = self.files.get_mut(&edit.path) else { continue };
                let conflict = || EditError::Conflict { id: one.id, path: edit.path.clone(), by: None };
                let text = changed(edit, file.text.as_deref()).ok_or_else(conflict)?;
                edit.before = hash_of(file.text.as_deref());
                edit.after = hash(&text);
                file.text = Some(text);
            }
        }
        Ok(())
    }
}
