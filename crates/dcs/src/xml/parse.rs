//! From bytes to the tree, in one pass without recursion. Here are the elements; what stands between and inside of their tags has a
//! file each.

mod attributes;
mod characters;
mod namespaces;
mod text;

use std::ops::Range;

use memchr::memchr2;
use rustc_hash::FxHashMap;

use characters::{is_name_start, is_qualified_name};

use super::names::{KNOWN, NsId, ns};
use super::problem::{XmlProblem, XmlProblemKind};
use super::tree::{Attribute, Binding, ElementData, NONE, Node, NodeKind, Tree};

/// Most problems that are listed: a text that is no XML at all has one at every byte.
const MAX_PROBLEMS: usize = 1000;

/// Reads bytes. Never fails.
pub(crate) fn parse(bytes: Vec<u8>) -> Tree {
    let (text, rest) = match String::from_utf8(bytes) {
        Ok(text) => (text, Vec::new()),
        Err(error) => {
            let valid = error.utf8_error().valid_up_to();
            let mut bytes = error.into_bytes();
            let rest = bytes.split_off(valid);
            (String::from_utf8(bytes).unwrap_or_default(), rest)
        }
    };
    let is_too_long = text.len() + rest.len() >= NONE as usize;
    let mut parser = Parser::new(if is_too_long { "" } else { &text });
    if is_too_long {
        parser.problem(0..0, XmlProblemKind::TooLong);
    } else {
        parser.document();
    }
    if !rest.is_empty() {
        let end = if is_too_long { 0 } else { text.len() };
        parser.problem(end..end, XmlProblemKind::NotUtf8);
    }
    let Parser { nodes, elements, attributes, bindings, namespaces, mut problems, .. } = parser;
    problems.sort_by_key(|problem| problem.start);
    let lines = if is_too_long { vec![0] } else { line_starts(&text) };
    Tree { text, rest, nodes, elements, attributes, bindings, namespaces, lines, problems }
}

fn line_starts(text: &str) -> Vec<u32> {
    std::iter::once(0).chain(memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at as u32 + 1)).collect()
}

/// An element whose end tag is still to come.
struct Open<'t> {
    node: u32,
    name: &'t str,
    /// Innermost binding outside of it.
    outer_scope: u32,
}

struct Parser<'t> {
    text: &'t str,
    bytes: &'t [u8],
    at: usize,
    nodes: Vec<Node>,
    elements: Vec<ElementData>,
    attributes: Vec<Attribute>,
    bindings: Vec<Binding>,
    namespaces: Vec<Box<str>>,
    problems: Vec<XmlProblem>,
    stack: Vec<Open<'t>>,
    /// How many open elements bear a name: an end tag without its start tag is known at once.
    open_names: FxHashMap<&'t str, u32>,
    scope: u32,
    /// What each prefix is bound to, innermost last: bindings are looked up without walking outwards.
    bound: FxHashMap<&'t str, Vec<NsId>>,
    interned: FxHashMap<Box<str>, NsId>,
    has_root: bool,
}

impl<'t> Parser<'t> {
    fn new(text: &'t str) -> Self {
        let document = Node {
            kind: NodeKind::Document,
            start: 0,
            end: text.len() as u32,
            parent: NONE,
            first: NONE,
            last: NONE,
            next: NONE,
            previous: NONE,
            element: NONE,
        };
        Self {
            text,
            bytes: text.as_bytes(),
            at: 0,
            nodes: vec![document],
            elements: Vec::new(),
            attributes: Vec::new(),
            bindings: Vec::new(),
            namespaces: Vec::new(),
            problems: Vec::new(),
            stack: Vec::new(),
            open_names: FxHashMap::default(),
            scope: NONE,
            bound: FxHashMap::default(),
            interned: KNOWN.iter().enumerate().map(|(number, (_, uri))| ((*uri).into(), NsId(number as u32))).collect(),
            has_root: false,
        }
    }

    fn problem(&mut self, range: Range<usize>, kind: XmlProblemKind) {
        if self.problems.len() < MAX_PROBLEMS {
            self.problems.push(XmlProblem { start: range.start as u32, end: range.end as u32, kind });
        }
    }

