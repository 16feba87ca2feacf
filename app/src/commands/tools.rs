//! `metascope tools`: the tools that the agent calls, with their schemas.

use crate::context::Context;
use crate::failure::Outcome;
use crate::output;

/// The tools that the agent calls; with --json their schemas.
#[derive(clap::Args, Debug)]
pub struct Args {}

/// Runs it.
///
/// # Errors
/// If stdout can't be written.
pub fn run(context: &Context, _args: &Args) -> Outcome {
    let registry = tools::Registry::default();
    if context.json() {
        return output::json(&registry.iter().map(tools::Tool::to_json).collect::<Vec<_>>());
    }
    let rows = registry.iter().map(|tool| vec![tool.name.to_owned(), tool.purpose.to_owned()]);
    output::columns(&rows.collect::<Vec<_>>())
}
