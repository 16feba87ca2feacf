//! Search: by meaning, by words, by what stands in the code, and all of it together.
//!
//! The hybrid, as measured on queries with known answers:
//! 1. *Literal stage*: if the query stands in the code at most [`RARE`] times, the methods that hold it lead.
//! 2. *Fusion*: standard scores of the vectors and of the full text are added ([`fusion`]). A query in Latin letters
//!    only is a foreign language to code in Russian: there the vectors lead.
//!
//! Methods and objects are ranked apart: a mixed list buries objects under forty times as many methods.

pub mod fusion;
mod literal;
mod meaning;
mod note;
mod similar;

use serde::Serialize;

use crate::read::{Index, NameId};
use crate::scan::Limits;
use crate::text;
use crate::vectors::corpus::Class;
use crate::{Deadline, Result};
pub use meaning::Meaning;
pub use note::Note;
pub use similar::{By, Like, similar};

/// A query that stands in the code more often than this is no quotation.
pub const RARE: usize = 20;
/// Weight of the full text where the query has Latin letters only.
const FOREIGN: f64 = 0.3;
/// Weight of the full text for objects: their few words are names, attributes and help, not code.
const OBJECT_WORDS: f64 = 1.7;

/// How many of each leg's best take part in the fusion: a configuration has far fewer objects than methods.
fn pool(class: Class) -> usize {
    match class {
        Class::Method => 300,
        Class::Object => 100,
    }
}

/// How to search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// Literal stage, vectors and full text together.
    #[default]
    Hybrid,
    /// By meaning only.
    Vector,
    /// By words only.
    Fulltext,
    /// The text as it stands in the code, without case.
    Literal,
    /// A regular expression over the code.
    Regex,
}

/// What to search for, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// How.
    pub mode: Mode,
    /// Only methods, or only objects.
    pub kind: Option<Class>,
    /// Most hits.
    pub limit: usize,
    /// When the scan of all modules has to stop.
    pub until: Deadline,
}

impl Default for Options {
    fn default() -> Self {
        Self { mode: Mode::Hybrid, kind: None, limit: 10, until: Limits::default().until }
    }
}

/// A hit.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Hit {
    /// Full name as in the contract.
    pub full_name: String,
    /// `method`, `object`, or `module` for statements outside methods.
    pub kind: &'static str,
    /// Higher is better; comparable within one answer only.
    pub score: f64,
    /// File, relative to the root of the dump.
    pub file: String,
    /// 1-based line of what was found.
    pub line: u32,
    /// The line that holds the query, else what the thing says of itself.
    pub snippet: String,
}

/// The answer to a search.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Found {
    /// Best first.
    pub hits: Vec<Hit>,
    /// What could not be searched, and why: an empty answer without notes is a proven one.
    pub notes: Vec<Note>,
}

/// Searches an index. `meaning` turns the query into a vector; it loads its model when it is first needed.
///
/// # Errors
/// [`crate::Error::Pattern`] for an expression that cannot be used; otherwise if the index cannot be read. Missing
/// vectors are no error: the answer then says so.
pub fn search(index: &Index, query: &str, options: Options, meaning: &mut Meaning) -> Result<Found> {
    let mut found = Found::default();
    let query = query.trim();
    if query.is_empty() || options.limit == 0 {
        return Ok(found);
    }
    if matches!(options.mode, Mode::Literal | Mode::Regex) {
        let regex = options.mode == Mode::Regex;
        found.hits = literal::hits(index, query, regex, options, &mut found.notes)?;
        return Ok(found);
    }
    let classes: &[Class] = match options.kind {
        Some(Class::Method) => &[Class::Method],
        Some(Class::Object) => &[Class::Object],
        None => &[Class::Method, Class::Object],
    };
    let mut lists = Vec::new();
    for class in classes {
        let ranked = rank(index, query, *class, options.mode, meaning, &mut found.notes)?;
        let mut hits = Vec::new();
        for (id, score) in ranked {
            if hits.len() == options.limit {
                break;
            }
            hits.extend(describe(index, id, *class, score)?);
        }
        lists.push(hits);
    }
    found.hits = interleave(lists, options.limit);
    if options.mode == Mode::Hybrid && options.kind != Some(Class::Object) {
        literal::lead(index, query, &mut found, options)?;
    }
    Ok(found)
}

