//! `type_usage`: where a type is used.

use std::collections::BTreeSet;

use index::{ReferenceQuery, ViewRow};
use serde_json::{Value, json};

use crate::answer::{Answer, Next, call, limit_reached};
use crate::context::Context;
use crate::error::ToolError;
use crate::page::{first, set, text, why_none, without_empty};
use crate::params::{Args, Param, ParamKind};
use crate::tool::{Class, Group, Tool, say};

/// The tool.
pub const TOOL: Tool = Tool {
    name: "type_usage",
    group: Group::Graph,
    purpose: "Where a type of the configuration is used (где используется тип): attributes, constants, session parameters and defined types \
that have it, also through a defined type; attributes of forms; parameters and results of methods (written in comments or inferred, with the \
source); type names in code (`Тип(\"СправочникСсылка.Валюты\")`). By an object (all its types: Ref, Object, RecordSet …) or by one type. Not \
for every other reference to an object (object_references), nor for the type of an expression (infer_type).",
    params: &[
        Param::name("Object or type: `Справочник.Валюты`, `СправочникСсылка.Валюты`, `ОпределяемыйТип.Контрагент`."),
        Param {
            name: "part",
            aliases: &["section", "where", "раздел"],
            kind: ParamKind::Choice {
                words: &[
                    ("all", &["все", "any"]),
                    ("attributes", &["attribute", "реквизиты"]),
                    ("forms", &["form", "формы", "form_attributes"]),
                    ("parameters", &["methods", "method", "параметры", "returns"]),
                    ("code", &["код", "bsl"]),
                ],
                default: "all",
            },
            required: false,
            about: "Only this part.",
        },
        Param::limit(40, 400),
        Param::offset(),
    ],
    example: r#"{"name": "СправочникСсылка.Валюты"}"#,
    class: Class::Read,
    ceiling: 12_000,
    run,
};

/// Sets of types that hold every reference.
const ANY: [&str; 2] = ["AnyIBRef", "AnyRef"];
/// References that are looked through for type names.
const LOOKED_THROUGH: usize = 20_000;

fn run(context: &Context<'_>, args: &Args) -> Result<Answer, ToolError> {
    let (index, language) = (context.index, context.language);
    let typed = args.text("name");
    let named = index.require(typed)?;
    let types = types_of(typed, &named.full_name);
    if named.full_name.matches('.').count() != 1 || types.is_empty() {
        let tool = if named.kind == "method" { "method_passport" } else { "object_passport" };
        let next = vec![call(tool, &json!({ "name": named.full_name }))];
        let wanted = ("объект, у которого есть типы, или имя типа", "an object that has types, or the name of a type");
        return Err(ToolError::WrongKind { name: named.full_name, kind: named.kind, wanted, next });
    }
    let part = args.word("part");
    let wants = |name: &str| part == "all" || part == name;
    let state = context.of_metadata()?;
    let mut answer = Answer::of_state(&state, language)
        .field("full_name", &named.full_name)
        .field("kind", &named.kind)
        .field("types", &types);
    let mut lists: Vec<(&'static str, &'static str, Vec<Value>)> = Vec::new();
    if wants("attributes") {
        lists.push(("attributes", "attributes", attributes(context, &types)?));
    }
    if wants("forms") {
        lists.push(("form_attributes", "forms", form_attributes(context, &types)?));
    }
    if wants("parameters") {
        lists.push(("parameters", "parameters", parameters(context, &types)?));
    }
    let mut in_code = Vec::new();
    let mut more = false;
    if wants("code") {
        let target = index.require_target(&named.full_name)?;
        let kinds = vec!["bsl_type_string".to_owned()];
        let found =
            index.references(&target, &ReferenceQuery { kinds, limit: LOOKED_THROUGH, until: context.until })?;
        more = limit_reached(&found.state);
        in_code = found.rows;
    }
    let counts: serde_json::Map<String, Value> =
        lists.iter().map(|(key, _, rows)| ((*key).to_owned(), rows.len().into())).collect();
    answer = answer.field("counts", counts).field("in_code_total", (!in_code.is_empty()).then_some(in_code.len()));
    if in_code.is_empty() && lists.iter().all(|(.., rows)| rows.is_empty()) {
        let nothing = match wants("attributes") || wants("forms") {
            true => say(language, "в метаданных этот тип не используется", "no metadata uses this type"),
            false => say(language, "таких мест не найдено", "no such places were found"),
        };
        let of_metadata = why_none(nothing, &state, language);
        answer = answer.empty(if wants("attributes") || wants("forms") { of_metadata } else { nothing.to_owned() });
        if part != "all" {
            answer = answer.incomplete(format!("{}: {part}", say(language, "искали только в", "only looked at")));
        }
    }
    if wants("parameters") || wants("code") {
        answer = answer.incomplete(say(
            language,
            "типы значений в коде выводятся, и там, где вывести нельзя, использования не видно",
            "types in code are inferred; where that can't be done, a use isn't seen",
        ));
    }
    let next = |part: &str| set(args.with("name", typed), "part", part);
    for (key, part, rows) in &lists {
        answer = answer.page(key, rows, args, TOOL.name, next(part));
    }
    if more {
        let all = json!({ "name": named.full_name, "kinds": ["bsl_type_string"] });
        return Ok(answer.list_of_more(
            "in_code",
            &in_code,
            None,
            Next::Call { tool: "object_references", arguments: all },
        ));
    }
    Ok(answer.page("in_code", &in_code, args, TOOL.name, next("code")))
}

