//! The model behind the two panes of a change: pairs of lines, made when they come into view.

use std::cell::{Cell, RefCell};
use std::ops::Range;

use metadata::Language;
use slint::{Model, ModelNotify, ModelTracker};
use tools::edits::Sides;
use tools::edits::diff::{Hunk, Row as DiffRow};

use super::buffer::{Position, Syntax, TextBuffer};
use super::labels::Pick as _;
use super::lines::{model, to_i32};
use super::ui::{DiffLine, DiffSide, Mark, Seg};

/// Kinds of rows, as the markup knows them.
mod kind {
    pub const FILE: i32 = 0;
    pub const PLACE: i32 = 1;
    pub const PAIR: i32 = 2;
}

/// What a side of a pair is, as the markup knows it.
mod side {
    /// There is no line on this side.
    pub const NONE: i32 = 0;
    pub const SAME: i32 = 1;
    pub const REMOVED: i32 = 2;
    pub const ADDED: i32 = 3;
}

/// A change in two panes.
#[derive(Debug, Default)]
pub struct Panes {
    /// Texts that the lines are cut from.
    buffers: Vec<TextBuffer>,
    rows: Vec<Row>,
    /// Width of the widest line, in columns as shown.
    pub columns: usize,
    /// Lines that go.
    pub removed: usize,
    /// Lines that come.
    pub added: usize,
}

#[derive(Debug)]
enum Row {
    /// A file begins.
    File { path: String, removed: usize, added: usize, whole: bool },
    /// A place in it, by its first line and the number of lines on both sides; nothing, if places aren't known any more.
    Place(Option<[(usize, usize); 2]>),
    /// Two lines side by side.
    Pair(Option<Line>, Option<Line>),
}

#[derive(Debug)]
struct Line {
    /// Which of [`Panes::buffers`].
    buffer: usize,
    /// Its line there, from 0.
    line: usize,
    /// What people call it; 0: not known.
    number: usize,
    kind: i32,
    /// Characters of it that differ; none, if all of them do.
    marks: Vec<Range<usize>>,
}

impl Panes {
    /// The files of a change.
    #[must_use]
    pub fn of(files: &[Sides]) -> Self {
        let mut panes = Self::default();
        for file in files {
            panes.take(file);
        }
        panes
    }

    fn take(&mut self, file: &Sides) {
        let (removed, added) = (file.diff.removed, file.diff.added);
        self.removed += removed;
        self.added += added;
        self.rows.push(Row::File { path: file.path.clone(), removed, added, whole: file.texts.is_some() });
        let syntax = Syntax::of_file(&file.path);
        let whole = file.texts.as_ref().map(|(before, after)| {
            self.buffers.extend([before, after].map(|text| TextBuffer::new(lf(text), syntax)));
            self.buffers.len() - 2
        });
        for hunk in &file.diff.hunks {
            self.rows.push(Row::Place(whole.map(|_| [hunk.old, hunk.new])));
            // Of pieces alone nobody knows the line that they stand in.
            let (buffer, firsts) = match whole {
                Some(buffer) => (buffer, [hunk.old, hunk.new].map(first)),
                None => (self.buffer_of_pieces(hunk, syntax), [1, 1]),
            };
            self.pair(hunk, buffer, firsts, whole.is_some());
        }
    }

    /// Two texts made of the lines of a hunk.
    fn buffer_of_pieces(&mut self, hunk: &Hunk, syntax: Syntax) -> usize {
        for sign in ['-', '+'] {
            let lines = hunk.rows.iter().filter(|row| row.sign == sign || row.sign == ' ');
            let text: String = lines.map(|row| row.text() + "\n").collect();
            self.buffers.push(TextBuffer::new(text, syntax));
        }
        self.buffers.len() - 2
    }

    /// Lines that stay face each other; of those that go and come the first faces the first.
    fn pair(&mut self, hunk: &Hunk, buffer: usize, [mut old, mut new]: [usize; 2], numbered: bool) {
        let mut rows = hunk.rows.as_slice();
        let line = |row: &DiffRow, side: usize, number: &mut usize, kind: i32| {
            let at = *number;
            *number += 1;
            let number = if numbered { at } else { 0 };
            Line { buffer: buffer + side, line: at - 1, number, kind, marks: marks(row) }
        };
        while let Some((row, rest)) = rows.split_first() {
            if row.sign == ' ' {
                let pair = (line(row, 0, &mut old, side::SAME), line(row, 1, &mut new, side::SAME));
                self.push(Some(pair.0), Some(pair.1));
                rows = rest;
                continue;
            }
            let run = |rows: &[DiffRow], sign| rows.iter().take_while(|row| row.sign == sign).count();
            let gone = run(rows, '-');
            let (olds, rest) = rows.split_at(gone);
            let (news, rest) = rest.split_at(run(rest, '+'));
            for at in 0..olds.len().max(news.len()) {
                let left = olds.get(at).map(|row| line(row, 0, &mut old, side::REMOVED));
                let right = news.get(at).map(|row| line(row, 1, &mut new, side::ADDED));
                self.push(left, right);
            }
            rows = rest;
        }
    }

