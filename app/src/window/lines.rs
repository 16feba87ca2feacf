//! The model of the code view: makes a line's pieces when the line comes into view.

use std::cell::RefCell;
use std::rc::Rc;

use slint::{Model, ModelNotify, ModelRc, ModelTracker, VecModel};

use super::buffer::{Match, TextBuffer};
use super::ui::{CodeLine, Mark, Seg};

/// Lines of the open text.
#[derive(Default)]
pub struct LinesModel {
    buffer: RefCell<Rc<TextBuffer>>,
    /// Places of the searched text, in order.
    marks: RefCell<Vec<Match>>,
    notify: ModelNotify,
}

impl LinesModel {
    /// Shows another text.
    pub fn show(&self, buffer: Rc<TextBuffer>) {
        *self.buffer.borrow_mut() = buffer;
        self.marks.borrow_mut().clear();
        self.notify.reset();
    }

    /// The text that is shown.
    pub fn buffer(&self) -> Rc<TextBuffer> {
        Rc::clone(&self.buffer.borrow())
    }

    /// Marks the places of a searched text.
    pub fn mark(&self, marks: Vec<Match>) {
        let old = std::mem::replace(&mut *self.marks.borrow_mut(), marks);
        let mut lines: Vec<usize> = old.iter().chain(self.marks.borrow().iter()).map(|mark| mark.at.line).collect();
        lines.sort_unstable();
        lines.dedup();
        for line in lines {
            self.notify.row_changed(line);
        }
    }
}

impl Model for LinesModel {
    type Data = CodeLine;

    fn row_count(&self) -> usize {
        self.buffer.borrow().line_count()
    }

    fn row_data(&self, row: usize) -> Option<CodeLine> {
        let buffer = self.buffer.borrow();
        if row >= buffer.line_count() {
            return None;
        }
        let pieces = buffer.pieces(row).into_iter();
        let segs = pieces.map(|piece| Seg {
            text: piece.text.into(),
            column: to_i32(piece.column),
            kind: i32::from(piece.kind),
        });
        let all = self.marks.borrow();
        let first = all.partition_point(|mark| mark.at.line < row);
        let marks = all.iter().skip(first).take_while(|mark| mark.at.line == row).map(|mark| {
            let from = buffer.shown_column(mark.at);
            let end = super::buffer::Position::new(row, mark.at.column + mark.length);
            Mark { from: to_i32(from), length: to_i32(buffer.shown_column(end) - from) }
        });
        Some(CodeLine {
            number: slint::format!("{}", row + 1),
            segs: model(segs.collect()),
            marks: model(marks.collect()),
            columns: to_i32(buffer.columns(row)),
        })
    }

    fn model_tracker(&self) -> &dyn ModelTracker {
        &self.notify
    }

    fn as_any(&self) -> &dyn std::any::Any {
        self
    }
}

/// A model of fixed rows; none costs nothing.
pub fn model<T: Clone + 'static>(rows: Vec<T>) -> ModelRc<T> {
    if rows.is_empty() { ModelRc::default() } else { ModelRc::from(Rc::new(VecModel::from(rows))) }
}

/// A number as Slint knows it.
pub fn to_i32(number: usize) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}
