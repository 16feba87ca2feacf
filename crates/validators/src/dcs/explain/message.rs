//! What a message of the platform says: its kind, the name in it, the place in the query.

use std::ops::Range;

use serde::Serialize;

/// `kind<TAB>language<TAB>words<TAB>how it is known`.
const MESSAGES: &str = include_str!("../../../data/messages.tsv");

/// Longest message that is read, in bytes: platforms show the query behind it.
const MAX_MESSAGE: usize = 64_000;
/// Longest place (`12, 5)}`), in characters.
const MAX_PLACE: usize = 32;
/// Longest name, in characters.
const MAX_NAME: usize = 400;

/// A message.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Message {
    /// The kind: a code of [`KINDS`](super::KINDS). None of a message that isn't known.
    pub kind: Option<&'static str>,
    /// The language that it is written in: `ru`, `en`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<&'static str>,
    /// The name that it complains of.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// Line and column in a query, both from 1, the column in characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<(u32, u32)>,
    /// The line of the query that the platform shows, and the byte of it that it points at.
    #[serde(skip)]
    pub echo: Option<(String, usize)>,
    /// Other names in quotes: of the set of data, of the report.
    #[serde(skip)]
    pub others: Vec<String>,
}

/// A line of the table.
pub(super) struct Pattern {
    pub(super) kind: &'static str,
    pub(super) language: &'static str,
    pub(super) words: &'static str,
}

/// The table.
pub(super) fn patterns() -> impl Iterator<Item = Pattern> {
    MESSAGES.lines().filter(|line| !line.starts_with('#')).filter_map(|line| {
        let mut cells = line.split('\t');
        let mut cell = || cells.next();
        Some(Pattern { kind: cell()?, language: cell()?, words: cell()? })
    })
}

/// Reads a message. The innermost reason decides: of several, the last one.
///
/// ```
/// use metascope_validators::dcs::explain::read_message;
/// let message = read_message("по причине:\n{(12, 5)}: Поле не найдено \"Т.Цена\"\n<<?>>Т.Цена КАК Цена");
/// assert_eq!((message.kind, message.name.as_str(), message.position), (Some("field-not-found"), "Т.Цена", Some((12, 5))));
/// ```
pub fn read_message(text: &str) -> Message {
    let text = cut(text);
    let mut found: Option<(usize, Message)> = None;
    let quoted = quoted(text);
    for pattern in patterns() {
        for (at, name) in fits(text, pattern.words) {
            // A longer pattern stands before a shorter one that fits at the same place.
            let is_later = found.as_ref().is_none_or(|(other, _)| at > *other);
            if is_later {
                let message =
                    Message { kind: Some(pattern.kind), language: Some(pattern.language), name, ..Message::default() };
                found = Some((at, message));
            }
        }
    }
    let (at, mut message) = found.unwrap_or((text.len(), Message::default()));
    message.position = position(text, at);
    message.echo = echo(text);
    message.others = quoted.into_iter().filter(|name| *name != message.name).collect();
    message
}

