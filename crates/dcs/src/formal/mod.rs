//! The formal model of report schemas: which elements may stand where, in which order, of which types.
//!
//! The model is data: the files in `schemas/` at the root of the workspace, one a namespace. This module reads them
//! ([`Formal::get`]) and holds documents against them ([`conform`]).

mod conform;
mod read;
mod simple;
mod typing;

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use crate::xml::{KNOWN, NsId};

pub(crate) use conform::longest_run;
pub use conform::{Deviation, DeviationKind, conform};
pub use read::ModelError;
pub(crate) use typing::{element_types, slot_of};

/// A name with its namespace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Name {
    /// The namespace.
    pub ns: NsId,
    /// The name in it.
    pub local: &'static str,
}

impl std::fmt::Display for Name {
    /// As the files of the model write it: `set:Filter`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match KNOWN.get(self.ns.0 as usize) {
            Some(("", _)) | None => f.write_str(self.local),
            Some((prefix, _)) => write!(f, "{prefix}:{}", self.local),
        }
    }
}

/// A name as the files of the model write it: `name("set:filter")`. Of an unknown prefix a name without namespace.
pub fn name(text: &'static str) -> Name {
    let (prefix, local) = text.split_once(':').unwrap_or(("", text));
    let ns = KNOWN.iter().position(|known| known.0 == prefix).unwrap_or(0);
    Name { ns: NsId(ns as u32), local }
}

/// Number of a type in [`Formal::types`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TypeId(pub u16);

impl TypeId {
    /// A type that the model says nothing of.
    pub const OPAQUE: Self = Self(u16::MAX);
    /// The element itself has no place where it stands.
    pub const MISPLACED: Self = Self(u16::MAX - 1);
    /// Any type: `xsi:type` says which.
    pub const ANY: Self = Self(u16::MAX - 2);
}

/// What a type is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// Elements in an order.
    Elements,
    /// A text of an XML Schema type.
    Simple(Simple),
    /// One of these texts.
    Enumeration(Vec<&'static str>),
    /// Whatever it is.
    Opaque,
}

/// Simple types of XML Schema that the model uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Simple {
    String,
    Boolean,
    Decimal,
    Integer,
    DateTime,
    QName,
    NmToken,
    /// No text at all.
    Empty,
}

/// How often a child may stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count {
    /// It must stand.
    pub required: bool,
    /// It may stand several times.
    pub many: bool,
}

/// A child, or an attribute, of a type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// Its name; of an attribute without a namespace.
    pub name: Name,
    /// It is an attribute.
    pub is_attribute: bool,
    /// How often it may stand.
    pub count: Count,
    /// Its type; [`TypeId::ANY`] if `xsi:type` says what it is.
    pub of: TypeId,
    /// `xsi:nil` may stand in place of a value.
    pub nil: bool,
    /// What holds if it is absent.
    pub default: Option<&'static str>,
    /// The property's name in 1C:EDT, if it differs.
    pub edt: Option<&'static str>,
    /// The release of the platform that brought it.
    pub since: Option<&'static str>,
    /// Where the fact comes from.
    pub sources: Sources,
}

/// Where a fact comes from; see the README of the model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sources {
    /// The published structure of the format.
    pub format: bool,
    /// 1C:EDT.
    pub edt: bool,
    /// Elements in the genuine schemas that were measured.
    pub measured: u32,
    /// Genuine schemas among those counted.
    pub counted: u32,
}

/// A type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Type {
    /// Its name.
    pub name: Name,
    /// What it inherits.
    pub base: Option<TypeId>,
    /// Nothing is of this very type.
    pub is_abstract: bool,
    /// What tells a thing from its neighbours.
    pub key: Vec<&'static str>,
    /// The class in 1C:EDT.
    pub class: Option<&'static str>,
    /// What it is made of.
    pub content: Content,
    /// Children in their order, those of the base first.
    pub children: Vec<Member>,
    /// Attributes.
    pub attributes: Vec<Member>,
    /// Where the fact comes from.
    pub sources: Sources,
}

