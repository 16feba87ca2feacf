//! A question about things that it names: resolve them, let the question's words choose what is asked of the tools, tell
//! what they found with its evidence.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::case::{Case, Found};
use super::evidence::incompleteness;
use super::things::{Thing, things};
use super::words::{holds, plain};
use super::{impact, jobs, movements, relation, report, rights, tell};

/// What is asked of the tools for one sort of question.
pub(super) struct Job {
    /// Its name in `data/offline_words.tsv`.
    pub(super) name: &'static str,
    /// The calls of the next turn; nothing more: the answer.
    pub(super) calls: fn(&Case, &[Thing]) -> Vec<Ask>,
}

/// A call of a tool.
pub(super) type Ask = (&'static str, Value);

/// The first whose words fit and that has something to ask is taken.
static JOBS: &[&Job] = &[&rights::JOB, &movements::JOB, &jobs::JOB, &report::JOB, &relation::JOB, &impact::JOB];

/// The text of an answer beside its evidence.
const TEXT: usize = 1500;
/// Lines of evidence.
const EVIDENCE: usize = 120;

/// Whether the question's words choose a job.
pub(super) fn fits(question: &str) -> bool {
    let words = plain(question);
    JOBS.iter().any(|job| holds(&words, job.name))
}

/// The calls of the next turn, after the names were resolved; empty: nothing is left to ask.
pub(super) fn calls(case: &Case) -> Vec<Ask> {
    let things = things(case);
    let words = plain(&case.question);
    let chosen = JOBS.iter().filter(|job| holds(&words, job.name)).map(|job| (job.calls)(case, &things));
    let mut asked: Vec<Ask> = chosen.into_iter().find(|calls| !calls.is_empty()).unwrap_or_default();
    let fresh = |(tool, arguments): &Ask| !case.of(tool).any(|found| found.arguments == *arguments);
    if asked.is_empty() {
        asked = things.iter().map(about).collect();
    }
    asked.retain(fresh);
    asked
}

/// What the tools tell of a thing itself.
pub(super) fn about(thing: &Thing) -> Ask {
    let tool = if thing.kind == "method" { "method_passport" } else { "read_metadata" };
    (tool, json!({ "name": thing.name }))
}

/// The answer from everything that was found; `None` if that is nothing.
pub(super) fn answer(case: &Case) -> Option<String> {
    let telling = |found: &&Found| !matches!(found.tool.as_str(), "resolve_entity" | "hybrid_search");
    let mut out = String::new();
    let (mut room, mut evidence) = (TEXT, EVIDENCE);
    let mut notes: Vec<String> = Vec::new();
    for found in case.results.iter().filter(telling) {
        let told = tell::result(case, found);
        for line in told.lines() {
            // A line that names its place is evidence; what is beyond the room is left out.
            let left = if tell::is_evidence(line) { &mut evidence } else { &mut room };
            let cost = if tell::is_evidence(line) { 1 } else { line.chars().count() + 1 };
            if *left >= cost && !out.lines().any(|earlier| earlier == line) {
                *left -= cost;
                let _ = writeln!(out, "{line}");
            }
        }
        let note = incompleteness(case, &found.value);
        if !told.is_empty() && !note.is_empty() && !notes.contains(&note) {
            notes.push(note);
        }
    }
    if out.is_empty() {
        return None;
    }
    for note in notes {
        let cost = note.chars().count() + 1;
        if room >= cost {
            room -= cost;
            let _ = writeln!(out, "{note}");
        }
    }
    Some(out.trim_end().to_owned())
}
