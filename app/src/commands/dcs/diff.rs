//! `metascope dcs diff A B`: what two report schemas differ in, by meaning.

use std::path::PathBuf;

use dcs::meaning::{Change, ChangeKind, Thing, Value, diff, meaning};

use super::open_schema;
use crate::context::Context;
use crate::failure::Outcome;
use crate::output;

/// Longest value that is shown on a line, in characters.
const SHOWN: usize = 100;

/// What two report schemas differ in, by meaning: prefixes, white space and written-out defaults don't count.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The first schema (the old one).
    old: PathBuf,
    /// The second schema (the new one).
    new: PathBuf,
}

/// Runs it.
///
/// # Errors
/// If a file can't be read, or is no schema.
pub fn run(context: &Context, args: &Args) -> Outcome {
    let (old, new) = (open_schema(context, &args.old)?, open_schema(context, &args.new)?);
    let changes = match (meaning(&old), meaning(&new)) {
        (Some(old), Some(new)) => diff(&old, &new),
        _ => Vec::new(),
    };
    if context.json() {
        return output::json(&changes);
    }
    if changes.is_empty() {
        return output::text(context.pick("различий нет", "no differences"));
    }
    changes.iter().try_for_each(|change| output::text(&line(context, change)))
}

/// A difference on a line.
pub(super) fn line(context: &Context, change: &Change) -> String {
    let path = &change.path;
    match &change.kind {
        ChangeKind::Added { new } => format!("+ {path}{}", told(new)),
        ChangeKind::Removed { old } => format!("− {path}{}", told(old)),
        ChangeKind::Changed { old, new } => {
            format!("~ {path}: {} → {}", short(&old.to_string()), short(&new.to_string()))
        }
        ChangeKind::Retyped { old, new } => {
            let name = |of: &Option<Box<str>>| of.as_deref().unwrap_or("—").to_owned();
            format!("~ {path}: xsi:type {} → {}", name(old), name(new))
        }
        ChangeKind::Moved => format!("> {path}: {}", context.pick("переставлено", "moved")),
    }
}

fn told(thing: &Thing) -> String {
    if thing.value == Value::None { String::new() } else { format!(": {}", short(&thing.value.to_string())) }
}

fn short(text: &str) -> String {
    let one_line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match one_line.char_indices().nth(SHOWN) {
        Some((at, _)) => format!("«{}…»", &one_line[..at]),
        None => format!("«{one_line}»"),
    }
}
