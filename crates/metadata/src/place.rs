//! What a path stands for: `Catalogs/X/Forms/F/Ext/Form.xml` of a Designer dump, and `src/Catalogs/X/Forms/F/Form.form` of a
//! project of EDT, are the content of `Catalog.X.Form.F`. Files of EDT go by the names that the Designer has for them.
//!
//! ```text
//! hierarchical   Catalogs/X.xml, Catalogs/X/Ext/ObjectModule.bsl, Catalogs/X/Forms/F/Ext/Form/Module.bsl
//! flat           Catalog.X.xml, Catalog.X.ObjectModule.txt, Catalog.X.Form.F.Form.Module.txt, Catalog.X.Form.F.Form
//! split          Catalog/X/X.xml, Catalog/X/ObjectModule.txt, Catalog/X/Form/F/Module.txt
//! ```
//!
//! The platform writes the first by default and the second on demand (old versions knew no other); the third is what scripts
//! made of the second, to have folders. The folders and words come from the table of kinds, so that a kind of which this module
//! knows nothing is placed as well; what is spelled otherwise in the other layouts stands in [`Place::canonical`].

use crate::kinds::Kind;
use crate::model::module::ModuleKind;
use std::borrow::Cow;

/// The thing that a file belongs to, and which of its files it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place<'a> {
    /// The thing and what holds it, outermost first; empty for the configuration itself.
    pub owner: Vec<(Kind, &'a str)>,
    /// Which of its files.
    pub part: Part<'a>,
}

/// Which file of a thing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part<'a> {
    /// The description (`Catalogs/X.xml`, `Configuration.xml`; `Catalogs/X/X.mdo`).
    Description,
    /// A file below its `Ext` folder: the path from there (`ObjectModule.bsl`, `Form/Module.bsl`, `Help/ru.html`), whatever
    /// the layout.
    Content(Cow<'a, str>),
}

/// How the paths of a dump are spelled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// Folders of kinds in the plural, and `Ext`.
    Hierarchical,
    /// Names with dots, or folders in the singular.
    Other,
}

impl Layout {
    /// The layout of a dump. One that holds files of both is hierarchical: the others are left over.
    pub fn of<'a>(mut paths: impl Iterator<Item = &'a str>) -> Self {
        let is_object = |path| Place::hierarchical(path).is_some_and(|place| !place.owner.is_empty());
        if paths.any(is_object) { Self::Hierarchical } else { Self::Other }
    }
}

/// Files that EDT names otherwise: in EDT, in a Designer dump.
const FILES_OF_EDT: [(&str, &str); 9] = [
    ("Form.form", "Form.xml"),
    ("Form.oform", "Form.bin"),
    ("Rights.rights", "Rights.xml"),
    ("Schedule.schedule", "Schedule.xml"),
    ("Flowchart.scheme", "Flowchart.xml"),
    ("CommandInterface.cmi", "CommandInterface.xml"),
    ("MainSectionCommandInterface.cmi", "MainSectionCommandInterface.xml"),
    ("HomePageWorkArea.hpwa", "HomePageWorkArea.xml"),
    ("Package.xdto", "Package.bin"),
];

impl<'a> Place<'a> {
    /// The place of a path relative to the root, with `/`, in any layout. None for what doesn't belong to a dump.
    pub fn of(path: &'a str) -> Option<Self> {
        Self::hierarchical(path).or_else(|| Self::spelled(path))
    }

    /// The place of a path in a dump of that layout.
    pub fn within(layout: Layout, path: &'a str) -> Option<Self> {
        if layout == Layout::Hierarchical { Self::hierarchical(path) } else { Self::of(path) }
    }

    fn hierarchical(path: &'a str) -> Option<Self> {
        if path == "Configuration.xml" {
            return Some(Self { owner: Vec::new(), part: Part::Description });
        }
        let mut owner = Vec::new();
        let mut rest = path;
        loop {
            let (folder, below) = rest.split_once('/')?;
            if folder == "Ext" {
                return Some(Self { owner, part: Part::Content(below.into()) });
            }
            let kind = match owner.last() {
                None => Kind::from_folder(folder)?,
                Some((parent, _)) => child_folder(*parent, folder)?,
            };
            match below.split_once('/') {
                None => {
                    owner.push((kind, below.strip_suffix(".xml")?));
                    return Some(Self { owner, part: Part::Description });
                }
                Some((name, below)) => {
                    owner.push((kind, name));
                    rest = below;
                }
            }
        }
    }

