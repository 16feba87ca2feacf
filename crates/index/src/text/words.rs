//! From text to terms: identifiers split at case changes, folded (ё too) and stemmed.
//!
//! A configuration repeats itself: 78 MB of code hold about a hundred thousand different words. Each is split and stemmed
//! once a thread, and kept.

use rust_stemmers::{Algorithm, Stemmer};
use rustc_hash::FxHashMap;

/// Longest run of letters and digits that is taken for words; longer ones are data (Base64).
const LONGEST: usize = 200;

/// The texts of one thing that is searched for, as terms joined by blanks: the columns of the full-text table.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Document {
    /// Its own name.
    pub name: String,
    /// What it belongs to.
    pub owner: String,
    /// What people wrote about it.
    pub doc: String,
    /// What it holds.
    pub body: String,
}

impl Document {
    /// A hash of all of it.
    pub fn hash(&self) -> i64 {
        let Self { name, owner, doc, body } = self;
        crate::names::hash64([name.as_str(), owner, doc, body].join("\n").as_bytes()).cast_signed()
    }
}

/// Turns text into terms. One a thread.
pub(crate) struct Splitter {
    russian: Stemmer,
    english: Stemmer,
    /// A word as written -> its terms, as numbers in `terms`.
    known: FxHashMap<Box<str>, Box<[u32]>>,
    /// A term -> its number; numbers count from 0 in the order of `terms`.
    numbers: FxHashMap<Box<str>, u32>,
    terms: Vec<Box<str>>,
    /// How often each term stands in the text at hand.
    counts: Vec<u32>,
    /// Terms of the text at hand, in the order of their first place.
    seen: Vec<u32>,
}

impl Default for Splitter {
    fn default() -> Self {
        Self {
            russian: Stemmer::create(Algorithm::Russian),
            english: Stemmer::create(Algorithm::English),
            known: FxHashMap::default(),
            numbers: FxHashMap::default(),
            terms: Vec::new(),
            counts: Vec::new(),
            seen: Vec::new(),
        }
    }
}

impl Splitter {
    /// All terms of a short text, in order, repeats included.
    pub fn short(&mut self, text: &str, out: &mut String) {
        for word in words(text) {
            let count = self.terms_of(word).len();
            for place in 0..count {
                let Some(term) = self.known.get(word).and_then(|t| t.get(place)).copied() else { continue };
                push(out, self.terms.get(term as usize).map_or("", |t| t));
            }
        }
    }

    /// The terms of a long text: each as often as the logarithm of its count says, since the tenth time that a body
    /// holds a word tells no more than the eighth. It keeps the table small, too.
    pub fn long(&mut self, text: &str, out: &mut String) {
        self.seen.clear();
        for word in words(text) {
            if !self.known.contains_key(word) {
                self.learn(word);
            }
            let Some(terms) = self.known.get(word) else { continue };
            for &term in terms {
                let Some(count) = self.counts.get_mut(term as usize) else { continue };
                if *count == 0 {
                    self.seen.push(term);
                }
                *count += 1;
            }
        }
        for &term in &self.seen {
            let Some(count) = self.counts.get_mut(term as usize) else { continue };
            let times = u32::BITS - count.leading_zeros();
            *count = 0;
            for _ in 0..times.min(4) {
                push(out, self.terms.get(term as usize).map_or("", |t| t));
            }
        }
    }

    fn terms_of(&mut self, word: &str) -> &[u32] {
        if !self.known.contains_key(word) {
            self.learn(word);
        }
        self.known.get(word).map_or(&[], |terms| terms)
    }

    fn learn(&mut self, word: &str) {
        let mut terms = Vec::new();
        if word.len() <= LONGEST {
            let runs = word.split(|c: char| !c.is_alphanumeric());
            for part in runs.flat_map(bsl::split_identifier) {
                let Some(stem) = self.stem(part) else { continue };
                let next = u32::try_from(self.terms.len()).unwrap_or(u32::MAX);
                let number = *self.numbers.entry(stem.clone()).or_insert(next);
                if number == next {
                    self.terms.push(stem);
                    self.counts.push(0);
                }
                terms.push(number);
            }
        }
        self.known.insert(word.into(), terms.into());
    }

    /// The term of one part of a word; None for a stop word and for a single letter.
    fn stem(&self, part: &str) -> Option<Box<str>> {
        let folded = folded(part);
        if folded.chars().nth(1).is_none() || STOP.contains(&folded.as_str()) {
            return None;
        }
        Some(stem_of(&folded, &self.russian, &self.english).into())
    }
}

