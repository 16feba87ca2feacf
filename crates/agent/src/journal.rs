//! What was called so far, and what it gave.

use std::collections::VecDeque;
use std::fmt::Write as _;

use serde_json::Value;

use crate::toolbox::ToolOutcome;

/// How many calls are remembered.
pub const ENTRIES: usize = 40;

/// The last calls, oldest first: a compact trace of each for the model, the whole result for a call that comes again.
#[derive(Debug, Default)]
pub struct Journal {
    entries: VecDeque<Entry>,
}

#[derive(Debug)]
struct Entry {
    key: String,
    version: String,
    trace: String,
    outcome: ToolOutcome,
}

/// The longest arguments in a trace, in characters.
const TRACE_ARGUMENTS: usize = 160;
/// The longest result in a trace, in characters.
const TRACE_RESULT: usize = 240;

impl Journal {
    /// Remembers a call. Errors are not kept: what failed may succeed the next time.
    pub fn add(&mut self, name: &str, arguments: &Value, version: &str, outcome: &ToolOutcome) {
        if !outcome.ok {
            return;
        }
        let key = key(name, arguments);
        self.entries.retain(|entry| entry.key != key);
        if self.entries.len() == ENTRIES {
            self.entries.pop_front();
        }
        let trace = format!(
            "{name} {} → {}",
            shortened(&canonical(arguments).to_string(), TRACE_ARGUMENTS),
            shortened(&outcome.summary, TRACE_RESULT),
        );
        self.entries.push_back(Entry { key, version: version.to_owned(), trace, outcome: outcome.clone() });
    }

    /// The whole result of the same call, if nothing has changed since.
    pub fn find(&self, name: &str, arguments: &Value, version: &str) -> Option<&ToolOutcome> {
        let key = key(name, arguments);
        self.entries.iter().find(|entry| entry.key == key && entry.version == version).map(|entry| &entry.outcome)
    }

    /// The compact trace of a call, whatever has changed since.
    pub(crate) fn trace(&self, name: &str, arguments: &Value) -> Option<&str> {
        let key = key(name, arguments);
        self.entries.iter().find(|entry| entry.key == key).map(|entry| entry.trace.as_str())
    }

    /// The traces in at most `ceiling` characters, one a line, oldest first. What doesn't fit are whole entries, the oldest.
    /// Entries of another version are left out: they may no longer hold.
    pub fn render(&self, ceiling: usize, version: &str) -> Option<String> {
        self.render_since(0, ceiling, version)
    }

    /// As [`Journal::render`], without the first `skip` entries.
    pub fn render_since(&self, skip: usize, ceiling: usize, version: &str) -> Option<String> {
        let mut left = ceiling;
        let mut lines: Vec<&str> = Vec::new();
        for entry in self.entries.iter().skip(skip).rev().filter(|entry| entry.version == version) {
            let length = entry.trace.chars().count() + 3;
            if length > left {
                break;
            }
            left -= length;
            lines.push(&entry.trace);
        }
        lines.reverse();
        let mut text = String::new();
        for line in lines {
            let _ = writeln!(text, "- {line}");
        }
        (!text.is_empty()).then(|| text.trim_end().to_owned())
    }

    /// Number of entries.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether nothing was called.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}

/// What makes two calls the same: the order of keys and arguments that are `null` make no difference.
pub(crate) fn key(name: &str, arguments: &Value) -> String {
    format!("{name} {}", canonical(arguments))
}

fn canonical(value: &Value) -> Value {
    match value {
        Value::Object(map) => {
            let mut pairs: Vec<(&String, &Value)> = map.iter().filter(|(_, value)| !value.is_null()).collect();
            pairs.sort_by_key(|(key, _)| *key);
            Value::Object(pairs.into_iter().map(|(key, value)| (key.clone(), canonical(value))).collect())
        }
        Value::Array(items) => Value::Array(items.iter().map(canonical).collect()),
        other => other.clone(),
    }
}

/// A text on one line, cut to a number of characters.
pub(crate) fn shortened(text: &str, limit: usize) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(limit) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or(&line).trim_end()),
        None => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn outcome(summary: &str) -> ToolOutcome {
        ToolOutcome { content: format!("[{summary}]"), summary: summary.to_owned(), ok: true }
    }

    #[test]
    fn the_same_call_is_found_whatever_the_order_of_keys() {
        let mut journal = Journal::default();
        journal.add("callers", &json!({"name": "М", "depth": 1, "limit": null}), "v1", &outcome("3 вызова"));
        let again = json!({"depth": 1, "name": "М"});
        assert_eq!(journal.find("callers", &again, "v1").map(|found| found.content.as_str()), Some("[3 вызова]"));
        assert!(journal.find("callers", &again, "v2").is_none());
        assert!(journal.find("callees", &again, "v1").is_none());
        assert!(journal.render(1000, "v2").is_none());
    }

    #[test]
    fn forty_entries_are_kept_and_cut_at_their_borders() {
        let mut journal = Journal::default();
        for number in 0..50 {
            journal.add("t", &json!({ "n": number }), "v", &outcome(&format!("ответ {number}")));
        }
        assert_eq!(journal.len(), ENTRIES);
        let all = journal.render(10_000, "v").unwrap();
        assert!(all.starts_with("- t {\"n\":10} → ответ 10\n"));
        let line = "- t {\"n\":49} → ответ 49";
        assert_eq!(journal.render(line.chars().count() * 2, "v").unwrap().lines().next_back(), Some(line));
        assert_eq!(journal.render(line.chars().count() + 5, "v").unwrap(), line);
        assert_eq!(journal.render(5, "v"), None);
    }

    #[test]
    fn errors_are_not_kept() {
        let mut journal = Journal::default();
        journal.add("t", &json!({}), "v", &ToolOutcome { ok: false, ..outcome("нет") });
        assert!(journal.is_empty());
    }
}