    /// The place of a path relative to the root of a project of EDT, with `/`. None for what doesn't belong to its sources.
    pub fn of_edt(path: &'a str) -> Option<Self> {
        let path = path.strip_prefix("src/")?;
        let (folder, mut rest) = path.split_once('/')?;
        let mut owner = Vec::new();
        let mut own_name = folder;
        if folder != "Configuration" {
            let mut kind = Kind::from_folder(folder)?;
            loop {
                let (name, below) = rest.split_once('/')?;
                owner.push((kind, name));
                (own_name, rest) = (name, below);
                let child = rest.split_once('/').and_then(|(folder, below)| Some((child_folder(kind, folder)?, below)));
                let Some((child, below)) = child.filter(|(_, below)| below.contains('/')) else { break };
                (kind, rest) = (child, below);
            }
        }
        if rest.strip_suffix(".mdo") == Some(own_name) {
            return Some(Self { owner, part: Part::Description });
        }
        let is_form = owner.last().is_some_and(|(kind, _)| kind.is("Form") || kind.is("CommonForm"));
        let renamed = FILES_OF_EDT.iter().find(|(edt, _)| *edt == rest).map(|(_, designer)| *designer);
        let file = if is_form && rest == "Module.bsl" { "Form/Module.bsl" } else { renamed.unwrap_or(rest) };
        Some(Self { owner, part: Part::Content(file.into()) })
    }

    /// The place of a path of words in the singular, parted by dots or slashes. No name of metadata holds a dot.
    fn spelled(path: &'a str) -> Option<Self> {
        let (stem, extension) = match path.rsplit_once('.') {
            Some((stem, extension)) if is_extension(extension) => (stem, extension),
            _ => (path, ""),
        };
        let words: Vec<&str> = stem.split(['/', '.']).collect();
        let mut rest = words.as_slice();
        let mut owner: Vec<(Kind, &str)> = Vec::new();
        if let ["Configuration", below @ ..] = rest {
            rest = below;
        } else {
            while let [kind, name, below @ ..] = rest {
                let parent = owner.last().map(|(kind, _)| *kind);
                let Some(kind) = Kind::named(kind).filter(|kind| parent.map_or(kind.is_top(), |p| holds(p, *kind)))
                else {
                    break;
                };
                owner.push((kind, name));
                rest = below;
            }
            owner.last()?;
        }
        let own_name = owner.last().map_or("Configuration", |(_, name)| name);
        let part = match rest {
            [] => (extension == "xml").then_some(Part::Description)?,
            // A folder of its own holds the description, which bears its name.
            [name] if *name == own_name && extension == "xml" && path.contains('/') => Part::Description,
            rest => Part::Content(Self::canonical(owner.last().map(|(kind, _)| *kind), rest, extension)?.into()),
        };
        Some(Self { owner, part })
    }

    /// The path below `Ext` that the hierarchical layout has for what other layouts spell with those words.
    fn canonical(kind: Option<Kind>, words: &[&str], extension: &str) -> Option<String> {
        let is_form = kind.is_some_and(is_form);
        let (mut path, last) = (words.join("/"), words.last()?);
        if is_form && path == "Module" {
            path = "Form/Module".to_owned();
        }
        let is_module = path == "Form/Module" || ModuleKind::ALL.iter().any(|module| module.as_str() == *last);
        let extension = match extension {
            "txt" if is_module => "bsl",
            // Containers have no extension in the flat layout.
            "" if is_module || (is_form && path == "Form") => "bin",
            "" => return None,
            other => other,
        };
        Some(format!("{path}.{extension}"))
    }

    /// Canonical full name of the thing; `Configuration` for the configuration itself.
    pub fn full_name(&self) -> String {
        full_name(&self.owner)
    }

    /// Canonical full name of what holds the thing; None at the top.
    pub fn parent(&self) -> Option<String> {
        let (_, holders) = self.owner.split_last()?;
        (!holders.is_empty()).then(|| full_name(holders))
    }

    /// Kind of the thing.
    pub fn kind(&self) -> Option<Kind> {
        self.owner.last().map_or_else(|| Kind::named("Configuration"), |(kind, _)| Some(*kind))
    }

