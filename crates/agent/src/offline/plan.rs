//! What is asked of the tools: intents of a question and kinds of the things that it names, joined by `data/offline_plan.tsv`.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use serde_json::Value;

use super::case::Case;
use super::investigate::{Ask, Job};
use super::things::{Thing, UNKNOWN, names_something};

/// A row of the table.
struct Row {
    intents: Vec<&'static str>,
    kinds: Vec<&'static str>,
    tool: &'static str,
    arguments: &'static str,
}

/// Rows, and what classes of kinds stand for.
struct Table {
    rows: Vec<Row>,
    classes: HashMap<&'static str, Vec<&'static str>>,
}

static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let mut table = Table { rows: Vec::new(), classes: HashMap::new() };
    for line in include_str!("../../data/offline_plan.tsv").lines().filter(|line| !line.starts_with('#')) {
        let cells: Vec<&'static str> = line.split('\t').collect();
        match cells.as_slice() {
            ["class", name, kinds] => {
                table.classes.insert(name, kinds.split(',').collect());
            }
            [intents, kinds, tool, rest @ ..] => table.rows.push(Row {
                intents: intents.split(',').collect(),
                kinds: kinds.split(',').collect(),
                tool,
                arguments: rest.first().copied().unwrap_or("{}"),
            }),
            _ => {}
        }
    }
    table
});

/// What is asked where words choose nothing.
pub(super) const DEFAULT: &str = "default";
/// What is asked beside everything else: what a thing holds.
pub(super) const PARTS: &str = "parts";
/// The kind of a row for questions that name nothing.
const NONE: &str = "none";

/// The intents of the table in their order.
pub(super) fn intents() -> Vec<&'static str> {
    let mut all: Vec<&'static str> = Vec::new();
    for intent in TABLE.rows.iter().flat_map(|row| &row.intents) {
        if !all.contains(intent) && *intent != DEFAULT && *intent != PARTS {
            all.push(intent);
        }
    }
    all
}

impl Row {
    fn fits(&self, kind: &str) -> bool {
        self.kinds.iter().any(|one| match *one {
            "*" => kind != UNKNOWN,
            one if one == kind => true,
            class => TABLE.classes.get(class).is_some_and(|kinds| kinds.contains(&kind)),
        })
    }
}

/// Whether a kind belongs to a class of the table.
pub(super) fn is_of(class: &str, kind: &str) -> bool {
    TABLE.classes.get(class).is_some_and(|kinds| kinds.contains(&kind))
}

/// The calls for these intents, in the order of things and rows.
pub(super) fn calls(case: &Case, things: &[Thing], intents: &[&str], jobs: &[&Job]) -> Vec<Ask> {
    let mut asked: Vec<Ask> = Vec::new();
    let mut done: HashSet<(&str, &str)> = HashSet::new();
    let mut add = |ask: Ask| {
        if !asked.contains(&ask) {
            asked.push(ask);
        }
    };
    for row in TABLE.rows.iter().filter(|row| row.intents.iter().any(|intent| intents.contains(intent))) {
        let job = row.tool.strip_prefix('@').and_then(|name| jobs.iter().find(|job| job.name == name));
        if things.is_empty() && row.kinds.contains(&NONE) {
            match job {
                Some(job) => (job.calls)(case, things).into_iter().for_each(&mut add),
                None if !names_something(&case.question) => {
                    add((row.tool, serde_json::from_str(row.arguments).unwrap_or_default()));
                }
                None => {}
            }
            continue;
        }
        let fitting: Vec<&Thing> = things.iter().filter(|thing| row.fits(kind_of(thing))).collect();
        if let Some(job) = job {
            let fitting: Vec<Thing> = fitting.into_iter().cloned().collect();
            if !fitting.is_empty() {
                (job.calls)(case, &fitting).into_iter().for_each(&mut add);
            }
            continue;
        }
        for thing in fitting {
            let Some(arguments) = filled(row.arguments, thing) else { continue };
            // The same tool may be asked twice of a thing only with other conditions.
            if row.arguments.contains("kinds") || done.insert((row.tool, thing.name.as_str())) {
                add((row.tool, arguments));
            }
        }
    }
    asked
}

/// The kind of a thing as the table has it: what the index names no kind of is a part.
fn kind_of(thing: &Thing) -> &str {
    if thing.kind.is_empty() { "Attribute" } else { &thing.kind }
}

/// The arguments of a row for a thing; `None` if it lacks what they need.
fn filled(arguments: &str, thing: &Thing) -> Option<Value> {
    let mut value: Value = serde_json::from_str(arguments).ok()?;
    for (_, field) in value.as_object_mut()? {
        let text = match field.as_str() {
            Some("$name") => thing.name.clone(),
            Some("$owner") => thing.name.split('.').take(2).collect::<Vec<_>>().join("."),
            // A name made of several words is seldom anything else's: strings that hold it may be uses.
            Some("$long") => {
                let last = thing.last();
                (last.chars().filter(|c| c.is_uppercase()).count() > 1).then(|| last.to_owned())?
            }
            Some(sql) if sql.starts_with("SELECT") => {
                sql.replace("$name", &bare_full(&thing.name)).replace("$last", &bare(thing.last()))
            }
            _ => continue,
        };
        *field = Value::String(text);
    }
    Some(value)
}

/// A full name as it may stand in a query.
pub(super) fn bare_full(name: &str) -> String {
    name.split('.').map(bare).collect::<Vec<_>>().join(".")
}

/// A name as it may stand in a query: letters, digits and underscores.
fn bare(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric() || *c == '_').collect()
}

#[cfg(test)]
mod tests {
    use super::super::investigate::JOBS;
    use super::*;

    #[test]
    fn every_row_can_be_asked() {
        let tools: Vec<&str> = tools::Registry::default().iter().map(|tool| tool.name).collect();
        for row in &TABLE.rows {
            match row.tool.strip_prefix('@') {
                Some(job) => assert!(JOBS.iter().any(|one| one.name == job), "{job}"),
                None => assert!(tools.contains(&row.tool), "{}", row.tool),
            }
            assert!(
                serde_json::from_str::<Value>(row.arguments).is_ok_and(|value| value.is_object()),
                "{}",
                row.arguments
            );
        }
        assert!(
            TABLE
                .classes
                .keys()
                .all(|class| *class == "aside" || TABLE.rows.iter().any(|row| row.kinds.contains(class)))
        );
    }

    #[test]
    fn parts_are_asked_with_their_owners() {
        let thing = Thing { name: "Catalog.А.Attribute.ДатаБ".into(), kind: "Attribute".into() };
        assert_eq!(filled(r#"{"name":"$owner","limit":3}"#, &thing).unwrap()["name"], "Catalog.А");
        assert_eq!(filled(r#"{"text":"$long"}"#, &thing).unwrap()["text"], "ДатаБ");
        let short = Thing { name: "Catalog.А".into(), kind: "Catalog".into() };
        assert_eq!(filled(r#"{"text":"$long"}"#, &short), None);
    }
}
