//! Chat models, and the loop in which one works on a question with the tools.
//!
//! - [`Agent::ask`] is the loop; it tells a front end each step as an [`Event`].
//! - [`ChatModel`] is what it asks of a model: [`openai::OpenAiModel`] speaks chat completions over HTTP,
//!   [`OfflineModel`] follows written investigations and needs no model at all.
//! - [`models`] are those that a user has set up; nothing leaves for one of them but through [`secrets::mask`], and it is
//!   written down before ([`sent`]).
//! - [`TextProtocol`] lets a model without tool calling use the tools: it writes its calls as text.
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
pub mod mode;
pub mod model;
pub mod models;
mod offline;
pub mod openai;
pub mod price;
mod project;
pub mod prompt;
pub mod record;
mod run;
pub mod secrets;
pub mod sent;
pub mod text_protocol;
mod toolbox;
mod web;

pub use event::Event;
pub use limits::{Limits, LimitsError};
pub use mode::Mode;
pub use model::{ChatModel, Delta, ModelError, Reply, Request, Sink, ToolSchema};
pub use offline::OfflineModel;
pub use price::{Cost, Price};
pub use project::ProjectTools;
pub use record::Record;
pub use run::{Agent, AgentSettings, EventSink, Keeper, Outcome, Status, Unfinished};
pub use text_protocol::TextProtocol;
pub use tokio_util::sync::CancellationToken;
pub use toolbox::{Briefing, NameCheck, Refusal, ToolOutcome, Toolbox};
pub use web::{SEARCH_KEY_VARIABLE, SEARCH_SITES_VARIABLE, SEARCH_URL_VARIABLE, WebEndpoint};
