//! The content of a managed form: `Ext/Form.xml`.
//!
//! An item is any element with a name and an id, wherever it stands: command bars, context menus, extended tooltips and
//! additions are items of their table or field. Events: `<Event name="OnChange">Procedure</Event>`; in an extension
//! with `callType`.

use super::{Context, form_attributes, referred, referred_by_attributes};
use crate::model::Localized;
use crate::model::form::{Action, Form, FormItem, Handler};
use crate::model::object::{Link, Property};
use crate::names::{canonical, is_full_name, object_of_type};
use crate::xml::{Element, Xml};

/// Reads the content into a form that its description made.
pub fn read<'x>(context: &mut Context<'_>, source: impl Into<Xml<'x>>, form: &mut Form) {
    context.root(source, "Form", |context, xml, _| xml.children(|xml, e| root_child(context, xml, e, form)));
}

fn root_child(context: &Context<'_>, xml: &mut Xml<'_>, e: &Element<'_>, form: &mut Form) {
    match e.name() {
        "Events" => events(context, xml, &mut form.events),
        "ChildItems" => xml.children(|xml, e| item(context, xml, e, None, form)),
        "Attributes" => form_attributes::attributes(context, xml, form),
        "Commands" => form_attributes::commands(context, xml, form),
        "Parameters" => form_attributes::parameters(context, xml, form),
        "Title" => form.title = title(context, xml, None, &mut form.links),
        // The base that an extension was made for: not what this form adds.
        "BaseForm" => {}
        _ if e.has("id") => item(context, xml, e, None, form),
        _ => {
            let (line, name) = (xml.line(), context.text(e.name()));
            let text = references(context, xml, e, e.name(), None, &mut form.links);
            if !text.is_empty() {
                form.properties.push(Property { name, value: context.text(&text), line });
            }
        }
    }
}

/// A title; what the links of a formatted one lead to (`<link e1cib/list/Справочник.Х>`) are references.
fn title(context: &Context<'_>, xml: &mut Xml<'_>, item: Option<u32>, links: &mut Vec<Link>) -> Localized {
    context.localized_at(xml, |line, text| {
        for (at, start) in text.match_indices(NAVIGATION) {
            let link = text.get(at + start.len()..).unwrap_or("");
            // `list/Справочник.Х`, `app/Обработка.Х/`, `data/Справочник.Х?ref=…`
            let target = link.split_once('/').map_or("", |(_, target)| target);
            let end = target.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.'))).unwrap_or(target.len());
            if let Some(name) = target.get(..end).and_then(canonical).filter(|name| is_full_name(name)) {
                let above = text.get(..at).unwrap_or("").matches('\n').count();
                links.push(context.link(item, "Title", &name, line.saturating_add(above.try_into().unwrap_or(0))));
            }
        }
    })
}

/// How a navigation link to something of the infobase begins.
const NAVIGATION: &str = "e1cib/";

/// `<Events>`: every event with a handler.
pub fn events(context: &Context<'_>, xml: &mut Xml<'_>, to: &mut Vec<Handler>) {
    xml.children(|xml, e| {
        let (line, call) = (xml.line(), call_type(context, e));
        let (Some(event), handler) = (e.attribute("name"), context.word(xml)) else { return };
        if !handler.is_empty() {
            to.push(Handler { event: context.text(&event), handler, call_type: call, line });
        }
    });
}

/// `<Action>`: the procedure of a command.
pub fn action(context: &Context<'_>, xml: &mut Xml<'_>, e: &Element<'_>) -> Action {
    let (line, call_type) = (xml.line(), call_type(context, e));
    Action { handler: context.word(xml), call_type, line }
}

fn call_type(context: &Context<'_>, e: &Element<'_>) -> crate::model::Text {
    context.text(&e.attribute("callType").unwrap_or_default())
}

/// How a button names a command of its own form.
const OWN_COMMAND: &str = "Form.Command.";

