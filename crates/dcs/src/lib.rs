//! A report schema (data composition schema, СКД) as a lossless document.
//!
//! - [`Document`]: the bytes, a tree over them, the type of each element by the formal model ([`formal`]);
//! - [`view`]: elements as what they are (sets of data, fields, parameters, variants …);
//! - [`meaning`]: plain data, to be compared: what two documents differ in;
//! - [`edit`]: changes as splices that keep all other bytes;
//! - [`operation`]: changes by meaning ("add a field", "rename a parameter"), each with what it declares to change;
//! - [`trace`](mod@trace): from a column on the screen back to the tables.
#![forbid(unsafe_code)]

mod document;
pub mod edit;
pub mod expression;
pub mod formal;
pub mod meaning;
pub mod operation;
pub mod outline;
mod system;
pub mod trace;
pub mod view;
pub mod xml;

pub use document::{Document, Element, localized};
pub use formal::name;
pub use system::is_of_system;
