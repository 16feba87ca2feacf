//! Topics by words.

use std::collections::HashSet;
use std::sync::LazyLock;

use index::text::sentence_words;

use super::{places, rows, tools};
use crate::tool::Topic;

/// What the words of a question ask for.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) topics: Vec<Topic>,
    pub(super) tools: Vec<&'static str>,
}

/// What a phrase asks for.
#[derive(Clone, Copy, Debug)]
enum Asks {
    Topic(Topic),
    Tool(&'static str),
}

#[derive(Debug)]
struct Phrase {
    asks: Asks,
    /// Compare words as they are written, not by stems.
    exact: bool,
    /// Counts only if nothing else says what the question is about.
    weak: bool,
    words: Vec<String>,
}

static PHRASES: LazyLock<Vec<Phrase>> =
    LazyLock::new(|| rows(include_str!("../../data/topic_words.tsv")).filter_map(phrases).flatten().collect());

fn phrases(line: &'static str) -> Option<impl Iterator<Item = Phrase>> {
    let (word, phrases) = line.split_once('\t')?;
    let asks = match Topic::from_word(word) {
        Some(topic) => Asks::Topic(topic),
        None => Asks::Tool(tools().find(|tool| *tool == word)?),
    };
    Some(phrases.split(';').map(move |phrase| {
        let phrase = phrase.trim();
        let (exact, weak) = (phrase.starts_with('='), phrase.starts_with('?'));
        let words = sentence_words(phrase).into_iter().map(|(folded, stem)| if exact { folded } else { stem });
        Phrase { asks, exact, weak, words: words.collect() }
    }))
}

/// What the words of a question ask for.
pub(super) fn of(question: &str) -> Found {
    let found = of_text(&without_quotes(question));
    if found.topics.is_empty() { of_text(question) } else { found }
}

/// A name of the configuration is no words: `ПроверитьПрава` asks for no rights. One that says its kind (`Роль.Х`) says what
/// it is about.
fn of_text(text: &str) -> Found {
    let mut found = Found::default();
    let (mut folded, mut stems) = (HashSet::new(), HashSet::new());
    let part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.');
    for token in text.split(|c: char| !part(c)).map(|token| token.trim_matches('.')) {
        if is_name(token) {
            found.topics.extend(places::of(token));
        } else {
            for (word, stem) in sentence_words(token) {
                folded.insert(word);
                stems.insert(stem);
            }
        }
    }
    let mut weak = Vec::new();
    for phrase in PHRASES.iter() {
        let said = if phrase.exact { &folded } else { &stems };
        if phrase.words.iter().all(|word| said.contains(word)) {
            match phrase.asks {
                Asks::Topic(topic) if phrase.weak => weak.push(topic),
                Asks::Topic(topic) => found.topics.push(topic),
                Asks::Tool(tool) => found.tools.push(tool),
            }
        }
    }
    if found.topics.is_empty() {
        found.topics = weak;
    }
    found
}

/// A text without what stands in quotes: messages, names, texts of code say nothing of what is asked.
fn without_quotes(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((at, open)) = rest.char_indices().find(|(_, c)| matches!(c, '«' | '"' | '`' | '“')) {
        let close = match open {
            '«' => '»',
            '“' => '”',
            other => other,
        };
        let after = rest.get(at + open.len_utf8()..).unwrap_or_default();
        // A quote that is never closed is none.
        let Some(end) = after.find(close) else { break };
        out.push_str(rest.get(..at).unwrap_or_default());
        out.push(' ');
        rest = after.get(end + close.len_utf8()..).unwrap_or_default();
    }
    out.push_str(rest);
    out
}

/// Whether a word looks like a name of code or configuration: a dot or an underscore inside, or a capital after a small
/// letter.
pub fn is_name(word: &str) -> bool {
    let letters: Vec<char> = word.chars().collect();
    letters.iter().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | ':'))
        && (word.contains(['.', '_'])
            || letters.windows(2).any(|pair| matches!(pair, [a, b] if a.is_lowercase() && b.is_uppercase())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_of_the_data_asks_for_something() {
        for line in rows(include_str!("../../data/topic_words.tsv")) {
            assert!(phrases(line).is_some(), "{line}");
        }
        assert!(PHRASES.iter().all(|phrase| !phrase.words.is_empty()));
    }

    #[test]
    fn forms_of_words_count_names_do_not() {
        let topics = |question| {
            let mut topics = of(question).topics;
            topics.sort_unstable();
            topics.dedup();
            topics
        };
        assert_eq!(topics("что с отчётами?"), [Topic::Reports]);
        assert_eq!(topics("Which roles are there"), [Topic::Rights]);
        assert!(topics("ОтчетПоРолям").is_empty());
        assert_eq!(topics("посмотри Роль.Администратор"), [Topic::Rights]);
        assert_eq!(topics("где возникает «Нет прав доступа» при вызове"), [Topic::Code]);
        assert_eq!(topics("«права»"), [Topic::Rights]);
        assert_eq!(topics("в каком модуле форма"), [Topic::Forms], "a weak word beside a strong one");
        assert_eq!(topics("в каком модуле"), [Topic::Code]);
        // Exact words: the stem of "править" is that of "права".
        assert!(topics("что придётся править").is_empty());
        assert_eq!(topics("какие права"), [Topic::Rights]);
    }
}
