//! The words of help pages, from `data/platform_help_words.tsv`.

use std::sync::LazyLock;

const DATA: &str = include_str!("../../data/platform_help_words.tsv");

struct Word {
    what: &'static str,
    meaning: &'static str,
    written: [String; 2],
}

static WORDS: LazyLock<Vec<Word>> = LazyLock::new(|| {
    let rows = DATA.lines().filter(|line| !line.starts_with('#'));
    let word = |line: &'static str| {
        let mut cells = line.split('\t');
        let (what, meaning) = cells.next()?.split_once(':')?;
        Some(Word { what, meaning, written: [cells.next()?.to_lowercase(), cells.next()?.to_lowercase()] })
    };
    rows.filter_map(word).collect()
});

fn of(what: &str) -> impl Iterator<Item = &'static Word> {
    WORDS.iter().filter(move |word| word.what == what)
}

/// What a chapter is, by its heading; empty if it is another one.
pub(super) fn chapter(heading: &str) -> &'static str {
    let heading = heading.trim().to_lowercase();
    let begins = |word: &&Word| word.written.iter().any(|written| heading.starts_with(written.as_str()));
    of("chapter").find(begins).map_or("", |word| word.meaning)
}

/// Whether a note behind a parameter says that it may be left out.
pub(super) fn is_optional(note: &str) -> bool {
    let note = note.to_lowercase();
    of("note").any(|word| word.written.iter().any(|written| note.contains(written.as_str())))
}

/// What follows `Тип:` at the beginning of a text.
pub(super) fn after_type(text: &str) -> Option<&str> {
    let (label, rest) = text.trim_start().split_once(':')?;
    let label = label.trim().to_lowercase();
    of("label").any(|word| word.written.contains(&label)).then_some(rest)
}

/// Whether that is the name of the global context.
pub(super) fn is_global(name: &str) -> bool {
    let name = name.trim().to_lowercase();
    of("global").any(|word| word.written.contains(&name))
}

/// The places that a text names.
pub(super) fn places(text: &str) -> Vec<&'static str> {
    let mut left = text.to_lowercase();
    let mut found = Vec::new();
    // Longer names stand first in the list: «мобильный автономный сервер» holds «сервер».
    for word in of("place") {
        for written in &word.written {
            if left.contains(written.as_str()) {
                left = left.replace(written.as_str(), "");
                if !found.contains(&word.meaning) {
                    found.push(word.meaning);
                }
            }
        }
    }
    found
}