    fn document(&mut self) {
        if self.text.starts_with('\u{feff}') {
            self.at = '\u{feff}'.len_utf8();
        }
        let begin = self.at;
        while self.at < self.bytes.len() {
            let start = self.at;
            let rest = &self.bytes[start..];
            if rest.starts_with(b"</") {
                self.end_tag();
            } else if rest.starts_with(b"<!--") {
                self.comment();
            } else if rest.starts_with(b"<![CDATA[") {
                self.section();
            } else if rest.starts_with(b"<!") {
                self.document_type();
            } else if rest.starts_with(b"<?") {
                self.instruction(begin);
            } else if rest[0] == b'<' && self.text[start + 1..].starts_with(is_name_start) {
                self.start_tag();
            } else {
                self.characters();
            }
        }
        let end = self.bytes.len();
        while let Some(open) = self.stack.pop() {
            let start = self.nodes[open.node as usize].start as usize;
            self.problem(start..start + 1 + open.name.len(), XmlProblemKind::Unclosed);
            self.close(open, end, end);
        }
        if !self.has_root {
            self.problem(end..end, XmlProblemKind::NoRoot);
        }
    }

    fn add(&mut self, kind: NodeKind, range: Range<usize>) -> u32 {
        let number = self.nodes.len() as u32;
        let parent = self.stack.last().map_or(0, |open| open.node);
        let previous = self.nodes[parent as usize].last;
        self.nodes.push(Node {
            kind,
            start: range.start as u32,
            end: range.end as u32,
            parent,
            first: NONE,
            last: NONE,
            next: NONE,
            previous,
            element: NONE,
        });
        match self.nodes.get_mut(previous as usize) {
            Some(previous) => previous.next = number,
            None => self.nodes[parent as usize].first = number,
        }
        self.nodes[parent as usize].last = number;
        number
    }

    fn end_tag(&mut self) {
        let start = self.at;
        let end = match memchr2(b'>', b'<', &self.bytes[start + 2..]) {
            Some(found) if self.bytes[start + 2 + found] == b'>' => start + 2 + found + 1,
            found => {
                self.problem(start..start + 2, XmlProblemKind::Broken);
                found.map_or(self.bytes.len(), |found| start + 2 + found)
            }
        };
        self.at = end;
        let name = self.text[start + 2..end].trim_end_matches('>').trim_end_matches(|c: char| c.is_ascii_whitespace());
        if self.open_names.get(name).is_none_or(|&count| count == 0) {
            self.problem(start..end, XmlProblemKind::UnexpectedEnd);
            // Its bytes belong to the text around it.
            self.add(NodeKind::Text, start..end);
            return;
        }
        while let Some(open) = self.stack.pop() {
            if open.name == name {
                self.close(open, start, end);
                return;
            }
            let begin = self.nodes[open.node as usize].start as usize;
            self.problem(begin..begin + 1 + open.name.len(), XmlProblemKind::Unclosed);
            self.close(open, start, start);
        }
    }

    /// Ends an element; it is off the stack already.
    fn close(&mut self, open: Open<'t>, close_start: usize, end: usize) {
        let node = &mut self.nodes[open.node as usize];
        node.end = end as u32;
        if let Some(element) = self.elements.get_mut(node.element as usize) {
            element.close_start = close_start as u32;
        }
        if let Some(count) = self.open_names.get_mut(open.name) {
            *count -= 1;
        }
        self.leave_scope(open.outer_scope);
    }

    fn start_tag(&mut self) {
        let start = self.at;
        let name_start = start + 1;
        self.at = name_start;
        let name = self.word();
        if !is_qualified_name(name) {
            self.problem(name_start..self.at, XmlProblemKind::BadName);
        }
        let first_attribute = self.attributes.len() as u32;
        let self_closing = self.attribute_list();
        let open_end = self.at;

        let outer_scope = self.scope;
        self.bind(first_attribute);
        let prefix_length = name.find(':').map_or(0, |colon| colon + 1);
        let ns = self.lookup(name[..prefix_length].trim_end_matches(':'), name_start..name_start + name.len());
        if self.stack.is_empty() {
            if self.has_root {
                self.problem(start..open_end, XmlProblemKind::SecondRoot);
            }
            self.has_root = true;
        }
        let node = self.add(NodeKind::Element, start..open_end);
        self.nodes[node as usize].element = self.elements.len() as u32;
        let mut element = ElementData {
            name: name_start as u32..(name_start + name.len()) as u32,
            prefix: prefix_length as u32,
            ns,
            attributes: first_attribute..self.attributes.len() as u32,
            open_end: open_end as u32,
            close_start: open_end as u32,
            self_closing,
            scope: self.scope,
            type_attribute: NONE,
            type_ns: ns::NONE,
            type_local: 0..0,
            nil: false,
        };
        self.attribute_names(&mut element);
        self.elements.push(element);
        if self_closing {
            self.leave_scope(outer_scope);
        } else {
            *self.open_names.entry(name).or_default() += 1;
            self.stack.push(Open { node, name, outer_scope });
        }
    }
}

#[cfg(test)]
mod tests;
