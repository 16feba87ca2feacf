//! `metascope [PROJECT]`: opens the window.

use std::path::PathBuf;

use crate::context::Context;
use crate::failure::{Failure, Outcome};

/// Opens the window.
///
/// # Errors
/// If this build has no window, or none can be opened.
#[cfg(feature = "desktop")]
pub fn run(context: &Context, project: Option<PathBuf>) -> Outcome {
    let root = project.map(|path| context.root_of(&path)).transpose()?;
    let location = match &root {
        Some(root) => Some(context.location_of(root)?),
        None => context.location().ok(),
    };
    crate::window::run(root, location, context.language()).map_err(Failure::from)
}

/// Says that this build has no window.
///
/// # Errors
/// Always.
#[cfg(not(feature = "desktop"))]
pub fn run(context: &Context, _project: Option<PathBuf>) -> Outcome {
    let text = context.pick("эта сборка без окна", "this build has no window");
    let hint = context.pick("подкоманды: metascope --help", "subcommands: metascope --help");
    Err(Failure::usage("no_window", text).with_hint(hint))
}
