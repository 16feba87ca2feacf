//! Which roles may do what with an object or with the configuration, and what a role may.

use serde_json::{Value, json};

use super::case::Case;
use super::investigate::{Ask, Job};
use super::things::Thing;
use super::words::{Token, family, named_right, tokens};

/// Kinds on which roles say nothing.
const WITHOUT: &[&str] = &[
    "method",
    "CommonModule",
    "predefined",
    "EnumValue",
    "Enum",
    "EventSubscription",
    "ScheduledJob",
    "FunctionalOption",
    "DefinedType",
    "Role",
];
/// Words that may be the name of a right which are asked for.
const RIGHTS: usize = 4;

pub(super) static JOB: Job = Job { name: "rights", calls };

fn calls(case: &Case, things: &[Thing]) -> Vec<Ask> {
    let tokens = tokens(&case.question);
    if things.is_empty() {
        let right = |right: &str| ("role_rights", json!({ "name": "Configuration", "right": right }));
        return rights_by_name(&tokens).into_iter().map(right).collect();
    }
    let right = named_right(&tokens).map(|(right, _)| right);
    let mut calls = Vec::new();
    for thing in things {
        if thing.kind == "Role" {
            calls.push(("role_rights", json!({ "name": thing.name })));
        } else if !WITHOUT.contains(&thing.kind.as_str()) {
            calls.extend(right.map(|right| ("role_rights", json!({ "name": thing.name, "right": right }))));
            calls.push(("role_rights", json!({ "name": thing.name })));
        }
    }
    calls
}

/// Words that may be the name of a right of the configuration: with a capital, or beside the word for a right.
fn rights_by_name(tokens: &[Token]) -> Vec<&str> {
    let says = |at: Option<usize>| at.is_some_and(|at| !family(tokens, at, "word:right").is_empty());
    let may_be = |at: &usize| {
        let token = tokens.get(*at);
        token.is_some_and(|token| token.is_name) || says(at.checked_sub(1)) || says(at.checked_add(1))
    };
    let found = (0..tokens.len()).filter(may_be).filter_map(|at| tokens.get(at));
    let found = found.filter(|token| token.written.chars().count() > 2);
    found.map(|token| token.written.as_str()).take(RIGHTS).collect()
}

/// Whether a right that was only guessed from a word is one that roles grant.
pub(super) fn is_guess_in_vain(arguments: &Value, value: &Value) -> bool {
    let of_configuration = arguments.get("name").and_then(Value::as_str) == Some("Configuration");
    of_configuration && arguments.get("right").is_some() && value.get("total").and_then(Value::as_u64) == Some(0)
}
