//! Reserved words and directive words, looked up without case.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use super::token::TokenKind;
use crate::words::{WordTable, rows};

const KEYWORDS: &str = include_str!("../../data/keywords.tsv");
const DIRECTIVES: &str = include_str!("../../data/directives.tsv");

macro_rules! directives {
    ($($kind:ident)*) => {
        /// What follows `#`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Directive { $($kind),* }

        impl Directive {
            /// All of them, by the names that `data/directives.tsv` calls them.
            const ALL: &[(&'static str, Self)] = &[$((stringify!($kind), Self::$kind)),*];
        }
    };
}

directives! { If ElsIf Else EndIf Region EndRegion Insert EndInsert Delete EndDelete }

/// Reserved words with their kinds, as written in the table.
fn reserved() -> impl Iterator<Item = (&'static str, TokenKind)> {
    let kinds = rows(KEYWORDS).filter_map(|row| match row[..] {
        [kind, russian, english] => Some((named(TokenKind::RESERVED, kind)?, [russian, english])),
        _ => None,
    });
    kinds.flat_map(|(kind, words)| words.map(|word| (word, kind)))
}

static TABLE: LazyLock<WordTable<TokenKind>> = LazyLock::new(|| WordTable::new(reserved()));

static DIRECTIVE_WORDS: LazyLock<Vec<(String, Directive)>> = LazyLock::new(|| {
    let mut words = Vec::new();
    for row in rows(DIRECTIVES) {
        let ["#", kind, russian, english] = row[..] else { continue };
        let Some(kind) = named(Directive::ALL, kind) else { continue };
        words.push((russian.to_lowercase(), kind));
        words.push((english.to_lowercase(), kind));
    }
    words
});

/// Words after `&`, folded, with the kind's name.
static AMPERSAND_WORDS: LazyLock<FxHashMap<String, &'static str>> = LazyLock::new(|| {
    let mut words = FxHashMap::default();
    for row in rows(DIRECTIVES) {
        let ["&", kind, russian, english] = row[..] else { continue };
        words.insert(russian.to_lowercase(), kind);
        words.insert(english.to_lowercase(), kind);
    }
    words
});

/// The kind of a word: a reserved word or [`TokenKind::Ident`].
pub(crate) fn classify(word: &[u8]) -> TokenKind {
    TABLE.get_bytes(word).unwrap_or(TokenKind::Ident)
}

/// The directive a word after `#` names.
pub(crate) fn directive(word: &str) -> Option<Directive> {
    let folded = word.to_lowercase();
    DIRECTIVE_WORDS.iter().find(|(known, _)| *known == folded).map(|&(_, kind)| kind)
}

/// The directive that stands at the beginning of a line.
pub(crate) fn directive_of_line(line: &str) -> Option<Directive> {
    let rest = line.trim_start().strip_prefix('#')?;
    directive(rest.trim_start().split(|c: char| !c.is_alphanumeric()).next().unwrap_or(""))
}

/// The kind's name of a word after `&`, as in `directives.tsv`.
pub(crate) fn ampersand(word: &str) -> Option<&'static str> {
    AMPERSAND_WORDS.get(&word.to_lowercase()).copied()
}

/// What a table calls one of these.
fn named<Kind: Copy>(kinds: &[(&str, Kind)], name: &str) -> Option<Kind> {
    kinds.iter().find(|(known, _)| *known == name).map(|&(_, kind)| kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_of_the_table_is_known_in_any_case() {
        assert_eq!(reserved().count(), 2 * rows(KEYWORDS).count());
        for (word, kind) in reserved() {
            for word in [word.to_owned(), word.to_uppercase(), word.to_lowercase()] {
                assert_eq!(classify(word.as_bytes()), kind, "{word}");
            }
        }
        assert_eq!(DIRECTIVE_WORDS.len() / 2 + AMPERSAND_WORDS.len() / 2, rows(DIRECTIVES).count());
    }

    #[test]
    fn similar_words_are_identifiers() {
        for word in ["Ёсли", "Если1", "Е", "Выполнить1", "_Если", "ПроцедураА", "Эсли"]
        {
            assert_eq!(classify(word.as_bytes()), TokenKind::Ident, "{word}");
        }
    }
}