/// The ranking of one class by the legs of a mode.
fn rank(
    index: &Index,
    query: &str,
    class: Class,
    mode: Mode,
    meaning: &mut Meaning,
    notes: &mut Vec<Note>,
) -> Result<Vec<(NameId, f64)>> {
    let mut legs = Vec::new();
    if mode != Mode::Vector {
        let weight = match class {
            _ if mode != Mode::Hybrid => 1.0,
            _ if is_foreign(query) => FOREIGN,
            Class::Object => OBJECT_WORDS,
            Class::Method => 1.0,
        };
        legs.push(fusion::Leg { scores: words(index, query, class)?, weight });
    }
    if mode != Mode::Fulltext {
        let scores = meaning.nearest(index, query, class, pool(class), notes)?;
        // Half-made vectors would push down whatever has none yet.
        legs.push(fusion::Leg { scores, weight: meaning.share() });
    }
    let mut fused = fusion::fuse(&legs);
    // A name that is typed as it stands is no matter of taste.
    if mode == Mode::Hybrid {
        lift_exact_name(index, query, class, &mut fused)?;
    }
    Ok(fused)
}

/// The full-text leg.
fn words(index: &Index, query: &str, class: Class) -> Result<Vec<(NameId, f64)>> {
    let filter = match class {
        Class::Method => text::Filter::Methods,
        Class::Object => text::Filter::Objects,
    };
    let hits = index.fulltext(query, filter, pool(class) * if class == Class::Object { 12 } else { 1 })?;
    let kept = hits.into_iter().filter(|hit| class == Class::Method || holds_data(&hit.full_name));
    Ok(kept.take(pool(class)).map(|hit| (hit.id, hit.score)).collect())
}

/// Whether objects of this kind hold or show data: what a person means who looks for an object by its meaning. Constants and
/// enumerations (one value, a few words), roles, pictures, subscriptions and the like are found by name, and by `mode` literal.
pub(crate) fn holds_data(full_name: &str) -> bool {
    let kind = full_name.rsplit("::").next().unwrap_or(full_name).split('.').next().unwrap_or("");
    metadata::Kind::named(kind).is_some_and(|kind| {
        let children = &kind.info().children;
        ["Attribute", "Dimension", "Column"].iter().any(|part| children.contains(part))
    })
}

fn is_foreign(query: &str) -> bool {
    query.chars().any(char::is_alphabetic) && query.chars().filter(|c| c.is_alphabetic()).all(|c| c.is_ascii())
}

/// Objects or methods whose own name is the query come first.
fn lift_exact_name(index: &Index, query: &str, class: Class, ranked: &mut Vec<(NameId, f64)>) -> Result<()> {
    if query.contains(char::is_whitespace) {
        return Ok(());
    }
    let last = query.rsplit('.').next().unwrap_or(query);
    let found: Vec<NameId> = match class {
        Class::Method => {
            index.rows("SELECT id FROM method WHERE name = ?1 ORDER BY id LIMIT 50", [last], |row| row.get(0))?
        }
        Class::Object => index.rows(
            "SELECT id FROM object WHERE name = ?1 AND parent IS NULL ORDER BY id LIMIT 50",
            [last],
            |row| row.get(0),
        )?,
    };
    let best = ranked.first().map_or(0.0, |(_, score)| *score);
    let of = |id: NameId| ranked.iter().find(|(other, _)| *other == id).map_or(0.0, |(_, score)| *score);
    let mut lifted: Vec<(NameId, f64)> = Vec::new();
    for id in found {
        let full_name = index.full_name(id)?;
        if metadata::fold(&full_name).ends_with(&metadata::fold(query)) {
            lifted.push((id, best + 1.0 + of(id).max(0.0)));
        }
    }
    lifted.sort_by(|a, b| b.1.total_cmp(&a.1));
    ranked.retain(|(id, _)| lifted.iter().all(|(other, _)| other != id));
    ranked.splice(0..0, lifted);
    Ok(())
}

