//! `metascope edits …`: changes that were proposed wait for a person; here they are shown, applied and taken back.

use clap::Subcommand;
use index::Index;
use serde_json::{Value, json};
use tools::edits::{EditError, EditId, EditState, Pending};
use tools::{Edits, ToolError};

use crate::context::Context;
use crate::failure::{Exit, Failure, Outcome};
use crate::{output, project};

/// Changes that were proposed: what waits, what each does; applies them, takes them back.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand, Debug)]
enum Action {
    /// The changes that wait.
    List {
        /// Applied, undone and discarded ones, too.
        #[arg(long)]
        all: bool,
    },
    /// What a change does, as a diff.
    Show {
        /// Its number.
        edit: EditId,
        /// Marks words within changed lines.
        #[arg(long)]
        words: bool,
    },
    /// Writes changes into their files: all of them, or none.
    Apply {
        /// Their numbers.
        #[arg(required_unless_present = "all")]
        edits: Vec<EditId>,
        /// All that wait and fit.
        #[arg(long, conflicts_with = "edits")]
        all: bool,
    },
    /// Takes a change back: its files are what they were, byte for byte.
    Undo {
        /// Its number.
        edit: EditId,
    },
    /// Drops a change that waits.
    Discard {
        /// Its number.
        edit: EditId,
    },
}

/// Runs it.
///
/// # Errors
/// If there is no such change; if a file changed since, or another change stands in the way: then nothing is written.
pub fn run(context: &Context, args: &Args) -> Outcome {
    let toolset = project::toolset(context, "cli")?;
    let edits = toolset.edits();
    let index = context.open()?;
    let failed = |error: ToolError| failure(context, &error);
    match &args.action {
        Action::List { all } => list(context, &edits, &index, *all),
        Action::Show { edit, words } => show(context, &edits, &index, *edit, *words),
        Action::Apply { edits: ids, all } => {
            let ids = if *all { waiting(&edits, &index).map_err(failed)? } else { ids.clone() };
            if ids.is_empty() {
                context.note(context.pick("ни одна правка не ждёт", "no change waits"));
                return Ok(());
            }
            let applied = edits.apply(&index, &ids).map_err(failed)?;
            written(context, &applied.edits, &applied.files)
        }
        Action::Undo { edit } => {
            let undone = edits.undo(&index, *edit).map_err(failed)?;
            written(context, &undone.edits, &undone.files)
        }
        Action::Discard { edit } => {
            let dropped = edits.discard(&index, *edit).map_err(failed)?;
            written(context, &[dropped], &[])
        }
    }
}

/// Numbers of those that wait and fit.
fn waiting(edits: &Edits, index: &Index) -> Result<Vec<EditId>, ToolError> {
    let conflicts = edits.conflicts(index)?;
    let fits = |one: &Pending| one.state == EditState::Pending && !conflicts.iter().any(|(id, _)| *id == one.id);
    Ok(edits.list()?.into_iter().filter(fits).map(|one| one.id).collect())
}

fn failure(context: &Context, error: &ToolError) -> Failure {
    let exit = match error {
        ToolError::Edit(EditError::Unknown { .. } | EditError::Conflict { .. } | EditError::StandsOn { .. }) => {
            Exit::NotFound
        }
        ToolError::Edit(error) if !error.is_usage() => Exit::Internal,
        _ => Exit::Usage,
    };
    let language = context.language();
    Failure { exit, code: error.code(), message: error.message(language), hint: error.hint(language) }
}

fn word(context: &Context, state: EditState) -> &'static str {
    match state {
        EditState::Pending => context.pick("ждёт", "pending"),
        EditState::Applied => context.pick("применена", "applied"),
        EditState::Undone => context.pick("отменена", "undone"),
        EditState::Discarded => context.pick("отброшена", "discarded"),
    }
}

fn row(one: &Pending, conflict: Option<&str>) -> Value {
    let files: Vec<&str> = one.files.iter().map(|file| file.path.as_str()).collect();
    json!({
        "edit": one.id, "title": one.title, "tool": one.tool, "status": one.state.word(), "at": one.at, "files": files,
        "conflict": conflict, "findings": one.remarks,
    })
}

fn list(context: &Context, edits: &Edits, index: &Index, all: bool) -> Outcome {
    let failed = |error: ToolError| failure(context, &error);
    let known = edits.list().map_err(|error| failed(error.into()))?;
    let conflicts = edits.conflicts(index).map_err(failed)?;
    let mut rows = Vec::new();
    let mut cells = Vec::new();
    for one in known.iter().filter(|one| all || one.state == EditState::Pending) {
        let conflict = conflicts.iter().find(|(id, _)| *id == one.id).map(|(_, path)| path.as_str());
        let state = match conflict {
            Some(path) => format!("{} {path}", context.pick("конфликт:", "conflict:")),
            None => word(context, one.state).to_owned(),
        };
        let files = match one.files.as_slice() {
            [file] => file.path.clone(),
            files => format!("{} {}", files.len(), context.pick("файлов", "files")),
        };
        cells.push(vec![one.id.to_string(), state, one.tool.clone(), one.title.clone(), files]);
        rows.push(row(one, conflict));
    }
    if context.json() {
        return output::json(&rows);
    }
    if rows.is_empty() {
        context.note(context.pick("ни одна правка не ждёт", "no change waits"));
    }
    output::columns(&cells)
}

fn show(context: &Context, edits: &Edits, index: &Index, id: EditId, words: bool) -> Outcome {
    let failed = |error: ToolError| failure(context, &error);
    let one = edits.get(id).map_err(|error| failed(error.into()))?;
    let diffs = edits.diffs(index, id).map_err(failed)?;
    let conflict =
        edits.conflicts(index).map_err(failed)?.into_iter().find(|(other, _)| *other == id).map(|(_, path)| path);
    if context.json() {
        let mut value = row(&one, conflict.as_deref());
        value["diffs"] = json!(diffs);
        return output::json(&value);
    }
    output::text(&format!("{}: {} ({}, {})", one.id, one.title, one.tool, word(context, one.state)))?;
    for finding in &one.remarks {
        output::text(&format!("! {}", finding.line_of_text(context.language())))?;
    }
    if let Some(path) = conflict {
        let what = context.pick(
            "файл с тех пор изменился, правка к нему не подходит",
            "the file changed since, the change doesn't fit it",
        );
        context.note(&format!("! {path}: {what}"));
    }
    diffs.iter().try_for_each(|diff| output::text(diff.unified(words).trim_end_matches('\n')))
}

fn written(context: &Context, edits: &[Pending], files: &[String]) -> Outcome {
    if context.json() {
        let edits: Vec<Value> = edits.iter().map(|one| row(one, None)).collect();
        return output::json(&json!({ "edits": edits, "files": files }));
    }
    for one in edits {
        output::text(&format!("{}: {} ({})", one.id, one.title, word(context, one.state)))?;
    }
    for file in files {
        output::text(&format!("  {file}"))?;
    }
    if !files.is_empty() {
        context.note(context.pick("обновите индекс: metascope index", "update the index: metascope index"));
    }
    Ok(())
}
