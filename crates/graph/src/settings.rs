//! What a project may tell the resolver: which functions give back modules and managers by name.

use serde::{Deserialize, Serialize};

/// Settings of a project that edges depend on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Functions that give back something by its name. The built-in list (`data/dispatchers.tsv`) unless replaced.
    pub dispatchers: Vec<Dispatcher>,
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

impl Dispatcher {
    /// A dispatcher as projects write it: `Module.Function#2`, the number of the argument left out for the first. None if the
    /// number is no number, or 0.
    pub fn parse(written: &str, gives: Gives) -> Option<Self> {
        let (function, argument) = match written.split_once('#') {
            Some((function, argument)) => (function, argument.trim().parse().ok()?),
            None => (written, 1),
        };
        let function = function.trim().to_owned();
        (argument > 0 && !function.is_empty()).then_some(Self { function, argument, gives })
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self { dispatchers: parse(include_str!("../data/dispatchers.tsv")).collect() }
    }
}

impl Settings {
    /// The built-in lists and a project's own rows behind them.
    #[must_use]
    pub fn with_dispatchers(rows: impl IntoIterator<Item = Dispatcher>) -> Self {
        let mut settings = Self::default();
        settings.dispatchers.extend(rows);
        settings
    }
}

fn parse(table: &str) -> impl Iterator<Item = Dispatcher> {
    table.lines().filter(|line| !line.starts_with('#')).skip(1).filter_map(|line| {
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
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_read() {
        let lines = include_str!("../data/dispatchers.tsv").lines().filter(|l| !l.starts_with('#')).skip(1).count();
        assert_eq!(Settings::default().dispatchers.len(), lines);
        assert!(Settings::default().dispatchers.iter().all(|d| d.argument >= 1));
    }
}
