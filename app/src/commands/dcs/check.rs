//! `metascope dcs check FILE`: what is wrong with a report schema.

use std::path::PathBuf;

use serde_json::json;
use validators::Text;
use validators::dcs::{CHECKS, Finding, Options, Severity, check};

use super::{catalog, open};
use crate::context::Context;
use crate::failure::{Failure, Outcome};
use crate::output;

/// What is wrong with a report schema: place, what, how to mend it.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Template.xml, or Template.dcs of a project of 1C:EDT.
    file: PathBuf,
    /// Only these checks; may be given several times.
    #[arg(long = "check", value_name = "CODE")]
    checks: Vec<String>,
    /// Checks that are off by default, too.
    #[arg(long)]
    all: bool,
}

/// Runs it.
///
/// # Errors
/// If the file can't be read; an unknown check; if something blocks.
pub fn run(context: &Context, args: &Args) -> Outcome {
    if let Some(unknown) = args.checks.iter().find(|code| !CHECKS.iter().any(|check| check.code == **code)) {
        let near = bsl::nearest(unknown, CHECKS.iter().map(|check| check.code), 3).join(", ");
        let what = context.pick("нет такой проверки", "no such check");
        return Err(Failure::usage("bad_argument", format!("{what}: {unknown}")).with_hint(near));
    }
    let document = open(context, &args.file)?;
    let tables = context.tables_for(&args.file)?;
    let report = check(&document, &Options { all: args.all, only: &args.checks, catalog: catalog(tables.as_ref()) });
    if context.json() {
        output::json(&json!({"findings": report.findings, "skipped": report.skipped, "outdated": report.outdated}))?;
    } else {
        for finding in &report.findings {
            print(context, args, finding)?;
        }
        if report.findings.is_empty() {
            output::text(context.pick("замечаний нет", "nothing found"))?;
        }
    }
    context.note_skipped(&report.skipped);
    context.note_outdated(&report.outdated);
    let blocking = report.findings.iter().filter(|finding| finding.severity == Severity::Blocking).count();
    if blocking > 0 {
        let what = context.pick("платформа не откроет этот файл, ошибок", "the platform won't open this file, errors");
        return Err(Failure::not_found("blocked", format!("{what}: {blocking}")));
    }
    Ok(())
}

fn print(context: &Context, args: &Args, finding: &Finding) -> Outcome {
    let said = |text: &Text| context.pick(&text.ru, &text.en).to_owned();
    let severity = match finding.severity {
        Severity::Blocking => context.pick("ошибка", "error"),
        Severity::Advisory => context.pick("замечание", "warning"),
    };
    let (file, line, column) = (args.file.display(), finding.line, finding.column);
    output::text(&format!("{file}:{line}:{column}: {severity} [{}] {}", finding.check, said(&finding.what)))?;
    if !finding.path.is_empty() {
        output::text(&format!("    {}", finding.path))?;
    }
    output::text(&format!("    → {}", said(&finding.mend)))
}
