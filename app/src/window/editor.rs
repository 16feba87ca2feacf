//! Caret and selection by mouse and keyboard, copying, finding in the module.

use slint::platform::Key;

use super::buffer::Position;
use super::controller::Controller;
use super::keys::Press;
use super::labels;
use super::lines::to_i32;

/// Lines that a page turns over.
const PAGE: usize = 25;

impl Controller {
    /// Moves the caret; the selection goes along if it is to be kept.
    pub(super) fn set_caret(&self, caret: Position, keep_selection: bool) {
        let buffer = self.lines.buffer();
        let caret = buffer.clamp(caret);
        let mut state = self.state.borrow_mut();
        state.caret = caret;
        if !keep_selection {
            state.anchor = caret;
        }
        let (from, to) = (state.anchor.min(caret), state.anchor.max(caret));
        let file = state.file.clone();
        drop(state);
        let desk = self.desk();
        desk.set_caret_line(to_i32(caret.line));
        desk.set_caret_column(to_i32(buffer.shown_column(caret)));
        desk.set_from_line(to_i32(from.line));
        desk.set_from_column(to_i32(buffer.shown_column(from)));
        desk.set_to_line(to_i32(to.line));
        desk.set_to_column(to_i32(buffer.shown_column(to)));
        let place = if file.is_empty() { String::new() } else { format!("{file}:{}", caret.line + 1) };
        desk.set_short_place(labels::short_place(&place, 0).into());
        desk.set_place(place.into());
        self.caret_moved();
    }

    fn reveal_caret(&self) {
        let line = self.state.borrow().caret.line;
        self.app().invoke_reveal(to_i32(line), false);
    }

    /// The mouse went down in the text.
    pub(super) fn press(&self, line: i32, column: f32, shift: bool, control: bool) {
        let place = self.lines.buffer().at_shown(usize::try_from(line).unwrap_or(0), column);
        self.state.borrow_mut().goal = None;
        self.set_caret(place, shift);
        if control {
            self.go_to_definition();
        }
    }

    /// The mouse moved with its button down.
    pub(super) fn drag(&self, line: i32, column: f32) {
        let place = self.lines.buffer().at_shown(usize::try_from(line).unwrap_or(0), column);
        self.set_caret(place, true);
        self.reveal_caret();
    }

    /// A double click chooses the name.
    pub(super) fn select_word(&self, line: i32, column: f32) {
        let buffer = self.lines.buffer();
        let place = buffer.at_shown(usize::try_from(line).unwrap_or(0), column);
        if let Some(word) = buffer.word_at(place) {
            self.set_caret(Position::new(place.line, word.start), false);
            self.set_caret(Position::new(place.line, word.end), true);
        }
    }

    /// The chosen text; empty if none is.
    #[must_use]
    pub fn selected_text(&self) -> String {
        let state = self.state.borrow();
        let (from, to) = (state.anchor.min(state.caret), state.anchor.max(state.caret));
        self.lines.buffer().slice(from, to).to_owned()
    }

    /// A key in the text; true if it meant something.
    pub(super) fn code_key(&self, press: Press) -> bool {
        let buffer = self.lines.buffer();
        if buffer.line_count() == 0 || press.alt {
            return false;
        }
        match press.control_letter() {
            Some('c') => {
                self.copy();
                return true;
            }
            Some('a') => {
                self.set_caret(Position::default(), false);
                self.set_caret(Position::new(usize::MAX, usize::MAX), true);
                return true;
            }
            _ => {}
        }
        if press.control && press.is(Key::Insert) {
            self.copy();
            return true;
        }
        let caret = self.state.borrow().caret;
        let vertical = |lines: isize| {
            let goal = *self.state.borrow_mut().goal.get_or_insert_with(|| buffer.shown_column(caret));
            let line = caret.line.saturating_add_signed(lines).min(buffer.line_count() - 1);
            buffer.at_shown(line, goal as f32)
        };
        let page = isize::try_from(PAGE).unwrap_or(1);
        let (to, keeps_goal) = match press {
            _ if press.is(Key::UpArrow) => (vertical(-1), true),
            _ if press.is(Key::DownArrow) => (vertical(1), true),
            _ if press.is(Key::PageUp) => (vertical(-page), true),
            _ if press.is(Key::PageDown) => (vertical(page), true),
            _ if press.is(Key::LeftArrow) && press.control => (buffer.word_left(caret), false),
            _ if press.is(Key::RightArrow) && press.control => (buffer.word_right(caret), false),
            _ if press.is(Key::LeftArrow) => (buffer.left(caret), false),
            _ if press.is(Key::RightArrow) => (buffer.right(caret), false),
            _ if press.is(Key::Home) && press.control => (Position::default(), false),
            _ if press.is(Key::End) && press.control => (Position::new(usize::MAX, usize::MAX), false),
            _ if press.is(Key::Home) => {
                let blanks = buffer.line(caret.line).chars().take_while(|c| c.is_whitespace()).count();
                (Position::new(caret.line, if caret.column == blanks { 0 } else { blanks }), false)
            }
            _ if press.is(Key::End) => (Position::new(caret.line, usize::MAX), false),
            _ => return false,
        };
        if !keeps_goal {
            self.state.borrow_mut().goal = None;
        }
        self.set_caret(to, press.shift);
        self.reveal_caret();
        true
    }

