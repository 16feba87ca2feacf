//! What stands behind the things that were found: handlers of events of an object's own module, what the methods that are the answer
//! call and refer to, parts of services.

use serde_json::{Value, json};

use super::case::Case;
use super::covered;
use super::evidence::{list, text};
use super::investigate::Ask;
use super::plan::{bare_full, is_of};
use super::things::Thing;
use super::words::held;

/// Handlers that are looked into, at most.
const HANDLERS: usize = 3;
/// Calls of one handler that are asked for.
const CALLS: u32 = 30;
/// Calls of a handler of a thing's own event, with those of what it calls.
const DEEP: u32 = 40;
/// Modules of an object that handle its own events.
const MODULES: &[&str] = &["ObjectModule", "RecordSetModule", "ManagerModule", "ValueManagerModule"];
/// Things whose own handlers are looked for.
const THINGS: usize = 2;
/// How the query for handlers ends.
const OWN: &str = "/* own handlers */";
/// How the query for what methods refer to ends.
const REFERS: &str = "/* refers to */";

/// What the method behind a job or a subscription calls, where that is asked for, or where the question's words chose it.
pub(super) fn behind_handlers(case: &Case, asked: bool) -> Vec<Ask> {
    let mut handlers: Vec<&str> = Vec::new();
    let mut chosen = asked;
    for (tool, key, method) in LISTS {
        for found in case.of(tool) {
            let rows = list(&found.value, key);
            let spoken = covered::spoken_of(case, rows, &["name", method]);
            let is_of_name = !text(&found.arguments, "name").is_empty();
            // A list in which nothing is chosen names no handler.
            if spoken.len() > HANDLERS && !is_of_name {
                continue;
            }
            chosen |= spoken.len() < rows.len() || is_of_name && case.of("sql_select").any(covered::looks);
            for name in spoken.into_iter().map(|row| text(row, method)).filter(|name| !name.is_empty()) {
                if !handlers.contains(&name) {
                    handlers.push(name);
                }
            }
        }
    }
    if !chosen || handlers.len() > HANDLERS {
        return Vec::new();
    }
    let mut calls: Vec<Ask> =
        handlers.iter().map(|name| ("callees", json!({ "name": name, "limit": CALLS }))).collect();
    calls.extend(refers(&handlers));
    calls
}

/// Lists of things that run methods: the tool, its rows, the method's field.
pub(super) const LISTS: [(&str, &str, &str); 2] =
    [("event_subscriptions", "subscriptions", "handler"), ("scheduled_jobs", "jobs", "method")];

/// What methods refer to: metadata, and keys in their literals.
pub(super) fn refers(methods: &[&str]) -> Option<Ask> {
    if methods.is_empty() {
        return None;
    }
    let names: Vec<String> = methods.iter().map(|name| format!("'{}'", bare_full(name))).collect();
    let names = names.join(", ");
    let sql = format!(
        "SELECT source, target, kind, file, line FROM refs WHERE source IN ({names}) AND kind <> 'bsl_module_call' UNION ALL \
         SELECT s.method, '', '«' || s.value || '»', d.file, s.line FROM strings s JOIN methods m ON m.full_name = s.method \
         JOIN modules d ON d.full_name = m.module WHERE s.method IN ({names}) AND length(s.value) BETWEEN 5 AND 80 \
         AND s.value NOT GLOB '*[^А-Яа-яЁёA-Za-z0-9_]*' LIMIT 60 {REFERS}"
    );
    Some(("sql_select", json!({ "sql": sql })))
}

/// The handlers of the events that the question names in the modules of what was found, then what they do.
pub(super) fn own_events(case: &Case, things: &[Thing]) -> Vec<Ask> {
    let events = held(&case.question, "event:");
    let objects: Vec<&Thing> = things.iter().filter(|thing| is_of("table", &thing.kind)).take(THINGS).collect();
    if events.is_empty() || objects.is_empty() {
        return Vec::new();
    }
    let found: Vec<&Value> = case
        .of("sql_select")
        .filter(|found| text(&found.arguments, "sql").ends_with(OWN))
        .flat_map(|found| list(&found.value, "rows"))
        .collect();
    if found.is_empty() {
        let modules = objects.iter().flat_map(|thing| MODULES.iter().map(move |module| (thing, module)));
        let modules: Vec<String> =
            modules.map(|(thing, module)| format!("'{}.{module}'", bare_full(&thing.name))).collect();
        let names: Vec<String> = events.iter().map(|name| format!("'{name}'")).collect();
        let sql = format!(
            "SELECT m.full_name AS source, '' AS target, d.kind AS kind, d.file AS file, m.line AS line FROM methods m \
             JOIN modules d ON d.full_name = m.module WHERE m.module IN ({}) AND m.name IN ({}) LIMIT 10 {OWN}",
            modules.join(", "),
            names.join(", ")
        );
        return vec![("sql_select", json!({ "sql": sql }))];
    }
    let methods: Vec<&str> = found.into_iter().map(|row| text(row, "source")).take(HANDLERS).collect();
    let mut calls: Vec<Ask> =
        methods.iter().map(|name| ("callees", json!({ "name": name, "depth": 2, "limit": DEEP }))).collect();
    calls.extend(refers(&methods));
    calls
}

/// The method around a text that users see.
pub(super) fn around(methods: &[&str]) -> Vec<Ask> {
    let mut calls: Vec<Ask> = methods.iter().map(|name| ("callees", json!({ "name": name, "limit": CALLS }))).collect();
    calls.extend(refers(methods));
    calls
}
