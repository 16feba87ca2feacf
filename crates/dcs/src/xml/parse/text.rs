//! What stands between the tags: text, comments, sections, instructions.

use memchr::{memchr, memmem};

use super::characters::{is_name, is_space};
use super::{NodeKind, Parser, XmlProblemKind};
use crate::xml::escape::{Segment, Segments, is_allowed};

impl Parser<'_> {
    /// Text up to the next tag.
    pub(super) fn characters(&mut self) {
        let start = self.at;
        if self.bytes[start] == b'<' {
            self.problem(start..start + 1, XmlProblemKind::BadCharacter);
        }
        let end = memchr(b'<', &self.bytes[start + 1..]).map_or(self.bytes.len(), |found| start + 1 + found);
        let text = &self.text[start..end];
        if self.stack.is_empty() {
            if !text.bytes().all(is_space) {
                self.problem(start..end, XmlProblemKind::TextOutside);
            }
        } else {
            self.check_text(start, text, true);
            if let Some(found) = memmem::find(text.as_bytes(), b"]]>") {
                self.problem(start + found..start + found + 3, XmlProblemKind::BadCharacter);
            }
        }
        self.add(NodeKind::Text, start..end);
        self.at = end;
    }

    /// Characters and entities of a text.
    pub(super) fn check_text(&mut self, start: usize, text: &str, entities: bool) {
        if entities && memchr(b'&', text.as_bytes()).is_some() {
            let mut at = start;
            for segment in Segments::new(text, true) {
                if matches!(segment, Segment::Bad(_)) {
                    self.problem(at..at + 1, XmlProblemKind::BadEntity);
                }
                at += segment.written().len();
            }
        }
        // Only control characters and U+FFFE, U+FFFF (EF BF BE, EF BF BF) can be wrong in valid UTF-8.
        let suspicious = |&byte: &u8| (byte < b' ' && !matches!(byte, b'\t' | b'\n' | b'\r')) || byte == 0xEF;
        if text.as_bytes().iter().any(suspicious) {
            for (at, c) in text.char_indices().filter(|&(_, c)| !is_allowed(c)) {
                self.problem(start + at..start + at + c.len_utf8(), XmlProblemKind::BadCharacter);
            }
        }
    }

    pub(super) fn comment(&mut self) {
        let start = self.at;
        let inner = start + 4;
        let end = match memmem::find(&self.bytes[inner..], b"-->") {
            Some(found) => {
                let text = &self.text[inner..inner + found];
                if memmem::find(text.as_bytes(), b"--").is_some() || text.ends_with('-') {
                    self.problem(start..inner, XmlProblemKind::BadCharacter);
                }
                self.check_text(inner, text, false);
                inner + found + 3
            }
            None => self.broken(start),
        };
        self.add(NodeKind::Comment, start..end);
        self.at = end;
    }

    /// Something that breaks off: it reaches to the end of the text.
    pub(super) fn broken(&mut self, start: usize) -> usize {
        self.problem(start..start + 1, XmlProblemKind::Broken);
        self.bytes.len()
    }

    pub(super) fn section(&mut self) {
        let start = self.at;
        let inner = start + 9;
        let end = match memmem::find(&self.bytes[inner..], b"]]>") {
            Some(found) => {
                self.check_text(inner, &self.text[inner..inner + found], false);
                inner + found + 3
            }
            None => self.broken(start),
        };
        if self.stack.is_empty() {
            self.problem(start..end, XmlProblemKind::TextOutside);
        }
        self.add(NodeKind::CData, start..end);
        self.at = end;
    }

    pub(super) fn instruction(&mut self, begin: usize) {
        let start = self.at;
        let end = match memmem::find(&self.bytes[start..], b"?>") {
            Some(found) => start + found + 2,
            None => self.broken(start),
        };
        let text = self.text[start + 2..end].trim_end_matches("?>");
        let name = text.split(|c: char| c.is_ascii_whitespace()).next().unwrap_or("");
        if name == "xml" {
            if start != begin {
                self.problem(start..end, XmlProblemKind::LateDeclaration);
            }
            let pseudo = |name: &str| {
                let value = text.split_once(name)?.1.trim_start().strip_prefix('=')?.trim_start();
                let quote = value.chars().next().filter(|&c| c == '"' || c == '\'')?;
                value[1..].split_once(quote).map(|(value, _)| value)
            };
            if pseudo("version").is_none_or(|version| !version.starts_with("1.")) {
                self.problem(start..end, XmlProblemKind::BadAttribute);
            }
            if pseudo("encoding").is_some_and(|name| !name.eq_ignore_ascii_case("utf-8")) {
                self.problem(start..end, XmlProblemKind::Encoding);
            }
        } else if !is_name(name) || name.eq_ignore_ascii_case("xml") {
            self.problem(start..end, XmlProblemKind::BadName);
        }
        self.add(NodeKind::Instruction, start..end);
        self.at = end;
    }

    pub(super) fn document_type(&mut self) {
        let start = self.at;
        self.problem(start..start + 2, XmlProblemKind::DocumentType);
        let (mut end, mut depth) = (start + 2, 0_i32);
        while let Some(&byte) = self.bytes.get(end) {
            end += 1;
            match byte {
                b'[' => depth += 1,
                b']' => depth -= 1,
                b'>' if depth <= 0 => break,
                _ => {}
            }
        }
        self.add(NodeKind::DocumentType, start..end);
        self.at = end;
    }
}
