//! What a template holds: told by the content's root element, because file names don't say it (a report schema may
//! stand in `Template.xml` or `Template.bin`).

use crate::model::object::TemplateKind;

/// Bytes that are enough to find the root element.
pub const HEAD: usize = 8 * 1024;

/// Root elements of templates: name, part of the namespace, kind.
const ROOTS: [(&str, &str, TemplateKind); 7] = [
    ("DataCompositionSchema", "data-composition-system/schema", TemplateKind::DataCompositionSchema),
    ("AppearanceTemplate", "data-composition-system/appearance-template", TemplateKind::AppearanceTemplate),
    ("document", "data/spreadsheet", TemplateKind::SpreadsheetDocument),
    ("Help", "xcf/extrnprops", TemplateKind::HtmlDocument),
    ("HtmlDocument", "dt/html-document", TemplateKind::HtmlDocument),
    ("GraphicalSchema", "", TemplateKind::GraphicalSchema),
    ("GeographicalSchema", "", TemplateKind::GeographicalSchema),
];

/// The kind of a template, from its root element ([`by_root`]), the content's file name (`Template.xml`) and what its
/// description says (`TemplateType`).
pub fn kind(root: Option<TemplateKind>, file: &str, declared: &str) -> TemplateKind {
    if let Some(kind) = root {
        return kind;
    }
    let by_description = by_word(declared);
    if by_description != TemplateKind::Unknown {
        return by_description;
    }
    match file.rsplit_once('.').map(|(_, extension)| extension) {
        Some("txt") => TemplateKind::TextDocument,
        Some("htm" | "html") => TemplateKind::HtmlDocument,
        Some("mxl") => TemplateKind::SpreadsheetDocument,
        Some("bin") => TemplateKind::BinaryData,
        _ => TemplateKind::Unknown,
    }
}

/// The kind that a description names.
pub fn by_word(declared: &str) -> TemplateKind {
    match declared {
        "DataCompositionSchema" => TemplateKind::DataCompositionSchema,
        "DataCompositionAppearanceTemplate" => TemplateKind::AppearanceTemplate,
        "SpreadsheetDocument" => TemplateKind::SpreadsheetDocument,
        "TextDocument" => TemplateKind::TextDocument,
        "HTMLDocument" => TemplateKind::HtmlDocument,
        "BinaryData" => TemplateKind::BinaryData,
        "ActiveDocument" => TemplateKind::ActiveDocument,
        "GeographicalSchema" => TemplateKind::GeographicalSchema,
        "GraphicalSchema" | "GraphicalScheme" => TemplateKind::GraphicalSchema,
        "AddIn" => TemplateKind::AddIn,
        _ => TemplateKind::Unknown,
    }
}

/// The kind that the root element tells, from the first bytes of the content.
pub fn by_root(head: &[u8]) -> Option<TemplateKind> {
    let mut rest = String::from_utf8_lossy(head).into_owned();
    loop {
        let at = rest.find('<')?;
        rest.drain(..=at);
        if !rest.starts_with(['?', '!']) {
            break;
        }
    }
    let name: &str = rest.split([' ', '>', '/', '\t', '\r', '\n']).next()?;
    let local = name.rsplit(':').next()?;
    let tag = rest.split('>').next()?;
    let found = ROOTS.iter().find(|(root, space, _)| *root == local && tag.contains(space))?;
    Some(found.2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_root_element_decides() {
        let schema = "\u{feff}<?xml version=\"1.0\"?>\r\n<!-- x --><DataCompositionSchema xmlns=\"http://v8.1c.ru/8.1/data-composition-system/schema\">";
        assert_eq!(kind(by_root(schema.as_bytes()), "Template.bin", "BinaryData"), TemplateKind::DataCompositionSchema);
        let sheet = "<document xmlns=\"http://v8.1c.ru/8.2/data/spreadsheet\" x=\"1\">";
        assert_eq!(kind(by_root(sheet.as_bytes()), "Template.xml", ""), TemplateKind::SpreadsheetDocument);
    }

    #[test]
    fn then_the_description_then_the_file_name() {
        assert_eq!(kind(by_root(b"PK\x03\x04"), "Template.bin", "AddIn"), TemplateKind::AddIn);
        assert_eq!(kind(by_root("текст".as_bytes()), "Template.txt", ""), TemplateKind::TextDocument);
        assert_eq!(kind(by_root(b"<html>"), "Template.txt", "TextDocument"), TemplateKind::TextDocument);
        assert_eq!(kind(by_root(b""), "Template.xml", ""), TemplateKind::Unknown);
    }
}
