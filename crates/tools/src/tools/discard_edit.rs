//! `discard_edit`: a change that waits is dropped.

use crate::answer::Answer;
use crate::context::Context;
use crate::error::ToolError;
use crate::params::Args;
use crate::tool::{Class, Group, Tool};
use crate::tools::preview_diff::{EDIT, number};

/// The tool.
pub const TOOL: Tool = Tool {
    name: "discard_edit",
    group: Group::Edits,
    purpose: "Drops a change that waits (отбросить правку), before another one is proposed in its place; later changes of the same files are made \
to fit without it. Not for changes that were applied: a person takes those back.",
    params: &[EDIT],
    example: r#"{"edit": 1}"#,
    class: Class::Write,
    ceiling: 2_000,
    run,
};

fn run(context: &Context<'_>, args: &Args) -> Result<Answer, ToolError> {
    let dropped = context.edits.discard(context.index, number(args))?;
    Ok(Answer::complete()
        .field("edit", dropped.id)
        .field("title", &dropped.title)
        .field("status", dropped.state.word()))
}
