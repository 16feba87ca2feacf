//! `cargo xtask test`: everything that must hold before a change goes in.

use crate::cargo::{cargo, output, run};
use crate::{arrows, room, setup};
use anyhow::{Context as _, Result, bail};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use support::Corpus;

/// Runs all steps, the later ones too when an earlier one failed, and sums up.
pub fn command(corpus_required: bool) -> Result<()> {
    if cargo().args(["nextest", "--version"]).stdout(Stdio::null()).stderr(Stdio::null()).status()?.code() != Some(0) {
        bail!("cargo-nextest is missing: `cargo install --locked cargo-nextest`");
    }
    setup::or_without_vectors();
    room::tell();

    let mut steps = Steps::default();
    steps.step("format", || run(cargo().args(["fmt", "--all", "--check"])));
    steps.step("lints", || run(cargo().args(["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"])));
    steps.step("arrows", arrows::command);
    steps.step("tests", || with_folder(|temporary| run(in_folder(&mut nextest(&["run"]), temporary))));
    steps.step("doc tests", || run(cargo().args(["test", "--doc", "--workspace", "--quiet"])));

    let absent = match Corpus::find() {
        Some(corpus) => {
            steps.step("corpus tests", || corpus_tests(&corpus));
            None
        }
        None => Some(count_corpus_tests()?),
    };
    steps.print();
    if let Some(count) = absent {
        println!("corpus tests not run: {count}");
        if corpus_required {
            bail!("{}", support::CorpusError::NoFolder);
        }
    }
    steps.result()
}

/// Tests that need real configurations are those that are ignored; nothing else is.
fn corpus_tests(corpus: &Corpus) -> Result<()> {
    for name in corpus.archives() {
        let start = Instant::now();
        corpus.unpacked(&name)?;
        if start.elapsed() > Duration::from_millis(100) {
            eprintln!("unpacked {name} ({:.1} s)", start.elapsed().as_secs_f64());
        }
    }
    with_folder(|temporary| {
        let mut command = nextest(&["run", "--profile", "corpus", "--run-ignored", "only"]);
        run(in_folder(&mut command, temporary).env("METASCOPE_CORPUS", corpus.folder()))
    })
}

/// A folder for what the tests write, removed after them. Tests that are killed, and indexes that tests of one process share,
/// leave theirs behind: a gigabyte in one run.
fn with_folder(action: impl FnOnce(&Path) -> Result<()>) -> Result<()> {
    let folder =
        tempfile::Builder::new().prefix("metascope-test-").tempdir().context("no folder for the tests' files")?;
    action(folder.path())
}

fn in_folder<'a>(command: &'a mut Command, folder: &Path) -> &'a mut Command {
    ["TMPDIR", "TMP", "TEMP"].into_iter().fold(command, |command, name| command.env(name, folder))
}

fn nextest(arguments: &[&str]) -> Command {
    let mut command = cargo();
    command.arg("nextest").args(arguments).args(["--workspace", "--no-tests", "pass"]);
    command
}

/// The part of `cargo nextest list --message-format json` that is counted.
#[derive(Deserialize)]
struct TestList {
    #[serde(rename = "rust-suites")]
    suites: BTreeMap<String, Suite>,
}

#[derive(Deserialize)]
struct Suite {
    #[serde(default)]
    testcases: BTreeMap<String, TestCase>,
}

#[derive(Deserialize)]
struct TestCase {
    ignored: bool,
}

fn count_corpus_tests() -> Result<usize> {
    let json =
        output(cargo().args(["nextest", "list", "--workspace", "--run-ignored", "only", "--message-format", "json"]))?;
    count_ignored(&json)
}

fn count_ignored(json: &str) -> Result<usize> {
    let list: TestList = serde_json::from_str(json).context("nextest wrote a list in an unknown format")?;
    Ok(list.suites.values().flat_map(|suite| suite.testcases.values()).filter(|test| test.ignored).count())
}

/// Steps that were run, with time and outcome.
#[derive(Default)]
struct Steps(Vec<(&'static str, Duration, Result<()>)>);

impl Steps {
    fn step(&mut self, name: &'static str, action: impl FnOnce() -> Result<()>) {
        let start = Instant::now();
        let result = action();
        if let Err(error) = &result {
            eprintln!("xtask: {name}: {error:#}");
        }
        self.0.push((name, start.elapsed(), result));
    }

    fn print(&self) {
        println!();
        for (name, time, result) in &self.0 {
            let outcome = if result.is_ok() { "ok" } else { "FAILED" };
            println!("{name:<14} {outcome:<7} {:>6.1} s", time.as_secs_f64());
        }
    }

    fn result(self) -> Result<()> {
        let failed: Vec<&str> = self.0.iter().filter(|step| step.2.is_err()).map(|step| step.0).collect();
        if failed.is_empty() { Ok(()) } else { bail!("failed: {}", failed.join(", ")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ignored_tests_are_counted() {
        let json = r#"{"test-count":3,"rust-suites":{
            "a":{"package-name":"a","testcases":{"x":{"ignored":true,"kind":"test"},"y":{"ignored":false}}},
            "b":{"status":"skipped"},
            "c":{"testcases":{"z":{"ignored":true}}}}}"#;
        assert_eq!(count_ignored(json).unwrap(), 2);
        assert!(count_ignored("{}").is_err());
    }

    #[test]
    fn a_failed_step_does_not_hide_the_next() {
        let mut steps = Steps::default();
        steps.step("one", || bail!("no"));
        let mut ran = false;
        steps.step("two", || {
            ran = true;
            Ok(())
        });
        assert!(ran);
        assert_eq!(steps.result().unwrap_err().to_string(), "failed: one");
    }
}