    fn copy(&self) {
        let text = self.selected_text();
        if !text.is_empty() {
            self.app().invoke_copy(text.into());
        }
    }

    /// A key anywhere in the window, before the focused element sees it; true if it meant something.
    pub(super) fn shortcut(&self, press: Press) -> bool {
        let desk = self.desk();
        if desk.get_diffing() && !press.is(Key::Escape) {
            return self.diff_key(press);
        }
        match press.control_letter() {
            Some('p') => {
                desk.set_searching(true);
                return true;
            }
            Some('f') => {
                self.open_bar(1);
                return true;
            }
            Some('g') => {
                self.open_bar(2);
                return true;
            }
            Some('e') => {
                desk.set_panel(3);
                self.list_edits();
                return true;
            }
            Some('o') => {
                desk.set_opening(true);
                return true;
            }
            _ => {}
        }
        if press.is(Key::Escape) {
            return self.close_topmost();
        }
        if desk.get_searching() {
            return self.search_key(press);
        }
        if desk.get_picturing() && press.alt && press.is(Key::LeftArrow) {
            self.draw_back();
        } else if press.is(Key::F12) {
            self.go_to_definition();
        } else if press.alt && press.is(Key::LeftArrow) {
            self.back();
        } else if press.alt && press.is(Key::RightArrow) {
            self.forward();
        } else if press.is(Key::F3) || (press.is(Key::Return) && press.shift && desk.get_bar() == 1) {
            self.find_next(!press.shift);
        } else {
            return false;
        }
        true
    }

    fn close_topmost(&self) -> bool {
        let desk = self.desk();
        if desk.get_searching() {
            desk.set_searching(false);
        } else if desk.get_opening() {
            desk.set_opening(false);
        } else if desk.get_about() {
            desk.set_about(false);
        } else if desk.get_sent_open() {
            desk.set_sent_open(false);
        } else if desk.get_diffing() {
            desk.set_diffing(false);
        } else if desk.get_picturing() {
            desk.set_picturing(false);
        } else if desk.get_bar() > 0 {
            desk.set_bar(0);
            self.find("");
        } else {
            return false;
        }
        self.app().invoke_focus_code();
        true
    }

    fn open_bar(&self, bar: i32) {
        let desk = self.desk();
        if self.lines.buffer().line_count() > 0 {
            desk.set_found("".into());
            // The field is made anew, so that it takes the focus.
            desk.set_bar(bar);
        }
    }

    /// The text searched for in the module changed.
    pub(super) fn find(&self, wanted: &str) {
        let matches = self.lines.buffer().find(wanted);
        self.lines.mark(matches.clone());
        let caret = self.state.borrow().anchor;
        let first = matches.iter().position(|found| found.at >= caret).unwrap_or(0);
        self.state.borrow_mut().matches = matches;
        if wanted.is_empty() {
            self.desk().set_found("".into());
        } else {
            self.show_match(first);
        }
    }

    /// The next place of the searched text, or the one before; past the end from the beginning.
    pub(super) fn find_next(&self, forward: bool) {
        let state = self.state.borrow();
        let (from, to) = (state.anchor.min(state.caret), state.anchor.max(state.caret));
        let next = if forward {
            state.matches.iter().position(|found| found.at >= to && (found.at > from || from == to)).unwrap_or(0)
        } else {
            state.matches.iter().rposition(|found| found.at < from).unwrap_or(state.matches.len().saturating_sub(1))
        };
        drop(state);
        self.show_match(next);
    }

    fn show_match(&self, number: usize) {
        let (found, count) = {
            let state = self.state.borrow();
            (state.matches.get(number).copied(), state.matches.len())
        };
        let Some(found) = found else {
            self.desk().set_found(self.pick("не найдено", "not found").into());
            return;
        };
        self.desk().set_found(slint::format!("{} / {count}", number + 1));
        self.set_caret(found.at, false);
        self.set_caret(Position::new(found.at.line, found.at.column + found.length), true);
        self.app().invoke_reveal(to_i32(found.at.line), false);
    }

    /// The line number that was typed.
    pub(super) fn go_to_line(&self, text: &str) {
        match text.trim().parse::<usize>() {
            Ok(number) if number > 0 && number <= self.lines.buffer().line_count() => {
                self.desk().set_bar(0);
                self.remember();
                self.set_caret(Position::new(number - 1, 0), false);
                self.app().invoke_reveal(to_i32(number - 1), true);
                self.app().invoke_focus_code();
                self.remember();
            }
            _ => self.desk().set_found(self.pick("нет такой строки", "no such line").into()),
        }
    }
}
