//! `metascope embed-worker` (hidden): a process that holds the embedding model and answers over its standard input.

use crate::failure::Outcome;

/// Serves until its input ends.
///
/// # Errors
/// Those of writing an answer.
pub fn run() -> Outcome {
    Ok(index::vectors::worker::run(None)?)
}
