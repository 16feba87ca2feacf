//! Things that a question names by no name: every word of their synonym stands in it, in some form.

use serde_json::json;

use super::case::{Case, Found};
use super::evidence::{list, text};
use super::investigate::Ask;
use super::things::{Thing, asks_for};
use super::words::{same_stem, sorts, stems};

/// Words of a question that are looked for.
const WORDS: usize = 24;
/// Objects that are asked for.
const FOUND: u32 = 100;
/// Things that are looked at.
const THINGS: usize = 3;
/// How the query begins.
const SELECT: &str = "SELECT full_name, kind, synonym";
/// Things of one kind that are looked at.
const OF_KIND: usize = 2;
/// Kinds whose objects only look like what is asked about.
const NO_SUBJECTS: &[&str] = &["Configuration", "CommonPicture", "Style"];
/// Words that stand in questions for no object.
const EMPTY: &[&str] = &["как", "что", "где", "для", "или", "его", "при", "the", "and", "for", "with", "what", "how"];

/// The call that looks for them; `None` if the question has no words.
pub(super) fn call(question: &str) -> Option<Ask> {
    let words: Vec<String> =
        stems(question).into_iter().filter(|stem| !EMPTY.contains(&stem.as_str())).take(WORDS).collect();
    if words.is_empty() {
        return None;
    }
    // Stems are letters and digits alone.
    let holds: Vec<String> = words.iter().map(|stem| format!("(' ' || fold(synonym) LIKE '% {stem}%')")).collect();
    let kinds: Vec<String> = sorts("kind:")
        .iter()
        .filter(|kind| kind.starts_with(char::is_uppercase) && !NO_SUBJECTS.contains(kind))
        .map(|kind| format!("'{kind}'"))
        .collect();
    let sql = format!(
        "{SELECT}, {} AS hits, length(synonym) - length(replace(synonym, ' ', '')) + 1 AS words FROM objects \
         WHERE kind IN ({}) AND hits * 2 >= words AND hits > 0 ORDER BY words - hits, hits DESC, full_name",
        holds.join(" + "),
        kinds.join(", ")
    );
    Some(("sql_select", json!({ "sql": sql, "limit": FOUND })))
}

/// Whether a result is one of such a call.
pub(super) fn looks(found: &Found) -> bool {
    text(&found.arguments, "sql").starts_with(SELECT)
}

/// The things found: of a kind that the question names before others, whole before in part, those of more words first. A single word
/// counts only for a kind that the question names, and so does a synonym that stands in it but for one word of three.
pub(super) fn things(case: &Case) -> Vec<Thing> {
    let asked = stems(&case.question);
    let holds = |stem: &&String| asked.iter().any(|one| same_stem(one, stem));
    let mut found: Vec<((bool, bool, usize), Thing)> = Vec::new();
    for row in case.of("sql_select").filter(|found| looks(found)).flat_map(|found| list(&found.value, "rows")) {
        let (name, kind, synonym) = (text(row, "full_name"), text(row, "kind"), text(row, "synonym"));
        let words = stems(synonym);
        let held = words.iter().filter(holds).count();
        let is_asked_for = asks_for(&case.question, kind);
        let is_whole = held == words.len();
        let is_part = is_asked_for && held > 1 && held * 3 >= words.len() * 2;
        if held > 0 && (is_whole && (held > 1 || is_asked_for) || is_part) {
            found.push(((is_asked_for, is_whole, held), Thing { name: name.to_owned(), kind: kind.to_owned() }));
        }
    }
    found.sort_by_key(|(rank, _)| std::cmp::Reverse(*rank));
    let mut things: Vec<Thing> = Vec::new();
    // What stands in the question but in part gives way to what stands there whole.
    let whole: Vec<String> =
        found.iter().filter(|((_, whole, _), _)| *whole).map(|(_, thing)| thing.kind.clone()).collect();
    for ((_, is_whole, _), thing) in found {
        if !is_whole && whole.contains(&thing.kind) {
            continue;
        }
        if things.iter().filter(|one| one.kind == thing.kind).count() < OF_KIND {
            things.push(thing);
        }
    }
    things.truncate(THINGS);
    things
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::Message;

    #[test]
    fn all_words_of_a_synonym_stand_in_the_question() {
        let mut case = Case::read(&[Message::user("Из чего состоит регистр, хранящий курсы валют?")]);
        let row =
            |name: &str, synonym: &str| json!({"full_name": name, "kind": name.split('.').next(), "synonym": synonym});
        let rows = [
            row("InformationRegister.КурсыВалют", "Курсы валют"),
            row("DataProcessor.Загрузка", "Загрузка курсов валют"),
            row("Catalog.Валюты", "Валюты"),
        ];
        case.results = vec![Found {
            tool: "sql_select".into(),
            value: json!({ "rows": rows }),
            arguments: json!({ "sql": SELECT }),
        }];
        let names: Vec<String> = things(&case).into_iter().map(|thing| thing.name).collect();
        assert_eq!(names, ["InformationRegister.КурсыВалют"]);
        assert!(call("?").is_none());
        let (_, arguments) = call("Где курсы валют").unwrap();
        assert!(text(&arguments, "sql").contains("LIKE '% валю%'"), "{arguments}");
    }
}
