//! The platform's bracket notation: `{27,{"ru","Имя ""А"""},e1692cc2-605b-4535-84dd-28440238746c,{#base64:…}}`.
//!
//! Lists in braces, strings in quotes (a quote doubled), everything else up to a comma or brace. Contents of ordinary forms and
//! `ParentConfigurations.bin` are written in it. Reading never fails as a whole: what stood before the first wrong place stays.

use std::borrow::Cow;

/// Lists nested deeper than this are no genuine file; the limit keeps recursive readers within their stack.
const MAX_DEPTH: usize = 300;

/// An element of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Node<'a> {
    /// A number, a uuid, anything without quotes.
    Atom(&'a str),
    /// A string.
    Text(Cow<'a, str>),
    /// A list.
    List(Vec<Node<'a>>),
}

impl<'a> Node<'a> {
    /// What stands without quotes; empty for everything else.
    pub fn atom(&self) -> &'a str {
        if let Self::Atom(atom) = self { atom } else { "" }
    }

    /// A string.
    pub fn text(&self) -> Option<&str> {
        if let Self::Text(text) = self { Some(text) } else { None }
    }

    /// Elements of a list; none for everything else.
    pub fn list(&self) -> &[Node<'a>] {
        if let Self::List(list) = self { list } else { &[] }
    }
}

/// What a text holds.
#[derive(Debug, PartialEq, Eq)]
pub struct Brackets<'a> {
    /// What stands at the top: one list in a genuine file.
    pub nodes: Vec<Node<'a>>,
    /// The first wrong place: its 1-based line, and what is wrong.
    pub failure: Option<(u32, &'static str)>,
}

/// Reads a text; a byte order mark may precede it.
pub fn parse(text: &str) -> Brackets<'_> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let bytes = text.as_bytes();
    let mut open: Vec<Vec<Node<'_>>> = vec![Vec::new()];
    let mut at = 0;
    let mut failure = None;
    while let Some(&byte) = bytes.get(at) {
        let node = match byte {
            b'{' if open.len() > MAX_DEPTH => {
                failure = Some("lists nested too deep");
                break;
            }
            b'{' => {
                open.push(Vec::new());
                at += 1;
                continue;
            }
            b'}' if open.len() == 1 => {
                failure = Some("a list is closed that was not opened");
                break;
            }
            b'}' => {
                at += 1;
                Node::List(open.pop().unwrap_or_default())
            }
            b'"' => {
                let Some((string, end)) = string(text, at + 1) else {
                    failure = Some("a string is not closed");
                    break;
                };
                at = end;
                Node::Text(string)
            }
            b',' => {
                at += 1;
                continue;
            }
            byte if byte.is_ascii_whitespace() => {
                at += 1;
                continue;
            }
            _ => {
                let rest = text.get(at..).unwrap_or_default();
                let end = rest.find(['{', '}', ',', '"']).unwrap_or(rest.len());
                at += end;
                Node::Atom(rest.get(..end).unwrap_or_default().trim_end())
            }
        };
        if let Some(list) = open.last_mut() {
            list.push(node);
        }
    }
    if failure.is_none() && open.len() > 1 {
        failure = Some("the text ends within a list");
    }
    while open.len() > 1 {
        let list = open.pop().unwrap_or_default();
        if let Some(outer) = open.last_mut() {
            outer.push(Node::List(list));
        }
    }
    let line = || u32::try_from(memchr::memchr_iter(b'\n', bytes.get(..at).unwrap_or(bytes)).count() + 1);
    Brackets { nodes: open.pop().unwrap_or_default(), failure: failure.map(|what| (line().unwrap_or(u32::MAX), what)) }
}

/// The string whose first character stands at an offset, and the offset behind its closing quote.
fn string(text: &str, from: usize) -> Option<(Cow<'_, str>, usize)> {
    let mut string: Cow<'_, str> = Cow::Borrowed("");
    let mut at = from;
    loop {
        let rest = text.get(at..)?;
        let quote = memchr::memchr(b'"', rest.as_bytes())?;
        let doubled = rest.as_bytes().get(quote + 1) == Some(&b'"');
        let part = rest.get(..quote + usize::from(doubled))?;
        if string.is_empty() {
            string = Cow::Borrowed(part);
        } else {
            string.to_mut().push_str(part);
        }
        at += quote + 1 + usize::from(doubled);
        if !doubled {
            return Some((string, at));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Node::{Atom, List, Text};
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn lists_strings_and_atoms() {
        let read = parse("\u{feff}{27,\r\n{\"ru\",\"Фирма \"\"1С\"\"\"},e1-2,\"\",{#base64:AA\r\nB=}\r\n}");
        let inner = List(vec![Text("ru".into()), Text("Фирма \"1С\"".into())]);
        let base64 = List(vec![Atom("#base64:AA\r\nB=")]);
        assert_eq!(read.nodes, [List(vec![Atom("27"), inner, Atom("e1-2"), Text("".into()), base64])]);
        assert_eq!(read.failure, None);
    }

    #[test]
    fn what_stands_before_the_wrong_place_stays() {
        for (text, line) in [("{1,{2}", 1), ("{1,{2},\n\"x", 2), ("{1,{2}}\n}", 2)] {
            let read = parse(text);
            assert_eq!(read.nodes, [List(vec![Atom("1"), List(vec![Atom("2")])])], "{text}");
            assert_eq!(read.failure.map(|(line, _)| line), Some(line), "{text}");
        }
        assert_eq!(parse("").nodes, []);
    }

    #[test]
    fn a_quote_at_the_beginning_of_a_string() {
        assert_eq!(parse("\"\"\"\"").nodes, [Text("\"".into())]);
        assert_eq!(parse("\"\"\"\"\"а\"").nodes, [Text("\"\"а".into())]);
    }

    #[test]
    fn hostile_depth_is_an_error_not_a_crash() {
        let text = "{".repeat(200_000);
        let read = parse(&text);
        assert_eq!(read.failure.map(|(_, what)| what), Some("lists nested too deep"));
    }

    proptest! {
        #[test]
        fn any_text_is_survived(text in "[{}\",а1 \r\n-]{0,200}") {
            let _ = parse(&text);
        }

        #[test]
        fn strings_are_read_as_they_were(strings in proptest::collection::vec("[\"а,{}]{0,6}", 0..5)) {
            let written: Vec<String> = strings.iter().map(|s| format!("\"{}\"", s.replace('"', "\"\""))).collect();
            let written = format!("{{{}}}", written.join(","));
            let read = parse(&written);
            let back: Vec<&str> = read.nodes[0].list().iter().filter_map(Node::text).collect();
            prop_assert_eq!(back, strings);
        }
    }
}
