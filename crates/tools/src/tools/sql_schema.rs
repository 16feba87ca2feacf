//! `sql_schema`: the views that `sql_select` reads.

use index::sql::{SqlLimits, select};
use serde_json::{Value, json};

use crate::answer::{Answer, Next};
use crate::context::Context;
use crate::error::{Problem, ToolError};
use crate::params::{Args, Param, ParamKind};
use crate::tool::{Class, Group, Tool, say};

/// The tool.
pub const TOOL: Tool = Tool {
    name: "sql_schema",
    group: Group::Graph,
    purpose: "Views that sql_select reads, each with its columns and what it is in one line (схема данных для SQL); with `view` one of them, its number of \
rows and its first ones. Ask it before a query on a view whose columns you don't know. Not for the data (sql_select), nor for tables of the \
configuration (read_metadata).",
    params: &[Param {
        name: "view",
        aliases: &["table", "name", "views", "таблица", "представление"],
        kind: ParamKind::Text,
        required: false,
        about: "One view, with samples.",
    }],
    example: r#"{"view": "edges"}"#,
    class: Class::Read,
    ceiling: 12_000,
    run,
};

/// Rows that a sample shows.
const SAMPLE: usize = 3;

fn run(context: &Context<'_>, args: &Args) -> Result<Answer, ToolError> {
    let views = views(context)?;
    let wanted = args.text("view").to_lowercase();
    if wanted.is_empty() {
        let row = |view: &View| json!({ "view": view.name, "columns": view.columns, "is": view.about });
        let note = say(
            context.language,
            "имена сравнивайте через fold(name): LIKE и lower знают только латиницу; виды — английские в единственном числе",
            "compare names by fold(name): LIKE and lower know Latin only; kinds are English singular",
        );
        let rows: Vec<Value> = views.iter().map(row).collect();
        return Ok(Answer::complete().remark(note).list("views", &rows, Next::None));
    }
    let Some(view) = views.iter().find(|view| view.name == wanted) else {
        let known = views.iter().map(|view| view.name.as_str());
        let near = bsl::nearest(&wanted, known.clone(), 1).into_iter().next();
        let nearest = near.and_then(|near| TEXTS.lines().filter_map(name_of).find(|name| *name == near));
        let allowed = TEXTS.lines().filter_map(name_of).filter(|name| known.clone().any(|one| one == *name)).collect();
        let problem = Problem::Choice { given: wanted.chars().take(60).collect(), allowed, nearest };
        return Err(ToolError::Argument { argument: "view".to_owned(), problem, example: TOOL.example });
    };
    let query = |sql: &str, rows| select(context.index.path(), sql, SqlLimits { rows, ..SqlLimits::default() });
    let count = query(&format!("SELECT count(*) AS n FROM \"{}\"", view.name), 1)?;
    let count = count.objects().first().and_then(|row| row.get("n").cloned()).unwrap_or_default();
    let sql = format!("SELECT * FROM \"{}\"", view.name);
    let sample = query(&sql, SAMPLE)?;
    let mut answer = Answer::complete()
        .field("view", &view.name)
        .field("is", &view.about)
        .field("columns", &view.columns)
        .field("count", &count);
    if sample.rows.is_empty() {
        answer = answer.empty(say(context.language, "строк нет", "it has no rows"));
    }
    let rest = Next::Sql { sql, limit: 100 };
    let beyond = usize::try_from(count.as_u64().unwrap_or(0)).unwrap_or(0).saturating_sub(sample.rows.len());
    Ok(answer.list_of_more("sample", &sample.objects(), Some(beyond), rest))
}

/// A view of the database.
struct View {
    name: String,
    columns: Vec<String>,
    about: String,
}

const TEXTS: &str = include_str!("../../data/views.tsv");

/// The name in a line of the texts; None for its head and remarks.
fn name_of(line: &'static str) -> Option<&'static str> {
    let name = line.split('\t').next()?;
    (!line.starts_with('#') && name != "view").then_some(name)
}

/// The views of the index with their columns, in the order of the texts.
fn views(context: &Context<'_>) -> Result<Vec<View>, ToolError> {
    let mut columns = context.index.columns()?;
    let mut views = Vec::new();
    for line in TEXTS.lines() {
        let Some(name) = name_of(line) else { continue };
        let mut cells = line.split('\t').skip(1);
        let (ru, en) = (cells.next().unwrap_or(""), cells.next().unwrap_or(""));
        if let Some(at) = columns.iter().position(|(view, _)| view == name) {
            let (name, columns) = columns.swap_remove(at);
            views.push(View { name, columns, about: say(context.language, ru, en).to_owned() });
        }
    }
    // A view that nobody wrote a text for is there all the same.
    columns.sort();
    views.extend(columns.into_iter().map(|(name, columns)| View { name, columns, about: String::new() }));
    Ok(views)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_view_has_a_text_in_both_languages() {
        let texts: Vec<Vec<&str>> =
            TEXTS.lines().filter(|line| name_of(line).is_some()).map(|line| line.split('\t').collect()).collect();
        for view in index::schema::all_views() {
            let text = texts.iter().find(|text| text[0] == view.name);
            assert!(
                text.is_some_and(|text| text.len() == 3 && text.iter().all(|cell| !cell.is_empty())),
                "{}",
                view.name
            );
        }
    }
}
