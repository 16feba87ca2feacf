//! Makes the vectors of an index and prints what it cost: `embed INDEX [WORKERS]`. With `--worker` it is the worker.

use std::process::Command;
use std::time::Instant;

use metascope_index::Location;
use metascope_index::vectors::{background, worker};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.first().is_some_and(|first| first == "--worker") {
        return Ok(worker::run(None)?);
    }
    let Some(index) = arguments.first() else { return Err("usage: embed INDEX [WORKERS]".into()) };
    let mut options = background::Options::default();
    if let Some(workers) = arguments.get(1) {
        options.workers = workers.parse()?;
    }
    let program = std::env::current_exe()?;
    let command = || {
        let mut command = Command::new(&program);
        command.arg("--worker");
        command
    };
    let start = Instant::now();
    let mut shown = Instant::now();
    let head = background::embed(&Location::at(index), &command, &options, &mut |progress| {
        if shown.elapsed().as_secs() >= 10 {
            shown = Instant::now();
            println!("{progress:?}");
        }
        true
    })?;
    println!("{:.1} s, {head:?}", start.elapsed().as_secs_f64());
    Ok(())
}
