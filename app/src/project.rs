//! The tools of the project that answers, for the command line and the window alike.

use std::sync::Arc;

use agent::WebEndpoint;
use tools::Toolset;

use crate::context::Context;
use crate::failure::Outcome;

/// The tools over the index that answers; `caller` says in the audit who calls.
///
/// # Errors
/// If there is no index.
pub fn toolset(context: &Context, caller: &'static str) -> Outcome<Toolset> {
    Ok(Toolset::new(context.location()?, context.language(), caller).with_web(web()))
}

/// Search in the web: off unless the user's environment names an endpoint.
pub fn web() -> Arc<WebEndpoint> {
    Arc::new(WebEndpoint::from_env(|name| std::env::var(name).ok()))
}
