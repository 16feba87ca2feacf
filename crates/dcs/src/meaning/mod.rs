//! What a schema means: plain data, to be compared.
//!
//! Two documents that differ in bytes only (prefixes, white space, how a text is escaped, a default that is written out) mean the
//! same. Everything else is kept, so that "nothing but the declared change" can be checked.

mod diff;

use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;
use serde::Serialize;

use crate::document::{Document, Element, full_name};
use crate::formal::{Content, Simple};
use crate::xml::{NodeKind, ns};

pub use diff::{Change, ChangeKind, diff};

/// Elements that lie deeper are left out: the platform writes nothing of the kind.
pub(crate) const MAX_DEPTH: usize = 200;

/// A part of a schema: a set of data, a field, a title, a flag …
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Thing {
    /// Name of the element; of an attribute with `@`.
    pub name: Box<str>,
    /// What it is, if `xsi:type` says so: by the prefixes of the model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub of: Option<Box<str>>,
    /// What tells it from its neighbours of the same name.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub key: Box<str>,
    /// Its value.
    #[serde(skip_serializing_if = "Value::is_none")]
    pub value: Value,
    /// Its parts.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<Thing>,
    /// Equal things have equal numbers.
    #[serde(skip)]
    hash: u64,
}

/// A value.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize)]
#[serde(untagged)]
pub enum Value {
    /// None of its own.
    #[default]
    None,
    /// `xsi:nil`.
    Nil(Nil),
    /// A text. Names of types are written with the prefixes of the model, or `{address}name`.
    Text(Box<str>),
    /// A text in several languages: code of the language, text.
    Localized(Vec<(Box<str>, Box<str>)>),
}

/// "Undefined", as a word of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub enum Nil {
    /// `xsi:nil="true"`.
    #[serde(rename = "nil")]
    Nil,
}

impl Value {
    fn is_none(&self) -> bool {
        *self == Self::None
    }
}

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::None => Ok(()),
            Self::Nil(_) => f.write_str("nil"),
            Self::Text(text) => f.write_str(text),
            Self::Localized(texts) => {
                let texts: Vec<String> = texts.iter().map(|(language, text)| format!("{language}: {text}")).collect();
                f.write_str(&texts.join("; "))
            }
        }
    }
}

/// What a document means; none without a root.
pub fn meaning(document: &Document) -> Option<Thing> {
    document.root().map(|root| thing(root, 0))
}

/// What an element means.
pub fn meaning_of(element: Element<'_>) -> Thing {
    thing(element, 0)
}

pub(crate) fn thing(element: Element<'_>, depth: usize) -> Thing {
    let tree = element.document().tree();
    let name: Box<str> = if element.ns().is_known() { element.local().into() } else { element.full_name().into() };
    let of = element.xsi_type().map(|(ns, local)| full_name(tree, ns, local).into());
    let mut made = Thing { name, of, key: element.key().into(), value: Value::None, parts: Vec::new(), hash: 0 };
    made.parts = attributes(element);
    let content = element.of().map(|of| &of.content);
    if element.is_nil() {
        made.value = Value::Nil(Nil::Nil);
    } else if element.of().is_some_and(|of| of.name.ns == ns::DATA && of.name.local == "LocalStringType") {
        let texts =
            element.all("item").map(|item| (&*item.text_of("lang"), &*item.text_of("content")).boxed()).collect();
        made.value = Value::Localized(texts);
    } else {
        let has_elements = element.children().next().is_some();
        let text = element.text();
        if content == Some(&Content::Simple(Simple::QName)) {
            let (ns, local) = element.resolve(text.trim());
            made.value = Value::Text(full_name(tree, ns, local).into());
        } else if !has_elements && !matches!(content, Some(Content::Elements)) && !text.is_empty() {
            made.value = Value::Text((*text).into());
        } else if has_elements
            && tree.children(element.id()).any(|id| tree.kind(id) != NodeKind::Element)
            && !text.trim().is_empty()
        {
            made.value = Value::Text(text.trim().into());
        }
        if depth < MAX_DEPTH {
            made.parts
                .extend(element.children().filter(|child| !is_default(*child)).map(|child| thing(child, depth + 1)));
        }
    }
    made.seal();
    made
}

/// The attributes of an element as things.
pub(crate) fn attributes(element: Element<'_>) -> Vec<Thing> {
    let tree = element.document().tree();
    let mut parts = Vec::new();
    for attribute in element.attributes() {
        let written = &tree.text()[attribute.name.start as usize..attribute.name.end as usize];
        if attribute.ns == ns::NONE && written != "xmlns" {
            let value = element.attribute(written).unwrap_or_default();
            let mut part = Thing::plain(format!("@{written}").into(), Value::Text((*value).into()));
            part.seal();
            parts.push(part);
        }
    }
    parts
}

/// Whether a child says what holds without it.
fn is_default(child: Element<'_>) -> bool {
    let default = child.member().and_then(|member| member.default);
    default.is_some_and(|default| child.text() == default)
}

trait Boxed {
    fn boxed(self) -> (Box<str>, Box<str>);
}

impl Boxed for (&str, &str) {
    fn boxed(self) -> (Box<str>, Box<str>) {
        (self.0.into(), self.1.into())
    }
}

impl Thing {
    pub(crate) fn plain(name: Box<str>, value: Value) -> Self {
        Self { name, of: None, key: "".into(), value, parts: Vec::new(), hash: 0 }
    }

    /// Works out the number that equal things have in common.
    pub(crate) fn seal(&mut self) {
        let mut hasher = FxHasher::default();
        (&self.name, &self.of, &self.value).hash(&mut hasher);
        for part in &self.parts {
            part.hash.hash(&mut hasher);
        }
        self.hash = hasher.finish();
    }

    /// The first part of a name.
    pub fn part(&self, name: &str) -> Option<&Self> {
        self.parts.iter().find(|part| &*part.name == name)
    }

    /// The parts of a name.
    pub fn all<'t>(&'t self, name: &'t str) -> impl Iterator<Item = &'t Self> {
        self.parts.iter().filter(move |part| &*part.name == name)
    }

    /// The text of a part; empty without it.
    pub fn text(&self, name: &str) -> &str {
        match self.part(name).map(|part| &part.value) {
            Some(Value::Text(text)) => text,
            _ => "",
        }
    }
}

#[cfg(test)]
mod tests;
