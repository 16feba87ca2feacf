//! `metascope`: the command line and the window of Metascope.

use std::process::ExitCode;

/// Millions of small texts come and go on several threads: a build takes a third less time than with the allocator of glibc.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    metascope::memory::give_back();
    metascope::cli::main()
}
