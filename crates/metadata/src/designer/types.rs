//! Type descriptions: `<v8:Type>cfg:CatalogRef.X</v8:Type>`, `<v8:TypeSet>`, qualifiers.
//!
//! Prefixes are resolved by namespace: `cfg:` in metadata files is `d5p1:` elsewhere.

use super::Context;
use crate::model::Text;
use crate::model::types::{TypeRef, Types};
use crate::xml::{Element, Space, Xml};

/// Takes one child of a type description. True if it was one (its content is read then).
pub fn take(context: &Context<'_>, xml: &mut Xml<'_>, element: &Element<'_>, types: &mut Types) -> bool {
    match element.name() {
        "Type" | "TypeSet" => {
            let line = xml.line();
            let written = xml.text();
            let name = canonical(xml, element, written.trim());
            if !name.is_empty() {
                types.0.push(TypeRef { name: context.text(&name), qualifiers: context.text(""), line });
            }
        }
        "StringQualifiers" => qualify(context, types, "String", &string_qualifiers(xml)),
        "BinaryDataQualifiers" => qualify(context, types, "BinaryData", &string_qualifiers(xml)),
        "NumberQualifiers" => qualify(context, types, "Number", &number_qualifiers(xml)),
        "DateQualifiers" => {
            let mut fractions = String::new();
            xml.children(|xml, _| fractions = xml.text().trim().to_owned());
            qualify(context, types, "Date", &fractions);
        }
        "TypeId" => {}
        _ => return false,
    }
    true
}

/// A whole type description: the children of the current element.
pub fn read(context: &Context<'_>, xml: &mut Xml<'_>) -> Types {
    let mut types = Types::default();
    xml.children(|xml, e| {
        take(context, xml, e, &mut types);
    });
    types
}

/// Types that the Designer's XML names otherwise than the platform: in XML, on the platform.
const RENAMED: [(&str, &str); 5] = [
    ("ValueListType", "ValueList"),
    ("SettingsComposer", "DataCompositionSettingsComposer"),
    ("Filter", "DataCompositionFilter"),
    ("Field", "DataCompositionField"),
    ("FlowchartContextType", "GraphicalSchema"),
];

/// Canonical name of a type as it stands in a value.
fn canonical(xml: &Xml<'_>, element: &Element<'_>, written: &str) -> String {
    let Some((prefix, local)) = written.split_once(':') else { return written.to_owned() };
    let name = match (xml.space_at(element, prefix), local) {
        (Some(Space::Schema), "string") => "String",
        (Some(Space::Schema), "decimal") => "Number",
        (Some(Space::Schema), "boolean") => "Boolean",
        (Some(Space::Schema), "dateTime") => "Date",
        (Some(Space::Schema), "base64Binary" | "binary" | "hexBinary") => "BinaryData",
        (Some(Space::Configuration), "AnyIBRef") => "AnyRef",
        (Some(Space::Other), _) => RENAMED.iter().find(|(xml, _)| *xml == local).map_or(local, |(_, name)| *name),
        _ => local,
    };
    name.to_owned()
}

fn qualify(context: &Context<'_>, types: &mut Types, name: &str, qualifiers: &str) {
    let text: Text = context.text(qualifiers);
    for t in types.0.iter_mut().filter(|t| &*t.name == name) {
        t.qualifiers = text.clone();
    }
}

/// `50`, `50,fixed`; empty for unlimited length.
fn string_qualifiers(xml: &mut Xml<'_>) -> String {
    let (mut length, mut fixed) = (String::new(), false);
    xml.children(|xml, e| match e.name() {
        "Length" => length = xml.text().trim().to_owned(),
        "AllowedLength" => fixed = xml.text().trim() == "Fixed",
        _ => {}
    });
    match (length.as_str(), fixed) {
        ("" | "0", _) => String::new(),
        (_, true) => length + ",fixed",
        (_, false) => length,
    }
}

/// `15,2`, `15,2,nonnegative`.
fn number_qualifiers(xml: &mut Xml<'_>) -> String {
    let (mut digits, mut fraction, mut sign) = (String::from("0"), String::from("0"), "");
    xml.children(|xml, e| match e.name() {
        "Digits" => digits = xml.text().trim().to_owned(),
        "FractionDigits" => fraction = xml.text().trim().to_owned(),
        "AllowedSign" if xml.text().trim() == "Nonnegative" => sign = ",nonnegative",
        _ => {}
    });
    format!("{digits},{fraction}{sign}")
}

#[cfg(test)]
mod tests {
    use super::super::testing::{SPACES, with_context};
    use super::*;

    fn types_of(inner: &str) -> Vec<(String, String)> {
        let source = format!("<Type{SPACES}>{inner}</Type>");
        let (types, _) = with_context(|context| {
            let mut types = Types::default();
            Xml::new(&source).children(|xml, _| types = read(context, xml));
            types
        });
        types.iter().map(|t| (t.name.to_string(), t.qualifiers.to_string())).collect()
    }

    #[test]
    fn primitives_with_qualifiers_and_references() {
        let types = types_of(
            "<v8:Type>xs:string</v8:Type><v8:Type>xs:decimal</v8:Type><v8:Type>cfg:CatalogRef.Валюты</v8:Type>\
             <v8:NumberQualifiers><v8:Digits>10</v8:Digits><v8:FractionDigits>4</v8:FractionDigits>\
             <v8:AllowedSign>Nonnegative</v8:AllowedSign></v8:NumberQualifiers>\
             <v8:StringQualifiers><v8:Length>9</v8:Length><v8:AllowedLength>Fixed</v8:AllowedLength></v8:StringQualifiers>",
        );
        let expected = [("String", "9,fixed"), ("Number", "10,4,nonnegative"), ("CatalogRef.Валюты", "")]
            .map(|(a, b)| (a.to_owned(), b.to_owned()));
        assert_eq!(types, expected);
    }

    #[test]
    fn sets_and_foreign_prefixes() {
        let types = types_of(
            r#"<v8:TypeSet>cfg:DefinedType.Контрагент</v8:TypeSet><v8:TypeSet>cfg:AnyIBRef</v8:TypeSet>
               <v8:Type xmlns:d4p1="http://v8.1c.ru/8.1/data/enterprise/current-config">d4p1:EnumRef.Вид</v8:Type>
               <v8:TypeSet xmlns:d4p1="http://v8.1c.ru/8.1/data/enterprise/current-config">d4p1:AnyIBRef</v8:TypeSet>
               <v8:Type xmlns:d4p1="http://v8.1c.ru/8.1/data-composition-system/settings">d4p1:SettingsComposer</v8:Type>
               <v8:Type>v8:ValueListType</v8:Type><v8:Type>v8:UUID</v8:Type>"#,
        );
        let names: Vec<&str> = types.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(
            names,
            [
                "DefinedType.Контрагент",
                "AnyRef",
                "EnumRef.Вид",
                "AnyRef",
                "DataCompositionSettingsComposer",
                "ValueList",
                "UUID"
            ]
        );
    }
}
