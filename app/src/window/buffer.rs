//! The text of a file without any window: lines, colours, places, search. Nothing here knows Slint.

use std::ops::Range;

use bsl::HighlightKind;

/// Columns of a tab.
const TAB: usize = 4;
/// The kind of a piece without a colour of its own: names, signs, plain text.
pub const PLAIN: u8 = 8;

/// A place: line and column from 0, the column in characters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// Line, from 0.
    pub line: usize,
    /// Characters before it in the line.
    pub column: usize,
}

impl Position {
    /// A place.
    #[must_use]
    pub fn new(line: usize, column: usize) -> Self {
        Self { line, column }
    }
}

/// A coloured piece of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Its text, tabs as blanks.
    pub text: String,
    /// Where it begins, in columns as shown (a tab is up to four).
    pub column: usize,
    /// Number of the [`HighlightKind`], or [`PLAIN`].
    pub kind: u8,
}

/// Where a searched text stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Match {
    /// Its first character.
    pub at: Position,
    /// Its characters.
    pub length: usize,
}

/// What the text is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Syntax {
    /// 1C's language.
    Bsl,
    /// XML.
    Xml,
    /// Anything else.
    Plain,
}

impl Syntax {
    /// By a file's name.
    #[must_use]
    pub fn of_file(path: &str) -> Self {
        match path.rsplit('.').next().map(str::to_ascii_lowercase).as_deref() {
            Some("bsl" | "os") => Self::Bsl,
            Some("xml" | "mdo" | "form" | "html") => Self::Xml,
            _ => Self::Plain,
        }
    }
}

/// A text that is read, not changed.
#[derive(Debug, Default)]
pub struct TextBuffer {
    text: String,
    /// Byte where each line begins.
    starts: Vec<usize>,
    /// Coloured spans in order; what lies between is plain.
    spans: Vec<(Range<usize>, u8)>,
}

impl TextBuffer {
    /// A text with lines ended by LF.
    #[must_use]
    pub fn new(mut text: String, syntax: Syntax) -> Self {
        if text.ends_with('\n') {
            text.pop();
        }
        let starts = std::iter::once(0).chain(memchr_lines(&text)).collect();
        let spans = match syntax {
            Syntax::Bsl => bsl_spans(&text),
            Syntax::Xml => xml_spans(&text),
            Syntax::Plain => Vec::new(),
        };
        Self { text, starts, spans }
    }

    /// Number of lines; 0 for no text at all.
    #[must_use]
    pub fn line_count(&self) -> usize {
        if self.text.is_empty() { 0 } else { self.starts.len() }
    }

    fn range(&self, line: usize) -> Range<usize> {
        let end = self.starts.get(line + 1).map_or(self.text.len(), |next| next - 1);
        self.starts.get(line).map_or(end..end, |&start| start..end)
    }

    /// A line without its end; empty beyond the last.
    #[must_use]
    pub fn line(&self, line: usize) -> &str {
        self.text.get(self.range(line)).unwrap_or("")
    }

    /// Characters of a line.
    #[must_use]
    pub fn length(&self, line: usize) -> usize {
        self.line(line).chars().count()
    }

    /// The nearest place that exists.
    #[must_use]
    pub fn clamp(&self, place: Position) -> Position {
        let line = place.line.min(self.line_count().saturating_sub(1));
        Position::new(line, place.column.min(self.length(line)))
    }

    /// The coloured pieces of a line; blanks alone make none.
    #[must_use]
    pub fn pieces(&self, line: usize) -> Vec<Piece> {
        let range = self.range(line);
        let first = self.spans.partition_point(|(span, _)| span.end <= range.start);
        let mut pieces = Vec::new();
        let mut shown = Shown::default();
        let mut at = range.start;
        for (span, kind) in self.spans.iter().skip(first).take_while(|(span, _)| span.start < range.end) {
            let (start, end) = (span.start.max(range.start), span.end.min(range.end));
            shown.push(self.text.get(at..start).unwrap_or(""), PLAIN, &mut pieces);
            shown.push(self.text.get(start..end).unwrap_or(""), *kind, &mut pieces);
            at = end;
        }
        shown.push(self.text.get(at..range.end).unwrap_or(""), PLAIN, &mut pieces);
        pieces
    }

    /// Width of a line in columns as shown.
    #[must_use]
    pub fn columns(&self, line: usize) -> usize {
        self.shown_column(Position::new(line, usize::MAX))
    }