fn cut(text: &str) -> &str {
    let mut end = text.len().min(MAX_MESSAGE);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

/// Where the words of a pattern stand, and the name among them.
fn fits(text: &str, words: &str) -> Vec<(usize, String)> {
    let (head, tail) = words.split_once('*').unwrap_or((words, ""));
    let (head, tail) = (head.trim(), tail.trim());
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(range) = find(text, head, from) {
        from = range.end;
        let rest = &text[range.end..];
        let starts_word = !text[..range.start].chars().next_back().is_some_and(char::is_alphanumeric);
        let ends_word = !rest.chars().next().is_some_and(char::is_alphanumeric);
        if !starts_word || !ends_word {
            continue;
        }
        let (name, length) = name_at(rest, tail.is_empty());
        let behind = &rest[length..];
        let space = behind.len() - behind.trim_start().len();
        let goes_on = || words_at(behind, space, tail).is_some();
        if tail.is_empty() || (!name.is_empty() && goes_on()) {
            found.push((range.start, name));
        }
    }
    found
}

/// The words in a text, case and white space aside.
fn find(text: &str, words: &str, from: usize) -> Option<Range<usize>> {
    let mut starts = text.get(from..)?.char_indices().map(|(at, _)| from + at);
    starts.find_map(|start| words_at(text, start, words).map(|end| start..end))
}

/// The byte behind some words, if they stand there.
fn words_at(text: &str, at: usize, words: &str) -> Option<usize> {
    let mut words = words.split_whitespace();
    let mut end = starts_with(text, at, words.next()?)?;
    for word in words {
        let space = text[end..].len() - text[end..].trim_start().len();
        end = starts_with(text, end + space, word).filter(|_| space > 0)?;
    }
    Some(end)
}

/// The byte behind a word, if it stands there in any case.
fn starts_with(text: &str, at: usize, word: &str) -> Option<usize> {
    let mut there = text.get(at..)?.char_indices();
    for wanted in word.chars() {
        let (_, c) = there.next()?;
        if c != wanted && !c.to_lowercase().eq(wanted.to_lowercase()) {
            return None;
        }
    }
    Some(at + there.next().map_or(text.len() - at, |(next, _)| next))
}

/// The name that a text begins with, and the bytes that it takes: in quotes, or a bare path.
fn name_at(text: &str, to_line_end: bool) -> (String, usize) {
    let trimmed = text.trim_start_matches([' ', '\t', ':', '(', '\r', '\n', '\u{a0}']);
    let skipped = text.len() - trimmed.len();
    for (open, close) in [('"', '"'), ('«', '»'), ('“', '”'), ('\'', '\'')] {
        if let Some(inner) = trimmed.strip_prefix(open)
            && let Some((end, _)) = inner.char_indices().take(MAX_NAME).find(|(_, c)| *c == close)
        {
            return (inner[..end].trim().to_owned(), skipped + open.len_utf8() + end + close.len_utf8());
        }
    }
    // Bare: on the same line, of letters, digits, dots; not of sentences that go on.
    if text[..skipped].contains('\n') {
        return (String::new(), 0);
    }
    let end = trimmed.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.'))).unwrap_or(trimmed.len());
    let name = trimmed[..end].trim_end_matches('.');
    let behind = trimmed[end..].lines().next().unwrap_or("").trim_matches([' ', '.', ')', '\r']);
    if to_line_end && !behind.is_empty() && !behind.starts_with(['<', '(', ',']) {
        return (String::new(), 0);
    }
    (name.to_owned(), skipped + name.len())
}

/// All texts in quotes.
fn quoted(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (open, close) in [('"', '"'), ('«', '»')] {
        let mut rest = text;
        while let Some(start) = rest.find(open) {
            let inner = &rest[start + open.len_utf8()..];
            let Some(end) = inner.find(close) else { break };
            if !inner[..end].contains('\n') {
                found.push(inner[..end].trim().to_owned());
            }
            rest = &inner[end + close.len_utf8()..];
        }
    }
    found
}

/// `{(12, 5)}` nearest before a place, else the last one.
fn position(text: &str, before: usize) -> Option<(u32, u32)> {
    let all: Vec<(usize, (u32, u32))> = text
        .match_indices("{(")
        .filter_map(|(at, _)| {
            let inner: String = text[at + 2..].chars().take(MAX_PLACE).collect();
            let (line, column) = inner.split_once(")}")?.0.split_once(',')?;
            Some((at, (line.trim().parse().ok()?, column.trim().parse().ok()?)))
        })
        .collect();
    let near = all.iter().rev().find(|(at, _)| *at < before).or(all.last());
    near.map(|(_, place)| *place)
}

/// The line with `<<?>>`.
fn echo(text: &str) -> Option<(String, usize)> {
    let line = text.lines().rev().find(|line| line.contains("<<?>>"))?;
    let (before, behind) = line.split_once("<<?>>")?;
    let before = before.trim_start();
    Some((format!("{before}{}", behind.trim_end()), before.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_message_of_the_table_is_read_as_its_kind() {
        for pattern in patterns() {
            let text = format!("Ошибка\n{{(3, 7)}}: {}\n", pattern.words.replace('*', "\"Т.Цена\""));
            let message = read_message(&text);
            assert_eq!(message.kind, Some(pattern.kind), "{text}");
            assert_eq!(message.position, Some((3, 7)));
            assert!(message.name == "Т.Цена", "{text}: {message:?}");
            assert!(matches!(pattern.language, "ru" | "en"));
        }
        for line in MESSAGES.lines().filter(|line| !line.starts_with('#')) {
            let cells: Vec<&str> = line.split('\t').collect();
            assert!(cells.len() == 4 && matches!(cells[3], "quoted" | "likely"), "{line}");
        }
    }

    #[test]
    fn the_innermost_reason_counts_and_names_may_be_bare() {
        let message = read_message(
            "Ошибка исполнения отчета\nпо причине:\nОшибка в выражении: \nпо причине:\n{(2,10)}: Поле не найдено «А.Б»\nА.<<?>>Б + 1",
        );
        assert_eq!((message.kind, message.name.as_str()), (Some("field-not-found"), "А.Б"));
        assert_eq!((message.position, message.echo), (Some((2, 10)), Some(("А.Б + 1".to_owned(), 3))));
        assert_eq!(read_message("ТАБЛИЦА  НЕ НАЙДЕНА: Справочник.Товар.").name, "Справочник.Товар");
        assert_eq!(read_message("Поле не найдено").kind, Some("field-not-found"));
        assert_eq!(read_message("Недостаточно памяти"), Message::default());
        assert_eq!(read_message("В наборе «Долги»: Поле не найдено \"А\"").others, ["Долги"]);
    }

    #[test]
    fn any_text_is_read() {
        for text in
            ["", "{(", "{(1,", "{(a, b)}", "<<?>>", "Поле \"", "Поле * не найдено", "Поле «", "«»\"", "\u{feff}"]
        {
            let _ = read_message(text);
        }
        // Long ones, too.
        for part in ["Поле ", "{(", "Поле \"", "Поле не найдено ", "«", "<<?>>\n"] {
            let _ = read_message(&part.repeat(MAX_MESSAGE / part.len() + 7));
        }
    }
}
