//! Objects of the top level and what they consist of.

use super::types::Types;
use super::{FileId, Localized, Text};
use crate::kinds::Kind;
use serde::{Deserialize, Serialize};

/// An object of the top level (`Catalog.X`), a nested subsystem (`Subsystem.A.Subsystem.B`), or the configuration itself.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Object {
    /// Kind.
    pub kind: Kind,
    /// Own name.
    pub name: Text,
    /// Canonical full name.
    pub full_name: Text,
    /// Full name of the subsystem that holds this one; None for everything else.
    pub parent: Option<Text>,
    /// Identifier as written in the dump; empty if missing.
    pub uuid: Text,
    /// Synonym.
    pub synonym: Localized,
    /// Comment.
    pub comment: Text,
    /// File that describes the object.
    pub file: FileId,
    /// Line of the object's element.
    pub line: u32,
    /// Types of a constant, session parameter, defined type, chart of characteristic types, common attribute, filter
    /// criterion; sources of an event subscription; parameter types of a common command.
    pub types: Types,
    /// Simple properties with a value, in file order.
    pub properties: Vec<Property>,
    /// What the object consists of (attributes, tabular sections and their attributes …): flat, parents before children.
    /// Forms, templates and commands stand in lists of their own.
    pub items: Vec<Item>,
    /// References to other objects that its properties hold.
    pub links: Vec<Link>,
    /// What only this kind has.
    pub details: Details,
}

impl Object {
    /// Gives back what its lists have room for and don't need.
    pub(crate) fn fit(&mut self) {
        let Self { synonym, types, properties, items, links, .. } = self;
        synonym.0.shrink_to_fit();
        types.0.shrink_to_fit();
        properties.shrink_to_fit();
        items.shrink_to_fit();
        links.shrink_to_fit();
        for item in items {
            item.synonym.0.shrink_to_fit();
            item.types.0.shrink_to_fit();
            item.properties.shrink_to_fit();
        }
    }

    /// Value of a simple property (`Hierarchical`, `CodeLength`, `WriteMode` …); None if missing or empty.
    #[must_use]
    pub fn property(&self, name: &str) -> Option<&str> {
        self.properties.iter().find(|p| &*p.name == name).map(|p| &*p.value)
    }

    /// Targets of one link property (`RegisterRecords`, `Owners`, `BasedOn`, `Content` …).
    pub fn linked<'a>(&'a self, property: &'a str) -> impl Iterator<Item = &'a Link> {
        self.links.iter().filter(move |l| l.item.is_none() && &*l.property == property)
    }

    /// The items of one kind.
    pub fn items_of(&self, kind: Kind) -> impl Iterator<Item = &Item> {
        self.items.iter().filter(move |i| i.kind == kind)
    }
}

/// A simple property: one that holds a text, a number or a word.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Property {
    /// Name as in Designer XML (`InformationRegisterPeriodicity`).
    pub name: Text,
    /// Value as written.
    pub value: Text,
    /// Line.
    pub line: u32,
}

/// A part of an object: attribute, dimension, resource, standard attribute, tabular section, enum value, addressing
/// attribute, accounting flag, column, recalculation, field, URL template, method, operation, parameter, channel …
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Item {
    /// Kind.
    pub kind: Kind,
    /// Name; for a standard attribute the English one.
    pub name: Text,
    /// Russian name of a standard attribute; None for everything else.
    pub name_ru: Option<Text>,
    /// Canonical full name (`Catalog.X.TabularSection.T.Attribute.A`).
    pub full_name: Text,
    /// The item that holds this one (a tabular section, URL template, operation, table): its place in the list.
    pub parent: Option<u32>,
    /// Identifier; empty for standard attributes.
    pub uuid: Text,
    /// Synonym.
    pub synonym: Localized,
    /// Comment.
    pub comment: Text,
    /// Types with qualifiers; empty for what has none.
    pub types: Types,
    /// True if the platform checks that it is filled.
    pub required: bool,
    /// `Index`, `IndexWithAdditionalOrder`; empty if not indexed.
    pub indexing: Text,
    /// Simple properties with a value (`Use`, `Master`, `Template`, `HTTPMethod`, `Handler`, `ProcedureName` …).
    pub properties: Vec<Property>,
    /// Line; of a standard attribute that the file doesn't describe, the line of the object.
    pub line: u32,
    /// File, where it isn't the object's own (recalculations and tables have files of their own).
    pub file: Option<FileId>,
}

impl Item {
    /// Value of a simple property; None if missing or empty.
    #[must_use]
    pub fn property(&self, name: &str) -> Option<&str> {
        self.properties.iter().find(|p| &*p.name == name).map(|p| &*p.value)
    }
}

