//! Tables of words that are looked up without case, at the speed of a lexer.

use rustc_hash::FxHashMap;

/// Longest word in bytes that a table may hold; longer identifiers are not looked up.
const MAX_LEN: usize = 63;

/// Words with what they mean.
pub(crate) struct WordTable<T> {
    by_word: FxHashMap<Box<[u8]>, T>,
    /// Bit `first & 63` of `likely[length]` is set if some word has that length and that first letter.
    likely: [u64; MAX_LEN + 1],
}

impl<T: Copy> WordTable<T> {
    /// A table of words in any case. Words may consist of ASCII and Russian letters except `Ё`.
    pub fn new<'a>(words: impl IntoIterator<Item = (&'a str, T)>) -> Self {
        let mut table = Self { by_word: FxHashMap::default(), likely: [0; MAX_LEN + 1] };
        for (word, meaning) in words {
            let word: Box<[u8]> = word.to_lowercase().into_bytes().into();
            if let (Some(mask), Some(first)) = (table.likely.get_mut(word.len()), first_letter(&word)) {
                *mask |= 1 << (first & 63);
                table.by_word.insert(word, meaning);
            }
        }
        table
    }

    /// What a word means; `None` if the table doesn't hold it.
    pub fn get(&self, word: &str) -> Option<T> {
        self.get_bytes(word.as_bytes())
    }

    /// [`Self::get`] for a word in UTF-8.
    pub fn get_bytes(&self, word: &[u8]) -> Option<T> {
        let mask = self.likely.get(word.len())?;
        if mask & (1 << (first_letter(word)? & 63)) == 0 {
            return None;
        }
        let mut buffer = [0u8; MAX_LEN];
        let folded = buffer.get_mut(..word.len())?;
        folded.copy_from_slice(word);
        fold_in_place(folded);
        self.by_word.get(&*folded).copied()
    }
}

/// Rows of one of our data files, without comments and the heading.
pub(crate) fn rows(table: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    table.lines().filter(|line| !line.starts_with("# ")).skip(1).map(|line| line.split('\t').collect())
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

/// Lower case for ASCII and the Russian letters except `Ё`. Keeps the length.
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

#[cfg(test)]
mod tests {
    use super::WordTable;

    #[test]
    fn words_are_found_in_any_case_and_nothing_else_is() {
        let table = WordTable::new([("Если", 1), ("IF", 1), ("ФактическийПериодДействия", 2)]);
        for (word, meaning) in [("ЕСЛИ", 1), ("еСЛИ", 1), ("If", 1), ("фактическийпериоддействия", 2)]
        {
            assert_eq!(table.get(word), Some(meaning), "{word}");
        }
        for word in ["", "Ёсли", "Если1", "Е", "Эсли", &"А".repeat(40), "И\u{301}"] {
            assert_eq!(table.get(word), None, "{word}");
        }
    }
}
