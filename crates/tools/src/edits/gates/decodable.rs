//! The result is text that the platform and this program can read.

use super::super::gate::{Changed, Finding, Gate};
use crate::context::Context;
use crate::error::ToolError;

/// Refuses a byte order mark that goes, comes or stands in the middle, and characters that no text or no XML may hold.
///
/// ```text
/// refused: U+0000 in a module; U+0001 in a form; U+FFFD, which a damaged text is decoded to
/// ```
pub struct Decodable;

const MARK: char = '\u{feff}';

impl Gate for Decodable {
    fn name(&self) -> &'static str {
        "decodable"
    }

    fn check(&self, _context: &Context<'_>, files: &[Changed<'_>]) -> Result<Vec<Finding>, ToolError> {
        Ok(files.iter().filter_map(|file| self.look(file)).collect())
    }
}

impl Decodable {
    fn look(&self, file: &Changed<'_>) -> Option<Finding> {
        let finding = |at: usize, ru: String, en: String| Finding {
            gate: self.name().to_owned(),
            blocking: true,
            path: file.path.to_owned(),
            line: super::super::files::line_at(file.after, at),
            ru,
            en,
        };
        // A file that comes has the mark that its neighbours have.
        if !file.before.is_empty() && file.before.starts_with(MARK) != file.after.starts_with(MARK) {
            return Some(finding(
                0,
                "метка порядка байтов в начале файла должна остаться как была".to_owned(),
                "the byte order mark must stay as it was".to_owned(),
            ));
        }
        file.splices.placed().find_map(|(splice, range)| {
            let wrong = |(at, letter): &(usize, char)| match letter {
                '\t' | '\n' | '\r' => false,
                '\0'..='\u{1f}' | '\u{fffd}' | '\u{fffe}' | '\u{ffff}' => true,
                letter => *letter == MARK && range.start + at > 0,
            };
            let (at, letter) = splice.inserted.char_indices().find(wrong)?;
            let code = format!("U+{:04X}", u32::from(letter));
            Some(finding(
                range.start + at,
                format!("знаку {code} в тексте не место"),
                format!("no text may hold {code}"),
            ))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::splice::Revision;
    use super::*;

    fn found(before: &str, after: &str) -> Option<u32> {
        let mut revision = Revision::new(before);
        revision.become_text(after);
        let changed = Changed { path: "a.bsl", before, after, splices: revision.splices() };
        Decodable.look(&changed).map(|finding| finding.line)
    }

    #[test]
    fn marks_and_control_characters() {
        assert_eq!(found("\u{feff}А\nБ", "\u{feff}А\nВ\r\n\tГ"), None);
        assert_eq!(found("\u{feff}А", "А"), Some(1));
        assert_eq!(found("А", "\u{feff}А"), Some(1));
        assert_eq!(found("", "\u{feff}А"), None, "a new file");
        assert_eq!(found("А\n", "А\nБ\u{feff}"), Some(2));
        assert_eq!(found("А\n", "А\nБ\nВ\0"), Some(3));
        assert_eq!(found("А\u{1}\n", "А\u{1}\nБ"), None, "what stood there is no matter of the change");
    }
}
