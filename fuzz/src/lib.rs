//! Tries the readers with what no dump holds: genuine files, damaged in every way that their syntax suggests.
//!
//! A [reader](readers) says which files of a dump it reads; those are its [seeds]. An [input](mutate::input) is a seed after a
//! few mutations, and follows from two numbers (a seed of the run, the input's number): any input can be made again. Each is
//! [tried](run::Attempts): reading must not panic, must not take more time or memory than a text of that length may, and what
//! was read must hold together. A supervisor notices inputs that never come back or kill their process.
//!
//! `cargo xtask fuzz READER --minutes N` runs it for long; a short run of every reader is a test.

#![forbid(unsafe_code)]

pub mod mutate;
pub mod readers;
pub mod rng;
pub mod run;
pub mod seeds;
pub mod supervise;
pub mod syntax;
