//! The type of each element: what its place says, and what its `xsi:type` says.

use super::{Content, Formal, Name, TypeId};
use crate::xml::{ElementData, NodeId, NodeKind, NsId, Tree, ns};

/// Types by the number of the node, in one pass: parents stand before their children.
pub(crate) fn element_types(tree: &Tree) -> Vec<TypeId> {
    let formal = Formal::get();
    let mut types = vec![TypeId::OPAQUE; tree.len()];
    for number in 0..tree.len() {
        let id = NodeId(number as u32);
        let (Some(element), Some(parent)) = (tree.element(id), tree.parent(id)) else { continue };
        let local = local_of(tree, element);
        let declared = match tree.kind(parent) {
            NodeKind::Document => root_type(formal, element.ns, local),
            _ => declared_type(formal, types[parent.0 as usize], element.ns, local),
        };
        types[number] = effective(formal, tree, element, declared);
    }
    types
}

pub(crate) fn local_of<'t>(tree: &'t Tree, element: &ElementData) -> &'t str {
    &tree.text()[(element.name.start + element.prefix) as usize..element.name.end as usize]
}

pub(super) fn root_type(formal: &Formal, ns: NsId, local: &str) -> TypeId {
    let found = formal.roots().iter().find(|(name, _)| name.ns == ns && name.local == local);
    found.map_or(TypeId::MISPLACED, |&(_, of)| of)
}

/// What the type of the parent says of a child.
pub(super) fn declared_type(formal: &Formal, parent: TypeId, ns: NsId, local: &str) -> TypeId {
    let Some(of) = formal.of(parent) else { return TypeId::OPAQUE };
    match of.content {
        Content::Elements => of.position(ns, local).map_or(TypeId::MISPLACED, |at| of.children[at].of),
        Content::Opaque => TypeId::OPAQUE,
        Content::Simple(_) | Content::Enumeration(_) => TypeId::MISPLACED,
    }
}

/// What the element is, by its `xsi:type` if it has one.
fn effective(formal: &Formal, tree: &Tree, element: &ElementData, declared: TypeId) -> TypeId {
    match named_type(tree, element) {
        // What stands in something opaque is opaque whatever it says of itself.
        _ if declared == TypeId::OPAQUE || declared == TypeId::MISPLACED => declared,
        Some((ns, local)) => formal.find(ns, local).unwrap_or(TypeId::OPAQUE),
        None => declared,
    }
}

/// What `xsi:type` names.
pub(super) fn named_type<'t>(tree: &'t Tree, element: &ElementData) -> Option<(NsId, &'t str)> {
    let range = element.type_local.start as usize..element.type_local.end as usize;
    tree.attributes.get(element.type_attribute as usize).map(|_| (element.type_ns, &tree.text()[range]))
}

/// The slot of an element: its name, for what was seen in its `xsi:type`.
pub(crate) fn slot_of(formal: &Formal, parent: TypeId, ns: NsId, local: &str) -> Option<Name> {
    let of = formal.of(parent)?;
    of.position(ns, local).map(|at| of.children[at].name)
}

/// Whether a name of this namespace must be in the model to exist.
pub(super) fn must_exist(formal: &Formal, ns: NsId) -> bool {
    formal.is_closed(ns) || ns == ns::UNBOUND
}
