//! A question about things that it names: resolve them, let the question's words and the kinds of the things choose what is asked of
//! the tools, tell what they found with its evidence.

use std::collections::HashSet;
use std::fmt::Write as _;

use serde_json::{Value, json};

use super::case::{Case, Found};
use super::evidence::{fitted, incompleteness, list, one_line, text};
use super::plan::{self, DEFAULT, PARTS};
use super::things::{Thing, misnamed, things};
use super::words::{holds, intents, plain, same_stem, stems, tokens, weak_words};
use super::{covered, errors, fails, form, inside, jobs, relation, report, rights, tell};

/// What is asked of the tools for a sort of question that no table describes.
pub(super) struct Job {
    /// Its name in `data/offline_plan.tsv`, behind `@`.
    pub(super) name: &'static str,
    /// The calls of the next turn; nothing more: the answer.
    pub(super) calls: fn(&Case, &[Thing]) -> Vec<Ask>,
}

/// A call of a tool.
pub(super) type Ask = (&'static str, Value);

/// The jobs of the table.
pub(super) static JOBS: &[&Job] =
    &[&fails::JOB, &errors::JOB, &errors::SAYS, &rights::JOB, &form::JOB, &jobs::JOB, &report::JOB, &relation::JOB];

/// Intents of which the first that has something to ask is the only one.
const ALONE: &[&str] = &["fails", "error"];
/// Intents that ask for the configuration itself where nothing is named.
const OVERVIEW: &str = "overview";
/// What words ask for that who calls a method answers.
const OF_CALLS: &[&str] = &["calls", "reach"];

/// The longest reason for which an answer may not be all, in characters.
const NOTE: usize = 300;
/// Words of a question that names nothing but the configuration, at most: a longer one asks for something in it.
const SHORT: usize = 8;
/// Scheduled jobs that run a method and are looked at.
const JOBS_BEHIND: usize = 3;
/// Parts of a service that are looked into.
const SERVICE_PARTS: usize = 4;
/// The intent for what a method calls.
const CALLEES: &str = "callees";
/// The intent for where a text that users see stands.
const SAYS: &str = "says";
/// Intents for what uses a thing.
const USES: &[&str] = &["impact", "refers"];
/// Weak words that are as good as a strong one.
const SEVERAL: usize = 2;
/// Pages of one list of places that are asked for.
const PAGES: usize = 3;

/// What the question's words ask for: strong ones, and those that give way to them.
fn asked(case: &Case, things: &[Thing]) -> (Vec<&'static str>, Vec<&'static str>) {
    let (mut strong, mut weak) = intents(&tokens(&case.question), &plan::intents());
    // Several weak words for uses say as much as a strong one, but where schemas of reports are meant.
    let uses = || weak.iter().copied().filter(|intent| USES.contains(intent));
    if weak_words(&tokens(&case.question), USES) >= SEVERAL && !strong.contains(&"report") {
        let uses: Vec<&'static str> = uses().filter(|intent| !strong.contains(intent)).collect();
        strong.extend(uses);
    }
    if errors::quotes_code(case) && !strong.contains(&SAYS) {
        strong.push(SAYS);
    }
    let words = plain(&case.question);
    let is_of_all = holds(&words, "kind:Configuration");
    let is_short = words.len() <= SHORT;
    // A short question may be about the configuration as such. A longer one that names nothing is, if its words name nothing either.
    let looked = || case.of("sql_select").any(covered::looks);
    if is_of_all && is_short && !strong.contains(&OVERVIEW) {
        weak.push(OVERVIEW);
    } else if things.is_empty() && !(is_of_all && (is_short || looked())) {
        strong.retain(|intent| *intent != OVERVIEW);
        weak.retain(|intent| *intent != OVERVIEW);
    }
    (strong, weak)
}

/// Whether the question's words ask for more than what a thing is.
pub(super) fn fits(question: &str) -> bool {
    !intents(&tokens(question), &plan::intents()).0.is_empty()
}

/// Whether the question's words ask for more than who calls a method.
pub(super) fn more_than_calls(question: &str) -> bool {
    intents(&tokens(question), &plan::intents()).0.iter().any(|intent| !OF_CALLS.contains(intent))
}

/// The calls of the next turn, after the names were resolved; empty: nothing is left to ask.
pub(super) fn calls(case: &Case) -> Vec<Ask> {
    let things = things(case);
    let (strong, weak) = asked(case, &things);
    let fresh = |(tool, arguments): &Ask| !case.of(tool).any(|found| found.arguments == *arguments);
    let of = |intents: &[&'static str]| plan::calls(case, &things, intents, JOBS);
    let alone = ALONE.iter().filter(|intent| strong.contains(intent) || weak.contains(intent));
    let mut calls: Vec<Ask> = alone.map(|intent| of(&[*intent])).find(|calls| !calls.is_empty()).unwrap_or_default();
    let rest = |intents: &[&'static str]| -> Vec<&'static str> {
        intents.iter().copied().filter(|intent| !ALONE.contains(intent)).collect()
    };
    for intents in [rest(&strong), rest(&weak), vec![DEFAULT]] {
        if calls.is_empty() && (!things.is_empty() || intents != [DEFAULT]) {
            calls = of(&intents);
        }
    }
    if asks_parts(case, &strong) {
        let mut parts = of(&[PARTS]);
        parts.retain(|ask| !calls.contains(ask));
        calls.splice(0..0, parts);
    }
    calls.retain(fresh);
    if calls.is_empty() {
        calls = next_pages(case);
        calls.extend(behind_jobs(case));
        calls.extend(inside::own_events(case, &things));
        calls.extend(inside::behind_handlers(case, strong.contains(&CALLEES) || weak.contains(&CALLEES)));
        calls.extend(parts_of_services(case));
        calls.retain(fresh);
    }
    calls
}

/// Whether what a thing holds is told beside whatever else is asked: the question names parts, or names the thing by words alone.
fn asks_parts(case: &Case, strong: &[&str]) -> bool {
    let is_change =
        intents(&tokens(&case.question), &["impact", "fails"]).0.iter().any(|intent| strong.contains(intent));
    !is_change && (holds(&plain(&case.question), PARTS) || case.of("sql_select").any(covered::looks))
}

/// What a method is used by through a scheduled job: who switches it on or runs it names the job, not the method.
fn behind_jobs(case: &Case) -> Vec<Ask> {
    let sources = |tool: &'static str, rows: &'static str, who: &'static str| {
        case.of(tool).flat_map(move |found| list(&found.value, rows)).map(move |row| text(row, who))
    };
    let users = sources("callers", "edges", "source").chain(sources("find_usages", "usages", "source"));
    let mut jobs: Vec<&str> = users.filter(|name| name.starts_with("ScheduledJob.")).collect();
    jobs.sort_unstable();
    jobs.dedup();
    jobs.truncate(JOBS_BEHIND);
    jobs.into_iter().map(|job| ("scheduled_jobs", json!({ "name": job }))).collect()
}

/// The next pages of lists of places that did not fit into one result.
fn next_pages(case: &Case) -> Vec<Ask> {
    let pages = |name: &str| case.of("find_usages").filter(|found| text(&found.arguments, "name") == name).count();
    let more =
        case.of("find_usages").filter_map(|found| found.value.get("usages_omitted")?.get("next")?.get("arguments"));
    let more = more.filter(|arguments| pages(text(arguments, "name")) < PAGES);
    more.map(|arguments| ("find_usages", arguments.clone())).collect()
}

/// Templates, methods and operations of a service, and what handles them; those that the question speaks of before others.
fn parts_of_services(case: &Case) -> Vec<Ask> {
    let asked = stems(&case.question);
    let speaks_of = |name: &str| {
        let words = stems(name.rsplit('.').next().unwrap_or_default());
        words.iter().filter(|word| asked.iter().any(|one| same_stem(one, word))).count()
    };
    let read = case.of("read_metadata").flat_map(|found| list(&found.value, "children"));
    let is_part = |row: &&Value| {
        let full = text(row, "full_name");
        matches!(text(row, "kind"), "URLTemplate" | "Operation")
            || text(row, "kind") == "Method" && full.starts_with("HTTPService.")
    };
    let mut parts: Vec<&str> = read.filter(is_part).map(|row| text(row, "full_name")).collect();
    parts.sort_by_key(|name| std::cmp::Reverse(speaks_of(name)));
    parts.truncate(SERVICE_PARTS);
    let calls = parts.into_iter().flat_map(|name| {
        let handled = !name.contains(".URLTemplate.") || name.contains(".Method.");
        let callees = handled.then(|| ("callees", json!({ "name": name, "limit": 20 })));
        [("read_metadata", json!({ "name": name }))].into_iter().chain(callees)
    });
    calls.collect()
}

/// Whether a result is told of, not only looked at.
fn is_told(found: &Found) -> bool {
    !matches!(found.tool.as_str(), "resolve_entity" | "hybrid_search" | "list_objects")
}

/// The answer from everything that was found; `None` if that is nothing.
pub(super) fn answer(case: &Case) -> Option<String> {
    let mut out = String::new();
    let mut notes: Vec<String> = Vec::new();
    let mut known: HashSet<String> = HashSet::new();
    let groups = tell::uses::groups(case);
    for (at, found) in case.results.iter().enumerate().filter(|(_, found)| is_told(found)) {
        // What several tools say of the uses of one thing is told once, where the first of them stands.
        let told = match groups.iter().find(|group| group.contains(&at)) {
            Some(group) if group.first() == Some(&at) => tell::uses::told(case, group),
            Some(_) => String::new(),
            None => tell::result(case, found),
        };
        // What another result has told is not told again.
        for line in told.lines().filter(|line| !known.contains(*line)) {
            let _ = writeln!(out, "{line}");
        }
        known.extend(told.lines().map(str::to_owned));
        let note = one_line(&incompleteness(case, &found.value), NOTE);
        let counts = !told.is_empty() || groups.iter().any(|group| group.contains(&at));
        if counts && !note.is_empty() && !notes.contains(&note) {
            notes.push(note);
        }
    }
    if out.is_empty() {
        let failures = case.results.iter().filter(|found| is_told(found)).map(|found| tell::failure(case, found));
        out = failures.filter(|failure| !failure.is_empty()).collect::<Vec<_>>().join("\n");
    }
    if out.is_empty() {
        return None;
    }
    for (name, kind, other) in misnamed(case, &things(case)) {
        let none = case.say(
            &format!("{kind} с именем «{name}» в конфигурации нет; это имя носит `{other}`:"),
            &format!("No {kind} is named “{name}”; `{other}` has this name:"),
        );
        out = format!("{none}\n{out}");
    }
    let found = if case.of("sql_select").any(covered::looks) { covered::things(case) } else { Vec::new() };
    if !found.is_empty() {
        let names: Vec<String> = found.iter().map(|thing| format!("`{}`", thing.name)).collect();
        let head = case
            .say("Вопрос не называет имён; по его словам это", "The question names nothing; by its words it is about");
        out = format!("{head}: {}\n{out}", names.join(", "));
    }
    Some(fitted(case, &out, &notes.join("\n")))
}
