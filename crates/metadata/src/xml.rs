//! A pull cursor over one XML file: child elements by callback, texts, lines, prefixes by namespace. It also plays back a
//! tree ([`Node`]), so that what was translated from another format is read by the same readers.
//!
//! It never fails as a whole: at the first malformed place it behaves as if the file ended there, and remembers the
//! place ([`Xml::failure`]), so that a reader keeps what it has.

use crate::tree::Node;
use memchr::memchr_iter;
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use std::borrow::Cow;

/// Elements nested deeper than this are no genuine file; the limit keeps recursive readers within their stack.
const MAX_DEPTH: usize = 400;

/// Namespaces whose prefixes matter inside values (`cfg:CatalogRef.X`), found by address, not by prefix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Space {
    /// Types of the configuration.
    Configuration,
    /// XML Schema: primitive types.
    Schema,
    /// Items of the style.
    Style,
    /// Everything else.
    Other,
}

impl Space {
    fn of(address: &str) -> Self {
        match address {
            "http://v8.1c.ru/8.1/data/enterprise/current-config" => Self::Configuration,
            "http://www.w3.org/2001/XMLSchema" => Self::Schema,
            "http://v8.1c.ru/8.1/data/ui/style" => Self::Style,
            _ => Self::Other,
        }
    }
}

/// Where a file stopped being well-formed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// 1-based line.
    pub line: u32,
    /// The parser's message.
    pub message: String,
}

/// An opened element.
#[derive(Debug)]
pub enum Element<'a> {
    /// Of a text.
    Parsed(BytesStart<'a>),
    /// Of a tree.
    Node(&'a Node),
}

impl Element<'_> {
    /// Name without prefix.
    pub fn name(&self) -> &str {
        match self {
            Self::Parsed(start) => start.local_name().into_inner(),
            Self::Node(node) => &node.name,
        }
    }

    /// True if it has an attribute of exactly that name.
    pub fn has(&self, name: &str) -> bool {
        match self {
            Self::Parsed(start) => start.attributes().with_checks(false).flatten().any(|a| a.key.as_ref() == name),
            Self::Node(node) => node.attributes.iter().any(|(key, _)| key == name),
        }
    }

    /// Value of an attribute, by name with or without prefix.
    pub fn attribute(&self, name: &str) -> Option<String> {
        match self {
            Self::Parsed(start) => {
                let mut attributes = start.attributes();
                let found = attributes
                    .with_checks(false)
                    .flatten()
                    .find(|a| a.key.as_ref() == name || a.key.local_name().into_inner() == name)?;
                Some(unescape(&found.value))
            }
            Self::Node(node) => node.attribute(name).map(str::to_owned),
        }
    }

    /// Every attribute, in file order.
    pub fn attributes(&self) -> Vec<(String, String)> {
        match self {
            Self::Parsed(start) => {
                let mut attributes = start.attributes();
                let all = attributes.with_checks(false).flatten();
                all.map(|a| (a.key.as_ref().to_owned(), unescape(&a.value))).collect()
            }
            Self::Node(node) => node.attributes.clone(),
        }
    }
}

fn unescape(value: &str) -> String {
    quick_xml::escape::unescape(value).map_or_else(|_| value.to_owned(), Cow::into_owned)
}

enum Step<'a> {
    Open(Element<'a>),
    Close,
    End,
}

/// The cursor.
pub struct Xml<'a> {
    reader: Reader<&'a [u8]>,
    source: &'a [u8],
    depth: usize,
    /// Offset of the last event.
    start: usize,
    /// Offset up to which lines were counted, and their number.
    counted: (usize, u32),
    /// (depth of the element, prefix, namespace), innermost last.
    prefixes: Vec<(usize, String, Space)>,
    failure: Option<Failure>,
    /// The tree that is played back instead of a text.
    replay: Option<Replay<'a>>,
}

/// How far a tree was played back.
struct Replay<'a> {
    root: Option<&'a Node>,
    /// Opened elements and the number of steps taken in each.
    open: Vec<(&'a Node, usize)>,
    /// Line of the element that was opened last.
    line: u32,
}

impl<'a> Replay<'a> {
    fn step(&mut self, text: Option<&mut String>) -> Step<'a> {
        if let Some(root) = self.root.take() {
            return self.enter(root);
        }
        let Some((node, steps)) = self.open.last_mut() else { return Step::End };
        let node: &'a Node = node;
        let next = node.children.get(*steps);
        if *steps == 0
            && let Some(text) = text
        {
            text.push_str(&node.text);
        }
        *steps += 1;
        if let Some(child) = next {
            return self.enter(child);
        }
        self.open.pop();
        Step::Close
    }

    fn enter(&mut self, node: &'a Node) -> Step<'a> {
        self.line = node.line;
        self.open.push((node, 0));
        Step::Open(Element::Node(node))
    }
}

