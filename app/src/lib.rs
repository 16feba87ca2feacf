//! The program's library: the command line and the window.
//!
//! `metascope [PROJECT]` opens the [`window`]; every other job is a subcommand, one file each in `commands`.

mod asked;
pub mod cli;
mod commands;
mod context;
mod demo;
mod failure;
mod help;
mod interrupt;
pub mod memory;
mod model;
mod output;
mod project;
#[cfg(feature = "desktop")]
pub mod window;
