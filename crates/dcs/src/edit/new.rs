//! Elements that are to be, and how they are written into a document.

use super::layout::Layout;
use super::{EditError, Patch, Splice, check_text};
use crate::document::Element;
use crate::formal::Name;
use crate::xml::{KNOWN, NodeId, NodeKind, NsId, escape_attribute, escape_text, ns};

/// An element that is to be.
///
/// ```
/// use metascope_dcs::edit::New;
/// use metascope_dcs::name;
/// let total = New::with(name("sch:totalField"), [
///     New::text(name("sch:dataPath"), "Сумма"),
///     New::text(name("sch:expression"), "Сумма(Сумма)"),
/// ]);
/// assert_eq!(total.name.local, "totalField");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct New {
    /// Its name.
    pub name: Name,
    /// What `xsi:type` says.
    pub of: Option<Name>,
    /// Attributes without namespace.
    pub attributes: Vec<(&'static str, String)>,
    /// What it holds.
    pub content: NewContent,
}

/// What a new element holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NewContent {
    /// Nothing.
    Empty,
    /// `xsi:nil="true"`.
    Nil,
    /// A text.
    Text(String),
    /// The name of a type: the address of its namespace, and the name in it.
    TypeName {
        /// The address.
        uri: String,
        /// The name.
        local: String,
    },
    /// Elements.
    Elements(Vec<New>),
    /// The whole element as it is written elsewhere in the same document.
    Written(Written),
}

/// An element as it is written: for copies and moves that keep what the model knows nothing of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// From its start tag to its end tag.
    text: String,
    /// Where its lines begin, as far as only white space stands there.
    lines: Vec<usize>,
    /// What its own line began with.
    indent: String,
}

impl Written {
    /// The text with the indentation of another place.
    fn at(&self, indent: &str) -> String {
        if self.indent == indent {
            return self.text.clone();
        }
        let mut out = String::with_capacity(self.text.len());
        let mut from = 0;
        for &line in &self.lines {
            out.push_str(&self.text[from..line]);
            from = line;
            if let Some(rest) = self.text[line..].strip_prefix(&self.indent) {
                out.push_str(indent);
                from = self.text.len() - rest.len();
            }
        }
        out.push_str(&self.text[from..]);
        out
    }
}

impl New {
    /// An empty element.
    pub fn empty(name: Name) -> Self {
        Self { name, of: None, attributes: Vec::new(), content: NewContent::Empty }
    }

    /// An element that holds a text.
    pub fn text(name: Name, text: impl Into<String>) -> Self {
        let text = text.into();
        let content = if text.is_empty() { NewContent::Empty } else { NewContent::Text(text) };
        Self { content, ..Self::empty(name) }
    }

    /// An element that holds elements.
    pub fn with(name: Name, elements: impl IntoIterator<Item = Self>) -> Self {
        let elements: Vec<Self> = elements.into_iter().collect();
        let content = if elements.is_empty() { NewContent::Empty } else { NewContent::Elements(elements) };
        Self { content, ..Self::empty(name) }
    }

    /// `xsi:nil="true"`.
    pub fn nil(name: Name) -> Self {
        Self { content: NewContent::Nil, ..Self::empty(name) }
    }

    /// The name of a type as a value (`v8:Type`).
    pub fn type_name(name: Name, uri: impl Into<String>, local: impl Into<String>) -> Self {
        Self { content: NewContent::TypeName { uri: uri.into(), local: local.into() }, ..Self::empty(name) }
    }

    /// The same with `xsi:type`.
    #[must_use]
    pub fn typed(mut self, of: Name) -> Self {
        self.of = Some(of);
        self
    }

