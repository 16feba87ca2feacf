//! What a question is about: the identifiers and phrases to resolve, and what they turned out to be.

use std::collections::HashSet;

use serde_json::{Value, json};

use super::case::Case;
use super::covered;
use super::evidence::{list, text, texts};
use super::words::{Token, family, holds, is_identifier, plain, tokens};

/// The most names and phrases of a question that are resolved.
const QUERIES: usize = 13;
/// Letters of a word with which a phrase may begin or end, at least.
const WORD: usize = 4;
/// The most things that are looked at.
const THINGS: usize = 4;
/// The kind of a name that means nothing in the configuration: an event, a key, a text.
pub(super) const UNKNOWN: &str = "unknown";

/// A thing of the configuration that the question names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Thing {
    pub(super) name: String,
    /// Empty for a part of an object.
    pub(super) kind: String,
}

impl Thing {
    /// Whether it is a part of an object that is no module's method.
    pub(super) fn is_part(&self) -> bool {
        !matches!(self.kind.as_str(), "method" | UNKNOWN | "Subsystem") && self.name.matches('.').count() > 1
    }

    /// The name that it has within its owner.
    pub(super) fn last(&self) -> &str {
        self.name.rsplit('.').next().unwrap_or_default()
    }
}

/// How sure it is that a query means a thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sort {
    /// An identifier.
    Name,
    /// An owner and its part.
    Pair,
    /// A kind and what follows it, or what the person quoted.
    Phrase,
    /// A word with a capital.
    Capital,
}

/// A name or phrase of a question.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Query {
    text: String,
    sort: Sort,
}

/// The calls that resolve what the question names.
pub(super) fn calls(question: &str) -> Vec<(&'static str, Value)> {
    let queries = queries(question);
    queries.into_iter().map(|query| ("resolve_entity", json!({ "query": query.text, "limit": 6 }))).collect()
}

/// Identifiers; pairs of an owner and its part; words with a capital, behind the word for a kind or alone; what the person
/// quoted; if there is no identifier, the words that follow the word for a kind.
fn queries(question: &str) -> Vec<Query> {
    let tokens = tokens(question);
    let mut all: Vec<Query> = Vec::new();
    let mut add = |text: String, sort: Sort| {
        if !text.trim().is_empty() && !all.iter().any(|query| query.text == text) {
            all.push(Query { text, sort });
        }
    };
    let named: Vec<(usize, &Token)> = tokens.iter().enumerate().filter(|(_, token)| token.is_name).collect();
    let (names, capitals): (Vec<_>, Vec<_>) = named.iter().partition(|(_, token)| is_identifier(&token.written));
    for (at, token) in &names {
        add(token.written.clone(), Sort::Name);
        // Other things may have the same name.
        if let Some(kind) = kind_before(&tokens, *at)
            && !token.written.contains('.')
            && !matches!(kind, PART | VALUE)
            && !kind.ends_with("Register")
        {
            add(format!("{kind}.{}", token.written), Sort::Name);
        }
    }
    // Owners: identifiers, and words with a capital behind the word for a kind of object.
    let mut owners: Vec<(usize, String)> = Vec::new();
    for (at, token) in named.iter().filter(|(_, token)| !token.written.contains('.')) {
        match kind_before(&tokens, *at) {
            Some(PART | VALUE) => {}
            Some(kind) if !is_identifier(&token.written) => owners.push((*at, format!("{kind}.{}", token.written))),
            _ if is_identifier(&token.written) => owners.push((*at, token.written.clone())),
            _ => {}
        }
    }
    // What is said to be a part may be written like an owner.
    if owners.is_empty() {
        owners = names
            .iter()
            .map(|(at, token)| (*at, token.written.clone()))
            .filter(|(_, name)| !name.contains('.'))
            .collect();
    }
    for (at, owner) in &owners {
        let others = named.iter().filter(|(other, token)| other != at && !token.written.contains('.'));
        for (_, part) in others {
            add(format!("{owner}.{}", part.written), Sort::Pair);
        }
    }
    for (at, token) in &capitals {
        match kind_before(&tokens, *at) {
            Some(PART | VALUE) => {}
            Some(kind) => add(format!("{kind} {}", token.written), Sort::Phrase),
            None => add(token.written.clone(), Sort::Capital),
        }
    }
    for quoted in quoted(question) {
        add(quoted, Sort::Phrase);
    }
    let joins = holds(&plain(question), "relation");
    for at in 0..tokens.len() {
        let mut after = |from: usize, most: usize, kind: &str| {
            for count in (1..=most).rev() {
                let Some(phrase) = tokens.get(from..from + count) else { continue };
                let words: Vec<&str> = phrase.iter().map(|token| token.word.as_str()).collect();
                // A name neither begins nor ends with a small word.
                if [words.first(), words.last()].iter().flatten().any(|word| word.chars().count() < WORD) {
                    continue;
                }
                add(format!("{kind}{}", words.join(" ")), Sort::Phrase);
            }
        };
        if joins && tokens.get(at).is_some_and(|token| token.word == "до" || token.word == "to") {
            after(at + 1, 3, "");
        } else if names.is_empty()
            && let Some((kind, length)) =
                family(&tokens, at, "kind:").into_iter().find(|(kind, _)| !matches!(*kind, PART | VALUE))
            && tokens.get(at + length).is_some_and(|next| !next.is_name)
        {
            // The kind in the form of a full name: the word may stand in any case.
            after(at + length, 4, &format!("{kind} "));
        }
    }
    all.truncate(QUERIES);
    all
}

