//! Two configurations by meaning: ours and the vendor's, before and after an update.
//!
//! [`compare`] reads the same views of two indexes and says what was added, removed or changed; modules whose bytes differ are
//! compared method by method, by their tokens: comments and blanks are no change. [`touched`] says what of the first
//! configuration uses what the second one changed.

mod areas;
mod code;
mod touched;

pub use areas::{AREAS, Area};
pub use touched::{Touched, touched};

use crate::Result;
use crate::read::Index;
use rusqlite::types::ValueRef;
use serde::Serialize;
use std::collections::BTreeMap;

/// What happened to a thing between the first configuration and the second.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum What {
    /// Only the second one has it.
    Added,
    /// Only the first one has it.
    Removed,
    /// Both have it, and it isn't the same.
    Changed,
}

/// A difference.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// The area: `methods`, `attributes` …
    pub area: &'static str,
    /// What happened.
    pub what: What,
    /// The thing: its full name, or names of both ends.
    pub name: String,
    /// What changed of it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<Change>,
}

/// A property that changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Change {
    /// Which; `code` for the statements of a method.
    pub property: &'static str,
    /// In the first configuration.
    pub old: String,
    /// In the second one.
    pub new: String,
}

/// Number of differences of an area.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Count {
    /// The area.
    pub area: &'static str,
    /// Only in the second configuration.
    pub added: usize,
    /// Only in the first one.
    pub removed: usize,
    /// Different in both.
    pub changed: usize,
}

/// What two configurations differ in.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Comparison {
    /// By area, in the order of [`AREAS`]; those without differences are left out.
    pub counts: Vec<Count>,
    /// All differences, by area and name.
    pub differences: Vec<Difference>,
    /// Modules whose text could not be compared, since a file is not there or is not what was indexed: they count as changed.
    pub unread: Vec<String>,
}

/// Compares two configurations.
///
/// # Errors
/// If an index can't be read.
pub fn compare(old: &Index, new: &Index) -> Result<Comparison> {
    let mut comparison = Comparison::default();
    for area in AREAS {
        let mut differences = differences(area, &rows(old, area)?, &rows(new, area)?);
        if area.name == "methods" {
            code::compare(old, new, &mut differences, &mut comparison.unread)?;
            differences.sort_by(|a, b| a.name.cmp(&b.name));
        }
        if differences.is_empty() {
            continue;
        }
        let count = |what| differences.iter().filter(|difference| difference.what == what).count();
        let (added, removed, changed) = (count(What::Added), count(What::Removed), count(What::Changed));
        comparison.counts.push(Count { area: area.name, added, removed, changed });
        comparison.differences.extend(differences);
    }
    Ok(comparison)
}

/// A thing's names as they are written, and what is compared of it.
type Row = (String, Vec<String>);

/// The rows of an area by their folded names: case is no difference.
fn rows(index: &Index, area: &Area) -> Result<BTreeMap<String, Row>> {
    let columns = area.keys + area.values.len();
    let rows = index.rows(area.sql, [], |row| {
        (0..columns)
            .map(|column| {
                Ok(match row.get_ref(column)? {
                    ValueRef::Null => String::new(),
                    ValueRef::Integer(number) => number.to_string(),
                    ValueRef::Real(number) => number.to_string(),
                    ValueRef::Text(text) | ValueRef::Blob(text) => String::from_utf8_lossy(text).into_owned(),
                })
            })
            .collect::<rusqlite::Result<Vec<String>>>()
    })?;
    let mut named = BTreeMap::new();
    for mut row in rows {
        let values = row.split_off(area.keys);
        let name = row.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ");
        named.insert(bsl::fold(&name), (name, values));
    }
    Ok(named)
}

fn differences(area: &Area, old: &BTreeMap<String, Row>, new: &BTreeMap<String, Row>) -> Vec<Difference> {
    let difference = |what, name: &str, changes| Difference { area: area.name, what, name: name.to_owned(), changes };
    let mut found = Vec::new();
    for (key, (name, values)) in old {
        let Some((_, now)) = new.get(key) else {
            found.push(difference(What::Removed, name, Vec::new()));
            continue;
        };
        let pairs = area.values.iter().zip(values.iter().zip(now)).filter(|(_, (old, new))| old != new);
        let change = |(property, (old, new)): (&&'static str, (&String, &String))| Change {
            property,
            old: old.clone(),
            new: new.clone(),
        };
        let changes: Vec<Change> = pairs.map(change).collect();
        if !changes.is_empty() {
            found.push(difference(What::Changed, name, changes));
        }
    }
    let added = new.iter().filter(|(key, _)| !old.contains_key(*key));
    found.extend(added.map(|(_, (name, _))| difference(What::Added, name, Vec::new())));
    found
}
