//! Edits as splices: what isn't edited keeps every byte.
//!
//! An [`Edit`] gathers changes to a document (new elements, texts, attributes, removals) and makes a [`Patch`] of them: disjoint
//! splices on the file's bytes, applied together or not at all. Applying gives the new document and the patch that undoes it.
//!
//! New elements stand where the model's order puts them. They look as their neighbours do: line ends, indentation,
//! prefixes, the form of empty elements.

mod layout;
mod new;
mod pending;
mod text;

use std::ops::Range;

use crate::document::{Document, Element};
use crate::formal::Name;
use crate::xml::{NodeId, escape_attribute, is_allowed, ns};

pub use new::{New, NewContent, Written};

use layout::Layout;
use pending::Insertion;

/// Replaces bytes of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Splice {
    /// The bytes; empty: something is inserted before the first.
    pub range: Range<usize>,
    /// What stands there instead.
    pub text: String,
}

/// Splices on one text, in order, disjoint.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Patch {
    splices: Vec<Splice>,
}

/// Why an edit can't be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EditError {
    /// The document is no well-formed XML.
    #[error("the document is not well-formed (line {line})")]
    Malformed {
        /// The line of the first problem.
        line: u32,
    },
    /// Two changes concern the same bytes.
    #[error("two changes concern the same place (byte {at})")]
    Overlap {
        /// The byte.
        at: usize,
    },
    /// A splice lies outside of the text, or cuts a character in two.
    #[error("no such place in the text (byte {at})")]
    OutOfRange {
        /// The byte.
        at: usize,
    },
    /// The model knows no such child of this element.
    #[error("{child} has no place in {parent}")]
    NoPlace {
        /// The child.
        child: String,
        /// The element.
        parent: String,
    },
    /// A text was to be set where elements stand.
    #[error("{element} holds elements, not a text")]
    HoldsElements {
        /// The element.
        element: String,
    },
    /// XML can't hold a character.
    #[error("the character U+{code:04X} can't stand in XML")]
    BadCharacter {
        /// Its number.
        code: u32,
    },
    /// The element belongs to another document.
    #[error("the element belongs to another document")]
    OtherDocument,
}

impl Patch {
    /// Orders splices. Those that insert at the same byte keep their order.
    ///
    /// # Errors
    /// If two of them concern the same bytes.
    pub fn new(mut splices: Vec<Splice>) -> Result<Self, EditError> {
        splices.sort_by_key(|splice| (splice.range.start, splice.range.end));
        for pair in splices.windows(2) {
            if pair[0].range.end > pair[1].range.start {
                return Err(EditError::Overlap { at: pair[1].range.start });
            }
        }
        Ok(Self { splices })
    }

    /// The splices, in the order of the text.
    pub fn splices(&self) -> &[Splice] {
        &self.splices
    }

    /// Whether nothing changes.
    pub fn is_empty(&self) -> bool {
        self.splices.is_empty()
    }

    /// Applies all splices to a text: the new text, and the patch that brings the old one back.
    ///
    /// # Errors
    /// If one lies outside of the text or cuts a character in two: then nothing is changed.
    pub fn apply(&self, text: &str) -> Result<(String, Self), EditError> {
        let mut out = String::with_capacity(text.len() + self.splices.iter().map(|s| s.text.len()).sum::<usize>());
        let mut undo = Vec::with_capacity(self.splices.len());
        let mut at = 0;
        for splice in &self.splices {
            let outside = EditError::OutOfRange { at: splice.range.start };
            let kept = text.get(at..splice.range.start).ok_or_else(|| outside.clone())?;
            let old = text.get(splice.range.clone()).ok_or(outside)?;
            out.push_str(kept);
            let start = out.len();
            out.push_str(&splice.text);
            undo.push(Splice { range: start..out.len(), text: old.to_owned() });
            at = splice.range.end;
        }
        out.push_str(text.get(at..).ok_or(EditError::OutOfRange { at })?);
        Ok((out, Self { splices: undo }))
    }
}

/// What applying a patch gives.
#[derive(Clone, Debug)]
pub struct Applied {
    /// The document after it.
    pub document: Document,
    /// What brings the former bytes back.
    pub undo: Patch,
}

impl Document {
    /// The document after a patch.
    ///
    /// # Errors
    /// If the patch doesn't fit this document.
    pub fn apply(&self, patch: &Patch) -> Result<Applied, EditError> {
        let (text, undo) = patch.apply(self.text())?;
        let mut bytes = text.into_bytes();
        bytes.extend_from_slice(&self.bytes()[self.text().len()..]);
        Ok(Applied { document: Self::parse(bytes), undo })
    }
}

