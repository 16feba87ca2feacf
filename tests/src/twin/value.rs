//! Values of properties in EDT's shape.

use super::xml::{El, child, children, class, feature, text, word};
use roxmltree::Node;

/// Properties whose value has a class in EDT.
const VALUES: [&str; 4] = ["FillValue", "MinValue", "MaxValue", "Value"];

/// A property: as many elements as EDT writes for it; none if it is empty or `default`.
pub fn property(node: Node<'_, '_>, default: &str) -> Vec<El> {
    let designer = node.tag_name().name();
    let name = feature(designer);
    if VALUES.contains(&designer) {
        return vec![value(&name, node)];
    }
    let inner: Vec<Node<'_, '_>> = children(node).collect();
    let Some(first) = inner.first() else {
        let word = text(node);
        return if word.trim().is_empty() || word == default { Vec::new() } else { vec![plain(&name, node)] };
    };
    match first.tag_name().name() {
        "item" if child(*first, "lang").is_some() => localized(&name, node),
        "Type" | "TypeSet" => vec![El::new(name).holding(types(node))],
        "Ref" => vec![El::new(name).class("core:PictureRef").holding([El::leaf("picture", text(*first))])],
        "DataPath" => vec![link(&name, node)],
        _ => inner.into_iter().map(|item| element(&name, item)).collect(),
    }
}

fn plain(name: &str, node: Node<'_, '_>) -> El {
    let word = text(node);
    if let (true, Some((prefix, local))) = (name.ends_with("ValueType"), word.split_once(':')) {
        let space = node.lookup_namespace_uri(Some(prefix)).unwrap_or("");
        return El::new(name).holding([El::leaf("name", local), El::leaf("nsUri", space)]);
    }
    match word.strip_prefix("Version8") {
        Some(rest) if name.ends_with("ompatibilityMode") => El::leaf(name, format!("8{}", rest.replace('_', "."))),
        _ => El::leaf(name, word),
    }
}

/// A text in several languages: one element a language.
pub fn localized(name: &str, node: Node<'_, '_>) -> Vec<El> {
    let items = children(node).filter(|item| child(*item, "lang").is_some());
    let cells =
        |item| [El::leaf("key", word(item, "lang")), El::leaf("value", child(item, "content").map_or("", text))];
    items.map(|item| El::new(name).holding(cells(item))).collect()
}

/// A type description.
pub fn types(node: Node<'_, '_>) -> Vec<El> {
    let mut all = Vec::new();
    for part in children(node) {
        match part.tag_name().name() {
            "Type" | "TypeSet" => all.push(El::leaf("types", type_name(part))),
            "StringQualifiers" => {
                let length = Some(word(part, "Length")).filter(|l| *l != "0").map(|l| El::leaf("length", l));
                let fixed = (word(part, "AllowedLength") == "Fixed").then(|| El::leaf("fixed", "true"));
                all.push(El::new("stringQualifiers").holding(length.into_iter().chain(fixed)));
            }
            "NumberQualifiers" => {
                let scale = Some(word(part, "FractionDigits")).filter(|d| *d != "0").map(|d| El::leaf("scale", d));
                let sign = (word(part, "AllowedSign") == "Nonnegative").then(|| El::leaf("nonNegative", "true"));
                let precision = El::leaf("precision", word(part, "Digits"));
                all.push(El::new("numberQualifiers").holding([precision].into_iter().chain(scale).chain(sign)));
            }
            "DateQualifiers" => {
                let fractions = Some(word(part, "DateFractions")).filter(|f| *f != "DateTime");
                all.push(El::new("dateQualifiers").holding(fractions.map(|f| El::leaf("dateFractions", f))));
            }
            _ => {}
        }
    }
    all
}

fn type_name(node: Node<'_, '_>) -> String {
    let (prefix, local) = text(node).trim().split_once(':').unwrap_or(("", text(node).trim()));
    let space = node.lookup_namespace_uri(Some(prefix)).unwrap_or("");
    let name = match (space.rsplit('/').next().unwrap_or(""), local) {
        ("XMLSchema", "string") => "String",
        ("XMLSchema", "decimal") => "Number",
        ("XMLSchema", "boolean") => "Boolean",
        ("XMLSchema", "dateTime") => "Date",
        (_, "AnyIBRef") => "AnyRef",
        (_, "ValueListType") => "ValueList",
        _ => local,
    };
    name.to_owned()
}

