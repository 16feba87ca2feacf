//! `cargo xtask`: what a person or a machine does with this repository beside `cargo build`.

#![forbid(unsafe_code)]

mod arrows;
mod cargo;
mod model;
mod run;
mod setup;
mod synth;
mod test;

use clap::{Parser, Subcommand};
use std::path::PathBuf;
use std::process::ExitCode;

#[derive(Parser)]
#[command(name = "cargo xtask", about = "Set-up, run and test of Metascope")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Put the embedding model and ONNX Runtime into the user's data directory
    Setup,
    /// Set up, build, index a configuration and open the window (without a display: show it in the terminal)
    Run {
        /// Root folder of a dump; default: the demo configuration
        path: Option<PathBuf>,
    },
    /// Format, lints, arrows between the crates, unit tests, doc tests, tests on real configurations
    Test {
        /// Fail if the real configurations are absent
        #[arg(long)]
        corpus: bool,
    },
    /// Make a configuration several times as large as a real one, for measuring
    Synth {
        /// Root folder of a dump of the Designer
        dump: PathBuf,
        /// Folder to make
        out: PathBuf,
        /// How many times as large
        #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=100))]
        times: u32,
    },
    /// Check that the crates depend on each other one way only
    Arrows,
}

fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Setup => setup::command(),
        Command::Run { path } => run::command(path),
        Command::Test { corpus } => test::command(corpus),
        Command::Synth { dump, out, times } => synth::command(&dump, &out, times),
        Command::Arrows => arrows::command(),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}
