//! `metascope bench window`: the real window on the software renderer, without a display: scrolling a tree of 20,000 open
//! rows, and opening an index.

use super::{Args, Figure, Report};
use crate::context::Context;
use crate::failure::{Failure, Outcome};
use crate::window::bench;

/// Runs it once: a process has one platform for windows.
pub fn run(context: &Context, _args: &Args) -> Outcome<Report> {
    let figures = bench::run(context.location().ok()).map_err(Failure::from)?;
    let mut list = vec![
        Figure { name: "rows of the tree", value: figures.rows as f64, unit: "" },
        Figure { name: "frames", value: figures.frames as f64, unit: "" },
        Figure { name: "frame, median", value: figures.median, unit: "ms" },
        Figure { name: "frame, 95th percentile", value: figures.p95, unit: "ms" },
        Figure { name: "frame, slowest", value: figures.slowest, unit: "ms" },
        Figure { name: "first frame", value: figures.first_frame, unit: "ms" },
    ];
    if let Some(value) = figures.project_frame {
        list.push(Figure { name: "frame that shows the index", value, unit: "ms" });
    }
    Ok(list.into())
}
