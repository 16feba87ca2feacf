//! What objects of the configuration consist of, by name: fields, tabular sections and their fields, enum values, predefined
//! items, areas and parameters of spreadsheet templates.
//!
//! Metadata alone decides on it. Names of parts are numbered apart from the identifiers that calls are resolved by: there are
//! many of them, and no call is one.

use metadata::{Configuration, Item, Object, Template, TemplatePartKind};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::World;
use super::layers::main_first;
use super::reads::{Key, Marks, Table, note, part};
use crate::names::{Names, folded_hash};

/// The property that lists the objects which have a common attribute.
pub(super) const CONTENT: &str = "Content";

/// The property that says whether objects have a common attribute that its list doesn't name.
pub(super) const AUTO_USE: &str = "AutoUse";

/// The name of some part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct PartName(u32);

/// What a part is to code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) enum PartRole {
    /// An attribute, dimension, resource …; of a tabular section a field of its rows.
    Field,
    /// A tabular section.
    Section,
    /// An enum value or a predefined item: a property of the manager.
    Value,
    /// A named area of a spreadsheet template.
    Area,
    /// A parameter of a spreadsheet template.
    Parameter,
}

impl PartRole {
    /// Whether it is a field or a tabular section.
    pub fn is_field(self) -> bool {
        matches!(self, Self::Field | Self::Section)
    }
}

/// A part of an object or of a tabular section.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Part {
    /// Its node.
    pub node: u32,
    /// What it is to code.
    pub role: PartRole,
}

/// Parts by what holds them.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Parts {
    names: Names,
    /// Node of an object or a tabular section, and a name in either language.
    by_holder: Table<{ part::PARTS }, (u32, PartName), Part>,
    /// Areas and parameters by node of the template: an area may have the name of a parameter.
    of_templates: Table<{ part::TEMPLATE_PARTS }, (u32, PartName), Vec<Part>>,
    /// Tabular sections of a name, whatever holds them.
    sections: Table<{ part::SECTIONS }, PartName, Vec<u32>>,
    /// Fields of a name that somebody gave them, whatever holds them.
    fields: Table<{ part::NAMED_FIELDS }, PartName, Vec<u32>>,
}

/// Kinds of parts that are fields.
const FIELDS: [&str; 9] = [
    "Attribute",
    "Dimension",
    "Resource",
    "StandardAttribute",
    "AddressingAttribute",
    "AccountingFlag",
    "ExtDimensionAccountingFlag",
    "Column",
    "Field",
];

/// What an item is to code; None for what code doesn't name.
fn role(item: &Item) -> Option<PartRole> {
    match item.kind.en() {
        "TabularSection" => Some(PartRole::Section),
        "EnumValue" => Some(PartRole::Value),
        kind if FIELDS.contains(&kind) => Some(PartRole::Field),
        _ => None,
    }
}

/// Whether an object is one whose records have fields, standard ones among them; values of enumerations have none of others.
fn has_fields(object: &Object) -> bool {
    !metadata::standard::of_kind(object.kind).is_empty() && !object.kind.is("Enum")
}

/// The full name of a predefined item, as dumps write references to it.
pub(crate) fn predefined_name(owner: &str, name: &str) -> String {
    format!("{owner}.{name}")
}

/// Gives nodes to the parts of all objects: what an extension adds to an object is a part of the object that it extends.
pub(super) fn number(world: &mut World, configuration: &Configuration) {
    let mut parts = Parts::default();
    for object in main_first(&configuration.objects, |object| &object.full_name) {
        let Some(node) = world.find(&object.full_name) else { continue };
        let holder = world.extended(node);
        number_items(world, object, holder, &mut parts);
    }
    for item in main_first(&configuration.predefined, |item| &item.owner) {
        let Some(holder) = world.find(&item.owner).map(|node| world.extended(node)) else { continue };
        let node = world.names.intern(&predefined_name(&item.owner, &item.name));
        let name = PartName(parts.names.intern(&item.name));
        parts.by_holder.entry((holder, name)).or_insert(Part { node, role: PartRole::Value });
    }
    for template in configuration.templates.iter().filter(|template| !template.parts.is_empty()) {
        number_template(world, template, &mut parts);
    }
    for object in configuration.objects.iter().filter(|object| object.kind.is("CommonAttribute")) {
        let Some(node) = world.find(&object.full_name) else { continue };
        let name = PartName(parts.names.intern(&object.name));
        // By default either all objects have it or none; the content says of which ones it is otherwise.
        let auto = object.property(AUTO_USE) == Some("Use");
        let said: FxHashMap<&str, &str> = object.linked(CONTENT).map(|link| (&*link.target, &*link.value)).collect();
        let has = |holder: &str| match said.get(holder) {
            Some(&"Use") => true,
            Some(&"DontUse") => false,
            _ => auto,
        };
        let by_default = configuration.objects.iter().filter(|one| auto && has_fields(one)).map(|one| &*one.full_name);
        for holder in said.keys().copied().chain(by_default).filter(|holder| has(holder)) {
            if let Some(holder) = world.find(holder).map(|node| world.extended(node)) {
                parts.by_holder.entry((holder, name)).or_insert(Part { node, role: PartRole::Field });
            }
        }
    }
    world.parts = parts;
}

