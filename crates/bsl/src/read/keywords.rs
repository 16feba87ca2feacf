//! Reserved words and directive words, looked up without case.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use super::token::TokenKind;

const KEYWORDS: &str = include_str!("../../data/keywords.tsv");
const DIRECTIVES: &str = include_str!("../../data/directives.tsv");

/// Longest reserved word in bytes (`ДобавитьОбработчик`); longer identifiers are not looked up.
const MAX_LEN: usize = 36;

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

struct Keywords {
    by_word: FxHashMap<&'static [u8], TokenKind>,
    /// Bit `first & 63` of `likely[length]` is set if some reserved word has that length and that first letter.
    likely: [u64; MAX_LEN + 1],
    folded: Vec<(String, TokenKind)>,
}

static TABLE: LazyLock<Keywords> = LazyLock::new(|| {
    let mut table = Keywords { by_word: FxHashMap::default(), likely: [0; MAX_LEN + 1], folded: Vec::new() };
    for row in rows(KEYWORDS) {
        let [kind, russian, english] = row[..] else { continue };
        let Some(kind) = named(TokenKind::RESERVED, kind) else { continue };
        for word in [russian, english] {
            table.folded.push((word.to_lowercase(), kind));
        }
    }
    for (word, kind) in &table.folded {
        let bytes: &'static [u8] = word.clone().leak().as_bytes();
        if let (Some(mask), Some(first)) = (table.likely.get_mut(bytes.len()), first_letter(bytes)) {
            *mask |= 1 << (first & 63);
        }
        table.by_word.insert(bytes, *kind);
    }
    table
});

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

/// Rows of one of our tables, without comments and the heading.
fn rows(table: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    table.lines().filter(|line| !line.starts_with("# ")).skip(1).map(|line| line.split('\t').collect())
}

/// The kind of a word: a reserved word or [`TokenKind::Ident`].
pub(crate) fn classify(word: &[u8]) -> TokenKind {
    let table = &*TABLE;
    let (Some(mask), Some(first)) = (table.likely.get(word.len()), first_letter(word)) else {
        return TokenKind::Ident;
    };
    if mask & (1 << (first & 63)) == 0 {
        return TokenKind::Ident;
    }
    let mut buffer = [0u8; MAX_LEN];
    let Some(folded) = buffer.get_mut(..word.len()) else { return TokenKind::Ident };
    folded.copy_from_slice(word);
    fold_in_place(folded);
    table.by_word.get(&*folded).copied().unwrap_or(TokenKind::Ident)
}

/// The directive a word after `#` names.
pub(crate) fn directive(word: &str) -> Option<Directive> {
    let folded = word.to_lowercase();
    DIRECTIVE_WORDS.iter().find(|(known, _)| *known == folded).map(|&(_, kind)| kind)
}

/// The kind's name of a word after `&`, as in `directives.tsv`.
pub(crate) fn ampersand(word: &str) -> Option<&'static str> {
    AMPERSAND_WORDS.get(&word.to_lowercase()).copied()
}

/// The last byte of the first letter, in lower case.
fn first_letter(word: &[u8]) -> Option<u8> {
    match *word.first()? {
        0xD0 => Some(match *word.get(1)? {
            upper @ 0x90..=0x9F => upper + 0x20,
            upper @ 0xA0..=0xAF => upper - 0x20,
            lower => lower,
        }),
        0xD1 => word.get(1).copied(),
        ascii => Some(ascii.to_ascii_lowercase()),
    }
}

/// Lower case for ASCII and the Russian letters except `Ё`, which no reserved word contains. Keeps the length.
fn fold_in_place(word: &mut [u8]) {
    let mut rest = word;
    loop {
        match rest {
            [lead @ 0xD0, letter @ 0x90..=0xAF, tail @ ..] => {
                if *letter < 0xA0 {
                    *letter += 0x20;
                } else {
                    *lead = 0xD1;
                    *letter -= 0x20;
                }
                rest = tail;
            }
            [other, tail @ ..] => {
                other.make_ascii_lowercase();
                rest = tail;
            }
            [] => return,
        }
    }
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
        assert_eq!(TABLE.folded.len(), 2 * rows(KEYWORDS).count());
        for (word, kind) in &TABLE.folded {
            assert!(word.len() <= MAX_LEN);
            assert_eq!(classify(word.as_bytes()), *kind, "{word}");
            assert_eq!(classify(word.to_uppercase().as_bytes()), *kind, "{word}");
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
