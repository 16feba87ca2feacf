//! `metascope dcs edit FILE OPERATION…`: changes of a report schema by meaning.

use std::io::Write;
use std::path::{Path, PathBuf};

use bsl::Catalog;
use dcs::Document;
use dcs::operation::{KINDS, Operation, Plan, Ran, Refusal, Say, batch, help, new_schema, run as run_all, write_batch};
use serde_json::json;
use validators::dcs::{Finding, Options, Severity, new_findings};

use super::diff::line as change_line;
use super::{catalog, open_schema};
use crate::context::Context;
use crate::failure::{Failure, Outcome};
use crate::output;

/// Changes a report schema by meaning, and shows each change as a diff. The file is written only if nothing in the result blocks.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Template.xml, or Template.dcs of a project of 1C:EDT.
    #[arg(required_unless_present = "list")]
    file: Option<PathBuf>,
    /// Operations, carried out one after another: `add-total Скидка`; `--list` shows them.
    operations: Vec<String>,
    /// A file with operations: a line each, or JSON.
    #[arg(long, value_name = "FILE")]
    batch: Option<PathBuf>,
    /// Writes the operations to this file, as JSON that `--batch` reads. With `--dry-run` the schema stays as it is.
    #[arg(long, value_name = "FILE")]
    save_batch: Option<PathBuf>,
    /// Writes a new schema from a query, read from this file, before the operations.
    #[arg(long, value_name = "FILE")]
    from_query: Option<PathBuf>,
    /// Shows what would change; the file stays as it is.
    #[arg(long)]
    dry_run: bool,
    /// Removes what needs a removed thing, too.
    #[arg(long)]
    cascade: bool,
    /// Lists the operations with their options and an example of each, in the language of `--lang`.
    #[arg(long)]
    list: bool,
}

/// Runs it.
///
/// # Errors
/// If the file can't be read or written; if an operation is refused; if something in the result blocks that didn't before.
pub fn run(context: &Context, args: &Args) -> Outcome {
    if args.list {
        return list(context);
    }
    let Some(file) = &args.file else { return Ok(()) };
    let operations = operations(context, args)?;
    let (document, is_new) = match &args.from_query {
        Some(query) => {
            if file.exists() {
                let what = context.pick("файл уже есть", "the file exists already");
                return Err(Failure::usage("exists", format!("{what}: {}", file.display())));
            }
            (new_schema(&read(context, query)?).map_err(|refusal| refused(context, "", &refusal))?, true)
        }
        None => (open_schema(context, file)?, false),
    };
    if operations.is_empty() && !is_new {
        let what = context.pick("не указано ни одного действия", "no operation is given");
        return Err(Failure::usage("bad_argument", what).with_hint("metascope dcs edit --list"));
    }
    let ran = run_all(&document, &operations, args.cascade)
        .map_err(|(number, refusal)| refused(context, &format!("{}: ", number + 1), &refusal))?;
    let tables = context.tables_for(file)?;
    let options = Options { catalog: catalog(tables.as_ref()), ..Options::default() };
    let (blocking, advisory): (Vec<Finding>, Vec<Finding>) = new_findings(&document, &ran.document, &options)
        .into_iter()
        .partition(|finding| finding.severity == Severity::Blocking);
    let outdated = catalog(tables.as_ref()).map(Catalog::outdated).unwrap_or_default();
    show(context, args, &document, &ran, &advisory, &outdated)?;
    if let Some(first) = blocking.first() {
        let what = context.pick(
            "правка не применена: платформа не откроет результат",
            "not applied: the platform won't open the result",
        );
        let said = context.pick(&first.what.ru, &first.what.en);
        let hint = context.pick(&first.mend.ru, &first.mend.en).to_owned();
        return Err(Failure::not_found("blocked", format!("{what}: {}: {said}", first.path)).with_hint(hint));
    }
    if let Some(batch) = &args.save_batch {
        std::fs::write(batch, write_batch(&operations)).map_err(|error| not_written(context, batch, &error))?;
    }
    if args.dry_run {
        context.note(context.pick("файл не изменён (--dry-run)", "the file is as it was (--dry-run)"));
        return Ok(());
    }
    write(context, file, &ran.document)
}

fn not_written(context: &Context, file: &Path, error: &dyn std::fmt::Display) -> Failure {
    let what = context.pick("файл не записывается", "the file can't be written");
    Failure::usage("file", format!("{what}: {}: {error}", file.display()))
}

/// Writes a file whole or not at all.
fn write(context: &Context, file: &Path, document: &Document) -> Outcome {
    let failed = |error: &dyn std::fmt::Display| not_written(context, file, error);
    // A new file has nothing to lose, and the rights that new files have.
    let Ok(old) = std::fs::metadata(file) else {
        return std::fs::write(file, document.bytes()).map_err(|error| failed(&error));
    };
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut new = tempfile::NamedTempFile::new_in(folder).map_err(|error| failed(&error))?;
    new.write_all(&document.bytes()).map_err(|error| failed(&error))?;
    std::fs::set_permissions(new.path(), old.permissions()).map_err(|error| failed(&error))?;
    new.persist(file).map_err(|error| failed(&error))?;
    Ok(())
}

