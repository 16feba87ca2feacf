//! Attributes, commands and parameters of a managed form.

use super::form::action;
use super::{Context, is_true, types};
use crate::model::Text;
use crate::model::form::{DynamicList, Form, FormAttribute, FormColumn, FormCommand, FormParameter};
use crate::model::object::Link;
use crate::names::is_full_name;
use crate::xml::{Element, Xml};

/// `<Attributes>`.
pub fn attributes(context: &Context<'_>, xml: &mut Xml<'_>, form: &mut Form) {
    xml.children(|xml, e| match e.name() {
        "Attribute" => {
            let attribute = attribute(context, xml, e, &mut form.links);
            form.attributes.extend(attribute);
        }
        "ConditionalAppearance" => {
            fields(context, xml, "ConditionalAppearance", "", &mut form.links);
        }
        _ => {}
    });
}

fn attribute(
    context: &Context<'_>,
    xml: &mut Xml<'_>,
    e: &Element<'_>,
    links: &mut Vec<Link>,
) -> Option<FormAttribute> {
    let mut attribute = FormAttribute {
        name: context.text(&e.attribute("name")?),
        title: Default::default(),
        types: Default::default(),
        value_types: Default::default(),
        is_main: false,
        columns: Vec::new(),
        dynamic_list: None,
        functional_options: Vec::new(),
        line: xml.line(),
    };
    xml.children(|xml, e| match e.name() {
        "Title" => attribute.title = context.localized(xml),
        "Type" => attribute.types = types::read(context, xml),
        "MainAttribute" => attribute.is_main = is_true(&context.word(xml)),
        "FunctionalOptions" => options(context, xml, &mut attribute.functional_options),
        "UseAlways" => xml.children(|xml, _| {
            let (property, line, target) = (context.text("UseAlways"), xml.line(), context.word(xml));
            links.push(Link { item: None, property, target, value: context.text(""), line });
        }),
        "Columns" => xml.children(|xml, e| match e.name() {
            "Column" => attribute.columns.extend(column(context, xml, e, context.text(""))),
            "AdditionalColumns" => {
                let table = context.text(&e.attribute("table").unwrap_or_default());
                xml.children(|xml, e| attribute.columns.extend(column(context, xml, e, table.clone())));
            }
            _ => {}
        }),
        "Settings" if e.attribute("xsi:type").is_some_and(|t| t.ends_with("DynamicList")) => {
            attribute.dynamic_list = Some(dynamic_list(context, xml, &attribute.name, links));
        }
        "Settings" => attribute.value_types = types::read(context, xml),
        _ => {}
    });
    Some(attribute)
}

fn column(context: &Context<'_>, xml: &mut Xml<'_>, e: &Element<'_>, table: Text) -> Option<FormColumn> {
    let name = context.text(&e.attribute("name")?);
    let mut column = FormColumn { name, table, title: Default::default(), types: Default::default(), line: xml.line() };
    xml.children(|xml, e| match e.name() {
        "Title" => column.title = context.localized(xml),
        "Type" => column.types = types::read(context, xml),
        _ => {}
    });
    Some(column)
}

fn dynamic_list(context: &Context<'_>, xml: &mut Xml<'_>, name: &str, links: &mut Vec<Link>) -> DynamicList {
    let mut list =
        DynamicList { main_table: context.text(""), query: context.text(""), manual_query: false, query_line: 0 };
    xml.children(|xml, e| match e.name() {
        "MainTable" => list.main_table = context.word(xml),
        "QueryText" => {
            list.query_line = xml.line();
            list.query = context.text(&xml.text());
        }
        "ManualQuery" => list.manual_query = is_true(&context.word(xml)),
        "ListSettings" => {
            fields(context, xml, "ListSettings", name, links);
        }
        _ => {}
    });
    if !list.manual_query {
        list.query = context.text("");
    }
    list
}

/// `<FunctionalOptions>`: full names of the options.
fn options(context: &Context<'_>, xml: &mut Xml<'_>, to: &mut Vec<Text>) {
    xml.children(|xml, _| to.push(context.word(xml)));
}

/// Fields that settings of data composition name, as data paths that begin with `root`, and full names of values; gives the
/// element's own text.
pub fn fields(context: &Context<'_>, xml: &mut Xml<'_>, property: &str, root: &str, links: &mut Vec<Link>) -> String {
    xml.content(|xml, e| {
        let line = xml.line();
        let typed = |ending: &str| e.attribute("xsi:type").is_some_and(|t| t.ends_with(ending));
        let is_field = e.name() == "field" || matches!(e.name(), "left" | "right") && typed("Field");
        let is_value = typed("DesignTimeValue");
        let text = fields(context, xml, property, root, links);
        let text = text.trim();
        let target = match root {
            _ if !is_field => text.to_owned(),
            "" => text.to_owned(),
            root => format!("{root}.{text}"),
        };
        if !text.is_empty() && (is_field || is_value || is_full_name(text)) {
            let (property, target) = (context.text(property), context.text(&target));
            links.push(Link { item: None, property, target, value: context.text(""), line });
        }
    })
}

