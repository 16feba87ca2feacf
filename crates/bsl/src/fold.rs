//! Comparing identifiers: without case, in Unicode. `ё` and `е` stay different letters, as they are to the platform.
//!
//! Names are Latin and Cyrillic, and there are millions of comparisons: these letters go a short way, all others the standard library's.

/// The first letter of the Cyrillic block that has a short way, and the first behind them.
const CYRILLIC: std::ops::Range<u16> = 0x400..0x460;

/// Lower case of the letters of [`CYRILLIC`], by their places in it.
const LOWER: [u16; 0x60] = {
    let mut lower = [0; 0x60];
    let mut place = 0;
    while place < 0x60 {
        lower[place as usize] = CYRILLIC.start
            + match place {
                0..0x10 => place + 0x50,
                0x10..0x30 => place + 0x20,
                _ => place,
            };
        place += 1;
    }
    lower
};

/// Lower case of a Latin or Cyrillic letter, and of everything else that ASCII has; None for what must go the long way.
fn simple_lower(c: char) -> Option<char> {
    if c.is_ascii() {
        return Some(c.to_ascii_lowercase());
    }
    let place = u32::from(c).checked_sub(CYRILLIC.start.into())?;
    LOWER.get(place as usize).and_then(|lower| char::from_u32((*lower).into()))
}

/// Lower case of a character.
fn lower(c: char) -> impl Iterator<Item = char> {
    let (first, rest) = match simple_lower(c) {
        Some(c) => (Some(c), None),
        None => (None, Some(c.to_lowercase())),
    };
    first.into_iter().chain(rest.into_iter().flatten())
}

/// The key under which a name is compared and stored: lower case by Unicode's simple rules.
///
/// ```
/// assert_eq!(metascope_bsl::fold("ОбщийМодуль"), "общиймодуль");
/// ```
pub fn fold(name: &str) -> String {
    let mut folded = String::with_capacity(name.len());
    for c in name.chars() {
        match simple_lower(c) {
            Some(c) => folded.push(c),
            None => return name.to_lowercase(),
        }
    }
    folded
}

/// Whether two names are the same to the platform.
pub fn same_name(a: &str, b: &str) -> bool {
    a == b || a.chars().flat_map(lower).eq(b.chars().flat_map(lower))
}

/// Hash of a name that doesn't depend on case. It is written into files, so it must not change without their format.
///
/// ```
/// use metascope_bsl::folded_hash;
/// assert_eq!(folded_hash("ОбщийМодуль.Сумма"), folded_hash("общиймодуль.СУММА"));
/// ```
pub fn folded_hash(name: &str) -> u64 {
    FoldedHash::of(name).finish()
}

/// A [`folded_hash`] of a name that comes in pieces: the hash of a beginning that many names have is made once.
///
/// ```
/// use metascope_bsl::{FoldedHash, folded_hash};
/// let module = FoldedHash::of("CommonModule.Склад.");
/// assert_eq!(module.then("Остаток"), folded_hash("commonmodule.склад.остаток"));
/// ```
#[derive(Clone, Debug)]
pub struct FoldedHash {
    state: u64,
    /// Letters that are not in the state yet, 16 bits each, the last one lowest.
    pending: u64,
    /// How many they are.
    count: u32,
}

impl FoldedHash {
    /// The beginning of a name.
    pub fn of(beginning: &str) -> Self {
        let mut hash = Self { state: 0x243f_6a88_85a3_08d3, pending: 0, count: 0 };
        hash.write(beginning);
        hash
    }

    /// The hash of the name that goes on like this, and ends there.
    pub fn then(&self, rest: &str) -> u64 {
        let mut hash = self.clone();
        hash.write(rest);
        hash.finish()
    }

    /// The hash of the name as it is.
    pub fn finish(mut self) -> u64 {
        if self.count > 0 {
            self.take_in();
        }
        scrambled(self.state, 0xa409_3822_299f_31d1)
    }

