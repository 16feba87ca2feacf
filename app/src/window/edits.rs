//! The panel of changes that wait for a person, and the card that shows one in two panes, applies it, drops it, takes it back.

use index::Index;
use metadata::Language;
use tools::edits::gate::Finding;
use tools::edits::{EditError, EditId, EditState, Pending};
use tools::{Edits, ToolError};

use super::controller::{Controller, replace};
use super::keys::Press;
use super::labels::{self, Pick as _};
use super::lines::to_i32;
use super::sides::Panes;
use super::ui::{EditRow, FindingRow};
use slint::platform::Key;

/// Changes that are done with and stay in the list.
const DONE: usize = 30;

/// What a person does with the change that is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Settle {
    Apply,
    Discard,
    Undo,
}

/// Kinds of rows of the list, as the markup knows them.
mod kind {
    pub const HEADING: i32 = 0;
    pub const EDIT: i32 = 1;
}

/// What became of a change, as the markup knows it: its place in the list of colours.
mod state {
    pub const WAITS: i32 = 0;
    pub const APPLIED: i32 = 1;
    pub const DONE: i32 = 2;
    pub const CONFLICT: i32 = 3;
}

/// The list as it is shown.
struct Listed {
    rows: Vec<EditRow>,
    waiting: usize,
}

/// A change as it is shown.
struct Shown {
    one: Pending,
    /// What keeps it from being applied, if it waits.
    conflict: Option<String>,
    panes: Panes,
}

/// What came of changes that were applied by themselves.
struct ByItself {
    applied: Vec<EditId>,
    /// Those left to the person, with the reason.
    left: Vec<(EditId, String)>,
}

impl Controller {
    /// Reads the list anew, and the change that is shown.
    pub(super) fn list_edits(&self) {
        let Some(edits) = self.edits() else { return };
        let language = self.language();
        self.mend.ask(
            self.asked.edits.next(),
            move |index| Ok(listed(&edits, index, language).map_err(|error| told(&error, language))),
            |me, listed| match listed {
                Ok(listed) => {
                    me.desk().set_edits_waiting(to_i32(listed.waiting));
                    replace(&me.models.edits, listed.rows);
                    if me.desk().get_diffing() {
                        me.read_edit(me.desk().get_edit_id());
                    }
                }
                Err(message) => me.say(message),
            },
        );
    }

    /// Forgets those of another project.
    pub(super) fn clear_edits(&self) {
        let desk = self.desk();
        desk.set_diffing(false);
        desk.set_settling(false);
        desk.set_edits_waiting(0);
        replace(&self.models.edits, Vec::new());
    }

    fn edits(&self) -> Option<Edits> {
        self.state.borrow().location.as_ref().map(Edits::of)
    }

    /// Shows a change in two panes.
    pub(super) fn show_edit(&self, id: i32) {
        self.desk().set_edit_error("".into());
        self.read_edit(id);
    }

    fn read_edit(&self, id: i32) {
        let (Some(edits), Ok(id)) = (self.edits(), EditId::try_from(id)) else { return };
        let language = self.language();
        self.mend.ask(
            self.asked.edit.next(),
            move |index| Ok(shown(&edits, index, id, language).map_err(|error| told(&error, language))),
            |me, shown| match shown {
                Ok(shown) => me.show_sides(shown),
                Err(message) => me.say(message),
            },
        );
    }

    fn show_sides(&self, Shown { one, conflict, panes }: Shown) {
        let (desk, language) = (self.desk(), self.language());
        let files = files(&one, language);
        let about = format!("{} · {files} · −{} +{}", one.tool, panes.removed, panes.added);
        let (state, word) = match &conflict {
            Some(_) => (state::CONFLICT, language.pick("конфликт", "conflict")),
            None => word(one.state, language),
        };
        desk.set_edit_id(i32::try_from(one.id).unwrap_or(i32::MAX));
        desk.set_edit_title(one.title.as_str().into());
        desk.set_edit_about(about.into());
        desk.set_edit_state(state);
        desk.set_edit_word(word.into());
        desk.set_edit_conflict(conflict.unwrap_or_default().into());
        desk.set_diff_columns(to_i32(panes.columns));
        replace(&self.models.findings, one.remarks.iter().map(|found| finding(found, language)).collect());
        self.panes.show(panes, language);
        desk.set_diffing(true);
    }

