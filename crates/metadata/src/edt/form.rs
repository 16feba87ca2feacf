//! The content of a managed form: `Form.form`. The Designer's order of elements is kept: command bar, events, items,
//! attributes, commands, parameters.

use super::form_items;
use super::table;
use super::values::{self, capitalised};
use crate::tree::Node;

/// The Designer's document.
pub fn document(root: &Node) -> Node {
    let mut form = Node::new("Form", root.line);
    let extension = root.child("extInfo");
    form.children.extend(own_properties(root, extension));
    let titles: Vec<&Node> = root.all("title").collect();
    if !titles.is_empty() {
        form.children.push(values::property("Title", &titles, false));
    }
    form.children.extend(root.child("autoCommandBar").map(|bar| form_items::item("AutoCommandBar", bar)));
    let handlers = root.all("handlers").chain(extension.into_iter().flat_map(|e| e.all("handlers")));
    form.children.push(Node::new("Events", root.line).holding(handlers.map(form_items::event)));
    form.children.push(Node::new("ChildItems", root.line).holding(root.all("items").map(form_items::listed)));
    form.children.push(Node::new("Attributes", root.line).holding(root.all("attributes").map(attribute)));
    form.children.push(Node::new("Commands", root.line).holding(root.all("formCommands").map(command)));
    form.children.push(Node::new("Parameters", root.line).holding(root.all("parameters").map(parameter)));
    if let Some(interface) = root.child("commandInterface") {
        form.children.push(Node::new("CommandInterface", interface.line).holding(fragments(interface)));
    }
    form
}

/// Elements of the root that are translated one by one.
const PARTS: [&str; 11] = [
    "title",
    "autoCommandBar",
    "handlers",
    "items",
    "attributes",
    "formCommands",
    "parameters",
    "commandInterface",
    "extInfo",
    "excludedCommands",
    "baseForm",
];

/// Simple properties of the form: as they stand, with defaults where the formats differ in them.
fn own_properties(root: &Node, extension: Option<&Node>) -> Vec<Node> {
    let mut all = Vec::new();
    let class = extension.map_or("", Node::class);
    let rows = || table::form_properties().iter().filter(|row| row.holder.is_empty() || row.holder == class);
    for row in rows() {
        let holder = if row.holder.is_empty() { Some(root) } else { extension };
        let node = holder.and_then(|h| h.child(row.edt));
        let text = node.map_or(row.absent, |n| n.text.trim());
        if text != row.omitted && !text.is_empty() {
            all.push(Node::leaf(row.designer, text, node.map_or(root.line, |n| n.line)));
        }
    }
    let known = |holder: &str, name: &str| rows().any(|row| row.holder == holder && row.edt == name);
    let own = root.children.iter().filter(|c| !PARTS.contains(&c.name.as_str()) && !known("", &c.name));
    let extended = extension.into_iter().flat_map(|e| &e.children);
    let extended = extended.filter(|c| c.name != "handlers" && !known(class, &c.name));
    for (name, group) in values::groups(own.chain(extended)) {
        let mut property = values::property(&capitalised(name), &group, false);
        if name == "verticalScroll" {
            // The one word that the Designer begins with a small letter.
            property.text = property.text.replacen('U', "u", 1);
        }
        all.push(property);
    }
    all
}

fn attribute(node: &Node) -> Node {
    let mut attribute = named("Attribute", node);
    attribute.children.extend(title(node));
    attribute.children.extend(value_type(node));
    if node.word("main") == "true" {
        attribute.children.push(Node::leaf("MainAttribute", "true", node.line));
    }
    for (name, edt) in [("UseAlways", "notDefaultUseAlwaysAttributes"), ("Save", "settingsSavedData")] {
        let paths = node.all(edt).map(|path| values::path_leaf("Field", path));
        attribute.children.push(Node::new(name, node.line).holding(paths));
    }
    attribute.children.extend(rights(node));
    let mut columns: Vec<Node> = node.all("columns").map(column).collect();
    columns.extend(node.all("additionalColumns").map(|added| {
        let path = added.child("tablePath");
        let (table, line) = path.map_or_else(
            || (String::new(), added.line),
            |path| (values::data_path(path), values::line_of(path, "segments")),
        );
        Node::new("AdditionalColumns", line).with("table", table).holding(added.all("columns").map(column))
    }));
    attribute.children.push(Node::new("Columns", node.line).holding(columns));
    attribute.children.push(functional_options(node));
    if let Some(extension) = node.child("extInfo") {
        attribute.children.extend(settings(extension));
    }
    attribute
}

