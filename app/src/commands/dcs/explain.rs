//! `metascope dcs explain FILE MESSAGE`: which line causes a message of the platform.

use std::io::Read as _;
use std::path::PathBuf;

use validators::Text;
use validators::dcs::explain::{Cause, Explanation, KINDS, explain};

use super::{catalog, open};
use crate::context::Context;
use crate::failure::{Failure, Outcome};
use crate::output;

/// Longest message that is read, in bytes.
const MAX_MESSAGE: u64 = 1 << 20;

/// Why a report fails: from a message of the platform to the line that causes it, the nearest right name, and what to do.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Template.xml, or Template.dcs of a project of 1C:EDT.
    file: PathBuf,
    /// The message as the platform shows it, in Russian or English; `-` reads it from the standard input.
    #[arg(allow_hyphen_values = true)]
    message: String,
}

/// Runs it.
///
/// # Errors
/// If the file or the message can't be read.
pub fn run(context: &Context, args: &Args) -> Outcome {
    let document = open(context, &args.file)?;
    let message = match args.message.as_str() {
        "-" => from_input(context)?,
        written => written.to_owned(),
    };
    let tables = context.tables_for(&args.file)?;
    let why = explain(&document, &message, catalog(tables.as_ref()));
    if context.json() {
        return output::json(&why);
    }
    output::text(&headline(context, &why))?;
    for cause in &why.causes {
        print(context, args, cause)?;
    }
    if !why.findings.is_empty() {
        output::text(context.pick("Что находят проверки в этом файле:", "What checks find in this file:"))?;
    }
    for finding in &why.findings {
        let (file, line, column) = (args.file.display(), finding.line, finding.column);
        let (what, mend) = (said(context, &finding.what), said(context, &finding.mend));
        output::text(&format!("{file}:{line}:{column}: [{}] {what}\n    → {mend}", finding.check))?;
    }
    if !why.causes.iter().any(|cause| cause.sure) {
        context.note_skipped(&why.skipped);
        context.note_outdated(&why.outdated);
    }
    Ok(())
}

fn from_input(context: &Context) -> Outcome<String> {
    let mut message = String::new();
    std::io::stdin().take(MAX_MESSAGE).read_to_string(&mut message).map_err(|error| {
        let what = context.pick("сообщение не читается", "the message can't be read");
        Failure::usage("message", format!("{what}: {error}"))
    })?;
    Ok(message)
}

fn said<'t>(context: &Context, text: &'t Text) -> &'t str {
    context.pick(&text.ru, &text.en)
}

/// What the message says, and whether a cause is known.
fn headline(context: &Context, why: &Explanation) -> String {
    let Some(kind) = KINDS.iter().find(|kind| Some(kind.code) == why.message.kind) else {
        return context
            .pick(
                "Это сообщение неизвестно: по нему причину не найти.",
                "This message isn't known: it leads to no cause.",
            )
            .to_owned();
    };
    let title = context.pick(kind.title.0, kind.title.1);
    let name = if why.message.name.is_empty() { String::new() } else { format!(" «{}»", why.message.name) };
    let place = match why.message.position {
        Some((line, column)) => {
            format!(", {} {line}:{column}", context.pick("место в тексте", "place in the text"))
        }
        None => String::new(),
    };
    let found = match (why.causes.is_empty(), why.causes.iter().any(|cause| cause.sure)) {
        (true, _) => context.pick(
            ". В этом файле причины нет: возможно, схему меняет код или отчёт построен по другому файлу.",
            ". This file holds no cause: code may change the schema, or the report is made of another file.",
        ),
        (false, false) => context.pick(". Возможные причины:", ". Possible causes:"),
        (false, true) => ":",
    };
    format!("{title}{name}{place}{found}")
}

fn print(context: &Context, args: &Args, cause: &Cause) -> Outcome {
    let (file, line, column) = (args.file.display(), cause.line, cause.column);
    output::text(&format!("{file}:{line}:{column}: {}", said(context, &cause.what)))?;
    if !cause.path.is_empty() {
        output::text(&format!("    {}", cause.path))?;
    }
    output::text(&format!("    {}", said(context, &cause.why)))?;
    if !cause.nearest.is_empty() {
        let near = context.pick("ближайшие имена", "the nearest names");
        output::text(&format!("    {near}: {}", cause.nearest.join(", ")))?;
    }
    output::text(&format!("    → {}", said(context, &cause.mend)))
}
