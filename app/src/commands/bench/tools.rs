//! `metascope bench tools`: every tool of the agent on the heaviest calls that the index allows, each with its bar: 300 ms for
//! a look-up, two seconds for a scan of all sources.
//!
//! The calls are chosen from the index (`tools::heavy`), so that any configuration can be measured. They run in one process, each on a
//! fresh connection, as the agent's do; on a copy of the index, so that no proposed change is left behind.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use ::tools::heavy::{HeavyCall, Work, heavy_calls};
use ::tools::{CallResult, Location, Stop, Toolset};
use serde_json::json;

use super::{Args, Report, median};
use crate::context::Context;
use crate::failure::{Failure, Outcome};
use crate::project;

/// Longest arguments that are printed, in characters.
const SHOWN: usize = 90;

/// A folder that goes when it is dropped.
struct Scratch(PathBuf);

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A call with its times.
struct Measured {
    call: HeavyCall,
    work: Work,
    /// Milliseconds of each run.
    took: Vec<f64>,
    result: CallResult,
}

/// Runs it over the index that answers.
pub fn run(context: &Context, args: &Args) -> Outcome<Report> {
    let scratch = Scratch(std::env::temp_dir().join(format!("metascope-bench-tools-{}", std::process::id())));
    let location = context.location()?.copied_to(&scratch.0).map_err(|error| context.index_failure(error))?;
    let toolset = Toolset::new(location.clone(), context.language(), "bench").with_web(project::web());
    let index = toolset.index().map_err(|error| context.index_failure(error))?;
    let heavy = heavy_calls(&index).map_err(|error| Failure::usage("bench", error.message(context.language())))?;
    drop(index);
    let mut measured = Vec::new();
    for call in heavy.calls {
        let Some(work) = Work::of_tool(call.tool) else { continue };
        let (took, result) = timed(&toolset, &location, &call, args.runs);
        measured.push(Measured { call, work, took, result });
    }
    let (ru, en) = ("не измерено, такого в индексе нет", "not measured, the index has none");
    for (tool, thing) in &heavy.absent {
        context.note(&format!("{tool}: {} ({thing})", context.pick(ru, en)));
    }
    Ok(report(&measured))
}

/// Milliseconds of each run, and the last result.
fn timed(toolset: &Toolset, location: &Location, call: &HeavyCall, runs: u32) -> (Vec<f64>, CallResult) {
    let stop = Stop::default();
    let once = || {
        let _ = std::fs::remove_dir_all(location.sibling("edits"));
        if let Some((tool, arguments)) = &call.before {
            toolset.call(tool, arguments, &stop);
        }
        let started = Instant::now();
        let result = toolset.call(call.tool, &call.arguments, &stop);
        (started.elapsed(), result)
    };
    let (first, mut result) = once();
    let mut took = vec![first];
    for _ in 1..runs {
        let (time, last) = once();
        took.push(time);
        result = last;
    }
    (took.iter().map(Duration::as_secs_f64).map(|seconds| seconds * 1000.0).collect(), result)
}

fn report(measured: &[Measured]) -> Report {
    let title = ["tool", "work", "first, ms", "median, ms", "", "characters", "result", "arguments"];
    let mut rows = vec![title.map(str::to_owned).to_vec()];
    let mut figures = Vec::new();
    for one in measured {
        let (first, middle) = (one.took.first().copied().unwrap_or_default(), median(one.took.clone()));
        let over = middle > one.work.bar().as_secs_f64() * 1000.0;
        let characters = one.result.content.chars().count();
        let result = one.result.code.unwrap_or("ok");
        let arguments = one.call.arguments.to_string();
        figures.push(json!({
            "tool": one.call.tool,
            "work": one.work.word(),
            "first_ms": first,
            "median_ms": middle,
            "over_bar": over,
            "characters": characters,
            "result": result,
            "arguments": one.call.arguments,
        }));
        rows.push(vec![
            one.call.tool.to_owned(),
            one.work.word().to_owned(),
            format!("{first:.1}"),
            format!("{middle:.1}"),
            if over { "!" } else { "" }.to_owned(),
            characters.to_string(),
            result.to_owned(),
            arguments.chars().take(SHOWN).collect(),
        ]);
    }
    Report { figures: figures.into(), rows }
}