/// Words for parts of objects, and for their values and items.
const PART: &str = "part";
const VALUE: &str = "value";

/// The kind that the words right before a name say.
fn kind_before(tokens: &[Token], at: usize) -> Option<&'static str> {
    let from = at.saturating_sub(3);
    (from..at).find_map(|start| {
        let kinds = family(tokens, start, "kind:");
        let ends = |length: usize| {
            // Between them stands at most what belongs to the word for the kind: «регистра сведений».
            (start + length..at).all(|between| !family(tokens, between, "companion").is_empty())
        };
        kinds.into_iter().find(|(_, length)| start + length <= at && ends(*length)).map(|(kind, _)| kind)
    })
}

/// Names that stand behind the word for a kind and are none of that kind: name, kind, what has the name instead.
pub(super) fn misnamed(case: &Case, things: &[Thing]) -> Vec<(String, &'static str, String)> {
    let mut found = Vec::new();
    // Of many things some are left out, perhaps the one that is meant.
    if things.len() >= THINGS {
        return found;
    }
    let tokens = tokens(&case.question);
    for (at, token) in tokens.iter().enumerate().filter(|(_, token)| token.is_name && !token.written.contains('.')) {
        let Some(kind) = kind_before(&tokens, at).filter(|kind| OF_OBJECTS.contains(kind)) else { continue };
        let of_kind =
            |thing: &&Thing| thing.kind == kind || kind.ends_with("Register") && thing.kind.ends_with("Register");
        let called: Vec<&Thing> = things
            .iter()
            .filter(|thing| thing.last() == token.written && !matches!(thing.kind.as_str(), "method" | UNKNOWN))
            .collect();
        if let Some(first) = called.first().filter(|_| !called.iter().any(of_kind)) {
            found.push((token.written.clone(), kind, first.name.clone()));
        }
    }
    found
}

/// Kinds whose words are said of nothing else.
const OF_OBJECTS: &[&str] = &[
    "Catalog",
    "Document",
    "Enum",
    "Constant",
    "Report",
    "DataProcessor",
    "InformationRegister",
    "AccumulationRegister",
    "ScheduledJob",
    "Subsystem",
    "FunctionalOption",
    "SessionParameter",
    "DefinedType",
    "EventSubscription",
];

/// What the person put in quotes.
pub(super) fn quoted(question: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (open, close) in [('«', '»'), ('“', '”'), ('"', '"')] {
        let mut rest = question;
        while let Some((_, after)) = rest.split_once(open) {
            let Some((inside, behind)) = after.split_once(close) else { break };
            found.push(inside.trim().to_owned());
            rest = behind;
        }
    }
    found
}

/// Whether the question holds an identifier.
pub(super) fn names_something(question: &str) -> bool {
    tokens(question).iter().any(|token| is_identifier(&token.written))
}

/// Arguments of the calls that a tool gave instead of an answer, as the thing asked for has several parts of the right kind.
pub(super) fn led_on<'c>(case: &'c Case, tool: &'static str) -> impl Iterator<Item = Value> + 'c {
    let errors = case.of(tool).filter_map(|found| found.value.get("error"));
    let next = errors.flat_map(|error| list(error, "next"));
    next.filter(move |call| text(call, "tool") == tool).filter_map(|call| call.get("arguments").cloned())
}

/// Whether the question names a kind of objects by its word.
pub(super) fn asks_for_an_object(question: &str) -> bool {
    OF_OBJECTS.iter().any(|kind| asks_for(question, kind))
}

/// Whether the question names this kind.
pub(super) fn asks_for(question: &str, kind: &str) -> bool {
    holds(&plain(question), &format!("kind:{kind}"))
}