    fn write(&mut self, text: &str) {
        let bytes = text.as_bytes();
        let mut at = 0;
        while let Some(&first) = bytes.get(at) {
            if first.is_ascii() {
                self.letter(first.to_ascii_lowercase().into());
                at += 1;
                continue;
            }
            // Two bytes of UTF-8 hold a letter of the Cyrillic block: 110xxxxx 10xxxxxx.
            let second = bytes.get(at + 1).copied().unwrap_or(0);
            let place = ((u16::from(first) & 0x1f) << 6 | u16::from(second) & 0x3f).wrapping_sub(CYRILLIC.start);
            match LOWER.get(usize::from(place)).filter(|_| first & 0xe0 == 0xc0) {
                Some(lower) => {
                    self.letter(*lower);
                    at += 2;
                }
                None => at += self.other_letter(text.get(at..).unwrap_or("")),
            }
        }
    }

    /// Takes in the first character of a text; gives its bytes.
    fn other_letter(&mut self, text: &str) -> usize {
        let Some(c) = text.chars().next() else { return 1 };
        for number in c.to_lowercase().map(u32::from) {
            let [high, low] = [(number >> 16) as u16, number as u16];
            if high > 0 {
                self.letter(high);
            }
            self.letter(low);
        }
        c.len_utf8()
    }

    fn letter(&mut self, letter: u16) {
        self.pending = self.pending << 16 | u64::from(letter);
        self.count += 1;
        if self.count == 4 {
            self.take_in();
        }
    }

    fn take_in(&mut self) {
        self.state = scrambled(self.state ^ self.pending, 0x9e37_79b9_7f4a_7c15);
        (self.pending, self.count) = (0, 0);
    }
}

/// Both halves of a product, laid over each other.
fn scrambled(number: u64, by: u64) -> u64 {
    let product = u128::from(number) * u128::from(by);
    (product >> 64) as u64 ^ product as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_hash_is_written_into_files_and_stays() {
        assert_eq!(folded_hash(""), 0xbf65_65d7_7ed0_4d03);
        assert_eq!(folded_hash("Catalog.Валюты"), 0x1b81_e7f9_4d73_51a9);
        assert_eq!(folded_hash("Straße 𝒳"), 0x6a98_db84_01ef_1960);
    }

    #[test]
    fn letters_that_go_the_long_way() {
        for (a, b) in [
            ("Ёлка", "ёлка"),
            ("Елка", "Ёлка"),
            ("ІЇЄ", "іїє"),
            ("Straße", "STRASSE"),
            ("ÀÉ", "àé"),
            ("Ѐ", "ѐ"),
            ("Ѡ", "ѡ"),
        ] {
            assert_eq!(same_name(a, b), a.to_lowercase() == b.to_lowercase(), "{a} {b}");
        }
        assert_eq!(fold("ΌΣΟΣ"), "ΌΣΟΣ".to_lowercase());
    }

    proptest! {
        #[test]
        fn folding_is_lower_case(name in "[A-Za-zА-Яа-яЁёЀ-ѿÀ-ÿ𝒳_. ]{0,20}") {
            prop_assert_eq!(fold(&name), name.to_lowercase());
        }

        #[test]
        fn names_are_the_same_if_their_lower_case_is(a in "[AaЯяЁёÀà]{0,5}", b in "[AaЯяЁёÀà]{0,5}") {
            let same = a.to_lowercase() == b.to_lowercase();
            prop_assert_eq!(same_name(&a, &b), same);
            prop_assert_eq!(folded_hash(&a) == folded_hash(&b), same);
        }

        #[test]
        fn a_hash_in_pieces_is_that_of_the_whole(a in "[a-zЯя𝒳]{0,9}", b in "[a-zЯя𝒳]{0,9}") {
            prop_assert_eq!(FoldedHash::of(&a).then(&b), folded_hash(&format!("{a}{b}")));
        }
    }
}
