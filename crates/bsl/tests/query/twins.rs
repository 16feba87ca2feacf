//! English twins of the Russian cases say the same.

use std::collections::HashMap;

use metascope_bsl::query::{TextKind, read};

use crate::cases::{QUERIES, RESTRICTIONS, cases};
use crate::dump::dump;

const KEYWORDS: &str = include_str!("../../data/query_keywords.tsv");
const FUNCTIONS: &str = include_str!("../../data/query_functions.tsv");
const TABLES: &str = include_str!("../../data/query_tables.tsv");
const VIRTUAL: &str = include_str!("../../data/query_virtual_tables.tsv");

/// Words with their English twins: those that stand by themselves, those before `(`, before `.`, behind `.`.
struct Dictionary {
    words: HashMap<String, String>,
    functions: HashMap<String, String>,
    kinds: HashMap<String, String>,
    types: HashMap<String, String>,
    members: HashMap<String, String>,
}

fn rows(table: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    table.lines().filter(|line| !line.starts_with("# ")).skip(1).map(|line| line.split('\t').collect())
}

fn dictionary() -> Dictionary {
    let upper = |word: &str| word.to_uppercase();
    let (mut words, mut types, mut members) = (HashMap::new(), HashMap::new(), HashMap::new());
    for row in rows(KEYWORDS) {
        let english = row[3].split('|').next().unwrap_or_default().to_owned();
        for russian in row[2].split('|').filter(|word| !word.is_empty()) {
            let to = match row[0] {
                "value" | "external" => &mut members,
                "type" => &mut types,
                _ => &mut words,
            };
            to.insert(upper(russian), english.clone());
        }
    }
    let functions = rows(FUNCTIONS).map(|row| (upper(row[1]), row[2].to_owned())).collect();
    let kinds = rows(TABLES).map(|row| (upper(row[1]), row[0].to_owned())).collect();
    members.extend(
        rows(VIRTUAL)
            .filter(|row| !row[1].contains('*'))
            .map(|row| (upper(row[2]), row[1].split('|').next().unwrap_or_default().to_owned())),
    );
    Dictionary { words, functions, kinds, types, members }
}

/// The text with its words in English; names, strings and comments stay.
fn translate(text: &str, dictionary: &Dictionary) -> String {
    let mut out = String::new();
    let mut characters = text.char_indices().peekable();
    let (mut previous, mut previous_word) = (' ', String::new());
    // Whether the last `СОЕДИНЕНИЕ` has its condition to come, which is `ON`, not `BY`.
    let mut joining = false;
    while let Some((at, first)) = characters.next() {
        let rest = &text[at..];
        let skip = if first == '"' {
            rest[1..].find('"').map_or(rest.len(), |end| end + 2)
        } else if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if first.is_alphabetic() || first == '_' {
            rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len())
        } else {
            out.push(first);
            if !first.is_whitespace() {
                previous = first;
            }
            continue;
        };
        while characters.next_if(|&(next, _)| next < at + skip).is_some() {}
        let piece = &text[at..at + skip];
        let next = text[at + skip..].trim_start().chars().next().unwrap_or(' ');
        let folded = piece.to_uppercase();
        let known = match (previous, next) {
            ('&', _) => None,
            // Behind `КАК` stands a name, or a type.
            _ if previous_word == "КАК" => match next {
                '.' => dictionary.kinds.get(&folded),
                '(' | ')' => dictionary.types.get(&folded),
                _ => None,
            },
            ('.', _) => dictionary.members.get(&folded),
            (_, '(') => dictionary.functions.get(&folded).or_else(|| dictionary.words.get(&folded)),
            (_, '.') => dictionary.kinds.get(&folded),
            _ => dictionary
                .words
                .get(&folded)
                .or_else(|| dictionary.kinds.get(&folded).filter(|_| folded == "КОНСТАНТЫ")),
        };
        match folded.as_str() {
            "СОЕДИНЕНИЕ" => joining = true,
            "СГРУППИРОВАТЬ" | "УПОРЯДОЧИТЬ" | "ИТОГИ" | "ИНДЕКСИРОВАТЬ" => {
                joining = false
            }
            _ => {}
        }
        out.push_str(match known {
            Some(_) if folded == "ПО" && joining => "ON",
            Some(english) => english,
            None => piece,
        });
        previous = piece.chars().last().unwrap_or(' ');
        previous_word = folded;
    }
    out
}

/// What differs by right: the text of select lists and parameters, the name of a column that has none.
fn comparable(dump: &str) -> String {
    let lines = dump.lines().map(|line| match line.trim_start().starts_with("branch") {
        true => line.split(": ").next().unwrap_or("").to_owned(),
        false => line.split('`').step_by(2).collect::<Vec<_>>().concat(),
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn english_queries_say_the_same() {
    let dictionary = dictionary();
    let mut compared = 0;
    for (file, kind) in [(QUERIES, TextKind::Query), (RESTRICTIONS, TextKind::Restriction)] {
        for (name, text) in cases(file) {
            // Names that are words of the grammar, or made of them, would be translated too.
            if name.starts_with("names that are words")
                || name.starts_with("the name of a virtual")
                || name == "problems"
            {
                continue;
            }
            let twin = translate(text, &dictionary);
            assert_ne!(twin, text, "{name}");
            let english = comparable(&dump(&twin, &read(&twin, kind)));
            assert_eq!(english, comparable(&dump(text, &read(text, kind))), "{name}\n{twin}");
            compared += 1;
        }
    }
    assert!(compared > 30, "{compared}");
}

#[test]
fn both_languages_may_be_mixed() {
    let facts =
        read("SELECT Т.Код AS К ИЗ Catalog.Валюты КАК Т LEFT JOIN Документ.Х AS Х ПО Х.А = Т.А", TextKind::Query);
    assert_eq!(facts.problems, []);
    assert_eq!(facts.tables.iter().map(|table| &*table.name).collect::<Vec<_>>(), ["Catalog.Валюты", "Document.Х"]);
}
