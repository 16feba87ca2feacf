//! Writes the twin of a Designer dump as a project of 1C:EDT: `cargo run -p metascope-tests --example edt_twin -- [DUMP PROJECT]`.
//! Without arguments: `corpus/demo` -> `corpus/demo_edt`.

use std::path::PathBuf;
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1).map(PathBuf::from);
    let dump = arguments.next().unwrap_or_else(support::demo);
    let project = arguments.next().unwrap_or_else(support::demo_edt);
    // Files of an older twin must not stay.
    let sources = project.join("src");
    let removed = if sources.is_dir() { std::fs::remove_dir_all(&sources) } else { Ok(()) };
    match removed.and_then(|()| support::write_edt(&dump, &project)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{}: {error}", dump.display());
            ExitCode::FAILURE
        }
    }
}
