//! What a question is about: the identifiers and phrases to resolve, and what they turned out to be.

use serde_json::{Value, json};
use tools::topics::is_name;

use super::case::Case;
use super::evidence::{list, text, texts};
use super::words::{first_held, holds, plain};

/// The most names and phrases of a question that are resolved.
const QUERIES: usize = 14;
/// The most things that are looked at.
const THINGS: usize = 4;

/// A thing of the configuration that the question names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Thing {
    pub(super) name: String,
    /// Empty for a part of an object.
    pub(super) kind: String,
}

/// The calls that resolve what the question names.
pub(super) fn calls(question: &str) -> Vec<(&'static str, Value)> {
    let queries = queries(question).into_iter().take(QUERIES);
    queries.map(|query| ("resolve_entity", json!({ "query": query, "limit": 6 }))).collect()
}

/// Identifiers; pairs of an owner and its part; a capitalised word behind the word of a kind; if there is no identifier, the
/// words that follow the word of a kind. What the person put in «…» counts as a phrase.
fn queries(question: &str) -> Vec<String> {
    let (mut names, mut parts, mut begins) = (Vec::new(), Vec::new(), true);
    let mut of_kind = Vec::new();
    let mut kind = None;
    for raw in question.split_whitespace() {
        let word = raw.trim_matches(|c: char| !c.is_alphanumeric() && c != '_');
        let word = word.split('(').next().unwrap_or(word);
        if is_name(word) && word.chars().any(char::is_alphabetic) {
            names.push(word.to_owned());
        } else if !begins && word.chars().count() > 2 && word.chars().next().is_some_and(char::is_uppercase) {
            parts.push(word.to_owned());
            of_kind.extend(kind.map(|kind| format!("{kind} {word}")));
        }
        kind = kind_of(&plain(word));
        begins = raw.ends_with(['.', '?', '!', ':']);
    }
    names.dedup();
    let mut all = names.clone();
    for owner in names.iter().filter(|name| !name.contains('.')) {
        let others = names.iter().chain(&parts).filter(|part| *part != owner && !part.contains('.'));
        all.extend(others.map(|part| format!("{owner}.{part}")));
        all.extend(parts.iter().map(|part| format!("{part}.{owner}")));
    }
    all.extend(of_kind);
    for quoted in question.split('«').skip(1).filter_map(|rest| rest.split_once('»')) {
        all.push(quoted.0.trim().to_owned());
    }
    let words = plain(question);
    let after = |at: usize, most: usize| -> Vec<String> {
        let phrases = (1..=most).rev().filter_map(|count| words.get(at..at + count));
        phrases.map(|phrase| phrase.join(" ")).collect()
    };
    for (at, word) in words.iter().enumerate() {
        let word = std::slice::from_ref(word);
        if word.first().is_some_and(|word| word == "до" || word == "to") {
            all.extend(after(at + 1, 3));
        } else if let Some(kind) = kind_of(word).filter(|_| names.is_empty()) {
            // The kind in the form of a full name: the word may stand in any case.
            all.extend(after(at + 1, 4).into_iter().map(|phrase| format!("{kind} {phrase}")));
        }
    }
    all
}

/// The kind that a word names.
fn kind_of(word: &[String]) -> Option<&'static str> {
    first_held(word, KINDS)
}

/// Kinds that a question names by a word.
const KINDS: &[&str] = &[
    "Catalog",
    "Document",
    "Enum",
    "Constant",
    "Report",
    "DataProcessor",
    "InformationRegister",
    "AccumulationRegister",
    "AccountingRegister",
    "CalculationRegister",
    "Task",
    "BusinessProcess",
    "ScheduledJob",
    "Subsystem",
    "FunctionalOption",
    "HTTPService",
    "WebService",
    "Role",
    "CommonModule",
    "ExchangePlan",
    "EventSubscription",
];

/// Whether the question holds an identifier.
pub(super) fn names_something(question: &str) -> bool {
    question.split_whitespace().any(|word| is_name(word.trim_matches(|c: char| !c.is_alphanumeric() && c != '_')))
}

