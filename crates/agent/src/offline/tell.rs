//! Results of tools as lines for a reader. A list that a tool gives has one line an entry, with the place that proves it.

use std::fmt::Write as _;

use serde_json::Value;

use super::case::{Case, Found};
use super::evidence::{list, place, text, texts};

/// Whether a line names its place: `….bsl:12`, `….xml`.
pub(super) fn is_evidence(line: &str) -> bool {
    line.starts_with("- ") && (line.contains(".bsl:") || line.contains(".xml"))
}

/// A result; empty if it says nothing.
pub(super) fn result(case: &Case, found: &Found) -> String {
    let value = &found.value;
    match found.tool.as_str() {
        "impact_analysis" => impact(case, value),
        "literal_search" => strings(case, value),
        "role_rights" => rights(case, value),
        "register_movements" => movements(case, value),
        "scheduled_jobs" => jobs(value),
        "relation_path" => paths(case, value),
        "dcs_outline" => outline(case, value),
        "dcs_read" => part(value),
        "query_tables" => tables(case, found),
        "read_metadata" => metadata(case, value),
        "method_passport" => format!("`{}`{}\n{}\n", text(value, "full_name"), place(value, " — "), text(value, "doc")),
        _ => String::new(),
    }
}

fn impact(case: &Case, value: &Value) -> String {
    // That the configuration lists its objects is no use of one.
    let listed = |row: &&Value| text(row, "kind") == "configuration_childobjects";
    let rows: Vec<&Value> = list(value, "breaks").iter().filter(|row| !listed(row)).collect();
    let name = text(value, "full_name");
    if name.is_empty() {
        return String::new();
    }
    let head = case.say("найдено мест, которые от этого зависят", "places found that depend on it");
    let more = if value.get("breaks_omitted").is_some() { "+" } else { "" };
    let mut out = format!("`{name}` — {head}: {}{more}\n", rows.len());
    for row in rows {
        let kinds = [text(row, "severity"), text(row, "kind"), text(row, "certainty")].join(", ");
        let _ = writeln!(out, "- `{}` — {kinds}{}", text(row, "what"), place(row, " — "));
    }
    out
}

fn strings(case: &Case, value: &Value) -> String {
    let hits = list(value, "hits");
    if hits.is_empty() {
        return String::new();
    }
    let mut out = case.say("Строки кода с этим именем:\n", "Lines of code with this name:\n");
    for hit in hits {
        let _ = writeln!(out, "- `{}`{}", text(hit, "full_name"), place(hit, " — "));
    }
    out
}

fn rights(case: &Case, value: &Value) -> String {
    let rows = list(value, "roles");
    if rows.is_empty() {
        return String::new();
    }
    let mut out = format!("`{}` — {}: {}\n", text(value, "full_name"), case.say("роли", "roles"), rows.len());
    for row in rows {
        let (granted, denied) = (texts(row, "granted").join(", "), texts(row, "denied"));
        let _ = write!(out, "- `{}`{}: {granted}", text(row, "role"), text(row, "object"));
        if !denied.is_empty() {
            let first = denied.get(..denied.len().min(4)).unwrap_or_default().join(", ");
            let _ = write!(out, " ({} {}: {first}…)", case.say("запрещено", "denied"), denied.len());
        }
        out.push('\n');
    }
    out
}

fn movements(case: &Case, value: &Value) -> String {
    let name = text(value, "full_name");
    if name.is_empty() {
        return String::new();
    }
    let mut out = format!("`{name}` — {}:\n", case.say("движения", "movements"));
    for key in ["documents", "registers"] {
        for row in list(value, key) {
            let other = [text(row, "document"), text(row, "register")].concat();
            let _ = writeln!(out, "- `{other}` — {}{}", text(row, "evidence"), place(row, " — "));
        }
    }
    out
}

fn jobs(value: &Value) -> String {
    let mut out = String::new();
    for job in list(value, "jobs") {
        let _ = writeln!(out, "- `{}` → `{}`{}", text(job, "name"), text(job, "method"), place(job, " — "));
    }
    out
}

fn paths(case: &Case, value: &Value) -> String {
    let mut out = String::new();
    for (number, path) in (1..).zip(list(value, "paths")) {
        let _ = write!(out, "{} {number}: ", case.say("Путь", "Path"));
        let steps = list(path, "steps").iter();
        let steps: Vec<String> = steps
            .map(|step| format!("`{}`, {} → `{}`", text(step, "table"), text(step, "field"), text(step, "refers_to")))
            .collect();
        let _ = writeln!(out, "{}", steps.join("; "));
    }
    out
}

