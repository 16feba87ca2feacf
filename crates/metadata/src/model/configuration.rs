//! The configuration as a whole.

use super::form::Form;
use super::module::Module;
use super::object::{
    Command, ExchangePlanContent, Flowchart, HelpPage, InterfaceLink, Link, Object, Predefined, Property, Template,
};
use super::problem::Problem;
use super::role::Role;
use super::support::Support;
use super::{FileId, Localized, Text};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::fs::Metadata;
use std::path::PathBuf;
use std::time::UNIX_EPOCH;

/// Everything that was read: one dump, or a main configuration with its extensions and external processors.
///
/// Full names of what belongs to a layer other than the main configuration begin with that layer's name
/// (`Расш::CommonModule.X`); what such a layer refers to has the name of what is meant.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Configuration {
    /// The dumps: the main configuration, if there is one; extensions in the order in which they apply; external processors.
    pub layers: Vec<Layer>,
    /// Every file of every layer; [`FileId`] is the place in this list. As read: layer by layer, sorted by path; after
    /// [`with_files`](Self::with_files) in the order of that list, where a file that is gone has no path.
    pub files: Vec<SourceFile>,
    /// The folders of the first layer as they were before the files were listed; none if their times tell nothing here.
    pub folders: Vec<SourceFolder>,
    /// Properties of the configuration itself: of the first layer.
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
    /// Support by vendors of the main configuration; extensions and external processors have none.
    pub support: Support,
    /// What could not be read.
    pub problems: Vec<Problem>,
}

impl Configuration {
    /// Nothing read yet.
    #[must_use]
    pub fn empty() -> Self {
        Self {
            layers: Vec::new(),
            files: Vec::new(),
            folders: Vec::new(),
            properties: ConfigurationProperties::default(),
            objects: Vec::new(),
            modules: Vec::new(),
            forms: Vec::new(),
            roles: Vec::new(),
            commands: Vec::new(),
            templates: Vec::new(),
            predefined: Vec::new(),
            exchange_plan_content: Vec::new(),
            flowcharts: Vec::new(),
            help_pages: Vec::new(),
            interface_links: Vec::new(),
            support: Support::default(),
            problems: Vec::new(),
        }
    }

    /// The object of the main configuration that an object of an extension, by its full name, is. None if it is no extension's,
    /// or the base is not there.
    #[must_use]
    pub fn base_of(&self, full_name: &str) -> Option<&Object> {
        self.object(full_name.split_once("::")?.1)
    }

    /// The layer of a file, and so of what it describes.
    #[must_use]
    pub fn layer_of(&self, file: FileId) -> LayerId {
        self.files.get(file.0 as usize).map_or(LayerId(0), |file| file.layer)
    }

    /// A layer.
    #[must_use]
    pub fn layer(&self, id: LayerId) -> Option<&Layer> {
        self.layers.get(usize::from(id.0))
    }

    /// Whether a main configuration is among the layers: if not, what extensions extend is absent.
    #[must_use]
    pub fn has_main(&self) -> bool {
        self.layers.iter().any(|layer| layer.kind == LayerKind::Main)
    }

    /// Where a file is on this machine.
    #[must_use]
    pub fn full_path(&self, file: FileId) -> PathBuf {
        let id = self.layer_of(file);
        self.layer(id).map_or_else(PathBuf::new, |layer| layer.full_path(id, self.path(file)))
    }

    /// Path of a file as it is shown (see [`SourceFile::path`]); empty for a number that is not in the list.
    #[must_use]
    pub fn path(&self, file: FileId) -> &str {
        self.files.get(file.0 as usize).map_or("", |f| &f.path)
    }

    /// The same with its files numbered as in another list of them: a file keeps the number that it has there. None if one of
    /// its files is not in that list.
    #[must_use]
    pub fn with_files(mut self, files: Vec<SourceFile>) -> Option<Self> {
        let numbers: FxHashMap<&str, u32> = (0..).zip(&files).map(|(number, file)| (&*file.path, number)).collect();
        let new = self.files.iter().map(|file| numbers.get(&*file.path).copied()).collect::<Option<Vec<u32>>>()?;
        let number = |file: &mut FileId| file.0 = new.get(file.0 as usize).copied().unwrap_or(u32::MAX);
        self.each_file(number);
        self.files = files;
        Some(self)
    }