    /// The column as shown of a place.
    #[must_use]
    pub fn shown_column(&self, place: Position) -> usize {
        self.line(place.line).chars().take(place.column).fold(0, advance)
    }

    /// The place nearest to a column as shown, which may lie between two.
    #[must_use]
    pub fn at_shown(&self, line: usize, column: f32) -> Position {
        let mut before = 0;
        for (count, c) in self.line(line).chars().enumerate() {
            let after = advance(before, c);
            if column < (before + after) as f32 / 2.0 {
                return Position::new(line, count);
            }
            before = after;
        }
        Position::new(line, self.length(line))
    }

    /// The text between two places.
    #[must_use]
    pub fn slice(&self, from: Position, to: Position) -> &str {
        self.text.get(self.byte(from)..self.byte(to)).unwrap_or("")
    }

    fn byte(&self, place: Position) -> usize {
        let range = self.range(place.line);
        let line = self.text.get(range.clone()).unwrap_or("");
        line.char_indices().nth(place.column).map_or(range.end, |(at, _)| range.start + at)
    }

    /// The name around or just before a place: its columns.
    #[must_use]
    pub fn word_at(&self, place: Position) -> Option<Range<usize>> {
        let chars: Vec<char> = self.line(place.line).chars().collect();
        let column = place.column.min(chars.len());
        let start = chars.iter().take(column).rposition(|c| !is_name(*c)).map_or(0, |at| at + 1);
        let end = chars.iter().skip(column).position(|c| !is_name(*c)).map_or(chars.len(), |at| column + at);
        (start < end).then_some(start..end)
    }

    /// The name at a place with what stands before it, joined by dots (`Справочники.Валюты.Найти`), up to that name.
    #[must_use]
    pub fn chain_at(&self, place: Position) -> Option<String> {
        let word = self.word_at(place)?;
        let chars: Vec<char> = self.line(place.line).chars().collect();
        let before = chars.get(..word.start)?;
        let start = before.iter().rposition(|c| !is_name(*c) && *c != '.').map_or(0, |at| at + 1);
        Some(chars.get(start..word.end)?.iter().collect::<String>().trim_start_matches('.').to_owned())
    }

    /// Every place of a text, without case, within lines.
    #[must_use]
    pub fn find(&self, wanted: &str) -> Vec<Match> {
        let fold = |c: char| c.to_lowercase().next().unwrap_or(c);
        let wanted: Vec<char> = wanted.chars().map(fold).collect();
        let mut found = Vec::new();
        if wanted.is_empty() {
            return found;
        }
        let mut chars: Vec<char> = Vec::new();
        for line in 0..self.line_count() {
            chars.clear();
            chars.extend(self.line(line).chars().map(fold));
            let mut column = 0;
            while let Some(rest) = chars.get(column..)
                && let Some(at) = rest.windows(wanted.len()).position(|window| window == wanted)
            {
                found.push(Match { at: Position::new(line, column + at), length: wanted.len() });
                column += at + wanted.len();
            }
        }
        found
    }

    /// One character back, over the end of a line.
    #[must_use]
    pub fn left(&self, place: Position) -> Position {
        match (place.line, place.column) {
            (0, 0) => place,
            (line, 0) => Position::new(line - 1, self.length(line - 1)),
            (line, column) => Position::new(line, column - 1),
        }
    }

    /// One character on, over the end of a line.
    #[must_use]
    pub fn right(&self, place: Position) -> Position {
        if place.column < self.length(place.line) {
            Position::new(place.line, place.column + 1)
        } else if place.line + 1 < self.line_count() {
            Position::new(place.line + 1, 0)
        } else {
            place
        }
    }

    /// To the beginning of the name or sign before.
    #[must_use]
    pub fn word_left(&self, place: Position) -> Position {
        let chars: Vec<char> = self.line(place.line).chars().take(place.column).collect();
        let Some(last) = chars.iter().rposition(|c| !c.is_whitespace()) else {
            return self.left(Position::new(place.line, 0));
        };
        let name = chars.get(last).is_some_and(|c| is_name(*c));
        let start = chars.iter().take(last).rposition(|c| !name || !is_name(*c)).map_or(0, |at| at + 1);
        Position::new(place.line, start)
    }

