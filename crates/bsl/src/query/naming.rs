//! Names of columns that have no alias.

use rustc_hash::FxHashSet;

use super::facts::FieldUse;
use super::model::Column;
use super::scope::is_known;
use crate::fold;

/// Gives names to the columns of one list, each once.
pub(crate) struct Naming {
    taken: FxHashSet<String>,
    /// Last number of a name of each kind that was given.
    numbers: rustc_hash::FxHashMap<String, u32>,
}

impl Naming {
    /// Aliases are taken before any name is made.
    pub fn new(columns: &[Column<'_>]) -> Self {
        let aliases = columns.iter().filter_map(|column| column.alias);
        Self { taken: aliases.map(|alias| fold(alias.text)).collect(), numbers: rustc_hash::FxHashMap::default() }
    }

    /// The parts of a path behind its table, joined; `Поле` with a number for other expressions. A name that is taken gets a
    /// number (source: the language guide, "Aliases of fields"). Empty if a part of the path is not known.
    pub fn derive(&mut self, path: Option<&FieldUse>) -> Box<str> {
        let Some(path) = path else { return self.number("Поле") };
        let name = path.parts.get(path.table_parts as usize..).unwrap_or(&[]).concat();
        if !is_known(&path.parts) {
            return Box::default();
        }
        if self.taken.insert(fold(&name)) { name.into() } else { self.number(&name) }
    }

    fn number(&mut self, name: &str) -> Box<str> {
        loop {
            let number = self.numbers.entry(fold(name)).or_insert(0);
            *number += 1;
            let numbered = format!("{name}{number}");
            if self.taken.insert(fold(&numbered)) {
                return numbered.into();
            }
        }
    }
}