fn item(context: &Context<'_>, xml: &mut Xml<'_>, e: &Element<'_>, parent: Option<u32>, form: &mut Form) {
    let Some(name) = e.attribute("name") else { return };
    let place = form.items.len();
    let own = u32::try_from(place).ok();
    form.items.push(FormItem {
        name: context.text(&name),
        kind: context.text(e.name()),
        parent,
        data_path: context.text(""),
        command: context.text(""),
        title: Default::default(),
        events: Vec::new(),
        line: xml.line(),
    });
    xml.children(|xml, e| {
        if e.has("id") && e.has("name") {
            return item(context, xml, e, own, form);
        }
        let Some(this) = form.items.get_mut(place) else { return };
        match e.name() {
            "ChildItems" => xml.children(|xml, e| item(context, xml, e, own, form)),
            "Events" => events(context, xml, &mut this.events),
            // The path once more, for its line.
            "DataPath" => {
                let line = xml.line();
                this.data_path = context.word(xml);
                form.links.push(context.link(own, "DataPath", &this.data_path, line));
            }
            "CommandName" => {
                let line = xml.line();
                this.command = context.word(xml);
                // The platform's own commands of the form, or of an item, are no things of the configuration.
                if is_full_name(&this.command) || this.command.starts_with(OWN_COMMAND) {
                    form.links.push(context.link(own, "CommandName", &this.command, line));
                }
            }
            "Title" => this.title = title(context, xml, own, &mut form.links),
            name if name.ends_with("DataPath") => {
                let line = xml.line();
                form.links.push(context.link(own, name, &context.word(xml), line));
            }
            name => {
                references(context, xml, e, name, own, &mut form.links);
            }
        }
    });
}

/// Full names, types and items of the style anywhere at the current element or below become references, and so do data paths
/// that links of choice parameters name; gives the element's own text.
pub fn references(
    context: &Context<'_>,
    xml: &mut Xml<'_>,
    e: &Element<'_>,
    property: &str,
    item: Option<u32>,
    links: &mut Vec<Link>,
) -> String {
    let line = xml.line();
    links.extend(referred_by_attributes(xml, e).map(|target| context.link(item, property, &target, line)));
    let text = xml.content(|xml, e| {
        references(context, xml, e, property, item, links);
    });
    let text = text.trim();
    if let Some(target) = referred(xml, e, text) {
        links.push(context.link(item, property, &target, line));
    } else if e.name() == "DataPath" && text.contains('.') {
        links.push(context.link(item, property, text, line));
    } else if matches!(e.name(), "Type" | "TypeSet") {
        let name = text.rsplit_once(':').map_or(text, |(_, name)| name);
        if let Some((kind, Some(own))) = object_of_type(name) {
            links.push(context.link(item, property, &format!("{kind}.{own}"), line));
        }
    }
    text.to_owned()
}

#[cfg(test)]
mod tests {
    use super::super::testing::{SPACES, with_context};
    use super::*;
    use crate::model::FileId;
    use crate::model::problem::{Problem, ProblemKind};

    fn read_form(inner: &str) -> (Form, Vec<Problem>) {
        let source = format!("<Form{SPACES}>\n{inner}\n</Form>");
        with_context(|context| {
            let mut form = Form::empty("Catalog.Т.Form.Ф".into(), None, "Ф".into(), FileId(0));
            read(context, &source, &mut form);
            form
        })
    }

    #[test]
    fn items_nest_and_hold_events() {
        let (form, problems) = read_form(
            r#"<WindowOpeningMode>LockOwnerWindow</WindowOpeningMode>
<AutoCommandBar name="Панель" id="-1"/>
<Events><Event name="OnOpen">ПриОткрытии</Event><Event name="OnClose"/></Events>
<ChildItems><UsualGroup name="Г" id="1"><Title><v8:item><v8:lang>ru</v8:lang><v8:content>Группа</v8:content></v8:item></Title>
<ExtendedTooltip name="ГПодсказка" id="2"/><ChildItems>
<InputField name="Поле" id="3"><DataPath>Объект.Код</DataPath><ChoiceForm>Catalog.Т.Form.Выбор</ChoiceForm>
<Events><Event name="OnChange" callType="After">ПолеПриИзменении</Event></Events></InputField>
<Button name="К" id="4"><CommandName>Form.Command.К</CommandName></Button></ChildItems></UsualGroup></ChildItems>"#,
        );
        assert_eq!(problems, []);
        let items: Vec<_> = form.items.iter().map(|i| (&*i.name, &*i.kind, i.parent)).collect();
        assert_eq!(
            items,
            [
                ("Панель", "AutoCommandBar", None),
                ("Г", "UsualGroup", None),
                ("ГПодсказка", "ExtendedTooltip", Some(1)),
                ("Поле", "InputField", Some(1)),
                ("К", "Button", Some(1)),
            ]
        );
        assert_eq!(form.items[1].title.get("ru"), "Группа");
        assert_eq!((&*form.items[3].data_path, &*form.items[4].command), ("Объект.Код", "Form.Command.К"));
        let event = form.items[3].events.first().expect("an event");
        assert_eq!(
            (&*event.event, &*event.handler, &*event.call_type, event.line),
            ("OnChange", "ПолеПриИзменении", "After", 8)
        );
        assert_eq!(form.events.iter().map(|e| &*e.handler).collect::<Vec<_>>(), ["ПриОткрытии"]);
        assert_eq!(
            form.links.iter().map(|l| (l.item, &*l.target)).collect::<Vec<_>>(),
            [(Some(3), "Объект.Код"), (Some(3), "Catalog.Т.Form.Выбор"), (Some(4), "Form.Command.К")]
        );
        assert_eq!(form.properties.first().map(|p| &*p.value), Some("LockOwnerWindow"));
    }

