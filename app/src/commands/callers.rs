//! `metascope callers NAME`: who calls it, with channel, confidence and evidence.

use index::Index;

use crate::commands::edges::Shown;
use crate::commands::walk;
use crate::context::Context;
use crate::failure::Outcome;

/// Who calls it, with channel, confidence and evidence.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(flatten)]
    from: walk::From,
}

/// Runs it.
///
/// # Errors
/// Those of [`walk::run`].
pub fn run(context: &Context, args: &Args) -> Outcome {
    walk::run(context, &args.from, Shown::Source, Index::callers)
}