    /// Applies the change that is shown, drops it or takes it back; what keeps that from being done is said.
    pub(super) fn settle_edit(&self, what: Settle) {
        let desk = self.desk();
        let (Some(edits), Ok(id)) = (self.edits(), EditId::try_from(desk.get_edit_id())) else { return };
        let fits = match what {
            Settle::Apply => desk.get_edit_state() == state::WAITS,
            Settle::Discard => matches!(desk.get_edit_state(), state::WAITS | state::CONFLICT),
            Settle::Undo => desk.get_edit_state() == state::APPLIED,
        };
        if !fits || !desk.get_diffing() || desk.get_settling() {
            return;
        }
        desk.set_settling(true);
        let language = self.language();
        self.mend.ask(
            Self::always(),
            move |index| Ok(settled(&edits, index, id, what).map_err(|error| told(&error, language))),
            move |me, written| {
                me.desk().set_settling(false);
                match written {
                    Ok(files) => {
                        me.desk().set_edit_error("".into());
                        me.say(done(id, what, files, me.language()));
                        me.files_written(files);
                    }
                    // The reason stays beside the change until something else is done with it.
                    Err(message) => me.desk().set_edit_error(message.into()),
                }
                me.list_edits();
            },
        );
    }

    /// The index follows what was written.
    fn files_written(&self, files: usize) {
        if files > 0 {
            self.keep_in_step();
        }
    }

    /// The next change of the list, or the one before.
    pub(super) fn step_edit(&self, forward: bool) {
        use slint::Model as _;
        let shown = self.desk().get_edit_id();
        let ids: Vec<i32> = self.models.edits.iter().filter(|row| row.kind == kind::EDIT).map(|row| row.id).collect();
        let at = ids.iter().position(|&id| id == shown);
        let next = match (at, forward) {
            (Some(at), true) => ids.get(at + 1),
            (Some(at), false) => at.checked_sub(1).and_then(|at| ids.get(at)),
            (None, _) => ids.first(),
        };
        if let Some(&id) = next {
            self.show_edit(id);
        }
    }

    /// A key while a change is shown; true if it meant something. The panes themselves know how to scroll.
    pub(super) fn diff_key(&self, press: Press) -> bool {
        if press.control && press.is(Key::Return) {
            self.settle_edit(Settle::Apply);
        } else if press.control && press.is(Key::Delete) {
            self.settle_edit(Settle::Discard);
        } else if press.control_letter() == Some('z') {
            self.settle_edit(Settle::Undo);
        } else if press.alt && press.is(Key::UpArrow) {
            self.step_edit(false);
        } else if press.alt && press.is(Key::DownArrow) {
            self.step_edit(true);
        } else {
            return false;
        }
        true
    }

    /// Whether changes of the agent are applied by themselves, until this is taken back or another project is opened.
    pub(super) fn apply_by_itself(&self, on: bool) {
        self.desk().set_by_itself(on);
        self.say(match on {
            true => self.pick(
                "Правки агента применяются сами до конца сеанса или пока вы не выключите",
                "The agent's changes are applied by themselves until you switch it off or the session ends",
            ),
            false => self.pick("Правки ждут вас", "Changes wait for you"),
        });
    }

    /// A question is answered to its end, and brought changes. They wait, unless the person wants otherwise; one that gates
    /// remarked something on waits in any case.
    pub(super) fn edits_proposed(&self, ids: Vec<EditId>) {
        let Some(edits) = self.edits().filter(|_| self.desk().get_by_itself() && !ids.is_empty()) else { return };
        let language = self.language();
        self.mend.ask(
            Self::always(),
            move |index| Ok(by_itself(&edits, index, &ids, language)),
            |me, ByItself { applied, left }| {
                if !applied.is_empty() {
                    me.chat_notice(&format!(
                        "{}: {}",
                        me.pick("Применены сами", "Applied by themselves"),
                        list(&applied)
                    ));
                }
                for (id, why) in left {
                    me.chat_notice(&format!("{} {id}: {why}", me.pick("Ждёт вас правка", "Waits for you: change")));
                }
                me.files_written(applied.len());
                me.list_edits();
            },
        );
    }
}

