//! How long walks take inside the process: `walks INDEX.db [METHOD]…`; without methods the ten that most others call.
//!
//! For each: callers to depth 10, what breaks if it is deleted, the ways in; first in a fresh index (`cold`: the graph is
//! read), then the median of nine more runs.

use anyhow::{Context as _, Result};
use metascope_index::{ImpactQuery, Index, NameId, Walk};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

const RUNS: usize = 9;

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let file = PathBuf::from(arguments.next().context("usage: walks INDEX.db [METHOD]…")?);
    let index = Index::open_file(&file)?;
    let mut methods: Vec<String> = arguments.collect();
    if methods.is_empty() {
        methods = index.overview()?.hubs.into_iter().take(10).map(|hub| hub.full_name).collect();
    }
    println!("{:>21} {:>21} {:>21}  method", "callers 10, ms", "impact, ms", "entries, ms");
    for method in methods {
        let id = index.require(&method)?.id;
        let walk = Walk { depth: 10, ..Walk::default() };
        let callers = time(&file, |index| Ok(index.callers(id, &walk)?.rows.len()))?;
        let impact = time(&file, |index| breaks(index, id))?;
        let entries = time(&file, |index| Ok(index.entries(id, 50)?.rows.len()))?;
        println!("{callers:>21} {impact:>21} {entries:>21}  {method}");
    }
    Ok(())
}

fn breaks(index: &Index, id: NameId) -> Result<usize> {
    let target = index.named(id)?.into();
    let (impact, _) = index.impact(&target, &ImpactQuery::default())?;
    Ok(impact.counts.iter().map(|group| group.direct + group.following).sum())
}

/// `cold / median (rows)`.
fn time(file: &Path, run: impl Fn(&Index) -> Result<usize>) -> Result<String> {
    let index = Index::open_file(file)?;
    let one = |index: &Index| -> Result<(Duration, usize)> {
        let started = Instant::now();
        let rows = run(index)?;
        Ok((started.elapsed(), rows))
    };
    let (cold, rows) = one(&index)?;
    let mut times = (0..RUNS).map(|_| Ok(one(&index)?.0)).collect::<Result<Vec<_>>>()?;
    times.sort_unstable();
    let median = times.get(RUNS / 2).copied().unwrap_or(cold);
    let ms = |time: Duration| time.as_secs_f64() * 1000.0;
    Ok(format!("{:.1} / {:.1} ({rows})", ms(cold), ms(median)))
}
