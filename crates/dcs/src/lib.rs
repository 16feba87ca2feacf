//! A report schema (data composition schema, СКД) as a lossless document.
#![forbid(unsafe_code)]

mod document;
pub mod formal;
pub mod xml;

pub use document::{Document, Element, localized};