/// What the question names. A part of an object displaces its owner and what has its name elsewhere; where a name means several
/// things, those of a kind that the question names are meant. What has no name in it is found by its words, if they were looked for.
pub(super) fn things(case: &Case) -> Vec<Thing> {
    let mut found: Vec<Thing> = Vec::new();
    // Names that turned out to be something, and parts that belong to an owner that the question names.
    let (mut known, mut parts): (HashSet<String>, HashSet<String>) = (HashSet::new(), HashSet::new());
    // Phrases that were something: shorter ones inside them are not looked at.
    let mut used: Vec<String> = Vec::new();
    let queries = queries(&case.question);
    let has_names = queries.iter().any(|query| query.sort == Sort::Name);
    let mut add = |name: &str, kind: &str| {
        if !name.is_empty() && !found.iter().any(|thing| thing.name == name) {
            found.push(Thing { name: name.to_owned(), kind: kind.to_owned() });
        }
    };
    for query in &queries {
        let Some(resolved) = case.of("resolve_entity").find(|one| text(&one.arguments, "query") == query.text) else {
            continue;
        };
        let words = query.text.split_once(' ').map_or(query.text.as_str(), |(_, words)| words);
        if used.iter().any(|longer| longer.contains(words)) {
            continue;
        }
        let means = |hit: &&Value| match (query.sort, text(hit, "how")) {
            (Sort::Name | Sort::Pair, how) => how == "exact",
            (Sort::Capital, how) => how == "exact" && text(hit, "kind") != "method",
            // A phrase is a guess: it counts only for a kind that the question names, or as the end of a way.
            (Sort::Phrase, "exact" | "name" | "synonym") => {
                let kind = text(hit, "kind");
                kind != "method" && (has_names || asks_for(&case.question, kind))
            }
            _ => false,
        };
        for hit in list(&resolved.value, "matches").iter().filter(means) {
            if query.sort == Sort::Phrase {
                used.push(query.text.clone());
            }
            known.extend(query.text.split('.').map(str::to_owned));
            if query.sort == Sort::Pair && text(hit, "kind") != "method" {
                parts.extend(query.text.rsplit('.').next().map(str::to_owned));
            }
            add(text(hit, "full_name"), text(hit, "kind"));
        }
        if let Some((owner, part)) = query.text.split_once('.') {
            for near in texts(&resolved.value, "nearest") {
                let names: Vec<&str> = near.split('.').collect();
                if matches!(names.as_slice(), [_, one, _, two] if *one == owner && *two == part) {
                    known.extend([owner.to_owned(), part.to_owned()]);
                    parts.insert(part.to_owned());
                    add(near, "");
                }
            }
        }
    }
    let owned: Vec<String> = found.iter().filter(|thing| thing.is_part()).map(|part| part.name.clone()).collect();
    let pairs: Vec<String> =
        queries.iter().filter(|query| query.sort == Sort::Pair).map(|query| query.text.clone()).collect();
    let of_pair = |thing: &Thing| {
        let object = thing.name.split('.').nth(1).unwrap_or_default();
        pairs
            .iter()
            .any(|pair| pair.rsplit('.').nth(1) == Some(object) && pair.rsplit('.').next() == Some(thing.last()))
    };
    // The same name elsewhere.
    found.retain(|thing| !parts.contains(thing.last()) || of_pair(thing));
    found.retain(|thing| !owned.iter().any(|part| part.starts_with(&format!("{}.", thing.name))));
    let named = |thing: &Thing| thing.is_part() || asks_for(&case.question, &thing.kind);
    let meant: Vec<String> = found.iter().filter(|thing| named(thing)).map(|thing| thing.last().to_owned()).collect();
    found.retain(|thing| named(thing) || !meant.iter().any(|name| name == thing.last()));
    let strangers = queries.iter().filter(|query| query.sort == Sort::Name && !query.text.contains('.'));
    let strangers = strangers.filter(|query| !known.contains(&query.text));
    found.extend(strangers.map(|query| Thing { name: query.text.clone(), kind: UNKNOWN.to_owned() }));
    // Names that mean nothing may be those of a report's fields; the words around them say more.
    if found.iter().all(|thing| thing.kind == UNKNOWN) {
        let covered = covered::things(case).into_iter();
        found = covered.chain(found).collect();
    }
    found.truncate(if found.iter().any(|thing| thing.kind == UNKNOWN) { THINGS + 1 } else { THINGS });
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts_of(question: &str) -> Vec<String> {
        queries(question).into_iter().map(|query| query.text).collect()
    }

    #[test]
    fn names_parts_and_phrases() {
        assert_eq!(
            texts_of("Хочу удалить значение Красный перечисления ВидыЦветов. Где на него ссылки?"),
            ["ВидыЦветов", "Enum.ВидыЦветов", "ВидыЦветов.Красный"]
        );
        assert_eq!(
            texts_of("Как от документа ПродажаТоваров дойти до справочника Партнеры?"),
            [
                "ПродажаТоваров",
                "Document.ПродажаТоваров",
                "ПродажаТоваров.Партнеры",
                "Catalog.Партнеры.ПродажаТоваров",
                "Catalog Партнеры",
                "справочника партнеры",
                "справочника"
            ]
        );
        assert_eq!(texts_of("Кто использует ЦеныИСкидки.ЦенаТовара()?"), ["ЦеныИСкидки.ЦенаТовара"]);
        assert!(texts_of("Что в подсистеме складского учета?").contains(&"Subsystem складского учета".to_owned()));
    }

    #[test]
    fn a_word_with_a_capital_is_what_stands_before_it() {
        assert_eq!(
            texts_of("Можно ли убрать реквизит Наценка справочника Валюты?"),
            ["Catalog.Валюты.Наценка", "Catalog Валюты"]
        );
        assert_eq!(texts_of("Уберём общую команду Напомнить"), ["CommonCommand Напомнить"]);
        assert_eq!(texts_of("В типе регистра сведений Курсы"), ["InformationRegister Курсы"]);
        assert_eq!(texts_of("Сообщение «Период закрыт»?"), ["Период", "Период закрыт"]);
    }
}
