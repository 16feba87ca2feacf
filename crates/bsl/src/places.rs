//! Lines and columns of places in a text.

/// Says where offsets stand. One that follows the last one costs what lies between them, so that many problems of one long line
/// cost no more than the line.
#[derive(Debug)]
pub(crate) struct Places {
    /// The last offset.
    at: usize,
    line: u32,
    column: u32,
}

impl Default for Places {
    fn default() -> Self {
        Self { at: 0, line: 1, column: 1 }
    }
}

impl Places {
    /// The 1-based line and column of an offset, the column in characters; a byte order mark at the start of a line is none.
    pub fn find(&mut self, text: &str, offset: usize) -> (u32, u32) {
        if offset < self.at {
            *self = Self::default();
        }
        let between = text.get(self.at..offset).or_else(|| text.get(self.at..)).unwrap_or("");
        let last_line = match memchr::memrchr(b'\n', between.as_bytes()) {
            Some(end) => {
                self.line += memchr::memchr_iter(b'\n', between.as_bytes()).count() as u32;
                self.column = 1;
                between.get(end + 1..).unwrap_or("")
            }
            None => between,
        };
        for c in last_line.chars() {
            self.column += u32::from(c != '\u{FEFF}' || self.column > 1);
        }
        self.at += between.len();
        (self.line, self.column)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forwards_and_backwards() {
        let text = "\u{FEFF}а\nбв\n\nг";
        let mut places = Places::default();
        let expected = [(1, 1), (1, 1), (1, 2), (2, 1), (2, 2), (2, 3), (3, 1), (4, 1), (4, 2)];
        let offsets: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
        let found: Vec<_> = offsets.iter().map(|at| places.find(text, *at)).collect();
        assert_eq!(found, expected);
        let back: Vec<_> = offsets.iter().rev().map(|at| places.find(text, *at)).collect();
        assert_eq!(back.into_iter().rev().collect::<Vec<_>>(), expected);
        assert_eq!(places.find(text, 1000), (4, 2));
        assert_eq!(places.find(text, 1000), (4, 2));
    }
}