/// A value with a class.
fn value(name: &str, node: Node<'_, '_>) -> El {
    let word = text(node);
    let typed = |class: &str, text: &str| El::new(name).class(class).holding([El::leaf("value", text)]);
    match class(node) {
        "string" => typed("core:StringValue", word),
        "decimal" => typed("core:NumberValue", word),
        "dateTime" => typed("core:DateValue", word),
        "boolean" if word == "true" => typed("core:BooleanValue", word),
        "boolean" => El::new(name).class("core:BooleanValue"),
        "DesignTimeRef" => typed("core:ReferenceValue", word),
        "Color" => El::new(name).class("core:ColorValue").holding([color(word)]),
        "Font" => El::new(name).class("core:FontValue").holding([font(node)]),
        _ => El::new(name).class("core:UndefinedValue"),
    }
}

/// A font that refers to an item of the style, with what differs from it.
fn font(node: Node<'_, '_>) -> El {
    let attribute = |name: &str| node.attribute(name).map(str::to_owned);
    let style = attribute("ref").and_then(|item| Some(format!("Style.{}", item.strip_prefix("style:")?)));
    let mut parts: Vec<El> = style.into_iter().map(|item| El::leaf("font", item)).collect();
    let kept = ["bold", "italic", "underline", "strikeout"];
    parts.extend(kept.into_iter().filter_map(|name| Some(El::leaf(name, attribute(name)?))));
    El::new("value").class("core:FontRef").holding(parts)
}

fn color(word: &str) -> El {
    let value = El::new("value");
    if let Some((space, name)) = word.split_once(':') {
        let space: String =
            space.chars().enumerate().map(|(i, c)| if i == 0 { c.to_ascii_uppercase() } else { c }).collect();
        return value.class("core:ColorRef").holding([El::leaf("color", format!("{space}.{name}"))]);
    }
    let part = |from: usize| word.get(from..from + 2).and_then(|hex| u8::from_str_radix(hex, 16).ok()).unwrap_or(0);
    let parts = [("red", part(1)), ("green", part(3)), ("blue", part(5))].into_iter().filter(|(_, n)| *n > 0);
    value.class("core:ColorDef").holding(parts.map(|(name, n)| El::leaf(name, n.to_string())))
}

/// `LinkByType`, or one of `ChoiceParameterLinks`.
fn link(name: &str, node: Node<'_, '_>) -> El {
    let mut all = El::new(name);
    let own = Some(word(node, "Name")).filter(|n| !n.is_empty());
    all.children.extend(own.map(|n| El::leaf("name", n)));
    all.children.push(El::leaf("field", word(node, "DataPath")));
    let item = Some(word(node, "LinkItem")).filter(|i| !i.is_empty() && *i != "0");
    all.children.extend(item.map(|i| El::leaf("linkItem", i)));
    let change = Some(word(node, "ValueChange")).filter(|c| !c.is_empty() && *c != "Clear");
    all.children.extend(change.map(|c| El::leaf("valueChange", c)));
    all
}

/// An element of a list.
fn element(name: &str, item: Node<'_, '_>) -> El {
    match (item.tag_name().name(), item.attribute("name")) {
        ("Link", _) => link(name, item),
        // A choice parameter.
        ("item", Some(parameter)) => {
            let mut value = child(item, "value").map_or_else(|| El::new("value"), |v| self::value("value", v));
            value.name = "value".to_owned();
            El::new(name).holding([El::leaf("name", parameter), value])
        }
        _ if child(item, "Metadata").is_some() => {
            let used = Some(word(item, "Use")).filter(|u| *u != "Auto").map(|u| El::leaf("use", u));
            El::new(name).holding([El::leaf("metadata", word(item, "Metadata"))].into_iter().chain(used))
        }
        _ => match child(item, "Value") {
            Some(inner) if class(inner) == "string" => value(name, inner),
            Some(inner) => El::new(name).class("core:ReferenceValue").holding([El::leaf("value", text(inner))]),
            None => El::leaf(name, text(item).trim()),
        },
    }
}
