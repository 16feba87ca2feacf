//! `preview_diff`: what a change does, as a diff.

use serde::Serialize;

use crate::answer::{Answer, Next};
use crate::context::Context;
use crate::edits::EditId;
use crate::edits::code::described;
use crate::error::ToolError;
use crate::params::{Args, Param, ParamKind};
use crate::tool::{Class, Group, Tool};

/// The tool.
pub const TOOL: Tool = Tool {
    name: "preview_diff",
    group: Group::Edits,
    purpose: "What a proposed change does (показать разницу): a unified diff of each of its files; with `words`, changed words are marked within \
their lines. Not for the list of changes (pending_edits).",
    params: &[
        EDIT,
        Param {
            name: "words",
            aliases: &["слова"],
            kind: ParamKind::Flag,
            required: false,
            about: "Mark words: `[-old-]{+new+}`.",
        },
        Param::limit(20, 200),
        Param::offset(),
    ],
    example: r#"{"edit": 1}"#,
    class: Class::Read,
    ceiling: 16_000,
    run,
};

/// The number of a change.
pub(super) const EDIT: Param = Param {
    name: "edit",
    aliases: &["id", "number", "правка", "номер"],
    kind: ParamKind::Integer { least: 1, most: 1_000_000_000, default: 1 },
    required: true,
    about: "Number of the change.",
};

/// The number that was given.
pub(super) fn number(args: &Args) -> EditId {
    EditId::try_from(args.number("edit")).unwrap_or(EditId::MAX)
}

#[derive(Serialize)]
struct Row {
    file: String,
    removed: usize,
    added: usize,
    diff: String,
}

fn run(context: &Context<'_>, args: &Args) -> Result<Answer, ToolError> {
    let id = number(args);
    let pending = context.edits.get(id)?;
    let diffs = context.edits.diffs(context.index, id)?;
    let row = |diff: &crate::edits::diff::FileDiff| Row {
        file: diff.path.clone(),
        removed: diff.removed,
        added: diff.added,
        diff: diff.unified(args.flag("words")),
    };
    let rows: Vec<Row> = diffs.iter().map(row).collect();
    let (offset, limit) = (args.number("offset").min(rows.len()), args.number("limit"));
    let shown = rows.get(offset..).unwrap_or_default();
    let beyond = shown.len().saturating_sub(limit);
    let next = Next::Page { tool: "preview_diff", arguments: args.given(), offset };
    let answer = described(context, Answer::complete(), &pending);
    Ok(answer.list_of_more("diffs", shown.get(..limit.min(shown.len())).unwrap_or_default(), Some(beyond), next))
}
