//! The doc comment of a method.

use super::source::text_of;
use super::token::Token;

/// The comment lines right above `line`, `//` taken off, joined by LF. A comment behind code on its line is none.
pub(crate) fn above(text: &str, comments: &[Token], line: u32) -> Option<String> {
    let end = comments.partition_point(|comment| comment.line < line);
    let mut start = end;
    let mut expected = line;
    while let Some(comment) = start.checked_sub(1).and_then(|index| comments.get(index)) {
        if comment.line + 1 != expected || !comment.first_on_line {
            break;
        }
        expected = comment.line;
        start -= 1;
    }
    let lines = comments.get(start..end).filter(|lines| !lines.is_empty())?;
    let mut doc = String::new();
    for (index, &comment) in lines.iter().enumerate() {
        if index > 0 {
            doc.push('\n');
        }
        doc.push_str(text_of(text, comment).trim_start_matches("//").trim_end());
    }
    Some(doc)
}
