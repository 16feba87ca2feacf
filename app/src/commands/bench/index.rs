//! `metascope bench index`: a whole build against its floor, which is parsing all BSL with the grammar alone and reading
//! all XML events, from the same files with the same threads in the same run.

use std::path::Path;
use std::time::Instant;

use ::index::Location;
use ::index::build::{Options, Stop, build};
use rayon::prelude::*;

use super::{Args, Figure, Report, median};
use crate::context::Context;
use crate::failure::{Failure, Outcome};

/// Runs it. The index is written to a temporary folder.
pub fn run(context: &Context, args: &Args) -> Outcome<Report> {
    let failure = |error| context.index_failure(error);
    let root = match &args.path {
        Some(path) => context.root_of(path)?,
        None => context.open()?.root().map_err(failure)?,
    };
    let folder = std::env::temp_dir().join(format!("metascope-bench-{}", std::process::id()));
    let location = Location::at(folder.join("index.db"));
    let (mut floors, mut builds, mut unchanged) = (Vec::new(), Vec::new(), Vec::new());
    let mut last = None;
    for _ in 0..args.runs {
        floors.push(floor(&root)?);
        let options = Options { rebuild: true, ..Options::default() };
        let report = build(&root, &location, &options, &Stop::default(), &|_| {}).map_err(failure)?;
        builds.push(report.seconds);
        let again = build(&root, &location, &Options::default(), &Stop::default(), &|_| {}).map_err(failure)?;
        unchanged.push(again.seconds);
        last = Some(report);
    }
    let _ = std::fs::remove_dir_all(&folder);
    let (floor, built) = (median(floors), median(builds));
    let mut figures = vec![
        Figure { name: "floor: parse all BSL, read all XML events", value: floor, unit: "s" },
        Figure { name: "index without embeddings", value: built, unit: "s" },
        Figure { name: "index / floor", value: built / floor, unit: "x" },
        Figure { name: "index again without changes", value: median(unchanged), unit: "s" },
    ];
    if let Some(report) = last {
        figures.push(Figure { name: "index file", value: report.bytes as f64 / 1e6, unit: "MB" });
        if let Some(peak) = report.peak_memory {
            figures.push(Figure { name: "peak memory of this process", value: peak as f64 / 1e6, unit: "MB" });
        }
    }
    Ok(figures.into())
}

/// Seconds of the floor.
fn floor(root: &Path) -> Outcome<f64> {
    let started = Instant::now();
    let (files, _) = metadata::list_files(root).map_err(|error| context_of(root, error))?;
    let (modules, events) = files
        .par_iter()
        .map(|file| match std::fs::read(root.join(&*file.path)) {
            Ok(source) if file.path.ends_with(".bsl") => (usize::from(bsl::parse_alone(&source)), 0),
            Ok(source) if file.path.ends_with(".xml") => (0, metadata::xml_events(&source)),
            _ => (0, 0),
        })
        .reduce(|| (0, 0), |a, b| (a.0 + b.0, a.1 + b.1));
    tracing::info!(modules, events, "floor");
    Ok(started.elapsed().as_secs_f64())
}

fn context_of(root: &Path, error: impl std::fmt::Display) -> Failure {
    Failure::from(anyhow::anyhow!("{}: {error}", root.display()))
}
