//! What tools say of movements, scheduled jobs and event subscriptions.

use std::fmt::Write as _;

use serde_json::Value;

use super::{more, nothing};
use crate::offline::case::Case;
use crate::offline::evidence::{list, place, text};

pub(super) fn movements(case: &Case, value: &Value) -> String {
    if let Some(nothing) = nothing(value, &["documents", "registers"]) {
        return nothing;
    }
    let name = text(value, "full_name");
    let mut out = format!("`{name}` — {}:\n", case.say("движения", "movements"));
    for row in ["documents", "registers"].iter().flat_map(|key| list(value, key)) {
        let other = [text(row, "document"), text(row, "register")].concat();
        let _ = writeln!(out, "- `{other}` — {}{}", text(row, "evidence"), place(row, " — "));
        for code in list(row, "code") {
            let _ = writeln!(out, "- `{}` → `{other}`{}", text(code, "method"), place(code, " — "));
        }
    }
    out
}

pub(super) fn jobs(case: &Case, value: &Value) -> String {
    if let Some(nothing) = nothing(value, &["jobs"]) {
        return nothing;
    }
    let mut out = String::new();
    for job in list(value, "jobs") {
        let off = job.get("enabled").and_then(Value::as_bool) == Some(false);
        let off = if off { case.say(", выключено", ", switched off") } else { String::new() };
        let schedule = match text(job, "schedule") {
            "" => String::new(),
            schedule => format!(" ({schedule}{off})"),
        };
        let _ = writeln!(out, "- `{}` → `{}`{schedule}{}", text(job, "name"), text(job, "method"), place(job, " — "));
    }
    if !more(value, "jobs").is_empty() {
        let _ = writeln!(out, "{}", case.say("… есть и другие", "… there are more"));
    }
    for named in list(value, "named_in_code") {
        let _ = writeln!(out, "- `{}` — {}{}", text(named, "source"), text(named, "kind"), place(named, " — "));
    }
    out
}

pub(super) fn subscriptions(case: &Case, value: &Value) -> String {
    if let Some(nothing) = nothing(value, &["subscriptions"]) {
        return nothing;
    }
    let name = match text(value, "full_name") {
        "" => String::new(),
        name => format!("`{name}` — "),
    };
    let total = value.get("total").and_then(Value::as_u64).unwrap_or_default();
    let head = case.say("подписок на события", "event subscriptions");
    let mut out = format!("{name}{head}: {total}{}\n", more(value, "subscriptions"));
    for row in list(value, "subscriptions") {
        let (event, handler) = (text(row, "event"), text(row, "handler"));
        let _ = writeln!(out, "- `{}`: {event} → `{handler}`{}", text(row, "name"), place(row, " — "));
    }
    out
}
