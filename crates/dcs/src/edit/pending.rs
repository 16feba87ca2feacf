//! From the changes that were gathered to splices.

use std::collections::BTreeMap;
use std::ops::Range;

use rustc_hash::FxHashSet;

use super::layout::{Layout, white_space_before};
use super::{Edit, EditError, New, Patch, Splice, new};
use crate::document::{Document, Element};
use crate::xml::{NodeId, NodeKind};

/// A new element and its place.
pub(super) struct Insertion {
    pub(super) parent: NodeId,
    /// The element right before it; none: it is the first one.
    pub(super) behind: Option<NodeId>,
    /// Its place in the model's order: what is inserted at the same place stands by it.
    pub(super) position: usize,
    pub(super) new: New,
}

pub(super) fn finish(edit: Edit<'_>) -> Result<Patch, EditError> {
    let Edit { document, layout, mut splices, mut insertions, removed } = edit;
    let gone: FxHashSet<NodeId> = removed.iter().copied().collect();
    let outermost: Vec<NodeId> = removed.into_iter().filter(|&id| !is_inside(document, id, &gone)).collect();

    insertions.sort_by_key(|insertion| (insertion.parent, insertion.behind, insertion.position));
    let mut by_parent: BTreeMap<NodeId, Vec<Insertion>> = BTreeMap::new();
    for insertion in insertions {
        by_parent.entry(insertion.parent).or_default().push(insertion);
    }
    let mut emptied: FxHashSet<NodeId> = FxHashSet::default();
    for &id in &outermost {
        let Some(element) = document.element(id) else { continue };
        let Some(parent) = element.parent() else { continue };
        if !by_parent.contains_key(&parent.id()) && holds_nothing_without(parent, &gone) {
            if emptied.insert(parent.id()) {
                splices.push(empty(&layout, parent));
            }
            continue;
        }
        splices.push(Splice { range: with_white_space(element), text: String::new() });
    }
    for (parent, insertions) in by_parent {
        if gone.contains(&parent) || is_inside(document, parent, &gone) {
            return Err(EditError::Overlap { at: document.tree().range(parent).start });
        }
        let Some(parent) = document.element(parent) else { continue };
        splices.extend(insert(&layout, document, parent, &insertions));
    }
    Patch::new(splices)
}

/// Whether an element lies inside one that is removed.
fn is_inside(document: &Document, id: NodeId, gone: &FxHashSet<NodeId>) -> bool {
    !gone.is_empty()
        && std::iter::successors(document.tree().parent(id), |&id| document.tree().parent(id))
            .any(|id| gone.contains(&id))
}

/// Whether an element is empty once these are removed.
fn holds_nothing_without(parent: Element<'_>, gone: &FxHashSet<NodeId>) -> bool {
    let tree = parent.document().tree();
    tree.children(parent.id()).all(|child| match tree.kind(child) {
        NodeKind::Element => gone.contains(&child),
        NodeKind::Text => tree.text()[tree.range(child)].trim().is_empty(),
        _ => false,
    })
}

/// Takes out everything between the tags.
fn empty(layout: &Layout, element: Element<'_>) -> Splice {
    if !layout.self_closing {
        return Splice { range: element.inner_range(), text: String::new() };
    }
    Splice { range: element.start_tag().end - 1..element.range().end, text: "/>".to_owned() }
}

fn with_white_space(element: Element<'_>) -> Range<usize> {
    let range = element.range();
    range.start - white_space_before(element).map_or(0, str::len)..range.end
}

/// The new elements of one parent.
fn insert(layout: &Layout, document: &Document, parent: Element<'_>, insertions: &[Insertion]) -> Vec<Splice> {
    let depth = new::depth_of(parent) + 1;
    let written = |insertion: &Insertion| {
        let lead = layout.lead_in(parent, new::element(document, insertion.behind));
        let indent = lead.rsplit_once('\n').map_or("", |(_, indent)| indent);
        format!("{lead}{}", new::write(layout, parent, &insertion.new, indent, depth))
    };
    if parent.is_self_closing() {
        let inner: String = insertions.iter().map(written).collect();
        let tag_end = parent.start_tag().end;
        let text = format!(">{inner}{}</{}>", layout.tail_of(parent), parent.name());
        return vec![Splice { range: tag_end - 2..tag_end, text }];
    }
    let holds_no_element = parent.children().next().is_none();
    let mut splices: Vec<Splice> = Vec::new();
    for insertion in insertions {
        let behind = new::element(document, insertion.behind);
        let at = behind.map_or(parent.inner_range().start, |behind| behind.range().end);
        let text = written(insertion);
        match splices.last_mut().filter(|last| last.range.start == at) {
            Some(last) => last.text.push_str(&text),
            None => splices.push(Splice { range: at..at, text }),
        }
    }
    // The end tag of an element that held nothing stood right behind its start tag.
    if let Some(last) = splices.last_mut().filter(|_| holds_no_element && parent.inner_range().is_empty()) {
        last.text.push_str(&layout.tail_of(parent));
    }
    splices
}
