//! What readers of queries ask of a configuration: one small trait, implemented by whoever has an index.

use std::sync::Arc;

/// Names that are handed around: of fields, of tables.
pub type Names = Arc<[Box<str>]>;

/// The tables of a configuration, as queries see them. Tables have the canonical names that [`crate::query`] gives them
/// (`Document.X.TabularSection.Y`, `AccumulationRegister.X.Balance`); fields are named in any of the languages that a query may
/// use. Case never counts.
///
/// What isn't known stays unsaid: the configuration that an extension extends isn't there, a file could not be read, or
/// is another one by now, the fields of a kind of tables aren't known in full. Whoever asks says nothing then.
///
/// ```
/// use metascope_bsl::catalog::{Catalog, Followed, Names, Spelling, follow};
/// struct Small;
/// impl Catalog for Small {
///     fn has_table(&self, table: &str) -> Option<bool> { Some(table == "Catalog.Валюты") }
///     fn has_field(&self, table: &str, field: &str) -> Option<bool> { (table == "Catalog.Валюты").then(|| field == "Код") }
///     fn fields(&self, _: &str, _: Spelling) -> Names { [Box::from("Код")].into() }
///     fn targets(&self, _: &str, _: &str) -> Option<Names> { Some([].into()) }
///     fn nearest(&self, _: &str) -> Vec<String> { vec!["Catalog.Валюты".to_owned()] }
/// }
/// assert_eq!(follow(&Small, "Catalog.Валюты", &["Код"]), Followed::Whole);
/// assert_eq!(follow(&Small, "Catalog.Валюты", &["Кот"]), Followed::Missing(0, vec!["Catalog.Валюты".into()]));
/// // A code is no reference.
/// assert_eq!(follow(&Small, "Catalog.Валюты", &["Код", "Имя"]), Followed::Missing(1, vec![]));
/// ```
pub trait Catalog: Sync {
    /// Whether there is such a table. None: it can't be said.
    fn has_table(&self, table: &str) -> Option<bool>;

    /// Whether a table has such a field. None: it can't be said.
    fn has_field(&self, table: &str, field: &str) -> Option<bool>;

    /// The fields that a table certainly has: what may be offered. There may be more.
    fn fields(&self, table: &str, spelling: Spelling) -> Names;

    /// Canonical names of the tables that a field leads to: what a reference in it may refer to; a tabular section, if it is one.
    /// Empty: nothing can follow behind a dot. None: not known.
    fn targets(&self, table: &str, field: &str) -> Option<Names>;

    /// Existing names near to that of a table that isn't there, best first.
    fn nearest(&self, table: &str) -> Vec<String>;

    /// The synonym of a field that metadata gives one: what people see instead of its name.
    fn synonym(&self, table: &str, field: &str) -> Option<Box<str>> {
        let _ = (table, field);
        None
    }

    /// Files that changed since the catalog was made, among those that it was asked of: what they decide it doesn't say. Paths as
    /// the index shows them.
    fn outdated(&self) -> Vec<String> {
        Vec::new()
    }
}

/// Where a path from a table leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Followed {
    /// All its parts are there.
    Whole,
    /// This part (from 0) is in none of the tables that the path may lead to; there are none if the part before is no reference.
    Missing(usize, Vec<Box<str>>),
    /// It can't be said.
    Unknown,
}

/// Follows a path from a table, whatever a value of several types may be.
pub fn follow<P: AsRef<str>>(catalog: &dyn Catalog, table: &str, path: &[P]) -> Followed {
    let mut tables: Vec<Box<str>> = vec![table.into()];
    for (number, part) in path.iter().enumerate() {
        let part = part.as_ref();
        let mut next: Vec<Box<str>> = Vec::new();
        let (mut is_there, mut is_known) = (false, true);
        for table in &tables {
            match catalog.has_field(table, part) {
                Some(true) => is_there = true,
                Some(false) => continue,
                // One table that isn't known in full could have it.
                None => is_known = false,
            }
            // Nobody asks where the last part leads.
            if number + 1 == path.len() {
                continue;
            }
            match catalog.targets(table, part) {
                Some(targets) => {
                    next.extend(targets.iter().filter(|target| !next.contains(target)).cloned().collect::<Vec<_>>())
                }
                None => return Followed::Unknown,
            }
        }
        match (is_there, is_known) {
            (false, true) => return Followed::Missing(number, tables),
            (false, false) => return Followed::Unknown,
            (true, _) => tables = next,
        }
    }
    Followed::Whole
}

/// The language that names of the platform are written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spelling {
    /// `Справочник`, `Наименование`
    Russian,
    /// `Catalog`, `Description`
    English,
}

impl Spelling {
    /// That of a name: Russian if a letter of it is.
    pub fn of(name: &str) -> Self {
        let is_russian = name.chars().any(|letter| matches!(letter, 'А'..='я' | 'Ё' | 'ё'));
        if is_russian { Self::Russian } else { Self::English }
    }
}
