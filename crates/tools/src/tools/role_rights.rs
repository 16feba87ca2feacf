//! `role_rights`: what a role may do, and who may do what with an object.

use std::collections::BTreeMap;

use index::ViewRow;
use serde_json::{Value, json};

use crate::answer::{Answer, call};
use crate::context::Context;
use crate::error::ToolError;
use crate::page::{holds, number, rows_of, text, why_none};
use crate::params::{Args, Param};
use crate::tool::{Class, Group, Tool, say};

/// The tool.
pub const TOOL: Tool = Tool {
    name: "role_rights",
    group: Group::Graph,
    purpose: "Rights of roles (права ролей): of a role, objects with the rights that it grants and those it takes away; of an object, attribute, \
command or the configuration, the roles that may what (кто может читать, изменять, проводить). Says which roles have all rights on what \
they don't list, where records are restricted, and file and line of each. Not for the text of restrictions (rls_restrictions), nor for code that checks roles \
(object_references of the role).",
    params: &[
        Param::name("Role or object: `Роль.ПолныеПрава`, `Документ.Заказ`, `Конфигурация`."),
        Param::maybe(
            "right",
            &["rights", "право"],
            "Only this right or a part of its name: Read, Update, Posting, Чтение, Изменение.",
        ),
        Param::filter("Only objects (of a role) or roles (of an object) whose name holds this."),
        Param::limit(50, 500),
        Param::offset(),
    ],
    example: r#"{"name": "Документ.РеализацияТоваров", "right": "Posting"}"#,
    class: Class::Read,
    ceiling: 12_000,
    run,
};

/// Rights in Russian, as people write them, and in English, as dumps have them.
pub(super) const RIGHTS: &str = include_str!("../../data/rights.tsv");
/// Where a role describes its rights on an object.
const PLACE: &str = "SELECT file, line FROM refs WHERE target = ?1 AND kind = 'rights_object' AND source = ?2 LIMIT 1";
/// The property of a role that has all rights on what it doesn't list.
const ALL_RIGHTS: &str = "SetForNewObjects";

fn run(context: &Context<'_>, args: &Args) -> Result<Answer, ToolError> {
    let (index, language) = (context.index, context.language);
    let named = index.require(args.text("name"))?;
    if matches!(named.kind.as_str(), "method" | "module") {
        let next = vec![call("entry_points", &json!({ "name": named.full_name }))];
        let wanted = ("роль или объект метаданных", "a role or an object of metadata");
        return Err(ToolError::WrongKind { name: named.full_name, kind: named.kind, wanted, next });
    }
    let is_role = named.kind == "Role";
    let right = args.text("right");
    let mut known = rows_of(RIGHTS).filter_map(|row| Some((*row.first()?, *row.get(1)?)));
    let right = known.find(|(ru, _)| bsl::same_name(ru, right)).map_or(right, |(_, en)| en);
    let (own, other) = if is_role { ("role", "object") } else { ("object", "role") };
    let sql = format!("SELECT {other} AS name, right, value FROM role_rights WHERE {own} = ?1 ORDER BY {other}, right");
    let rows = index.view(&sql, &[&named.full_name])?;
    let sql = format!("SELECT DISTINCT {other} AS name, right FROM rls WHERE {own} = ?1 AND object IS NOT NULL");
    let restricted = index.view(&sql, &[&named.full_name])?;
    let filter = args.text("filter");
    // `Update` is a right, and a part of the names of others.
    let is_whole = rows.iter().any(|row| bsl::same_name(text(row, "right"), right));
    let fits = |one: &str| if is_whole { bsl::same_name(one, right) } else { holds(one, right) };
    let takes = |row: &&ViewRow| holds(text(row, "name"), filter) && fits(text(row, "right"));
    let mut groups: BTreeMap<&str, (Vec<&str>, Vec<&str>)> = BTreeMap::new();
    for row in rows.iter().filter(takes) {
        let group = groups.entry(text(row, "name")).or_default();
        if number(row, "value") == 1 { group.0.push(text(row, "right")) } else { group.1.push(text(row, "right")) }
    }
    let entry = |(name, (granted, denied)): (&&str, &(Vec<&str>, Vec<&str>))| {
        let mut entry = json!({ other: name, "granted": granted });
        if !denied.is_empty() {
            entry["denied"] = json!(denied);
        }
        let of = restricted.iter().filter(|row| text(row, "name") == *name);
        let of: Vec<&str> = of.map(|row| text(row, "right")).collect();
        if !of.is_empty() {
            entry["restricted"] = json!(of);
        }
        entry
    };
    let mut entries: Vec<Value> = groups.iter().map(entry).collect();
    // A description is looked up by its object: only those that are shown.
    let (from, count) = (args.number("offset"), args.number("limit"));
    for (entry, name) in entries.iter_mut().zip(groups.keys()).skip(from).take(count) {
        let own = named.full_name.as_str();
        let (role, object) = if is_role { (own, *name) } else { (*name, own) };
        let place = index.view(PLACE, &[object, role])?;
        if let Some(place) = place.first() {
            entry["file"] = text(place, "file").into();
            entry["line"] = number(place, "line").into();
        }
    }
    let all = index.view(
        "SELECT p.owner AS name FROM properties p WHERE p.name = ?1 AND p.value = 'true' ORDER BY p.owner",
        &[ALL_RIGHTS],
    )?;
    let all: Vec<&str> = all.iter().map(|row| text(row, "name")).filter(|role| !role.is_empty()).collect();
    let state = context.of_metadata()?;
    let mut answer = Answer::of_state(&state, language)
        .field("full_name", &named.full_name)
        .field("kind", &named.kind)
        .field("right", right)
        .field("total", entries.len());
    if is_role && all.contains(&named.full_name.as_str()) {
        let what = say(
            language,
            "у роли установлены права для новых объектов: всё, чего нет в списке, ей разрешено",
            "the role sets rights for new objects: it may do all that is not listed",
        );
        answer = answer.field("all_others_granted", true).remark(what);
    }
    if !is_role && !all.is_empty() {
        let what = say(
            language,
            "роли с правами для новых объектов: разрешено всё, что они не запрещают явно",
            "roles that set rights for new objects: they may do all that they don't deny",
        );
        answer = answer.field("roles_with_all_rights", &all).remark(what);
    }
    if !restricted.is_empty() {
        let what = say(
            language,
            "restricted — доступ ограничен условием: смотрите rls_restrictions",
            "restricted: access has a condition, see rls_restrictions",
        );
        answer = answer.remark(what);
    }
    if entries.is_empty() {
        let nothing = match (is_role, rows.is_empty()) {
            (_, false) => {
                say(language, "под эти условия не подходит ни одна запись о правах", "no right fits these conditions")
            }
            (true, true) => say(language, "роль не перечисляет прав", "the role lists no rights"),
            (false, true) => {
                say(language, "ни одна роль не перечисляет прав на этот объект", "no role lists rights on this object")
            }
        };
        answer = answer.empty(why_none(nothing, &state, language));
    }
    let key = if is_role { "objects" } else { "roles" };
    Ok(answer.page(key, &entries, args, TOOL.name, args.with("name", named.full_name.as_str())))
}
