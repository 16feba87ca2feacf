//! `metascope watch`: keeps the index in step with the files.

use std::path::PathBuf;

use index::build::{Options, Outcome as Built, build};
use index::watch::{Changes, Waited};

use crate::commands::index::{mend_edits, start_embedding, summary, wait_for_other};
use crate::context::Context;
use crate::failure::{Failure, Outcome};
use crate::{interrupt, output};

/// Keeps the index in step with the files, until Ctrl-C.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The dump: a folder with Configuration.xml, or one above it (default: the one around the current folder, else the demo).
    path: Option<PathBuf>,
    /// Do not compute vectors in the background.
    #[arg(long)]
    no_embeddings: bool,
}

/// Runs it.
///
/// # Errors
/// If the first build fails. What goes wrong later is told, and tried again when the files change the next time: a file may be
/// half-written. Another program that writes the index is waited for.
pub fn run(context: &Context, args: &Args) -> Outcome {
    let root = context.root_to_index(args.path.as_deref())?;
    let location = context.location_of(&root)?;
    let stop = interrupt::stop();
    // Watched before it is read: nothing that changes meanwhile is missed.
    let folders = index::build::folders(&root, &location).unwrap_or_else(|_| vec![root.clone()]);
    let mut changes = Changes::of(&folders);
    let (mut is_first, mut waits) = (true, false);
    loop {
        mend_edits(context, &location);
        match build(&root, &location, &Options::default(), &stop, &|_| {}) {
            Ok(report) if !is_first && report.outcome == Built::Unchanged => {}
            Ok(report) => {
                if context.json() {
                    output::json(&report)?;
                } else {
                    output::text(&summary(context, &report))?;
                }
                if !args.no_embeddings {
                    start_embedding(context, &location, report.outcome != Built::Unchanged);
                }
            }
            Err(index::Error::Stopped) => return stopped(context),
            // What changed may have come too late for the one that writes now: looked at when it is done.
            Err(error @ index::Error::Busy { .. }) => {
                if stop.is_asked() {
                    return stopped(context);
                }
                wait_for_other(context, &stop, &error, &mut waits)?;
                continue;
            }
            Err(error) if is_first => return Err(context.index_failure(error)),
            Err(error) => context.note(&format!("! {}", error.message(context.language()))),
        }
        waits = false;
        if is_first {
            is_first = false;
            let watched = context.pick("слежу за файлами", "watching");
            context.note(&format!("{watched}: {}", root.display()));
            if let Some(reason) = changes.by_clock() {
                let by_clock = context.pick(
                    "система не сообщает об изменениях, файлы сравниваются каждые три секунды",
                    "the system doesn't tell of changes, files are compared every three seconds",
                );
                context.note(&format!("! {by_clock}: {reason}"));
            }
        }
        if changes.wait(&stop) == Waited::Stopped {
            return stopped(context);
        }
    }
}

/// Being stopped is the only way in which this ends, and the index is whole.
fn stopped(context: &Context) -> Outcome {
    Err(Failure::stopped(context.pick("остановлено; индекс цел", "stopped; the index is whole")))
}
