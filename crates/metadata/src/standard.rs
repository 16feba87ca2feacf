//! Standard attributes: which ones an object really has, by the rules in `data/standard_attributes.tsv`.
//!
//! A dump describes all standard attributes of a kind, also those that the object doesn't have (`Owner` of a catalog
//! without owners). `condition`: words that must all hold; `P=V`, `P!=V`, `P>0` compare a property, `@P` says that a
//! reference property isn't empty. `types`: a type; `ref`, the object's own reference; `code` and `number` (string or
//! number of the length set); `string:P` (length from a property); `refs:P`, references to what a property names;
//! `from:P` / `points:P`, references to (route points of) the objects whose property P names this one.

use crate::kinds::Kind;
use crate::model::object::{Item, Object};
use crate::model::types::{TypeRef, Types};
use crate::model::{Localized, Text};
use rustc_hash::FxHashMap;
use std::sync::LazyLock;

/// One row of the table.
#[derive(Debug)]
pub struct StandardAttribute {
    /// English name.
    pub name: &'static str,
    /// Russian name.
    pub name_ru: &'static str,
    /// When an object has it; empty: always.
    pub condition: &'static str,
    /// Its types.
    pub types: &'static str,
}

static TABLE: LazyLock<FxHashMap<&'static str, Vec<StandardAttribute>>> = LazyLock::new(|| {
    let mut table: FxHashMap<_, Vec<_>> = FxHashMap::default();
    let text = include_str!("../data/standard_attributes.tsv");
    for line in text.lines().filter(|l| !l.starts_with('#') && !l.starts_with("kind\t")) {
        let mut cells = line.split('\t');
        let mut cell = || cells.next().unwrap_or("");
        let kind = cell();
        let row = StandardAttribute { name: cell(), name_ru: cell(), condition: cell(), types: cell() };
        table.entry(kind).or_default().push(row);
    }
    table
});

/// The standard attributes that objects of a kind may have.
#[must_use]
pub fn of_kind(kind: Kind) -> &'static [StandardAttribute] {
    TABLE.get(kind.en()).map_or(&[], Vec::as_slice)
}

/// The English names of standard attributes, of whatever kind, that have a Russian one, in any case: names in dumps are English.
///
/// ```
/// assert_eq!(metascope_metadata::standard::names_of("наименование"), ["Description"]);
/// ```
#[must_use]
pub fn names_of(russian: &str) -> Vec<&'static str> {
    let wanted = russian.to_lowercase();
    let all = TABLE.values().flatten().filter(|one| one.name_ru.to_lowercase() == wanted);
    let mut names: Vec<&str> = all.map(|one| one.name).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// What a dump says about a standard attribute of an object.
#[derive(Debug, Clone)]
pub struct Described {
    /// Standard tabular section that it belongs to; None: the object itself.
    pub section: Option<Text>,
    /// English name.
    pub name: Text,
    /// Synonym.
    pub synonym: Localized,
    /// Comment.
    pub comment: Text,
    /// The platform checks that it is filled.
    pub required: bool,
    /// Line.
    pub line: u32,
}

/// Who names whom: (property, full name of the target) -> full names of the objects that hold the reference.
pub type Reverse = FxHashMap<(Text, Text), Vec<Text>>;

/// Reverse references that the rules ask for.
#[must_use]
pub fn reverse(objects: &[Object]) -> Reverse {
    let mut reverse = Reverse::default();
    for object in objects {
        for link in &object.links {
            if link.item.is_none() && matches!(&*link.property, "RegisterRecords" | "Task") {
                let key = (link.property.clone(), link.target.clone());
                reverse.entry(key).or_default().push(object.full_name.clone());
            }
        }
    }
    reverse
}

