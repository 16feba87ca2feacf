//! What a project may tell the resolver: functions that find things by name, methods that run others, where names of methods
//! are kept, and what a framework calls by convention. The built-in lists are data; a project's rows stand behind them.

use serde::{Deserialize, Serialize};

use crate::names::folded;
use crate::refs::{NamesAttributes, NamesObjects};
use crate::types::lines;

/// Settings of a project that edges depend on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Functions that give back something by its name. The built-in list (`data/dispatchers.tsv`) unless replaced.
    pub dispatchers: Vec<Dispatcher>,
    /// Methods that run another one by its name (`data/runners.tsv`).
    pub runners: Vec<Runner>,
    /// Where names of methods are kept (`data/registrations.tsv`).
    pub registrations: Vec<Registration>,
    /// What is called by convention (`data/conventions.tsv`).
    pub conventions: Vec<Convention>,
    /// Functions that take names of attributes as text (`data/attribute_names.tsv`).
    pub names_attributes: Vec<NamesAttributes>,
    /// Functions that take names of objects as text (`data/object_names.tsv`).
    pub names_objects: Vec<NamesObjects>,
}

/// A function that gives back something by its name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dispatcher {
    /// `Module.Function` of a common module, or `Function` for one of that name in any common module.
    pub function: String,
    /// Which argument holds the name, from 1.
    pub argument: u16,
    /// What it gives.
    pub gives: Gives,
}

/// What a name given to a dispatcher means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Gives {
    /// A common module by its name.
    Module,
    /// A manager by its full name: `Справочник.Валюты`, `Справочники.Валюты`.
    Manager,
    /// Whichever of the two the name means.
    Any,
}

/// A method that runs another method whose name is an argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Runner {
    /// `Module.Method` of a common module or of an object of the platform; a method of another module by its canonical full
    /// name or by its Russian one (`ОбщаяФорма.Ф.М`).
    pub function: String,
    /// Which argument holds the name, from 1.
    pub argument: u16,
    /// What the name means.
    pub runs: Runs,
}

/// What a name given to a runner means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Runs {
    /// A method with its module: `Склад.Остаток`.
    Method,
    /// A bare name of a method of the caller's own module.
    Own,
    /// A bare name of a method of the first argument.
    Object,
    /// A bare name of a method of the caller's own module that is kept until something calls it.
    Kept,
}

/// A place where names of methods or modules are kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Registration {
    /// What the place is.
    pub what: Kept,
    /// Its name; `*` stands for any letters.
    pub name: Pattern,
}

/// What a [`Registration`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kept {
    /// A property or key that holds a bare name of a method.
    Handler,
    /// A property or key that holds the name of a common module.
    Module,
    /// A variable whose properties name methods only to put them in order.
    Ordering,
    /// A variable whose rows name methods only to find jobs.
    Filter,
    /// A method that finds jobs by what it is given.
    Finder,
    /// A procedure that fills in a list of update handlers.
    UpdateHandlers,
    /// A procedure that fills in a map from session parameters to methods.
    SessionParameters,
}

/// A method that a framework calls by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Convention {
    /// In which modules.
    pub modules: Conventional,
    /// Name of the method; of an overridable module: name of the module. `*` stands for any letters.
    pub name: Pattern,
}

/// Modules that a [`Convention`] holds for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Conventional {
    /// Manager modules.
    Manager,
    /// Object modules.
    Object,
    /// Common modules.
    Common,
    /// Common modules of that name, all their exported methods.
    Overridable,
}

/// A name with `*` for any letters, compared without case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    written: String,
    parts: Vec<String>,
}

impl Pattern {
    /// A pattern as written.
    pub fn new(written: &str) -> Self {
        let parts = folded(written).split('*').map(str::to_owned).collect();
        Self { written: written.to_owned(), parts }
    }

    /// The pattern's letters without `*`: what it is called.
    pub fn letters(&self) -> String {
        self.written.replace('*', "")
    }

    /// Whether a name fits.
    pub fn fits(&self, name: &str) -> bool {
        self.fits_folded(&folded(name))
    }

    fn fits_folded(&self, name: &str) -> bool {
        let (Some((first, rest)), Some(last)) = (self.parts.split_first(), self.parts.last()) else { return false };
        let Some(mut left) = name.strip_prefix(first.as_str()) else { return false };
        let Some((_, middle)) = rest.split_last() else { return left.is_empty() };
        for part in middle {
            match left.find(part.as_str()) {
                Some(at) => left = &left[at + part.len()..],
                None => return false,
            }
        }
        left.ends_with(last.as_str())
    }
}