fn list(ids: &[EditId]) -> String {
    ids.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

/// A message with what to do.
fn told(error: &ToolError, language: Language) -> String {
    match error.hint(language) {
        Some(hint) => format!("{}; {hint}", error.message(language)),
        None => error.message(language),
    }
}

fn listed(edits: &Edits, index: &Index, language: Language) -> Result<Listed, ToolError> {
    let all = edits.list()?;
    let conflicts = edits.conflicts(index)?;
    let conflict = |id| conflicts.iter().any(|(other, _)| *other == id);
    let (waiting, done): (Vec<_>, Vec<_>) = all.iter().partition(|one| one.state == EditState::Pending);
    let heading = |title: &str| EditRow { kind: kind::HEADING, title: title.into(), ..EditRow::default() };
    let mut rows = Vec::new();
    if !waiting.is_empty() {
        rows.push(heading(language.pick("Ждут решения", "Waiting for you")));
        rows.extend(waiting.iter().map(|one| row(one, conflict(one.id), language)));
    }
    if !done.is_empty() {
        rows.push(heading(language.pick("Решены", "Decided")));
        rows.extend(done.iter().rev().take(DONE).map(|one| row(one, false, language)));
    }
    Ok(Listed { rows, waiting: waiting.len() })
}

fn row(one: &Pending, conflict: bool, language: Language) -> EditRow {
    let (state, word) = match conflict {
        true => (state::CONFLICT, language.pick("конфликт", "conflict")),
        false => word(one.state, language),
    };
    EditRow {
        kind: kind::EDIT,
        id: i32::try_from(one.id).unwrap_or(i32::MAX),
        title: slint::format!("{}. {}", one.id, one.title),
        about: files(one, language).into(),
        word: word.into(),
        state,
        remarks: to_i32(one.remarks.len()),
    }
}

/// `Module.bsl`, `3 файла`.
fn files(one: &Pending, language: Language) -> String {
    match one.files.as_slice() {
        [file] => labels::short_path(&file.path),
        files => format!("{}: {}", language.pick("файлов", "files"), files.len()),
    }
}

fn word(state: EditState, language: Language) -> (i32, &'static str) {
    let (number, ru, en) = match state {
        EditState::Pending => (state::WAITS, "ждёт", "waits"),
        EditState::Applied => (state::APPLIED, "применена", "applied"),
        EditState::Undone => (state::DONE, "отменена", "undone"),
        EditState::Discarded => (state::DONE, "отброшена", "discarded"),
    };
    (number, language.pick(ru, en))
}

fn finding(found: &Finding, language: Language) -> FindingRow {
    FindingRow { text: found.line_of_text(language).into(), blocking: found.blocking }
}

fn shown(edits: &Edits, index: &Index, id: EditId, language: Language) -> Result<Shown, ToolError> {
    let one = edits.get(id)?;
    let conflict = edits.conflicts(index)?.into_iter().find(|(other, _)| *other == id);
    let conflict = conflict.map(|(id, path)| told(&EditError::Conflict { id, path, by: None }.into(), language));
    let panes = Panes::of(&edits.sides(index, id)?);
    Ok(Shown { one, conflict, panes })
}

/// Number of the files that were written.
fn settled(edits: &Edits, index: &Index, id: EditId, what: Settle) -> Result<usize, ToolError> {
    match what {
        Settle::Apply => edits.apply(index, &[id]).map(|applied| applied.files.len()),
        Settle::Undo => edits.undo(index, id).map(|undone| undone.files.len()),
        Settle::Discard => edits.discard(index, id).map(|_| 0),
    }
}

fn done(id: EditId, what: Settle, files: usize, language: Language) -> String {
    let (ru, en) = match what {
        Settle::Apply => ("применена, записано файлов", "is applied, files written"),
        Settle::Undo => ("отменена, записано файлов", "is undone, files written"),
        Settle::Discard => {
            return format!(
                "{} {id} {}",
                language.pick("Правка", "Change"),
                language.pick("отброшена", "is discarded")
            );
        }
    };
    format!("{} {id} {}: {files}", language.pick("Правка", "Change"), language.pick(ru, en))
}

fn by_itself(edits: &Edits, index: &Index, ids: &[EditId], language: Language) -> ByItself {
    let mut result = ByItself { applied: Vec::new(), left: Vec::new() };
    for &id in ids {
        match edits.get(id) {
            Ok(one) if one.state != EditState::Pending => {}
            Ok(one) if !one.remarks.is_empty() => {
                let why = language.pick("у проверок есть замечания", "the gates remarked something");
                result.left.push((id, why.to_owned()));
            }
            Ok(_) => match edits.apply(index, &[id]) {
                Ok(_) => result.applied.push(id),
                Err(error) => result.left.push((id, told(&error, language))),
            },
            Err(error) => result.left.push((id, error.message(language))),
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_conflict_means_and_what_to_do_is_said() {
        let error = EditError::Conflict { id: 3, path: "А.bsl".to_owned(), by: None };
        let text = told(&error.into(), Language::Russian);
        assert!(text.contains("А.bsl") && text.contains("правка 3") && text.contains("предложите её заново"), "{text}");
    }

    #[test]
    fn what_was_done_is_said_with_the_number_of_files() {
        assert_eq!(done(2, Settle::Apply, 3, Language::Russian), "Правка 2 применена, записано файлов: 3");
        assert_eq!(done(2, Settle::Discard, 0, Language::English), "Change 2 is discarded");
    }
}
