//! Descriptions: `<Properties>` and `<ChildObjects>` become elements of one file.

use super::value::{localized, property};
use super::xml::{El, child, children, feature, text};
use roxmltree::Node;

/// A row of the table of kinds.
pub struct Kind {
    pub top: bool,
    pub name: &'static str,
    pub plural: &'static str,
    pub folder: &'static str,
}

const KINDS: &str = include_str!("../../../crates/metadata/data/kinds.tsv");
const PROPERTIES: &str = include_str!("../../../crates/metadata/data/edt_properties.tsv");

/// The kinds.
pub fn kinds() -> impl Iterator<Item = Kind> {
    KINDS.lines().filter(|line| !line.starts_with('#')).skip(1).filter_map(|line| {
        let cells: Vec<&str> = line.split('\t').collect();
        let cell = |i: usize| cells.get(i).copied().unwrap_or("");
        (cells.len() > 5).then(|| Kind { top: cell(0) == "top", name: cell(1), plural: cell(2), folder: cell(5) })
    })
}

/// What a property is where EDT leaves it out; empty if it always writes it.
fn default(path: &str, name: &str) -> &'static str {
    let row = PROPERTIES.lines().find_map(|line| line.split_once('\t').filter(|(p, _)| *p == path));
    let words = row.into_iter().flat_map(|(_, words)| words.split(' '));
    let mut pairs = words.filter_map(|word| word.split_once('='));
    pairs.find(|(n, _)| n.trim_end_matches(":list") == name).map_or("", |(_, default)| default)
}

/// The element that names what holds a thing.
pub fn holder(kind: &str) -> &'static str {
    if kind == "Subsystem" { "parentSubsystem" } else { "parentDataSource" }
}

/// The root element of a description. `inner`: what the Designer keeps in files beside it.
pub fn root(node: Node<'_, '_>, kind: &str, inner: Vec<El>) -> El {
    let root = El::new(format!("mdclass:{kind}"))
        .with("xmlns:xsi", "http://www.w3.org/2001/XMLSchema-instance")
        .with("xmlns:core", "http://g5.1c.ru/v8/dt/mcore")
        .with("xmlns:mdclass", "http://g5.1c.ru/v8/dt/metadata/mdclass");
    let part = element(node, kind, root);
    part.holding(inner)
}

/// A part with all that it holds, under that name.
pub fn part(node: Node<'_, '_>, path: &str, name: &str) -> El {
    element(node, path, El::new(name))
}

fn element(node: Node<'_, '_>, path: &str, mut all: El) -> El {
    if let Some(uuid) = node.attribute("uuid") {
        all = all.with("uuid", uuid);
    }
    all.children.extend(child(node, "InternalInfo").and_then(produced_types));
    for own in child(node, "Properties").into_iter().flat_map(children) {
        match own.tag_name().name() {
            "Synonym" => all.children.extend(localized("synonym", own)),
            "StandardAttributes" => all.children.extend(children(own).filter_map(standard_attribute)),
            name => all.children.extend(property(own, default(path, name))),
        }
    }
    for part in child(node, "ChildObjects").into_iter().flat_map(children) {
        all.children.extend(child_object(part, node, path));
    }
    all
}

/// What the platform makes for the object: by `typeId` and `valueTypeId`.
fn produced_types(info: Node<'_, '_>) -> Option<El> {
    let types: Vec<El> = children(info)
        .filter_map(|made| {
            let id = |name| child(made, name).map_or("", text);
            let name = format!("{}Type", feature(made.attribute("category")?));
            Some(El::new(name).with("typeId", id("TypeId")).with("valueTypeId", id("ValueId")))
        })
        .collect();
    (!types.is_empty()).then(|| El::new("producedTypes").holding(types))
}

/// What EDT leaves out of a standard attribute.
const DEFAULTS: [&str; 5] = ["false", "Auto", "DontCheck", "TransformValues", "DontUse"];

fn standard_attribute(node: Node<'_, '_>) -> Option<El> {
    let mut all = El::new("standardAttributes").holding([El::leaf("name", node.attribute("name")?)]);
    for own in children(node) {
        if !DEFAULTS.contains(&text(own).trim()) {
            all.children.extend(property(own, ""));
        }
    }
    Some(all)
}

/// A part: described in place, or listed. Forms, templates and languages come with their descriptions.
fn child_object(part: Node<'_, '_>, owner: Node<'_, '_>, path: &str) -> Option<El> {
    let kind = part.tag_name().name();
    let plural = kinds().find(|k| k.name == kind).map_or(kind, |k| k.plural);
    let name = match (kind, path) {
        ("Field", _) => "tableFields".to_owned(),
        ("XDTOPackage", "Configuration") => "xDTOPackages".to_owned(),
        _ => feature(plural),
    };
    if part.first_element_child().is_some() {
        return Some(self::part(part, &format!("{path}.{kind}"), &name));
    }
    let listed = text(part).trim();
    match kind {
        "Form" | "Template" | "Language" => None,
        "Table" => {
            let own = child(owner, "Properties").and_then(|p| child(p, "Name")).map_or("", text);
            Some(El::leaf(name, format!("ExternalDataSource.{own}.Table.{listed}")))
        }
        "Subsystem" if path == "Subsystem" => Some(El::leaf(name, listed)),
        kind => Some(El::leaf(name, format!("{kind}.{listed}"))),
    }
}
