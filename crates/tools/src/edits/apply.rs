//! From pending changes to files, and back.

use index::Index;

use super::error::EditError;
use super::journal::{self, Hook, Replacement};
use super::model::{EditId, Pending};
use super::stack::Stack;
use super::{Edits, to_json};
use crate::error::ToolError;

/// What was written.
#[derive(Clone, Debug, PartialEq)]
pub struct Applied {
    /// The changes, as they are kept now.
    pub edits: Vec<Pending>,
    /// Paths of the files that were written.
    pub files: Vec<String>,
}

impl Edits {
    /// Writes changes into their files: all of them, or none. Others that wait are made to fit.
    ///
    /// # Errors
    /// [`EditError::Conflict`] if a file changed since; [`EditError::StandsOn`] if an earlier change must come first. Then nothing is
    /// written.
    pub fn apply(&self, index: &Index, ids: &[EditId]) -> Result<Applied, ToolError> {
        self.apply_with(index, ids, journal::GO_ON)
    }

    pub(super) fn apply_with(&self, index: &Index, ids: &[EditId], hook: Hook<'_>) -> Result<Applied, ToolError> {
        let mut ids = ids.to_vec();
        ids.sort_unstable();
        ids.dedup();
        self.change(index, &ids, hook, |stack| Ok(ids.iter().try_for_each(|&id| stack.apply(id))?))
    }

    /// Takes a change back: its files are, byte for byte, what they were.
    ///
    /// # Errors
    /// [`EditError::Conflict`] if a file changed since it was applied; [`EditError::StandsOn`] if a change that waits stands on it.
    pub fn undo(&self, index: &Index, id: EditId) -> Result<Applied, ToolError> {
        self.change(index, &[id], journal::GO_ON, |stack| stack.undo(id))
    }

    fn change(
        &self,
        index: &Index,
        ids: &[EditId],
        hook: Hook<'_>,
        work: impl FnOnce(&mut Stack<'_>) -> Result<(), ToolError>,
    ) -> Result<Applied, ToolError> {
        for &id in ids {
            self.get(id)?;
        }
        let _lock = self.lock()?;
        let mut stack = Stack::of(index, self.list()?);
        work(&mut stack)?;
        let (files, replacements) = stack.written();
        self.write(&stack, replacements, hook)?;
        let edits = self.list()?.into_iter().filter(|one| ids.contains(&one.id)).collect();
        Ok(Applied { edits, files })
    }

    /// Writes files and the records that became others, together.
    pub(super) fn write(
        &self,
        stack: &Stack<'_>,
        mut replacements: Vec<Replacement>,
        hook: Hook<'_>,
    ) -> Result<(), EditError> {
        for pending in stack.all() {
            let target = self.record(pending.id);
            let new = to_json(&target, pending)?;
            if let Some(old) = journal::read(&target)?
                && old != new
            {
                replacements.push(Replacement { target, old: Some(old), new: Some(new) });
            }
        }
        let written = journal::replace_all(&self.folder, &replacements, hook);
        if written.is_err() {
            // Of a kill nobody is left to do this; then whoever comes next does it.
            journal::repair(&self.folder, hook)?;
        }
        written
    }
}

#[cfg(test)]
mod tests {
    use super::super::{EditState, Revision};
    use super::*;
    use crate::edits::Draft;
    use crate::{Context, Language, Location, Meaning, Stop};
    use index::build;
    use std::cell::Cell;
    use std::io;
    use std::sync::Mutex;

    const FILES: [&str; 2] =
        ["CommonModules/ЦеныИСкидки/Ext/Module.bsl", "CommonModules/СобытияТорговли/Ext/Module.bsl"];

    /// Two files and the records of two changes become others in one step, wherever the program is killed.
    #[test]
    fn a_kill_while_applying_is_repaired_by_the_next_run() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("cf");
        ::support::copy_folder(&::support::demo(), &root);
        let location = Location::at(folder.path().join("index.db"));
        build::build(&root, &location, &build::Options::default(), &build::Stop::default(), &|_| {}).unwrap();
        let index = Index::open(&location).unwrap();
        let edits = Edits::of(&location);
        let (stop, meaning) = (Stop::default(), Mutex::new(Meaning::none("")));
        let context = Context {
            index: &index,
            edits: &edits,
            language: Language::English,
            stop: &stop,
            until: index::Deadline::NEVER,
            meaning: &meaning,
            web: None,
        };
        let propose = |text: &str, files: &[&str]| {
            let change = |path: &&str| {
                let mut revision = Revision::new(edits.text(&index, path).unwrap());
                let end = revision.text().len();
                revision.replace(end..end, text).unwrap();
                ((*path).to_owned(), revision)
            };
            let files = files.iter().map(change).collect();
            let draft = Draft { title: text.to_owned(), tool: "test", arguments: serde_json::json!({}), files };
            edits.propose(&context, draft).unwrap().id
        };
        let texts = || FILES.map(|path| std::fs::read(root.join(path)).unwrap());
        let before = texts();
        let mut seen = Vec::new();
        for number in 0.. {
            let (first, second) = (propose("// 1\n", &FILES), propose("// 2\n", &FILES[..1]));
            let left = Cell::new(number);
            let killed = |_: &'static str| match left.get() {
                0 => Err(io::ErrorKind::Interrupted.into()),
                more => {
                    left.set(more - 1);
                    Ok(())
                }
            };
            let result = edits.apply_with(&index, &[first], &killed);
            // The next run.
            let states = [first, second].map(|id| Edits::of(&location).get(id).unwrap().state);
            let changed = texts().iter().zip(&before).filter(|(now, before)| now != before).count();
            seen.push(states[0] == EditState::Applied);
            match states {
                [EditState::Pending, EditState::Pending] => assert_eq!(changed, 0, "kill {number}"),
                [EditState::Applied, EditState::Pending] => assert_eq!(changed, 2, "kill {number}"),
                other => panic!("kill {number}: {other:?}"),
            }
            edits.discard(&index, second).unwrap();
            if seen.last() == Some(&true) {
                edits.undo(&index, first).unwrap();
            } else {
                edits.discard(&index, first).unwrap();
            }
            assert_eq!(texts(), before, "kill {number}");
            if result.is_ok() {
                break;
            }
        }
        assert!(seen.len() > 8 && seen.first() == Some(&false) && seen.last() == Some(&true), "{seen:?}");
        // No temporary file is left.
        let names = std::fs::read_dir(root.join("CommonModules/ЦеныИСкидки/Ext")).unwrap().count();
        assert_eq!(names, 1);
    }
}
