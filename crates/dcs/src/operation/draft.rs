//! What an operation changes, twice: as splices on the bytes, and as what the schema means afterwards.
//!
//! The second is worked out from the tree alone, without writing or reading a byte, so that one can be held against the other:
//! what a plan declares is what the edited file must differ in.

use std::ops::Range;

use rustc_hash::{FxHashMap, FxHashSet};

use super::expected::expected;
use super::refusal::Refusal;
use crate::document::{Document, Element, localized};
use crate::edit::{Edit, New, NewContent, Patch, Place};
use crate::formal::Name;
use crate::meaning::{Change, diff, meaning};
use crate::xml::NodeId;

/// Something that is to stand in an element.
pub(super) enum Piece {
    /// A new element.
    New(New),
    /// An element as it is elsewhere, with changes.
    Copy(NodeId, Changes),
}

/// A piece and its place.
pub(super) struct Insertion {
    pub(super) behind: Option<NodeId>,
    pub(super) position: usize,
    pub(super) piece: Piece,
}

/// Changes of the tree.
#[derive(Default)]
pub(super) struct Changes {
    pub(super) removed: FxHashSet<NodeId>,
    pub(super) texts: FxHashMap<NodeId, String>,
    pub(super) replaced: FxHashMap<NodeId, New>,
    pub(super) inserted: FxHashMap<NodeId, Vec<Insertion>>,
    /// Elements that are not as they were, or hold such.
    pub(super) touched: FxHashSet<NodeId>,
}

impl Changes {
    fn touch(&mut self, element: Element<'_>) {
        let mut at = Some(element);
        while let Some(element) = at {
            if !self.touched.insert(element.id()) {
                break;
            }
            at = element.parent();
        }
    }
}

/// Parts of a text, and what stands there instead.
type Cuts = Vec<(Range<usize>, String)>;

/// Changes to a document, gathered by an operation.
pub(super) struct Draft<'d> {
    document: &'d Document,
    edit: Edit<'d>,
    changes: Changes,
    patches: FxHashMap<NodeId, (Element<'d>, Cuts)>,
}

impl<'d> Draft<'d> {
    pub(super) fn of(document: &'d Document) -> Result<Self, Refusal> {
        Ok(Self { document, edit: Edit::of(document)?, changes: Changes::default(), patches: FxHashMap::default() })
    }

    /// Whether an element is removed, by itself or with what it lies in.
    pub(super) fn is_removed(&self, element: Element<'_>) -> bool {
        std::iter::successors(Some(element), |element| element.parent())
            .any(|element| self.changes.removed.contains(&element.id()))
    }

    fn put(&mut self, parent: Element<'d>, name: Name, piece: Piece, place: Place<'d>) -> Result<(), Refusal> {
        let (behind, position) = self.edit.place_of(parent, name, place)?;
        self.changes.touch(parent);
        self.changes.inserted.entry(parent.id()).or_default().push(Insertion { behind, position, piece });
        Ok(())
    }

    pub(super) fn insert(&mut self, parent: Element<'d>, new: New) -> Result<(), Refusal> {
        self.insert_at(parent, new, Place::InOrder)
    }

    pub(super) fn insert_at(&mut self, parent: Element<'d>, new: New, place: Place<'d>) -> Result<(), Refusal> {
        self.edit.insert_at(parent, &new, place)?;
        self.put(parent, new.name, Piece::New(new), place)
    }

    /// Puts an element a second time, with changes inside of the copy.
    pub(super) fn copy(
        &mut self,
        element: Element<'d>,
        parent: Element<'d>,
        place: Place<'d>,
        change: impl FnOnce(&mut Self) -> Result<(), Refusal>,
    ) -> Result<(), Refusal> {
        let mut inner = Self::of(self.document)?;
        change(&mut inner)?;
        let (patch, changes) = inner.parts()?;
        let new = New::written(element, &patch, parent)?;
        self.edit.insert_at(parent, &new, place)?;
        self.put(parent, new.name, Piece::Copy(element.id(), changes), place)
    }

    /// Puts an element at another place.
    pub(super) fn move_to(
        &mut self,
        element: Element<'d>,
        parent: Element<'d>,
        place: Place<'d>,
    ) -> Result<(), Refusal> {
        self.copy(element, parent, place, |_| Ok(()))?;
        self.remove(element)
    }

    pub(super) fn remove(&mut self, element: Element<'d>) -> Result<(), Refusal> {
        self.edit.remove(element)?;
        self.changes.touch(element);
        self.changes.removed.insert(element.id());
        Ok(())
    }

    pub(super) fn replace(&mut self, element: Element<'d>, new: New) -> Result<(), Refusal> {
        self.edit.replace(element, &new)?;
        self.changes.touch(element);
        self.changes.replaced.insert(element.id(), new);
        Ok(())
    }

