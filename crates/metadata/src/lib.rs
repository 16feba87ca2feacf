//! A dump of a 1C:Enterprise configuration on disk -> [`Configuration`].
//!
//! One table of kinds ([`kinds`], `data/kinds.tsv`) drives one reader for every top-level kind; only what has a file
//! format of its own has code of its own. What can't be read becomes a [`Problem`]; the rest is read all the same.

#![forbid(unsafe_code)]

mod assemble;
mod binary;
mod brackets;
mod container;
mod designer;
mod detect;
mod edt;
mod floor;
mod help;
mod intern;
mod join;
pub mod kinds;
mod layers;
mod listing;
pub mod model;
pub mod names;
mod place;
mod platform_help;
mod read;
mod source;
pub mod standard;
mod support;
mod tree;
mod trial;
mod xml;

pub use container::{ContainerError, Document};
pub use detect::{Detected, ReadError, detect};
pub use floor::xml_events;
pub use help::help_text;
pub use kinds::{Kind, KindInfo, fold};
pub use layers::{External, detect_layers};
pub use listing::{Known, Listing, list, list_files};
pub use model::configuration::{
    Configuration, ConfigurationProperties, Format, Layer, LayerId, LayerKind, SourceFile, SourceFolder,
};
pub use model::form::{
    Action, DynamicList, Form, FormAttribute, FormColumn, FormCommand, FormItem, FormKind, FormParameter, Handler,
};
pub use model::module::{Module, ModuleKind};
pub use model::object::{
    Command, Details, ExchangePlanContent, Flowchart, HelpPage, InterfaceLink, Item, Link, ModuleFlags, Object,
    Predefined, Property, Reuse, RoutePoint, SchemaExpression, Template, TemplateKind, TemplatePart, TemplatePartKind,
};
pub use model::problem::{Language, Problem, ProblemKind};
pub use model::role::{ObjectRights, Restriction, RestrictionTemplate, Right, Role};
pub use model::support::{Support, SupportState, Vendor};
pub use model::types::{TypeRef, Types};
pub use model::{FileId, Localized, Text};
pub use platform_help::{
    LARGEST_HELP, PlatformHelp, PlatformHelpError, PlatformMember, PlatformMemberKind, platform_folders,
    platform_help_file, read_platform_help,
};
pub use read::{read, read_help, read_layers};
pub use source::{SourceError, module_text, shown_text, template_content};
pub use trial::{Trial, try_file};
