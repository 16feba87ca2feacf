//! Types of attributes, constants, parameters and event sources.

use super::Text;
use serde::{Deserialize, Serialize};

/// One type of a type description.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TypeRef {
    /// Canonical English name: `CatalogRef.X`, `DocumentObject.X`, `DefinedType.X`, `Characteristic.X`, a kind-wide
    /// set (`CatalogRef`, `AnyRef`, `DocumentObject`), or a type of the platform (`String`, `Number`, `Boolean`,
    /// `Date`, `ValueStorage`, `UUID`, `ValueTable`, `DynamicList` …).
    pub name: Text,
    /// Qualifiers as text: `50` (length), `50,fixed`, `15,2`, `15,2,nonnegative`, `Date`, `DateTime`; empty where none.
    pub qualifiers: Text,
    /// 1-based line of the type in its file.
    pub line: u32,
}

/// A type description: the union of its types, in file order. Sets (defined types, whole kinds) stand as written;
/// [`crate::names::expand`] resolves them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Types(pub Vec<TypeRef>);

impl Types {
    /// The names, joined by `, `: what views show.
    #[must_use]
    pub fn text(&self) -> String {
        let names: Vec<&str> = self.0.iter().map(|t| &*t.name).collect();
        names.join(", ")
    }

    /// True if nothing is said about the type.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The types, in file order.
    pub fn iter(&self) -> std::slice::Iter<'_, TypeRef> {
        self.0.iter()
    }
}
