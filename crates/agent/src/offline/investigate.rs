//! A question about things that it names: resolve them, let the question's words choose what is asked of the tools, tell
//! what they found with its evidence.

use std::collections::HashSet;
use std::fmt::Write as _;

use serde_json::{Value, json};

use super::case::{Case, Found};
use super::evidence::{fitted, incompleteness, one_line};
use super::things::{Thing, things};
use super::words::{holds, plain};
use super::{
    calls as who, errors, fails, form, impact, jobs, movements, overview, predefined, reach, refers, relation, report,
    rights, subscriptions, tell,
};

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
static JOBS: &[&Job] = &[
    &fails::JOB,
    &errors::JOB,
    &rights::JOB,
    &form::JOB,
    &subscriptions::JOB,
    &movements::JOB,
    &jobs::JOB,
    &predefined::JOB,
    &report::JOB,
    &relation::JOB,
    &impact::JOB,
    &reach::JOB,
    &who::JOB,
    &refers::JOB,
    &overview::JOB,
];

/// The longest reason for which an answer may not be all, in characters.
const NOTE: usize = 300;

/// Words of a question that names nothing but the configuration, at most: a longer one asks for something in it.
const SHORT: usize = 8;

/// Whether the question's words choose a job.
pub(super) fn fits(question: &str) -> bool {
    let words = plain(question);
    JOBS.iter().any(|job| chosen(&words, job))
}

/// Whether words choose a job: its own, or for an overview those for the configuration alone.
fn chosen(words: &[String], job: &Job) -> bool {
    let whole = || job.name == overview::JOB.name && words.len() <= SHORT && holds(words, "Configuration");
    holds(words, job.name) || whole()
}

/// The calls of the next turn, after the names were resolved; empty: nothing is left to ask.
pub(super) fn calls(case: &Case) -> Vec<Ask> {
    let things = things(case);
    let words = plain(&case.question);
    let chosen = JOBS.iter().filter(|job| chosen(&words, job)).map(|job| (job.calls)(case, &things));
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
    let tool = match thing.kind.as_str() {
        "method" => "method_passport",
        "Subsystem" => "subsystem_tree",
        "Configuration" => return ("configuration_overview", json!({ "section": "all" })),
        "Role" => "role_rights",
        "ScheduledJob" => "scheduled_jobs",
        "EventSubscription" => "event_subscriptions",
        "Form" | "CommonForm" => return ("form_structure", json!({ "name": thing.name, "part": "handlers" })),
        _ => "read_metadata",
    };
    (tool, json!({ "name": thing.name }))
}

/// The answer from everything that was found; `None` if that is nothing.
pub(super) fn answer(case: &Case) -> Option<String> {
    let telling = |found: &&Found| !matches!(found.tool.as_str(), "resolve_entity" | "hybrid_search");
    let mut out = String::new();
    let mut notes: Vec<String> = Vec::new();
    let mut known: HashSet<String> = HashSet::new();
    for found in case.results.iter().filter(telling) {
        let told = tell::result(case, found);
        // What another result has told is not told again.
        for line in told.lines().filter(|line| !known.contains(*line)) {
            let _ = writeln!(out, "{line}");
        }
        known.extend(told.lines().map(str::to_owned));
        let note = one_line(&incompleteness(case, &found.value), NOTE);
        if !told.is_empty() && !note.is_empty() && !notes.contains(&note) {
            notes.push(note);
        }
    }
    if out.is_empty() {
        let failures = case.results.iter().filter(telling).map(|found| tell::failure(case, found));
        out = failures.filter(|failure| !failure.is_empty()).collect::<Vec<_>>().join("\n");
    }
    if out.is_empty() {
        return None;
    }
    Some(fitted(case, &out, &notes.join("\n")))
}
