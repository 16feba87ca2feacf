//! `metascope`: the command line and the window of Metascope.

use std::process::ExitCode;

fn main() -> ExitCode {
    metascope::cli::main()
}
