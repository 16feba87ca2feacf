//! Types that a value may have, by the names that the platform has for them.

use crate::Element;
use crate::xml::ns;

/// A type of a description (`valueType`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueType {
    /// `String`, `Number`, `CatalogRef.X`.
    pub name: String,
    /// Of a string its length (`50`, `50,fixed`), of a number digits and fraction (`15,2`, `15,2,nonnegative`), of a date its
    /// parts; empty: no limits.
    pub qualifiers: String,
}

/// The types of a description, in the order of the text.
pub fn types(description: Element<'_>) -> Vec<ValueType> {
    let mut found: Vec<ValueType> = Vec::new();
    for part in description.children() {
        let (of, qualifiers) = match part.local() {
            "Type" | "TypeSet" => {
                found.push(ValueType { name: name(part), qualifiers: String::new() });
                continue;
            }
            "StringQualifiers" => ("String", string(part)),
            "NumberQualifiers" => ("Number", number(part)),
            "DateQualifiers" => ("Date", part.text_of("DateFractions").trim().to_owned()),
            _ => continue,
        };
        found.iter_mut().filter(|known| known.name == of).for_each(|known| known.qualifiers.clone_from(&qualifiers));
    }
    found
}

fn name(part: Element<'_>) -> String {
    let text = part.text();
    let (space, local) = part.resolve(text.trim());
    let name = match (space == ns::XS, local) {
        (true, "string") => "String",
        (true, "decimal") => "Number",
        (true, "boolean") => "Boolean",
        (true, "dateTime") => "Date",
        (true, "base64Binary" | "binary" | "hexBinary") => "BinaryData",
        _ => local,
    };
    name.to_owned()
}

fn string(part: Element<'_>) -> String {
    let length = part.text_of("Length");
    match (length.trim(), part.text_of("AllowedLength").trim()) {
        ("" | "0", _) => String::new(),
        (length, "Fixed") => format!("{length},fixed"),
        (length, _) => length.to_owned(),
    }
}

fn number(part: Element<'_>) -> String {
    let sign = if part.text_of("AllowedSign").trim() == "Nonnegative" { ",nonnegative" } else { "" };
    let or_zero = |local| Some(part.text_of(local).trim().to_owned()).filter(|text| !text.is_empty());
    let [digits, fraction] = ["Digits", "FractionDigits"].map(|local| or_zero(local).unwrap_or_else(|| "0".to_owned()));
    format!("{digits},{fraction}{sign}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Document;

    #[test]
    fn names_and_qualifiers() {
        let text = "<valueType xmlns=\"http://v8.1c.ru/8.1/data-composition-system/schema\" \
            xmlns:v8=\"http://v8.1c.ru/8.1/data/core\" xmlns:xs=\"http://www.w3.org/2001/XMLSchema\" \
            xmlns:d=\"http://v8.1c.ru/8.1/data/enterprise/current-config\"><v8:Type>xs:string</v8:Type>\
            <v8:StringQualifiers><v8:Length>50</v8:Length><v8:AllowedLength>Fixed</v8:AllowedLength></v8:StringQualifiers>\
            <v8:Type>d:CatalogRef.Товары</v8:Type><v8:Type>xs:decimal</v8:Type><v8:NumberQualifiers><v8:Digits>15</v8:Digits>\
            <v8:FractionDigits>2</v8:FractionDigits><v8:AllowedSign>Nonnegative</v8:AllowedSign></v8:NumberQualifiers></valueType>";
        let document = Document::parse(text);
        let types = types(document.root().unwrap());
        let shown: Vec<_> = types.iter().map(|one| format!("{}({})", one.name, one.qualifiers)).collect();
        assert_eq!(shown, ["String(50,fixed)", "CatalogRef.Товары()", "Number(15,2,nonnegative)"]);
    }
}
