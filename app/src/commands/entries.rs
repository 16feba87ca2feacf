//! `metascope entries NAME`: how a user, a job or a service reaches it.

use serde_json::json;

use crate::commands::edges;
use crate::context::Context;
use crate::failure::Outcome;
use crate::output;

/// How a user, a job or a service reaches it.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Full name; Russian kinds, plurals and any case are understood.
    name: String,
    /// Most entries.
    #[arg(long, default_value_t = 50)]
    limit: usize,
}

/// Runs it.
///
/// # Errors
/// An unknown name, with the nearest ones; "not found" if nothing reaches it.
pub fn run(context: &Context, args: &Args) -> Outcome {
    let index = context.open()?;
    let failure = |error| context.index_failure(error);
    let named = index.require(&args.name).map_err(failure)?;
    let answer = index.entries(named.id, args.limit).map_err(failure)?;
    if context.json() {
        output::json(&json!({"state": answer.state, "entries": answer.rows}))?;
    } else {
        for entry in &answer.rows {
            output::text(&format!("{}  [{}]", entry.entry, entry.channel))?;
            for step in &entry.chain {
                output::text(&format!(
                    "    → {}  {}  {}",
                    step.target,
                    step.channel,
                    edges::place(&step.file, step.line)
                ))?;
            }
        }
    }
    edges::state(context, &answer.state);
    if answer.rows.is_empty() {
        return Err(edges::empty(context, &named.full_name, &answer.state));
    }
    Ok(())
}
