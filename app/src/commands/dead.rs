//! `metascope dead`: methods that nothing reaches, and how sure that is.

use graph::dead::{Doubt, OutsideUse};
use serde_json::json;

use crate::commands::edges;
use crate::context::Context;
use crate::failure::Outcome;
use crate::output;

/// Methods that nothing reaches, and how sure that is.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// One more region whose exported methods others use (ПрограммныйИнтерфейс and Public are known); may be given several
    /// times.
    #[arg(long, value_name = "REGION")]
    region: Vec<String>,
    /// Only those of which it is proven.
    #[arg(long)]
    proven: bool,
    /// Most rows.
    #[arg(long, default_value_t = 1000)]
    limit: usize,
}

/// Runs it.
///
/// # Errors
/// If the index can't be read; "not found" if every method is in use.
pub fn run(context: &Context, args: &Args) -> Outcome {
    let index = context.open()?;
    let outside = OutsideUse::default().with_regions(&args.region);
    let mut answer = index.dead_methods(&outside).map_err(|error| context.index_failure(error))?;
    answer.rows.retain(|row| !args.proven || row.doubts.is_empty());
    let total = answer.rows.len();
    if total > args.limit {
        answer.rows.truncate(args.limit);
        answer.state.complete = false;
        answer.state.reasons.push(index::Reason::LimitReached { limit: args.limit });
    }
    if context.json() {
        output::json(&json!({"state": answer.state, "total": total, "methods": answer.rows}))?;
    } else {
        let doubt = |doubt: &Doubt| match doubt {
            Doubt::Exported => context.pick("экспортный", "exported").to_owned(),
            Doubt::DynamicSites { count } => {
                format!(
                    "{} {count}",
                    context.pick("могли бы вызвать вычисляемые места:", "computed calls that could be it:")
                )
            }
        };
        let certainty = |word: &str| match word {
            "proven" => context.pick("доказано", "proven").to_owned(),
            _ => context.pick("вероятно", "likely").to_owned(),
        };
        let rows = answer.rows.iter().map(|row| {
            vec![
                row.full_name.clone(),
                edges::place(&row.file, row.line),
                certainty(row.certainty),
                row.doubts.iter().map(doubt).collect::<Vec<_>>().join("; "),
            ]
        });
        output::columns(&rows.collect::<Vec<_>>())?;
    }
    context.note(&format!("{}: {total}", context.pick("методов", "methods")));
    edges::state(context, &answer.state);
    if total == 0 {
        return Err(edges::empty(context, "dead", &answer.state));
    }
    Ok(())
}