/// Appends the standard attributes that the object and its tabular sections really have.
pub fn complete(object: &mut Object, described: &[Described], reverse: &Reverse) {
    let kind = object.kind;
    let mut new = Vec::new();
    let property = |name: &str| object.property(name);
    let is_linked = |name: &str| object.linked(name).next().is_some();
    for row in of_kind(kind).iter().filter(|row| holds(row.condition, &property, &is_linked)) {
        let said = described.iter().find(|d| d.section.is_none() && &*d.name == row.name);
        let types = types(row.types, object, reverse);
        new.push(item(&object.full_name, None, row, types, said, object.line));
    }
    if let Some(section) = Kind::named("TabularSection") {
        for (place, owner) in object.items.iter().enumerate().filter(|(_, i)| i.kind == section) {
            for row in of_kind(section) {
                let types = types(row.types, object, reverse);
                new.push(item(&owner.full_name, u32::try_from(place).ok(), row, types, None, owner.line));
            }
        }
    }
    object.items.append(&mut new);
}

fn item(
    owner: &str,
    parent: Option<u32>,
    row: &StandardAttribute,
    types: Types,
    said: Option<&Described>,
    line: u32,
) -> Item {
    let empty = Text::from("");
    Item {
        kind: Kind::named("StandardAttribute").unwrap_or_else(Kind::configuration),
        name: row.name.into(),
        name_ru: Some(row.name_ru.into()),
        full_name: format!("{owner}.StandardAttribute.{}", row.name).into(),
        parent,
        uuid: empty.clone(),
        synonym: said.map(|s| s.synonym.clone()).unwrap_or_default(),
        comment: said.map_or_else(|| empty.clone(), |s| s.comment.clone()),
        types,
        required: said.is_some_and(|s| s.required),
        indexing: empty,
        properties: Vec::new(),
        line: said.map_or(line, |s| s.line),
        file: None,
    }
}

/// Whether a condition of the table holds for an object of these properties; `is_linked`: whether a reference property isn't empty.
pub fn holds<'v>(
    condition: &str,
    property: &dyn Fn(&str) -> Option<&'v str>,
    is_linked: &dyn Fn(&str) -> bool,
) -> bool {
    condition.split_whitespace().all(|word| {
        if let Some(name) = word.strip_prefix('@') {
            return is_linked(name);
        }
        if let Some((name, value)) = word.split_once("!=") {
            return property(name) != Some(value);
        }
        if let Some((name, value)) = word.split_once('=') {
            return property(name) == Some(value);
        }
        // A dump that leaves the length out says nothing against the attribute.
        word.strip_suffix(">0").is_none_or(|name| property(name) != Some("0"))
    })
}

fn types(rule: &str, object: &Object, reverse: &Reverse) -> Types {
    let one = |name: String, qualifiers: &str| TypeRef { name: name.into(), qualifiers: qualifiers.into(), line: 0 };
    let length = |property: &str| object.property(property).filter(|l| *l != "0").unwrap_or("").to_owned();
    let by_type = |type_property: &str, length_property: &str| {
        let number = object.property(type_property) == Some("Number");
        let length = length(length_property);
        if number { one("Number".into(), &format!("{length},0")) } else { one("String".into(), &length) }
    };
    let holders = |property: &str| reverse.get(&(property.into(), object.full_name.clone())).into_iter().flatten();
    let list = match rule.split_once(':').unwrap_or((rule, "")) {
        ("ref", _) => reference(&object.full_name).map(|name| one(name, "")).into_iter().collect(),
        ("code", _) => vec![by_type("CodeType", "CodeLength")],
        ("number", _) => vec![by_type("NumberType", "NumberLength")],
        ("string", property) => vec![one("String".into(), &length(property))],
        ("refs", property) => {
            object.linked(property).filter_map(|l| reference(&l.target)).map(|n| one(n, "")).collect()
        }
        ("from", property) => holders(property).filter_map(|h| reference(h)).map(|n| one(n, "")).collect(),
        ("points", property) => {
            let points = holders(property).filter_map(|h| h.strip_prefix("BusinessProcess."));
            points.map(|name| one(format!("BusinessProcessRoutePointRef.{name}"), "")).collect()
        }
        (name, _) => vec![one(name.to_owned(), "")],
    };
    Types(list)
}