/// A reference from a property to another object or to a part of one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Link {
    /// The item whose property it is (its place among the items of the object or form); None: the object itself.
    pub item: Option<u32>,
    /// Property (`RegisterRecords`, `Owners`, `BasedOn`, `Content`, `DefaultObjectForm`, `ChoiceParameters`,
    /// `ChoiceParameterLinks`, `ExtendedConfigurationObject` …).
    pub property: Text,
    /// Canonical full name of what is referred to.
    pub target: Text,
    /// A value that belongs to the reference: `Use` or `DontUse` of a common attribute's content, the name of a choice
    /// parameter; empty otherwise.
    pub value: Text,
    /// Line.
    pub line: u32,
}

/// What only one kind has.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Details {
    /// Nothing beyond the common fields.
    #[default]
    None,
    /// A common module's flags.
    CommonModule(ModuleFlags),
    /// A subscription; its sources, as written, are [`Object::types`].
    EventSubscription {
        /// Event (`BeforeWrite`, `OnWrite` …).
        event: Text,
        /// Canonical full name of the method (`CommonModule.X.M`); empty if none is set.
        handler: Text,
        /// Line of the handler.
        handler_line: u32,
    },
    /// A scheduled job.
    ScheduledJob {
        /// Canonical full name of the method (`CommonModule.X.M`); empty if none is set.
        method: Text,
        /// Line of the method name.
        method_line: u32,
        /// True if it runs.
        enabled: bool,
        /// True if the platform creates it by itself.
        predefined: bool,
        /// Key; often empty.
        key: Text,
        /// Schedule in short words (`every day, every 3600 s`); empty if no schedule was dumped.
        schedule: Text,
    },
    /// An HTTP service: URL templates and methods are items.
    HttpService {
        /// Root URL.
        root_url: Text,
    },
    /// A web service: operations and their parameters are items.
    WebService {
        /// Namespace.
        namespace: Text,
    },
    /// A language of the interface.
    Language {
        /// Code (`ru`).
        code: Text,
    },
}

/// Where the code of a common module compiles, and how it is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ModuleFlags {
    /// `Server`.
    pub server: bool,
    /// `ServerCall`.
    pub server_call: bool,
    /// `ClientManagedApplication`.
    pub client_managed: bool,
    /// `ClientOrdinaryApplication`.
    pub client_ordinary: bool,
    /// `ExternalConnection`.
    pub external_connection: bool,
    /// `Privileged`.
    pub privileged: bool,
    /// `Global`: its exported methods are called without the module's name.
    pub global: bool,
    /// `ReturnValuesReuse`.
    pub return_values_reuse: Reuse,
}

/// How long the platform keeps results of a module's functions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Reuse {
    /// Not at all.
    #[default]
    DontUse,
    /// During one call.
    DuringRequest,
    /// During the session.
    DuringSession,
}

impl Reuse {
    /// The word of the dump.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::DontUse => "DontUse",
            Self::DuringRequest => "DuringRequest",
            Self::DuringSession => "DuringSession",
        }
    }
}

/// A command of an object, or a common command.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Command {
    /// Canonical full name (`Catalog.X.Command.C`, `CommonCommand.C`).
    pub full_name: Text,
    /// Full name of the object; None for a common command.
    pub owner: Option<Text>,
    /// Own name.
    pub name: Text,
    /// Identifier as written in the dump; empty if missing.
    pub uuid: Text,
    /// Synonym.
    pub synonym: Localized,
    /// Group: a standard group's name (`NavigationPanelOrdinary`) or `CommandGroup.X`.
    pub group: Text,
    /// Types of the parameter; empty if it takes none.
    pub parameter_types: Types,
    /// `Single`, `Multiple`; empty if it takes none.
    pub parameter_use_mode: Text,
    /// References in its properties (group, picture); of a common command they stand at its object.
    pub links: Vec<Link>,
    /// File that describes it.
    pub file: FileId,
    /// Line.
    pub line: u32,
}

/// What a template really holds (read from the root element of its content).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum TemplateKind {
    /// A report schema.
    DataCompositionSchema,
    /// Appearance of data composition.
    AppearanceTemplate,
    /// A spreadsheet document.
    SpreadsheetDocument,
    /// A text document.
    TextDocument,
    /// HTML with pictures.
    HtmlDocument,
    /// Bytes.
    BinaryData,
    /// An active document.
    ActiveDocument,
    /// A geographical schema.
    GeographicalSchema,
    /// A graphical schema.
    GraphicalSchema,
    /// An add-in.
    AddIn,
    /// None of these, or no content was dumped.
    Unknown,
}

