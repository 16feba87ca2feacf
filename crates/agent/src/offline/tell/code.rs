//! What tools say of code: calls, chains, lines, places of errors.

use std::fmt::Write as _;

use serde_json::Value;

use super::{more, nothing};
use crate::offline::case::{Case, Found};
use crate::offline::evidence::{list, one_line, place, text, texts};

/// The longest text of one place, in characters.
const SNIPPET: usize = 120;
/// Steps of a chain that a line names.
const STEPS: usize = 8;

pub(super) fn strings(case: &Case, found: &Found) -> String {
    let value = &found.value;
    let (hits, sources) = (list(value, "hits"), list(value, "sources"));
    let mut out = String::new();
    let literal = text(&found.arguments, "text");
    if !hits.is_empty() && !literal.contains(' ') {
        let none = case.say("В метаданных и среди методов такого имени нет", "No metadata and no method has this name");
        let _ = writeln!(out, "«{literal}»: {none}.");
    }
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

/// What a method calls: each callee once, with the lines of its calls.
pub(super) fn callees(case: &Case, value: &Value) -> String {
    if let Some(nothing) = nothing(value, &["edges"]) {
        return nothing;
    }
    let mut called: Vec<(&Value, Vec<String>)> = Vec::new();
    // Writing something of unknown type may run any object's handler: no answer to what a method calls.
    let guessed = |edge: &&Value| text(edge, "channel") == "object_event" && text(edge, "confidence") == "candidate";
    for edge in list(value, "edges").iter().filter(|edge| !guessed(edge)) {
        let line = edge.get("line").and_then(Value::as_u64).map(|line| line.to_string());
        match called.iter_mut().find(|(known, _)| text(known, "target") == text(edge, "target")) {
            Some((_, lines)) => lines.extend(line),
            None => called.push((edge, line.into_iter().collect())),
        }
    }
    let head = case.say("вызывает, всего", "calls, in all");
    let mut out = format!("`{}` {head}: {}{}\n", text(value, "full_name"), called.len(), more(value, "edges"));
    for (edge, lines) in called {
        let (target, channel, file) = (text(edge, "target"), text(edge, "channel"), text(edge, "file"));
        let _ = writeln!(out, "- → `{target}` — {channel} — {file}:{}", lines.join(", "));
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

/// The methods of a module, those that others may call first.
pub(super) fn module(case: &Case, value: &Value) -> String {
    let (name, file) = (text(value, "full_name"), text(value, "file"));
    if name.is_empty() {
        return String::new();
    }
    let is_export = |row: &&Value| row.get("export").and_then(Value::as_bool) == Some(true);
    let (exported, own): (Vec<&Value>, Vec<&Value>) = list(value, "methods").iter().partition(is_export);
    let mut out = format!(
        "- `{name}` — {}: {}{} — {file}:1\n",
        case.say("методов", "methods"),
        exported.len() + own.len(),
        more(value, "methods")
    );
    for (head, rows) in [(case.say("Экспортные", "Exported"), exported), (case.say("Свои", "Its own"), own)]
    {
        if !rows.is_empty() {
            let names: Vec<&str> = rows.into_iter().map(|row| text(row, "name")).collect();
            let _ = writeln!(out, "{head}: {}", names.join(", "));
        }
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