/// The reference type of an object: `Catalog.X` -> `CatalogRef.X`.
fn reference(full_name: &str) -> Option<String> {
    let (kind, name) = full_name.split_once('.')?;
    Some(format!("{}.{name}", Kind::named(kind)?.type_ending("Ref")?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::FileId;
    use crate::model::object::{Details, Link, Property};

    fn object(full_name: &str, properties: &[(&str, &str)], links: &[(&str, &str)]) -> Object {
        let (kind, name) = full_name.split_once('.').expect("a full name");
        let property =
            |(name, value): &(&str, &str)| Property { name: (*name).into(), value: (*value).into(), line: 1 };
        let link = |(property, target): &(&str, &str)| Link {
            item: None,
            property: (*property).into(),
            target: (*target).into(),
            value: "".into(),
            line: 1,
        };
        Object {
            kind: Kind::named(kind).expect("a kind"),
            name: name.into(),
            full_name: full_name.into(),
            parent: None,
            uuid: "".into(),
            synonym: Localized::default(),
            comment: "".into(),
            file: FileId(0),
            line: 3,
            types: Types::default(),
            properties: properties.iter().map(property).collect(),
            items: Vec::new(),
            links: links.iter().map(link).collect(),
            details: Details::None,
        }
    }

    fn attributes(mut object: Object, others: &[Object]) -> Vec<(String, String)> {
        complete(&mut object, &[], &reverse(others));
        object.items.iter().map(|i| (i.name.to_string(), i.types.text())).collect()
    }

    fn names(object: Object) -> Vec<String> {
        attributes(object, &[]).into_iter().map(|(name, _)| name).collect()
    }

    #[test]
    fn every_kind_of_the_table_exists() {
        for kind in TABLE.keys() {
            assert!(Kind::named(kind).is_some(), "{kind}");
        }
    }

    #[test]
    fn a_catalog_has_what_its_properties_say() {
        let flat = names(object("Catalog.К", &[("Hierarchical", "false"), ("CodeLength", "0")], &[]));
        assert_eq!(flat, ["Ref", "DeletionMark", "Description", "Predefined", "PredefinedDataName"]);
        let tree = object("Catalog.К", &[("Hierarchical", "true"), ("HierarchyType", "HierarchyOfItems")], &[]);
        let tree = names(tree);
        assert!(tree.contains(&"Parent".to_owned()) && !tree.contains(&"IsFolder".to_owned()));
        let owned = attributes(object("Catalog.К", &[], &[("Owners", "Catalog.В"), ("Owners", "Document.Д")]), &[]);
        assert!(owned.contains(&("Owner".to_owned(), "CatalogRef.В, DocumentRef.Д".to_owned())));
    }

    #[test]
    fn registers_with_and_without_recorders() {
        let independent = object(
            "InformationRegister.Р",
            &[("InformationRegisterPeriodicity", "Day"), ("WriteMode", "Independent")],
            &[],
        );
        assert_eq!(names(independent), ["Period"]);
        let document = object("Document.Д", &[], &[("RegisterRecords", "AccumulationRegister.О")]);
        let turnovers = object("AccumulationRegister.О", &[("RegisterType", "Turnovers")], &[]);
        let rows = attributes(turnovers, &[document]);
        assert!(rows.contains(&("Recorder".to_owned(), "DocumentRef.Д".to_owned())));
        assert!(rows.iter().all(|(name, _)| name != "RecordType"));
    }

    #[test]
    fn codes_and_numbers_have_types_with_lengths() {
        let mut document = object("Document.Д", &[("NumberType", "Number"), ("NumberLength", "9")], &[]);
        complete(&mut document, &[], &Reverse::default());
        let number = document.items.iter().find(|i| &*i.name == "Number").expect("a number");
        assert_eq!((&*number.types.0[0].name, &*number.types.0[0].qualifiers), ("Number", "9,0"));
        assert_eq!(
            (&*number.full_name, number.name_ru.as_deref()),
            ("Document.Д.StandardAttribute.Number", Some("Номер"))
        );
    }
}
