//! `hybrid_search`: code and objects by meaning, words and text at once.

use index::text::{Filter, Hit};
use serde::Serialize;

use crate::answer::{Answer, Next};
use crate::context::Context;
use crate::error::ToolError;
use crate::params::{Args, Param, ParamKind};
use crate::tool::{Class, Group, Tool, Topic, say};

/// The tool.
pub const TOOL: Tool = Tool {
    name: "hybrid_search",
    group: Group::Search,
    topics: &[Topic::General, Topic::Code],
    purpose: "Methods and objects by what they do or are about (поиск по смыслу и словам), from a question in words; ranked. Give `kind`: \
one list of both buries objects. Not for an exact text (literal_search), a known name (resolve_entity) or callers (callers).",
    params: &[
        Param::text("query", &["text", "q", "question", "запрос", "вопрос"], "What is looked for, in words, Russian or English."),
        Param {
            name: "kind",
            aliases: &["type", "вид"],
            kind: ParamKind::Choice {
                words: &[
                    ("any", &["all", "любой", "все", "hybrid"]),
                    ("method", &["methods", "function", "procedure", "code", "метод", "методы", "функция", "процедура", "код"]),
                    ("object", &["objects", "metadata", "объект", "объекты", "метаданные"]),
                ],
                default: "any",
            },
            required: false,
            about: "What is looked for.",
        },
        Param::limit(10, 50),
        Param::offset(),
    ],
    example: r#"{"query": "проверка срока оплаты", "kind": "method"}"#,
    class: Class::Read,
    ceiling: 8_000,
    run,
};

#[derive(Serialize)]
struct Row {
    full_name: String,
    kind: String,
    score: f64,
    #[serde(skip_serializing_if = "String::is_empty")]
    file: String,
    line: u32,
    #[serde(skip_serializing_if = "String::is_empty")]
    snippet: String,
}

fn run(context: &Context<'_>, args: &Args) -> Result<Answer, ToolError> {
    let query = args.text("query");
    let (offset, limit) = (args.number("offset"), args.number("limit"));
    let filter = match args.word("kind") {
        "method" => Filter::Methods,
        "object" => Filter::Objects,
        _ => Filter::All,
    };
    let hits = context.index.fulltext(query, filter, offset + limit + 1)?;
    let more = hits.len() > offset + limit;
    let mut rows = Vec::new();
    for hit in hits.iter().skip(offset).take(limit) {
        context.check()?;
        rows.push(row(context, hit)?);
    }
    let mut answer = Answer::complete();
    if rows.is_empty() {
        answer = answer.empty(say(
            context.language,
            "ни одно слово запроса нигде не встречается; скажите другими словами",
            "no word of the query occurs anywhere; say it in other words",
        ));
    }
    answer = answer.incomplete(say(
        context.language,
        "поиск по смыслу недоступен, найдено по словам",
        "search by meaning is not available, found by words",
    ));
    let beyond = if more { None } else { Some(0) };
    let next = Next::Page { tool: "hybrid_search", arguments: args.with("query", query), offset };
    Ok(answer.list_of_more("hits", &rows, beyond, next))
}

fn row(context: &Context<'_>, hit: &Hit) -> Result<Row, ToolError> {
    let score = (hit.score * 1000.0).round() / 1000.0;
    if hit.is_object {
        let object = context.index.object(hit.id)?.unwrap_or_default();
        return Ok(Row {
            full_name: hit.full_name.clone(),
            kind: object.kind,
            score,
            file: object.file,
            line: object.line,
            snippet: object.synonym,
        });
    }
    let method = context.index.method(hit.id)?;
    let (line, snippet) = method.map_or((0, String::new()), |method| (method.line, format!("{}({})", method.name, method.params)));
    Ok(Row { full_name: hit.full_name.clone(), kind: "method".to_owned(), score, file: String::new(), line, snippet })
}
