//! `query_tables`: which queries read a table or a field.

use index::ReferenceQuery;
use serde_json::{Value, json};

use crate::answer::{Answer, call, limit_reached};
use crate::context::Context;
use crate::error::ToolError;
use crate::page::{text, why_none, without_empty};
use crate::params::{Args, Param};
use crate::tool::{Class, Group, Tool, say};

/// The tool.
pub const TOOL: Tool = Tool {
    name: "query_tables",
    group: Group::Edits,
    purpose: "Queries that read a table or a field (какие запросы читают таблицу или поле): of methods, dynamic lists of forms and report \
schemas. A table with its virtual tables and tabular sections; a field as an attribute's full name, followed through aliases, nested \
queries and temporary tables of the text; or `field` as queries write it. Not for the text of a query (read_method, dcs_read), nor for \
other uses of an attribute (attribute_references).",
    params: &[
        Param::name(
            "Table or attribute: `РегистрНакопления.Запасы`, `РегистрСведений.КурсыВалют.СрезПоследних`, `Документ.Заказ.Реквизит.Сумма`.",
        ),
        Param::maybe(
            "field",
            &["поле", "column"],
            "Of a table: only queries that name this field, as written behind the table: `Ссылка.Контрагент`.",
        ),
        Param::limit(60, 600),
        Param::offset(),
    ],
    example: r#"{"name": "РегистрНакопления.ТоварыНаСкладах"}"#,
    class: Class::Read,
    ceiling: 12_000,
    run,
};

/// Kinds of references that queries make.
const KINDS: [&str; 3] = ["bsl_query", "form_dynamic_list_query", "template_or_skd"];
/// References that are looked through.
const LOOKED_THROUGH: usize = 20_000;
/// Kinds of things that are tables with parts of their own.
const PARTS: [&str; 6] =
    ["Attribute", "StandardAttribute", "Dimension", "Resource", "AddressingAttribute", "AccountingFlag"];

fn run(context: &Context<'_>, args: &Args) -> Result<Answer, ToolError> {
    let index = context.index;
    let typed = args.text("name");
    let (table, extra) = match index.resolve(typed)? {
        index::Resolution::Found(named) => (named, None),
        _ => virtual_table(context, typed)?,
    };
    if PARTS.contains(&table.kind.as_str()) {
        return of_attribute(context, args, &table.full_name);
    }
    if matches!(table.kind.as_str(), "method" | "module" | "Form" | "Role") {
        let next = vec![call("method_passport", &json!({ "name": table.full_name }))];
        let wanted = ("таблица или её поле", "a table or a field of one");
        return Err(ToolError::WrongKind { name: table.full_name, kind: table.kind, wanted, next });
    }
    let name = extra.unwrap_or(table.full_name);
    of_table(context, args, &name)
}

/// A virtual table (`РегистрСведений.КурсыВалют.СрезПоследних`): its object, and the name that stored queries have it by.
fn virtual_table(context: &Context<'_>, typed: &str) -> Result<(index::Named, Option<String>), ToolError> {
    let canonical = metadata::names::canonical(typed).unwrap_or_else(|| typed.to_owned());
    // Whoever reads queries knows what tables there are, in both languages.
    let facts = bsl::query::read(&format!("ВЫБРАТЬ 1 КАК А ИЗ {canonical} КАК Т"), bsl::query::TextKind::Query);
    let table = facts.tables.first().filter(|table| table.kind == bsl::query::TableKind::Virtual);
    if let Some(table) = table
        && let Some((owner, _)) = table.name.rsplit_once('.')
        && let index::Resolution::Found(named) = context.index.resolve(owner)?
        && let Some((_, word)) = table.name.rsplit_once('.')
    {
        let name = format!("{}.{word}", named.full_name);
        return Ok((named, Some(name)));
    }
    Ok((context.index.require(typed)?, None))
}

/// Queries that read a table, or a field of it.
fn of_table(context: &Context<'_>, args: &Args, table: &str) -> Result<Answer, ToolError> {
    let (index, language, field) = (context.index, context.language, args.text("field"));
    // `/` comes right after `.`: virtual tables, tabular sections, tables of changes.
    let condition = "(\"table\" = ?1 OR \"table\" > ?1 || '.' AND \"table\" < ?1 || '/')";
    let columns = if field.is_empty() { "q.kind" } else { "q.field" };
    let view = if field.is_empty() { "query_tables" } else { "query_fields" };
    let sql = format!(
        "SELECT q.owner, q.\"table\", {columns}, q.line, q.query_line FROM {view} q WHERE {condition} ORDER BY q.owner, q.line"
    );
    let mut rows = index.view(&sql, &[table])?;
    let ends =
        |path: &str| bsl::same_name(path, field) || bsl::fold(path).starts_with(&format!("{}.", bsl::fold(field)));
    rows.retain(|row| field.is_empty() || ends(text(row, "field")));
    let mut owners: Vec<&str> = rows.iter().map(|row| text(row, "owner")).collect();
    owners.dedup();
    let mut tables: std::collections::BTreeMap<&str, usize> = std::collections::BTreeMap::new();
    for row in &rows {
        *tables.entry(text(row, "table")).or_default() += 1;
    }
    let state = context.of_metadata()?;
    let mut answer = Answer::of_state(&state, language)
        .field("table", table)
        .field("field", field)
        .field("total", rows.len())
        .field("owners", owners.len())
        .field("by_table", &tables);
    if rows.is_empty() {
        let nothing = match field.is_empty() {
            true => say(
                language,
                "ни один разобранный запрос не читает эту таблицу",
                "no query that could be read reads this table",
            ),
            false => say(
                language,
                "ни один разобранный запрос не называет это поле",
                "no query that could be read names this field",
            ),
        };
        answer = answer.empty(why_none(nothing, &state, language));
    }
    answer = answer.incomplete(say(
        language,
        "запросы, текст или таблица которых собираются при выполнении, видны не все",
        "queries whose text or table is put together at run time are not all seen",
    ));
    let rows: Vec<Value> = rows.iter().map(|row| without_empty(row).into()).collect();
    Ok(answer.page("queries", &rows, args, TOOL.name, args.with("name", table)))
}

/// Queries that name an attribute, wherever it stands in a path.
fn of_attribute(context: &Context<'_>, args: &Args, name: &str) -> Result<Answer, ToolError> {
    let (index, language) = (context.index, context.language);
    let target = index.require_target(name)?;
    let kinds = KINDS.iter().map(|kind| (*kind).to_owned()).collect();
    let found = index.references(&target, &ReferenceQuery { kinds, limit: LOOKED_THROUGH, until: context.until })?;
    let rows: Vec<Value> = found
        .rows
        .iter()
        .map(|row| json!({ "owner": row.source, "kind": row.kind, "file": row.file, "line": row.line }))
        .collect();
    let state = context.of_metadata()?;
    let mut answer = Answer::of_state(&state, language).field("field", name).field("total", rows.len());
    if rows.is_empty() {
        let nothing = say(
            language,
            "ни один разобранный запрос не называет это поле",
            "no query that could be read names this field",
        );
        answer = answer.empty(why_none(nothing, &state, language));
    }
    if limit_reached(&found.state) {
        answer = answer
            .incomplete(format!("{}: {LOOKED_THROUGH}", say(language, "показаны первые", "only the first are shown")));
    }
    answer = answer.incomplete(say(
        language,
        "запросы, текст или таблица которых собираются при выполнении, видны не все",
        "queries whose text or table is put together at run time are not all seen",
    ));
    Ok(answer.page("queries", &rows, args, TOOL.name, args.with("name", name)))
}