/// A word in small letters, with `е` for `ё`.
fn folded(word: &str) -> String {
    let folded: String = word.chars().flat_map(char::to_lowercase).collect();
    if folded.contains('ё') { folded.replace('ё', "е") } else { folded }
}

/// The stem of a folded word, by the language of its first letter.
fn stem_of(folded: &str, russian: &Stemmer, english: &Stemmer) -> String {
    match folded.chars().next() {
        Some('а'..='я') => russian.stem(folded).into_owned(),
        Some('a'..='z') => english.stem(folded).into_owned(),
        _ => folded.to_owned(),
    }
}

/// Words of a sentence as `(folded, stem)`, in order. Unlike [`query_terms`], for which a sentence is a list of things to
/// look for, it leaves no word out and splits none at case changes.
#[must_use]
pub fn sentence_words(text: &str) -> Vec<(String, String)> {
    let (russian, english) = (Stemmer::create(Algorithm::Russian), Stemmer::create(Algorithm::English));
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty() && word.len() <= LONGEST);
    words
        .map(|word| {
            let folded = folded(word);
            let stem = stem_of(&folded, &russian, &english);
            (folded, stem)
        })
        .collect()
}

/// Words of the language that say nothing of what a method is about, folded. (English ones stand in code that is
/// written in English.)
const STOP: &[&str] = &[
    "если",
    "тогда",
    "иначе",
    "иначеесли",
    "конецесли",
    "для",
    "каждого",
    "из",
    "по",
    "цикл",
    "конеццикла",
    "пока",
    "процедура",
    "конецпроцедуры",
    "функция",
    "конецфункции",
    "возврат",
    "перем",
    "экспорт",
    "знач",
    "новый",
    "попытка",
    "исключение",
    "конецпопытки",
    "истина",
    "ложь",
    "неопределено",
    "конец",
    "каждого",
    "не",
    "и",
    "или",
    "в",
    "на",
    "с",
    "if",
    "then",
    "else",
    "elsif",
    "endif",
    "for",
    "each",
    "in",
    "to",
    "do",
    "enddo",
    "while",
    "procedure",
    "endprocedure",
    "function",
    "endfunction",
    "return",
    "var",
    "export",
    "val",
    "new",
    "try",
    "except",
    "endtry",
    "true",
    "false",
    "undefined",
    "and",
    "or",
    "not",
    "the",
    "of",
    "ru",
    "en",
];

fn push(out: &mut String, term: &str) {
    if !out.is_empty() {
        out.push(' ');
    }
    out.push_str(term);
}

/// Words of a text, as far as bytes tell: what stands between ASCII characters that are neither letters nor digits. Other
/// signs (`—`, `«`, `№`) stay in, and are taken out when a word is learned: asking Unicode about every character of a
/// configuration would cost a second.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| c.is_ascii() && !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty())
}

/// The terms of a query, each once.
#[must_use]
pub fn query_terms(text: &str) -> Vec<String> {
    let mut splitter = Splitter::default();
    let mut out = String::new();
    splitter.short(text, &mut out);
    let mut terms: Vec<String> = Vec::new();
    for term in out.split(' ').filter(|term| !term.is_empty()) {
        if !terms.iter().any(|known| known == term) {
            terms.push(term.to_owned());
        }
    }
    terms
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_a_word_are_one_term() {
        assert_eq!(query_terms("проверить сроки оплаты"), query_terms("ПРОВЕРИТЬ_СРОКОВ оплатой"));
        assert_eq!(query_terms("учёт"), query_terms("УЧЕТА"));
        assert_eq!(query_terms("loading files"), query_terms("LoadFile"));
    }

    #[test]
    fn a_sentence_keeps_every_word() {
        let words = sentence_words("Если ОбщийМодуль: учёт, loads");
        let expected = [("если", "есл"), ("общиймодуль", "общиймодул"), ("учет", "учет"), ("loads", "load")];
        assert_eq!(words, expected.map(|(folded, stem)| (folded.to_owned(), stem.to_owned())));
    }

    #[test]
    fn a_word_that_stands_often_counts_by_its_logarithm() {
        let mut splitter = Splitter::default();
        let count = |text: &str, splitter: &mut Splitter| {
            let mut out = String::new();
            splitter.long(text, &mut out);
            out.split(' ').filter(|t| *t == "валют").count()
        };
        assert_eq!(count("Валюта", &mut splitter), 1);
        assert_eq!(count("Валюта валюты валюту", &mut splitter), 2);
        assert_eq!(count(&"Валюта ".repeat(5000), &mut splitter), 4);
    }

    #[test]
    fn keywords_and_single_letters_are_no_terms() {
        assert_eq!(query_terms("Если Х Тогда КонецЕсли"), Vec::<String>::new());
    }
}
