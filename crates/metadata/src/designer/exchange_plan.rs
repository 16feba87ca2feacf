//! Content of an exchange plan: `Ext/Content.xml`.

use super::Context;
use crate::model::Text;
use crate::model::object::ExchangePlanContent;
use crate::xml::Xml;

/// Reads the content of the plan of that full name.
pub fn read<'x>(context: &mut Context<'_>, source: impl Into<Xml<'x>>, plan: &Text) -> Vec<ExchangePlanContent> {
    let mut all = Vec::new();
    context.root(source, "ExchangePlanContent", |context, xml, _| {
        xml.children(|xml, _| {
            let mut line = xml.line();
            let (mut object, mut auto_record) = (None, false);
            xml.children(|xml, e| match e.name() {
                "Metadata" => {
                    line = xml.line();
                    object = Some(context.word(xml)).filter(|o| !o.is_empty());
                }
                "AutoRecord" => auto_record = &*context.word(xml) == "Allow",
                _ => {}
            });
            all.extend(object.map(|object| ExchangePlanContent {
                plan: plan.clone(),
                object,
                auto_record,
                file: context.file,
                line,
            }));
        });
    });
    all
}

#[cfg(test)]
mod tests {
    use super::super::testing::with_context;
    use super::*;

    #[test]
    fn objects_and_registration() {
        let source = "<ExchangePlanContent><Item><Metadata>Catalog.А</Metadata><AutoRecord>Allow</AutoRecord></Item>\n\
            <Item><Metadata>Constant.Б</Metadata><AutoRecord>Deny</AutoRecord></Item></ExchangePlanContent>";
        let (all, problems) = with_context(|context| read(context, source, &"ExchangePlan.П".into()));
        assert_eq!(problems, []);
        let rows: Vec<_> = all.iter().map(|c| (&*c.object, c.auto_record, c.line)).collect();
        assert_eq!(rows, [("Catalog.А", true, 1), ("Constant.Б", false, 2)]);
    }
}