/// Settings of a dynamic list, or types of a value list.
fn settings(extension: &Node) -> Option<Node> {
    let settings = Node::new("Settings", extension.line);
    match extension.class() {
        "DynamicListExtInfo" => {
            let cells = [("customQuery", "ManualQuery"), ("queryText", "QueryText"), ("mainTable", "MainTable")];
            let cells = cells.into_iter().filter_map(|(edt, name)| extension.child(edt).map(|node| (node, name)));
            let settings = settings.with("xsi:type", "DynamicList");
            let mut all = settings.holding(cells.map(|(node, name)| Node::leaf(name, node.text.clone(), node.line)));
            all.children.extend(
                extension
                    .child("listSettings")
                    .map(|list| Node::new("ListSettings", list.line).holding(values::structure(list))),
            );
            Some(all)
        }
        "ValueListExtInfo" => Some(settings.holding(extension.child("itemValueType").map(values::types)?)),
        _ => None,
    }
}

fn column(node: &Node) -> Node {
    let column = named("Column", node).holding(title(node).into_iter().chain(value_type(node)));
    column.holding(rights(node)).holding([functional_options(node)])
}

/// Roles that see, edit or use something of a form.
fn rights(node: &Node) -> impl Iterator<Item = Node> {
    let rights = node.children.iter().filter(|c| matches!(c.name.as_str(), "view" | "edit" | "use" | "userVisible"));
    rights.map(|right| Node::new(capitalised(&right.name), right.line).holding(values::structure(right)))
}

fn command(node: &Node) -> Node {
    let mut command = named("Command", node).holding(title(node));
    for action in node.all("action") {
        let handlers = action.children.iter().filter(|c| c.child("name").is_some());
        command.children.extend(handlers.map(|handler| {
            let line = handler.child("name").map_or(handler.line, |name| name.line);
            call_type(Node::leaf("Action", handler.word("name"), line), handler)
        }));
    }
    command.children.extend(rights(node));
    let picture: Vec<&Node> = node.all("picture").collect();
    if !picture.is_empty() {
        command.children.push(values::property("Picture", &picture, false));
    }
    command.children.push(functional_options(node));
    command
}

fn parameter(node: &Node) -> Node {
    let key = Node::leaf("KeyParameter", node.word("keyParameter"), node.line);
    named("Parameter", node).holding(value_type(node).into_iter().chain([key]))
}

/// How an extension's procedure is called.
pub fn call_type(call: Node, handler: &Node) -> Node {
    match handler.word("callType") {
        "" => call,
        word => call.with("callType", word),
    }
}

fn named(element: &str, node: &Node) -> Node {
    Node::new(element, node.line).with("name", node.word("name"))
}

/// Title of an item, attribute, column or command.
pub fn title(node: &Node) -> Option<Node> {
    let titles: Vec<&Node> = node.all("title").collect();
    (!titles.is_empty()).then(|| values::property("Title", &titles, false))
}

fn value_type(node: &Node) -> Option<Node> {
    node.child("valueType").map(|types| Node::new("Type", types.line).holding(values::types(types)))
}

fn functional_options(node: &Node) -> Node {
    let options = node.all("functionalOptions").map(|o| Node::leaf("Item", o.text.trim(), o.line));
    Node::new("FunctionalOptions", node.line).holding(options)
}

