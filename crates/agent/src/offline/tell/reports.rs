//! What tools say of report schemas, and of queries that read a table.

use std::fmt::Write as _;

use serde_json::Value;

use super::more;
use crate::offline::case::{Case, Found};
use crate::offline::evidence::{list, one_line, text, texts};
use crate::offline::words::{holds, plain};

/// The longest expression or explanation on a line, in characters.
const LONG: usize = 240;
/// Findings of checks that are told where no cause is sure.
const FINDINGS: usize = 5;
/// Expressions of one query that are told.
const EXPRESSIONS: usize = 30;
/// Owners of queries without a place that are named.
const NAMED: usize = 12;
/// Lines of one query's owner that are shown.
const PLACES: usize = 8;

pub(super) fn outline(case: &Case, value: &Value) -> String {
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
                // Rows that code hands over are known there by this name.
                name if !text(row, "object").is_empty() && text(row, "object") != name => {
                    format!("{name} ({}: {})", text(row, "kind"), text(row, "object"))
                }
                name => format!("{name} ({})", text(row, "kind")),
            })
            .collect();
        if !names.is_empty() {
            let _ = writeln!(out, "{label}: {}", names.join(", "));
        }
    }
    out
}

pub(super) fn part(case: &Case, value: &Value) -> String {
    let file = text(value, "file");
    let query = text(value, "text");
    if !query.is_empty() {
        // What a query reads and what it asks of it stand behind «ИЗ»; the fields are listed as such.
        let lines: Vec<&str> = query.lines().map(str::trim).collect();
        let from = lines.iter().position(|line| matches!(*line, "ИЗ" | "FROM")).unwrap_or(0);
        let tables = sources(query);
        let head = match tables.is_empty() {
            true => String::new(),
            false => format!("{}: {}\n", case.say("Таблицы запроса", "Tables of the query"), tables.join(", ")),
        };
        let mut head = head;
        let line = value.get("line").and_then(Value::as_u64).unwrap_or_default();
        for expression in expressions(query) {
            let _ = writeln!(head, "- {} — {file}:{line}", one_line(&expression, LONG));
        }
        return head + &lines.get(from..).unwrap_or_default().join(" ") + "\n";
    }
    let mut out = String::new();
    for row in list(value, "entries") {
        let line = row.get("line").and_then(Value::as_u64).unwrap_or_default();
        let name = [text(row, "path"), text(row, "name")].concat();
        let source = one_line(&[text(row, "source"), text(row, "expression")].concat(), LONG);
        let equals = if source.is_empty() { "" } else { " = " };
        let _ = writeln!(out, "- {name}{equals}{source} — {file}:{line}");
    }
    out
}

/// The tables that a query reads, as it calls them: `РегистрСведений.Цены.СрезПоследних КАК Цены`.
fn sources(query: &str) -> Vec<String> {
    let words: Vec<&str> = query.split_whitespace().collect();
    let mut found: Vec<String> = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let comes = at.checked_sub(1).and_then(|before| words.get(before));
        if !comes.is_some_and(|word| matches!(word.to_uppercase().as_str(), "ИЗ" | "FROM" | "СОЕДИНЕНИЕ" | "JOIN"))
        {
            continue;
        }
        let is_name = |c: char| c.is_alphanumeric() || matches!(c, '.' | '_');
        let table: String = word.chars().take_while(|c| is_name(*c)).collect();
        // The alias of a virtual table stands behind its parameters.
        let alias = match (words.get(at + 1), words.get(at + 2)) {
            (Some(&"КАК" | &"AS"), Some(alias)) if table.len() == word.len() => {
                format!(" КАК {}", alias.chars().take_while(|c| is_name(*c)).collect::<String>())
            }
            _ => String::new(),
        };
        let source = format!("{table}{alias}");
        if table.contains('.') && !found.contains(&source) {
            found.push(source);
        }
    }
    found
}

/// What a query calculates: expressions with their aliases, but those that are only a field.
fn expressions(query: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let (mut depth, mut from) = (0_i32, 0);
    let mut parts: Vec<&str> = Vec::new();
    for (at, sign) in query.char_indices() {
        match sign {
            '(' => depth += 1,
            ')' => depth -= 1,
            ',' | '{' | '}' | ';' if depth == 0 => {
                parts.extend(query.get(from..at));
                from = at + sign.len_utf8();
            }
            _ => {}
        }
    }
    parts.extend(query.get(from..));
    for part in parts {
        let words: Vec<&str> = part.split_whitespace().collect();
        // The list of fields ends where the tables begin; it begins behind «ВЫБРАТЬ».
        let is = |word: &str, names: &[&str]| names.contains(&word.to_uppercase().as_str());
        let begins = words
            .iter()
            .rposition(|word| is(word, &["ВЫБРАТЬ", "SELECT", "РАЗЛИЧНЫЕ", "DISTINCT", "РАЗРЕШЕННЫЕ", "ALLOWED"]));
        let words = words.get(begins.map_or(0, |at| at + 1)..).unwrap_or_default();
        let ends = words.iter().position(|word| is(word, &["ИЗ", "FROM", "ПОМЕСТИТЬ", "INTO"])).unwrap_or(words.len());
        let words = words.get(..ends).unwrap_or_default();
        let Some(alias) = words.iter().rposition(|word| is(word, &["КАК", "AS"])) else { continue };
        let (expression, alias) =
            (words.get(..alias).unwrap_or_default().join(" "), words.get(alias + 1..).unwrap_or_default());
        let plain = |c: char| c.is_alphanumeric() || matches!(c, '.' | '_');
        if alias.len() == 1 && !expression.is_empty() && !expression.chars().all(plain) {
            let whole = format!("{expression} КАК {}", alias.join(" "));
            if !found.contains(&whole) {
                found.push(whole);
            }
        }
    }
    found.truncate(EXPRESSIONS);
    found
}

