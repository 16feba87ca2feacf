//! Who calls a method: resolve the name, ask for its callers, show them with evidence; where it is asked whence it is called,
//! also the ways that lead there.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::case::Case;
use super::evidence::{LINES, counted, edges, error, incompleteness, list, not_there, text, texts};
use super::tell;
use super::words::{holds, plain};
use super::{Investigation, Speech, Step};

pub(super) static INVESTIGATION: Investigation = Investigation {
    triggers: &[
        (Speech::Russian, "кто вызывает"),
        (Speech::Russian, "кто зовёт"),
        (Speech::Russian, "кто зовет"),
        (Speech::Russian, "кем вызывается"),
        (Speech::Russian, "кто использует метод"),
        (Speech::Russian, "откуда вызывается"),
        (Speech::Russian, "откуда вызывают"),
        (Speech::Russian, "где вызывается"),
        (Speech::Russian, "где вызывают"),
        (Speech::Russian, "найди вызовы"),
        (Speech::Russian, "вызовы"),
        (Speech::English, "who calls"),
        (Speech::English, "what calls"),
        (Speech::English, "callers of"),
        (Speech::English, "where is … called from"),
        (Speech::English, "where is … called"),
    ],
    step,
};

/// Things of one name whose callers are asked for.
const SEVERAL: usize = 5;
/// Callers that are asked for.
const CALLERS: usize = 60;
/// Ways in that are asked for.
const WAYS: usize = 5;

fn step(case: &Case) -> Step {
    if case.subject.is_empty() {
        return Step::Answer(
            case.say("Назовите метод: «Кто вызывает Модуль.Метод».", "Name a method: “Who calls Модуль.Метод”."),
        );
    }
    let Some(resolved) = case.of("resolve_entity").next() else {
        return Step::Call(vec![("resolve_entity", json!({ "query": case.subject }))]);
    };
    if let Some(message) = error(case, &resolved.value) {
        return Step::Answer(message);
    }
    let called: Vec<_> = case.of("callers").collect();
    if !called.is_empty() {
        let parts: Vec<String> = called.iter().map(|found| one(case, &found.arguments, &found.value)).collect();
        let mut answer = parts.join("\n\n");
        for ways in case.of("entry_points") {
            let _ = write!(answer, "\n\n{}", tell::result(case, ways).trim_end());
        }
        let all = list(&resolved.value, "matches").len();
        if all > called.len() {
            answer.push_str("\n\n");
            answer.push_str(&case.say("Под этим именем есть и другое, уточните:", "Other things have this name, too:"));
            for other in list(&resolved.value, "matches").iter().skip(called.len()) {
                answer.push_str(&format!("\n- `{}`", text(other, "full_name")));
            }
        }
        return Step::Answer(answer);
    }
    let names = meant(&resolved.value);
    if names.is_empty() {
        return Step::Answer(not_there(case, &resolved.value));
    }
    let whence = holds(&plain(&case.question), "whence");
    let mut calls = Vec::new();
    for name in names {
        calls.push(("callers", json!({ "name": name, "limit": CALLERS })));
        if whence {
            calls.push(("entry_points", json!({ "name": name, "limit": WAYS })));
        }
    }
    Step::Call(calls)
}

/// The things that the name means: all of the best sort, methods before others.
fn meant(value: &Value) -> Vec<&str> {
    let matches = list(value, "matches");
    let Some(best) = matches.first().map(|first| text(first, "how")) else { return Vec::new() };
    let best: Vec<&Value> = matches.iter().filter(|found| text(found, "how") == best).collect();
    let methods: Vec<&Value> = best.iter().copied().filter(|found| text(found, "kind") == "method").collect();
    let chosen = if methods.is_empty() { best } else { methods };
    chosen.into_iter().map(|found| text(found, "full_name")).take(SEVERAL).collect()
}

pub(super) fn one(case: &Case, arguments: &Value, value: &Value) -> String {
    if let Some(message) = error(case, value) {
        return message;
    }
    let name = match text(value, "full_name") {
        "" => text(arguments, "name"),
        name => name,
    };
    let rows = list(value, "edges");
    if rows.is_empty() {
        let reasons = value.get("state").map(|state| texts(state, "reasons").join("; ")).unwrap_or_default();
        return format!("`{name}`: {reasons}");
    }
    let sources: std::collections::BTreeSet<&str> = rows.iter().map(|edge| text(edge, "source")).collect();
    let more = match (value.get("edges_omitted"), case.speech) {
        (None, _) => "",
        (Some(_), Speech::Russian) => " (первые, есть ещё)",
        (Some(_), Speech::English) => " (the first, there are more)",
    };
    let head = match case.speech {
        Speech::Russian => format!(
            "`{name}`: {} из {}{more}:",
            counted(case.speech, rows.len(), ["вызов", "вызова", "вызовов"], [""; 2]),
            counted(case.speech, sources.len(), ["места", "мест", "мест"], [""; 2]),
        ),
        Speech::English => format!(
            "`{name}`: {} from {}{more}:",
            counted(case.speech, rows.len(), [""; 3], ["call", "calls"]),
            counted(case.speech, sources.len(), [""; 3], ["place", "places"]),
        ),
    };
    let mut out = format!("{head}\n{}", edges(rows, "source", LINES));
    if rows.len() > LINES {
        let rest = rows.len() - LINES;
        out.push_str(&case.say(&format!("… и ещё {rest}\n"), &format!("… and {rest} more\n")));
    }
    out.push_str(&incompleteness(case, value));
    out.trim_end().to_owned()
}
