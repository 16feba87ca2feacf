//! The configuration as a whole.

use super::form::Form;
use super::module::Module;
use super::object::{
    Command, ExchangePlanContent, Flowchart, HelpPage, InterfaceLink, Link, Object, Predefined, Property, Template,
};
use super::problem::Problem;
use super::role::Role;
use super::{FileId, Localized, Text};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Everything that was read from one dump.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Configuration {
    /// Folder of the dump (the one that holds `Configuration.xml`).
    pub root: PathBuf,
    /// Format of the dump.
    pub format: Format,
    /// Main configuration, extension or external processor.
    pub layer: Layer,
    /// Every file below the root, sorted by path; [`FileId`] is the place in this list.
    pub files: Vec<SourceFile>,
    /// Properties of the configuration itself.
    pub properties: ConfigurationProperties,
    /// Objects of the top level, and nested subsystems, sorted by full name. The configuration itself is not among them.
    pub objects: Vec<Object>,
    /// Modules, by file.
    pub modules: Vec<Module>,
    /// Forms, by full name.
    pub forms: Vec<Form>,
    /// Rights of roles, by full name.
    pub roles: Vec<Role>,
    /// Commands of objects and common commands, by full name.
    pub commands: Vec<Command>,
    /// Templates of objects and common templates, by full name.
    pub templates: Vec<Template>,
    /// Predefined items, by owner, folders before what they hold.
    pub predefined: Vec<Predefined>,
    /// Content of exchange plans.
    pub exchange_plan_content: Vec<ExchangePlanContent>,
    /// Routes of business processes.
    pub flowcharts: Vec<Flowchart>,
    /// Pages of help.
    pub help_pages: Vec<HelpPage>,
    /// References from command interfaces and home pages.
    pub interface_links: Vec<InterfaceLink>,
    /// What could not be read.
    pub problems: Vec<Problem>,
}

impl Configuration {
    /// Path of a file relative to the root, with `/`; empty for a number that is not in the list.
    #[must_use]
    pub fn path(&self, file: FileId) -> &str {
        self.files.get(file.0 as usize).map_or("", |f| &f.path)
    }

    /// The object of that canonical full name (exact spelling; [`crate::names::parse`] makes canonical what a user typed).
    #[must_use]
    pub fn object(&self, full_name: &str) -> Option<&Object> {
        let place = self.objects.binary_search_by(|o| (*o.full_name).cmp(full_name)).ok()?;
        self.objects.get(place)
    }
}

/// A file of the dump.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceFile {
    /// Path relative to the root, with `/`.
    pub path: Text,
    /// Bytes.
    pub size: u64,
    /// Time of the last change, in nanoseconds since 1970; 0 if the system doesn't say.
    pub modified: i64,
}

/// Format of a dump.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Format {
    /// XML files of the Designer.
    Designer,
    /// A project of 1C:EDT.
    Edt,
}

/// What a dump is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Layer {
    /// Main configuration, extension or external processor.
    pub kind: LayerKind,
    /// Name that prefixes full names; empty for the main configuration.
    pub name: Text,
}

/// Kind of a layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum LayerKind {
    /// The main configuration.
    Main,
    /// An extension.
    Extension,
    /// An external data processor or report.
    External,
}

/// Properties of the configuration itself.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct ConfigurationProperties {
    /// Name.
    pub name: Text,
    /// Synonym.
    pub synonym: Localized,
    /// Comment.
    pub comment: Text,
    /// Vendor.
    pub vendor: Text,
    /// Version.
    pub version: Text,
    /// Compatibility mode (`Version8_3_27`, `DontUse`).
    pub compatibility_mode: Text,
    /// `Russian` or `English`.
    pub script_variant: Text,
    /// Full name of the default language.
    pub default_language: Text,
    /// `ManagedApplication`, `OrdinaryApplication` or `Auto`.
    pub default_run_mode: Text,
    /// `DontUse`, `UseWithWarnings` or `Use`.
    pub modality_use: Text,
    /// Full names of the default roles.
    pub default_roles: Vec<Text>,
    /// Languages: (name, code).
    pub languages: Vec<(Text, Text)>,
    /// Version of the export format (`2.20`).
    pub export_version: Text,
    /// Every simple property, these among them.
    pub all: Vec<Property>,
    /// References that its properties hold (default forms, storages, style, common picture …).
    pub links: Vec<Link>,
    /// File of the configuration itself.
    pub file: Option<FileId>,
    /// The objects as the configuration lists them: (full name, line).
    pub listed: Vec<(Text, u32)>,
}
