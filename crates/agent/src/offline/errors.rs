//! The place of an error: a pasted stack, or a message that users see, with its parameters filled in.

use serde_json::{Value, json};

use super::case::{Case, Found};
use super::evidence::{list, text};
use super::inside;
use super::investigate::{Ask, Job};
use super::things::{names_something, quoted};
use super::words::{family, holds, plain, tokens};

/// Literals that are asked for.
const SOURCES: u32 = 10;
/// Words that a text in quotes has at least to be one that users see, no name.
const TOLD: usize = 3;
/// Words of a quotation that is looked for in the code at once.
const LONG: usize = 4;
/// Words around a quotation that ask something.
const AROUND: usize = 3;
/// Methods that hold a text and are looked into, at most.
const METHODS: usize = 2;
/// Words that a message has at least: one word may be anything's name.
const WORDS: usize = 2;

pub(super) static JOB: Job = Job { name: "error", calls: |case, _| calls(case) };

/// A text that users see, in quotes: where it stands, and what the method around it calls.
pub(super) static SAYS: Job = Job {
    name: "says",
    calls: |case, _| {
        let quoted = quoted(&case.written).into_iter().filter(|text| text.split_whitespace().count() >= TOLD);
        let mut calls: Vec<Ask> = quoted.map(|text| search(&text)).collect();
        let rows = case.of("literal_search").flat_map(|found| {
            let sources = list(&found.value, "sources").iter().map(|row| text(row, "method"));
            list(&found.value, "hits").iter().map(|row| text(row, "full_name")).chain(sources)
        });
        let mut methods: Vec<&str> = rows.collect();
        methods.sort_unstable();
        methods.dedup();
        if methods.len() <= METHODS {
            calls.extend(inside::around(&methods));
        }
        calls
    },
};

/// Where a stack stands in the question, its places and the message of the innermost one; else what may be a message, unless
/// nothing was found for it.
fn calls(case: &Case) -> Vec<Ask> {
    let mut calls = Vec::new();
    if has_stack(case) {
        calls.push(("find_definition", json!({ "name": case.written, "limit": 20 })));
        let places = case.of("find_definition").flat_map(|found| list(&found.value, "places"));
        let said = places.map(|place| text(place, "message")).filter(|message| is_message(message));
        calls.extend(said.last().map(search));
        return calls;
    }
    calls.extend(messages(&case.written).iter().map(|message| search(message)));
    let asked: Vec<&Value> = case.of("literal_search").map(|found| &found.value).collect();
    let nothing = |value: &&Value| list(value, "hits").is_empty() && list(value, "sources").is_empty();
    if !asked.is_empty() && asked.iter().all(nothing) { Vec::new() } else { calls }
}

/// The calls of the first turn: an error's text holds names of all sorts, none of which is what is asked about.
pub(super) fn at_once(case: &Case) -> Vec<Ask> {
    if has_stack(case) { calls(case) } else { Vec::new() }
}

/// The search for a text that asks nothing: a message alone, perhaps.
pub(super) fn as_message(question: &str) -> Option<Ask> {
    let asks = question.contains('?');
    (!asks && is_message(question)).then(|| search(question.trim()))
}

fn has_stack(case: &Case) -> bool {
    holds(&plain(&case.written), "stack")
}

/// Long quotations of a question that asks something around them: texts that users see, perhaps.
fn long_texts(question: &str) -> Vec<String> {
    let quoted: Vec<String> = quoted(question)
        .into_iter()
        .filter(|text| text.split_whitespace().count() >= LONG && !names_something(text) && !is_called(question, text))
        .collect();
    let inside: usize = quoted.iter().map(|text| text.split_whitespace().count()).sum();
    if question.split_whitespace().count() < inside + AROUND { Vec::new() } else { quoted }
}

/// Whether a word for a kind stands right before a quotation: it is what such a thing is called («отчёт «Остатки по складам»»).
fn is_called(question: &str, quotation: &str) -> bool {
    let before = question.find(quotation).and_then(|at| question.get(..at)).unwrap_or("");
    let word = before.trim_end_matches(|c: char| !c.is_alphanumeric()).rsplit(char::is_whitespace).next().unwrap_or("");
    !family(&tokens(word), 0, "kind:").is_empty()
}

/// The searches for long quotations.
pub(super) fn texts(question: &str) -> Vec<Ask> {
    long_texts(question).iter().map(|text| search(text)).collect()
}

/// A question without the long quotations that were found in the code.
pub(super) fn without_texts(question: &str, results: &[Found]) -> String {
    let is_found = |quoted: &str| {
        results.iter().any(|found| {
            found.tool == "literal_search"
                && text(&found.arguments, "text") == quoted
                && (!list(&found.value, "hits").is_empty() || !list(&found.value, "sources").is_empty())
        })
    };
    let found = long_texts(question).into_iter().filter(|quoted| is_found(quoted));
    found.fold(question.to_owned(), |question, quoted| question.replace(&quoted, ""))
}

/// Whether a long quotation was found in the code.
pub(super) fn quotes_code(case: &Case) -> bool {
    case.question != case.written
}

fn search(message: &str) -> Ask {
    ("literal_search", json!({ "text": message, "limit": SOURCES }))
}

fn is_message(text: &str) -> bool {
    text.split_whitespace().count() >= WORDS
}

/// What of a question may be a message: what stands in the outermost quotes, else what follows a colon.
fn messages(question: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (open, close) in [('«', '»'), ('“', '”'), ('"', '"')] {
        if let (Some(from), Some(to)) = (question.find(open), question.rfind(close))
            && let Some(inside) = question.get(from + open.len_utf8()..to)
        {
            found.push(inside.trim().to_owned());
            break;
        }
    }
    found.extend(question.split_once(": ").map(|(_, after)| after.trim().to_owned()));
    found.retain(|message| is_message(message));
    found.dedup();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_thing_is_called_is_no_text_of_the_code() {
        let texts = |question| long_texts(question).len();
        assert_eq!(texts("Откуда берутся поля отчёта «Остатки товаров по складам организации»?"), 0);
        assert_eq!(texts("Кто показывает текст «Остатки товаров по складам изменились»?"), 1);
        assert_eq!(texts("Where is \"No goods are left in stock\" shown?"), 1);
    }

    #[test]
    fn messages_stand_in_quotes_or_behind_a_colon() {
        for (question, found) in [
            ("Кто пишет «Модуль \"А\" не найден.»?", vec!["Модуль \"А\" не найден."]),
            ("It says: Not enough of desks: 12", vec!["Not enough of desks: 12"]),
            ("Откуда ошибка \"Не указан склад\"", vec!["Не указан склад"]),
            ("Почему ошибка «Сбой»?", vec![]),
        ] {
            assert_eq!(messages(question), found, "{question}");
        }
    }

    #[test]
    fn a_question_is_no_message() {
        assert!(as_message("Период закрыт для изменений.").is_some());
        assert!(as_message("Где закрывается период?").is_none() && as_message("Период").is_none());
    }
}