    /// To the beginning of the name or sign after.
    #[must_use]
    pub fn word_right(&self, place: Position) -> Position {
        let chars: Vec<char> = self.line(place.line).chars().collect();
        if place.column >= chars.len() {
            return self.right(place);
        }
        let name = chars.get(place.column).is_some_and(|c| is_name(*c));
        let rest = chars.iter().enumerate().skip(place.column + 1);
        let end = rest.clone().find(|(_, c)| !name || !is_name(**c)).map_or(chars.len(), |(at, _)| at);
        let next =
            chars.iter().enumerate().skip(end).find(|(_, c)| !c.is_whitespace()).map_or(chars.len(), |(at, _)| at);
        Position::new(place.line, next)
    }
}

fn memchr_lines(text: &str) -> impl Iterator<Item = usize> + '_ {
    text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1)
}

/// What code takes for a part of a name.
fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn advance(column: usize, c: char) -> usize {
    if c == '\t' { (column / TAB + 1) * TAB } else { column + 1 }
}

/// Turns text into pieces: tabs become blanks, neighbours of one kind become one piece.
#[derive(Default)]
struct Shown {
    column: usize,
}

impl Shown {
    fn push(&mut self, text: &str, kind: u8, pieces: &mut Vec<Piece>) {
        if text.is_empty() {
            return;
        }
        let start = self.column;
        let mut shown = String::with_capacity(text.len());
        for c in text.chars() {
            let next = advance(self.column, c);
            if c == '\t' {
                shown.extend(std::iter::repeat_n(' ', next - self.column));
            } else {
                shown.push(if c.is_control() { ' ' } else { c });
            }
            self.column = next;
        }
        match pieces.last_mut() {
            Some(last) if last.kind == kind && last.column + last.text.chars().count() == start => {
                last.text.push_str(&shown)
            }
            _ if shown.trim().is_empty() => {}
            _ => {
                let blanks = shown.chars().take_while(|c| *c == ' ').count();
                pieces.push(Piece { text: shown.trim_start_matches(' ').to_owned(), column: start + blanks, kind });
            }
        }
    }
}

fn bsl_spans(text: &str) -> Vec<(Range<usize>, u8)> {
    bsl::highlight(text)
        .filter(|token| !matches!(token.kind, HighlightKind::Identifier | HighlightKind::Operator))
        .map(|token| (token.range, token.kind as u8))
        .collect()
}

/// Tags, attribute values and comments.
fn xml_spans(text: &str) -> Vec<(Range<usize>, u8)> {
    let mut spans = Vec::new();
    let mut at = 0;
    while let Some(open) = text.get(at..).and_then(|rest| rest.find('<')).map(|found| at + found) {
        let rest = text.get(open..).unwrap_or("");
        if rest.starts_with("<!--") {
            at = rest.find("-->").map_or(text.len(), |end| open + end + 3);
            spans.push((open..at, HighlightKind::Comment as u8));
            continue;
        }
        let end = rest.find('>').map_or(text.len(), |end| open + end + 1);
        let mut from = open;
        while let Some(quote) = text.get(from..end).and_then(|tag| tag.find('"')).map(|found| from + found) {
            let close = text.get(quote + 1..end).and_then(|tag| tag.find('"')).map_or(end, |found| quote + found + 2);
            spans.push((from..quote, HighlightKind::Directive as u8));
            spans.push((quote..close, HighlightKind::String as u8));
            from = close;
        }
        spans.push((from..end, HighlightKind::Directive as u8));
        at = end;
    }
    spans.retain(|(range, _)| !range.is_empty());
    spans
}

#[cfg(test)]
mod tests {
    use super::*;

    const CODE: &str = "&НаКлиенте\nПроцедура Тест(А) Экспорт // что\n\tБ = Справочники.Валюты.Найти(\"раз\n\t|два\");\n\nКонецПроцедуры\n";

    fn buffer() -> TextBuffer {
        TextBuffer::new(CODE.to_owned(), Syntax::Bsl)
    }

    #[test]
    fn lines_are_counted_as_an_editor_does() {
        assert_eq!(buffer().line_count(), 6);
        assert_eq!(buffer().line(5), "КонецПроцедуры");
        assert_eq!(buffer().line(9), "");
        assert_eq!(TextBuffer::new(String::new(), Syntax::Bsl).line_count(), 0);
        assert_eq!(TextBuffer::new("а\n\n".to_owned(), Syntax::Plain).line_count(), 2);
    }

    #[test]
    fn pieces_carry_colours_and_columns() {
        let pieces = buffer().pieces(1);
        let view: Vec<_> = pieces.iter().map(|p| (p.text.as_str(), p.column, p.kind)).collect();
        let keyword = HighlightKind::Keyword as u8;
        assert_eq!(
            view,
            [
                ("Процедура", 0, keyword),
                ("Тест(А) ", 10, PLAIN),
                ("Экспорт", 18, keyword),
                ("// что", 26, HighlightKind::Comment as u8)
            ]
        );
    }

