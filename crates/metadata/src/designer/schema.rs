//! Expressions of a report schema that may call methods of common modules.
//!
//! Nothing else of the schema is kept: `crates/dcs` reads schemas as documents.

use super::Context;
use crate::model::object::SchemaExpression;
use crate::xml::Xml;

/// Reads the expressions of a schema, in file order: of calculated fields, totals, parameters, templates, settings.
pub fn read<'x>(context: &mut Context<'_>, source: impl Into<Xml<'x>>) -> Vec<SchemaExpression> {
    let mut found = Vec::new();
    context.root(source, "DataCompositionSchema", |context, xml, _| walk(context, xml, &mut found));
    found
}

fn walk(context: &mut Context<'_>, xml: &mut Xml<'_>, found: &mut Vec<SchemaExpression>) {
    xml.children(|xml, e| {
        if !matches!(e.name().strip_suffix("xpression"), Some(start) if start.ends_with(['e', 'E'])) {
            walk(context, xml, found);
            return;
        }
        let line = xml.line();
        let text = xml.text();
        if may_call(&text) {
            found.push(SchemaExpression { text: context.text(&text), line });
        }
    });
}

/// Whether a text has a dot between two names and a parenthesis behind it: a call of a method of a module has.
fn may_call(text: &str) -> bool {
    text.split_once('.').is_some_and(|(_, rest)| rest.contains('('))
}

#[cfg(test)]
mod tests {
    use super::super::testing::with_context;
    use super::*;

    #[test]
    fn expressions_with_calls_and_their_lines() {
        let source = "<DataCompositionSchema xmlns:dcsset=\"urn:s\">\n<calculatedField><dataPath>Цена</dataPath>\n\
            <expression>Склад.Цена(Товар) &gt; 1</expression></calculatedField>\n\
            <totalField><expression>Сумма(Количество)</expression></totalField>\n\
            <settingsVariant><dcsset:item><dcsset:detailExpression>Склад.Итог(А)</dcsset:detailExpression></dcsset:item>\
            </settingsVariant><query>ВЫБРАТЬ Т.Поле(1)</query></DataCompositionSchema>";
        let (found, problems) = with_context(|context| read(context, source));
        assert_eq!(problems, []);
        let found: Vec<_> = found.iter().map(|e| (&*e.text, e.line)).collect();
        assert_eq!(found, [("Склад.Цена(Товар) > 1", 3), ("Склад.Итог(А)", 5)]);
    }
}