    /// Visits every number of a file.
    pub(crate) fn each_file(&mut self, mut visit: impl FnMut(&mut FileId)) {
        for object in &mut self.objects {
            visit(&mut object.file);
            object.items.iter_mut().filter_map(|item| item.file.as_mut()).for_each(&mut visit);
        }
        for form in &mut self.forms {
            visit(&mut form.file);
            form.content.iter_mut().for_each(&mut visit);
            form.beside.iter_mut().for_each(|(file, _)| visit(file));
        }
        for template in &mut self.templates {
            visit(&mut template.file);
            template.content.iter_mut().for_each(&mut visit);
        }
        self.modules.iter_mut().for_each(|module| visit(&mut module.file));
        self.roles.iter_mut().for_each(|role| visit(&mut role.file));
        self.commands.iter_mut().for_each(|command| visit(&mut command.file));
        self.predefined.iter_mut().for_each(|item| visit(&mut item.file));
        self.exchange_plan_content.iter_mut().for_each(|content| visit(&mut content.file));
        self.flowcharts.iter_mut().for_each(|flowchart| visit(&mut flowchart.file));
        self.help_pages.iter_mut().for_each(|page| visit(&mut page.file));
        self.interface_links.iter_mut().for_each(|link| visit(&mut link.file));
        self.support.file.iter_mut().for_each(&mut visit);
        let layers = self.layers.iter_mut().map(|layer| &mut layer.properties);
        layers.chain([&mut self.properties]).filter_map(|properties| properties.file.as_mut()).for_each(visit);
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
    /// Path relative to the root of its dump, with `/`; behind the first layer the layer's name stands before it
    /// (`Расш::CommonModules/X.xml`).
    pub path: Text,
    /// Bytes.
    pub size: u64,
    /// Time of the last change, in nanoseconds since 1970; 0 if the system doesn't say.
    pub modified: i64,
    /// Its layer.
    pub layer: LayerId,
}

impl SourceFile {
    /// What the system says of a file.
    #[must_use]
    pub fn new(path: Text, meta: &Metadata) -> Self {
        let modified = meta.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        let modified = modified.map_or(0, |since| i64::try_from(since.as_nanos()).unwrap_or(i64::MAX));
        Self { path, size: meta.len(), modified, layer: LayerId(0) }
    }
}

/// A folder of the first dump. Its entries are the same for as long as its time is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceFolder {
    /// Path relative to the root of the dump, with `/`; empty for the root.
    pub path: Text,
    /// Time of its last change, in nanoseconds since 1970; 0 if it tells nothing.
    pub changed: i64,
}

/// Format of a dump.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Format {
    /// XML files of the Designer.
    Designer,
    /// A project of 1C:EDT.
    Edt,
}

/// A layer: its place in [`Configuration::layers`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct LayerId(pub u16);

/// One dump of a configuration.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Layer {
    /// Main configuration, extension or external processor.
    pub kind: LayerKind,
    /// Name that prefixes full names; empty for the main configuration.
    pub name: Text,
    /// Folder of the dump (the one that holds `Configuration.xml`, the `src` of a project, or the description of a processor).
    pub root: PathBuf,
    /// Format of the dump.
    pub format: Format,
    /// What an extension is for, as the dump says it: `Patch`, `Customization` or `AddOn`; empty for other layers.
    pub purpose: Text,
    /// Properties of a layer behind the first one; the first one's are those of the configuration.
    pub properties: ConfigurationProperties,
}

impl Layer {
    /// Where a file of this layer is on this machine, by its path as it is [shown](SourceFile::path).
    #[must_use]
    pub fn full_path(&self, id: LayerId, shown: &str) -> PathBuf {
        let path = if id == LayerId(0) { shown } else { shown.split_once("::").map_or(shown, |(_, path)| path) };
        self.root.join(path)
    }

    /// The path that is shown of a file, by its path relative to the root.
    #[must_use]
    pub fn shown_path(name: &str, id: LayerId, path: &str) -> String {
        if id == LayerId(0) { path.to_owned() } else { format!("{name}::{path}") }
    }
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
    /// Identifier as written in the dump; empty if missing.
    pub uuid: Text,
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
