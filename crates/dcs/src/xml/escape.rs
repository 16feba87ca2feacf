//! Text as it is written in XML, and as it is meant.

use std::borrow::Cow;

use memchr::{memchr, memchr2};

/// Writes a text as the content of an element, as the platform does: `&`, `<` and `>` are replaced, and a carriage return, which
/// XML would not keep.
pub fn escape_text(text: &str) -> Cow<'_, str> {
    escape(text, |byte| match byte {
        b'&' => Some("&amp;"),
        b'<' => Some("&lt;"),
        b'>' => Some("&gt;"),
        b'\r' => Some("&#xD;"),
        _ => None,
    })
}

/// Writes a text as the value of an attribute in double quotes.
pub fn escape_attribute(text: &str) -> Cow<'_, str> {
    escape(text, |byte| match byte {
        b'&' => Some("&amp;"),
        b'<' => Some("&lt;"),
        b'>' => Some("&gt;"),
        b'"' => Some("&quot;"),
        b'\r' => Some("&#xD;"),
        b'\n' => Some("&#xA;"),
        b'\t' => Some("&#x9;"),
        _ => None,
    })
}

fn escape(text: &str, replaced: impl Fn(u8) -> Option<&'static str>) -> Cow<'_, str> {
    if !text.bytes().any(|byte| replaced(byte).is_some()) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    let mut from = 0;
    for (at, byte) in text.bytes().enumerate() {
        if let Some(with) = replaced(byte) {
            out.push_str(&text[from..at]);
            out.push_str(with);
            from = at + 1;
        }
    }
    out.push_str(&text[from..]);
    Cow::Owned(out)
}

/// A piece of written text that means one run of characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Segment<'t> {
    /// Characters that mean themselves.
    Plain(&'t str),
    /// An entity, or a line end that is read as LF: what is written, what it means.
    Replaced(&'t str, char),
    /// `&` that begins no entity; it is read as itself.
    Bad(&'t str),
}

impl<'t> Segment<'t> {
    /// What is written.
    pub(crate) fn written(self) -> &'t str {
        match self {
            Self::Plain(text) | Self::Replaced(text, _) | Self::Bad(text) => text,
        }
    }
}

/// Cuts written text into what means what. `entities` is off in CDATA.
pub(crate) struct Segments<'t> {
    rest: &'t str,
    entities: bool,
}

impl<'t> Segments<'t> {
    pub(crate) fn new(text: &'t str, entities: bool) -> Self {
        Self { rest: text, entities }
    }
}

impl<'t> Iterator for Segments<'t> {
    type Item = Segment<'t>;

    fn next(&mut self) -> Option<Segment<'t>> {
        let bytes = self.rest.as_bytes();
        let first = *bytes.first()?;
        let (segment, length) = match first {
            b'&' if self.entities => match entity(self.rest) {
                Some((length, meant)) => (Segment::Replaced(&self.rest[..length], meant), length),
                None => (Segment::Bad(&self.rest[..1]), 1),
            },
            b'\r' => {
                let length = if bytes.get(1) == Some(&b'\n') { 2 } else { 1 };
                (Segment::Replaced(&self.rest[..length], '\n'), length)
            }
            _ => {
                let end = if self.entities { memchr2(b'&', b'\r', bytes) } else { memchr(b'\r', bytes) };
                let length = end.unwrap_or(bytes.len());
                (Segment::Plain(&self.rest[..length]), length)
            }
        };
        self.rest = &self.rest[length..];
        Some(segment)
    }
}

/// The entity that a text begins with: its length, what it means.
fn entity(text: &str) -> Option<(usize, char)> {
    // The longest is `&#x0010FFFF;`, with leading zeros somewhat longer.
    let end = text.bytes().take(32).position(|byte| byte == b';')?;
    let meant = match &text[1..end] {
        "amp" => '&',
        "lt" => '<',
        "gt" => '>',
        "quot" => '"',
        "apos" => '\'',
        name => {
            let number = name.strip_prefix('#')?;
            let value = match number.strip_prefix('x') {
                Some(hex) if hex.bytes().all(|b| b.is_ascii_hexdigit()) => u32::from_str_radix(hex, 16).ok()?,
                None if number.bytes().all(|b| b.is_ascii_digit()) => number.parse().ok()?,
                _ => return None,
            };
            char::from_u32(value).filter(|&c| is_allowed(c))?
        }
    };
    Some((end + 1, meant))
}

/// Whether XML allows a character.
pub(crate) fn is_allowed(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | '\u{20}'..='\u{D7FF}' | '\u{E000}'..='\u{FFFD}' | '\u{10000}'..)
}

/// What a written text means: entities replaced, line ends as LF.
pub fn unescape(text: &str) -> Cow<'_, str> {
    if memchr2(b'&', b'\r', text.as_bytes()).is_none() {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    push_meant(&mut out, Segments::new(text, true));
    Cow::Owned(out)
}

pub(crate) fn push_meant(out: &mut String, segments: Segments<'_>) {
    for segment in segments {
        match segment {
            Segment::Plain(text) | Segment::Bad(text) => out.push_str(text),
            Segment::Replaced(_, meant) => out.push(meant),
        }
    }
}

/// The byte of a written text at which a byte of what it means stands.
pub(crate) fn written_at(written: &str, meant: usize) -> Option<usize> {
    let (mut at, mut reached) = (0, 0);
    for segment in Segments::new(written, true) {
        let length = match segment {
            Segment::Plain(text) | Segment::Bad(text) => text.len(),
            Segment::Replaced(_, c) => c.len_utf8(),
        };
        if meant < reached + length {
            let inside = meant - reached;
            return match segment {
                Segment::Replaced(..) if inside > 0 => None,
                _ => Some(at + inside),
            };
        }
        reached += length;
        at += segment.written().len();
    }
    (meant == reached).then_some(at)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn entities_and_line_ends() {
        assert_eq!(unescape("a &lt;b&gt; &amp;&quot;&apos;&#65;&#x42;\r\nc\rd"), "a <b> &\"'AB\nc\nd");
        assert_eq!(unescape("&nbsp; & &#0; &#xD800;"), "&nbsp; & &#0; &#xD800;");
        assert_eq!(escape_text("a < b & c > \"d\""), "a &lt; b &amp; c &gt; \"d\"");
        assert_eq!(escape_attribute("a\"\n"), "a&quot;&#xA;");
    }

    proptest! {
        #[test]
        fn what_is_escaped_means_the_same(text in "[ -~\r\n\tа-я]{0,40}") {
            prop_assert_eq!(unescape(&escape_text(&text)).into_owned(), text.clone());
            prop_assert_eq!(unescape(&escape_attribute(&text)).into_owned(), text);
        }
    }
}
