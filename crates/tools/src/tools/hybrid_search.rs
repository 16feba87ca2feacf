//! `hybrid_search`: code and objects by meaning, words and text at once.

use std::sync::PoisonError;

use index::search::{Found, Mode, Options, search};
use index::vectors::corpus::Class as Sort;

use crate::answer::{Answer, Next};
use crate::context::Context;
use crate::error::ToolError;
use crate::params::{Args, Param, ParamKind};
use crate::tool::{Class, Group, Tool, say};

/// The tool.
pub const TOOL: Tool = Tool {
    name: "hybrid_search",
    group: Group::Search,
    purpose: "Methods and objects by what they do or are about (поиск по смыслу и словам), from a question in words; ranked. Give `kind`: \
one list of both buries objects. Not for an exact text (literal_search), a known name (resolve_entity) or callers (callers).",
    params: SEARCH_PARAMS,
    example: r#"{"query": "проверка срока оплаты", "kind": "method"}"#,
    class: Class::Read,
    ceiling: 8_000,
    run,
};

/// What searches by words and by meaning take.
pub(super) const SEARCH_PARAMS: &[Param] = &[
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
];

fn run(context: &Context<'_>, args: &Args) -> Result<Answer, ToolError> {
    let found = found(context, args, Mode::Hybrid)?;
    Ok(ranked(context, args, found, "hybrid_search"))
}

/// Searches for what the arguments say; one hit more than a page tells that there are more.
pub(super) fn found(context: &Context<'_>, args: &Args, mode: Mode) -> Result<Found, ToolError> {
    let kind = match args.word("kind") {
        "method" => Some(Sort::Method),
        "object" => Some(Sort::Object),
        _ => None,
    };
    let limit = args.number("offset") + args.number("limit") + 1;
    let options = Options { mode, kind, limit, until: context.until };
    // A search that panicked leaves a model that still answers.
    let mut meaning = context.meaning.lock().unwrap_or_else(PoisonError::into_inner);
    Ok(search(context.index, args.text("query"), options, &mut meaning)?)
}

/// A page of ranked hits, with what the search could not take into account.
pub(super) fn ranked(context: &Context<'_>, args: &Args, found: Found, tool: &'static str) -> Answer {
    let (offset, limit) = (args.number("offset"), args.number("limit"));
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
    let next = Next::Page { tool, arguments: args.with("query", args.text("query")), offset };
    answer.list_of_more("hits", &rows, beyond, next)
}
