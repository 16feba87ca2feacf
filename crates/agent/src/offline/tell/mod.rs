//! Results of tools as lines for a reader. A list that a tool gives has one line an entry, with the place that proves it.

mod access;
mod code;
mod events;
mod objects;
mod reports;
mod rows;
pub(super) mod uses;

use serde_json::Value;

use super::case::{Case, Found};
use super::evidence::{error, list, text, texts};
use super::{covered, rights, what_is, who_calls};

/// A result; empty if it says nothing.
pub(super) fn result(case: &Case, found: &Found) -> String {
    let value = &found.value;
    if value.get("error").is_some() {
        return String::new();
    }
    match found.tool.as_str() {
        "literal_search" => code::strings(case, found),
        "callers" => who_calls::one(case, &found.arguments, value) + "\n",
        "callees" => code::callees(case, value),
        "entry_points" => code::entries(case, value),
        "call_path" => code::path(case, value),
        "find_definition" => code::error_places(case, value),
        "role_rights" if rights::is_guess_in_vain(&found.arguments, value) => String::new(),
        "role_rights" => access::rights(case, value),
        "register_movements" => events::movements(case, value),
        "notification_flow" => events::notifications(case, value),
        "scheduled_jobs" => events::jobs(case, value),
        "event_subscriptions" => events::subscriptions(case, value),
        "relation_path" => objects::paths(case, value),
        "object_passport" => what_is::object(case, value) + "\n",
        "read_metadata" => objects::metadata(case, value),
        "form_structure" => objects::form(case, value),
        "subsystem_tree" => objects::subsystem(case, value),
        "configuration_overview" => objects::overview(case, value),
        "predefined_items" => objects::predefined(case, value),
        "sql_select" if covered::looks(found) => String::new(),
        "sql_select" => rows::rows(case, value),
        "dcs_outline" => reports::outline(case, value),
        "dcs_read" => reports::part(case, value),
        "dcs_validate" => reports::why(case, value),
        "query_tables" => reports::tables(case, found),
        "module_outline" => code::module(case, value),
        "method_passport" => code::method(value),
        _ => String::new(),
    }
}

/// Why a tool gave nothing; empty if it did, or if its error led to another call.
pub(super) fn failure(case: &Case, found: &Found) -> String {
    let leads_on = found.value.get("error").is_some_and(|error| !list(error, "next").is_empty());
    if leads_on { String::new() } else { error(case, &found.value).unwrap_or_default() }
}

/// What a tool says of an empty answer: its reasons; empty if the list has entries.
fn nothing(value: &Value, keys: &[&str]) -> Option<String> {
    if keys.iter().any(|key| !list(value, key).is_empty()) {
        return None;
    }
    let reasons = value.get("state").map(|state| texts(state, "reasons").join("; ")).unwrap_or_default();
    let name = text(value, "full_name");
    match (name, reasons.as_str()) {
        (_, "") => Some(String::new()),
        ("", why) => Some(format!("{why}\n")),
        (name, why) => Some(format!("`{name}`: {why}\n")),
    }
}

/// `+` where a list goes on.
fn more(value: &Value, key: &str) -> &'static str {
    if value.get(format!("{key}_omitted")).is_some() { "+" } else { "" }
}
