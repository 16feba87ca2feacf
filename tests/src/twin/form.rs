//! Forms: elements with a class and a type instead of the Designer's element names.

use super::value::{localized, property, types};
use super::xml::{El, child, children, class, feature, text, word};
use roxmltree::Node;

/// Namespace of the Designer's forms.
pub const SPACE: &str = "http://v8.1c.ru/8.3/xcf/logform";

const PROPERTIES: &str = include_str!("../../../crates/metadata/data/edt_form_properties.tsv");

/// Groups, by the Designer's element.
const GROUPS: [&str; 7] = ["UsualGroup", "Pages", "Page", "ColumnGroup", "CommandBar", "Popup", "ButtonGroup"];

/// Items that are elements of their own in both formats.
const OWN_ITEMS: [&str; 6] = [
    "ContextMenu",
    "AutoCommandBar",
    "ExtendedTooltip",
    "SearchStringAddition",
    "ViewStatusAddition",
    "SearchControlAddition",
];

/// Events that EDT keeps with what the form or item has beyond others of its class.
const EXTENDED: [&str; 10] = [
    "BeforeWrite",
    "AfterWrite",
    "BeforeWriteAtServer",
    "OnWriteAtServer",
    "AfterWriteAtServer",
    "OnReadAtServer",
    "StartChoice",
    "ChoiceProcessing",
    "AutoComplete",
    "Clearing",
];

/// The content of a form.
pub fn form(root: Node<'_, '_>) -> El {
    let mut form = El::new("form:Form")
        .with("xmlns:xsi", "http://www.w3.org/2001/XMLSchema-instance")
        .with("xmlns:core", "http://g5.1c.ru/v8/dt/mcore")
        .with("xmlns:form", "http://g5.1c.ru/v8/dt/form");
    let items = child(root, "ChildItems").into_iter().flat_map(children);
    form.children.extend(items.map(|node| item(node, "items")));
    form.children.extend(child(root, "AutoCommandBar").map(|bar| item(bar, "autoCommandBar")));
    let (own, extended) = events(root);
    form.children.extend(own);
    form.children.extend(properties(root));
    form.children.extend(child(root, "Title").into_iter().flat_map(|title| localized("title", title)));
    let attributes = child(root, "Attributes").into_iter().flat_map(children);
    form.children.extend(attributes.filter(|a| a.tag_name().name() == "Attribute").map(attribute));
    form.children.extend(child(root, "Commands").into_iter().flat_map(children).map(command));
    form.children.extend(child(root, "Parameters").into_iter().flat_map(children).map(parameter));
    let panels = [El::new("navigationPanel"), El::new("commandBar")];
    form.children.push(El::new("commandInterface").holding(panels));
    if !extended.is_empty() {
        form.children.push(El::new("extInfo").class("form:ObjectFormExtInfo").holding(extended));
    }
    form
}

/// Simple properties of the form; what the Designer leaves out stands at a default of its own.
fn properties(root: Node<'_, '_>) -> Vec<El> {
    let rows: Vec<Vec<&str>> = PROPERTIES
        .lines()
        .filter(|line| !line.starts_with('#') && line.starts_with('\t'))
        .map(|line| line.split('\t').collect())
        .collect();
    let mut all = Vec::new();
    for row in &rows {
        let [_, edt, designer, absent, omitted] = row.as_slice() else { continue };
        let word = child(root, designer).map_or(*omitted, |node| text(node).trim());
        if word != *absent {
            all.push(El::leaf(*edt, word));
        }
    }
    let known = |name: &str| rows.iter().any(|row| row.get(2) == Some(&name));
    for node in children(root).filter(|n| n.first_element_child().is_none() && n.attribute("id").is_none()) {
        let name = node.tag_name().name();
        if !known(name) && !text(node).trim().is_empty() {
            all.push(El::leaf(feature(name), text(node)));
        }
    }
    all
}

/// Handlers: of the class itself, and of what extends it.
fn events(node: Node<'_, '_>) -> (Vec<El>, Vec<El>) {
    let handlers = child(node, "Events").into_iter().flat_map(children).filter(|e| !text(*e).trim().is_empty());
    let (mut own, mut extended) = (Vec::new(), Vec::new());
    for handler in handlers {
        let event = handler.attribute("name").unwrap_or("");
        let cells = [El::leaf("event", event), El::leaf("name", text(handler).trim())];
        let element = El::new("handlers").holding(cells);
        if EXTENDED.contains(&event) { extended.push(element) } else { own.push(element) }
    }
    (own, extended)
}

/// An item: (class, type) by the Designer's element.
fn classified(element: &str) -> (&str, Option<&str>) {
    match element {
        "ButtonGroup" => ("FormGroup", None),
        group if GROUPS.contains(&group) => ("FormGroup", Some(group)),
        "LabelDecoration" => ("Decoration", Some("Label")),
        "PictureDecoration" => ("Decoration", None),
        "SearchStringAddition" => ("Addition", None),
        addition if addition.ends_with("Addition") => ("Addition", Some(addition)),
        "SpreadSheetDocumentField" => ("FormField", Some("SpreadsheetDocumentField")),
        field if field.ends_with("Field") => ("FormField", Some(field)),
        other => (other, None),
    }
}