/// Arguments of the calls that a tool gave instead of an answer, as the thing asked for has several parts of the right kind.
pub(super) fn led_on<'c>(case: &'c Case, tool: &'static str) -> impl Iterator<Item = Value> + 'c {
    let errors = case.of(tool).filter_map(|found| found.value.get("error"));
    let next = errors.flat_map(|error| list(error, "next"));
    next.filter(move |call| text(call, "tool") == tool).filter_map(|call| call.get("arguments").cloned())
}

/// Whether the question names this kind.
pub(super) fn asks_for(question: &str, kind: &str) -> bool {
    holds(&plain(question), kind)
}

/// What the question names. A part of an object displaces its owner; where a name means several things, those of a kind
/// that the question names are meant.
pub(super) fn things(case: &Case) -> Vec<Thing> {
    let mut found: Vec<Thing> = Vec::new();
    // Phrases that were something: shorter ones inside them are not looked at.
    let mut used: Vec<String> = Vec::new();
    let mut add = |name: &str, kind: &str| {
        if !name.is_empty() && !found.iter().any(|thing| thing.name == name) {
            found.push(Thing { name: name.to_owned(), kind: kind.to_owned() });
        }
    };
    for resolved in case.of("resolve_entity") {
        let query = text(&resolved.arguments, "query");
        let words = query.split_once(' ').map_or(query, |(_, words)| words);
        if used.iter().any(|longer| longer.contains(words)) {
            continue;
        }
        // A phrase is a guess: it counts only for a kind that the question names, or as the end of a way.
        let phrase = !is_name(query);
        let ended = queries(&case.question).iter().any(|query| is_name(query));
        let sure = |hit: &&Value| match text(hit, "how") {
            "exact" if !phrase => true,
            "exact" | "name" | "synonym" => {
                let kind = text(hit, "kind");
                phrase && kind != "method" && (ended || asks_for(&case.question, kind))
            }
            _ => false,
        };
        for hit in list(&resolved.value, "matches").iter().filter(sure) {
            if phrase {
                used.push(query.to_owned());
            }
            add(text(hit, "full_name"), text(hit, "kind"));
        }
        if let Some((owner, part)) = query.split_once('.') {
            for near in texts(&resolved.value, "nearest") {
                let names: Vec<&str> = near.split('.').collect();
                if matches!(names.as_slice(), [_, one, _, two] if *one == owner && *two == part) {
                    add(near, "");
                }
            }
        }
    }
    let is_part = |thing: &Thing| thing.kind != "method" && thing.name.matches('.').count() > 1;
    let parts: Vec<String> = found.iter().filter(|thing| is_part(thing)).map(|part| part.name.clone()).collect();
    found.retain(|thing| !parts.iter().any(|part| part.starts_with(&format!("{}.", thing.name))));
    let named = |thing: &Thing| is_part(thing) || asks_for(&case.question, &thing.kind);
    let last = |thing: &Thing| thing.name.rsplit('.').next().unwrap_or_default().to_owned();
    let meant: Vec<String> = found.iter().filter(|thing| named(thing)).map(last).collect();
    found.retain(|thing| named(thing) || !meant.contains(&last(thing)));
    found.truncate(THINGS);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_parts_and_phrases() {
        assert_eq!(
            queries("Хочу удалить значение Красный перечисления ВидыЦветов. Где на него ссылки?"),
            ["ВидыЦветов", "ВидыЦветов.Красный", "Красный.ВидыЦветов"]
        );
        assert_eq!(
            queries("Как от документа ПродажаТоваров дойти до справочника Партнеры?"),
            [
                "ПродажаТоваров",
                "ПродажаТоваров.Партнеры",
                "Партнеры.ПродажаТоваров",
                "Catalog Партнеры",
                "справочника партнеры",
                "справочника"
            ]
        );
        assert_eq!(queries("Кто использует ЦеныИСкидки.ЦенаТовара()?"), ["ЦеныИСкидки.ЦенаТовара"]);
        assert!(queries("Что в подсистеме складского учета?").contains(&"Subsystem складского учета".to_owned()));
    }
}
