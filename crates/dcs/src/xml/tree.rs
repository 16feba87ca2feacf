//! The tree: numbered nodes with the bytes they stand at.

use std::borrow::Cow;
use std::ops::Range;

use super::escape::{Segments, push_meant};
use super::names::{KNOWN, NsId, ns};
use super::problem::XmlProblem;

/// Number of a node. 0 is the document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub u32);

/// No node.
pub(crate) const NONE: u32 = u32::MAX;

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum NodeKind {
    Document,
    Element,
    Text,
    CData,
    Comment,
    Instruction,
    DocumentType,
}

#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) kind: NodeKind,
    pub(crate) start: u32,
    pub(crate) end: u32,
    pub(crate) parent: u32,
    pub(crate) first: u32,
    pub(crate) last: u32,
    pub(crate) next: u32,
    pub(crate) previous: u32,
    /// Number in `elements`, if it is one.
    pub(crate) element: u32,
}

#[derive(Clone, Debug)]
pub(crate) struct ElementData {
    /// The name as written.
    pub(crate) name: Range<u32>,
    /// Length of the prefix with its colon.
    pub(crate) prefix: u32,
    pub(crate) ns: NsId,
    pub(crate) attributes: Range<u32>,
    /// Byte after the `>` of the start tag.
    pub(crate) open_end: u32,
    /// First byte of the end tag; the end of the element if it has none.
    pub(crate) close_start: u32,
    pub(crate) self_closing: bool,
    /// Innermost binding of a prefix that holds inside the element.
    pub(crate) scope: u32,
    /// The attribute `xsi:type`.
    pub(crate) type_attribute: u32,
    /// Namespace of the type that `xsi:type` names.
    pub(crate) type_ns: NsId,
    /// The type's name without prefix, as written.
    pub(crate) type_local: Range<u32>,
    /// `xsi:nil="true"`.
    pub(crate) nil: bool,
}

/// An attribute, as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attribute {
    /// The name with its prefix.
    pub name: Range<u32>,
    /// Length of the prefix with its colon.
    pub(crate) prefix: u32,
    /// The namespace; none without prefix.
    pub ns: NsId,
    /// The value between the quotes.
    pub value: Range<u32>,
}

/// A prefix bound to a namespace, and the binding that was innermost before.
#[derive(Clone, Debug)]
pub(crate) struct Binding {
    pub(crate) prefix: Range<u32>,
    pub(crate) ns: NsId,
    pub(crate) outer: u32,
}

/// A text and its tree.
#[derive(Clone, Debug)]
pub struct Tree {
    pub(crate) text: String,
    /// Bytes behind the first one that is no UTF-8.
    pub(crate) rest: Vec<u8>,
    pub(crate) nodes: Vec<Node>,
    pub(crate) elements: Vec<ElementData>,
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) bindings: Vec<Binding>,
    /// Addresses of namespaces behind [`KNOWN`].
    pub(crate) namespaces: Vec<Box<str>>,
    pub(crate) lines: Vec<u32>,
    pub(crate) problems: Vec<XmlProblem>,
}

pub(crate) fn range(range: &Range<u32>) -> Range<usize> {
    range.start as usize..range.end as usize
}

