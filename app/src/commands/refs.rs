//! `metascope refs NAME`: every place that refers to a piece of metadata.

use index::{ReferenceQuery, ReferenceRow};
use serde_json::json;

use crate::commands::edges;
use crate::context::Context;
use crate::failure::Outcome;
use crate::output;

/// Every place that refers to a piece of metadata: file, line, kind.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Full name of an object, attribute, tabular section, enum value, predefined item, form, template, command, role …
    name: String,
    /// Only these kinds of reference.
    #[arg(long = "kind", value_name = "KIND")]
    kinds: Vec<String>,
    /// Most rows.
    #[arg(long, default_value_t = 100_000)]
    limit: usize,
}

/// Runs it.
///
/// # Errors
/// An unknown name, with the nearest ones; "not found" if nothing refers to it.
pub fn run(context: &Context, args: &Args) -> Outcome {
    let index = context.open()?;
    let failure = |error| context.index_failure(error);
    let target = index.require_target(&args.name).map_err(failure)?;
    let query = ReferenceQuery { kinds: args.kinds.clone(), limit: args.limit, ..ReferenceQuery::default() };
    let answer = index.references(&target, &query).map_err(failure)?;
    if context.json() {
        output::json(&json!({"state": answer.state, "refs": answer.rows}))?;
    } else {
        output::columns(&answer.rows.iter().map(cells).collect::<Vec<_>>())?;
    }
    edges::state(context, &answer.state);
    if answer.rows.is_empty() {
        return Err(edges::empty(context, &target.full_name(), &answer.state));
    }
    Ok(())
}

fn cells(row: &ReferenceRow) -> Vec<String> {
    vec![edges::place(&row.file, row.line), row.kind.clone(), row.source.clone()]
}
