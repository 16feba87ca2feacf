//! What a thing is: resolve the name, ask for its passport, tell it in a few lines.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::case::Case;
use super::evidence::{counted, edges, error, incompleteness, list, not_there, place, text, texts};
use super::{Investigation, Speech, Step};

pub(super) static INVESTIGATION: Investigation = Investigation {
    triggers: &[
        (Speech::Russian, "что такое"),
        (Speech::Russian, "что за"),
        (Speech::Russian, "что это за"),
        (Speech::Russian, "что делает"),
        (Speech::Russian, "расскажи про"),
        (Speech::Russian, "расскажи о"),
        (Speech::Russian, "опиши"),
        (Speech::English, "what is"),
        (Speech::English, "what are"),
        (Speech::English, "what does … do"),
        (Speech::English, "tell me about"),
        (Speech::English, "describe"),
    ],
    step,
};

/// Entries of one list that an answer names.
const NAMED: usize = 12;
/// Passports that are asked for where a name means several things.
const SEVERAL: usize = 3;

fn step(case: &Case) -> Step {
    if case.subject.is_empty() {
        return Step::Answer(case.say(
            "Назовите объект или метод: «Что такое Справочник.Валюты».",
            "Name an object or a method: “What is Catalog.Валюты”.",
        ));
    }
    let Some(resolved) = case.of("resolve_entity").next() else {
        return Step::Call(vec![("resolve_entity", json!({ "query": case.subject }))]);
    };
    if let Some(message) = error(case, &resolved.value) {
        return Step::Answer(message);
    }
    let passports: Vec<_> = case.results.iter().filter(|found| found.tool.ends_with("_passport")).collect();
    let matches = list(&resolved.value, "matches");
    if passports.is_empty() {
        let best = matches.first().map(|first| text(first, "how")).unwrap_or_default();
        let meant = matches.iter().filter(|found| text(found, "how") == best).take(SEVERAL);
        let calls: Vec<_> = meant
            .map(|found| {
                let tool = if text(found, "kind") == "method" { "method_passport" } else { "object_passport" };
                (tool, json!({ "name": text(found, "full_name") }))
            })
            .collect();
        return if calls.is_empty() { Step::Answer(not_there(case, &resolved.value)) } else { Step::Call(calls) };
    }
    let mut parts: Vec<String> = passports
        .iter()
        .map(|found| match error(case, &found.value) {
            Some(message) => message,
            None if found.tool == "method_passport" => method(case, &found.value),
            None => object(case, &found.value),
        })
        .collect();
    if matches.len() > passports.len() {
        let others: Vec<String> = matches
            .iter()
            .skip(passports.len())
            .take(NAMED)
            .map(|found| format!("`{}`", text(found, "full_name")))
            .collect();
        parts.push(format!("{} {}", case.say("Похожее:", "Similar:"), others.join(", ")));
    }
    Step::Answer(parts.join("\n\n"))
}

fn method(case: &Case, value: &Value) -> String {
    let mut out = format!("`{}`{}\n`{}`\n", text(value, "full_name"), place(value, " — "), text(value, "signature"));
    let doc: String = text(value, "doc")
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .take(8)
        .collect::<Vec<_>>()
        .join("\n");
    if !doc.is_empty() {
        let _ = writeln!(out, "{doc}");
    }
    let number =
        |key: &str| value.get(key).and_then(Value::as_u64).and_then(|count| usize::try_from(count).ok()).unwrap_or(0);
    let (callers, callees) = (number("callers_total"), number("callees_total"));
    let _ = writeln!(out, "{}: {callers}", case.say("Вызовов", "Callers"));
    out.push_str(&edges(list(value, "callers"), "source", 5));
    let _ = writeln!(out, "{}: {callees}", case.say("Сам вызывает", "Calls itself"));
    out.push_str(&edges(list(value, "callees"), "target", 5));
    let queries = list(value, "queries").len();
    if queries > 0 {
        let _ = writeln!(out, "{}: {queries}", case.say("Запросов", "Queries"));
    }
    out.push_str(&incompleteness(case, value));
    out.trim_end().to_owned()
}

