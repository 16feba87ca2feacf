//! `metascope embed`: computes the vectors of an index that are missing; goes on where it was stopped.
//!
//! `metascope index` starts it in the background. The model runs in worker processes of this program
//! ([`super::embed_worker`]), so that its memory comes back and a crash of the native library harms nothing.

use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use index::Location;
use index::tasks;
use index::vectors::background::{self, Options};
use index::vectors::model;
use index::vectors::supervise::{Progress, QueueError};
use index::vectors::worker;
use indicatif::{ProgressBar, ProgressStyle};

use crate::context::Context;
use crate::failure::{Exit, Failure, Outcome};
use crate::{interrupt, output};

/// Computes the vectors that search by meaning needs; stopped, it goes on from there the next time.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Worker processes, 340 MB each (default: by the number of cores).
    #[arg(long)]
    workers: Option<usize>,
}

/// Runs it.
///
/// # Errors
/// The model is not installed; another process does the same; workers die.
pub fn run(context: &Context, args: &Args) -> Outcome {
    let location = context.location()?;
    let mut options = Options::default();
    if let Some(workers) = args.workers {
        options.workers = workers.clamp(1, 64);
    }
    let stopped = Arc::new(AtomicBool::new(false));
    interrupt::on_ctrl_c({
        let stopped = Arc::clone(&stopped);
        move || stopped.store(true, Ordering::Relaxed)
    });
    let bar = (output::draws_progress() && !context.quiet() && !context.json()).then(progress_bar);
    let mut last = None;
    let mut on_progress = |progress: Progress| {
        if let Some(bar) = &bar {
            let stage = tasks::phase(progress.stage.word(), context.language());
            bar.set_length(progress.total as u64);
            bar.set_position(progress.done as u64);
            bar.set_message(format!("{stage} {:.0}/s", progress.per_second));
        }
        last = Some(progress);
        !stopped.load(Ordering::Relaxed)
    };
    let head =
        background::embed(&location, &worker, &options, &mut on_progress).map_err(|error| failure(context, error))?;
    if let Some(bar) = &bar {
        bar.finish_and_clear();
    }
    if context.json() {
        return output::json(&serde_json::json!({
            "model": head.model, "names_done": head.names_done, "names": head.rows, "bodies_done": head.bodies_done,
            "bodies": head.bodies, "per_second": last.map(|progress| progress.per_second),
        }));
    }
    let done = context.pick("векторов готово", "vectors done");
    let speed = last.map_or_else(String::new, |progress| format!(", {:.1}/s", progress.per_second));
    output::text(&format!("{done}: {}/{} + {}/{}{speed}", head.names_done, head.rows, head.bodies_done, head.bodies))?;
    if stopped.load(Ordering::Relaxed) {
        return Err(Failure::stopped(
            context.pick("остановлено; продолжение: metascope embed", "stopped; go on with: metascope embed"),
        ));
    }
    Ok(())
}

/// How [`begin`] went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Begun {
    /// Every text of the index has its vectors.
    Complete,
    /// They are being computed.
    Started,
}

/// Lets the missing vectors of an index be computed in the background; `changed`: the index is another one than the vectors
/// that are there, complete or not, were made of.
///
/// # Errors
/// Why there is no search by meaning: the model is not installed, or the process can't be started.
pub fn begin(location: &Location, changed: bool) -> Result<Begun, String> {
    let generation = location.current().map_err(|error| error.to_string())?;
    let head = generation.as_deref().and_then(|path| background::status(path).ok().flatten());
    if !changed && head.is_some_and(|head| head.is_complete()) {
        return Ok(Begun::Complete);
    }
    model::locate(None).map_err(|error| error.to_string())?;
    // Where that can't be written down, one more process starts, sees the other, and ends.
    let runs = background::ask(location).unwrap_or(false);
    if !runs {
        start_in_background(location).map_err(|error| error.to_string())?;
    }
    Ok(Begun::Started)
}

/// Starts `metascope embed` for an index as a process of its own that outlives this one.
///
/// # Errors
/// If the process can't be started.
fn start_in_background(location: &Location) -> std::io::Result<()> {
    let mut command = this_program();
    command.arg("embed").arg("-q").arg("--index").arg(location.pointer());
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    worker::in_background(&mut command);
    let child = command.spawn()?;
    step_back(&child);
    Ok(())
}

/// Lets everything else of the machine go first: reading the texts takes seconds of a core, which the next update would miss.
#[cfg(unix)]
fn step_back(child: &Child) {
    // No number at all would mean this very process.
    let Some(pid) = i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw) else { return };
    if let Err(error) = rustix::process::setpriority_process(Some(pid), worker::LOWEST_PRIORITY) {
        tracing::debug!(%error, "the background process keeps its priority");
    }
}

/// On Windows the process is started in a lower priority class.
#[cfg(not(unix))]
fn step_back(_child: &Child) {}

/// How a worker is started: this program with its hidden subcommand.
pub fn worker() -> Command {
    let mut command = this_program();
    command.arg("embed-worker");
    command
}

fn this_program() -> Command {
    Command::new(std::env::current_exe().unwrap_or_else(|_| "metascope".into()))
}

fn progress_bar() -> ProgressBar {
    let bar = ProgressBar::new(0);
    if let Ok(style) = ProgressStyle::with_template("{msg:24} {bar:40} {pos}/{len} {eta}") {
        bar.set_style(style);
    }
    bar
}

fn failure(context: &Context, error: QueueError) -> Failure {
    match error {
        QueueError::Index(error) => context.index_failure(error),
        QueueError::Model(error) => Failure::usage("model", error.to_string()),
        error => Failure { exit: Exit::Internal, code: "vectors", message: error.to_string(), hint: None },
    }
}
