//! Walking the graph from a name: what `callers` and `callees` share.

use index::{Answer, EdgeRow, Index, NameId, Walk};

use crate::commands::edges::{self, Shown};
use crate::context::Context;
use crate::failure::Outcome;

// No doc comment here: clap would take it for the help of the subcommand that flattens these arguments.
#[derive(clap::Args, Debug)]
#[allow(missing_docs)]
pub struct From {
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

/// Walks by one of the index's two ways and prints the edges.
///
/// # Errors
/// An unknown name, with the nearest ones; "not found" if there is no edge.
pub fn run(
    context: &Context,
    from: &From,
    shown: Shown,
    way: impl Fn(&Index, NameId, &Walk) -> index::Result<Answer<EdgeRow>>,
) -> Outcome {
    let index = context.open()?;
    let failure = |error| context.index_failure(error);
    let named = index.require(&from.name).map_err(failure)?;
    let walk = Walk { depth: from.depth, channels: from.channel.clone(), limit: from.limit };
    let answer = way(&index, named.id, &walk).map_err(failure)?;
    edges::print(context, &named.full_name, &answer, shown)
}
