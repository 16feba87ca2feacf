//! A report schema (data composition schema, СКД) as a lossless document.
//!
//! - [`Document`]: the bytes, a tree over them, the type of each element by the formal model ([`formal`]);
//! - [`edit`]: changes as splices that keep all other bytes.
#![forbid(unsafe_code)]

mod document;
pub mod edit;
pub mod formal;
pub mod xml;

pub use document::{Document, Element, localized};
pub use formal::name;
