//! Roles and their rights.

use super::{FileId, Text};
use serde::{Deserialize, Serialize};

/// Rights of a role. Name, synonym and comment stand at its [`Object`](super::object::Object).
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Role {
    /// Canonical full name (`Role.X`).
    pub full_name: Text,
    /// File with the rights.
    pub file: FileId,
    /// New objects get rights.
    pub set_for_new_objects: bool,
    /// Attributes and tabular sections get rights by default.
    pub set_for_attributes_by_default: bool,
    /// Rights of subordinate objects don't depend on their owner's.
    pub independent_rights_of_child_objects: bool,
    /// Objects with rights that differ from the default, in file order.
    pub objects: Vec<ObjectRights>,
    /// Templates of restrictions.
    pub templates: Vec<RestrictionTemplate>,
}

/// Rights to one object or to a part of it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ObjectRights {
    /// Canonical full name (`Catalog.X`, `Catalog.X.Attribute.A`, `Configuration`).
    pub object: Text,
    /// Line.
    pub line: u32,
    /// The rights, in file order.
    pub rights: Vec<Right>,
}

/// One right.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Right {
    /// Name (`Read`, `InteractiveInsert` …).
    pub name: Text,
    /// Granted or not.
    pub value: bool,
    /// Restrictions at record level.
    pub restrictions: Vec<Restriction>,
    /// Line.
    pub line: u32,
}

/// A restriction at record level.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Restriction {
    /// Fields that it holds for; empty: all other fields.
    pub fields: Vec<Text>,
    /// Their lines.
    pub field_lines: Vec<u32>,
    /// Text of the condition.
    pub condition: Text,
    /// Line of the condition.
    pub line: u32,
}

/// A template of restrictions.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct RestrictionTemplate {
    /// Name with parameters as written (`ForObject(Modifier)`).
    pub name: Text,
    /// Text.
    pub condition: Text,
    /// Line of the text.
    pub line: u32,
}