fn number_template(world: &mut World, template: &Template, parts: &mut Parts) {
    let holder = world.names.intern(&template.full_name);
    for part in &template.parts {
        let role = match part.kind {
            TemplatePartKind::Area => PartRole::Area,
            TemplatePartKind::Parameter => PartRole::Parameter,
        };
        let node = world.names.intern(&format!("{}.{}.{}", template.full_name, part.kind.as_str(), part.name));
        let name = PartName(parts.names.intern(&part.name));
        parts.of_templates.entry((holder, name)).or_default().push(Part { node, role });
    }
}

fn number_items(world: &mut World, object: &Object, holder: u32, parts: &mut Parts) {
    let mut nodes = Vec::with_capacity(object.items.len());
    for item in &object.items {
        let holder = match item.parent {
            Some(parent) => nodes.get(parent as usize).copied().flatten(),
            None => Some(holder),
        };
        let (Some(role), Some(holder)) = (role(item), holder) else {
            nodes.push(None);
            continue;
        };
        let own = PartName(parts.names.intern(&item.name));
        // What an extension adopted is the base's.
        let node = match parts.by_holder.get(&(holder, own)) {
            Some(known) => known.node,
            None => world.names.intern(&item.full_name),
        };
        nodes.push(Some(node));
        for name in std::iter::once(&item.name).chain(&item.name_ru) {
            let name = PartName(parts.names.intern(name));
            let new = !parts.by_holder.contains(&(holder, name));
            parts.by_holder.entry((holder, name)).or_insert(Part { node, role });
            if new && role == PartRole::Section {
                parts.sections.entry(name).or_default().push(node);
            }
            if new && role == PartRole::Field && !item.kind.is("StandardAttribute") {
                parts.fields.entry(name).or_default().push(node);
            }
        }
    }
}

impl Parts {
    pub(super) fn mark(&self, marks: &mut Marks<'_>) {
        let Self { names, by_holder, of_templates, sections, fields } = self;
        for name in 0..names.len() as u32 {
            marks.add(part::PART_NAME, names.hash(name), 1);
        }
        marks.table(by_holder);
        marks.table(of_templates);
        marks.table(sections);
        marks.table(fields);
    }

    /// The number of a name that some part bears.
    pub fn name(&self, name: &str) -> Option<PartName> {
        let hash = folded_hash(name);
        note(part::PART_NAME, Key::Text(hash));
        self.names.find_hashed(hash, name).map(PartName)
    }

    /// The hash of a name without its case.
    pub(super) fn name_hash(&self, PartName(name): PartName) -> u64 {
        self.names.hash(name)
    }

    /// The area or parameter of that name of a template.
    pub fn of_template(&self, template: u32, name: PartName, role: PartRole) -> Option<u32> {
        let parts = self.of_templates.get(&(template, name))?;
        parts.iter().find(|part| part.role == role).map(|part| part.node)
    }

    /// The fields of that name that are no standard attributes, whatever holds them.
    pub fn fields(&self, name: PartName) -> &[u32] {
        self.fields.get(&name).map_or(&[], Vec::as_slice)
    }

    /// The tabular sections of that name, whatever holds them.
    pub fn sections(&self, name: PartName) -> &[u32] {
        self.sections.get(&name).map_or(&[], Vec::as_slice)
    }
}

impl World {
    /// The object that an extension's object extends; any other thing itself.
    fn extended(&self, node: u32) -> u32 {
        self.layers.base(node).unwrap_or(node)
    }

    /// The parts of an object or a tabular section, with their names.
    pub(crate) fn parts_of(&self, holder: u32) -> impl Iterator<Item = (&str, Part)> {
        let holder = self.extended(holder);
        let of = self.parts.by_holder.iter().filter(move |((of, _), _)| *of == holder);
        of.map(|((_, name), part)| (self.parts.names.text(name.0), *part))
    }

    /// The part of that name of an object or a tabular section.
    pub(crate) fn part(&self, holder: u32, name: PartName) -> Option<Part> {
        self.parts.by_holder.get(&(self.extended(holder), name)).copied()
    }
}