pub(super) fn object(case: &Case, value: &Value) -> String {
    let mut out = format!("`{}`", text(value, "full_name"));
    let synonym = text(value, "synonym");
    if !synonym.is_empty() {
        let _ = write!(out, " «{synonym}»");
    }
    let _ = writeln!(out, " — {}{}", text(value, "kind"), place(value, ", "));
    if let Some(part) = value.get("asked_for").and_then(Value::as_str) {
        let name = part.rsplit('.').next().unwrap_or(part);
        let row = list(value, "attributes").iter().find(|row| text(row, "name").to_lowercase() == name.to_lowercase());
        let types = row.map(|row| format!(" ({})", text(row, "types"))).unwrap_or_default();
        let _ = writeln!(out, "{}: `{part}`{types}", case.say("Спрошено о", "Asked for"));
    }
    let comment = text(value, "comment");
    if !comment.is_empty() {
        let _ = writeln!(out, "{comment}");
    }
    let attributes: Vec<String> = list(value, "attributes")
        .iter()
        .filter(|row| text(row, "kind") != "StandardAttribute")
        .map(|row| match (text(row, "section"), text(row, "types")) {
            ("", "") => format!("`{}`", text(row, "name")),
            ("", types) => format!("`{}` ({types})", text(row, "name")),
            (section, types) => format!("`{section}.{}` ({types})", text(row, "name")),
        })
        .collect();
    enumerate(case, &mut out, "Реквизиты", "Attributes", &attributes, omitted(value, "attributes"));
    let plain = |key: &str, field: &str| {
        list(value, key).iter().map(|row| format!("`{}`", text(row, field))).collect::<Vec<_>>()
    };
    let names = |key: &str| texts(value, key).into_iter().map(|name| format!("`{name}`")).collect::<Vec<_>>();
    enumerate(case, &mut out, "Подсистемы", "Subsystems", &names("subsystems"), false);
    enumerate(case, &mut out, "Движения", "Movements", &names("movements"), false);
    enumerate(case, &mut out, "Формы", "Forms", &plain("forms", "form"), omitted(value, "forms"));
    let exported: Vec<String> = list(value, "methods")
        .iter()
        .filter(|row| row.get("export").and_then(Value::as_bool) == Some(true))
        .map(|row| format!("`{}`", text(row, "full_name").rsplit('.').next().unwrap_or_default()))
        .collect();
    let all = list(value, "methods").len();
    if all > 0 {
        let plus = if omitted(value, "methods") { "+" } else { "" };
        let _ = writeln!(
            out,
            "{}",
            case.say(
                &format!("Методов: {all}{plus}, из них экспортных: {}", exported.len()),
                &format!("Methods: {all}{plus}, exported: {}", exported.len())
            )
        );
        enumerate(case, &mut out, "Экспортные", "Exported", &exported, false);
    }
    let subscriptions: Vec<String> = list(value, "subscriptions")
        .iter()
        .map(|row| format!("`{}` ({} → `{}`)", text(row, "name"), text(row, "event"), text(row, "handler")))
        .collect();
    enumerate(case, &mut out, "Подписки", "Subscriptions", &subscriptions, omitted(value, "subscriptions"));
    enumerate(
        case,
        &mut out,
        "Входит в типы",
        "Used as a type by",
        &names("used_as_type"),
        omitted(value, "used_as_type"),
    );
    let roles = list(value, "rights").len();
    if roles > 0 {
        let _ = writeln!(
            out,
            "{}",
            match case.speech {
                Speech::Russian =>
                    format!("Права дают {}", counted(case.speech, roles, ["роль", "роли", "ролей"], [""; 2])),
                Speech::English => format!("Rights from {}", counted(case.speech, roles, [""; 3], ["role", "roles"])),
            }
        );
    }
    out.push_str(&incompleteness(case, value));
    out.trim_end().to_owned()
}

fn omitted(value: &Value, key: &str) -> bool {
    value.get(format!("{key}_omitted")).is_some()
}

fn enumerate(case: &Case, out: &mut String, ru: &str, en: &str, names: &[String], more: bool) {
    if names.is_empty() {
        return;
    }
    let shown = names.get(..NAMED.min(names.len())).unwrap_or_default().join(", ");
    let dots = if more || names.len() > NAMED { ", …" } else { "" };
    let plus = if more { "+" } else { "" };
    let _ = writeln!(out, "{} ({}{plus}): {shown}{dots}", case.say(ru, en), names.len());
}
