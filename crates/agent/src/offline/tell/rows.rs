//! Rows of a query that one of our own plans asked: who, what it leads to, how, where.

use std::fmt::Write as _;

use serde_json::Value;

use crate::offline::case::Case;
use crate::offline::evidence::{list, text};

/// Lines of one place that are shown.
const PLACES: usize = 8;

pub(super) fn rows(case: &Case, value: &Value) -> String {
    // One line for each pair and kind, with all its places.
    let mut told: Vec<(&Value, Vec<u64>)> = Vec::new();
    for row in list(value, "rows").iter().filter(|row| !text(row, "source").is_empty()) {
        let line = row.get("line").and_then(Value::as_u64).filter(|line| *line > 0);
        let same =
            |other: &Value| ["source", "target", "kind", "file"].iter().all(|key| text(other, key) == text(row, key));
        match told.iter_mut().find(|(known, _)| same(known)) {
            Some((_, lines)) => lines.extend(line.filter(|line| !lines.contains(line))),
            None => told.push((row, line.into_iter().collect())),
        }
    }
    let mut out = String::new();
    for (row, lines) in told {
        let (source, target, kind, file) =
            (text(row, "source"), text(row, "target"), text(row, "kind"), text(row, "file"));
        let target = if target.is_empty() { String::new() } else { format!(" → `{target}`") };
        let kind = if kind.is_empty() { String::new() } else { format!(" — {kind}") };
        let shown: Vec<String> = lines.iter().take(PLACES).map(u64::to_string).collect();
        let lines = if shown.is_empty() { String::new() } else { format!(":{}", shown.join(", ")) };
        let place = if file.is_empty() { String::new() } else { format!(" — {file}{lines}") };
        let _ = writeln!(out, "- `{source}`{target}{kind}{place}");
    }
    if value.get("rows_omitted").is_some() {
        let _ = writeln!(out, "{}", case.say("… есть и другие", "… there are more"));
    }
    out
}