/// Why a report fails: what the message says, its causes with what to do.
pub(super) fn why(case: &Case, value: &Value) -> String {
    let file = text(value, "file");
    if file.is_empty() {
        return String::new();
    }
    let causes = list(value, "causes");
    let mut out = match (text(value, "says"), text(value, "about")) {
        ("", _) => String::new(),
        (says, "") => format!("{says}.\n"),
        (says, about) => format!("{says}: «{}».\n", one_line(about, LONG)),
    };
    if causes.is_empty() {
        let reasons = value.get("state").map(|state| texts(state, "reasons").join("; ")).unwrap_or_default();
        let _ = writeln!(out, "- `{}`: {reasons} — {file}", text(value, "full_name"));
    }
    let line = |row: &Value| row.get("line").and_then(Value::as_u64).unwrap_or_default();
    for cause in causes {
        let sure = cause.get("sure").and_then(Value::as_bool) == Some(true);
        let sure = if sure { "" } else { &case.say("возможно: ", "perhaps: ") };
        let (what, why) = (one_line(text(cause, "what"), LONG), one_line(text(cause, "why"), LONG));
        let near = match texts(cause, "nearest").join(", ") {
            near if near.is_empty() => String::new(),
            near => format!(" ({}: {near})", case.say("ближайшие имена", "nearest names")),
        };
        let mend = one_line(text(cause, "mend"), LONG);
        let _ = writeln!(out, "- {sure}{what}: {why}{near} → {mend} — {file}:{}", line(cause));
    }
    for finding in list(value, "findings").iter().take(FINDINGS) {
        let (what, mend) = (one_line(text(finding, "what"), LONG), one_line(text(finding, "mend"), LONG));
        let _ = writeln!(out, "- [{}] {what} → {mend} — {file}:{}", text(finding, "check"), line(finding));
    }
    out
}

/// The queries that read a table or a field, by whom they belong to: those of report schemas, those of the code of reports, others.
pub(super) fn tables(case: &Case, found: &Found) -> String {
    let value = &found.value;
    if value.get("queries").is_none() {
        return String::new();
    }
    let words = plain(&case.question);
    let reports = holds(&words, "report");
    // «В схемах» says that code isn't meant, unless it is named, too.
    let only_schemas = holds(&words, "schemas") && (!holds(&words, "in_code") || holds(&words, "not_code"));
    let mut owners: Vec<(u8, &str, &str, Vec<String>)> = Vec::new();
    for row in list(value, "queries") {
        let (owner, file) = (text(row, "owner"), text(row, "file"));
        let rank = match owner {
            owner if owner.contains(".Template.") => 0,
            _ if only_schemas => continue,
            owner if owner.starts_with("Report.") => 1,
            _ if reports => continue,
            _ => 2,
        };
        let line = row.get("line").and_then(Value::as_u64).map(|line| line.to_string());
        match owners.iter_mut().find(|(_, known, place, _)| *known == owner && *place == file) {
            Some((.., lines)) => lines.extend(line),
            None => owners.push((rank, owner, file, line.into_iter().collect())),
        }
    }
    owners.sort_by_key(|(rank, ..)| *rank);
    let table = text(&found.arguments, "name");
    let head = match (only_schemas, reports) {
        (true, _) => case.say("читают схемы компоновки", "is read by the report schemas"),
        (_, true) => case.say("читают схемы и код отчётов", "is read by schemas and code of reports"),
        _ => case.say("читают запросы", "is read by the queries"),
    };
    let mut out = format!("`{table}` {head}: {}{}\n", owners.len(), more(value, "queries"));
    // What has no place stands on one line.
    let (placed, unplaced): (Vec<_>, Vec<_>) = owners.into_iter().partition(|(_, _, file, _)| !file.is_empty());
    if !unplaced.is_empty() {
        let names: Vec<String> = unplaced.iter().take(NAMED).map(|(_, owner, ..)| format!("`{owner}`")).collect();
        let dots = if unplaced.len() > NAMED { ", …" } else { "" };
        let _ = writeln!(out, "{}{dots}", names.join(", "));
    }
    for (_, owner, file, lines) in placed {
        let shown = lines.get(..lines.len().min(PLACES)).unwrap_or_default().join(", ");
        let dots = if lines.len() > PLACES { ", …" } else { "" };
        let _ = writeln!(out, "- `{owner}` — {file}:{shown}{dots}");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_of_a_query() {
        let query = "ВЫБРАТЬ А.Б ИЗ Справочник.Валюты КАК А ЛЕВОЕ СОЕДИНЕНИЕ РегистрСведений.Курсы.СрезПоследних(&Дата, ) КАК К ПО ИСТИНА \
                     ОБЪЕДИНИТЬ ВСЕ ВЫБРАТЬ В.Х ИЗ ВТ КАК В ИЗ Справочник.Валюты КАК А";
        assert_eq!(sources(query), ["Справочник.Валюты КАК А", "РегистрСведений.Курсы.СрезПоследних"]);
        let query = "ВЫБРАТЬ РАЗРЕШЕННЫЕ А.Б, А.В КАК Г, ТИПЗНАЧЕНИЯ(А.Б) КАК Вид, СУММА(А.К * 2) КАК К ИЗ Х.У КАК А \
                     {ГДЕ (А.Д <= &П)}";
        assert_eq!(expressions(query), ["ТИПЗНАЧЕНИЯ(А.Б) КАК Вид", "СУММА(А.К * 2) КАК К"]);
    }
}
