//! `similar_code`: methods near to a method, or to a piece of code.

use std::sync::PoisonError;

use index::search::{By, Like, similar};

use super::read_method::not_a_method;
use crate::answer::{Answer, Next};
use crate::context::Context;
use crate::error::{Problem, ToolError};
use crate::params::{Args, Param, ParamKind};
use crate::tool::{Class, Group, Tool, say};

/// The tool.
pub const TOOL: Tool = Tool {
    name: "similar_code",
    group: Group::Search,
    purpose: "Methods near to a method or to a piece of code (похожий код): copies under another name, the same done elsewhere, an example to \
follow. Give `name` or `code`. `by` says how they were compared: `vectors` (purpose; where there are some) or `tokens` (the shape of the \
code: names of variables, texts and numbers don't count; a copy scores near 1). Not for a question in words (hybrid_search), nor for an exact \
text (literal_search).",
    params: &[
        Param {
            name: "name",
            aliases: &["method", "full_name", "метод", "имя", "function"],
            kind: ParamKind::Text,
            required: false,
            about: "A method: full name or `Модуль.Метод`.",
        },
        Param {
            name: "code",
            aliases: &["snippet", "text", "код", "фрагмент"],
            kind: ParamKind::Text,
            required: false,
            about: "A piece of code instead of a method: a few statements.",
        },
        Param {
            name: "by",
            aliases: &["mode", "как"],
            kind: ParamKind::Choice {
                words: &[
                    ("auto", &["any", "авто", ""]),
                    ("vectors", &["vector", "meaning", "векторы", "смысл"]),
                    ("tokens", &["token", "shape", "text", "токены", "текст"]),
                ],
                default: "auto",
            },
            required: false,
            about: "How to compare.",
        },
        Param::limit(10, 50),
        Param::offset(),
    ],
    example: r#"{"name": "ОбщегоНазначения.ЗначениеРеквизитаОбъекта"}"#,
    class: Class::Read,
    ceiling: 8_000,
    run,
};

fn run(context: &Context<'_>, args: &Args) -> Result<Answer, ToolError> {
    let (name, code) = (args.text("name"), args.text("code"));
    let named = match (name, code) {
        ("", "") => {
            let (argument, problem) = ("name".to_owned(), Problem::Missing);
            return Err(ToolError::Argument { argument, problem, example: TOOL.example });
        }
        ("", _) => None,
        (name, _) => Some(context.index.require(name)?),
    };
    let to = match &named {
        Some(named) if context.index.method(named.id)?.is_none() => return Err(not_a_method(context, named)?),
        Some(named) => Like::Method(named.id),
        None => Like::Code(code),
    };
    let only = match args.word("by") {
        "vectors" => Some(By::Vectors),
        "tokens" => Some(By::Tokens),
        _ => None,
    };
    let (offset, limit) = (args.number("offset"), args.number("limit"));
    let mut meaning = context.meaning.lock().unwrap_or_else(PoisonError::into_inner);
    let (found, by) = similar(context.index, to, only, offset + limit + 1, context.until, &mut meaning)?;
    drop(meaning);
    let rows: Vec<_> = found.hits.iter().skip(offset).take(limit).collect();
    let mut answer = Answer::complete().field("full_name", named.map(|named| named.full_name)).field("by", by);
    if rows.is_empty() {
        let nothing = match by {
            By::Tokens => say(
                context.language,
                "ни один метод не совпадает по форме кода хотя бы на пятую часть",
                "no method shares a fifth of its shape",
            ),
            By::Vectors => say(context.language, "векторов для сравнения нет", "there are no vectors to compare"),
        };
        answer = answer.empty(nothing);
    }
    for note in &found.notes {
        answer = answer.incomplete(note.message(context.language));
    }
    let beyond = if found.hits.len() > offset + limit { None } else { Some(0) };
    let next = Next::Page { tool: "similar_code", arguments: args.with("by", args.word("by")), offset };
    Ok(answer.list_of_more("hits", &rows, beyond, next))
}