impl<'a> From<&'a str> for Xml<'a> {
    fn from(text: &'a str) -> Self {
        Self::new(text)
    }
}

impl<'a> From<&'a String> for Xml<'a> {
    fn from(text: &'a String) -> Self {
        Self::new(text)
    }
}

impl<'a> From<&'a Node> for Xml<'a> {
    fn from(root: &'a Node) -> Self {
        let replay = Replay { root: Some(root), open: Vec::new(), line: 1 };
        Self { replay: Some(replay), ..Self::new("") }
    }
}

impl<'a> Xml<'a> {
    /// Starts at the beginning of a text; a byte order mark may precede it.
    pub fn new(text: &'a str) -> Self {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut reader = Reader::from_str(text);
        reader.config_mut().expand_empty_elements = true;
        Self {
            reader,
            source: text.as_bytes(),
            depth: 0,
            start: 0,
            counted: (0, 1),
            prefixes: Vec::new(),
            failure: None,
            replay: None,
        }
    }

    /// Where the file stopped being well-formed; None as long as it is.
    pub fn failure(&self) -> Option<&Failure> {
        self.failure.as_ref()
    }

    /// Line of the element that was opened last, provided nothing was read since.
    pub fn line(&mut self) -> u32 {
        if let Some(replay) = &self.replay {
            return replay.line;
        }
        let (from, lines) = self.counted;
        if self.start > from {
            let new = self.source.get(from..self.start).map_or(0, |s| memchr_iter(b'\n', s).count());
            self.counted = (self.start, lines + u32::try_from(new).unwrap_or(u32::MAX));
        }
        self.counted.1
    }

    /// Namespace of a prefix, where it is declared here.
    pub fn space(&self, prefix: &str) -> Option<Space> {
        self.prefixes.iter().rev().find(|(_, p, _)| p == prefix).map(|(_, _, space)| *space)
    }

    /// Namespace of a prefix that an element itself or one around it declares.
    pub fn space_at(&self, element: &Element<'_>, prefix: &str) -> Option<Space> {
        let own = element.attribute(&format!("xmlns:{prefix}"));
        own.map_or_else(|| self.space(prefix), |address| Some(Space::of(&address)))
    }

