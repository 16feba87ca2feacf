//! `metascope tool NAME JSON`: runs one tool, as the agent would.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::Value;

use crate::context::Context;
use crate::failure::{Exit, Failure, Outcome};
use crate::{interrupt, output, project};

/// Runs one tool, as the agent would.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Its name (see `metascope tools`).
    name: String,
    /// Its arguments: a JSON object.
    #[arg(default_value = "{}")]
    arguments: String,
}

/// Runs it. The result is JSON with or without `--json`.
///
/// # Errors
/// The tool's own, with the nearest names and a right example.
pub fn run(context: &Context, args: &Args) -> Outcome {
    let toolset = project::toolset(context, "cli")?;
    let asked = Arc::new(AtomicBool::new(false));
    interrupt::on_ctrl_c({
        let asked = Arc::clone(&asked);
        move || asked.store(true, Ordering::Relaxed)
    });
    let stop = tools::Stop::when(move || asked.load(Ordering::Relaxed));
    let result = match serde_json::from_str::<Value>(&args.arguments) {
        Ok(arguments) => toolset.call(&args.name, &arguments, &stop),
        Err(error) => toolset.call_broken(&args.name, &args.arguments, &error.to_string()),
    };
    if result.ok {
        return output::text(&result.content);
    }
    let error = serde_json::from_str::<Value>(&result.content).unwrap_or_default();
    let text = |key: &str| error["error"][key].as_str().map(str::to_owned);
    let code = result.code.unwrap_or("tool");
    let exit = match code {
        "unknown_name" | "ambiguous_name" => Exit::NotFound,
        "stopped" => Exit::Stopped,
        _ => Exit::Usage,
    };
    Err(Failure { exit, code, message: text("message").unwrap_or(result.summary), hint: text("hint") })
}