fn read(context: &Context, file: &Path) -> Outcome<String> {
    std::fs::read_to_string(file).map_err(|error| {
        let what = context.pick("файл не читается", "the file can't be read");
        Failure::usage("file", format!("{what}: {}: {error}", file.display()))
    })
}

/// Operations of the batch, then those of the command line.
fn operations(context: &Context, args: &Args) -> Outcome<Vec<Operation>> {
    let mut all = Vec::new();
    if let Some(file) = &args.batch {
        let read = batch(&read(context, file)?);
        all = read.map_err(|(line, refusal)| refused(context, &format!("{}:{line}: ", file.display()), &refusal))?;
    }
    for (number, line) in args.operations.iter().enumerate() {
        all.push(Operation::parse(line).map_err(|refusal| refused(context, &format!("{}: ", number + 1), &refusal))?);
    }
    Ok(all)
}

fn refused(context: &Context, place: &str, refusal: &Refusal) -> Failure {
    let russian = context.pick("ru", "en") == "ru";
    Failure::not_found("refused", format!("{place}{}", refusal.text(russian)))
}

fn show(
    context: &Context,
    args: &Args,
    before: &Document,
    ran: &Ran,
    advisory: &[Finding],
    outdated: &[String],
) -> Outcome {
    let said = |say: &Say| context.pick(&say.ru, &say.en).to_owned();
    if context.json() {
        let plan = |plan: &Plan| json!({"title": said(&plan.title), "changes": plan.declared, "removed_too": plan.removed_too});
        let plans: Vec<_> = ran.plans.iter().map(plan).collect();
        return output::json(
            &json!({"operations": plans, "findings": advisory, "outdated": outdated, "written": !args.dry_run}),
        );
    }
    let mut now = before.clone();
    for plan in &ran.plans {
        output::text(&said(&plan.title))?;
        for change in &plan.declared {
            output::text(&format!("  {}", change_line(context, change)))?;
        }
        for splice in plan.patch.splices() {
            lines(&now, splice)?;
        }
        if let Ok(applied) = now.apply(&plan.patch) {
            now = applied.document;
        }
    }
    for finding in advisory {
        let what = context.pick("замечание", "warning");
        let said = context.pick(&finding.what.ru, &finding.what.en);
        context.note(&format!("{what} [{}] {}: {said}", finding.check, finding.path));
    }
    context.note_outdated(outdated);
    Ok(())
}

/// The lines of a splice, as diffs show them.
fn lines(document: &Document, splice: &dcs::edit::Splice) -> Outcome {
    let text = document.text();
    let start = text[..splice.range.start].rfind('\n').map_or(0, |at| at + 1);
    let end = text[splice.range.end..].find('\n').map_or(text.len(), |at| splice.range.end + at);
    // The line's end belongs to neither.
    let end = if text[..end].ends_with('\r') && end > splice.range.end { end - 1 } else { end };
    let old = &text[start..end];
    let new = format!("{}{}{}", &text[start..splice.range.start], splice.text, &text[splice.range.end..end]);
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let first = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
    let rest = old[first..].iter().rev().zip(new[first..].iter().rev()).take_while(|(old, new)| old == new).count();
    let line = document.tree().line(start) as usize + first;
    output::text(&format!("@@ {line}"))?;
    for removed in &old[first..old.len() - rest] {
        output::text(&format!("-{removed}"))?;
    }
    for added in &new[first..new.len() - rest] {
        output::text(&format!("+{added}"))?;
    }
    Ok(())
}

fn list(context: &Context) -> Outcome {
    let said = |say: &Say| context.pick(&say.ru, &say.en).to_owned();
    if context.json() {
        let all: Vec<_> = KINDS
            .iter()
            .zip(help())
            .map(|(kind, help)| {
                let option =
                    |(name, what): &(Say, Say)| json!({"name": name.en, "russian": name.ru, "what": said(what)});
                let options: Vec<_> = help.options.iter().map(option).collect();
                json!({
                    "name": kind.name, "russian": kind.russian, "summary": said(&help.summary), "options": options,
                    "example": said(&help.example),
                })
            })
            .collect();
        return output::json(&all);
    }
    for help in help() {
        let other = context.pick(&help.name.en, &help.name.ru);
        output::text(&format!("{} ({other})\n  {}", said(&help.name), said(&help.summary)))?;
        output::text(&format!("    {}: {}", context.pick("пример", "example"), said(&help.example)))?;
        for (name, what) in &help.options {
            output::text(&format!("    @{}: {}", said(name), said(what)))?;
        }
    }
    output::text(context.pick(
        "\nУ каждого действия есть @схема(Имя): работать во вложенной схеме. Слова обоих языков можно смешивать.",
        "\nEach operation takes @schema(Name): it works in the nested schema. Words of both languages may be mixed.",
    ))
}
