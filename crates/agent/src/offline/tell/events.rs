//! What tools say of movements, scheduled jobs, event subscriptions and notifications of forms.

use std::fmt::Write as _;

use serde_json::Value;

use super::{more, nothing};
use crate::offline::case::Case;
use crate::offline::covered::spoken_of;
use crate::offline::evidence::{list, place, text, texts};

/// Subscriptions whose sources are told.
const FEW: usize = 3;
/// Sources of one subscription that are named.
const SOURCES: usize = 60;

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
    for job in spoken_of(case, list(value, "jobs"), &["name", "method"]) {
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
    let rows = spoken_of(case, list(value, "subscriptions"), &["name", "handler"]);
    for row in &rows {
        let (event, handler) = (text(row, "event"), text(row, "handler"));
        // Of a list the sources would be most of the answer.
        let sources = texts(row, "sources");
        let shown = sources.get(..sources.len().min(SOURCES)).unwrap_or_default().join(", ");
        let dots = if sources.len() > SOURCES { ", …" } else { "" };
        let sources = match rows.len() {
            1..=FEW if !shown.is_empty() => {
                let total = row.get("sources_total").and_then(Value::as_u64).unwrap_or_default();
                format!("; {} {total}: {shown}{dots}", case.say("источников", "sources"))
            }
            _ => String::new(),
        };
        let _ = writeln!(out, "- `{}`: {event} → `{handler}`{sources}{}", text(row, "name"), place(row, " — "));
    }
    out
}

pub(super) fn notifications(case: &Case, value: &Value) -> String {
    if let Some(nothing) = nothing(value, &["events"]) {
        return nothing;
    }
    let mut out = String::new();
    for event in list(value, "events") {
        let (senders, handlers) = (list(event, "senders"), list(event, "handlers"));
        let _ = writeln!(
            out,
            "{} «{}»: {} {}, {} {}",
            case.say("Оповещение", "Notification"),
            text(event, "event"),
            case.say("отправителей", "senders"),
            senders.len(),
            case.say("обработчиков", "handlers"),
            handlers.len()
        );
        let sends = case.say("отправляет", "sends");
        let handles = case.say("обрабатывает", "handles");
        for (row, does) in senders.iter().map(|row| (row, &sends)).chain(handlers.iter().map(|row| (row, &handles))) {
            let _ =
                writeln!(out, "- `{}` — {does}, {}{}", text(row, "method"), text(row, "channel"), place(row, " — "));
        }
    }
    out
}
