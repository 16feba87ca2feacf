//! `metascope callers NAME`: who calls it, with channel, confidence and evidence.

use crate::commands::edges::{self, Shown};
use crate::context::Context;
use crate::failure::Outcome;

/// Who calls it, with channel, confidence and evidence.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Full name; Russian kinds, plurals and any case are understood.
    name: String,
    /// How many edges deep.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=100))]
    depth: u32,
    /// Channels to follow (default: all); may be given several times.
    #[arg(long, value_name = "CHANNEL")]
    channel: Vec<String>,
    /// Most rows.
    #[arg(long, default_value_t = 1000)]
    limit: usize,
}

/// Runs it.
///
/// # Errors
/// An unknown name, with the nearest ones; "not found" if there is no edge.
pub fn run(context: &Context, args: &Args) -> Outcome {
    let index = context.open()?;
    let failure = |error| context.index_failure(error);
    let named = index.require(&args.name).map_err(failure)?;
    let walk = index::Walk { depth: args.depth, channels: args.channel.clone(), limit: args.limit };
    let answer = index.callers(named.id, &walk).map_err(failure)?;
    edges::print(context, &named.full_name, &answer, Shown::Source)
}