    fn push(&mut self, old: Option<Line>, new: Option<Line>) {
        let width = |line: &Line| self.buffers.get(line.buffer).map_or(0, |buffer| buffer.columns(line.line));
        let widest = [&old, &new].into_iter().flatten().map(width).max().unwrap_or(0);
        self.columns = self.columns.max(widest);
        self.rows.push(Row::Pair(old, new));
    }

    fn side(&self, line: Option<&Line>) -> DiffSide {
        let Some((line, buffer)) = line.and_then(|line| Some((line, self.buffers.get(line.buffer)?))) else {
            return DiffSide { kind: side::NONE, ..DiffSide::default() };
        };
        let segs = buffer.pieces(line.line).into_iter().map(|piece| Seg {
            text: piece.text.into(),
            column: to_i32(piece.column),
            kind: i32::from(piece.kind),
        });
        let marks = line.marks.iter().map(|mark| {
            let [from, to] = [mark.start, mark.end].map(|column| buffer.shown_column(Position::new(line.line, column)));
            Mark { from: to_i32(from), length: to_i32(to - from) }
        });
        let number = if line.number == 0 { String::new() } else { line.number.to_string() };
        DiffSide { number: number.into(), segs: model(segs.collect()), marks: model(marks.collect()), kind: line.kind }
    }

    /// A pair as it is read out: `− old` and `+ new`, or the line that both have.
    fn spoken(&self, old: Option<&Line>, new: Option<&Line>) -> String {
        let text = |line: &Line| self.buffers.get(line.buffer).map_or("", |buffer| buffer.line(line.line).trim());
        let sides = [old, new].into_iter().flatten();
        let said = |line: &Line| match line.kind {
            side::REMOVED => Some(format!("− {}", text(line))),
            side::ADDED => Some(format!("+ {}", text(line))),
            _ => None,
        };
        let changed: Vec<String> = sides.filter_map(said).collect();
        if changed.is_empty() { new.map_or("", text).to_owned() } else { changed.join(" ") }
    }

    fn line(&self, row: usize, language: Language) -> Option<DiffLine> {
        Some(match self.rows.get(row)? {
            Row::File { path, removed, added, whole } => {
                let pieces = language.pick(
                    "файл изменился: показано только то, что заменяется",
                    "the file changed: only what is replaced is shown",
                );
                DiffLine {
                    kind: kind::FILE,
                    text: path.as_str().into(),
                    detail: slint::format!("−{removed} +{added}"),
                    note: if *whole { "" } else { pieces }.into(),
                    ..DiffLine::default()
                }
            }
            Row::Place(places) => DiffLine {
                kind: kind::PLACE,
                text: places.map_or_else(String::new, |places| place(places, language)).into(),
                ..DiffLine::default()
            },
            Row::Pair(old, new) => DiffLine {
                kind: kind::PAIR,
                text: self.spoken(old.as_ref(), new.as_ref()).into(),
                old: self.side(old.as_ref()),
                new: self.side(new.as_ref()),
                ..DiffLine::default()
            },
        })
    }
}

/// The first line of a side: a place without lines is named by the line before it.
fn first((start, count): (usize, usize)) -> usize {
    if count == 0 { start + 1 } else { start }
}

/// `Строки 12–17 → 12–18`.
fn place(sides: [(usize, usize); 2], language: Language) -> String {
    let [old, new] = sides.map(|(start, count)| match count {
        0 => "—".to_owned(),
        1 => start.to_string(),
        _ => format!("{start}–{}", start + count - 1),
    });
    format!("{} {old} → {new}", language.pick("Строки", "Lines"))
}

/// Line ends as the buffer wants them, without a byte order mark.
fn lf(text: &str) -> String {
    text.trim_start_matches('\u{feff}').replace("\r\n", "\n")
}

/// Characters of a line that differ. Where all of them do the colour of the line says so.
fn marks(row: &DiffRow) -> Vec<Range<usize>> {
    if row.parts.iter().all(|(changed, text)| *changed || text.trim().is_empty()) {
        return Vec::new();
    }
    let mut marks: Vec<Range<usize>> = Vec::new();
    let mut at = 0;
    for (changed, text) in &row.parts {
        let end = at + text.chars().count();
        match marks.last_mut() {
            Some(last) if *changed && last.end == at => last.end = end,
            _ if *changed => marks.push(at..end),
            _ => {}
        }
        at = end;
    }
    marks
}

/// The rows of the change that is shown.
pub struct PanesModel {
    panes: RefCell<Panes>,
    language: Cell<Language>,
    notify: ModelNotify,
}

