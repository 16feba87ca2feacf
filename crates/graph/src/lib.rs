//! Facts and configuration -> edges of the call graph, the links that no call shows among them.
//!
//! Pure: it takes a [`World`] (names of the configuration, hashed summaries of its modules) and the facts of one module
//! and gives that module's [`Edges`]. One file a channel in [`channels`]; adding one touches that file and one list.

#![forbid(unsafe_code)]

pub mod channels;
pub mod contexts;
pub mod dead;
pub mod dynamic;
pub mod edge;
pub mod flow;
pub mod handlers;
pub mod impact;
pub mod look;
pub mod names;
pub mod outline;
pub mod paths;
mod pattern;
pub mod platform;
pub mod refs;
pub mod relations;
pub mod scope;
pub mod settings;
mod sight;
pub mod signature;
pub mod sites;
pub mod summary;
pub mod tables;
pub mod types;
pub mod uses;
pub mod value;
mod walk;
mod words;
pub mod world;

pub use edge::{Channel, Confidence, DynamicSite, Edge, Edges, Half, Side};
pub use settings::{Dispatcher, Gives, Settings};
pub use sight::sight;
pub use signature::{TypeFact, TypeSource};
pub use summary::{MethodSummary, ModuleSummary, Recipe};
pub use world::{Fingerprint, Reads, World};
