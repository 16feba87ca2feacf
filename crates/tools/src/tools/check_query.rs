//! `check_query`: the text of a query: how it reads, its tables, fields with types, parameters, what is wrong.

use bsl::Catalog;
use bsl::query::{QueryFacts, TextKind, read};
use serde_json::{Value, json};
use validators::code::query_faults;
use validators::dcs::outdated_text;

use crate::answer::{Answer, Next};
use crate::context::Context;
use crate::error::ToolError;
use crate::params::{Args, Param};
use crate::scan::Scanner;
use crate::tool::{Class, Group, Tool, say};

/// The tool.
pub const TOOL: Tool = Tool {
    name: "check_query",
    group: Group::Edits,
    purpose: "One query's text (текст запроса) against the configuration: whether it reads, which tables, fields (with what they refer to) \
and parameters it has, which names don't exist and the nearest right ones. Not for the queries of a method or module (scan_code), nor for \
who reads a table (query_tables).",
    params: &[Param::text(
        "text",
        &["query", "sql", "запрос", "текст"],
        "The text in the query language, without quotes and `|`.",
    )],
    example: r#"{"text": "ВЫБРАТЬ В.Ссылка, В.Код ИЗ Справочник.Валюты КАК В ГДЕ В.Код = &Код"}"#,
    class: Class::Read,
    ceiling: 8_000,
    run,
};

fn run(context: &Context<'_>, args: &Args) -> Result<Answer, ToolError> {
    let scanner = Scanner::of(context.index)?;
    let text = args.text("text");
    let facts = read(text, TextKind::Query);
    let grounds = scanner.grounds();
    let whole = grounds.has_main();
    let world = whole.then(|| grounds.world());
    let faults = query_faults(&facts, world, Some(scanner.tables()));
    let problem = |fault: &validators::code::QueryFault| {
        json!({
            "line": fault.span.line,
            "name": fault.name,
            "what": say(context.language, &fault.what.ru, &fault.what.en),
            "mend": say(context.language, &fault.mend.ru, &fault.mend.en),
            "nearest": fault.nearest,
        })
    };
    let problems: Vec<Value> = faults.iter().map(problem).collect();
    let mut answer = Answer::complete();
    if facts.placeholders {
        let ru = "части текста заменяются перед выполнением: имена не проверены";
        answer = answer.incomplete(say(
            context.language,
            ru,
            "parts of the text are replaced before it runs: names were not checked",
        ));
    }
    if !whole {
        let ru = "основная конфигурация не загружена: её имена неизвестны";
        answer = answer.incomplete(say(
            context.language,
            ru,
            "the main configuration is not loaded: its names are not known",
        ));
    }
    if let Some(text) = outdated_text(&scanner.tables().outdated()) {
        answer = answer.incomplete(say(context.language, &text.ru, &text.en));
    }
    if facts.selects.is_empty() && problems.is_empty() {
        answer = answer.empty(say(context.language, "в тексте нет запроса", "the text holds no query"));
    }
    let mut parameters: Vec<&str> = Vec::new();
    for parameter in &facts.parameters {
        if !parameters.iter().any(|known| bsl::same_name(known, &parameter.name)) {
            parameters.push(&parameter.name);
        }
    }
    Ok(answer
        .field("reads", facts.problems.is_empty())
        .field("parameters", parameters)
        .list("problems", &problems, Next::None)
        .list("tables", &tables(&facts), Next::None)
        .list("fields", &fields(&facts, scanner.tables()), Next::None))
}

fn tables(facts: &QueryFacts) -> Vec<Value> {
    let named = facts.tables.iter().filter(|table| !table.parts.is_empty());
    named
        .map(|table| json!({ "table": table.parts.join("."), "full_name": table.name, "alias": table.alias }))
        .collect()
}

/// Fields that come from tables of the configuration, each once.
fn fields(facts: &QueryFacts, catalog: &dyn Catalog) -> Vec<Value> {
    let mut rows: Vec<Value> = Vec::new();
    for field in &facts.fields {
        let [origin] = &field.origins[..] else { continue };
        let mut row = json!({ "field": field.parts.join("."), "of": format!("{}.{}", origin.table, origin.path) });
        let targets = (!origin.path.contains('.')).then(|| catalog.targets(&origin.table, &origin.path)).flatten();
        if let (Some(row), Some(targets)) = (row.as_object_mut(), targets.filter(|targets| !targets.is_empty())) {
            row.insert("refers_to".to_owned(), json!(targets.iter().take(8).collect::<Vec<_>>()));
        }
        if !rows.contains(&row) {
            rows.push(row);
        }
    }
    rows
}
