//! `pending_edits`: the changes that were proposed.

use serde::Serialize;

use crate::answer::{Answer, Next};
use crate::context::Context;
use crate::edits::EditState;
use crate::error::ToolError;
use crate::params::{Args, Param, ParamKind};
use crate::tool::{Class, Group, Tool, say};

/// The tool.
pub const TOOL: Tool = Tool {
    name: "pending_edits",
    group: Group::Edits,
    purpose: "The changes that were proposed and wait for a person (ожидающие правки): number, title, tool, files, remarks of the checks, and \
whether a file changed since (`conflict`). With `all`, applied, undone and discarded ones, too. Not for what a change does \
(preview_diff).",
    params: &[
        Param {
            name: "all",
            aliases: &["все"],
            kind: ParamKind::Flag,
            required: false,
            about: "Those that don't wait any more, too.",
        },
        Param::limit(30, 200),
        Param::offset(),
    ],
    example: r#"{"all": true}"#,
    class: Class::Read,
    ceiling: 8_000,
    run,
};

#[derive(Serialize)]
struct Row {
    edit: u32,
    title: String,
    tool: String,
    status: &'static str,
    files: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    advisory: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    conflict: Option<String>,
}

fn run(context: &Context<'_>, args: &Args) -> Result<Answer, ToolError> {
    let mut rows = Vec::new();
    let conflicts = context.edits.conflicts(context.index)?;
    for one in context.edits.list()?.into_iter().rev() {
        if !args.flag("all") && one.state != EditState::Pending {
            continue;
        }
        rows.push(Row {
            conflict: conflicts.iter().find(|(id, _)| *id == one.id).map(|(_, path)| path.clone()),
            edit: one.id,
            title: one.title,
            tool: one.tool,
            status: one.state.word(),
            files: one.files.into_iter().map(|file| file.path).collect(),
            advisory: one.remarks.iter().map(|finding| finding.line_of_text(context.language)).collect(),
        });
    }
    let mut answer = Answer::complete();
    if rows.is_empty() {
        answer = answer.empty(say(context.language, "ни одна правка не ждёт", "no change waits"));
    }
    let (offset, limit) = (args.number("offset").min(rows.len()), args.number("limit"));
    let shown = rows.get(offset..).unwrap_or_default();
    let beyond = shown.len().saturating_sub(limit);
    let next = Next::Page { tool: "pending_edits", arguments: args.given(), offset };
    Ok(answer.list_of_more("edits", shown.get(..limit.min(shown.len())).unwrap_or_default(), Some(beyond), next))
}
