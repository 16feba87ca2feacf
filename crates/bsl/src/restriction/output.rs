//! The text that is made, with the places that its pieces come from. Lines that hold nothing are left out.

use super::Place;

#[derive(Default)]
pub(super) struct Output {
    text: String,
    /// Where pieces begin, ascending.
    marks: Vec<(usize, Place)>,
    /// Where the last line begins.
    line: usize,
}

impl Output {
    pub fn len(&self) -> usize {
        self.text.len()
    }

    pub fn push(&mut self, text: &str, place: Place) {
        for (below, piece) in (0..).zip(text.split('\n')) {
            if below > 0 {
                self.end_line();
            }
            if !piece.is_empty() {
                self.marks.push((self.text.len(), Place { line: place.line + below, ..place }));
                self.text.push_str(piece);
            }
        }
    }

    fn end_line(&mut self) {
        let written = self.text.trim_end().len().max(self.line);
        self.text.truncate(written);
        while self.marks.last().is_some_and(|(from, _)| *from >= written) {
            self.marks.pop();
        }
        if written > self.line {
            self.text.push('\n');
            self.line = self.text.len();
        }
    }

    pub fn finish(mut self) -> (String, Vec<(usize, Place)>) {
        self.end_line();
        self.text.truncate(self.text.trim_end().len());
        // White space before the first word.
        let first = self.text.len() - self.text.trim_start().len();
        self.text.drain(..first);
        for (from, _) in &mut self.marks {
            *from = from.saturating_sub(first);
        }
        (self.text, self.marks)
    }
}
