//! What tools say of metadata: objects, forms, subsystems, the configuration, ways to join tables.

use std::fmt::Write as _;

use serde_json::Value;

use super::{more, nothing};
use crate::offline::case::Case;
use crate::offline::evidence::{list, one_line, place, text, texts};
use crate::offline::words::{holds, plain, stems, telling};

/// Parts of one kind of an object that are named.
const CHILDREN: usize = 40;
/// Attributes of an object up to which each has its type; of more, those that the question speaks of.
const TYPED: usize = 12;
/// Fields of one kind that are named.
const NAMES: usize = 80;
/// The longest list of types of one field, in characters.
const TYPE: usize = 160;
/// Targets of one link of an object that are named.
const LINKED: usize = 12;
/// Names of one list of an overview.
const NAMED: usize = 12;

pub(super) fn metadata(case: &Case, value: &Value) -> String {
    let name = text(value, "full_name");
    if name.is_empty() {
        return String::new();
    }
    let mut out = format!("- `{name}` «{}»{}\n", text(value, "synonym"), place(value, " — "));
    let comment = one_line(text(value, "comment"), 200);
    if !comment.is_empty() {
        let _ = writeln!(out, "{comment}");
    }
    let types = texts(value, "types").join(", ");
    if !types.is_empty() {
        let _ = writeln!(out, "{}: {types}", case.say("Тип", "Type"));
    }
    let pairs = |key: &str| {
        let rows = list(value, key).iter().filter_map(Value::as_array);
        rows.filter_map(|row| Some((row.first()?.as_str()?, row.get(1)?.as_str()?))).collect::<Vec<_>>()
    };
    out.push_str(&fields(case, value));
    // What the object is tied to; the forms that it opens with say little.
    let mut links: Vec<(&str, Vec<String>)> = Vec::new();
    let of_forms = holds(&plain(&case.question), "form");
    let is_told = |what: &str| !is_habit(what) || of_forms && what.starts_with("Default");
    for (what, target) in pairs("links").into_iter().filter(|(what, _)| is_told(what)) {
        match links.iter_mut().find(|(known, _)| *known == what) {
            Some((_, targets)) => targets.push(format!("`{target}`")),
            None => links.push((what, vec![format!("`{target}`")])),
        }
    }
    for (what, targets) in links {
        let shown = targets.get(..targets.len().min(LINKED)).unwrap_or_default().join(", ");
        let more = if targets.len() > LINKED { format!(", … ({})", targets.len()) } else { String::new() };
        let _ = writeln!(out, "{what}: {shown}{more}");
    }
    let mut kinds: Vec<(&str, Vec<&str>)> = Vec::new();
    for child in list(value, "children") {
        let kind = text(child, "kind");
        let last = text(child, "full_name").rsplit('.').next().unwrap_or_default();
        match kinds.iter_mut().find(|(known, _)| *known == kind) {
            Some((_, names)) => names.push(last),
            None => kinds.push((kind, vec![last])),
        }
    }
    for (kind, names) in kinds {
        let shown = names.get(..names.len().min(CHILDREN)).unwrap_or_default().join(", ");
        let dots = if names.len() > CHILDREN { ", …" } else { "" };
        let _ = writeln!(out, "{kind} ({}): {shown}{dots}", names.len());
    }
    let properties: Vec<String> = pairs("properties").iter().map(|(key, value)| format!("{key}={value}")).collect();
    if !properties.is_empty() {
        let _ = writeln!(out, "{}: {}", case.say("Свойства", "Properties"), properties.join(", "));
    }
    out
}

