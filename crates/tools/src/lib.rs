//! The tools that the command line, the window and the agent call.
//!
//! [`Toolset::call`] runs one over an index: it reads forgiving arguments ([`params`]), opens the index, runs the tool,
//! cuts the result to the tool's ceiling ([`answer`]), and leaves an audit record. One tool a file in [`tools`]; adding one
//! touches that file and the list there.
//!
//! Knows neither models nor HTTP.

#![forbid(unsafe_code)]

pub mod answer;
pub mod audit;
pub mod context;
pub mod error;
mod findings;
pub mod grounding;
pub mod params;
mod registry;
pub mod scan;
mod tool;
pub mod tools;

pub use answer::Answer;
pub use context::{Context, SharedMeaning, Stop};
pub use error::{Problem, ToolError};
pub use grounding::NameState;
pub use index::Location;
pub use index::search::Meaning;
pub use metadata::Language;
pub use params::{Args, Param, ParamKind};
pub use registry::{CallResult, Registry, Toolset};
pub use tool::{Class, Group, Tool, Topic};
