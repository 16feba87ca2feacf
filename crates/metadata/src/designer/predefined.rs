//! Predefined items: `Ext/Predefined.xml` of catalogs, charts of characteristic types, accounts and calculation types.

use super::{Context, is_true, referred, referred_by_attributes, types};
use crate::model::Text;
use crate::model::object::{Predefined, Property};
use crate::xml::{Element, Xml};

/// Reads the items of the object of that full name; places of parents count from the first of them.
pub fn read<'x>(context: &mut Context<'_>, source: impl Into<Xml<'x>>, owner: &Text) -> Vec<Predefined> {
    let mut all = Vec::new();
    context.root(source, "PredefinedData", |context, xml, _| items(context, xml, owner, None, &mut all));
    all
}

fn items(context: &Context<'_>, xml: &mut Xml<'_>, owner: &Text, parent: Option<u32>, all: &mut Vec<Predefined>) {
    xml.children(|xml, e| {
        if e.name() != "Item" {
            return;
        }
        let place = all.len();
        let empty = context.text("");
        all.push(Predefined {
            owner: owner.clone(),
            name: empty.clone(),
            code: empty.clone(),
            description: empty,
            is_folder: false,
            parent,
            types: Default::default(),
            properties: Vec::new(),
            links: Vec::new(),
            file: context.file,
            line: xml.line(),
        });
        xml.children(|xml, e| {
            if e.name() == "ChildItems" {
                return items(context, xml, owner, u32::try_from(place).ok(), all);
            }
            let Some(item) = all.get_mut(place) else { return };
            let line = xml.line();
            match e.name() {
                "Name" => item.name = context.word(xml),
                "Code" => item.code = context.word(xml),
                "Description" => item.description = context.word(xml),
                "IsFolder" => item.is_folder = is_true(&context.word(xml)),
                "Type" => item.types = types::read(context, xml),
                name => {
                    let name = context.text(name);
                    let mut value = xml.content(|xml, e| flags(context, xml, e, &name, item)).trim().to_owned();
                    if !item.types.is_empty() || value == "false" {
                        value.clear();
                    }
                    if !value.is_empty() {
                        item.properties.push(Property { name, value: context.text(&value), line });
                    }
                }
            }
        });
    });
}

/// Parts of an account (`AccountingFlags`, `ExtDimensionTypes`): every text below becomes a property of that name, and what it
/// refers to a reference. A flag that isn't set is none.
fn flags(context: &Context<'_>, xml: &mut Xml<'_>, e: &Element<'_>, name: &Text, item: &mut Predefined) {
    let line = xml.line();
    let targets: Vec<String> = referred_by_attributes(xml, e).collect();
    let text = xml.content(|xml, e| flags(context, xml, e, name, item));
    let text = text.trim();
    if text != "false" {
        item.links.extend(targets.iter().map(|target| context.link(None, name, target, line)));
    }
    item.links.extend(referred(xml, e, text).map(|target| context.link(None, name, &target, line)));
    if !text.is_empty() && text != "false" {
        item.properties.push(Property { name: name.clone(), value: context.text(text), line });
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{SPACES, with_context};
    use super::*;

    #[test]
    fn folders_codes_and_account_properties() {
        let source = format!(
            "<PredefinedData{SPACES}><Item id=\"1\"><Name>Группа</Name><Code>01</Code><Description>Г</Description>\
             <IsFolder>true</IsFolder><ChildItems>\n<Item id=\"2\"><Name>Лист</Name><Code/><AccountType>Active</AccountType>\
             <OffBalance>false</OffBalance></Item></ChildItems></Item></PredefinedData>"
        );
        let (all, problems) = with_context(|context| read(context, &source, &"ChartOfAccounts.Х".into()));
        assert_eq!(problems, []);
        let rows: Vec<_> = all.iter().map(|p| (&*p.name, &*p.code, p.is_folder, p.parent, p.line)).collect();
        assert_eq!(rows, [("Группа", "01", true, None, 1), ("Лист", "", false, Some(0), 2)]);
        let properties: Vec<_> = all[1].properties.iter().map(|p| (&*p.name, &*p.value)).collect();
        assert_eq!(properties, [("AccountType", "Active")]);
    }

    #[test]
    fn flags_that_are_set_and_types_of_analytics() {
        let source = format!(
            "<PredefinedData{SPACES}><Item id=\"1\"><Name>С</Name><AccountingFlags><Flag ref=\"ChartOfAccounts.Х.AccountingFlag.А\">true</Flag>\
             <Flag ref=\"ChartOfAccounts.Х.AccountingFlag.Б\">false</Flag></AccountingFlags><ExtDimensionTypes>\n\
             <ExtDimensionType name=\"ChartOfCharacteristicTypes.В.Товар\"><Turnover>true</Turnover></ExtDimensionType>\
             </ExtDimensionTypes></Item></PredefinedData>"
        );
        let (all, _) = with_context(|context| read(context, &source, &"ChartOfAccounts.Х".into()));
        let links: Vec<_> = all[0].links.iter().map(|l| (&*l.target, l.line)).collect();
        assert_eq!(links, [("ChartOfAccounts.Х.AccountingFlag.А", 1), ("ChartOfCharacteristicTypes.В.Товар", 2)]);
    }
}