    /// The kind of module that the file is, with its source (`.bsl`) or without it (`.bin`); None if it is no module.
    pub fn module(&self) -> Option<ModuleKind> {
        let Part::Content(file) = &self.part else { return None };
        if is_form(self.kind()?) && matches!(&**file, "Form/Module.bsl" | "Form/Module.bin") {
            return Some(ModuleKind::FormModule);
        }
        let stem = file.strip_suffix(".bsl").or_else(|| file.strip_suffix(".bin"))?;
        ModuleKind::ALL.into_iter().find(|m| m.as_str() == stem && *m != ModuleKind::FormModule)
    }

    /// Canonical full name of the module that the file is.
    pub fn module_name(&self) -> Option<String> {
        let kind = self.module()?;
        Some(module_name(&self.full_name(), kind))
    }
}

/// Canonical full name of a module: its owner's for a common module, common form or form; else owner plus kind.
pub fn module_name(owner: &str, kind: ModuleKind) -> String {
    let own = kind == ModuleKind::FormModule || (kind == ModuleKind::Module && owner.starts_with("CommonModule."));
    if own { owner.to_owned() } else { format!("{owner}.{}", kind.as_str()) }
}

/// Path of a module's file below the root of a Designer dump; None if the owner's name is no full name.
pub fn path_of_module(owner: &str, kind: ModuleKind) -> Option<String> {
    let mut path = String::new();
    if owner != "Configuration" {
        let mut words = owner.split('.');
        while let Some(word) = words.next() {
            let (kind, name) = (Kind::named(word)?, words.next()?);
            path.push_str(kind.info().folder);
            path.push('/');
            path.push_str(name);
            path.push('/');
        }
    }
    let file = if kind == ModuleKind::FormModule { "Form/Module" } else { kind.as_str() };
    Some(format!("{path}Ext/{file}.bsl"))
}

/// Path of a module's file below the root of a project of EDT; None if the owner's name is no full name.
pub fn edt_path_of_module(owner: &str, kind: ModuleKind) -> Option<String> {
    let mut path = "src/".to_owned();
    if owner == "Configuration" {
        path.push_str("Configuration/");
    } else {
        let mut words = owner.split('.');
        while let Some(word) = words.next() {
            let (kind, name) = (Kind::named(word)?, words.next()?);
            path.push_str(&format!("{}/{name}/", kind.info().folder));
        }
    }
    let file = if kind == ModuleKind::FormModule { "Module" } else { kind.as_str() };
    Some(format!("{path}{file}.bsl"))
}

fn full_name(owner: &[(Kind, &str)]) -> String {
    if owner.is_empty() {
        return "Configuration".to_owned();
    }
    let words: Vec<String> = owner.iter().map(|(kind, name)| format!("{}.{name}", kind.en())).collect();
    words.join(".")
}

fn is_form(kind: Kind) -> bool {
    kind.is("Form") || kind.is("CommonForm")
}

/// True for what ends a file's name; words of the flat layout begin with a capital letter.
fn is_extension(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
}

fn holds(parent: Kind, child: Kind) -> bool {
    parent.info().children.iter().any(|name| child.is(name))
}

