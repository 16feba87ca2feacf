//! `impact_analysis`: what breaks if a thing is deleted or changed.

use index::{Change, ImpactQuery};

use crate::answer::{Answer, Next, limit_reached, why_empty};
use crate::context::Context;
use crate::error::ToolError;
use crate::params::{Args, Param, ParamKind};
use crate::tool::{Class, Group, Tool, say};

/// The tool.
pub const TOOL: Tool = Tool {
    name: "impact_analysis",
    group: Group::Graph,
    purpose: "What breaks if a method, attribute, tabular section, enum value, predefined item, object, form, command, role, \
subscription or subsystem is deleted or changed (кто сломается): calls of every channel, metadata, forms, rights, queries, code, \
and what follows through callers. Each break has a severity (build, runtime, data, looks), a certainty and its chain with evidence; \
`order` is a safe order of work. Not for a plain list of callers (callers).",
    params: &[
        Param::name("Full name, or what code writes: `Модуль.Метод`, `Справочник.Валюты.Реквизит.Курс`."),
        Param {
            name: "change",
            aliases: &["изменение", "action", "what"],
            kind: ParamKind::Choice {
                words: &[
                    ("delete", &["удаление", "удалить", "remove"]),
                    ("name", &["имя", "rename", "переименовать"]),
                    ("signature", &["сигнатура", "параметры", "parameters"]),
                    ("export", &["экспорт"]),
                    ("context", &["контекст", "directive", "директива"]),
                    ("type", &["тип"]),
                ],
                default: "delete",
            },
            required: false,
            about: "What is done to it.",
        },
        Param {
            name: "depth",
            aliases: &["глубина", "levels"],
            kind: ParamKind::Integer { least: 0, most: 20, default: 3 },
            required: false,
            about: "How many calls deep consequences are followed; 0: only what refers to the thing itself.",
        },
        Param::limit(25, 200),
    ],
    example: r#"{"name": "Справочник.Товары.Реквизит.Артикул", "change": "delete"}"#,
    class: Class::Read,
    ceiling: 14_000,
    run,
};

fn run(context: &Context<'_>, args: &Args) -> Result<Answer, ToolError> {
    let target = context.index.require_target(args.text("name"))?;
    let word = args.word("change");
    let change = Change::ALL.into_iter().find(|change| change.as_str() == word).unwrap_or_default();
    let depth = u32::try_from(args.number("depth")).unwrap_or(0);
    let query = ImpactQuery { change, limit: args.number("limit"), depth, until: context.until };
    let (impact, state) = context.index.impact(&target, &query)?;
    let mut answer = Answer::of_state(&state, context.language)
        .field("full_name", &impact.target)
        .field("kind", &impact.kind)
        .field("support", &impact.support)
        .field("change", change.as_str())
        .field("counts", &impact.counts);
    if impact.breaks.is_empty() {
        let nothing = say(context.language, "ничего не сломается", "nothing breaks");
        answer = answer.empty(why_empty(nothing, &state, context.language));
    }
    let beyond = if limit_reached(&state) { None } else { Some(0) };
    let more = (query.limit * 4).min(200);
    let again = |limit: usize| {
        let mut arguments = args.with("name", impact.target.clone());
        if let Some(object) = arguments.as_object_mut() {
            object.insert("limit".to_owned(), limit.into());
        }
        Next::Call { tool: "impact_analysis", arguments }
    };
    Ok(answer
        .list_of_more("breaks", &impact.breaks, beyond, again(more))
        .list("order", &impact.order, Next::None)
        .list("unused_after", &impact.unused_after, Next::None))
}
