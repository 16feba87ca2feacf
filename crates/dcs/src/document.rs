//! A report schema as a document: its bytes, the tree over them, and the type of each element by the model.

use std::borrow::Cow;
use std::ops::Range;

use crate::formal::{Formal, Member, Name, Type, TypeId, element_types};
use crate::xml::{self, NodeId, NodeKind, NsId, Tree, XmlProblem, ns, unescape};

/// Deeper than this nothing is looked up or shown: the platform's own files are far from it.
const MAX_SHOWN: usize = 200;

/// A document. Every byte of the file is in it; reading never fails.
///
/// ```
/// use metascope_dcs::Document;
/// let text = "<DataCompositionSchema xmlns=\"http://v8.1c.ru/8.1/data-composition-system/schema\">\
///     <dataSource><name>A</name></dataSource></DataCompositionSchema>";
/// let document = Document::parse(text);
/// let source = document.root().unwrap().child("dataSource").unwrap();
/// assert_eq!(source.text_of("name"), "A");
/// assert_eq!(source.of().unwrap().name.to_string(), "sch:DataSource");
/// assert_eq!(&*document.bytes(), text.as_bytes());
/// ```
#[derive(Clone, Debug)]
pub struct Document {
    tree: Tree,
    /// Types by the number of the node; of what is no element [`TypeId::OPAQUE`].
    types: Vec<TypeId>,
}

impl Document {
    /// Reads a file's bytes.
    pub fn parse(bytes: impl Into<Vec<u8>>) -> Self {
        let tree = xml::parse(bytes.into());
        let types = element_types(&tree);
        Self { tree, types }
    }

    /// The tree.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// The text; up to the first byte that is no UTF-8.
    pub fn text(&self) -> &str {
        self.tree.text()
    }

    /// All bytes.
    pub fn bytes(&self) -> Cow<'_, [u8]> {
        self.tree.bytes()
    }

    /// What makes it no well-formed XML.
    pub fn problems(&self) -> &[XmlProblem] {
        self.tree.problems()
    }

    /// The outermost element.
    pub fn root(&self) -> Option<Element<'_>> {
        self.tree.root().map(|id| Element { document: self, id })
    }

    /// An element by its number.
    pub fn element(&self, id: NodeId) -> Option<Element<'_>> {
        let is_element = (id.0 as usize) < self.tree.len() && self.tree.kind(id) == NodeKind::Element;
        is_element.then_some(Element { document: self, id })
    }

    /// The innermost element that a byte lies in.
    pub fn element_at(&self, at: usize) -> Option<Element<'_>> {
        let mut found = None;
        let mut inside = NodeId(0);
        // What lies deeper is no schema: the element around it tells enough.
        let mut depth = 0;
        while depth < MAX_SHOWN
            && let Some(child) = self.tree.children(inside).find(|&child| self.tree.range(child).contains(&at))
        {
            found = self.element(child).or(found);
            inside = child;
            depth += 1;
        }
        found
    }

    /// The type of a node by the model.
    pub(crate) fn type_id(&self, id: NodeId) -> TypeId {
        self.types.get(id.0 as usize).copied().unwrap_or(TypeId::OPAQUE)
    }

    /// Whether it is a report schema: its root is one by the model.
    pub fn is_schema(&self) -> bool {
        let is = |root: Element<'_>| root.ns() == ns::SCHEMA && root.local() == "DataCompositionSchema";
        self.root().is_some_and(is)
    }
}

/// An element of a document.
#[derive(Clone, Copy)]
pub struct Element<'d> {
    document: &'d Document,
    id: NodeId,
}

impl PartialEq for Element<'_> {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.document, other.document) && self.id == other.id
    }
}

impl std::fmt::Debug for Element<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "<{}> at line {}", self.name(), self.line())
    }
}

