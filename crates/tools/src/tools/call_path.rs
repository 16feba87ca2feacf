//! `call_path`: how one thing leads to another.

use crate::answer::{Answer, Next, why_empty};
use crate::context::Context;
use crate::error::ToolError;
use crate::params::{Args, Param};
use crate::tool::{Class, Group, Tool, say};

/// The tool.
pub const TOOL: Tool = Tool {
    name: "call_path",
    group: Group::Graph,
    purpose: "The surest chain of calls and hidden links from one thing to another (как A приводит к B); a module or object stands for \
all its methods. Not for all callers of B (callers) nor for how a user reaches B (entry_points).",
    params: &[
        Param::text(
            "from",
            &["source", "откуда", "start", "from_name"],
            "Where the chain begins: full name or `Модуль.Метод`.",
        ),
        Param::text("to", &["target", "куда", "end", "to_name"], "Where it ends."),
    ],
    example: r#"{"from": "Документ.РеализацияТоваров", "to": "РегистрНакопления.ТоварыНаСкладах"}"#,
    class: Class::Read,
    ceiling: 8_000,
    run,
};

fn run(context: &Context<'_>, args: &Args) -> Result<Answer, ToolError> {
    let from = context.index.require(args.text("from"))?;
    let to = context.index.require(args.text("to"))?;
    let found = context.index.path_between(from.id, to.id)?;
    let mut answer = Answer::of_state(&found.state, context.language)
        .field("from", &from.full_name)
        .field("to", &to.full_name)
        .field("steps", found.rows.len());
    if found.rows.is_empty() {
        let nothing = say(context.language, "пути не найдено", "no path found");
        answer = answer.empty(why_empty(nothing, &found.state, context.language));
    }
    Ok(answer.list("edges", &found.rows, Next::None))
}