/// The fields of an object by their kind and section, all their names with the place that proves them; then the types of those that
/// the question speaks of, or of all where they are few.
fn fields(case: &Case, value: &Value) -> String {
    let words = telling(&case.question);
    // Half of a name's words are enough to say that it is meant.
    let speaks_of = |row: &Value| {
        let stems = stems(text(row, "name"));
        let held = stems.iter().filter(|stem| words.iter().any(|word| word.is(stem))).count();
        held > 0 && held * 2 >= stems.len()
    };
    let all: Vec<&Value> =
        list(value, "attributes").iter().filter(|row| text(row, "kind") != "StandardAttribute").collect();
    let mut groups: Vec<((&str, &str), Vec<&Value>)> = Vec::new();
    for row in &all {
        let group = (text(row, "kind"), text(row, "section"));
        match groups.iter_mut().find(|(known, _)| *known == group) {
            Some((_, rows)) => rows.push(row),
            None => groups.push((group, vec![row])),
        }
    }
    let mut out = String::new();
    for ((kind, section), mut rows) in groups {
        rows.sort_by_key(|row| !speaks_of(row));
        let names: Vec<&str> = rows.iter().take(NAMES).map(|row| text(row, "name")).collect();
        let dots = if rows.len() > NAMES { ", …" } else { "" };
        let section = if section.is_empty() { String::new() } else { format!(" {section}") };
        let place = match text(value, "file") {
            "" => String::new(),
            file => format!(" — {file}"),
        };
        let _ = writeln!(out, "- {kind}{section} ({}): {}{dots}{place}", rows.len(), names.join(", "));
    }
    let typed = all.iter().filter(|row| !text(row, "types").is_empty() && (all.len() <= TYPED || speaks_of(row)));
    let typed: Vec<String> = typed
        .take(TYPED)
        .map(|row| format!("{} ({})", text(row, "name"), one_line(text(row, "types"), TYPE)))
        .collect();
    if !typed.is_empty() {
        let _ = writeln!(out, "{}: {}", case.say("Типы", "Types"), typed.join(", "));
    }
    out
}

/// Links that nearly every object has alike.
fn is_habit(what: &str) -> bool {
    what.starts_with("Default") || matches!(what, "InputByString" | "DataLockFields" | "Characteristics")
}

pub(super) fn form(case: &Case, value: &Value) -> String {
    let (name, file) = (text(value, "full_name"), text(value, "file"));
    if name.is_empty() {
        return String::new();
    }
    let count = |key: &str| value.get("counts").and_then(|counts| counts.get(key)).and_then(Value::as_u64).unwrap_or(0);
    let mut out = format!("- `{name}` — {file}\n");
    let _ = writeln!(
        out,
        "{}",
        case.say(
            &format!(
                "Элементов: {}, реквизитов: {}, команд: {}, обработчиков: {}",
                count("items"),
                count("attributes"),
                count("commands"),
                count("handlers")
            ),
            &format!(
                "Items: {}, attributes: {}, commands: {}, handlers: {}",
                count("items"),
                count("attributes"),
                count("commands"),
                count("handlers")
            ),
        )
    );
    let at = |row: &Value| match row.get("line").and_then(Value::as_u64) {
        None | Some(0) => file.to_owned(),
        Some(line) => format!("{file}:{line}"),
    };
    let attribute = |row: &Value| format!("{} ({})", text(row, "name"), text(row, "types"));
    let attributes: Vec<String> = list(value, "attributes").iter().map(attribute).collect();
    if !attributes.is_empty() {
        let _ = writeln!(out, "{}: {}", case.say("Реквизиты", "Attributes"), attributes.join(", "));
    }
    for row in list(value, "commands") {
        let (command, action) = (text(row, "name"), text(row, "action"));
        let _ = writeln!(out, "- {} {command} → {action} — {}", case.say("команда", "command"), at(row));
    }
    for row in list(value, "handlers") {
        let element = match text(row, "element") {
            "" => case.say("форма", "the form"),
            element => element.to_owned(),
        };
        let _ = writeln!(out, "- {element}, {} → {} — {}", text(row, "event"), text(row, "handler"), at(row));
    }
    out
}

pub(super) fn subsystem(case: &Case, value: &Value) -> String {
    let (name, file) = (text(value, "full_name"), text(value, "file"));
    if name.is_empty() {
        return String::new();
    }
    let objects = list(value, "objects");
    let total = value.get("objects_total").and_then(Value::as_u64).unwrap_or_default();
    let inner = list(value, "inner");
    let mut out = format!("- `{name}` — {}: {total} — {file}\n", case.say("объектов", "objects"));
    if let Some(nothing) = nothing(value, &["objects", "inner"]) {
        out.push_str(&nothing);
    }
    if !inner.is_empty() {
        let names: Vec<String> = inner.iter().map(|row| format!("`{}`", text(row, "full_name"))).collect();
        let _ = writeln!(out, "{}: {}", case.say("Вложенные подсистемы", "Subsystems inside"), names.join(", "));
    }
    for row in objects {
        let synonym = one_line(text(row, "synonym"), 80);
        let line = row.get("line").and_then(Value::as_u64).map(|line| format!(":{line}")).unwrap_or_default();
        let _ = writeln!(out, "- `{}` «{synonym}» — {file}{line}", text(row, "full_name"));
    }
    if !more(value, "objects").is_empty() {
        let _ = writeln!(out, "{}", case.say("… есть и другие", "… there are more"));
    }
    out
}