    pub(super) fn set_text(&mut self, element: Element<'d>, text: &str) -> Result<(), Refusal> {
        self.edit.set_text(element, text)?;
        self.changes.touch(element);
        self.changes.texts.insert(element.id(), text.to_owned());
        Ok(())
    }

    /// Replaces a part of a text; the same part twice by the same text is one change.
    pub(super) fn patch_text(&mut self, element: Element<'d>, range: Range<usize>, with: &str) -> Result<(), Refusal> {
        let (_, parts) = self.patches.entry(element.id()).or_insert_with(|| (element, Vec::new()));
        let part = (range, with.to_owned());
        if !parts.contains(&part) {
            parts.push(part);
        }
        Ok(())
    }

    pub(super) fn set_child(&mut self, parent: Element<'d>, name: Name, text: Option<&str>) -> Result<(), Refusal> {
        let child = parent.children().find(|child| child.ns() == name.ns && child.local() == name.local);
        match (child, text) {
            (Some(child), Some(text)) => self.set_text(child, text),
            (Some(child), None) => self.remove(child),
            (None, Some(text)) => self.insert(parent, New::text(name, text)),
            (None, None) => Ok(()),
        }
    }

    /// Puts an element in place of the one of its name, or adds it.
    pub(super) fn put_child(&mut self, parent: Element<'d>, new: New) -> Result<(), Refusal> {
        match parent.children().find(|child| child.ns() == new.name.ns && child.local() == new.name.local) {
            Some(child) => self.replace(child, new),
            None => self.insert(parent, new),
        }
    }

    /// Puts the items of a new list in place of those of a list, each of its own.
    pub(super) fn replace_items(&mut self, list: Element<'d>, new: New) -> Result<(), Refusal> {
        let items = match new.content {
            NewContent::Elements(items) => items,
            _ => Vec::new(),
        };
        let old: Vec<Element<'d>> = list.all("item").collect();
        let count = items.len();
        for (number, new) in items.into_iter().enumerate() {
            match old.get(number) {
                Some(element) => self.replace(*element, new)?,
                None => self.insert(list, new)?,
            }
        }
        for element in old.into_iter().skip(count) {
            self.remove(element)?;
        }
        Ok(())
    }

    /// Sets the texts of some languages; those of others stay.
    pub(super) fn set_localized(
        &mut self,
        parent: Element<'d>,
        name: Name,
        texts: &[(String, String)],
    ) -> Result<(), Refusal> {
        let pairs = || texts.iter().map(|(language, text)| (language.as_str(), text.as_str()));
        let found = parent.children().find(|child| child.ns() == name.ns && child.local() == name.local);
        let Some(child) = found else { return self.insert(parent, New::localized(name, pairs())) };
        if !child.is_of("LocalStringType") && child.child("item").is_none() {
            return self.replace(child, New::localized(name, pairs()));
        }
        for (language, text) in pairs() {
            let item = child.all("item").find(|item| item.text_of("lang") == language);
            match item.and_then(|item| item.child("content")) {
                Some(content) => self.set_text(content, text)?,
                None => {
                    let New { content, .. } = New::localized(name, [(language, text)]);
                    if let NewContent::Elements(items) = content {
                        for item in items {
                            self.insert(child, item)?;
                        }
                    }
                }
            }
        }
        Ok(())
    }

    fn parts(mut self) -> Result<(Patch, Changes), Refusal> {
        for (element, mut parts) in std::mem::take(&mut self.patches).into_values() {
            if self.is_removed(element) {
                continue;
            }
            parts.sort_by_key(|(range, _)| (range.start, range.end));
            let old = element.text();
            let (mut text, mut at) = (String::with_capacity(old.len()), 0);
            for (range, with) in &parts {
                text.push_str(old.get(at..range.start).unwrap_or(""));
                text.push_str(with);
                at = range.end;
                self.edit.patch_text(element, range.clone(), with)?;
            }
            text.push_str(old.get(at..).unwrap_or(""));
            self.changes.touch(element);
            self.changes.texts.insert(element.id(), text);
        }
        Ok((self.edit.finish()?, self.changes))
    }

    /// The patch, and what it declares to change.
    pub(super) fn finish(self) -> Result<(Patch, Vec<Change>), Refusal> {
        let document = self.document;
        let (patch, changes) = self.parts()?;
        let declared = match (meaning(document), expected(document, &changes)) {
            (Some(old), Some(new)) => diff(&old, &new),
            _ => Vec::new(),
        };
        Ok((patch, declared))
    }
}

/// A text in Russian, or in the first language that there is.
pub(super) fn shown(element: Option<Element<'_>>) -> String {
    element.map(|element| localized(element, "ru").into_owned()).unwrap_or_default()
}