    /// A text in several languages (`v8:LocalStringType`): code of the language, text.
    pub fn localized<'t>(name: Name, texts: impl IntoIterator<Item = (&'t str, &'t str)>) -> Self {
        let data = |local| Name { ns: ns::DATA, local };
        let item = |(language, text): (&str, &str)| {
            Self::with(data("item"), [Self::text(data("lang"), language), Self::text(data("content"), text)])
        };
        Self::with(name, texts.into_iter().map(item)).typed(data("LocalStringType"))
    }

    /// The element that an element of a document is: for copies.
    pub fn copy_of(element: Element<'_>) -> Option<Self> {
        copy(element, 0)
    }

    /// An element of the document as it is written, with a patch of what stands in it applied, to be put inside `parent` of the
    /// same document. Prefixes that mean something else there are declared.
    ///
    /// # Errors
    /// If the patch doesn't lie inside the element; if the model doesn't know the element.
    pub fn written(element: Element<'_>, patch: &Patch, parent: Element<'_>) -> Result<Self, EditError> {
        let unknown = || EditError::NoPlace { child: element.full_name(), parent: parent.full_name() };
        let name = element.model_name().ok_or_else(unknown)?;
        let tree = element.document().tree();
        let whole = element.range();
        let mut splices = Vec::new();
        for splice in patch.splices() {
            if splice.range.start < whole.start || splice.range.end > whole.end {
                return Err(EditError::OutOfRange { at: splice.range.start });
            }
            let range = splice.range.start - whole.start..splice.range.end - whole.start;
            splices.push(Splice { range, text: splice.text.clone() });
        }
        let written = &tree.text()[whole.clone()];
        let mut declared = String::new();
        if let Some(outer) = element.parent() {
            for (prefix, ns) in tree.prefixes(outer.id()) {
                let is_used = prefix.is_empty() || written.contains(&format!("{prefix}:"));
                if is_used && tree.resolve(parent.id(), prefix) != ns {
                    let attribute = if prefix.is_empty() { "xmlns".to_owned() } else { format!("xmlns:{prefix}") };
                    declared.push_str(&format!(" {attribute}=\"{}\"", escape_attribute(tree.uri(ns))));
                }
            }
        }
        if !declared.is_empty() {
            let at = 1 + element.name().len();
            splices.push(Splice { range: at..at, text: declared });
        }
        let mut lines = Vec::new();
        // What was changed inside is written for the old place: then lines stay as they are.
        if splices.is_empty() {
            for outer in element.descendants().filter(|outer| outer.children().next().is_some()) {
                for child in tree.children(outer.id()).filter(|&id| tree.kind(id) == NodeKind::Text) {
                    let range = tree.range(child);
                    let text = &tree.text()[range.clone()];
                    if let Some(end) = text.rfind('\n').filter(|_| text.trim().is_empty()) {
                        lines.push(range.start + end + 1 - whole.start);
                    }
                }
            }
            lines.sort_unstable();
        }
        let (text, _) = Patch::new(splices)?.apply(written)?;
        let indent = super::layout::indent_before(element);
        Ok(Self { content: NewContent::Written(Written { text, lines, indent }), ..Self::empty(name) })
    }

    pub(super) fn check(&self) -> Result<(), EditError> {
        let mut open = vec![self];
        while let Some(new) = open.pop() {
            for (_, value) in &new.attributes {
                check_text(value)?;
            }
            match &new.content {
                NewContent::Text(text) => check_text(text)?,
                NewContent::TypeName { local, .. } => check_text(local)?,
                NewContent::Elements(elements) => open.extend(elements),
                NewContent::Empty | NewContent::Nil | NewContent::Written(_) => {}
            }
        }
        Ok(())
    }
}

/// Deeper ones than the platform writes are not copied.
const MAX_DEPTH: usize = 200;

/// None if something in it is unknown to the model: it could not be written with what the model knows.
fn copy(element: Element<'_>, depth: usize) -> Option<New> {
    let name = element.model_name().or_else(|| known(element.ns(), element.local()))?;
    let of = match element.xsi_type() {
        Some((ns, local)) => Some(known(ns, local)?),
        None => None,
    };
    if depth > MAX_DEPTH {
        return None;
    }
    let has_elements = element.children().next().is_some();
    let content = if element.is_nil() {
        NewContent::Nil
    } else if has_elements {
        NewContent::Elements(element.children().map(|child| copy(child, depth + 1)).collect::<Option<_>>()?)
    } else {
        let text = element.text();
        match element.of().map(|of| &of.content) {
            _ if text.is_empty() => NewContent::Empty,
            Some(crate::formal::Content::Simple(crate::formal::Simple::QName)) => {
                let (ns, local) = element.resolve(text.trim());
                NewContent::TypeName { uri: element.document().tree().uri(ns).to_owned(), local: local.to_owned() }
            }
            _ => NewContent::Text(text.into_owned()),
        }
    };
    let mut attributes = Vec::new();
    for attribute in element.of().map_or(&[][..], |of| &of.attributes) {
        if let Some(value) = element.attribute(attribute.name.local) {
            attributes.push((attribute.name.local, value.into_owned()));
        }
    }
    Some(New { name, of, attributes, content })
}

/// A name of the model, as it stands there.
fn known(ns: NsId, local: &str) -> Option<Name> {
    crate::formal::Formal::get().known_name(ns, local)
}

/// Prefixes that the platform uses where it has to declare one.
fn usual_prefix(ns: NsId) -> &'static str {
    match ns {
        ns::SCHEMA => "dcssch",
        ns::SETTINGS => "dcsset",
        ns::CORE => "dcscor",
        ns::COMMON => "dcscom",
        ns::AREA => "dcsat",
        ns::UI => "v8ui",
        other => KNOWN.get(other.0 as usize).map_or("", |known| known.0),
    }
}

/// How deep an element lies; the root has 1.
pub(super) fn depth_of(element: Element<'_>) -> usize {
    std::iter::successors(Some(element), |element| element.parent()).count()
}

/// Writes a new element as a child of `parent`. `indent`: white space at the beginning of its line; `depth`: how deep it lies.
pub(super) fn write(layout: &Layout, parent: Element<'_>, new: &New, indent: &str, depth: usize) -> String {
    let mut writer = Writer { layout, parent, declared: Vec::new(), out: String::new() };
    writer.element(new, indent, depth);
    writer.out
}

