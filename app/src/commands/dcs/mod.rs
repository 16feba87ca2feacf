//! `metascope dcs …`: report schemas (data composition schema, СКД).

mod check;
mod diff;
mod edit;
mod explain;
mod show;
mod trace;

use std::path::Path;

use bsl::Catalog;
use clap::Subcommand;
use dcs::Document;
use index::Tables;

use crate::context::Context;
use crate::failure::{Failure, Outcome};

/// Report schemas: what is in one, what is wrong with it, what two differ in, where a column comes from, why a report fails; changes
/// by meaning.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand, Debug)]
enum Action {
    Show(show::Args),
    Check(check::Args),
    Diff(diff::Args),
    Edit(edit::Args),
    Trace(trace::Args),
    Explain(explain::Args),
}

/// Runs it.
///
/// # Errors
/// If a file can't be read, or is no schema; of `check`, if something blocks.
pub fn run(context: &Context, args: &Args) -> Outcome {
    match &args.action {
        Action::Show(args) => show::run(context, args),
        Action::Check(args) => check::run(context, args),
        Action::Diff(args) => diff::run(context, args),
        Action::Edit(args) => edit::run(context, args),
        Action::Trace(args) => trace::run(context, args),
        Action::Explain(args) => explain::run(context, args),
    }
}

/// What checks ask of the configuration.
fn catalog(tables: Option<&Tables>) -> Option<&dyn Catalog> {
    tables.map(|tables| tables as &dyn Catalog)
}

/// Reads a file.
fn open(context: &Context, file: &Path) -> Outcome<Document> {
    let bytes = std::fs::read(file).map_err(|error| {
        let what = context.pick("файл не читается", "the file can't be read");
        Failure::usage("file", format!("{what}: {}: {error}", file.display()))
    })?;
    Ok(Document::parse(bytes))
}

/// Reads a file that must be a schema.
fn open_schema(context: &Context, file: &Path) -> Outcome<Document> {
    let document = open(context, file)?;
    if document.is_schema() {
        return Ok(document);
    }
    let what = context.pick("это не схема отчёта", "this is no report schema");
    let hint = context.pick(
        "нужен Template.xml или Template.dcs макета со схемой компоновки данных",
        "the Template.xml or Template.dcs of a template that holds a data composition schema is needed",
    );
    Err(Failure::usage("no_schema", format!("{what}: {}", file.display())).with_hint(hint))
}
