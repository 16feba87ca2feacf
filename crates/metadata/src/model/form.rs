//! Forms.

use super::object::{Link, Property};
use super::types::Types;
use super::{FileId, Localized, Text};
use serde::{Deserialize, Serialize};

/// Technology of a form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum FormKind {
    /// Managed form.
    Managed,
    /// Ordinary form: its content is in a binary container.
    Ordinary,
}

impl FormKind {
    /// `managed` or `ordinary`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Managed => "managed",
            Self::Ordinary => "ordinary",
        }
    }
}

/// A form of an object, or a common form.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Form {
    /// Canonical full name (`Catalog.X.Form.F`, `CommonForm.F`).
    pub full_name: Text,
    /// Full name of the object; None for a common form.
    pub owner: Option<Text>,
    /// Own name.
    pub name: Text,
    /// Identifier as written in the dump; empty if missing.
    pub uuid: Text,
    /// Technology.
    pub kind: FormKind,
    /// Synonym.
    pub synonym: Localized,
    /// Comment.
    pub comment: Text,
    /// File that describes it (`Forms/F.xml`).
    pub file: FileId,
    /// File with its content (`Ext/Form.xml`); None if there is none.
    pub content: Option<FileId>,
    /// Title.
    pub title: Localized,
    /// Simple properties of the form itself.
    pub properties: Vec<Property>,
    /// Items: flat, parents before children; command bars, context menus and extended tooltips are items too.
    pub items: Vec<FormItem>,
    /// Attributes.
    pub attributes: Vec<FormAttribute>,
    /// Commands.
    pub commands: Vec<FormCommand>,
    /// Parameters.
    pub parameters: Vec<FormParameter>,
    /// Events of the form itself.
    pub events: Vec<Handler>,
    /// References in properties of the form, its items, attributes and commands (choice forms and parameters, pictures, items
    /// of the style, command interface), those that have fields of their own with the line of their name (`CommandName`,
    /// `MainTable`, `FunctionalOptions`), and data paths (`DataPath`, which is [`FormItem::data_path`] with its line,
    /// `RowPictureDataPath`, `UseAlways`, `Save`, `ConditionalAppearance`, `ListSettings`): there the target is the path.
    /// `item` is the place in `items`; None: the form itself.
    pub links: Vec<Link>,
    /// Likewise those of files beside the content.
    pub beside: Vec<(FileId, Vec<Link>)>,
}

impl Form {
    /// Gives back what its lists have room for and don't need.
    pub(crate) fn fit(&mut self) {
        let Self { title, properties, items, attributes, commands, parameters, events, links, beside, .. } = self;
        title.0.shrink_to_fit();
        properties.shrink_to_fit();
        items.shrink_to_fit();
        attributes.shrink_to_fit();
        commands.shrink_to_fit();
        parameters.shrink_to_fit();
        events.shrink_to_fit();
        links.shrink_to_fit();
        beside.shrink_to_fit();
        for item in items {
            item.title.0.shrink_to_fit();
            item.events.shrink_to_fit();
        }
        for attribute in attributes {
            attribute.title.0.shrink_to_fit();
            attribute.types.0.shrink_to_fit();
        }
    }

    /// A form without content.
    #[must_use]
    pub fn empty(full_name: Text, owner: Option<Text>, name: Text, file: FileId) -> Self {
        Self {
            full_name,
            owner,
            name,
            uuid: Text::from(""),
            kind: FormKind::Managed,
            synonym: Localized::default(),
            comment: Text::from(""),
            file,
            content: None,
            title: Localized::default(),
            properties: Vec::new(),
            items: Vec::new(),
            attributes: Vec::new(),
            commands: Vec::new(),
            parameters: Vec::new(),
            events: Vec::new(),
            links: Vec::new(),
            beside: Vec::new(),
        }
    }

    /// The main attribute.
    #[must_use]
    pub fn main_attribute(&self) -> Option<&FormAttribute> {
        self.attributes.iter().find(|a| a.is_main)
    }
}

/// An item of a form.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FormItem {
    /// Name.
    pub name: Text,
    /// Element as in the file (`InputField`, `Table`, `UsualGroup`, `Button`, `AutoCommandBar`, `ContextMenu` …).
    pub kind: Text,
    /// The item that holds this one: its place in the list; None: the form itself.
    pub parent: Option<u32>,
    /// Data path (`Объект.Код`, `Список.Дата`); empty if none.
    pub data_path: Text,
    /// Command of a button (`Form.Command.X`, `Form.StandardCommand.Write`, `CommonCommand.X` …); empty if none.
    pub command: Text,
    /// Title.
    pub title: Localized,
    /// Events.
    pub events: Vec<Handler>,
    /// Line.
    pub line: u32,
}

/// An event and the procedure that handles it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Handler {
    /// Event as in the file (`OnCreateAtServer`, `OnChange`).
    pub event: Text,
    /// Name of the procedure.
    pub handler: Text,
    /// How an extension's handler is called (`Before`, `After`, `Override`); empty in a base configuration.
    pub call_type: Text,
    /// Line.
    pub line: u32,
}

/// An attribute of a form.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FormAttribute {
    /// Name.
    pub name: Text,
    /// Title.
    pub title: Localized,
    /// Types.
    pub types: Types,
    /// Types of the values of a value list.
    pub value_types: Types,
    /// True for the main attribute.
    pub is_main: bool,
    /// Columns of a table, tree, or of a tabular section (`table` names it).
    pub columns: Vec<FormColumn>,
    /// Settings of a dynamic list; None for everything else.
    pub dynamic_list: Option<DynamicList>,
    /// Functional options that it depends on (full names).
    pub functional_options: Vec<Text>,
    /// Line.
    pub line: u32,
}

/// A column of a form attribute.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FormColumn {
    /// Name.
    pub name: Text,
    /// Path of the table that the column is added to (`Объект.Товары`); empty for the attribute's own columns.
    pub table: Text,
    /// Title.
    pub title: Localized,
    /// Types.
    pub types: Types,
    /// Line.
    pub line: u32,
}

/// Where a dynamic list takes its rows from.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DynamicList {
    /// Full name of the main table (`Catalog.X`, `InformationRegister.X`); empty if none is set.
    pub main_table: Text,
    /// Text of the query; empty if the list reads the whole main table.
    pub query: Text,
    /// True if the query is written by hand.
    pub manual_query: bool,
    /// First line of the query in the file.
    pub query_line: u32,
    /// Types of the fields and parameters of the query, as far as they are described.
    pub types: Types,
}

/// A command of a form.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FormCommand {
    /// Name.
    pub name: Text,
    /// Title.
    pub title: Localized,
    /// Every action: a form of an extension may have several.
    pub actions: Vec<Action>,
    /// Functional options that it depends on (full names).
    pub functional_options: Vec<Text>,
    /// Line.
    pub line: u32,
}

/// The procedure that a form command calls.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Action {
    /// Name of the procedure.
    pub handler: Text,
    /// How an extension's procedure is called; empty in a base configuration.
    pub call_type: Text,
    /// Line.
    pub line: u32,
}

/// A parameter of a form.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FormParameter {
    /// Name.
    pub name: Text,
    /// Types.
    pub types: Types,
    /// True if it belongs to the key by which an open form is found again.
    pub is_key: bool,
    /// Line.
    pub line: u32,
}
