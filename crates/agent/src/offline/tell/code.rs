//! What tools say of code: calls, chains, lines, places of errors, what depends on a thing.

use std::fmt::Write as _;

use serde_json::Value;

use super::{more, nothing};
use crate::offline::case::Case;
use crate::offline::evidence::{list, one_line, place, text, texts};

/// The longest text of one place, in characters.
const SNIPPET: usize = 120;
/// Steps of a chain that a line names.
const STEPS: usize = 8;

pub(super) fn impact(case: &Case, value: &Value) -> String {
    // That the configuration lists its objects is no use of one.
    let listed = |row: &&Value| text(row, "kind") == "configuration_childobjects";
    let rows: Vec<&Value> = list(value, "breaks").iter().filter(|row| !listed(row)).collect();
    let name = text(value, "full_name");
    if name.is_empty() {
        return String::new();
    }
    let head = case.say("найдено мест, которые от этого зависят", "places found that depend on it");
    let mut out = format!("`{name}` — {head}: {}{}\n", rows.len(), more(value, "breaks"));
    for row in rows {
        let kinds = [text(row, "severity"), text(row, "kind"), text(row, "certainty")].join(", ");
        let _ = writeln!(out, "- `{}` — {kinds}{}", text(row, "what"), place(row, " — "));
    }
    out
}

pub(super) fn strings(case: &Case, value: &Value) -> String {
    let (hits, sources) = (list(value, "hits"), list(value, "sources"));
    let mut out = String::new();
    if !hits.is_empty() {
        out.push_str(&case.say("Строки кода с этим текстом:\n", "Lines of code with this text:\n"));
    }
    for hit in hits {
        let _ = writeln!(out, "- `{}`{}", text(hit, "full_name"), place(hit, " — "));
    }
    if !sources.is_empty() {
        out.push_str(&case.say("Сообщение могло появиться из текста:\n", "The message may come from the text:\n"));
    }
    for source in sources {
        let (method, template) = (text(source, "method"), one_line(text(source, "template"), SNIPPET));
        let _ = writeln!(out, "- `{method}` — «{template}»{}", place(source, " — "));
    }
    out
}

pub(super) fn usages(case: &Case, value: &Value) -> String {
    if let Some(nothing) = nothing(value, &["usages"]) {
        return nothing;
    }
    let count = |row: &Value| Some(format!("{}: {}", row.get(0)?.as_str()?, row.get(1)?.as_u64()?));
    let counts: Vec<String> = list(value, "counts").iter().filter_map(count).collect();
    let total = value.get("total").and_then(Value::as_u64).unwrap_or_default();
    let head = case.say("использований", "usages");
    let mut out = format!("`{}` — {head}: {total} ({})\n", text(value, "full_name"), counts.join(", "));
    for row in list(value, "usages") {
        let _ = writeln!(out, "- `{}` — {}{}", text(row, "source"), text(row, "kind"), place(row, " — "));
    }
    out
}

pub(in crate::offline) fn entries(case: &Case, value: &Value) -> String {
    if let Some(nothing) = nothing(value, &["entries"]) {
        return nothing;
    }
    let rows = list(value, "entries");
    let head = case.say("как сюда попадают, входов", "ways that lead here");
    let mut out = format!("`{}` — {head}: {}{}\n", text(value, "full_name"), rows.len(), more(value, "entries"));
    for entry in rows {
        let _ = writeln!(out, "- {}", chain(list(entry, "chain")));
    }
    out
}

pub(super) fn path(case: &Case, value: &Value) -> String {
    if let Some(nothing) = nothing(value, &["edges"]) {
        let ends = format!("`{}` → `{}`", text(value, "from"), text(value, "to"));
        return format!("{ends}: {nothing}");
    }
    let head = case.say("Цепочка", "The chain");
    format!("{head}: `{}` → `{}`\n- {}\n", text(value, "from"), text(value, "to"), chain(list(value, "edges")))
}

/// A chain of edges on one line: where it begins, what it goes through, the places of its first and last step.
fn chain(steps: &[Value]) -> String {
    let (Some(first), Some(last)) = (steps.first(), steps.last()) else { return String::new() };
    let mut out = format!("`{}` ({})", text(first, "source"), text(first, "channel"));
    let left_out = steps.len().saturating_sub(STEPS);
    for (number, step) in steps.iter().enumerate() {
        if number == STEPS - 1 && left_out > 0 {
            out.push_str(" → …");
        }
        if number < STEPS - 1 || number + 1 == steps.len() {
            let _ = write!(out, " → `{}`", text(step, "target"));
        }
    }
    out.push_str(&place(first, " — "));
    if steps.len() > 1 {
        out.push_str(&place(last, " … "));
    }
    out
}

/// The places of an error, the one where it began first.
pub(super) fn error_places(case: &Case, value: &Value) -> String {
    let places = list(value, "places");
    if places.is_empty() {
        return String::new();
    }
    let mut out = case.say(
        "Места, которые называет ошибка, началась она в первом:\n",
        "Places that the error names; it began in the first:\n",
    );
    for one in places.iter().rev() {
        if text(one, "file").is_empty() {
            let unknown = case.say("такого модуля в индексе нет", "the index has no such module");
            let _ = writeln!(out, "{}: {unknown}", text(one, "written"));
            continue;
        }
        let stale = one.get("stale").and_then(Value::as_bool) == Some(true);
        let stale =
            if stale { case.say(" (файл изменился)", " (the file has changed)") } else { String::new() };
        let line = one_line(text(one, "text"), SNIPPET);
        let _ = writeln!(out, "- `{}`{}{stale} — `{line}`", text(one, "full_name"), place(one, " — "));
    }
    out
}

pub(super) fn method(value: &Value) -> String {
    let (name, signature) = (text(value, "full_name"), one_line(text(value, "signature"), 300));
    let doc: Vec<&str> = text(value, "doc").lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let contexts = texts(value, "contexts").join(", ");
    let mut out = format!("- `{name}`{}\n", place(value, " — "));
    for line in [signature, contexts].into_iter().filter(|line| !line.is_empty()) {
        let _ = writeln!(out, "{line}");
    }
    for line in doc {
        let _ = writeln!(out, "{line}");
    }
    out
}
