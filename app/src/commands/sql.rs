//! `metascope sql 'SELECT …'`: read-only SQL over the views of the contract.

use std::time::Duration;

use index::sql::SqlLimits;
use serde_json::{Value, json};

use crate::context::Context;
use crate::failure::Outcome;
use crate::output;

/// Read-only SQL over the index's views; `fold(text)` lowers case in Unicode.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// One SELECT.
    query: String,
    /// Most rows.
    #[arg(long, default_value_t = 1000)]
    limit: usize,
    /// Longest time in seconds.
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=600))]
    seconds: u64,
}

/// Runs it.
///
/// # Errors
/// What the guard refused or SQLite did not understand, with a hint.
pub fn run(context: &Context, args: &Args) -> Outcome {
    let index = context.open()?;
    let limits = SqlLimits { rows: args.limit, time: Duration::from_secs(args.seconds), ..SqlLimits::default() };
    let answer = index::sql::select(index.path(), &args.query, limits).map_err(|error| context.index_failure(error))?;
    if context.json() {
        return output::json(&json!({"rows": answer.objects(), "truncated": answer.truncated}));
    }
    let mut rows = vec![answer.columns.clone()];
    rows.extend(answer.rows.iter().map(|row| row.iter().map(cell).collect()));
    output::columns(&rows)?;
    if answer.timed_out {
        context.note(
            context.pick("! показано не всё: время вышло (см. --seconds)", "! cut off: time ran out (see --seconds)"),
        );
    } else if answer.truncated {
        context.note(
            context.pick(
                "! показано не всё: достигнут предел (см. --limit)",
                "! cut off: a limit was reached (see --limit)",
            ),
        );
    }
    Ok(())
}

fn cell(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.replace('\n', "⏎").replace('\r', ""),
        other => other.to_string(),
    }
}