/// `<Commands>`.
pub fn commands(context: &Context<'_>, xml: &mut Xml<'_>, form: &mut Form) {
    xml.children(|xml, e| {
        let Some(name) = e.attribute("name") else { return };
        let mut command = FormCommand {
            name: context.text(&name),
            title: Default::default(),
            actions: Vec::new(),
            functional_options: Vec::new(),
            line: xml.line(),
        };
        xml.children(|xml, e| match e.name() {
            "Title" => command.title = context.localized(xml),
            "Action" => command.actions.push(action(context, xml, e)),
            "FunctionalOptions" => options(context, xml, &mut command.functional_options),
            _ => {}
        });
        command.actions.retain(|a| !a.handler.is_empty());
        form.commands.push(command);
    });
}

/// `<Parameters>`.
pub fn parameters(context: &Context<'_>, xml: &mut Xml<'_>, form: &mut Form) {
    xml.children(|xml, e| {
        let Some(name) = e.attribute("name") else { return };
        let mut parameter =
            FormParameter { name: context.text(&name), types: Default::default(), is_key: false, line: xml.line() };
        xml.children(|xml, e| match e.name() {
            "Type" => parameter.types = types::read(context, xml),
            "KeyParameter" => parameter.is_key = is_true(&context.word(xml)),
            _ => {}
        });
        form.parameters.push(parameter);
    });
}

#[cfg(test)]
mod tests {
    use super::super::testing::{SPACES, with_context};
    use super::*;
    use crate::designer::description;
    use crate::place::Place;

    fn form(inner: &str) -> Form {
        let form = with_context(|context| {
            let source = format!("<MetaDataObject{SPACES}><CommonForm><Properties/></CommonForm></MetaDataObject>");
            let place = Place::of("CommonForms/Ф.xml").expect("a place");
            let mut form = description::read(context, &source, &place).form.expect("a form");
            let source = format!("<Form{SPACES}>\n{inner}\n</Form>");
            crate::designer::form::read(context, &source, &mut form);
            assert_eq!(context.problems, []);
            form
        });
        form.0
    }

    #[test]
    fn attributes_columns_and_dynamic_lists() {
        let form = form(
            r#"<Attributes><Attribute name="Список" id="1"><Type><v8:Type>cfg:DynamicList</v8:Type></Type><MainAttribute>true</MainAttribute>
<Settings xsi:type="DynamicList"><ManualQuery>true</ManualQuery><QueryText>ВЫБРАТЬ 1 ГДЕ А &lt; 2</QueryText><MainTable>Catalog.Т</MainTable></Settings></Attribute>
<Attribute name="Таблица" id="2"><Columns><Column name="К" id="1"><Type><v8:Type>xs:boolean</v8:Type></Type></Column>
<AdditionalColumns table="Объект.Товары"><Column name="Д" id="1"/></AdditionalColumns></Columns>
<FunctionalOptions><Item>FunctionalOption.О</Item></FunctionalOptions></Attribute>
<ConditionalAppearance><x:item xmlns:x="urn:x"><x:field>Таблица.К</x:field></x:item></ConditionalAppearance></Attributes>"#,
        );
        let list = form.main_attribute().and_then(|a| a.dynamic_list.as_ref()).expect("a dynamic list");
        assert_eq!((&*list.main_table, &*list.query, list.query_line), ("Catalog.Т", "ВЫБРАТЬ 1 ГДЕ А < 2", 3));
        let table = &form.attributes[1];
        let columns: Vec<_> = table.columns.iter().map(|c| (&*c.name, &*c.table, c.types.text())).collect();
        assert_eq!(columns, [("К", "", "Boolean".to_owned()), ("Д", "Объект.Товары", String::new())]);
        assert_eq!(table.functional_options, [Text::from("FunctionalOption.О")]);
        assert_eq!(form.links.first().map(|l| &*l.target), Some("Таблица.К"));
    }

    #[test]
    fn commands_may_have_several_actions() {
        let form = form(
            r#"<Commands><Command name="К" id="1"><Action callType="Before">До</Action><Action callType="After">После</Action></Command>
<Command name="Пустая" id="2"><Action/></Command></Commands>
<Parameters><Parameter name="Ключ"><Type><v8:Type>xs:string</v8:Type></Type><KeyParameter>true</KeyParameter></Parameter></Parameters>"#,
        );
        let actions: Vec<_> = form.commands[0].actions.iter().map(|a| (&*a.handler, &*a.call_type, a.line)).collect();
        assert_eq!(actions, [("До", "Before", 2), ("После", "After", 2)]);
        assert!(form.commands[1].actions.is_empty());
        assert!(form.parameters.first().is_some_and(|p| p.is_key && p.types.text() == "String"));
    }
}