pub(super) fn overview(case: &Case, value: &Value) -> String {
    let name = text(value, "name");
    let number = |key: &str| value.get(key).and_then(Value::as_u64).unwrap_or_default();
    let property = |key: &str| value.get("properties").map(|rows| text(rows, key)).unwrap_or_default();
    let mut out = format!("- {name} «{}» {}{}\n", text(value, "synonym"), property("Version"), place(value, " — "));
    let vendor = match property("Vendor") {
        "" => String::new(),
        vendor => format!("{}: {vendor}. ", case.say("Поставщик", "Vendor")),
    };
    let counts = case.say(
        &format!(
            "модулей {}, методов {}, строк кода {}, связей {}",
            number("modules"),
            number("methods"),
            number("lines"),
            number("edges")
        ),
        &format!(
            "modules {}, methods {}, lines of code {}, links {}",
            number("modules"),
            number("methods"),
            number("lines"),
            number("edges")
        ),
    );
    let _ = writeln!(out, "{vendor}{}: {counts}.", case.say("Размер", "Size"));
    let pair = |row: &Value| Some(format!("{} {}", row.get(0)?.as_str()?, row.get(1)?.as_u64()?));
    let kinds: Vec<String> = list(value, "kinds").iter().filter_map(pair).take(NAMED).collect();
    let _ = writeln!(out, "{}: {}", case.say("Объекты", "Objects"), kinds.join(", "));
    let entry = |row: &Value| {
        format!("{} {}", text(row, "channel"), row.get("methods").and_then(Value::as_u64).unwrap_or_default())
    };
    let entries: Vec<String> = list(value, "entries").iter().map(entry).take(NAMED).collect();
    let _ = writeln!(out, "{}: {}", case.say("Входы", "Ways in"), entries.join(", "));
    let integrations: Vec<String> =
        texts(value, "integrations").iter().take(NAMED).map(|name| format!("`{name}`")).collect();
    if !integrations.is_empty() {
        let _ =
            writeln!(out, "{}: {}", case.say("Обмен с другими системами", "Other systems"), integrations.join(", "));
    }
    let hubs: Vec<String> =
        list(value, "hubs").iter().take(5).map(|row| format!("`{}`", text(row, "full_name"))).collect();
    if !hubs.is_empty() {
        let _ = writeln!(out, "{}: {}", case.say("Чаще всего вызывают", "Called most"), hubs.join(", "));
    }
    for row in list(value, "subsystems") {
        let inner = texts(row, "children").join(", ");
        let inner = if inner.is_empty() { inner } else { format!(" ({inner})") };
        let content = row.get("content").and_then(Value::as_u64).unwrap_or_default();
        let _ = writeln!(
            out,
            "- `{}` «{}»: {content}{inner}{}",
            text(row, "full_name"),
            text(row, "synonym"),
            place(row, " — ")
        );
    }
    out
}

pub(super) fn predefined(case: &Case, value: &Value) -> String {
    if let Some(nothing) = nothing(value, &["items"]) {
        return nothing;
    }
    let (name, file) = (text(value, "full_name"), text(value, "file"));
    let total = value.get("total").and_then(Value::as_u64).unwrap_or_default();
    let mut out = format!("`{name}` — {}: {total}\n", case.say("предопределённых", "predefined items"));
    for row in list(value, "items") {
        let (code, description) = (text(row, "code"), text(row, "description"));
        let _ = writeln!(out, "- `{name}.{}` «{description}» {code} — {file}", text(row, "name"));
    }
    out
}

pub(super) fn paths(case: &Case, value: &Value) -> String {
    if let Some(nothing) = nothing(value, &["paths"]) {
        return format!("`{}` → `{}`: {nothing}", text(value, "from"), text(value, "to"));
    }
    let mut out = String::new();
    for (number, path) in (1..).zip(list(value, "paths")) {
        let expression = match text(path, "expression") {
            "" => String::new(),
            expression => format!(": {expression}"),
        };
        let _ = writeln!(out, "{} {number}{expression}", case.say("Путь", "Path"));
        for step in list(path, "steps") {
            let (table, field, to) = (text(step, "table"), text(step, "field"), text(step, "refers_to"));
            let _ = writeln!(out, "- `{table}`, {field} → `{to}`{}", place(step, " — "));
        }
    }
    out
}