/// `Module.Function#2`: the name, and the number of the argument, 1 if it is left out. None if the number is no number, or 0.
fn numbered(written: &str) -> Option<(String, u16)> {
    let (function, argument) = match written.split_once('#') {
        Some((function, argument)) => (function, argument.trim().parse().ok()?),
        None => (written, 1),
    };
    let function = function.trim().to_owned();
    (argument > 0 && !function.is_empty()).then_some((function, argument))
}

impl Dispatcher {
    /// A dispatcher as projects write it: `Module.Function#2`, the number of the argument left out for the first. None if the
    /// number is no number, or 0.
    pub fn parse(written: &str, gives: Gives) -> Option<Self> {
        numbered(written).map(|(function, argument)| Self { function, argument, gives })
    }
}

impl Runner {
    /// A runner as projects write it, as a [dispatcher](Dispatcher::parse) is.
    pub fn parse(written: &str, runs: Runs) -> Option<Self> {
        numbered(written).map(|(function, argument)| Self { function, argument, runs })
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            dispatchers: lines(include_str!("../data/dispatchers.tsv")).filter_map(dispatcher).collect(),
            runners: lines(include_str!("../data/runners.tsv")).filter_map(runner).collect(),
            registrations: lines(include_str!("../data/registrations.tsv")).filter_map(registration).collect(),
            conventions: lines(include_str!("../data/conventions.tsv")).filter_map(convention).collect(),
            names_attributes: NamesAttributes::built_in(),
            names_objects: NamesObjects::built_in(),
        }
    }
}

impl Settings {
    /// The built-in lists and a project's own dispatchers behind them.
    #[must_use]
    pub fn with_dispatchers(rows: impl IntoIterator<Item = Dispatcher>) -> Self {
        let mut settings = Self::default();
        settings.dispatchers.extend(rows);
        settings
    }

    /// Whether a name is kept for that.
    pub fn keeps(&self, what: Kept, name: &str) -> bool {
        let name = folded(name);
        self.registrations.iter().any(|row| row.what == what && row.name.fits_folded(&name))
    }
}

fn dispatcher(line: &str) -> Option<Dispatcher> {
    let mut cells = line.split('\t');
    let function = cells.next()?.to_owned();
    let argument = cells.next()?.parse().ok()?;
    let gives = match cells.next()? {
        "module" => Gives::Module,
        "manager" => Gives::Manager,
        "any" => Gives::Any,
        _ => return None,
    };
    Some(Dispatcher { function, argument, gives })
}

fn runner(line: &str) -> Option<Runner> {
    let mut cells = line.split('\t');
    let function = cells.next()?.to_owned();
    let argument = cells.next()?.parse().ok()?;
    let runs = match cells.next()? {
        "method" => Runs::Method,
        "own" => Runs::Own,
        "object" => Runs::Object,
        _ => return None,
    };
    Some(Runner { function, argument, runs })
}

fn registration(line: &str) -> Option<Registration> {
    let (what, name) = line.split_once('\t')?;
    let what = match what {
        "handler" => Kept::Handler,
        "module" => Kept::Module,
        "ordering" => Kept::Ordering,
        "filter" => Kept::Filter,
        "finder" => Kept::Finder,
        "update_handlers" => Kept::UpdateHandlers,
        "session_parameters" => Kept::SessionParameters,
        _ => return None,
    };
    Some(Registration { what, name: Pattern::new(name) })
}

fn convention(line: &str) -> Option<Convention> {
    let (modules, name) = line.split_once('\t')?;
    let modules = match modules {
        "manager" => Conventional::Manager,
        "object" => Conventional::Object,
        "common" => Conventional::Common,
        "overridable" => Conventional::Overridable,
        _ => return None,
    };
    Some(Convention { modules, name: Pattern::new(name) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_read() {
        let settings = Settings::default();
        let count = |table| lines(table).count();
        assert_eq!(settings.dispatchers.len(), count(include_str!("../data/dispatchers.tsv")));
        assert_eq!(settings.runners.len(), count(include_str!("../data/runners.tsv")));
        assert_eq!(settings.registrations.len(), count(include_str!("../data/registrations.tsv")));
        assert_eq!(settings.conventions.len(), count(include_str!("../data/conventions.tsv")));
        assert!(settings.dispatchers.iter().all(|d| d.argument >= 1));
    }

    #[test]
    fn patterns() {
        for (pattern, name, fits) in [
            ("Обработчик*", "ОбработчикПроверки", true),
            ("*Обработчик", "Мойобработчик", true),
            ("*Модул*", "ИмяМодуляПолучения", true),
            ("*Модул*", "Имя", false),
            ("Процедура", "процедура", true),
            ("Процедура", "ПроцедураЧастей", false),
            ("А*А", "А", false),
            ("", "", true),
        ] {
            assert_eq!(Pattern::new(pattern).fits(name), fits, "{pattern} {name}");
        }
    }
}
