//! `metascope bench window`: scrolling a large tree with the software renderer.

use super::{Args, Figure};
use crate::context::Context;
use crate::failure::Outcome;

/// Runs it.
pub fn run(_context: &Context, _args: &Args) -> Outcome<Vec<Figure>> {
    Ok(Vec::new())
}
