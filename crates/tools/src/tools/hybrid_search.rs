//! `hybrid_search`: code and objects by meaning, words and text at once.

use std::sync::PoisonError;

use index::search::{Options, search};
use index::vectors::corpus::Class as Sort;

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
        Param::text(
            "query",
            &["text", "q", "question", "запрос", "вопрос"],
            "What is looked for, in words, Russian or English.",
        ),
        Param {
            name: "kind",
            aliases: &["type", "вид"],
            kind: ParamKind::Choice {
                words: &[
                    ("any", &["all", "любой", "все", "hybrid"]),
                    (
                        "method",
                        &["methods", "function", "procedure", "code", "метод", "методы", "функция", "процедура", "код"],
                    ),
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

fn run(context: &Context<'_>, args: &Args) -> Result<Answer, ToolError> {
    let query = args.text("query");
    let (offset, limit) = (args.number("offset"), args.number("limit"));
    let kind = match args.word("kind") {
        "method" => Some(Sort::Method),
        "object" => Some(Sort::Object),
        _ => None,
    };
    let options = Options { kind, limit: offset + limit + 1, ..Options::default() };
    // A search that panicked leaves a model that still answers.
    let mut meaning = context.meaning.lock().unwrap_or_else(PoisonError::into_inner);
    let found = search(context.index, query, options, &mut meaning)?;
    drop(meaning);
    let more = found.hits.len() > offset + limit;
    let rows: Vec<_> = found.hits.iter().skip(offset).take(limit).collect();
    let mut answer = Answer::complete();
    if rows.is_empty() {
        answer = answer.empty(say(
            context.language,
            "ничего не найдено; скажите другими словами",
            "nothing was found; say it in other words",
        ));
    }
    for note in &found.notes {
        answer = answer.incomplete(note.message(context.language));
    }
    let beyond = if more { None } else { Some(0) };
    let next = Next::Page { tool: "hybrid_search", arguments: args.with("query", query), offset };
    Ok(answer.list_of_more("hits", &rows, beyond, next))
}