impl Default for PanesModel {
    fn default() -> Self {
        let (panes, notify) = (RefCell::default(), ModelNotify::default());
        Self { panes, language: Cell::new(Language::Russian), notify }
    }
}

impl PanesModel {
    /// Shows another change.
    pub fn show(&self, panes: Panes, language: Language) {
        *self.panes.borrow_mut() = panes;
        self.language.set(language);
        self.notify.reset();
    }

    /// The next place that differs behind a row, or the last before it; the row itself if there is none.
    #[must_use]
    pub fn place_from(&self, row: usize, forward: bool) -> usize {
        let panes = self.panes.borrow();
        let is_place = |(_, row): &(usize, &Row)| matches!(row, Row::Place(_));
        let mut places = panes.rows.iter().enumerate().filter(is_place).map(|(at, _)| at);
        let found = if forward { places.find(|&at| at > row) } else { places.take_while(|&at| at < row).last() };
        found.unwrap_or(row)
    }
}

impl Model for PanesModel {
    type Data = DiffLine;

    fn row_count(&self) -> usize {
        self.panes.borrow().rows.len()
    }

    fn row_data(&self, row: usize) -> Option<DiffLine> {
        self.panes.borrow().line(row, self.language.get())
    }

    fn model_tracker(&self) -> &dyn ModelTracker {
        &self.notify
    }

    fn as_any(&self) -> &dyn std::any::Any {
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tools::edits::diff::diff;

    const BEFORE: &str = "\u{feff}А\r\nБ\r\nВ\r\nГ\r\n\tЦена = Товар.Цена;\r\nД\r\nЕ\r\nЖ\r\nЗ\r\nИ\r\nК\r\nЛ\r\nМ\r\n";

    fn sides(after: &str, whole: bool) -> Sides {
        let path = "CommonModules/М/Ext/Module.bsl".to_owned();
        let texts = whole.then(|| (BEFORE.to_owned(), after.to_owned()));
        Sides { diff: diff(&path, BEFORE, after, 3), path, texts }
    }

    fn shown(panes: Panes) -> Vec<String> {
        let model = PanesModel::default();
        model.show(panes, Language::Russian);
        let text = |side: &DiffSide| {
            let text: String = side.segs.iter().map(|seg| seg.text.to_string()).collect();
            let marks: String = side.marks.iter().map(|mark| format!(" [{}+{}]", mark.from, mark.length)).collect();
            format!("{}{}:{}{marks}", side.kind, side.number, text.trim())
        };
        let line = |line: DiffLine| match line.kind {
            kind::PAIR => format!("{} | {}", text(&line.old), text(&line.new)),
            _ => format!("{} {}{}", line.text, line.detail, if line.note.is_empty() { "" } else { " !" })
                .trim()
                .to_owned(),
        };
        model.iter().map(line).collect()
    }

    #[test]
    fn lines_face_each_other_with_their_numbers_and_words() {
        let after = BEFORE.replace("Товар.Цена", "Товар.Скидка").replace("З\r\n", "").replace("М\r\n", "М\r\nН\r\n");
        let rows = shown(Panes::of(&[sides(&after, true)]));
        let expected = [
            "CommonModules/М/Ext/Module.bsl −2 +2",
            "Строки 2–13 → 2–13",
            "12:Б | 12:Б",
            "13:В | 13:В",
            "14:Г | 14:Г",
            "25:Цена = Товар.Цена; [17+4] | 35:Цена = Товар.Скидка; [17+6]",
            "16:Д | 16:Д",
            "17:Е | 17:Е",
            "18:Ж | 18:Ж",
            "29:З | 0:",
            "110:И | 19:И",
            "111:К | 110:К",
            "112:Л | 111:Л",
            "113:М | 112:М",
            "0: | 313:Н",
        ];
        assert_eq!(rows, expected);
    }

    #[test]
    fn pieces_of_a_file_that_is_another_one_have_no_numbers() {
        let rows = shown(Panes::of(&[sides(&BEFORE.replace("Товар.Цена", "Товар.Скидка"), false)]));
        assert!(rows[0].ends_with('!'), "{rows:?}");
        assert_eq!(rows[5], "2:Цена = Товар.Цена; [17+4] | 3:Цена = Товар.Скидка; [17+6]");
    }

    #[test]
    fn the_places_that_differ_are_walked() {
        let after = BEFORE.replace("А\r\n", "А1\r\n").replace("М\r\n", "М1\r\n");
        let model = PanesModel::default();
        model.show(Panes::of(&[sides(&after, true)]), Language::English);
        assert_eq!((model.place_from(0, true), model.place_from(1, true)), (1, 6));
        assert_eq!((model.place_from(6, true), model.place_from(6, false), model.place_from(1, false)), (6, 1, 1));
        assert_eq!(model.row_data(6).map(|row| row.text.to_string()).as_deref(), Some("Lines 10–13 → 10–13"));
    }
}
