//! Any other question: if it names things, look into them as its words ask for; if its subject is a thing, say what it is;
//! else search by the question's words and tell of what was found first.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::case::Case;
use super::evidence::{error, incompleteness, list, place, text};
use super::words::{Telling, stems, telling};
use super::{Investigation, Step, covered, errors, investigate, things, what_is};

pub(super) static INVESTIGATION: Investigation = Investigation { triggers: &[], step };

fn step(case: &Case) -> Step {
    if case.subject.is_empty() {
        return Step::Answer(case.say("Вопрос пуст.", "The question is empty."));
    }
    if case.results.is_empty() {
        let stack = errors::at_once(case);
        if !stack.is_empty() {
            return Step::Call(stack);
        }
        return Step::Call(names(case));
    }
    let calls = investigate::calls(case);
    if !calls.is_empty() {
        return Step::Call(calls);
    }
    // Words may name what no name does.
    if things::things(case).iter().all(|thing| thing.kind == things::UNKNOWN)
        && (!things::names_something(&case.question) || things::asks_for_an_object(&case.question))
        && !errors::quotes_code(case)
        && errors::as_message(&case.question).is_none()
        && let Some(words) = covered::call(&case.question)
        && !case.of(words.0).any(covered::looks)
    {
        return Step::Call(vec![words]);
    }
    let looked = case.of("read_metadata").next().is_some();
    let searched = looked && case.of("hybrid_search").next().is_some();
    if !searched && let Some(answer) = investigate::answer(case) {
        return Step::Answer(answer);
    }
    let Some(resolved) = case.of("resolve_entity").next() else {
        // What looked like an error's place was none.
        return Step::Call(names(case));
    };
    let sure = list(&resolved.value, "matches").first().is_some_and(|first| text(first, "how") == "exact");
    if sure || !case.subject.contains(' ') && list(&resolved.value, "matches").is_empty() {
        return (what_is::INVESTIGATION.step)(case);
    }
    if let Some(message) = errors::as_message(&case.question) {
        match case.of(message.0).find(|found| found.arguments == message.1) {
            None => return Step::Call(vec![message]),
            // What objects that a search found tell is no answer on the message.
            Some(_) if !looked => {
                if let Some(answer) = investigate::answer(case) {
                    return Step::Answer(answer);
                }
            }
            Some(_) => {}
        }
    }
    let mut searches = case.of("hybrid_search");
    let Some(methods) = searches.next() else {
        let search = |kind: &str| ("hybrid_search", json!({ "query": case.subject, "kind": kind, "limit": FOUND }));
        let mut calls = vec![search("method"), search("object")];
        let few = FEW.iter().filter(|kind| things::asks_for(&case.question, kind));
        calls.extend(few.map(|kind| ("list_objects", json!({ "kind": kind, "limit": FOUND }))));
        return Step::Call(calls);
    };
    if let Some(message) = error(case, &methods.value) {
        return Step::Answer(message);
    }
    if !looked {
        let calls = nearest(case);
        if !calls.is_empty() {
            return Step::Call(calls);
        }
    }
    let mut out = case.say(
        "Без языковой модели на такой вопрос можно ответить только поиском. Похожее на вопрос:",
        "Without a language model such a question can only be answered by search. Near the question:",
    );
    let mut any = false;
    for found in std::iter::once(methods).chain(searches) {
        for hit in list(&found.value, "hits").iter().take(SHOWN) {
            any = true;
            let _ = write!(out, "\n- `{}`{}", text(hit, "full_name"), place(hit, " — "));
            let snippet = text(hit, "snippet");
            if !snippet.is_empty() {
                let _ = write!(out, " — {snippet}");
            }
        }
    }
    if !any {
        out = case.say("Ничего похожего не найдено.", "Nothing near the question was found.");
    }
    if let Some(told) = investigate::answer(case) {
        let _ = write!(out, "\n{told}");
    }
    let note = incompleteness(case, &methods.value);
    if !note.is_empty() {
        let _ = write!(out, "\n{note}");
    }
    let hint = case.say(
        "Точно отвечаю, если назван объект или метод: что это, кто вызывает, кто ссылается, что сломается, как сюда попадают, \
         права, движения, подписки, форма, отчёт, место ошибки. На остальное ответит подключённая модель.",
        "I answer exactly where an object or a method is named: what it is, who calls it, who refers to it, what breaks, how it \
         is reached, rights, movements, subscriptions, forms, reports, places of errors. A connected model answers the rest.",
    );
    let _ = write!(out, "\n{hint}");
    Step::Answer(out)
}

/// The calls that resolve the subject and all that the question names.
fn names(case: &Case) -> Vec<investigate::Ask> {
    let mut calls = vec![("resolve_entity", json!({ "query": case.subject }))];
    calls.extend(errors::texts(&case.question));
    calls.extend(things::calls(&case.question));
    calls.dedup();
    calls
}

/// Hits that are asked for: the kind that is meant may stand behind others.
const FOUND: u32 = 30;
/// Hits that are shown.
const SHOWN: usize = 8;
/// Kinds of which a configuration often has but a few objects.
const FEW: &[&str] = &["HTTPService", "WebService", "ExchangePlan"];
/// Objects found first that are told of; those of a kind that the question names come before others.
const TOLD: usize = 2;

fn nearest(case: &Case) -> Vec<investigate::Ask> {
    let hits = case.of("hybrid_search").flat_map(|found| list(&found.value, "hits"));
    let objects = hits.map(|hit| text(hit, "full_name")).filter(|name| name.matches('.').count() == 1);
    // Of a kind with few objects, those whose synonym shares the most words with the question.
    let asked = beginnings(&case.question);
    let shared = |row: &Value| beginnings(text(row, "synonym")).intersection(&asked).count();
    let mut few: Vec<(usize, &Value)> =
        case.of("list_objects").flat_map(|found| list(&found.value, "objects")).map(|row| (shared(row), row)).collect();
    few.retain(|(count, _)| *count >= SHARED);
    few.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
    let objects = few.iter().take(1).map(|(_, row)| text(row, "full_name")).chain(objects);
    let (named, other): (Vec<&str>, Vec<&str>) =
        objects.partition(|name| name.split('.').next().is_some_and(|kind| things::asks_for(&case.question, kind)));
    // What shares no words with the question is only near to it.
    let words = telling(&case.question);
    let words: Vec<&Telling> = words.iter().filter(|word| word.weight >= 1.0).collect();
    let least = SHARED.min(words.len());
    let is_meant = |name: &&str| {
        let stems = stems(name.split('.').nth(1).unwrap_or_default());
        words.iter().filter(|word| stems.iter().any(|stem| word.is(stem))).count() >= least
    };
    let chosen = named.into_iter().chain(other).filter(is_meant).take(TOLD);
    chosen.map(|name| ("read_metadata", json!({ "name": name }))).collect()
}

/// Words that a synonym shares with a question at least.
const SHARED: usize = 2;
/// Letters by which words in different cases are the same.
const LETTERS: usize = 4;

/// The beginnings of a text's words, each once.
fn beginnings(text: &str) -> std::collections::BTreeSet<String> {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| word.chars().count() >= LETTERS);
    words.map(|word| word.to_lowercase().chars().take(LETTERS).collect()).collect()
}