/// The types that are meant: that one, if the name is one; else all that the platform makes of the object.
fn types_of(typed: &str, object: &str) -> Vec<String> {
    let Some((kind, own)) = object.split_once('.') else { return Vec::new() };
    let Some(kind) = metadata::Kind::named(kind) else { return Vec::new() };
    // `СправочникСсылка`, not `Справочник`: a name of one type.
    let first = typed.rsplit(':').next().unwrap_or(typed).split('.').next().unwrap_or("");
    match metadata::Kind::from_type(first) {
        Some((_, word)) if metadata::Kind::from_word(first).is_none() => vec![format!("{word}.{own}")],
        _ => kind.info().types.iter().map(|(word, _)| format!("{word}.{own}")).collect(),
    }
}

/// Attributes and other things of metadata that have one of the types, also through a defined type.
fn attributes(context: &Context<'_>, types: &[String]) -> Result<Vec<Value>, ToolError> {
    let sql = "SELECT attribute AS name, type FROM attribute_types WHERE type = ?1
               UNION SELECT owner, item FROM defined_types WHERE item = ?1 ORDER BY 1";
    let mut found: Vec<Value> = Vec::new();
    let mut sets: BTreeSet<&str> = BTreeSet::new();
    for one in types {
        // `CatalogRef` alone stands for all catalogs, `AnyRef` for all references.
        let set = one.split('.').next().unwrap_or_default();
        sets.extend([set].into_iter().chain(ANY.into_iter().filter(|_| set.ends_with("Ref"))));
        for row in context.index.view(sql, &[one])? {
            let name = text(&row, "name").to_owned();
            found.push(json!({ "name": name, "type": one }));
            if name.starts_with("DefinedType.") {
                let through = context.index.view(sql, &[&name])?;
                found.extend(
                    through.iter().map(|row| json!({ "name": text(row, "name"), "type": one, "through": name })),
                );
            }
        }
    }
    for set in sets {
        let rows = context.index.view(sql, &[set])?;
        found.extend(rows.iter().map(|row| json!({ "name": text(row, "name"), "type": set })));
    }
    Ok(found)
}

fn form_attributes(context: &Context<'_>, types: &[String]) -> Result<Vec<Value>, ToolError> {
    let rows = context.index.view("SELECT form, name, types FROM form_attributes ORDER BY form, name", &[])?;
    let mut found = Vec::new();
    for row in &rows {
        for name in text(row, "types").split(", ").filter_map(|name| name.split('(').next()) {
            if types.iter().any(|one| one == name) {
                found.push(json!({ "form": row.get("form"), "name": row.get("name"), "type": name }));
            }
        }
    }
    Ok(found)
}

fn parameters(context: &Context<'_>, types: &[String]) -> Result<Vec<Value>, ToolError> {
    let mut found = Vec::new();
    for one in types {
        let sql = "SELECT method, param, source FROM method_types WHERE type = ?1 ORDER BY method, param";
        // Rows of a method stand together.
        let mut last = (String::new(), String::new());
        for row in context.index.view(sql, &[one])? {
            if last.0 != text(&row, "method") {
                let method = first(context, "SELECT params FROM methods WHERE full_name = ?1", text(&row, "method"))?;
                last = (text(&row, "method").to_owned(), text(&method, "params").to_owned());
            }
            found.push(parameter(&row, &last.1, one));
        }
    }
    Ok(found)
}

fn parameter(row: &ViewRow, params: &str, of: &str) -> Value {
    let mut entry = without_empty(row);
    entry.insert("type".to_owned(), of.into());
    let place = entry.remove("param").and_then(|param| param.as_u64());
    let role = match place.and_then(|place| usize::try_from(place).ok()) {
        None => "result".to_owned(),
        Some(place) => {
            let written = params.split(',').nth(place).unwrap_or_default();
            let name = written.split('=').next().unwrap_or_default().trim();
            let name = name.rsplit(char::is_whitespace).next().unwrap_or(name);
            if name.is_empty() { format!("#{}", place + 1) } else { name.to_owned() }
        }
    };
    entry.insert("param".to_owned(), role.into());
    entry.into()
}