/// The kind of a child folder (`Forms` in a catalog, `Subsystems` in a subsystem).
fn child_folder(parent: Kind, folder: &str) -> Option<Kind> {
    let kinds = parent.info().children.iter().filter_map(|name| Kind::named(name));
    kinds.into_iter().find(|kind| kind.info().folder == folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn placed(path: &str) -> (String, Option<String>, bool) {
        let place = Place::of(path).unwrap_or_else(|| panic!("{path} has no place"));
        (place.full_name(), place.module_name(), place.part == Part::Description)
    }

    #[test]
    fn descriptions_and_contents() {
        assert_eq!(placed("Configuration.xml"), ("Configuration".into(), None, true));
        assert_eq!(placed("Catalogs/Валюты.xml"), ("Catalog.Валюты".into(), None, true));
        assert_eq!(placed("Catalogs/A/Forms/F.xml"), ("Catalog.A.Form.F".into(), None, true));
        assert_eq!(placed("Catalogs/A/Forms/F/Ext/Form.xml"), ("Catalog.A.Form.F".into(), None, false));
        assert_eq!(placed("Subsystems/A/Subsystems/B.xml"), ("Subsystem.A.Subsystem.B".into(), None, true));
        assert_eq!(Place::of("README.md"), None);
        assert_eq!(Place::of("Catalogs/A/Nothing/F.xml"), None);
    }

    #[test]
    fn paths_of_edt() {
        for (path, name, module, part) in [
            ("src/Configuration/Configuration.mdo", "Configuration", None, None),
            (
                "src/Configuration/SessionModule.bsl",
                "Configuration",
                Some("Configuration.SessionModule"),
                Some("SessionModule.bsl"),
            ),
            ("src/Catalogs/А/А.mdo", "Catalog.А", None, None),
            ("src/Catalogs/А/ObjectModule.bsl", "Catalog.А", Some("Catalog.А.ObjectModule"), Some("ObjectModule.bsl")),
            ("src/Catalogs/А/Forms/Ф/Form.form", "Catalog.А.Form.Ф", None, Some("Form.xml")),
            (
                "src/Catalogs/А/Forms/Ф/Module.bsl",
                "Catalog.А.Form.Ф",
                Some("Catalog.А.Form.Ф"),
                Some("Form/Module.bsl"),
            ),
            (
                "src/Catalogs/А/Commands/К/CommandModule.bsl",
                "Catalog.А.Command.К",
                Some("Catalog.А.Command.К.CommandModule"),
                Some("CommandModule.bsl"),
            ),
            ("src/Catalogs/А/Help/ru.html", "Catalog.А", None, Some("Help/ru.html")),
            ("src/CommonModules/М/Module.bsl", "CommonModule.М", Some("CommonModule.М"), Some("Module.bsl")),
            ("src/CommonForms/Ф/Module.bsl", "CommonForm.Ф", Some("CommonForm.Ф"), Some("Form/Module.bsl")),
            ("src/Subsystems/А/Subsystems/Б/Б.mdo", "Subsystem.А.Subsystem.Б", None, None),
            ("src/ExternalDataSources/И/Tables/Т/Т.mdo", "ExternalDataSource.И.Table.Т", None, None),
            ("src/Reports/О/Templates/М/Template.dcs", "Report.О.Template.М", None, Some("Template.dcs")),
        ] {
            let place = Place::of_edt(path).unwrap_or_else(|| panic!("{path} has no place"));
            assert_eq!((place.full_name().as_str(), place.module_name().as_deref()), (name, module), "{path}");
            assert_eq!(place.part, part.map_or(Part::Description, |path: &str| Part::Content(path.into())), "{path}");
            if let Some(kind) = place.module() {
                assert_eq!(edt_path_of_module(&place.full_name(), kind).as_deref(), Some(path));
            }
        }
        for path in ["README.md", "DT-INF/PROJECT.PMF", "src/Catalogs/А.mdo", "src/Other/А/А.mdo"] {
            assert_eq!(Place::of_edt(path), None, "{path}");
        }
    }

    #[test]
    fn modules_both_ways() {
        for (path, name) in [
            ("CommonModules/M/Ext/Module.bsl", "CommonModule.M"),
            ("Catalogs/A/Ext/ObjectModule.bsl", "Catalog.A.ObjectModule"),
            ("Catalogs/A/Forms/F/Ext/Form/Module.bsl", "Catalog.A.Form.F"),
            ("CommonForms/F/Ext/Form/Module.bsl", "CommonForm.F"),
            ("Catalogs/A/Commands/C/Ext/CommandModule.bsl", "Catalog.A.Command.C.CommandModule"),
            ("HTTPServices/S/Ext/Module.bsl", "HTTPService.S.Module"),
            ("Ext/SessionModule.bsl", "Configuration.SessionModule"),
            ("Constants/C/Ext/ValueManagerModule.bsl", "Constant.C.ValueManagerModule"),
            (
                "CalculationRegisters/R/Recalculations/P/Ext/RecordSetModule.bsl",
                "CalculationRegister.R.Recalculation.P.RecordSetModule",
            ),
        ] {
            let place = Place::of(path).unwrap_or_else(|| panic!("{path} has no place"));
            assert_eq!(place.module_name().as_deref(), Some(name));
            let back = place.module().and_then(|kind| path_of_module(&place.full_name(), kind));
            assert_eq!(back.as_deref(), Some(path));
        }
        assert_eq!(Place::of("Catalogs/A/Ext/Other.bsl").and_then(|p| p.module()), None);
    }

    #[test]
    fn every_layout_means_the_same() {
        for (flat, split, path) in [
            ("Catalog.А.xml", "Catalog/А/А.xml", "Catalogs/А.xml"),
            ("Catalog.А.ObjectModule.txt", "Catalog/А/ObjectModule.txt", "Catalogs/А/Ext/ObjectModule.bsl"),
            ("Catalog.А.ObjectModule.bsl", "Catalog/А/ObjectModule.bsl", "Catalogs/А/Ext/ObjectModule.bsl"),
            ("Catalog.А.Predefined.xml", "Catalog/А/Predefined.xml", "Catalogs/А/Ext/Predefined.xml"),
            ("Catalog.А.Help/ru.html", "Catalog/А/Help/ru.html", "Catalogs/А/Ext/Help/ru.html"),
            ("Catalog.А.Form.Ф.xml", "Catalog/А/Form/Ф/Ф.xml", "Catalogs/А/Forms/Ф.xml"),
            ("Catalog.А.Form.Ф.Form.xml", "Catalog/А/Form/Ф/Form.xml", "Catalogs/А/Forms/Ф/Ext/Form.xml"),
            (
                "Catalog.А.Form.Ф.Form.Module.txt",
                "Catalog/А/Form/Ф/Module.txt",
                "Catalogs/А/Forms/Ф/Ext/Form/Module.bsl",
            ),
            (
                "Catalog.А.Form.Ф.Form.Module.txt",
                "Catalog/А/Form/Ф/Form/Module.txt",
                "Catalogs/А/Forms/Ф/Ext/Form/Module.bsl",
            ),
            ("Catalog.А.Form.Ф.Form", "Catalog/А/Form/Ф/Form.bin", "Catalogs/А/Forms/Ф/Ext/Form.bin"),
            ("CommonForm.Ф.Form.Module.txt", "CommonForm/Ф/Module.txt", "CommonForms/Ф/Ext/Form/Module.bsl"),
            ("CommonModule.М.Module.bsl", "CommonModule/М/Module.txt", "CommonModules/М/Ext/Module.bsl"),
            ("CommonModule.М.Module", "CommonModule/М/Module.bin", "CommonModules/М/Ext/Module.bin"),
            (
                "Report.О.Template.М.Template.xml",
                "Report/О/Template/М/Template.xml",
                "Reports/О/Templates/М/Ext/Template.xml",
            ),
            (
                "Report.О.Template.М.Template.bin",
                "Report/О/Template/М/Template.bin",
                "Reports/О/Templates/М/Ext/Template.bin",
            ),
            (
                "Catalog.А.Command.К.CommandModule.txt",
                "Catalog/А/Command/К/CommandModule.txt",
                "Catalogs/А/Commands/К/Ext/CommandModule.bsl",
            ),
            ("Subsystem.А.Subsystem.Б.xml", "Subsystem/А/Subsystem/Б/Б.xml", "Subsystems/А/Subsystems/Б.xml"),
            ("Role.Р.Rights.xml", "Role/Р/Rights.xml", "Roles/Р/Ext/Rights.xml"),
            ("Configuration.SessionModule.txt", "Configuration/SessionModule.txt", "Ext/SessionModule.bsl"),
            (
                "Configuration.ParentConfigurations.bin",
                "Configuration/ParentConfigurations.bin",
                "Ext/ParentConfigurations.bin",
            ),
            ("Configuration.xml", "Configuration/Configuration.xml", "Configuration.xml"),
        ] {
            let expected = Place::of(path).unwrap_or_else(|| panic!("{path} has no place"));
            for other in [flat, split] {
                assert_eq!(Place::of(other).as_ref(), Some(&expected), "{other}");
            }
        }
    }

    #[test]
    fn what_only_looks_like_a_layout() {
        for path in [
            "README.md",
            "Catalog",
            "Catalog.xml",
            "docs/Catalog.А.xml",
            "Nothing.А.Module.txt",
            "Catalog.А",
            "Form.Ф.xml",
        ] {
            assert_eq!(Place::of(path), None, "{path}");
        }
        let both = ["Catalog.Старый.xml", "Catalogs/Новый.xml"];
        assert_eq!(Layout::of(both.into_iter()), Layout::Hierarchical);
        assert_eq!(Place::within(Layout::Hierarchical, both[0]), None);
        assert_eq!(Layout::of(["Configuration.xml", both[0]].into_iter()), Layout::Other);
    }
}