    #[test]
    fn pictures_items_of_the_style_roles_and_commands_with_their_lines() {
        let (form, problems) = read_form(
            r#"<ChildItems><LabelDecoration name="Н" id="1"><TextColor xmlns:d1p1="http://v8.1c.ru/8.1/data/ui/style">d1p1:Важный</TextColor>
<Font ref="style:Крупный" kind="StyleItem"/><BackColor>web:Red</BackColor><AvailableTypes><v8:Type>cfg:CatalogRef.Т</v8:Type></AvailableTypes>
<UserVisible><xr:Common>false</xr:Common><xr:Value name="Role.Р">true</xr:Value></UserVisible>
<ToolTip><v8:item><v8:lang>ru</v8:lang><v8:content>style: нет</v8:content></v8:item></ToolTip></LabelDecoration>
<Button name="К" id="2">
<CommandName>CommonCommand.О</CommandName>
<Picture>
<xr:Ref>CommonPicture.К</xr:Ref></Picture>
<ChoiceParameterLinks><xr:Link><xr:Name>Отбор.Владелец</xr:Name><xr:DataPath xsi:type="xs:string">Объект.Owner</xr:DataPath></xr:Link></ChoiceParameterLinks>
</Button></ChildItems>"#,
        );
        assert_eq!(problems, []);
        assert_eq!(
            form.links.iter().map(|l| (&*l.property, &*l.target, l.line)).collect::<Vec<_>>(),
            [
                ("TextColor", "StyleItem.Важный", 2),
                ("Font", "StyleItem.Крупный", 3),
                ("AvailableTypes", "Catalog.Т", 3),
                ("UserVisible", "Role.Р", 4),
                ("CommandName", "CommonCommand.О", 7),
                ("Picture", "CommonPicture.К", 9),
                ("ChoiceParameterLinks", "Объект.Owner", 10),
            ]
        );
    }

    #[test]
    fn commands_of_the_form_itself_and_links_in_titles() {
        let (form, _) = read_form(
            r#"<ChildItems><Button name="К" id="1">
<CommandName>Form.Command.Печать</CommandName></Button>
<Button name="С" id="2"><CommandName>Form.StandardCommand.Close</CommandName></Button>
<LabelDecoration name="Н" id="3"><Title><v8:item><v8:lang>ru</v8:lang><v8:content>Или
&lt;link e1cib/app/Обработка.О/&gt;открыть&lt;/&gt;, &lt;link https://a.b/&gt;там&lt;/&gt;</v8:content></v8:item></Title></LabelDecoration></ChildItems>"#,
        );
        assert_eq!(
            form.links.iter().map(|l| (&*l.property, &*l.target, l.line)).collect::<Vec<_>>(),
            [("CommandName", "Form.Command.Печать", 3), ("Title", "DataProcessor.О", 6)]
        );
    }

    #[test]
    fn a_broken_form_keeps_what_stood_before() {
        let (form, problems) = read_form(
            r#"<Events><Event name="OnOpen">А</Event></Events><ChildItems><Table name="Т" id="1"></ChildItems>"#,
        );
        assert_eq!((form.events.len(), form.items.len()), (1, 1));
        assert!(matches!(problems.first(), Some(Problem { kind: ProblemKind::Malformed(_), line: 2, .. })));
    }
}
