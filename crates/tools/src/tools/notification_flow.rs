//! `notification_flow`: which events open forms are told, who sends them and who tells them apart.

use index::{NotificationFilter, Resolution};

use crate::answer::{Answer, Next, why_empty};
use crate::context::Context;
use crate::error::ToolError;
use crate::params::{Args, Param, ParamKind};
use crate::tool::{Class, Group, Tool, say};

/// The tool.
pub const TOOL: Tool = Tool {
    name: "notification_flow",
    group: Group::Graph,
    purpose: "Events that `Оповестить` sends to open forms (кто отправляет и кто обрабатывает оповещение): senders and the \
`ОбработкаОповещения` that compare the name, wholly or by a part; also events that nobody handles or nobody sends. By an event's \
name or a part of it, or by a form, object or method. Not for continuations after `ОписаниеОповещения` (callees has them).",
    params: &[
        Param {
            name: "event",
            aliases: &["name", "событие", "имя", "query", "of"],
            kind: ParamKind::Text,
            required: false,
            about: "Name of the event or a part of it, or the full name of a form, object, module or method; nothing: all events.",
        },
        Param::limit(20, 200),
        Param::offset(),
    ],
    example: r#"{"event": "Запись_ЗаказПокупателя"}"#,
    class: Class::Read,
    ceiling: 12_000,
    run,
};

fn run(context: &Context<'_>, args: &Args) -> Result<Answer, ToolError> {
    let (index, wanted) = (context.index, args.text("event"));
    let mut found = index.notifications(&NotificationFilter::event(wanted))?;
    // What is no event may be a thing that has to do with some.
    if found.rows.is_empty()
        && let Resolution::Found(named) = index.resolve(wanted)?
    {
        found = index.notifications(&NotificationFilter::of(index, named.id)?)?;
    }
    let (offset, limit) = (args.number("offset"), args.number("limit"));
    let rows = found.rows.get(offset.min(found.rows.len())..).unwrap_or_default();
    let rows = rows.get(..limit.min(rows.len())).unwrap_or_default();
    let mut answer = Answer::of_state(&found.state, context.language).field("total", found.rows.len());
    if found.rows.is_empty() {
        let nothing = say(
            context.language,
            "такого события никто не отправляет и не обрабатывает",
            "nobody sends or handles such an event",
        );
        answer = answer.empty(why_empty(nothing, &found.state, context.language));
    }
    let beyond = found.rows.len().saturating_sub(offset + rows.len());
    let next = Next::Page { tool: "notification_flow", arguments: args.with("event", wanted), offset };
    Ok(answer.list_of_more("events", rows, Some(beyond), next))
}
