//! Attributes, commands and parameters of a managed form.

use super::form::{action, references};
use super::{Context, is_true, referred, referred_by_attributes, types};
use crate::model::Text;
use crate::model::form::{DynamicList, Form, FormAttribute, FormColumn, FormCommand, FormParameter};
use crate::model::object::Link;
use crate::model::types::Types;
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
        "FunctionalOptions" => options(context, xml, &mut attribute.functional_options, links),
        // Fields that are always read, and those that are kept in settings.
        property @ ("UseAlways" | "Save") => xml.children(|xml, _| {
            let line = xml.line();
            links.push(context.link(None, property, &context.word(xml), line));
        }),
        "Columns" => xml.children(|xml, e| match e.name() {
            "Column" => attribute.columns.extend(column(context, xml, e, context.text(""), links)),
            "AdditionalColumns" => {
                let table = context.text(&e.attribute("table").unwrap_or_default());
                links.push(context.link(None, e.name(), &table, xml.line()));
                xml.children(|xml, e| attribute.columns.extend(column(context, xml, e, table.clone(), links)));
            }
            _ => {}
        }),
        "Settings" if e.attribute("xsi:type").is_some_and(|t| t.ends_with("DynamicList")) => {
            attribute.dynamic_list = Some(dynamic_list(context, xml, &attribute.name, links));
        }
        "Settings" => xml.children(|xml, e| {
            if !types::take(context, xml, e, &mut attribute.value_types) {
                references(context, xml, e, "Settings", None, links);
            }
        }),
        property => {
            references(context, xml, e, property, None, links);
        }
    });
    Some(attribute)
}

fn column(
    context: &Context<'_>,
    xml: &mut Xml<'_>,
    e: &Element<'_>,
    table: Text,
    links: &mut Vec<Link>,
) -> Option<FormColumn> {
    let name = context.text(&e.attribute("name")?);
    let mut column = FormColumn { name, table, title: Default::default(), types: Default::default(), line: xml.line() };
    xml.children(|xml, e| match e.name() {
        "Title" => column.title = context.localized(xml),
        "Type" => column.types = types::read(context, xml),
        property => {
            references(context, xml, e, property, None, links);
        }
    });
    Some(column)
}

fn dynamic_list(context: &Context<'_>, xml: &mut Xml<'_>, name: &str, links: &mut Vec<Link>) -> DynamicList {
    let mut list = DynamicList { main_table: context.text(""), query: context.text(""), ..DynamicList::default() };
    xml.children(|xml, e| match e.name() {
        "MainTable" => {
            let line = xml.line();
            list.main_table = context.word(xml);
            if !list.main_table.is_empty() {
                links.push(context.link(None, "MainTable", &list.main_table, line));
            }
        }
        "QueryText" => {
            list.query_line = xml.line();
            list.query = context.text(&xml.text());
        }
        "ManualQuery" => list.manual_query = is_true(&context.word(xml)),
        "ListSettings" => {
            fields(context, xml, "ListSettings", name, links);
        }
        // Fields and parameters of the query, as far as they are described.
        property @ ("Field" | "Parameter") => described(context, xml, e, property, &mut list.types, links),
        _ => {}
    });
    if !list.manual_query {
        list.query = context.text("");
    }
    list
}

/// A field or parameter of a list's query: types and values anywhere below.
fn described(
    context: &Context<'_>,
    xml: &mut Xml<'_>,
    e: &Element<'_>,
    property: &str,
    types: &mut Types,
    links: &mut Vec<Link>,
) {
    let line = xml.line();
    links.extend(referred_by_attributes(xml, e).map(|target| context.link(None, property, &target, line)));
    let text = xml.content(|xml, e| {
        if !types::take(context, xml, e, types) {
            described(context, xml, e, property, types, links);
        }
    });
    links.extend(referred(xml, e, text.trim()).map(|target| context.link(None, property, &target, line)));
}

/// `<FunctionalOptions>`: full names of the options.
fn options(context: &Context<'_>, xml: &mut Xml<'_>, to: &mut Vec<Text>, links: &mut Vec<Link>) {
    xml.children(|xml, _| {
        let line = xml.line();
        let option = context.word(xml);
        links.push(context.link(None, "FunctionalOptions", &option, line));
        to.push(option);
    });
}

/// Fields that settings of data composition name, as data paths that begin with `root`, and full names of values; gives the
/// element's own text.
pub fn fields(context: &Context<'_>, xml: &mut Xml<'_>, property: &str, root: &str, links: &mut Vec<Link>) -> String {
    xml.content(|xml, e| {
        let line = xml.line();
        let typed = |ending: &str| e.attribute("xsi:type").is_some_and(|t| t.ends_with(ending));
        let is_field = e.name() == "field" || matches!(e.name(), "left" | "right") && typed("Field");
        let is_value = typed("DesignTimeValue");
        links.extend(referred_by_attributes(xml, e).map(|target| context.link(None, property, &target, line)));
        let text = fields(context, xml, property, root, links);
        let text = text.trim();
        let target = match root {
            _ if !is_field => text.to_owned(),
            "" => text.to_owned(),
            root => format!("{root}.{text}"),
        };
        if !text.is_empty() && (is_field || is_value) {
            links.push(context.link(None, property, &target, line));
        } else if let Some(target) = referred(xml, e, text) {
            links.push(context.link(None, property, &target, line));
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
            "FunctionalOptions" => options(context, xml, &mut command.functional_options, &mut form.links),
            property => {
                references(context, xml, e, property, None, &mut form.links);
            }
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
        let links: Vec<_> = form.links.iter().map(|l| (&*l.property, &*l.target, l.line)).collect();
        assert_eq!(
            links,
            [
                ("MainTable", "Catalog.Т", 3),
                ("AdditionalColumns", "Объект.Товары", 5),
                ("FunctionalOptions", "FunctionalOption.О", 6),
                ("ConditionalAppearance", "Таблица.К", 7),
            ]
        );
    }

    #[test]
    fn saved_fields_described_parameters_appearance_and_pictures_of_commands() {
        let form = form(
            r#"<Attributes><Attribute name="Список" id="1"><Save>
<Field>Список.Код</Field></Save><Settings xsi:type="DynamicList">
<Parameter><valueType><v8:Type>cfg:CatalogRef.Т</v8:Type></valueType>
<value xsi:type="dcscor:DesignTimeValue">Enum.В.EnumValue.З</value></Parameter></Settings></Attribute>
<ConditionalAppearance><item><appearance><value xsi:type="v8ui:Color">style:Важный</value>
<value xsi:type="v8ui:Font" ref="style:Крупный"/></appearance></item></ConditionalAppearance></Attributes>
<Commands><Command name="К" id="1">
<Picture><xr:Ref>CommonPicture.К</xr:Ref></Picture></Command></Commands>"#,
        );
        let links: Vec<_> = form.links.iter().map(|l| (&*l.property, &*l.target, l.line)).collect();
        assert_eq!(
            links,
            [
                ("Save", "Список.Код", 3),
                ("Parameter", "Enum.В.EnumValue.З", 5),
                ("ConditionalAppearance", "StyleItem.Важный", 6),
                ("ConditionalAppearance", "StyleItem.Крупный", 7),
                ("Picture", "CommonPicture.К", 9),
            ]
        );
        let list = form.attributes.first().and_then(|a| a.dynamic_list.as_ref()).expect("a list");
        assert_eq!(list.types.iter().map(|t| (&*t.name, t.line)).collect::<Vec<_>>(), [("CatalogRef.Т", 4)]);
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