    #[test]
    fn a_string_goes_on_in_the_next_line_and_tabs_widen() {
        let string = HighlightKind::String as u8;
        let first = buffer().pieces(2);
        assert_eq!(
            first.first().map(|p| (p.text.clone(), p.column)),
            Some(("Б = Справочники.Валюты.Найти(".to_owned(), 4))
        );
        assert_eq!(first.last().map(|p| (p.text.clone(), p.kind)), Some(("\"раз".to_owned(), string)));
        assert_eq!(
            buffer().pieces(3).first().map(|p| (p.text.clone(), p.column, p.kind)),
            Some(("|два\"".to_owned(), 4, string))
        );
        assert_eq!(buffer().columns(3), 11);
    }

    #[test]
    fn mouse_columns_and_places_agree() {
        let buffer = buffer();
        assert_eq!(buffer.at_shown(2, 1.4), Position::new(2, 0));
        assert_eq!(buffer.at_shown(2, 2.6), Position::new(2, 1));
        assert_eq!(buffer.shown_column(Position::new(2, 1)), 4);
        for column in 0..=buffer.length(2) {
            let shown = buffer.shown_column(Position::new(2, column));
            assert_eq!(buffer.at_shown(2, shown as f32), Position::new(2, column));
        }
        assert_eq!(buffer.at_shown(2, 1000.0).column, buffer.length(2));
    }

    #[test]
    fn the_word_and_the_chain_under_the_caret() {
        let buffer = buffer();
        let line = buffer.line(2).to_owned();
        let at = line.chars().collect::<String>().find("Найти").map(|byte| line[..byte].chars().count()).unwrap();
        let word = buffer.word_at(Position::new(2, at + 2)).unwrap();
        assert_eq!(buffer.slice(Position::new(2, word.start), Position::new(2, word.end)), "Найти");
        assert_eq!(buffer.chain_at(Position::new(2, at + 2)).as_deref(), Some("Справочники.Валюты.Найти"));
        assert_eq!(buffer.chain_at(Position::new(2, at - 3)).as_deref(), Some("Справочники.Валюты"));
        assert_eq!(buffer.word_at(Position::new(4, 0)), None);
    }

    #[test]
    fn find_folds_case_and_counts_characters() {
        let found = buffer().find("ПРОЦЕДУР");
        assert_eq!(found.iter().map(|m| m.at).collect::<Vec<_>>(), [Position::new(1, 0), Position::new(5, 5)]);
        assert!(buffer().find("").is_empty());
        assert_eq!(TextBuffer::new("аааа".to_owned(), Syntax::Plain).find("аа").len(), 2);
    }

    #[test]
    fn moving_crosses_lines_and_stops_at_the_ends() {
        let buffer = buffer();
        assert_eq!(buffer.left(Position::new(1, 0)), Position::new(0, 10));
        assert_eq!(buffer.right(Position::new(0, 10)), Position::new(1, 0));
        assert_eq!(buffer.left(Position::default()), Position::default());
        assert_eq!(buffer.right(Position::new(5, 14)), Position::new(5, 14));
        assert_eq!(buffer.word_right(Position::new(1, 0)), Position::new(1, 10));
        assert_eq!(buffer.word_left(Position::new(1, 14)), Position::new(1, 10));
        assert_eq!(buffer.word_left(Position::new(1, 10)), Position::new(1, 0));
        assert_eq!(buffer.clamp(Position::new(99, 99)), Position::new(5, 14));
    }

    #[test]
    fn xml_has_tags_values_and_comments() {
        let buffer = TextBuffer::new("<a b=\"в\">текст<!-- нет --></a>".to_owned(), Syntax::Xml);
        let kinds: Vec<_> = buffer.pieces(0).into_iter().map(|p| (p.text, p.kind)).collect();
        let (tag, string) = (HighlightKind::Directive as u8, HighlightKind::String as u8);
        let expected =
            [("<a b=", tag), ("\"в\"", string), (">", tag), ("текст", PLAIN), ("<!-- нет -->", 2), ("</a>", tag)];
        assert_eq!(kinds, expected.map(|(text, kind)| (text.to_owned(), kind)));
        assert_eq!(TextBuffer::new("<a b=\"".to_owned(), Syntax::Xml).pieces(0).len(), 2);
    }
}
