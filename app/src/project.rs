//! The tools of the project that answers, for the command line and the window alike.

use std::sync::{Arc, Mutex};

use agent::WebEndpoint;
use index::Location;
use metadata::Language;
use tools::{Edits, Meaning, Toolset};

use crate::context::Context;
use crate::failure::Outcome;

/// The tools over the index that answers; `caller` says in the audit who calls. The model of search by meaning is loaded when a
/// tool asks for it.
///
/// # Errors
/// If there is no index.
pub fn toolset(context: &Context, caller: &'static str) -> Outcome<Toolset> {
    let meaning = Arc::new(Mutex::new(Meaning::of_user(None)));
    Ok(Toolset::new(context.location()?, context.language(), caller).with_meaning(meaning).with_web(web()))
}

/// Search in the web: off unless the user's environment names an endpoint.
pub fn web() -> Arc<WebEndpoint> {
    Arc::new(WebEndpoint::from_env(|name| std::env::var(name).ok()))
}

/// Brings to an end what a killed program left half-applied of proposed changes. What can't be mended comes back as a message.
pub fn mend_edits(location: &Location, language: Language) -> Option<String> {
    Edits::of(location).repair().err().map(|error| error.message(language))
}
