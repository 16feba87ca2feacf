//! What of a configuration edges are derived from. An index keeps it, so that they can be derived again without reading metadata.
//!
//! A channel sees no more than this: whoever needs more takes it in here.

use metadata::{
    Configuration, DynamicList, Form, FormAttribute, FormColumn, FormCommand, FormItem, Localized, Predefined, Text,
    Types,
};

/// The part of a configuration that a [`World`](crate::World) and its channels look at. Files, rights, help and the texts for
/// people of forms are left out.
pub fn sight(configuration: &Configuration) -> Configuration {
    Configuration {
        layers: configuration.layers.clone(),
        properties: configuration.properties.clone(),
        objects: configuration.objects.clone(),
        modules: configuration.modules.clone(),
        forms: configuration.forms.iter().map(form).collect(),
        commands: configuration.commands.clone(),
        templates: configuration.templates.clone(),
        predefined: configuration.predefined.iter().map(predefined).collect(),
        flowcharts: configuration.flowcharts.clone(),
        ..Configuration::empty()
    }
}

fn form(form: &Form) -> Form {
    Form {
        kind: form.kind,
        content: form.content,
        items: form.items.iter().map(item).collect(),
        attributes: form.attributes.iter().map(attribute).collect(),
        commands: form.commands.iter().map(command).collect(),
        events: form.events.clone(),
        ..Form::empty(form.full_name.clone(), form.owner.clone(), form.name.clone(), form.file)
    }
}

fn item(item: &FormItem) -> FormItem {
    FormItem {
        name: item.name.clone(),
        kind: item.kind.clone(),
        parent: item.parent,
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
        value_types: attribute.value_types.clone(),
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
        file: item.file,
        line: item.line,
    }
}