struct Writer<'w> {
    layout: &'w Layout,
    parent: Element<'w>,
    /// Prefixes that are declared by what was written so far, with the addresses.
    declared: Vec<(String, String)>,
    out: String,
}

impl Writer<'_> {
    /// A prefix for a namespace: bound outside, declared by an element around, or a new one, which is added to `fresh`.
    fn prefix(
        &self,
        ns: Option<NsId>,
        uri: &str,
        depth: usize,
        named: bool,
        fresh: &mut Vec<(String, String)>,
    ) -> String {
        let is_free = |prefix: &str, fresh: &[(String, String)]| {
            !self.declared.iter().chain(fresh).any(|(other, _)| other == prefix)
                && self.parent.document().tree().resolve(self.parent.id(), prefix) == ns::UNBOUND
        };
        if let Some((prefix, _)) = fresh.iter().chain(self.declared.iter().rev()).find(|(_, other)| other == uri) {
            return prefix.clone();
        }
        let tree = self.parent.document().tree();
        let bound = match ns {
            Some(ns) => tree.prefix_of(self.parent.id(), ns),
            None => tree.prefix_of_uri(self.parent.id(), uri),
        };
        // Attributes have no namespace without a prefix.
        if let Some(prefix) = bound.filter(|prefix| !(named && prefix.is_empty())) {
            return prefix.to_owned();
        }
        let usual = ns.map_or("", usual_prefix);
        let prefix = if !usual.is_empty() && is_free(usual, fresh) {
            usual.to_owned()
        } else {
            let mut number = 1;
            loop {
                let prefix = format!("d{depth}p{number}");
                if is_free(&prefix, fresh) {
                    break prefix;
                }
                number += 1;
            }
        };
        fresh.push((prefix.clone(), uri.to_owned()));
        prefix
    }

    fn known_prefix(&self, ns: NsId, depth: usize, named: bool, fresh: &mut Vec<(String, String)>) -> String {
        let uri = KNOWN.get(ns.0 as usize).map_or("", |known| known.1);
        self.prefix(Some(ns), uri, depth, named, fresh)
    }

    fn element(&mut self, new: &New, indent: &str, depth: usize) {
        if let NewContent::Written(written) = &new.content {
            self.out.push_str(&written.at(indent));
            return;
        }
        let mut fresh = Vec::new();
        let name = prefixed(&self.known_prefix(new.name.ns, depth, false, &mut fresh), new.name.local);
        let mut attributes = String::new();
        let mut push = |name: &str, value: &str| {
            attributes.push_str(&format!(" {name}=\"{}\"", escape_attribute(value)));
        };
        if let Some(of) = new.of {
            let xsi = self.known_prefix(ns::XSI, depth, true, &mut fresh);
            let of = prefixed(&self.known_prefix(of.ns, depth, false, &mut fresh), of.local);
            push(&prefixed(&xsi, "type"), &of);
        }
        if new.content == NewContent::Nil {
            let xsi = self.known_prefix(ns::XSI, depth, true, &mut fresh);
            push(&prefixed(&xsi, "nil"), "true");
        }
        for (name, value) in &new.attributes {
            push(name, value);
        }
        let text = match &new.content {
            NewContent::Text(text) => escape_text(text).into_owned(),
            NewContent::TypeName { uri, local } => {
                let known = KNOWN.iter().position(|known| known.1 == uri).map(|at| NsId(at as u32));
                prefixed(&self.prefix(known, uri, depth, false, &mut fresh), &escape_text(local))
            }
            _ => String::new(),
        };
        self.out.push('<');
        self.out.push_str(&name);
        for (prefix, uri) in &fresh {
            self.out.push_str(&format!(" xmlns:{prefix}=\"{}\"", escape_attribute(uri)));
        }
        self.out.push_str(&attributes);
        let declared = self.declared.len();
        self.declared.append(&mut fresh);
        match &new.content {
            NewContent::Elements(elements) => {
                self.out.push('>');
                let inner = format!("{indent}{}", self.layout.unit);
                for element in elements {
                    self.line(&inner);
                    self.element(element, &inner, depth + 1);
                }
                self.line(indent);
                self.out.push_str(&format!("</{name}>"));
            }
            _ if text.is_empty() && self.layout.self_closing => self.out.push_str("/>"),
            _ => self.out.push_str(&format!(">{text}</{name}>")),
        }
        self.declared.truncate(declared);
    }

    fn line(&mut self, indent: &str) {
        if !self.layout.line_end.is_empty() {
            self.out.push_str(self.layout.line_end);
            self.out.push_str(indent);
        }
    }
}

fn prefixed(prefix: &str, local: &str) -> String {
    if prefix.is_empty() { local.to_owned() } else { format!("{prefix}:{local}") }
}

/// The node that a new element stands behind, as an element.
pub(super) fn element<'d>(document: &'d crate::document::Document, id: Option<NodeId>) -> Option<Element<'d>> {
    id.and_then(|id| document.element(id))
}