fn outline(case: &Case, value: &Value) -> String {
    let name = text(value, "full_name");
    if name.is_empty() {
        return String::new();
    }
    let mut out = format!("- `{name}` — {}\n", text(value, "file"));
    for (key, label) in [
        ("data_sets", case.say("Набор данных", "Data set")),
        ("parameters", case.say("Параметр", "Parameter")),
        ("totals", case.say("Итог", "Total")),
        ("variants", case.say("Вариант", "Variant")),
    ] {
        let rows = list(value, key);
        let names: Vec<String> = rows
            .iter()
            .map(|row| match [text(row, "name"), text(row, "path")].concat() {
                name if text(row, "kind").is_empty() => name,
                name => format!("{name} ({})", text(row, "kind")),
            })
            .collect();
        if !names.is_empty() {
            let _ = writeln!(out, "{label}: {}", names.join(", "));
        }
    }
    out
}

fn part(value: &Value) -> String {
    let file = text(value, "file");
    let query = text(value, "text");
    if !query.is_empty() {
        // What a query reads and what it asks of it stand behind «ИЗ»; the fields are listed as such.
        let lines: Vec<&str> = query.lines().map(str::trim).collect();
        let from = lines.iter().position(|line| matches!(*line, "ИЗ" | "FROM")).unwrap_or(0);
        return lines.get(from..).unwrap_or_default().join(" ") + "\n";
    }
    let mut out = String::new();
    for row in list(value, "entries") {
        let line = row.get("line").and_then(Value::as_u64).unwrap_or_default();
        let name = [text(row, "path"), text(row, "name")].concat();
        let source = [text(row, "source"), text(row, "expression")].concat();
        let equals = if source.is_empty() { "" } else { " = " };
        let _ = writeln!(out, "- {name}{equals}{source} — {file}:{line}");
    }
    out
}

fn tables(case: &Case, found: &Found) -> String {
    let value = &found.value;
    if value.get("queries").is_none() {
        return String::new();
    }
    let rows = list(value, "queries");
    let only_reports = super::words::holds(&super::words::plain(&case.question), "report");
    let of_schema = |row: &&Value| text(row, "owner").contains(".Template.");
    let mut owners: Vec<String> = rows
        .iter()
        .filter(|row| !only_reports || of_schema(row))
        .map(|row| format!("- `{}`{}", text(row, "owner"), place(row, " — ")))
        .collect();
    owners.dedup();
    let table = text(&found.arguments, "name");
    let head = if only_reports {
        case.say("читают схемы компоновки", "is read by the report schemas")
    } else {
        case.say("читают запросы", "is read by the queries")
    };
    format!("`{table}` {head}: {}\n{}\n", owners.len(), owners.join("\n"))
}

fn metadata(case: &Case, value: &Value) -> String {
    let name = text(value, "full_name");
    if name.is_empty() {
        return String::new();
    }
    let mut out = format!("`{name}` «{}»{}\n", text(value, "synonym"), place(value, " — "));
    let pairs = |key: &str| {
        let rows = list(value, key).iter().filter_map(Value::as_array);
        rows.filter_map(|row| Some((row.first()?.as_str()?, row.get(1)?.as_str()?))).collect::<Vec<_>>()
    };
    for (what, target) in pairs("links") {
        let _ = writeln!(out, "{what}: `{target}`");
    }
    for child in list(value, "children").iter().take(20) {
        let _ = writeln!(out, "{} `{}`", text(child, "kind"), text(child, "full_name"));
    }
    let attributes = list(value, "attributes").iter();
    let attributes: Vec<String> = attributes
        .filter(|row| text(row, "kind") != "StandardAttribute")
        .map(|row| format!("{} {} ({})", text(row, "kind"), text(row, "name"), text(row, "types")))
        .collect();
    if !attributes.is_empty() {
        let _ = writeln!(out, "{}: {}", case.say("Реквизиты", "Attributes"), attributes.join(", "));
    }
    let properties: Vec<String> = pairs("properties").iter().map(|(key, value)| format!("{key}={value}")).collect();
    if !properties.is_empty() {
        let _ = writeln!(out, "{}: {}", case.say("Свойства", "Properties"), properties.join(", "));
    }
    out
}
