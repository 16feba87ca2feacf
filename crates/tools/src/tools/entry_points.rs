//! `entry_points`: how a user, a job or a service reaches a thing.

use crate::answer::{Answer, Next, limit_reached, why_empty};
use crate::context::Context;
use crate::error::ToolError;
use crate::params::{Args, Param};
use crate::tool::{Class, Group, Tool, say};

/// The tool.
pub const TOOL: Tool = Tool {
    name: "entry_points",
    group: Group::Graph,
    purpose: "How a method, module or object is reached from outside the code (как пользователь, задание или сервис сюда попадает): forms, \
commands, subscriptions, scheduled jobs, HTTP and web services, each with the chain of calls that leads there, shortest and \
surest first. Not for direct callers only (callers).",
    params: &[Param::name("Full name or `Модуль.Метод`."), Param::limit(10, 100), Param::offset()],
    example: r#"{"name": "ОбменСБанком.ОтправитьДокумент"}"#,
    class: Class::Read,
    ceiling: 12_000,
    run,
};

fn run(context: &Context<'_>, args: &Args) -> Result<Answer, ToolError> {
    let named = context.index.require(args.text("name"))?;
    let (offset, limit) = (args.number("offset"), args.number("limit"));
    let found = context.index.entries(named.id, offset + limit)?;
    let rows = found.rows.get(offset.min(found.rows.len())..).unwrap_or_default();
    let mut answer = Answer::of_state(&found.state, context.language)
        .field("full_name", &named.full_name)
        .field("kind", &named.kind);
    if rows.is_empty() {
        let nothing = say(context.language, "входов не найдено", "no entry points found");
        answer = answer.empty(why_empty(nothing, &found.state, context.language));
    }
    let beyond = if limit_reached(&found.state) { None } else { Some(0) };
    let next = Next::Page { tool: "entry_points", arguments: args.with("name", named.full_name), offset };
    Ok(answer.list_of_more("entries", rows, beyond, next))
}
