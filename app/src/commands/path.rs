//! `metascope path FROM TO`: the cheapest chain of edges from one thing to another.

use crate::commands::edges::{self, Shown};
use crate::context::Context;
use crate::failure::Outcome;

/// The cheapest chain of edges from one thing to another.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Where it starts.
    from: String,
    /// Where it leads.
    to: String,
}

/// Runs it.
///
/// # Errors
/// An unknown name, with the nearest ones; "not found" if there is no chain.
pub fn run(context: &Context, args: &Args) -> Outcome {
    let index = context.open()?;
    let failure = |error| context.index_failure(error);
    let (from, to) = (index.require(&args.from).map_err(failure)?, index.require(&args.to).map_err(failure)?);
    let answer = index.path_between(from.id, to.id).map_err(failure)?;
    edges::print(context, &format!("{} → {}", from.full_name, to.full_name), &answer, Shown::Both)
}
