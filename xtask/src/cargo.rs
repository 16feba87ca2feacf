//! Running cargo and other programs, with messages that name what failed.

use anyhow::{Context as _, Result, bail};
use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, Stdio};

/// Cargo, as this very process was started by it, in the root of the workspace.
pub fn cargo() -> Command {
    program(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// A program started in the root of the workspace.
pub fn program(name: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(name);
    command.current_dir(root());
    command
}

/// Root of the workspace.
pub fn root() -> &'static Path {
    support::workspace_root()
}

/// Runs a program that writes to the terminal itself.
///
/// # Errors
/// It cannot be started, or ends with another code than 0.
pub fn run(command: &mut Command) -> Result<()> {
    let shown = show(command);
    eprintln!("$ {shown}");
    let status = command.status().with_context(|| format!("cannot start `{shown}`"))?;
    if !status.success() {
        bail!("`{shown}` failed ({status})");
    }
    Ok(())
}

/// Runs a program and returns what it wrote to stdout; stderr goes to the terminal.
///
/// # Errors
/// It cannot be started, or ends with another code than 0.
pub fn output(command: &mut Command) -> Result<String> {
    let shown = show(command);
    let output = command.stderr(Stdio::inherit()).output().with_context(|| format!("cannot start `{shown}`"))?;
    if !output.status.success() {
        bail!("`{shown}` failed ({})", output.status);
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The command line as a person would type it.
fn show(command: &Command) -> String {
    let name = Path::new(command.get_program()).file_stem().unwrap_or(command.get_program());
    let words = std::iter::once(name).chain(command.get_args()).map(|word| {
        let word = word.to_string_lossy();
        if word.contains(char::is_whitespace) { format!("\"{word}\"") } else { word.into_owned() }
    });
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failing_program_is_named() {
        let error = run(cargo().arg("no-such-subcommand").stderr(Stdio::null())).unwrap_err();
        assert!(format!("{error:#}").contains("`cargo no-such-subcommand` failed"), "{error:#}");
    }
}
