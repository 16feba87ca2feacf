//! `metascope bench [NAME]…`: benchmarks, as ratios to a floor measured in the same run, or against a bar.

mod index;
mod tools;
#[cfg(feature = "desktop")]
mod window;

use std::path::PathBuf;

use crate::context::Context;
use crate::failure::{Failure, Outcome};
use crate::output;

/// Benchmarks, with their ratios to a floor measured in the same run, or the bar that they are held to.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Which ones (default: all).
    name: Vec<String>,
    /// How often; the median is printed.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=100))]
    runs: u32,
    /// The dump to measure on (default: that of the index that answers).
    #[arg(long, value_name = "PATH")]
    path: Option<PathBuf>,
}

/// One measured figure.
#[derive(serde::Serialize)]
struct Figure {
    /// What was measured.
    name: &'static str,
    /// Its value.
    value: f64,
    /// `s`, `ms`, `MB`, `x` (a ratio); empty: a number.
    unit: &'static str,
}

/// What a benchmark measured: for programs, and in columns for people.
struct Report {
    figures: serde_json::Value,
    rows: Vec<Vec<String>>,
}

impl From<Vec<Figure>> for Report {
    fn from(figures: Vec<Figure>) -> Self {
        let row = |figure: &Figure| vec![figure.name.to_owned(), format!("{:.3} {}", figure.value, figure.unit)];
        Self { rows: figures.iter().map(row).collect(), figures: serde_json::json!(figures) }
    }
}

type Bench = fn(&Context, &Args) -> Outcome<Report>;

/// All benchmarks.
const BENCHES: &[(&str, Bench)] = &[
    ("index", index::run),
    ("tools", tools::run),
    #[cfg(feature = "desktop")]
    ("window", window::run),
];

/// Runs it.
///
/// # Errors
/// An unknown name; what the benchmark itself says.
pub fn run(context: &Context, args: &Args) -> Outcome {
    let known = || BENCHES.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
    if let Some(unknown) = args.name.iter().find(|name| !BENCHES.iter().any(|(known, _)| known == name)) {
        let text = context.pick("нет такого измерения", "no such benchmark");
        return Err(Failure::usage("unknown_bench", format!("{text}: {unknown}")).with_hint(known()));
    }
    for (name, bench) in BENCHES.iter().filter(|(name, _)| args.name.is_empty() || args.name.iter().any(|n| n == name))
    {
        let mut report = bench(context, args)?;
        if context.json() {
            output::json(&serde_json::json!({"bench": name, "figures": report.figures}))?;
        } else {
            output::text(name)?;
            report.rows.iter_mut().filter_map(|row| row.first_mut()).for_each(|first| first.insert_str(0, "  "));
            output::columns(&report.rows)?;
        }
    }
    Ok(())
}

/// The middle one of several values; 0 of none.
fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(0.0)
}
