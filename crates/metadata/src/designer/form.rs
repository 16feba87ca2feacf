//! The content of a managed form: `Ext/Form.xml`.
//!
//! An item is any element with a name and an id, wherever it stands: command bars, context menus, extended tooltips and
//! additions are items of their table or field. Events: `<Event name="OnChange">Procedure</Event>`; in an extension
//! with `callType`.

use super::{Context, form_attributes};
use crate::model::form::{Action, Form, FormItem, Handler};
use crate::model::object::{Link, Property};
use crate::names::is_full_name;
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
        "Title" => form.title = context.localized(xml),
        // The base that an extension was made for: not what this form adds.
        "BaseForm" => {}
        _ if e.has("id") => item(context, xml, e, None, form),
        _ => {
            let (line, name) = (xml.line(), context.text(e.name()));
            let text = references(context, xml, e.name(), None, &mut form.links);
            if !text.is_empty() {
                form.properties.push(Property { name, value: context.text(&text), line });
            }
        }
    }
}

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
                let (line, property) = (xml.line(), context.text("DataPath"));
                this.data_path = context.word(xml);
                let (target, value) = (this.data_path.clone(), context.text(""));
                form.links.push(Link { item: own, property, target, value, line });
            }
            "CommandName" => this.command = context.word(xml),
            "Title" => this.title = context.localized(xml),
            name if name.ends_with("DataPath") => {
                let (line, property) = (xml.line(), context.text(name));
                let (target, value) = (context.word(xml), context.text(""));
                form.links.push(Link { item: own, property, target, value, line });
            }
            name => {
                references(context, xml, name, own, &mut form.links);
            }
        }
    });
}

/// Full names anywhere below the current element become references; gives the element's own text.
pub fn references(
    context: &Context<'_>,
    xml: &mut Xml<'_>,
    property: &str,
    item: Option<u32>,
    links: &mut Vec<Link>,
) -> String {
    let line = xml.line();
    let text = xml.content(|xml, _| {
        references(context, xml, property, item, links);
    });
    let text = text.trim();
    if is_full_name(text) {
        let (property, target) = (context.text(property), context.text(text));
        links.push(Link { item, property, target, value: context.text(""), line });
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
            [(Some(3), "Объект.Код"), (Some(3), "Catalog.Т.Form.Выбор")]
        );
        assert_eq!(form.properties.first().map(|p| &*p.value), Some("LockOwnerWindow"));
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