impl TemplateKind {
    /// The word of the dump (`DataCompositionSchema`, `SpreadsheetDocument`, `HTMLDocument` …).
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::DataCompositionSchema => "DataCompositionSchema",
            Self::AppearanceTemplate => "DataCompositionAppearanceTemplate",
            Self::SpreadsheetDocument => "SpreadsheetDocument",
            Self::TextDocument => "TextDocument",
            Self::HtmlDocument => "HTMLDocument",
            Self::BinaryData => "BinaryData",
            Self::ActiveDocument => "ActiveDocument",
            Self::GeographicalSchema => "GeographicalSchema",
            Self::GraphicalSchema => "GraphicalSchema",
            Self::AddIn => "AddIn",
            Self::Unknown => "Unknown",
        }
    }
}

/// A template of an object, or a common template.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Template {
    /// Canonical full name (`Report.X.Template.T`, `CommonTemplate.T`).
    pub full_name: Text,
    /// Full name of the object; None for a common template.
    pub owner: Option<Text>,
    /// Own name.
    pub name: Text,
    /// Identifier as written in the dump; empty if missing.
    pub uuid: Text,
    /// Synonym.
    pub synonym: Localized,
    /// What it holds.
    pub kind: TemplateKind,
    /// What its description says it holds (`TemplateType`).
    pub declared: Text,
    /// File that describes it.
    pub file: FileId,
    /// File with its content; None if it wasn't dumped.
    pub content: Option<FileId>,
    /// Expressions of a report schema that may call methods of common modules, in file order; empty for other templates.
    pub expressions: Vec<SchemaExpression>,
    /// Named areas and parameters of a spreadsheet document, in file order; empty for other templates.
    pub parts: Vec<TemplatePart>,
}

/// What code asks a spreadsheet template for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TemplatePart {
    /// Area or parameter.
    pub kind: TemplatePartKind,
    /// Name.
    pub name: Text,
    /// Line.
    pub line: u32,
}

/// What a part of a spreadsheet template is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum TemplatePartKind {
    /// A named area.
    Area,
    /// A parameter of an area.
    Parameter,
}

impl TemplatePartKind {
    /// The word in full names (`Report.X.Template.T.Area.A`).
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Area => "Area",
            Self::Parameter => "Parameter",
        }
    }
}

/// An expression of a report schema.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SchemaExpression {
    /// The expression.
    pub text: Text,
    /// Line of the element that holds it.
    pub line: u32,
}

/// A predefined item of a catalog, chart of characteristic types, accounts or calculation types.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Predefined {
    /// Full name of the object.
    pub owner: Text,
    /// Name for code.
    pub name: Text,
    /// Code.
    pub code: Text,
    /// Description.
    pub description: Text,
    /// True if it is a folder.
    pub is_folder: bool,
    /// The folder that holds it: its place in [`Configuration::predefined`](super::configuration::Configuration::predefined).
    pub parent: Option<u32>,
    /// Types of a characteristic.
    pub types: Types,
    /// Other simple properties (`AccountType`, `OffBalance`, `Order` …).
    pub properties: Vec<Property>,
    /// References in them: flags and types of analytics of an account.
    pub links: Vec<Link>,
    /// File.
    pub file: FileId,
    /// Line.
    pub line: u32,
}

/// One object of an exchange plan's content.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ExchangePlanContent {
    /// Full name of the plan.
    pub plan: Text,
    /// Full name of the object.
    pub object: Text,
    /// True if changes are registered without code.
    pub auto_record: bool,
    /// File.
    pub file: FileId,
    /// Line.
    pub line: u32,
}

/// The route of a business process.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Flowchart {
    /// Full name of the business process.
    pub owner: Text,
    /// File.
    pub file: FileId,
    /// Its points and lines.
    pub points: Vec<RoutePoint>,
    /// References in properties of points and lines: attributes of the task that addresses it, their values, nested business
    /// processes, pictures, items of the style.
    pub links: Vec<Link>,
}

/// A point of a route.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct RoutePoint {
    /// Name.
    pub name: Text,
    /// Element of the flowchart (`Activity`, `Start`, `Condition`, `Complete` …).
    pub kind: Text,
    /// Events and their handlers in the object module.
    pub events: Vec<super::form::Handler>,
    /// Line.
    pub line: u32,
}

/// A page of help.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct HelpPage {
    /// Full name of the object, form, or `Configuration`.
    pub owner: Text,
    /// Language code.
    pub language: Text,
    /// HTML file; [`crate::read_help`] gives its text.
    pub file: FileId,
}

/// A reference that stands in a file of its own beside an object: command interface, home page.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct InterfaceLink {
    /// Full name of the subsystem, or `Configuration`.
    pub owner: Text,
    /// Section of the file (`CommandsVisibility`, `CommandsPlacement`, `CommandsOrder`, `SubsystemsOrder`,
    /// `SubsystemsVisibility`, `HomePage`).
    pub section: Text,
    /// What is referred to: canonical full name, with the standard command behind it where there is one
    /// (`Catalog.X.StandardCommand.OpenList`).
    pub target: Text,
    /// File.
    pub file: FileId,
    /// Line.
    pub line: u32,
}
