//! The tools that the command line, the window and the agent call.
//!
//! [`Toolset::call`] runs one over an index: it reads forgiving arguments ([`params`]), opens the index, runs the tool,
//! cuts the result to the tool's ceiling ([`answer`]), and leaves an audit record. One tool a file in [`tools`]; adding one
//! touches that file and the list there. What a tool wants to change goes through [`edits`] and waits there for a person.
//!
//! Knows neither models nor HTTP.

#![forbid(unsafe_code)]

pub mod answer;
pub mod audit;
pub mod context;
pub mod edits;
pub mod error;
mod findings;
pub mod grounding;
pub mod heavy;
mod page;
pub mod params;
pub mod reference;
mod registry;
pub mod scan;
mod schema;
mod tool;
pub mod tools;
pub mod topics;
pub mod web;

pub use answer::Answer;
pub use context::{Context, SharedMeaning, Stop};
pub use edits::Edits;
pub use error::{Problem, ToolError};
pub use grounding::NameState;
pub use index::Location;
pub use index::search::Meaning;
pub use metadata::Language;
pub use params::{Args, Param, ParamKind};
pub use registry::{CallResult, Registry, Toolset};
pub use tool::{Class, Group, Tool, Topic, say};
