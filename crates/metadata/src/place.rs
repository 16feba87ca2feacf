//! What a path of a Designer dump stands for: `Catalogs/X/Forms/F/Ext/Form.xml` is the content of `Catalog.X.Form.F`.
//!
//! The folders come from the table of kinds, so that a kind of which this module knows nothing is placed as well.

use crate::kinds::Kind;
use crate::model::module::ModuleKind;

/// The thing that a file belongs to, and which of its files it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place<'a> {
    /// The thing and what holds it, outermost first; empty for the configuration itself.
    pub owner: Vec<(Kind, &'a str)>,
    /// Which of its files.
    pub part: Part<'a>,
}

/// Which file of a thing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part<'a> {
    /// The description (`Catalogs/X.xml`, `Configuration.xml`).
    Description,
    /// A file below its `Ext` folder: the path from there (`ObjectModule.bsl`, `Form/Module.bsl`, `Help/ru.html`).
    Content(&'a str),
}

impl<'a> Place<'a> {
    /// The place of a path relative to the root, with `/`. None for what doesn't belong to a dump.
    pub fn of(path: &'a str) -> Option<Self> {
        if path == "Configuration.xml" {
            return Some(Self { owner: Vec::new(), part: Part::Description });
        }
        let mut owner = Vec::new();
        let mut rest = path;
        loop {
            let (folder, below) = rest.split_once('/')?;
            if folder == "Ext" {
                return Some(Self { owner, part: Part::Content(below) });
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
        let Part::Content(file) = self.part else { return None };
        let kind = self.kind()?;
        if file == "Form/Module.bsl" && (kind.is("Form") || kind.is("CommonForm")) {
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

fn full_name(owner: &[(Kind, &str)]) -> String {
    if owner.is_empty() {
        return "Configuration".to_owned();
    }
    let words: Vec<String> = owner.iter().map(|(kind, name)| format!("{}.{name}", kind.en())).collect();
    words.join(".")
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
}
