//! `cargo xtask run [PATH]`: from a fresh checkout to a configuration on the screen.

use crate::cargo::{cargo, output, program, root, run};
use crate::setup;
use anyhow::{Context as _, Result, bail};
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// The method with the most callers: the sample that is shown in the terminal.
const MOST_CALLED: &str = "SELECT target, count(DISTINCT source) AS callers FROM edges JOIN methods ON full_name = target \
                           GROUP BY target ORDER BY callers DESC, target LIMIT 1";
const SAMPLE_SEARCH: &str = "проведение документа";

/// Sets up, builds, indexes and shows `path`, or the demo.
pub fn command(path: Option<PathBuf>) -> Result<()> {
    let path = match path {
        // A relative path is relative to where the user stands; the programs run in the root of the workspace.
        Some(path) => std::path::absolute(&path)?,
        None => support::demo(),
    };
    if !path.is_dir() {
        bail!("{} is no folder: give the root folder of a configuration dump", path.display());
    }
    setup::or_without_vectors();
    let has_display = has_display();
    let mut build = cargo();
    build.args(["build", "--release", "--package", "metascope"]);
    if !has_display {
        eprintln!("no display: building without the window, and showing the configuration here");
        build.arg("--no-default-features");
    }
    run(&mut build)?;

    let metascope = binary()?;
    run(program(&metascope).arg("index").arg(&path))?;
    if has_display { run(program(&metascope).arg(&path)) } else { show(&metascope, &path) }
}

/// On Linux a window needs a display server; Windows and macOS always have one.
fn has_display() -> bool {
    let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    !cfg!(all(unix, not(target_os = "macos"))) || set("DISPLAY") || set("WAYLAND_DISPLAY")
}

/// The built program, wherever the target folder is.
fn binary() -> Result<PathBuf> {
    #[derive(Deserialize)]
    struct Metadata {
        target_directory: PathBuf,
    }
    let json = output(cargo().args(["metadata", "--no-deps", "--format-version", "1"]))?;
    let metadata: Metadata = serde_json::from_str(&json)?;
    Ok(metadata.target_directory.join("release").join(format!("metascope{}", std::env::consts::EXE_SUFFIX)))
}

/// What the window shows, in the terminal: an overview, who calls the most called method, a search.
fn show(metascope: &Path, path: &Path) -> Result<()> {
    let ask = |arguments: &[&str]| {
        let mut command = program(metascope);
        command.args(arguments).arg("--project").arg(path);
        command
    };
    run(&mut ask(&["overview"]))?;
    let most_called = output(&mut ask(&["sql", MOST_CALLED, "--json"]))?;
    if let Some(name) = first_target(&most_called)? {
        run(&mut ask(&["callers", &name]))?;
    }
    run(&mut ask(&["search", SAMPLE_SEARCH, "--limit", "5"]))?;
    eprintln!("\nmore: {} --help", shorten(metascope));
    Ok(())
}

fn shorten(program: &Path) -> String {
    program.strip_prefix(root()).unwrap_or(program).display().to_string()
}

/// The one name in the answer of [`MOST_CALLED`].
fn first_target(json: &str) -> Result<Option<String>> {
    #[derive(Deserialize)]
    struct Answer {
        rows: Vec<Row>,
    }
    #[derive(Deserialize)]
    struct Row {
        target: String,
    }
    let answer: Answer = serde_json::from_str(json).context("`metascope sql --json` wrote what is not its format")?;
    Ok(answer.rows.into_iter().next().map(|row| row.target))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sample_comes_out_of_the_index() {
        let answer = r#"{"rows":[{"target":"CommonModule.А.Б","callers":3}],"truncated":false}"#;
        assert_eq!(first_target(answer).unwrap().as_deref(), Some("CommonModule.А.Б"));
        assert_eq!(first_target(r#"{"rows":[],"truncated":false}"#).unwrap(), None);
        assert!(first_target("").is_err());
    }
}
