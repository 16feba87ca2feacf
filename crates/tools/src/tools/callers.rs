//! `callers`: who calls a method, through every channel that the platform and the libraries know.

use index::{EdgeRow, NameId, Walk};

use crate::answer::{Answer, Next, limit_reached, why_empty};
use crate::context::Context;
use crate::error::ToolError;
use crate::params::{Args, Param, ParamKind};
use crate::tool::{Class, Group, Tool, say};

/// The tool.
pub const TOOL: Tool = Tool {
    name: "callers",
    group: Group::Graph,
    purpose: "Who calls a method (кто вызывает), or the methods of a module or object from outside: plain calls and also event \
subscriptions, form and command handlers, scheduled jobs, services, notifications. Each edge has channel, confidence, \
file and line. `state.complete=false` means that the list may not be all: read `state.reasons`. Not for what the method \
itself calls (callees), nor for the way from a user to it (entry_points).",
    params: EDGE_PARAMS,
    example: r#"{"name": "ОбщегоНазначения.ЗначениеРеквизитаОбъекта", "limit": 30}"#,
    class: Class::Read,
    ceiling: 12_000,
    run,
};

pub(super) const EDGE_PARAMS: &[Param] = &[
    Param::name("Full name, or what code writes: `Модуль.Метод`, `Справочник.Валюты.МодульОбъекта.ПередЗаписью`."),
    Param {
        name: "depth",
        aliases: &["глубина", "levels"],
        kind: ParamKind::Integer { least: 1, most: 10, default: 1 },
        required: false,
        about: "How many edges deep; 1: direct ones only.",
    },
    Param {
        name: "channels",
        aliases: &["channel", "канал", "каналы"],
        kind: ParamKind::Texts,
        required: false,
        about: "Only these channels, e.g. direct, notify, form_event; empty: all.",
    },
    Param::limit(40, 400),
    Param::offset(),
];

fn run(context: &Context<'_>, args: &Args) -> Result<Answer, ToolError> {
    let nothing = say(context.language, "вызовов не найдено", "no callers found");
    edges(context, args, "callers", nothing, |of, walk| context.index.callers(of, walk))
}

/// What callers and callees have in common.
pub(super) fn edges(
    context: &Context<'_>,
    args: &Args,
    tool: &'static str,
    nothing: &str,
    walk: impl Fn(NameId, &Walk) -> index::Result<index::Answer<EdgeRow>>,
) -> Result<Answer, ToolError> {
    let named = context.index.require(args.text("name"))?;
    let (offset, limit) = (args.number("offset"), args.number("limit"));
    let channels: Vec<String> = args.texts("channels").iter().map(|channel| channel.to_lowercase()).collect();
    let depth = u32::try_from(args.number("depth")).unwrap_or(1);
    let found = walk(named.id, &Walk { depth, channels: channels.clone(), limit: offset + limit })?;
    let rows = found.rows.get(offset.min(found.rows.len())..).unwrap_or_default();
    let mut answer = Answer::of_state(&found.state, context.language)
        .field("full_name", &named.full_name)
        .field("kind", &named.kind);
    if found.rows.is_empty() {
        answer = answer.empty(why_empty(nothing, &found.state, context.language));
        if !channels.is_empty() {
            let filter = format!(
                "{}: {}",
                say(context.language, "искали только по каналам", "only these channels were asked for"),
                channels.join(", ")
            );
            answer = answer.incomplete(filter);
        }
    } else if rows.is_empty() {
        answer = answer.empty(format!("offset {offset} ≥ {}", found.rows.len()));
    }
    let beyond = if limit_reached(&found.state) { None } else { Some(0) };
    let next = Next::Page { tool, arguments: args.with("name", named.full_name), offset };
    Ok(answer.list_of_more("edges", rows, beyond, next))
}
