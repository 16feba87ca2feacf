//! Items of a managed form: `<items xsi:type="form:FormField">` with a `<type>` -> the Designer's `<InputField>`.

use super::form::{call_type, title};
use super::values::{self, capitalised};
use crate::tree::Node;

/// The Designer's element where it is not the word of `<type>`: class in EDT, `<type>` (empty: left out), element.
const ELEMENTS: [(&str, &str, &str); 6] = [
    ("FormGroup", "", "ButtonGroup"),
    ("Decoration", "", "PictureDecoration"),
    ("Decoration", "Label", "LabelDecoration"),
    ("Decoration", "Picture", "PictureDecoration"),
    ("Addition", "", "SearchStringAddition"),
    ("FormField", "SpreadsheetDocumentField", "SpreadSheetDocumentField"),
];

/// Items that belong to another, in the Designer's order.
const OWN_ITEMS: [&str; 6] = [
    "contextMenu",
    "autoCommandBar",
    "extendedTooltip",
    "searchStringAddition",
    "viewStatusAddition",
    "searchControlAddition",
];

/// What the model keeps in fields of its own, or has no use for.
const LEFT_OUT: [&str; 13] = [
    "name",
    "id",
    "title",
    "dataPath",
    "commandName",
    "handlers",
    "items",
    "extInfo",
    "type",
    "visible",
    "enabled",
    "excludedCommands",
    "toolTip",
];

/// An item as its class and type say.
pub fn listed(node: &Node) -> Node {
    let (class, kind) = (node.class(), node.word("type"));
    let known = ELEMENTS.iter().find(|(c, k, _)| *c == class && *k == kind).map(|(_, _, element)| *element);
    let element = known.unwrap_or(if matches!(class, "Button" | "Table") || kind.is_empty() { class } else { kind });
    item(element, node)
}

/// An item of that element. Depth is bounded by the tree's.
pub fn item(element: &str, node: &Node) -> Node {
    let mut item = Node::new(element, node.line).with("name", node.word("name")).with("id", node.word("id"));
    if let Some(path) = node.child("dataPath") {
        item.children.push(values::path_leaf("DataPath", path));
    }
    if let Some(command) = node.child("commandName") {
        item.children.push(Node::leaf("CommandName", command.text.trim(), command.line));
    }
    item.children.extend(title(node));
    let extension = node.child("extInfo");
    let own = node.children.iter().chain(extension.into_iter().flat_map(|e| &e.children));
    let own = own.filter(|c| !LEFT_OUT.contains(&c.name.as_str()) && !OWN_ITEMS.contains(&c.name.as_str()));
    for (name, group) in values::groups(own) {
        item.children.push(values::property(&capitalised(name), &group, false));
    }
    for name in OWN_ITEMS {
        item.children.extend(node.child(name).map(|own| self::item(&capitalised(name), own)));
    }
    let handlers = node.all("handlers").chain(extension.into_iter().flat_map(|e| e.all("handlers")));
    item.children.push(Node::new("Events", node.line).holding(handlers.map(event)));
    item.children.push(Node::new("ChildItems", node.line).holding(node.all("items").map(listed)));
    item
}

/// An event and its handler.
pub fn event(handler: &Node) -> Node {
    call_type(Node::leaf("Event", handler.word("name"), handler.line).with("name", handler.word("event")), handler)
}

#[cfg(test)]
mod tests {
    use super::super::form::document;
    use super::*;
    use crate::designer::testing::with_context;
    use crate::model::FileId;
    use crate::model::form::Form;