/// The model.
#[derive(Debug)]
pub struct Formal {
    types: Vec<Type>,
    by_name: FxHashMap<Name, TypeId>,
    roots: Vec<(Name, TypeId)>,
    slots: FxHashMap<Name, Vec<Name>>,
    closed: Vec<NsId>,
}

static FORMAL: LazyLock<Formal> = LazyLock::new(|| {
    // The files are part of the program; a test reads them, so an error here can't reach a user.
    read::read(read::FILES).unwrap_or_else(|_| Formal {
        types: Vec::new(),
        by_name: FxHashMap::default(),
        roots: Vec::new(),
        slots: FxHashMap::default(),
        closed: Vec::new(),
    })
});

impl Formal {
    /// The model of this program.
    pub fn get() -> &'static Self {
        &FORMAL
    }

    /// All types.
    pub fn types(&self) -> &[Type] {
        &self.types
    }

    /// A type by its number.
    pub fn of(&self, id: TypeId) -> Option<&Type> {
        self.types.get(usize::from(id.0))
    }

    /// A type by its name.
    pub fn find(&self, ns: NsId, local: &str) -> Option<TypeId> {
        // The key holds a static name, the question a borrowed one: the hash is over the same data.
        self.by_name.get(&NameRef { ns, local } as &dyn NameKey).copied()
    }

    /// A name of a type or child as the model has it.
    pub fn known_name(&self, ns: NsId, local: &str) -> Option<Name> {
        if let Some(id) = self.find(ns, local) {
            return self.of(id).map(|of| of.name);
        }
        let children = self.types.iter().flat_map(|of| &of.children);
        children
            .map(|child| child.name)
            .chain(self.slots.values().flatten().copied())
            .find(|name| name.ns == ns && name.local == local)
    }

    /// Elements that a file may begin with, and their types.
    pub fn roots(&self) -> &[(Name, TypeId)] {
        &self.roots
    }

    /// Types that were seen in `xsi:type` of an element; none if its declared type says it all.
    pub fn seen_in_slot(&self, name: Name) -> &[Name] {
        self.slots.get(&name).map_or(&[], Vec::as_slice)
    }

    /// Elements with open types, and what was seen there.
    pub fn slots(&self) -> impl Iterator<Item = (Name, &[Name])> {
        self.slots.iter().map(|(&name, types)| (name, types.as_slice()))
    }

    /// Whether a type that isn't listed in this namespace doesn't exist.
    pub fn is_closed(&self, ns: NsId) -> bool {
        self.closed.contains(&ns)
    }

    /// Whether a type is another one or inherits from it.
    pub fn is_a(&self, mut id: TypeId, base: TypeId) -> bool {
        // No longer than there are types, should the files of the model ever have a cycle.
        for _ in 0..=self.types.len() {
            if id == base {
                return true;
            }
            match self.of(id).and_then(|of| of.base) {
                Some(next) => id = next,
                None => return false,
            }
        }
        false
    }
}

impl Type {
    /// Place of a child in the order.
    pub fn position(&self, ns: NsId, local: &str) -> Option<usize> {
        self.children.iter().position(|child| child.name.ns == ns && child.name.local == local)
    }

    /// A child by its name, whatever its namespace.
    pub fn child(&self, local: &str) -> Option<&Member> {
        self.children.iter().find(|child| child.name.local == local)
    }
}

/// A name to look up.
struct NameRef<'n> {
    ns: NsId,
    local: &'n str,
}

/// Lets a map of static names be asked with borrowed ones.
trait NameKey {
    fn parts(&self) -> (NsId, &str);
}

impl NameKey for Name {
    fn parts(&self) -> (NsId, &str) {
        (self.ns, self.local)
    }
}

impl NameKey for NameRef<'_> {
    fn parts(&self) -> (NsId, &str) {
        (self.ns, self.local)
    }
}

impl std::hash::Hash for dyn NameKey + '_ {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.parts().hash(state);
    }
}

impl PartialEq for dyn NameKey + '_ {
    fn eq(&self, other: &Self) -> bool {
        self.parts() == other.parts()
    }
}

impl Eq for dyn NameKey + '_ {}

impl<'n> std::borrow::Borrow<dyn NameKey + 'n> for Name {
    fn borrow(&self) -> &(dyn NameKey + 'n) {
        self
    }
}
