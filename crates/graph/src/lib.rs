//! Facts and configuration -> edges of the call graph, the links that no call shows among them.
//!
//! Pure: it takes a [`World`] (names of the configuration, hashed summaries of its modules) and the facts of one module
//! and gives that module's [`Edges`]. One file a channel in [`channels`]; adding one touches that file and one list.

#![forbid(unsafe_code)]

pub mod edge;

pub use edge::{Channel, Confidence, Edge, Edges, Half, Side};