    #[test]
    fn elements_order_and_references() {
        let source = r#"<form:Form xmlns:form="u" xmlns:xsi="x">
<items xsi:type="form:FormGroup"><name>Г</name><id>1</id><items xsi:type="form:FormField"><name>Поле</name><id>3</id>
<userVisible><for><role>Role.Р</role></for></userVisible>
<dataPath xsi:type="form:DataPath"><segments>Объект.Код</segments></dataPath>
<extendedTooltip><name>Подсказка</name><id>5</id><type>Label</type></extendedTooltip><contextMenu><name>Меню</name><id>4</id></contextMenu>
<type>InputField</type><handlers><event>OnChange</event><name>ПриИзменении</name></handlers>
<extInfo xsi:type="form:InputFieldExtInfo"><choiceForm>Catalog.Т.Form.Выбор</choiceForm>
<handlers xsi:type="form:EventHandlerExtension"><event>StartChoice</event><name>Выбор</name><callType>After</callType></handlers></extInfo></items>
<extendedTooltip><name>П</name><id>2</id></extendedTooltip><type>UsualGroup</type></items>
<items xsi:type="form:FormGroup"><name>К</name><id>6</id></items>
<items xsi:type="form:Decoration"><name>Д</name><id>7</id><type>Label</type></items>
<items xsi:type="form:Button"><name>Б</name><id>8</id><type>Hyperlink</type><commandName>Form.Command.К</commandName></items>
<autoCommandBar><name>Панель</name><id>-1</id></autoCommandBar></form:Form>"#;
        let root = Node::parse(source).0.expect("a root");
        let (form, problems) = with_context(|context| {
            let mut form = Form::empty("Catalog.Т.Form.Ф".into(), None, "Ф".into(), FileId(0));
            crate::designer::form::read(context, &document(&root), &mut form);
            form
        });
        assert_eq!(problems, []);
        let items: Vec<_> = form.items.iter().map(|i| (&*i.name, &*i.kind, i.parent)).collect();
        assert_eq!(
            items,
            [
                ("Панель", "AutoCommandBar", None),
                ("Г", "UsualGroup", None),
                ("П", "ExtendedTooltip", Some(1)),
                ("Поле", "InputField", Some(1)),
                ("Меню", "ContextMenu", Some(3)),
                ("Подсказка", "ExtendedTooltip", Some(3)),
                ("К", "ButtonGroup", None),
                ("Д", "LabelDecoration", None),
                ("Б", "Button", None),
            ]
        );
        let field = form.items.get(3).expect("a field");
        assert_eq!((&*field.data_path, field.line), ("Объект.Код", 2));
        let events: Vec<_> = field.events.iter().map(|e| (&*e.event, &*e.handler, &*e.call_type, e.line)).collect();
        assert_eq!(events, [("OnChange", "ПриИзменении", "", 6), ("StartChoice", "Выбор", "After", 8)]);
        assert_eq!(form.items.last().map(|i| &*i.command), Some("Form.Command.К"));
        let links: Vec<_> = form.links.iter().map(|l| (l.item, &*l.property, &*l.target)).collect();
        let (path, role) = ((Some(3), "DataPath", "Объект.Код"), (Some(3), "UserVisible", "Role.Р"));
        let command = (Some(8), "CommandName", "Form.Command.К");
        assert_eq!(links, [path, role, (Some(3), "ChoiceForm", "Catalog.Т.Form.Выбор"), command]);
    }

    #[test]
    fn pictures_items_of_the_style_and_roles_have_the_lines_of_their_names() {
        let source = r#"<form:Form xmlns:form="u" xmlns:xsi="x"><items xsi:type="form:Decoration"><name>Д</name><id>7</id>
<userVisible><common>false</common><for><role>Role.Р</role><value>true</value></for></userVisible><textColor xsi:type="core:ColorRef">
<color>Style.Важный</color></textColor><font xsi:type="core:FontRef">
<font>Style.Крупный</font></font><picture xsi:type="core:PictureRef">
<picture>CommonPicture.К</picture></picture></items>
<attributes><name>А</name><settingsSavedData xsi:type="form:DataPath">
<segments>А.Код</segments></settingsSavedData></attributes>
<formCommands><name>К</name><picture xsi:type="core:PictureRef"><picture>CommonPicture.К</picture></picture></formCommands></form:Form>"#;
        let root = Node::parse(source).0.expect("a root");
        let (form, problems) = with_context(|context| {
            let mut form = Form::empty("Catalog.Т.Form.Ф".into(), None, "Ф".into(), FileId(0));
            crate::designer::form::read(context, &document(&root), &mut form);
            form
        });
        assert_eq!(problems, []);
        let links: Vec<_> = form.links.iter().map(|l| (&*l.property, &*l.target, l.line)).collect();
        assert_eq!(
            links,
            [
                ("UserVisible", "Role.Р", 2),
                ("TextColor", "StyleItem.Важный", 3),
                ("Font", "StyleItem.Крупный", 4),
                ("Picture", "CommonPicture.К", 5),
                ("Save", "А.Код", 7),
                ("Picture", "CommonPicture.К", 8),
            ]
        );
    }
}
