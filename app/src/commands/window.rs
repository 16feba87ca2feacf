//! `metascope [PROJECT]`: opens the window, over the demo if nothing was indexed yet.

use std::path::PathBuf;

use crate::context::Context;
use crate::failure::{Failure, Outcome};

/// Opens the window.
///
/// # Errors
/// If this build has no window, or none can be opened.
#[cfg(feature = "desktop")]
pub fn run(context: &Context, project: Option<PathBuf>) -> Outcome {
    let mut root = project.map(|path| context.root_of(&path)).transpose()?;
    let location = match &root {
        Some(root) => Some(context.location_of(root)?),
        None => context.location().ok(),
    };
    // With nothing to open the demo is shown; where even that can't be, the window asks.
    let location = location.or_else(|| {
        root = context.demo().map_err(|failure| context.note(&failure.to_string())).ok();
        context.location_of(root.as_deref()?).ok()
    });
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