impl<'d> Element<'d> {
    fn data(self) -> &'d xml::ElementData {
        // An `Element` is made of elements only.
        let number = self.document.tree.node(self.id).element as usize;
        &self.document.tree.elements[number]
    }

    fn slice(self, range: &Range<u32>) -> &'d str {
        &self.document.tree.text[range.start as usize..range.end as usize]
    }

    /// The document.
    pub fn document(self) -> &'d Document {
        self.document
    }

    /// Its number.
    pub fn id(self) -> NodeId {
        self.id
    }

    /// The name as written.
    pub fn name(self) -> &'d str {
        self.slice(&self.data().name)
    }

    /// The name without prefix.
    pub fn local(self) -> &'d str {
        &self.name()[self.data().prefix as usize..]
    }

    /// The namespace.
    pub fn ns(self) -> NsId {
        self.data().ns
    }

    /// Its bytes, tags included.
    pub fn range(self) -> Range<usize> {
        self.document.tree.range(self.id)
    }

    /// Bytes of the start tag.
    pub fn start_tag(self) -> Range<usize> {
        self.range().start..self.data().open_end as usize
    }

    /// Bytes between the tags; empty behind the tag if it closes itself.
    pub fn inner_range(self) -> Range<usize> {
        let data = self.data();
        data.open_end as usize..data.close_start as usize
    }

    /// Whether it is written as `<a/>`.
    pub fn is_self_closing(self) -> bool {
        self.data().self_closing
    }

    /// 1-based line of the start tag.
    pub fn line(self) -> u32 {
        self.document.tree.line(self.range().start)
    }

    /// The element around it.
    pub fn parent(self) -> Option<Self> {
        let parent = self.document.tree.parent(self.id)?;
        self.document.element(parent)
    }

    /// The elements inside, in order.
    pub fn children(self) -> impl Iterator<Item = Self> + 'd {
        let document = self.document;
        document.tree.children(self.id).filter_map(move |id| document.element(id))
    }

    /// The elements with a name, of a namespace that schemas are made of.
    pub fn all(self, local: &'d str) -> impl Iterator<Item = Self> + 'd {
        self.children().filter(move |child| child.is(local))
    }

    /// The first element with a name.
    pub fn child(self, local: &str) -> Option<Self> {
        self.children().find(|child| child.is(local))
    }

    /// The element that a path of names leads to.
    pub fn at(self, path: &[&str]) -> Option<Self> {
        path.iter().try_fold(self, |element, local| element.child(local))
    }

    /// Whether it bears a name, in a namespace that schemas are made of.
    pub fn is(self, local: &str) -> bool {
        self.local() == local && self.ns().is_known()
    }

    /// What stands directly in it as text.
    pub fn text(self) -> Cow<'d, str> {
        self.document.tree.text_of(self.id)
    }

    /// The byte of the document at which a byte of [`Element::text`] stands. None if it lies inside of an entity, or if the
    /// text is cut by comments or sections.
    pub fn byte_of_text(self, at: usize) -> Option<usize> {
        let tree = &self.document.tree;
        let mut children = tree.children(self.id);
        let (first, second) = (children.next(), children.next());
        let range = match first {
            Some(first) if second.is_none() && tree.kind(first) == NodeKind::Text => tree.range(first),
            None => self.inner_range(),
            _ => return None,
        };
        Some(range.start + xml::written_at(&tree.text[range], at)?)
    }

    /// The text of a child; empty without it.
    pub fn text_of(self, local: &str) -> Cow<'d, str> {
        self.child(local).map_or(Cow::Borrowed(""), Self::text)
    }

    /// Whether a child says `true`; `default` without it.
    pub fn flag(self, local: &str, default: bool) -> bool {
        match self.child(local) {
            Some(child) => matches!(child.text().trim(), "true" | "1"),
            None => default,
        }
    }

    /// The value of an attribute without namespace.
    pub fn attribute(self, local: &str) -> Option<Cow<'d, str>> {
        let found = self.attributes().iter().find(|a| a.ns == ns::NONE && self.slice(&a.name) == local)?;
        Some(unescape(self.slice(&found.value)))
    }

    /// Its attributes as written.
    pub fn attributes(self) -> &'d [xml::Attribute] {
        let range = &self.data().attributes;
        &self.document.tree.attributes[range.start as usize..range.end as usize]
    }

    /// What `xsi:type` names: namespace and name.
    pub fn xsi_type(self) -> Option<(NsId, &'d str)> {
        let data = self.data();
        self.xsi_type_attribute().map(|_| (data.type_ns, self.slice(&data.type_local)))
    }

    /// The attribute `xsi:type`.
    pub fn xsi_type_attribute(self) -> Option<&'d xml::Attribute> {
        self.document.tree.attributes.get(self.data().type_attribute as usize)
    }

    /// Whether `xsi:type` names a type, of a namespace that schemas are made of.
    pub fn is_of(self, local: &str) -> bool {
        self.xsi_type().is_some_and(|(ns, name)| ns.is_known() && name == local)
    }

    /// `xsi:nil="true"`.
    pub fn is_nil(self) -> bool {
        self.data().nil
    }

    /// Number of its type by the model.
    pub fn type_id(self) -> TypeId {
        self.document.type_id(self.id)
    }

    /// Its type by the model; none of what the model says nothing of.
    pub fn of(self) -> Option<&'static Type> {
        Formal::get().of(self.type_id())
    }

    /// What the model says of it as a child of the element around it.
    pub fn member(self) -> Option<&'static Member> {
        let parent = self.parent()?.of()?;
        parent.position(self.ns(), self.local()).map(|at| &parent.children[at])
    }

    /// A qualified name in its text or attributes, resolved.
    pub fn resolve(self, name: &str) -> (NsId, &str) {
        self.document.tree.resolve_name(self.id, name)
    }

    /// Its name by the model's prefixes: `set:filter`; with the address of a namespace that it doesn't know.
    pub fn full_name(self) -> String {
        full_name(&self.document.tree, self.ns(), self.local())
    }

    /// All elements inside, in the order of the text, itself first.
    pub fn descendants(self) -> impl Iterator<Item = Self> + 'd {
        let document = self.document;
        let mut at = Some(self.id);
        std::iter::from_fn(move || {
            loop {
                let id = at?;
                at = document.tree.following(id, self.id);
                if let Some(element) = document.element(id) {
                    return Some(element);
                }
            }
        })
    }

    /// Where it stands: names and what tells each from its neighbours, from the root on:
    /// `dataSet[Продажи]/field[Сумма]/title`.
    pub fn path(self) -> String {
        let mut parts: Vec<String> = Vec::new();
        let mut at = Some(self);
        while let Some(element) = at {
            at = element.parent();
            if parts.len() == MAX_SHOWN {
                parts.push("…".to_owned());
                break;
            }
            if at.is_some() {
                let key = element.key();
                parts.push(if key.is_empty() {
                    element.local().to_owned()
                } else {
                    format!("{}[{key}]", element.local())
                });
            }
        }
        parts.reverse();
        parts.join("/")
    }

    /// What tells it from its neighbours, by the model: texts of the children that are its key.
    pub fn key(self) -> String {
        let Some(of) = self.of() else { return String::new() };
        let mut out = String::new();
        for part in &of.key {
            let mut push = |text: &str| {
                if !text.is_empty() {
                    if !out.is_empty() {
                        out.push(' ');
                    }
                    out.push_str(text);
                }
            };
            match part.strip_prefix('@') {
                Some(attribute) => push(&self.attribute(attribute).unwrap_or_default()),
                None => self.all(part).for_each(|child| match child.child("item") {
                    Some(_) => push(&localized(child, "ru")),
                    None => push(&child.text()),
                }),
            }
        }
        out
    }
}

/// The text of an element in a language: of `v8:LocalStringType` that language or else the first one, else the text itself.
pub fn localized<'d>(element: Element<'d>, language: &str) -> Cow<'d, str> {
    let items = || element.all("item");
    match items().find(|item| item.text_of("lang") == language).or_else(|| items().next()) {
        Some(item) => item.text_of("content"),
        None => element.text(),
    }
}

pub(crate) fn full_name(tree: &Tree, ns: NsId, local: &str) -> String {
    match xml::KNOWN.get(ns.0 as usize) {
        Some(("", _)) => local.to_owned(),
        Some((prefix, _)) => format!("{prefix}:{local}"),
        None => format!("{{{}}}{local}", tree.uri(ns)),
    }
}

impl<'d> Element<'d> {
    /// Its name, if the model knows it.
    pub fn model_name(self) -> Option<Name> {
        self.member().map(|member| member.name)
    }
}
