//! Names in the text of a module: as words of code, in string literals, in comments.

use std::ops::Range;

use bsl::{HighlightKind, fold, highlight, same_name};

/// A place of a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mention {
    /// Its bytes.
    pub range: Range<usize>,
    /// 1-based line.
    pub line: u32,
    /// What it stands in.
    pub kind: MentionKind,
    /// What stands before its dot, if one does: the last name of it.
    pub qualifier: Option<String>,
}

/// What a name stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MentionKind {
    /// Code.
    Word,
    /// A string literal.
    String,
    /// A comment.
    Comment,
}

/// All places of a text where a name stands as a whole word. Bytes and lines are those of the text, a byte order mark included.
pub(crate) fn mentions(text: &str, name: &str) -> Vec<Mention> {
    // Most modules don't hold it: looking is cheaper than reading.
    if !fold(text).contains(&fold(name)) {
        return Vec::new();
    }
    let mark = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let code = &text[mark..];
    let mut found = Vec::new();
    let (mut line, mut counted) = (1, 0);
    let mut at_line = |at: usize| {
        line += code[counted..at].matches('\n').count();
        counted = at;
        u32::try_from(line).unwrap_or(u32::MAX)
    };
    // The last two tokens of code: `qualifier` and the dot.
    let mut before: [Range<usize>; 2] = [0..0, 0..0];
    for token in highlight(code) {
        let piece = &code[token.range.clone()];
        let moved = |range: Range<usize>| range.start + mark..range.end + mark;
        match token.kind {
            HighlightKind::Comment | HighlightKind::String => {
                let kind = if token.kind == HighlightKind::String { MentionKind::String } else { MentionKind::Comment };
                for (range, qualifier) in words(piece, name) {
                    let range = token.range.start + range.start..token.range.start + range.end;
                    let line = at_line(range.start);
                    found.push(Mention { range: moved(range), line, kind, qualifier });
                }
            }
            // A keyword behind a dot is a name, too.
            _ if same_name(piece, name) => {
                let dotted = &code[before[1].clone()] == ".";
                let qualifier = dotted.then(|| code[before[0].clone()].to_owned());
                let line = at_line(token.range.start);
                found.push(Mention { range: moved(token.range.clone()), line, kind: MentionKind::Word, qualifier });
            }
            _ => {}
        }
        if token.kind != HighlightKind::Comment {
            before = [before[1].clone(), token.range];
        }
    }
    found
}

/// Where a name stands in a text as a whole word, with the name before its dot.
pub(crate) fn words(text: &str, name: &str) -> Vec<(Range<usize>, Option<String>)> {
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    let mut found = Vec::new();
    let mut previous: Range<usize> = 0..0;
    let mut at = 0;
    while let Some(start) = text.get(at..).and_then(|rest| rest.find(is_word)).map(|start| at + start) {
        let end = text
            .get(start..)
            .and_then(|rest| rest.find(|letter| !is_word(letter)))
            .map_or(text.len(), |end| start + end);
        if same_name(&text[start..end], name) {
            let dotted = !previous.is_empty() && &text[previous.end..start] == ".";
            found.push((start..end, dotted.then(|| text[previous.clone()].to_owned())));
        }
        previous = start..end;
        at = end;
    }
    found
}

/// Whether a text is a name that code may give to a method or variable.
pub(crate) fn is_free_name(name: &str) -> bool {
    let mut letters = name.chars();
    let begins = letters.next().is_some_and(|first| first.is_alphabetic() || first == '_');
    let mut tokens = highlight(name);
    begins
        && letters.all(|letter| letter.is_alphanumeric() || letter == '_')
        && name.chars().count() <= 255
        && tokens.next().is_some_and(|token| token.kind == HighlightKind::Identifier && token.range == (0..name.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_code_strings_and_comments() {
        let text = "\u{feff}// См. Модуль.Имя\r\nА = Модуль.имя(Имя, \"Модуль.Имя ИмяДругое\n|Имя\");\nБ = Модуль . // а\n Имя;\n";
        let found = mentions(text, "Имя");
        let seen: Vec<(u32, MentionKind, Option<&str>)> =
            found.iter().map(|one| (one.line, one.kind, one.qualifier.as_deref())).collect();
        use MentionKind::{Comment, String, Word};
        let qualifier = Some("Модуль");
        assert_eq!(
            seen,
            [
                (1, Comment, qualifier),
                (2, Word, qualifier),
                (2, Word, None),
                (2, String, qualifier),
                (3, String, None),
                (5, Word, qualifier)
            ]
        );
        assert!(found.iter().all(|one| same_name(&text[one.range.clone()], "имя")));
        assert!(mentions("А = ИмяДругое;", "Имя").is_empty());
    }

    #[test]
    fn free_names() {
        for (name, free) in [
            ("Имя", true),
            ("_а1", true),
            ("1а", false),
            ("А Б", false),
            ("Если", false),
            ("", false),
            ("А-Б", false),
            ("А.Б", false),
        ] {
            assert_eq!(is_free_name(name), free, "{name}");
        }
    }
}