/// Two methods, one object, and so on: no list is buried.
fn interleave(lists: Vec<Vec<Hit>>, limit: usize) -> Vec<Hit> {
    let mut lists: Vec<_> = lists.into_iter().map(IntoIterator::into_iter).collect();
    if lists.len() == 1 {
        return lists.remove(0).take(limit).collect();
    }
    let mut out = Vec::new();
    loop {
        let before = out.len();
        for (list, share) in lists.iter_mut().zip([2, 1]) {
            out.extend(list.take(share));
        }
        if out.len() == before || out.len() >= limit {
            out.truncate(limit);
            return out;
        }
    }
}

/// What a hit shows; None if the index does not know it (any more).
fn describe(index: &Index, id: NameId, class: Class, score: f64) -> Result<Option<Hit>> {
    let (sql, kind) = match class {
        Class::Method => (
            "SELECT n.name, f.path, m.line, d.text, NULL FROM method m JOIN names n ON n.id = m.id JOIN module x ON x.id = m.module
             JOIN file f ON f.id = x.file LEFT JOIN texts d ON d.id = m.doc WHERE m.id = ?1",
            "method",
        ),
        Class::Object => (
            "SELECT n.name, f.path, o.line, o.synonym, o.comment FROM object o JOIN names n ON n.id = o.id
             LEFT JOIN file f ON f.id = o.file WHERE o.id = ?1",
            "object",
        ),
    };
    let found = index.rows(sql, [id], |row| {
        let (first, second): (Option<String>, Option<String>) = (row.get(3)?, row.get(4)?);
        Ok(Hit {
            full_name: row.get(0)?,
            kind,
            score,
            file: row.get::<_, Option<String>>(1)?.unwrap_or_default(),
            line: row.get::<_, Option<u32>>(2)?.unwrap_or(1).max(1),
            snippet: match class {
                Class::Method => crate::vectors::texts::doc_description(&first.unwrap_or_default()),
                Class::Object => {
                    [first, second].into_iter().flatten().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(". ")
                }
            },
        })
    })?;
    Ok(found.into_iter().next())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_that_hold_data() {
        for name in [
            "Catalog.Валюты",
            "InformationRegister.КурсыВалют",
            "Report.X",
            "DataProcessor.X",
            "Расширение::Document.X",
        ] {
            assert!(holds_data(name), "{name}");
        }
        for name in [
            "Enum.X",
            "Constant.X",
            "Role.Чтение",
            "CommonPicture.X",
            "StyleItem.X",
            "EventSubscription.X",
            "",
            "Нечто.X",
        ] {
            assert!(!holds_data(name), "{name}");
        }
    }

    #[test]
    fn latin_only_is_foreign() {
        assert!(is_foreign("strip HTML tags, 2x"));
        assert!(!is_foreign("текст из HTML"));
        assert!(!is_foreign("123"));
    }

    fn hit(name: &str) -> Hit {
        Hit { full_name: name.into(), kind: "method", score: 0.0, file: String::new(), line: 1, snippet: String::new() }
    }

    #[test]
    fn no_list_is_buried() {
        let methods: Vec<Hit> = ["a", "b", "c", "d", "e", "f"].map(hit).into();
        let objects: Vec<Hit> = ["X", "Y"].map(hit).into();
        let names = |hits: Vec<Hit>| hits.into_iter().map(|hit| hit.full_name).collect::<String>();
        assert_eq!(names(interleave(vec![methods.clone(), objects.clone()], 7)), "abXcdYe");
        assert_eq!(names(interleave(vec![methods.clone(), Vec::new()], 10)), "abcdef");
        assert_eq!(names(interleave(vec![methods], 2)), "ab");
    }
}
