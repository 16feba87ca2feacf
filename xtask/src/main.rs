//! `cargo xtask`: what a person or a machine does with this repository beside `cargo build`.

#![forbid(unsafe_code)]

mod arrows;
mod cargo;
mod extension;
mod fuzz;
mod model;
mod room;
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
    /// Generate an extension of a Designer dump: methods under each annotation, forms, methods under control
    Extension {
        /// Folder with the base's Configuration.xml
        base: PathBuf,
        /// Folder to write to
        target: PathBuf,
        /// Methods for each annotation
        #[arg(long, default_value_t = 200)]
        methods: usize,
        /// Forms
        #[arg(long, default_value_t = 20)]
        forms: usize,
        /// Methods under control beside those; half of them have drifted
        #[arg(long, default_value_t = 20)]
        controls: usize,
        /// Another seed gives another extension
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Try a reader with damaged files: nothing may panic, hang, or take more time and memory than its length allows
    Fuzz {
        /// designer, edt, bsl, grammar, query or container
        reader: String,
        /// Minutes
        #[arg(long, default_value_t = 10)]
        minutes: u64,
        /// Another seed gives other inputs
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// Number of the first input
        #[arg(long, default_value_t = 0)]
        first: u64,
        /// More dumps to take files from, beside the demo in both formats
        #[arg(long = "dump")]
        dumps: Vec<PathBuf>,
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
        Command::Extension { base, target, methods, forms, controls, seed } => {
            let plan = support::extension::Plan { methods, forms, controls, seed };
            extension::command(&base, &target, plan)
        }
        Command::Fuzz { reader, minutes, seed, first, dumps } => {
            fuzz::command(fuzz::Plan { reader, minutes, seed, first, dumps })
        }
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
