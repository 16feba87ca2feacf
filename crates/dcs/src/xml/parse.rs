//! From bytes to the tree, in one pass without recursion.

use std::ops::Range;

use memchr::{memchr, memchr2, memmem};
use rustc_hash::{FxHashMap, FxHashSet};

use super::escape::{Segment, Segments, is_allowed, unescape};
use super::names::{KNOWN, NsId, ns};
use super::problem::{XmlProblem, XmlProblemKind};
use super::tree::{Attribute, Binding, ElementData, NONE, Node, NodeKind, Tree};

/// Most problems that are listed: a text that is no XML at all has one at every byte.
const MAX_PROBLEMS: usize = 1000;
/// From here on repeated attributes are looked for by hash.
const MANY_ATTRIBUTES: usize = 8;

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

    /// Text up to the next tag.
    fn characters(&mut self) {
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
    fn check_text(&mut self, start: usize, text: &str, entities: bool) {
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

    fn comment(&mut self) {
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
    fn broken(&mut self, start: usize) -> usize {
        self.problem(start..start + 1, XmlProblemKind::Broken);
        self.bytes.len()
    }

    fn section(&mut self) {
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

    fn instruction(&mut self, begin: usize) {
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

    fn document_type(&mut self) {
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

    fn leave_scope(&mut self, outer: u32) {
        while self.scope != outer {
            let Some(binding) = self.bindings.get(self.scope as usize) else { break };
            let prefix = &self.text[binding.prefix.start as usize..binding.prefix.end as usize];
            if let Some(bound) = self.bound.get_mut(prefix) {
                bound.pop();
            }
            self.scope = binding.outer;
        }
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

    /// A name: up to a space or a character that no name has.
    fn word(&mut self) -> &'t str {
        let start = self.at;
        let length = self.bytes[start..]
            .iter()
            .position(|&byte| is_space(byte) || matches!(byte, b'/' | b'>' | b'<' | b'=' | b'"' | b'\''));
        self.at = length.map_or(self.bytes.len(), |length| start + length);
        &self.text[start..self.at]
    }

    fn spaces(&mut self) -> bool {
        let start = self.at;
        while self.bytes.get(self.at).is_some_and(|&byte| is_space(byte)) {
            self.at += 1;
        }
        self.at > start
    }

    /// Attributes up to the end of the tag. Whether it closes itself.
    fn attribute_list(&mut self) -> bool {
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

    fn attribute(&mut self, is_apart: bool) {
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

    fn slice(&self, range: &Range<u32>) -> &'t str {
        &self.text[range.start as usize..range.end as usize]
    }

    /// Binds the prefixes that a start tag declares.
    fn bind(&mut self, first_attribute: u32) {
        for number in first_attribute as usize..self.attributes.len() {
            let Attribute { name, value, .. } = self.attributes[number].clone();
            let prefix = match self.slice(&name) {
                "xmlns" => name.end..name.end,
                other if other.starts_with("xmlns:") => name.start + 6..name.end,
                _ => continue,
            };
            let uri = unescape(self.slice(&value));
            if uri.is_empty() && !prefix.is_empty() {
                self.problem(name.start as usize..value.end as usize, XmlProblemKind::UnboundPrefix);
            }
            let ns = self.intern(&uri);
            self.bound.entry(self.slice(&prefix)).or_default().push(ns);
            self.bindings.push(Binding { prefix, ns, outer: self.scope });
            self.scope = self.bindings.len() as u32 - 1;
        }
    }

    fn intern(&mut self, uri: &str) -> NsId {
        if let Some(&known) = self.interned.get(uri) {
            return known;
        }
        let ns = NsId((KNOWN.len() + self.namespaces.len()) as u32);
        self.namespaces.push(uri.into());
        self.interned.insert(uri.into(), ns);
        ns
    }

    fn lookup(&mut self, prefix: &str, place: Range<usize>) -> NsId {
        match self.bound.get(prefix).and_then(|bound| bound.last()) {
            Some(&ns) => ns,
            None if prefix.is_empty() => ns::NONE,
            None if prefix == "xml" => ns::XML,
            None => {
                self.problem(place, XmlProblemKind::UnboundPrefix);
                ns::UNBOUND
            }
        }
    }

    /// Namespaces of the attributes of a start tag; which of them say what the element is.
    fn attribute_names(&mut self, element: &mut ElementData) {
        let numbers = element.attributes.start as usize..element.attributes.end as usize;
        let mut seen: FxHashSet<(NsId, &str)> = FxHashSet::default();
        for number in numbers.clone() {
            let Attribute { name, prefix, value, .. } = self.attributes[number].clone();
            let place = name.start as usize..name.end as usize;
            let whole = self.slice(&name);
            let (prefix, local) = whole.split_at(prefix as usize);
            let ns = match prefix.trim_end_matches(':') {
                "" if local == "xmlns" => ns::XMLNS,
                "" => ns::NONE,
                "xmlns" => ns::XMLNS,
                prefix => self.lookup(prefix, place.clone()),
            };
            self.attributes[number].ns = ns;
            let is_repeated = if numbers.len() <= MANY_ATTRIBUTES {
                self.attributes[numbers.start..number]
                    .iter()
                    .any(|other| other.ns == ns && &self.slice(&other.name)[other.prefix as usize..] == local)
            } else {
                !seen.insert((ns, local))
            };
            if is_repeated {
                self.problem(place, XmlProblemKind::RepeatedAttribute);
                continue;
            }
            if ns == ns::XSI && local == "type" {
                self.type_of(element, number as u32, &value);
            } else if ns == ns::XSI && local == "nil" {
                element.nil = matches!(self.slice(&value).trim(), "true" | "1");
            }
        }
    }

    /// `xsi:type="v8:StandardPeriod"`. A prefix that is bound to nothing is a matter of the model, not of XML.
    fn type_of(&mut self, element: &mut ElementData, number: u32, value: &Range<u32>) {
        let text = self.slice(value);
        let start = value.start + (text.len() - text.trim_start().len()) as u32;
        let text = text.trim();
        let prefix_length = text.find(':').map_or(0, |colon| colon + 1);
        let prefix = text[..prefix_length].trim_end_matches(':');
        element.type_attribute = number;
        element.type_local = start + prefix_length as u32..start + text.len() as u32;
        element.type_ns = match self.bound.get(prefix).and_then(|bound| bound.last()) {
            Some(&ns) => ns,
            None if prefix.is_empty() => ns::NONE,
            None => ns::UNBOUND,
        };
    }
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
}

/// NameStartChar of XML 1.0, without the colon.
fn is_name_start(c: char) -> bool {
    matches!(c, 'A'..='Z' | 'a'..='z' | '_' | '\u{C0}'..='\u{D6}' | '\u{D8}'..='\u{F6}' | '\u{F8}'..='\u{2FF}'
        | '\u{370}'..='\u{37D}' | '\u{37F}'..='\u{1FFF}' | '\u{200C}'..='\u{200D}' | '\u{2070}'..='\u{218F}'
        | '\u{2C00}'..='\u{2FEF}' | '\u{3001}'..='\u{D7FF}' | '\u{F900}'..='\u{FDCF}' | '\u{FDF0}'..='\u{FFFD}'
        | '\u{10000}'..='\u{EFFFF}')
}

fn is_name_char(c: char) -> bool {
    is_name_start(c) || matches!(c, '-' | '.' | '0'..='9' | '\u{B7}' | '\u{300}'..='\u{36F}' | '\u{203F}'..='\u{2040}')
}

fn is_name(name: &str) -> bool {
    name.starts_with(is_name_start) && name.chars().all(is_name_char)
}

/// A name with or without a prefix.
fn is_qualified_name(name: &str) -> bool {
    match name.split_once(':') {
        Some((prefix, local)) => is_name(prefix) && is_name(local),
        None => is_name(name),
    }
}

#[cfg(test)]
mod tests;
