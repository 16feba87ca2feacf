//! Checks: text or data in, findings out. No files, no database.
//!
//! [`dcs`]: checks of report schemas. [`code`]: checks of modules.
#![forbid(unsafe_code)]

pub mod code;
pub mod dcs;
mod text;

pub use text::Text;
