//! Named areas and parameters of a spreadsheet template: what code that prints asks it for.

use super::Context;
use crate::model::object::{TemplatePart, TemplatePartKind};
use crate::xml::Xml;
use rustc_hash::FxHashSet;

/// Reads the areas and parameters of a spreadsheet document: each name once, where it comes first.
pub fn read(context: &mut Context<'_>, source: &str) -> Vec<TemplatePart> {
    let mut found = Vec::new();
    context.root(source, "document", |context, xml, _| walk(context, xml, &mut found));
    let mut seen = FxHashSet::default();
    found.retain(|part: &TemplatePart| !part.name.is_empty() && seen.insert((part.kind, part.name.clone())));
    found
}

fn walk(context: &mut Context<'_>, xml: &mut Xml<'_>, found: &mut Vec<TemplatePart>) {
    xml.children(|xml, e| match e.name() {
        "namedItem" => {
            let mut area = TemplatePart { kind: TemplatePartKind::Area, name: context.text(""), line: xml.line() };
            xml.children(|xml, e| {
                if e.name() == "name" {
                    (area.line, area.name) = (xml.line(), context.word(xml));
                }
            });
            found.push(area);
        }
        "parameter" | "detailParameter" => {
            let (line, name) = (xml.line(), context.word(xml));
            found.push(TemplatePart { kind: TemplatePartKind::Parameter, name, line });
        }
        _ => walk(context, xml, found),
    });
}

#[cfg(test)]
mod tests {
    use super::super::testing::with_context;
    use super::*;

    #[test]
    fn areas_and_parameters_each_once() {
        let source = "<document xmlns=\"http://v8.1c.ru/8.2/data/spreadsheet\">\n<rowsItem><row><c><c><parameter>Номер</parameter>\n\
            </c></c><c><c><parameter>Номер</parameter><detailParameter>Ссылка</detailParameter></c></c></row></rowsItem>\n\
            <namedItem><name>Шапка</name><area><type>Rows</type></area></namedItem></document>";
        let (found, problems) = with_context(|context| read(context, source));
        assert_eq!(problems, []);
        let found: Vec<_> = found.iter().map(|part| (part.kind.as_str(), &*part.name, part.line)).collect();
        assert_eq!(found, [("Parameter", "Номер", 2), ("Parameter", "Ссылка", 3), ("Area", "Шапка", 4)]);
    }
}
