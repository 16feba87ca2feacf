//! The value of a string literal.

use memchr::memchr2;

use super::keywords::{self, Directive};
use super::lexer::continuation;

/// Appends the value of the literal (or of adjacent literals) written in `written`: quotes undone, lines joined by LF.
///
/// Adjacent literals are one string with a line feed between its parts, as lines with `|` are. Comments, blank lines and
/// directives between the lines are no part of the value, nor are lines under `#Удаление`.
pub(crate) fn unquote(written: &str, value: &mut String) {
    let bytes = written.as_bytes();
    let mut position = 0;
    let mut parts = 0;
    while let Some(open) = next_quote(bytes, position) {
        if parts > 0 {
            value.push('\n');
        }
        parts += 1;
        position = one_literal(written, open + 1, value);
    }
}

/// Reads up to the closing quote; gives the offset behind it.
fn one_literal(written: &str, mut position: usize, value: &mut String) -> usize {
    let bytes = written.as_bytes();
    loop {
        let rest = bytes.get(position..).unwrap_or(&[]);
        let Some(found) = memchr2(b'"', b'\n', rest) else {
            value.push_str(written.get(position..).unwrap_or(""));
            return bytes.len();
        };
        let at = position + found;
        let line = written.get(position..at).unwrap_or("");
        if bytes.get(at) == Some(&b'"') {
            value.push_str(line);
            if bytes.get(at + 1) != Some(&b'"') {
                return at + 1;
            }
            value.push('"');
            position = at + 2;
            continue;
        }
        value.push_str(line.trim_end_matches('\r'));
        match next_line(written, at) {
            Some(bar) => {
                value.push('\n');
                position = bar + 1;
            }
            None => return bytes.len(),
        }
    }
}

/// The `|` where the string goes on after the LF at `line_feed`, past lines that an extension deletes.
fn next_line(written: &str, line_feed: usize) -> Option<usize> {
    let bytes = written.as_bytes();
    let (mut bar, _) = continuation(bytes, line_feed)?;
    let mut from = line_feed;
    let mut deleting = false;
    loop {
        deleting = deletion_after(written.get(from..bar)?, deleting);
        if !deleting {
            return Some(bar);
        }
        let line_feed = bar + memchr::memchr(b'\n', bytes.get(bar..)?)?;
        from = line_feed;
        bar = continuation(bytes, line_feed)?.0;
    }
}

/// Whether text after these lines is deleted.
fn deletion_after(between: &str, mut deleting: bool) -> bool {
    if !between.contains('#') {
        return deleting;
    }
    for line in between.lines() {
        match keywords::directive_of_line(line) {
            Some(Directive::Delete) => deleting = true,
            Some(Directive::EndDelete) => deleting = false,
            _ => {}
        }
    }
    deleting
}

/// The next opening quote outside comments and directives.
fn next_quote(bytes: &[u8], mut position: usize) -> Option<usize> {
    loop {
        match *bytes.get(position)? {
            b'"' => return Some(position),
            b'/' | b'#' => position += memchr::memchr(b'\n', bytes.get(position..)?)?,
            _ => position += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(written: &str) -> String {
        let mut value = String::new();
        unquote(written, &mut value);
        value
    }

    #[test]
    fn quotes_lines_and_neighbours() {
        assert_eq!(value("\"а \"\"б\"\"\""), "а \"б\"");
        assert_eq!(value("\"\""), "");
        assert_eq!(value("\"а\r\n  // нет \" кавычки\r\n\t|б // да\r\n|\""), "а\nб // да\n");
        assert_eq!(value("\"раз\" // \"нет\"\n \"два\""), "раз\nдва");
        assert_eq!(value("\"без конца"), "без конца");
    }

    #[test]
    fn deleted_lines_are_left_out() {
        assert_eq!(value("\"а\n#Удаление\n|б\n|в\n#КонецУдаления\n#Вставка\n|г\n#КонецВставки\n|д\""), "а\nг\nд");
    }
}