    /// Calls back for every child of the current element (or of the document); what the callback leaves unread is
    /// skipped.
    pub fn children(&mut self, f: impl FnMut(&mut Self, &Element<'a>)) {
        self.walk(None, f);
    }

    /// Like [`Xml::children`], and gives the element's own text.
    pub fn content(&mut self, f: impl FnMut(&mut Self, &Element<'a>)) -> String {
        let mut text = String::new();
        self.walk(Some(&mut text), f);
        text
    }

    /// The current element's own text; its children are skipped.
    pub fn text(&mut self) -> String {
        self.content(|_, _| ())
    }

    fn walk(&mut self, mut text: Option<&mut String>, mut f: impl FnMut(&mut Self, &Element<'a>)) {
        let depth = self.depth;
        loop {
            match self.step(text.as_deref_mut()) {
                Step::Open(element) => {
                    f(self, &element);
                    while self.depth > depth {
                        if matches!(self.step(None), Step::End) {
                            return;
                        }
                    }
                }
                Step::Close if self.depth < depth => return,
                Step::Close => {}
                Step::End => return,
            }
        }
    }

    fn fail(&mut self, message: String) -> Step<'a> {
        let line = self.line();
        self.failure.get_or_insert(Failure { line, message });
        Step::End
    }

    fn step(&mut self, mut text: Option<&mut String>) -> Step<'a> {
        if self.failure.is_some() {
            return Step::End;
        }
        if let Some(replay) = &mut self.replay {
            let step = replay.step(text);
            self.depth = replay.open.len();
            return step;
        }
        loop {
            self.start = usize::try_from(self.reader.buffer_position()).unwrap_or(usize::MAX);
            match self.reader.read_event() {
                Ok(Event::Start(start)) => {
                    self.depth += 1;
                    if self.depth > MAX_DEPTH {
                        return self.fail(format!("elements nested deeper than {MAX_DEPTH}"));
                    }
                    if start.attributes_raw().contains("xmlns") {
                        self.declare(&start);
                    }
                    return Step::Open(Element::Parsed(start));
                }
                Ok(Event::End(_)) => {
                    let Some(depth) = self.depth.checked_sub(1) else {
                        return self.fail("an element is closed that was not opened".to_owned());
                    };
                    while self.prefixes.last().is_some_and(|(d, _, _)| *d > depth) {
                        self.prefixes.pop();
                    }
                    self.depth = depth;
                    return Step::Close;
                }
                Ok(Event::Text(part)) => {
                    if let Some(text) = text.as_deref_mut() {
                        text.push_str(&part.xml10_content());
                    }
                }
                Ok(Event::CData(part)) => {
                    if let Some(text) = text.as_deref_mut() {
                        text.push_str(&part.xml10_content());
                    }
                }
                Ok(Event::GeneralRef(reference)) => {
                    if let Some(text) = text.as_deref_mut() {
                        push_reference(text, &reference);
                    }
                }
                Ok(Event::Eof) if self.depth > 0 => return self.fail("unexpected end of file".to_owned()),
                Ok(Event::Eof) => return Step::End,
                Ok(_) => {}
                Err(error) => return self.fail(error.to_string()),
            }
        }
    }

    fn declare(&mut self, start: &BytesStart<'a>) {
        for attribute in start.attributes().with_checks(false).flatten() {
            if let Some(prefix) = attribute.key.as_ref().strip_prefix("xmlns:") {
                self.prefixes.push((self.depth, prefix.to_owned(), Space::of(&attribute.value)));
            }
        }
    }
}

fn push_reference(text: &mut String, reference: &quick_xml::events::BytesRef<'_>) {
    if let Ok(Some(c)) = reference.resolve_char_ref() {
        text.push(c);
    } else if let Some(value) = quick_xml::escape::resolve_predefined_entity(reference) {
        text.push_str(value);
    } else {
        text.push('&');
        text.push_str(reference);
        text.push(';');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn children_texts_references_and_lines() {
        let mut xml =
            Xml::new("\u{feff}<?xml version=\"1.0\"?>\n<a>\n <b n=\"1&amp;2\">x &lt;&#1103;<i>no</i></b>\n <c/>\n</a>");
        let mut seen = Vec::new();
        xml.children(|xml, root| {
            assert_eq!(root.name(), "a");
            xml.children(|xml, e| {
                let line = xml.line();
                seen.push((e.name().to_owned(), e.attribute("n"), line, xml.text()));
            });
        });
        assert_eq!(
            seen,
            [("b".to_owned(), Some("1&2".to_owned()), 3, "x <я".to_owned()), ("c".to_owned(), None, 4, String::new())]
        );
        assert_eq!(xml.failure(), None);
    }

    #[test]
    fn prefixes_by_address_and_scope() {
        let source = r#"<a xmlns:q="http://www.w3.org/2001/XMLSchema"><b xmlns:q="urn:x"/><c/></a>"#;
        let mut xml = Xml::new(source);
        let mut spaces = Vec::new();
        xml.children(|xml, _| xml.children(|xml, _| spaces.push(xml.space("q"))));
        assert_eq!(spaces, [Some(Space::Other), Some(Space::Schema)]);
    }

    #[test]
    fn what_stands_before_the_error_is_kept() {
        for source in ["<a>\n<b>1</b>\n<c></d></a>", "<a>\n<b>1</b>\n<c>"] {
            let mut xml = Xml::new(source);
            let mut texts = Vec::new();
            xml.children(|xml, _| xml.children(|xml, _| texts.push(xml.text())));
            assert_eq!(texts.first().map(String::as_str), Some("1"), "{source}");
            assert_eq!(xml.failure().map(|f| f.line), Some(3), "{source}");
        }
    }

    #[test]
    fn a_tree_is_read_like_the_text_that_it_was_made_of() {
        let source = "<a>\n <b n=\"1\">x<c>no</c></b>\n <b/><d>y</d></a>";
        fn read(mut xml: Xml<'_>) -> Vec<(String, Option<String>, u32, String)> {
            let mut seen = Vec::new();
            xml.children(|xml, _| {
                xml.children(|xml, e| {
                    let line = xml.line();
                    seen.push((e.name().to_owned(), e.attribute("n"), line, xml.text().trim().to_owned()));
                });
            });
            seen
        }
        let (root, failure) = Node::parse(source);
        assert_eq!(failure, None);
        let root = root.expect("a root");
        assert_eq!(read(Xml::from(&root)).get(1..), read(Xml::new(source)).get(1..));
        assert_eq!(read(Xml::from(&root)).len(), 3);
    }

    #[test]
    fn hostile_depth_is_an_error_not_a_crash() {
        let source = "<a>".repeat(100_000);
        fn all(xml: &mut Xml<'_>) {
            xml.children(|xml, _| all(xml));
        }
        let mut xml = Xml::new(&source);
        all(&mut xml);
        assert!(xml.failure().is_some_and(|f| f.message.contains("deeper")));
    }
}