/// Commands of the form's command interface, their groups, and roles that see them.
fn fragments(interface: &Node) -> Vec<Node> {
    let fragments = interface.children.iter().flat_map(|panel| &panel.children);
    let of_fragment = |fragment: &Node| {
        let cells = fragment.all("command").chain(fragment.all("group"));
        let cells = cells.map(|cell| Node::leaf(capitalised(&cell.name), cell.text.trim(), cell.line));
        cells.chain(rights(fragment)).collect::<Vec<_>>()
    };
    fragments.flat_map(of_fragment).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::designer::testing::with_context;
    use crate::model::FileId;
    use crate::model::form::Form;

    fn form(inner: &str) -> Form {
        let source = format!("<form:Form xmlns:form=\"u\" xmlns:xsi=\"x\">\n{inner}\n</form:Form>");
        let root = Node::parse(&source).0.expect("a root");
        let document = document(&root);
        let (form, problems) = with_context(|context| {
            let mut form = Form::empty("Catalog.Т.Form.Ф".into(), None, "Ф".into(), FileId(0));
            crate::designer::form::read(context, &document, &mut form);
            form
        });
        assert_eq!(problems, []);
        form
    }

    #[test]
    fn properties_are_those_that_the_designer_writes() {
        let form = form(
            "<autoTitle>true</autoTitle><windowOpeningMode>LockOwnerWindow</windowOpeningMode><group>Vertical</group>\
             <autoUrl>true</autoUrl><autoFillCheck>true</autoFillCheck><allowFormCustomize>true</allowFormCustomize>\
             <enabled>true</enabled><showTitle>true</showTitle><verticalScroll>UseIfNecessary</verticalScroll>\
             <showCloseButton>true</showCloseButton><extInfo xsi:type=\"form:CatalogFormExtInfo\"><handlers><event>BeforeWrite</event>\
             <name>ПередЗаписью</name></handlers></extInfo>",
        );
        let properties: Vec<_> = form.properties.iter().map(|p| (&*p.name, &*p.value)).collect();
        assert_eq!(
            properties,
            [
                ("SaveWindowSettings", "false"),
                ("UseForFoldersAndItems", "Items"),
                ("WindowOpeningMode", "LockOwnerWindow"),
                ("VerticalScroll", "useIfNecessary"),
            ]
        );
        assert_eq!(
            form.events.iter().map(|e| (&*e.event, &*e.handler)).collect::<Vec<_>>(),
            [("BeforeWrite", "ПередЗаписью")]
        );
    }

    #[test]
    fn attributes_columns_lists_commands_and_parameters() {
        let form = form(
            "<attributes><name>Список</name><id>1</id><valueType><types>DynamicList</types></valueType><main>true</main>
<extInfo xsi:type=\"form:DynamicListExtInfo\"><customQuery>true</customQuery><mainTable>Catalog.Т</mainTable>
<queryText>ВЫБРАТЬ 1</queryText></extInfo></attributes>
<attributes><name>Таблица</name><columns><name>К</name><valueType><types>Boolean</types></valueType></columns>
<additionalColumns><tablePath xsi:type=\"form:DataPath\"><segments>Объект.Товары</segments></tablePath><columns><name>Д</name></columns></additionalColumns>
<functionalOptions>FunctionalOption.О</functionalOptions></attributes>
<formCommands><name>К</name><action xsi:type=\"form:FormCommandHandlerContainer\"><handler><name>Выполнить</name></handler></action></formCommands>
<parameters><name>Ключ</name><valueType><types>String</types></valueType><keyParameter>true</keyParameter></parameters>",
        );
        let list = form.main_attribute().and_then(|a| a.dynamic_list.as_ref()).expect("a dynamic list");
        assert_eq!((&*list.main_table, &*list.query, list.query_line), ("Catalog.Т", "ВЫБРАТЬ 1", 4));
        let table = form.attributes.last().expect("a table");
        let columns: Vec<_> = table.columns.iter().map(|c| (&*c.name, &*c.table, c.types.text())).collect();
        assert_eq!(columns, [("К", "", "Boolean".to_owned()), ("Д", "Объект.Товары", String::new())]);
        assert_eq!(table.functional_options.len(), 1);
        let actions: Vec<_> = form.commands.iter().flat_map(|c| &c.actions).map(|a| (&*a.handler, a.line)).collect();
        assert_eq!(actions, [("Выполнить", 8)]);
        assert!(form.parameters.first().is_some_and(|p| p.is_key && p.types.text() == "String"));
    }
}
