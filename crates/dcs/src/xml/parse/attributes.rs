//! The attributes of a start tag.

use memchr::{memchr, memchr2};

use super::characters::{is_qualified_name, is_space};
use super::{Attribute, Parser, XmlProblemKind, ns};

impl<'t> Parser<'t> {
    /// A name: up to a space or a character that no name has.
    pub(super) fn word(&mut self) -> &'t str {
        let start = self.at;
        let length = self.bytes[start..]
            .iter()
            .position(|&byte| is_space(byte) || matches!(byte, b'/' | b'>' | b'<' | b'=' | b'"' | b'\''));
        self.at = length.map_or(self.bytes.len(), |length| start + length);
        &self.text[start..self.at]
    }

    pub(super) fn spaces(&mut self) -> bool {
        let start = self.at;
        while self.bytes.get(self.at).is_some_and(|&byte| is_space(byte)) {
            self.at += 1;
        }
        self.at > start
    }

    /// Attributes up to the end of the tag. Whether it closes itself.
    pub(super) fn attribute_list(&mut self) -> bool {
        loop {
            let is_apart = self.spaces();
            match self.bytes.get(self.at) {
                Some(b'>') => {
                    self.at += 1;
                    return false;
                }
                Some(b'/') if self.bytes.get(self.at + 1) == Some(&b'>') => {
                    self.at += 2;
                    return true;
                }
                None | Some(b'<') => {
                    self.problem(self.at..self.at, XmlProblemKind::Broken);
                    return false;
                }
                Some(_) => self.attribute(is_apart),
            }
        }
    }

    pub(super) fn attribute(&mut self, is_apart: bool) {
        let start = self.at;
        let name = self.word();
        let name_end = self.at;
        if name.is_empty() {
            self.problem(start..start + 1, XmlProblemKind::BadAttribute);
            self.at += 1;
            return;
        }
        if !is_qualified_name(name) {
            self.problem(start..name_end, XmlProblemKind::BadName);
        }
        self.spaces();
        let quote = (self.bytes.get(self.at) == Some(&b'=')).then(|| {
            self.at += 1;
            self.spaces();
            self.bytes.get(self.at).copied()
        });
        let Some(Some(quote @ (b'"' | b'\''))) = quote else {
            self.problem(start..name_end, XmlProblemKind::BadAttribute);
            return;
        };
        if !is_apart {
            self.problem(start..name_end, XmlProblemKind::BadAttribute);
        }
        let value_start = self.at + 1;
        let value_end = match memchr(quote, &self.bytes[value_start..]) {
            Some(found) => {
                self.at = value_start + found + 1;
                value_start + found
            }
            None => {
                self.problem(start..value_start, XmlProblemKind::Broken);
                let length = memchr2(b'<', b'>', &self.bytes[value_start..]).unwrap_or(self.bytes.len() - value_start);
                self.at = value_start + length;
                self.at
            }
        };
        let value = &self.text[value_start..value_end];
        if let Some(found) = memchr(b'<', value.as_bytes()) {
            self.problem(value_start + found..value_start + found + 1, XmlProblemKind::BadCharacter);
        }
        self.check_text(value_start, value, true);
        self.attributes.push(Attribute {
            name: start as u32..name_end as u32,
            prefix: name.find(':').map_or(0, |colon| colon as u32 + 1),
            ns: ns::NONE,
            value: value_start as u32..value_end as u32,
        });
    }
}
