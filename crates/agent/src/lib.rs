//! Chat models, and the loop in which one works on a question with the tools.
//!
//! - [`Agent::ask`] is the loop; it tells a front end each step as an [`Event`].
//! - [`ChatModel`] is what it asks of a model: [`openai::OpenAiModel`] speaks chat completions over HTTP,
//!   [`OfflineModel`] follows written investigations and needs no model at all.
//! - [`models`] are those that a user has set up; nothing leaves for one of them but through [`secrets::mask`], and it is
//!   written down before ([`sent`]).
//! - [`Toolbox`] is what it asks of the tools: [`ProjectTools`] runs those of `metascope-tools` over an index.
//!
//! The only crate that knows models and HTTP.

#![forbid(unsafe_code)]

pub mod event;
pub mod ground;
pub mod image;
pub mod journal;
pub mod limits;
pub mod message;
pub mod model;
pub mod models;
mod offline;
pub mod openai;
mod project;
pub mod prompt;
mod run;
pub mod secrets;
pub mod sent;
mod toolbox;
mod web;

pub use event::Event;
pub use limits::{Limits, LimitsError};
pub use model::{ChatModel, Delta, ModelError, Reply, Request, Sink, ToolSchema};
pub use offline::OfflineModel;
pub use project::ProjectTools;
pub use run::{Agent, AgentSettings, EventSink, Outcome, Status};
pub use tokio_util::sync::CancellationToken;
pub use toolbox::{NameCheck, ToolOutcome, Toolbox};
pub use web::{SEARCH_KEY_VARIABLE, SEARCH_SITES_VARIABLE, SEARCH_URL_VARIABLE, WebEndpoint};
