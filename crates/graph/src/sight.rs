//! What of a configuration edges are derived from. An index keeps it, so that they can be derived again without reading metadata.
//!
//! A channel sees no more than this: whoever needs more takes it in here.

use metadata::{
    Command, Configuration, DynamicList, Flowchart, Form, FormAttribute, FormColumn, FormCommand, FormItem, Item, Link,
    Localized, Object, Predefined, Text, Types,
};

use crate::world;

/// The part of a configuration that a [`World`](crate::World) and its channels look at. Files, rights, help, texts for people and
/// what forms only show are left out: every update reads this before anything else.
pub fn sight(configuration: &Configuration) -> Configuration {
    Configuration {
        layers: configuration.layers.clone(),
        properties: configuration.properties.clone(),
        objects: configuration.objects.iter().map(object).collect(),
        modules: configuration.modules.clone(),
        forms: configuration.forms.iter().map(form).collect(),
        commands: configuration.commands.iter().map(|one| Command { links: Vec::new(), ..one.clone() }).collect(),
        templates: configuration.templates.clone(),
        predefined: configuration.predefined.iter().map(predefined).collect(),
        flowcharts: configuration.flowcharts.iter().map(|one| Flowchart { links: Vec::new(), ..one.clone() }).collect(),
        ..Configuration::empty()
    }
}

fn object(object: &Object) -> Object {
    let is_read = |link: &&Link| link.item.is_none() && world::reads_link(&link.property);
    Object {
        kind: object.kind,
        name: object.name.clone(),
        full_name: object.full_name.clone(),
        parent: object.parent.clone(),
        uuid: Text::from(""),
        // Full text of methods names the object that they belong to.
        synonym: object.synonym.clone(),
        comment: Text::from(""),
        file: object.file,
        line: object.line,
        types: object.types.clone(),
        properties: object.properties.iter().filter(|one| world::reads_property(&one.name)).cloned().collect(),
        items: object.items.iter().map(part).collect(),
        links: object.links.iter().filter(is_read).cloned().collect(),
        details: object.details.clone(),
    }
}

fn part(item: &Item) -> Item {
    Item {
        kind: item.kind,
        name: item.name.clone(),
        name_ru: item.name_ru.clone(),
        full_name: item.full_name.clone(),
        parent: item.parent,
        uuid: Text::from(""),
        synonym: Localized::default(),
        comment: Text::from(""),
        types: item.types.clone(),
        required: item.required,
        indexing: Text::from(""),
        // Handlers of services are properties of their parts.
        properties: if world::is_caller(item.kind) { item.properties.clone() } else { Vec::new() },
        line: item.line,
        file: item.file,
    }
}

fn form(form: &Form) -> Form {
    Form {
        kind: form.kind,
        content: form.content,
        items: form.items.iter().filter(|item| matters(item)).map(item).collect(),
        attributes: form.attributes.iter().map(attribute).collect(),
        commands: form.commands.iter().map(command).collect(),
        events: form.events.clone(),
        ..Form::empty(form.full_name.clone(), form.owner.clone(), form.name.clone(), form.file)
    }
}

/// Whether an item handles an event, or shows rows that code may ask it for.
fn matters(item: &FormItem) -> bool {
    !item.events.is_empty() || &*item.kind == "Table" && !item.data_path.is_empty()
}

fn item(item: &FormItem) -> FormItem {
    FormItem {
        name: item.name.clone(),
        kind: item.kind.clone(),
        // Places in the whole list say nothing here.
        parent: None,
        data_path: item.data_path.clone(),
        command: Text::from(""),
        title: Localized::default(),
        events: item.events.clone(),
        line: item.line,
    }
}

fn attribute(attribute: &FormAttribute) -> FormAttribute {
    let list = |list: &DynamicList| DynamicList { main_table: list.main_table.clone(), ..DynamicList::default() };
    FormAttribute {
        name: attribute.name.clone(),
        title: Localized::default(),
        types: attribute.types.clone(),
        value_types: Types::default(),
        is_main: attribute.is_main,
        columns: attribute.columns.iter().map(column).collect(),
        dynamic_list: attribute.dynamic_list.as_ref().map(list),
        functional_options: Vec::new(),
        line: attribute.line,
    }
}

fn column(column: &FormColumn) -> FormColumn {
    FormColumn { title: Localized::default(), ..column.clone() }
}

fn command(command: &FormCommand) -> FormCommand {
    FormCommand { title: Localized::default(), functional_options: Vec::new(), ..command.clone() }
}

fn predefined(item: &Predefined) -> Predefined {
    let none = || Text::from("");
    Predefined {
        owner: item.owner.clone(),
        name: item.name.clone(),
        code: none(),
        description: none(),
        is_folder: item.is_folder,
        parent: None,
        types: Types::default(),
        properties: Vec::new(),
        links: Vec::new(),
        file: item.file,
        line: item.line,
    }
}
