//! What of ours uses what they changed.

use super::{Comparison, Difference, What};
use crate::Result;
use crate::read::Index;
use rusqlite::OptionalExtension;
use serde::Serialize;

/// A use, in the first configuration, of a thing that the second one removed or changed.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Touched {
    /// The thing.
    pub thing: String,
    /// What they did to it.
    pub what: What,
    /// What changed of it: `parameters`, `types` …; empty if it was removed.
    pub changes: Vec<&'static str>,
    /// Who of ours uses it.
    pub by: String,
    /// How: a channel, a kind of reference, `override` for a method of an extension that stands in its place.
    pub how: String,
    /// File that proves it.
    pub file: String,
    /// 1-based line.
    pub line: u32,
    /// Only our configuration has the user; else both have it and it may come with the update.
    pub is_ours: bool,
}

/// Who calls, or is linked to, a thing.
const EDGES: &str = "SELECT source, channel, file, line FROM edges WHERE target = ?1";
/// Who refers to a piece of metadata.
const REFERENCES: &str = "SELECT source, kind, file, line FROM refs WHERE target = ?1";
const OVERRIDES: &str = "\
    SELECT m.full_name, 'override', x.file, m.line FROM methods m JOIN modules x ON x.full_name = m.module
    WHERE m.override_of = ?1";

/// The uses in `old` of what `new` removed or changed so that a use may break. Of methods: their signature, export and context,
/// and the code only where an extension stands in its place; of attributes: their types; objects that are gone.
///
/// # Errors
/// If an index can't be read.
pub fn touched(old: &Index, new: &Index, comparison: &Comparison) -> Result<Vec<Touched>> {
    let mut found = Vec::new();
    for difference in comparison.differences.iter().filter(|difference| difference.what != What::Added) {
        let changes: Vec<&'static str> = difference.changes.iter().map(|change| change.property).collect();
        let mut uses: Vec<(String, String, String, u32)> = Vec::new();
        let name = &difference.name;
        match difference.area {
            "methods" => {
                if difference.what == What::Removed || changes.iter().any(|change| *change != "code") {
                    uses.extend(rows(old, EDGES, name)?);
                }
                uses.extend(rows(old, OVERRIDES, name)?);
            }
            "attributes" if difference.what == What::Removed || changes.contains(&"types") => {
                uses.extend(rows(old, REFERENCES, name)?);
            }
            "objects" if difference.what == What::Removed => {
                uses.extend(rows(old, EDGES, name)?);
                uses.extend(rows(old, REFERENCES, name)?);
            }
            _ => {}
        }
        for (by, how, file, line) in uses {
            let is_ours = !exists(new, &by)?;
            // What the second configuration says itself of the same place is of one piece with the change.
            if !is_ours && same_use_there(new, &by, name, difference)? {
                continue;
            }
            let (thing, what, changes) = (name.clone(), difference.what, changes.clone());
            found.push(Touched { thing, what, changes, by, how, file, line, is_ours });
        }
    }
    found.sort();
    found.dedup();
    Ok(found)
}

fn rows(index: &Index, sql: &str, thing: &str) -> Result<Vec<(String, String, String, u32)>> {
    index.rows(sql, [thing], |row| {
        let file = row.get::<_, Option<String>>(2)?.unwrap_or_default();
        Ok((row.get::<_, Option<String>>(0)?.unwrap_or_default(), row.get(1)?, file, row.get(3)?))
    })
}

/// Whether a configuration has a thing of that full name.
fn exists(index: &Index, full_name: &str) -> Result<bool> {
    let mut statement = index.connection.prepare_cached("SELECT ghost FROM names WHERE key = ?1")?;
    let ghost = statement.query_row([crate::names::key(full_name)], |row| row.get::<_, bool>(0)).optional()?;
    Ok(ghost == Some(false))
}

/// Whether the second configuration has the same use of the changed thing: then it fits the change. A removed thing has none.
fn same_use_there(new: &Index, by: &str, thing: &str, difference: &Difference) -> Result<bool> {
    if difference.what == What::Removed {
        // Both have the user, and the second one's doesn't use what is gone: it was changed along with it.
        return Ok(true);
    }
    let sql = "SELECT 1 FROM edges WHERE target = ?1 AND source = ?2
               UNION ALL SELECT 1 FROM refs WHERE target = ?1 AND source = ?2 LIMIT 1";
    Ok(!new.rows(sql, [thing, by], |_| Ok(()))?.is_empty())
}