/// Where a new element stands.
#[derive(Clone, Copy, Debug)]
pub enum Place<'d> {
    /// Where the model's order puts it; behind those of its own name.
    InOrder,
    /// Right before an element.
    Before(Element<'d>),
    /// Right behind an element.
    After(Element<'d>),
}

/// Changes to a document, gathered.
pub struct Edit<'d> {
    document: &'d Document,
    layout: Layout,
    splices: Vec<Splice>,
    insertions: Vec<Insertion>,
    removed: Vec<NodeId>,
}

impl<'d> Edit<'d> {
    /// Begins an edit.
    ///
    /// # Errors
    /// If the document is no well-formed XML: where things end can't be said then.
    pub fn of(document: &'d Document) -> Result<Self, EditError> {
        if let Some(problem) = document.problems().first() {
            return Err(EditError::Malformed { line: document.tree().line(problem.start as usize) });
        }
        let layout = Layout::of(document);
        Ok(Self { document, layout, splices: Vec::new(), insertions: Vec::new(), removed: Vec::new() })
    }

    /// The document as it is before the edit.
    pub fn document(&self) -> &'d Document {
        self.document
    }

    fn own(&self, element: Element<'_>) -> Result<(), EditError> {
        let is_own = std::ptr::eq(element.document(), self.document);
        if is_own { Ok(()) } else { Err(EditError::OtherDocument) }
    }

    /// Inserts a new element where the model's order puts it: behind the last one that may stand before it.
    ///
    /// # Errors
    /// If the model knows no such child there; if XML can't hold one of its texts.
    pub fn insert(&mut self, parent: Element<'d>, new: &New) -> Result<(), EditError> {
        self.insert_at(parent, new, Place::InOrder)
    }

    /// Inserts a new element at a place. Several at the same place stand in the order in which they were inserted.
    ///
    /// # Errors
    /// As [`Edit::insert`].
    pub fn insert_at(&mut self, parent: Element<'d>, new: &New, place: Place<'d>) -> Result<(), EditError> {
        new.check()?;
        let (behind, position) = self.place_of(parent, new.name, place)?;
        self.insertions.push(Insertion { parent: parent.id(), behind, position, new: new.clone() });
        Ok(())
    }

    /// The element that a new one stands behind, and its place in the model's order.
    pub(crate) fn place_of(
        &self,
        parent: Element<'d>,
        name: Name,
        place: Place<'d>,
    ) -> Result<(Option<NodeId>, usize), EditError> {
        self.own(parent)?;
        let no_place = || EditError::NoPlace { child: name.to_string(), parent: parent.full_name() };
        let of = parent.of().ok_or_else(no_place)?;
        let position = of.position(name.ns, name.local).ok_or_else(no_place)?;
        let behind = match place {
            Place::InOrder => {
                let places =
                    parent.children().filter_map(|child| Some((of.position(child.ns(), child.local())?, child)));
                places.filter(|&(at, _)| at <= position).last().map(|(_, child)| child.id())
            }
            Place::Before(element) => {
                self.own(element)?;
                let before = |at: &NodeId| self.document.tree().previous(*at);
                std::iter::successors(before(&element.id()), before).find(|&id| self.document.element(id).is_some())
            }
            Place::After(element) => {
                self.own(element)?;
                Some(element.id())
            }
        };
        Ok((behind, position))
    }

    /// Replaces an element by another one, at its place. Lines that are the same are not touched.
    ///
    /// # Errors
    /// As [`Edit::insert`].
    pub fn replace(&mut self, element: Element<'d>, new: &New) -> Result<(), EditError> {
        self.own(element)?;
        new.check()?;
        let indent = self.layout.indent_of(element);
        let depth = new::depth_of(element);
        let text = match element.parent() {
            Some(parent) => new::write(&self.layout, parent, new, &indent, depth),
            None => new::write(&self.layout, element, new, &indent, depth),
        };
        let old = &self.document.text()[element.range()];
        self.splices.extend(text::lines_that_differ(element.range().start, old, &text));
        Ok(())
    }

    /// Removes an element with the white space before it. An element that loses all it held becomes an empty one.
    ///
    /// # Errors
    /// If it belongs to another document.
    pub fn remove(&mut self, element: Element<'d>) -> Result<(), EditError> {
        self.own(element)?;
        if !self.removed.contains(&element.id()) {
            self.removed.push(element.id());
        }
        Ok(())
    }

    /// Sets the text of an element. Only what differs from the former text is touched.
    ///
    /// # Errors
    /// If it holds elements; if XML can't hold the text.
    pub fn set_text(&mut self, element: Element<'d>, text: &str) -> Result<(), EditError> {
        self.own(element)?;
        check_text(text)?;
        self.splices.extend(text::set(&self.layout, element, text)?);
        Ok(())
    }

    /// Replaces a part of the text of an element: bytes of what [`Element::text`] gives.
    ///
    /// # Errors
    /// As [`Edit::set_text`]; if the text has no such bytes.
    pub fn patch_text(&mut self, element: Element<'d>, range: Range<usize>, with: &str) -> Result<(), EditError> {
        self.own(element)?;
        check_text(with)?;
        self.splices.push(text::patch(element, range, with)?);
        Ok(())
    }

    /// Sets, adds or (without a text) removes a child that holds a text.
    ///
    /// # Errors
    /// As [`Edit::insert`] and [`Edit::set_text`].
    pub fn set_child(&mut self, parent: Element<'d>, name: Name, text: Option<&str>) -> Result<(), EditError> {
        let child = parent.children().find(|child| child.ns() == name.ns && child.local() == name.local);
        match (child, text) {
            (Some(child), Some(text)) => self.set_text(child, text),
            (Some(child), None) => self.remove(child),
            (None, Some(text)) => self.insert(parent, &New::text(name, text)),
            (None, None) => Ok(()),
        }
    }

    /// Sets, adds or (without a value) removes an attribute without namespace.
    ///
    /// # Errors
    /// If XML can't hold the value.
    pub fn set_attribute(&mut self, element: Element<'d>, local: &str, value: Option<&str>) -> Result<(), EditError> {
        self.own(element)?;
        let text = self.document.text();
        let found = element.attributes().iter().find(|attribute| {
            attribute.ns == ns::NONE && &text[attribute.name.start as usize..attribute.name.end as usize] == local
        });
        self.attribute(element, found, local, value)
    }

    /// Sets `xsi:type`.
    ///
    /// # Errors
    /// If no prefix is bound to the type's namespace.
    pub fn set_type(&mut self, element: Element<'d>, of: Name) -> Result<(), EditError> {
        self.own(element)?;
        let unbound = || EditError::NoPlace { child: of.to_string(), parent: element.full_name() };
        let tree = self.document.tree();
        let prefixed =
            |prefix: &str, local: &str| if prefix.is_empty() { local.to_owned() } else { format!("{prefix}:{local}") };
        let value = prefixed(tree.prefix_of(element.id(), of.ns).ok_or_else(unbound)?, of.local);
        let name = prefixed(tree.prefix_of(element.id(), ns::XSI).ok_or_else(unbound)?, "type");
        self.attribute(element, element.xsi_type_attribute(), &name, Some(&value))
    }

    fn attribute(
        &mut self,
        element: Element<'d>,
        found: Option<&crate::xml::Attribute>,
        name: &str,
        value: Option<&str>,
    ) -> Result<(), EditError> {
        check_text(value.unwrap_or(""))?;
        let text = self.document.text();
        let splice = match (found, value) {
            (Some(found), Some(value)) => {
                let value = escape_attribute(value).replace('\'', "&apos;");
                Splice { range: found.value.start as usize..found.value.end as usize, text: value }
            }
            (Some(found), None) => {
                let spaces = text[..found.name.start as usize].trim_end().len();
                Splice { range: spaces..found.value.end as usize + 1, text: String::new() }
            }
            (None, Some(value)) => {
                let last = element.attributes().last().map(|attribute| attribute.value.end as usize + 1);
                let at = last.unwrap_or(element.range().start + 1 + element.name().len());
                Splice { range: at..at, text: format!(" {name}=\"{}\"", escape_attribute(value)) }
            }
            (None, None) => return Ok(()),
        };
        self.splices.push(splice);
        Ok(())
    }

    /// The patch that makes all these changes.
    ///
    /// # Errors
    /// If two of them concern the same place.
    pub fn finish(self) -> Result<Patch, EditError> {
        pending::finish(self)
    }
}

fn check_text(text: &str) -> Result<(), EditError> {
    match text.chars().find(|&c| !is_allowed(c)) {
        Some(c) => Err(EditError::BadCharacter { code: c as u32 }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests;