impl Tree {
    /// The text; up to the first byte that is no UTF-8.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// All bytes.
    pub fn bytes(&self) -> Cow<'_, [u8]> {
        if self.rest.is_empty() {
            return Cow::Borrowed(self.text.as_bytes());
        }
        Cow::Owned([self.text.as_bytes(), &self.rest].concat())
    }

    /// What makes it no well-formed XML.
    pub fn problems(&self) -> &[XmlProblem] {
        &self.problems
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Never: the document itself is a node.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    pub(crate) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    pub(crate) fn element(&self, id: NodeId) -> Option<&ElementData> {
        self.elements.get(self.node(id).element as usize)
    }

    /// What a node is.
    pub fn kind(&self, id: NodeId) -> NodeKind {
        self.node(id).kind
    }

    /// Bytes of a node, tags included.
    pub fn range(&self, id: NodeId) -> Range<usize> {
        let node = self.node(id);
        node.start as usize..node.end as usize
    }

    /// The node around it.
    pub fn parent(&self, id: NodeId) -> Option<NodeId> {
        some(self.node(id).parent)
    }

    /// The node before it in the same element.
    pub fn previous(&self, id: NodeId) -> Option<NodeId> {
        some(self.node(id).previous)
    }

    /// The node behind it in the same element.
    pub fn next(&self, id: NodeId) -> Option<NodeId> {
        some(self.node(id).next)
    }

    /// The nodes inside, in order.
    pub fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let mut at = self.node(id).first;
        std::iter::from_fn(move || {
            let id = some(at)?;
            at = self.node(id).next;
            Some(id)
        })
    }

    /// The outermost element: the first one, if there are several.
    pub fn root(&self) -> Option<NodeId> {
        self.children(NodeId(0)).find(|&id| self.kind(id) == NodeKind::Element)
    }

    /// The node that follows in the order of the text, inner ones included; `end` itself and what is in it are the last.
    pub(crate) fn following(&self, id: NodeId, within: NodeId) -> Option<NodeId> {
        some(self.node(id).first).or_else(|| self.after(id, within))
    }

    /// The node that follows behind all that is in `id`.
    pub(crate) fn after(&self, id: NodeId, within: NodeId) -> Option<NodeId> {
        let mut at = id;
        while at != within {
            if let Some(next) = self.next(at) {
                return Some(next);
            }
            at = self.parent(at)?;
        }
        None
    }

    /// The address of a namespace.
    pub fn uri(&self, ns: NsId) -> &str {
        let number = ns.0 as usize;
        match KNOWN.get(number) {
            Some((_, uri)) => uri,
            None => self.namespaces.get(number - KNOWN.len()).map_or("", |uri| uri),
        }
    }

    /// The namespace that a prefix is bound to inside an element; the default one for an empty prefix.
    pub fn resolve(&self, id: NodeId, prefix: &str) -> NsId {
        let mut scope = self.element(id).map_or(NONE, |element| element.scope);
        while let Some(binding) = self.bindings.get(scope as usize) {
            if &self.text[range(&binding.prefix)] == prefix {
                return binding.ns;
            }
            scope = binding.outer;
        }
        match prefix {
            "" => ns::NONE,
            "xml" => ns::XML,
            _ => ns::UNBOUND,
        }
    }

    /// A prefix that is bound to a namespace inside an element; the innermost one.
    pub fn prefix_of(&self, id: NodeId, wanted: NsId) -> Option<&str> {
        let mut scope = self.element(id).map_or(NONE, |element| element.scope);
        while let Some(binding) = self.bindings.get(scope as usize) {
            let prefix = &self.text[range(&binding.prefix)];
            // A prefix that was bound anew further inside doesn't count.
            if binding.ns == wanted && self.resolve(id, prefix) == wanted {
                return Some(prefix);
            }
            scope = binding.outer;
        }
        None
    }

    /// The prefixes that are bound inside an element, each with its innermost meaning.
    pub(crate) fn prefixes(&self, id: NodeId) -> Vec<(&str, NsId)> {
        let mut found: Vec<(&str, NsId)> = Vec::new();
        let mut scope = self.element(id).map_or(NONE, |element| element.scope);
        while let Some(binding) = self.bindings.get(scope as usize) {
            let prefix = &self.text[range(&binding.prefix)];
            if !found.iter().any(|known| known.0 == prefix) {
                found.push((prefix, binding.ns));
            }
            scope = binding.outer;
        }
        found
    }

    /// A prefix that is bound to an address inside an element.
    pub fn prefix_of_uri(&self, id: NodeId, uri: &str) -> Option<&str> {
        let known = KNOWN.iter().position(|known| known.1 == uri);
        let number =
            known.or_else(|| self.namespaces.iter().position(|other| **other == *uri).map(|at| at + KNOWN.len()))?;
        self.prefix_of(id, NsId(number as u32))
    }

    /// A qualified name in a text (`v8:StandardPeriod`), resolved inside an element: its namespace and the rest.
    pub fn resolve_name<'t>(&self, id: NodeId, name: &'t str) -> (NsId, &'t str) {
        match name.split_once(':') {
            Some((prefix, local)) => (self.resolve(id, prefix), local),
            None => (self.resolve(id, ""), name),
        }
    }

    /// What stands directly in an element as text: pieces joined, entities replaced, line ends as LF.
    pub fn text_of(&self, id: NodeId) -> Cow<'_, str> {
        let mut out: Cow<'_, str> = Cow::Borrowed("");
        for child in self.children(id) {
            let node = self.node(child);
            let written = &self.text[node.start as usize..node.end as usize];
            match node.kind {
                NodeKind::Text if out.is_empty() => out = super::unescape(written),
                NodeKind::Text => push_meant(out.to_mut(), Segments::new(written, true)),
                NodeKind::CData => push_meant(out.to_mut(), Segments::new(cdata(written), false)),
                _ => {}
            }
        }
        out
    }

    /// 1-based line of a byte.
    pub fn line(&self, at: usize) -> u32 {
        self.lines.partition_point(|&start| start as usize <= at) as u32
    }

    /// 1-based column of a byte, in characters.
    pub fn column(&self, at: usize) -> u32 {
        let at = at.min(self.text.len());
        let start = self.lines.get(self.line(at).saturating_sub(1) as usize).map_or(0, |&start| start as usize);
        self.text.get(start..at).map_or(1, |before| before.trim_start_matches('\u{feff}').chars().count() as u32 + 1)
    }
}

/// What stands in a CDATA section.
pub(crate) fn cdata(written: &str) -> &str {
    let inner = written.strip_prefix("<![CDATA[").unwrap_or(written);
    inner.strip_suffix("]]>").unwrap_or(inner)
}

fn some(number: u32) -> Option<NodeId> {
    (number != NONE).then_some(NodeId(number))
}
