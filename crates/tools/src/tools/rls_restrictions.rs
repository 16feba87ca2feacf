//! `rls_restrictions`: which records roles let through.

use index::AccessRow;
use serde_json::{Value, json};

use crate::answer::{Answer, call};
use crate::context::Context;
use crate::error::ToolError;
use crate::page::{holds, rows_of, set, why_none};
use crate::params::{Args, Param, ParamKind};
use crate::tool::{Class, Group, Tool, say};

/// The tool.
pub const TOOL: Tool = Tool {
    name: "rls_restrictions",
    group: Group::Graph,
    purpose: "Restrictions of records (RLS, ограничения доступа к данным): of an object, what roles let through by right, with the effective \
condition (templates put in, directives decided) and the roles joined as the platform joins them: any role lets through, one without a \
restriction lifts those of all others; `roles` joins those of one user. Of a role, its restrictions by object. Not for rights themselves \
(role_rights).",
    params: &[
        Param::name("Object or role: `Документ.Заказ`, `Роль.Менеджер`."),
        Param {
            name: "roles",
            aliases: &["role", "роли", "роль"],
            kind: ParamKind::Texts,
            required: false,
            about: "Roles of a user, to be joined; empty: all roles of the configuration.",
        },
        Param::maybe("right", &["право"], "Only this right: Read, Insert, Update, Delete."),
        Param::filter("Of a role: only objects whose name holds this."),
        Param::limit(10, 200),
        Param::offset(),
    ],
    example: r#"{"name": "Документ.РеализацияТоваров", "roles": ["Роль.МенеджерПоПродажам"], "right": "Read"}"#,
    class: Class::Read,
    ceiling: 14_000,
    run,
};

fn run(context: &Context<'_>, args: &Args) -> Result<Answer, ToolError> {
    let (index, language) = (context.index, context.language);
    let named = index.require(args.text("name"))?;
    let right = args.text("right");
    let mut known = rows_of(super::role_rights::RIGHTS).filter_map(|row| Some((*row.first()?, *row.get(1)?)));
    let right = known.find(|(ru, _)| bsl::same_name(ru, right)).map_or(right, |(_, en)| en);
    let mut roles = Vec::new();
    for name in args.texts("roles") {
        // A role is often named without its kind.
        let full = if name.contains('.') { name.clone() } else { format!("Role.{name}") };
        let role = index.require(&full)?;
        if role.kind != "Role" {
            let next = vec![call("rls_restrictions", &json!({ "name": role.full_name }))];
            return Err(ToolError::WrongKind {
                name: role.full_name,
                kind: role.kind,
                wanted: ("роль", "a role"),
                next,
            });
        }
        roles.push(role);
    }
    let state = context.of_metadata()?;
    let mut answer = Answer::of_state(&state, language)
        .field("full_name", &named.full_name)
        .field("kind", &named.kind)
        .field("right", right);
    if named.kind == "Role" {
        let rows: Vec<_> = index
            .restrictions(named.id)?
            .into_iter()
            .filter(|row| holds(&row.right, right) && holds(&row.object, args.text("filter")))
            .collect();
        if rows.is_empty() {
            let nothing = say(language, "роль не ограничивает записей", "the role restricts no records");
            answer = answer.empty(why_none(nothing, &state, language));
        }
        answer = answer.field("total", rows.len());
        return Ok(answer.page("restrictions", &rows, args, TOOL.name, args.with("name", named.full_name)));
    }
    let ids: Vec<_> = roles.iter().map(|role| role.id).collect();
    let found = index.access(named.id, &ids)?;
    let rows: Vec<Value> = found.iter().filter(|row| holds(&row.right, right)).map(entry).collect();
    let names: Vec<&str> = roles.iter().map(|role| role.full_name.as_str()).collect();
    answer = answer.field("roles", &names);
    if rows.is_empty() {
        let granted =
            index.view("SELECT count(*) AS count FROM role_rights WHERE object = ?1 AND value", &[&named.full_name])?;
        let grants = granted.first().map_or(0, |row| crate::page::number(row, "count"));
        let nothing = match (grants, roles.is_empty()) {
            (0, _) => {
                say(language, "ни одна роль не перечисляет прав на этот объект", "no role lists rights on this object")
            }
            (_, true) => say(
                language,
                "ни одна роль не ограничивает записей этого объекта",
                "no role restricts records of this object",
            ),
            (_, false) => say(
                language,
                "эти роли не ограничивают записей объекта, или не дают права на него",
                "these roles restrict no records of the object, or grant no right on it",
            ),
        };
        let next = call("role_rights", &json!({ "name": named.full_name }));
        answer = answer.empty(why_none(nothing, &state, language)).field("next", next);
    }
    let next = set(args.with("name", named.full_name), "right", right);
    Ok(answer.page("access", &rows, args, TOOL.name, next))
}

fn entry(row: &AccessRow) -> Value {
    let conditions: Vec<Value> = row
        .conditions
        .iter()
        .map(|one| {
            json!({
                "roles": one.roles, "lets": one.lets, "template": one.template, "file": one.file, "line": one.line,
                "condition": one.condition,
            })
        })
        .collect();
    let mut entry = json!({ "right": row.right, "lets": row.lets, "unrestricted": row.unrestricted });
    if !row.field.is_empty() {
        entry["field"] = row.field.as_str().into();
    }
    if row.conditions.len() > 1 {
        let union = row.union();
        if !union.is_empty() {
            entry["joined"] = union.into();
        }
    }
    entry["conditions"] = conditions.into();
    entry
}
