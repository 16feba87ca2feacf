//! `sql_select`: a question that no other tool asks, in SQL.

use index::sql::{SqlLimits, select};

use crate::answer::{Answer, Next};
use crate::context::Context;
use crate::error::ToolError;
use crate::params::{Args, Param};
use crate::tool::{Class, Group, Tool, say};

/// The tool.
pub const TOOL: Tool = Tool {
    name: "sql_select",
    group: Group::Graph,
    purpose: "One read-only SELECT (SQLite) over the index: counts, lists and joins that no other tool gives. Views: objects(full_name, kind, \
name, synonym, parent, subsystem, support, file), attributes(full_name, object, section, kind, name, types), attribute_types(attribute, type), \
modules(full_name, object, kind, file, lines), methods(full_name, module, name, is_function, is_export, context, params, doc, line, \
end_line), edges(source, target, channel, confidence, file, line), forms(form, object), form_items, form_handlers(form, element, event, \
handler), form_commands, event_subscriptions(name, event, handler, source_object), scheduled_jobs(name, method, enabled), \
role_rights(role, object, right, value), rls, rls_effective(role, object, right, field, \
condition, lets), register_movements(document, register), subsystem_content(owner, item), enum_values, \
predefined, functional_options, defined_types, queries(owner, line, text), query_tables(owner, line, \
table), query_fields(owner, line, table, field), strings(method, line, value), meta(key, value). Kinds are \
English singular: 'Catalog.Валюты'. Compare names with fold(name) LIKE '%валют%' (LIKE and lower know Latin only). Not for callers and \
callees (they also say how complete they are), nor for searching text (literal_search).",
    params: &[
        Param::text("sql", &["query", "q", "запрос", "select"], "One SELECT, without a semicolon at the end."),
        Param::limit(100, 1000),
    ],
    example: r#"{"sql": "SELECT kind, count(*) AS n FROM objects GROUP BY kind ORDER BY n DESC"}"#,
    class: Class::Read,
    ceiling: 12_000,
    run,
};

fn run(context: &Context<'_>, args: &Args) -> Result<Answer, ToolError> {
    let sql = args.text("sql").trim_end_matches(|c: char| c == ';' || c.is_whitespace());
    let longest = SqlLimits::default();
    let time = context.until.left().map_or(longest.time, |left| left.min(longest.time));
    let limits = SqlLimits { rows: args.number("limit"), time, ..longest };
    let found = select(context.index.path(), sql, limits)?;
    let mut answer = Answer::complete().field("columns", &found.columns);
    if found.rows.is_empty() {
        answer = answer.empty(say(context.language, "запрос выполнен, строк нет", "the query ran and gave no rows"));
    }
    if found.timed_out {
        let note = say(context.language, "время вышло, строк найдено", "time ran out, rows that were found");
        answer = answer.incomplete(format!("{note}: {}", found.rows.len()));
    }
    let beyond = if found.truncated { None } else { Some(0) };
    Ok(answer.list_of_more("rows", &found.objects(), beyond, Next::Sql { sql: sql.to_owned(), limit: limits.rows }))
}