fn item(node: Node<'_, '_>, name: &str) -> El {
    let element = node.tag_name().name();
    let (class, kind) = classified(element);
    let mut all = El::new(name);
    if name == "items" {
        all = all.class(&format!("form:{class}"));
    }
    all.children.push(El::leaf("name", node.attribute("name").unwrap_or("")));
    all.children.push(El::leaf("id", node.attribute("id").unwrap_or("")));
    let nested = child(node, "ChildItems").into_iter().flat_map(children);
    all.children.extend(nested.map(|inner| item(inner, "items")));
    all.children.extend([("visible", "true"), ("enabled", "true")].map(|(n, v)| El::leaf(n, v)));
    all.children.push(El::new("userVisible").holding([El::leaf("common", "true")]));
    all.children.extend(child(node, "Title").into_iter().flat_map(|title| localized("title", title)));
    let kind = if element == "ExtendedTooltip" { Some("Label") } else { kind };
    let mut extension = Vec::new();
    for own in children(node) {
        match own.tag_name().name() {
            "ChildItems" | "Title" | "Events" => {}
            "DataPath" | "RowPictureDataPath" => {
                let segments = El::leaf("segments", text(own).trim());
                let path = El::new(feature(own.tag_name().name())).class("form:DataPath").holding([segments]);
                all.children.push(path);
            }
            // Nearest to the end: the items of its own.
            tag if OWN_ITEMS.contains(&tag) => {}
            "Type" if element == "Button" => all.children.push(El::leaf("type", text(own))),
            "CommandName" => all.children.push(El::leaf("commandName", text(own))),
            _ => extension.extend(property(own, "")),
        }
    }
    for own in children(node).filter(|own| OWN_ITEMS.contains(&own.tag_name().name())).collect::<Vec<_>>().iter().rev()
    {
        all.children.push(item(*own, &feature(own.tag_name().name())));
    }
    all.children.extend(kind.map(|kind| El::leaf("type", kind)));
    let (own, extended) = events(node);
    all.children.extend(own);
    extension.extend(extended);
    if !extension.is_empty() {
        all.children
            .push(El::new("extInfo").class(&format!("form:{}ExtInfo", kind.unwrap_or(class))).holding(extension));
    }
    all
}

fn attribute(node: Node<'_, '_>) -> El {
    let mut all = named("attributes", node);
    all.children.extend(title(node));
    all.children.push(El::leaf("id", node.attribute("id").unwrap_or("")));
    all.children.push(value_type(node));
    all.children.push(El::new("view").holding([El::leaf("common", "true")]));
    for (designer, edt) in [("MainAttribute", "main"), ("SavedData", "savedData")] {
        if word(node, designer) == "true" {
            all.children.push(El::leaf(edt, "true"));
        }
    }
    for column in child(node, "Columns").into_iter().flat_map(children) {
        if column.tag_name().name() == "Column" {
            all.children.push(self::column(column));
        } else {
            let segments = El::leaf("segments", column.attribute("table").unwrap_or(""));
            let path = El::new("tablePath").class("form:DataPath").holding([segments]);
            all.children.push(El::new("additionalColumns").holding([path]).holding(children(column).map(self::column)));
        }
    }
    all.children.extend(functional_options(node));
    if let Some(settings) = child(node, "Settings") {
        let extension = if class(settings) == "DynamicList" {
            let mut list = El::new("extInfo").class("form:DynamicListExtInfo");
            for (designer, edt) in [("QueryText", "queryText"), ("MainTable", "mainTable")] {
                list.children.extend(child(settings, designer).map(|n| El::leaf(edt, text(n))));
            }
            for (designer, edt) in [("DynamicDataRead", "dynamicDataRead"), ("ManualQuery", "customQuery")] {
                if word(settings, designer) == "true" {
                    list.children.push(El::leaf(edt, "true"));
                }
            }
            list
        } else {
            let inner = El::new("itemValueType").holding(types(settings));
            El::new("extInfo").class("form:ValueListExtInfo").holding([inner])
        };
        all.children.push(extension);
    }
    all
}

fn column(node: Node<'_, '_>) -> El {
    named("columns", node).holding(title(node)).holding([value_type(node)])
}

fn command(node: Node<'_, '_>) -> El {
    let mut all = named("formCommands", node).holding(title(node));
    all.children.push(El::leaf("id", node.attribute("id").unwrap_or("")));
    let handlers: Vec<El> = children(node)
        .filter(|n| n.tag_name().name() == "Action")
        .map(|action| El::new("handler").holding([El::leaf("name", text(action).trim())]))
        .collect();
    if !handlers.is_empty() {
        all.children.push(El::new("action").class("form:FormCommandHandlerContainer").holding(handlers));
    }
    all.children.extend(functional_options(node));
    all
}

fn parameter(node: Node<'_, '_>) -> El {
    let key = (word(node, "KeyParameter") == "true").then(|| El::leaf("keyParameter", "true"));
    named("parameters", node).holding([value_type(node)]).holding(key)
}

fn named(name: &str, node: Node<'_, '_>) -> El {
    El::new(name).holding([El::leaf("name", node.attribute("name").unwrap_or(""))])
}

fn title(node: Node<'_, '_>) -> Vec<El> {
    child(node, "Title").map(|title| localized("title", title)).unwrap_or_default()
}

fn value_type(node: Node<'_, '_>) -> El {
    El::new("valueType").holding(child(node, "Type").into_iter().flat_map(types))
}

fn functional_options(node: Node<'_, '_>) -> Vec<El> {
    let options = child(node, "FunctionalOptions").into_iter().flat_map(children);
    options.map(|option| El::leaf("functionalOptions", text(option).trim())).collect()
}
