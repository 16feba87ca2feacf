//! How answers show what proves them.

use std::fmt::Write as _;

use serde_json::Value;

use super::Speech;
use super::case::Case;

/// The most evidence lines of one list.
pub(super) const LINES: usize = 40;

/// A text field of a result.
pub(super) fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}

/// A list field of a result.
pub(super) fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value.get(key).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
}

/// A list of texts.
pub(super) fn texts<'a>(value: &'a Value, key: &str) -> Vec<&'a str> {
    list(value, key).iter().filter_map(Value::as_str).collect()
}

/// One line an edge: the thing at `end`, channel, confidence, place.
pub(super) fn edges(rows: &[Value], end: &str, most: usize) -> String {
    let mut out = String::new();
    for edge in rows.iter().take(most) {
        let _ = write!(out, "- `{}` — {}, {}", text(edge, end), text(edge, "channel"), text(edge, "confidence"));
        let _ = writeln!(out, "{}", place(edge, " — "));
    }
    out
}

/// `file:line`, with something before it; nothing if there is no file.
pub(super) fn place(value: &Value, before: &str) -> String {
    match (text(value, "file"), value.get("line").and_then(Value::as_u64)) {
        ("", _) => String::new(),
        (file, None | Some(0)) => format!("{before}{file}"),
        (file, Some(line)) => format!("{before}{file}:{line}"),
    }
}

/// Why an answer may not be all; empty if it is.
pub(super) fn incompleteness(case: &Case, value: &Value) -> String {
    let Some(state) = value.get("state") else { return String::new() };
    let reasons = texts(state, "reasons");
    if state.get("complete").and_then(Value::as_bool) == Some(true) || reasons.is_empty() {
        return String::new();
    }
    let head = case.say("Ответ может быть неполным", "The answer may not be complete");
    format!("{head}: {}.", reasons.join("; "))
}

/// What is said of a name that isn't there.
pub(super) fn not_there(case: &Case, value: &Value) -> String {
    let mut out = case.say(
        &format!("В конфигурации нет ничего с именем «{}».", case.subject),
        &format!("Nothing in the configuration is named “{}”.", case.subject),
    );
    let mut near = texts(value, "nearest");
    if near.is_empty() {
        near = value.get("error").map(|error| texts(error, "nearest")).unwrap_or_default();
    }
    if !near.is_empty() {
        out.push('\n');
        out.push_str(&case.say("Ближайшие имена:", "Nearest names:"));
        for name in near {
            let _ = write!(out, "\n- `{name}`");
        }
    }
    out
}

/// An error of a tool, for the reader.
pub(super) fn error(case: &Case, value: &Value) -> Option<String> {
    let error = value.get("error")?;
    let head = case.say("Не получилось", "It did not work");
    let hint = text(error, "hint");
    let hint = if hint.is_empty() { String::new() } else { format!(" ({hint})") };
    Some(format!("{head}: {}{hint}", text(error, "message")))
}

/// A number with its noun: Russian has three forms.
pub(super) fn counted(speech: Speech, count: usize, ru: [&str; 3], en: [&str; 2]) -> String {
    let form = match (speech, count % 10, count % 100) {
        (Speech::English, _, _) => en[usize::from(count != 1)],
        (Speech::Russian, 1, tens) if tens != 11 => ru[0],
        (Speech::Russian, 2..=4, tens) if !(12..=14).contains(&tens) => ru[1],
        (Speech::Russian, _, _) => ru[2],
    };
    format!("{count} {form}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn russian_numbers() {
        let say = |count| counted(Speech::Russian, count, ["вызов", "вызова", "вызовов"], ["call", "calls"]);
        assert_eq!(
            [1, 3, 5, 11, 12, 21, 112].map(say).join(", "),
            "1 вызов, 3 вызова, 5 вызовов, 11 вызовов, 12 вызовов, 21 вызов, 112 вызовов"
        );
        assert_eq!(counted(Speech::English, 1, [""; 3], ["call", "calls"]), "1 call");
    }
}
