//! Names as numbers: each text once, found again without case.
//!
//! Folding a name for every call would cost more than resolving it, so tables here hash and compare by folded characters
//! and never build a folded copy.

use hashbrown::HashTable;
use serde::{Deserialize, Serialize};

pub(crate) use bsl::{FoldedHash, fold as folded, folded_hash, same_name as same};

/// Texts in one buffer, each once, numbered from 0 in the order of their coming. Equal without case is the same text:
/// the first spelling stays.
#[derive(Clone, Debug, Default)]
pub struct Names {
    text: String,
    ends: Vec<u32>,
    /// Folded hashes, by number.
    hashes: Vec<u64>,
    /// Numbers, by those hashes.
    table: HashTable<u32>,
}

impl Names {
    /// The text of a number; empty for a number that was not given out.
    pub fn text(&self, number: u32) -> &str {
        text_at(&self.text, &self.ends, number)
    }

    /// The hash of a text without its case, the same in every process of one version of the program.
    pub(crate) fn hash(&self, number: u32) -> u64 {
        self.hashes.get(number as usize).copied().unwrap_or(0)
    }

    /// Number of texts; valid numbers are `0..len`.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The number of a name, whatever its case.
    pub fn find(&self, name: &str) -> Option<u32> {
        self.find_hashed(folded_hash(name), name)
    }

    /// [`find`](Self::find) for a name whose folded hash is known.
    pub(crate) fn find_hashed(&self, hash: u64, name: &str) -> Option<u32> {
        self.table.find(hash, |&number| self.hash(number) == hash && same(self.text(number), name)).copied()
    }

    /// The number of a name, known or new.
    pub fn intern(&mut self, name: &str) -> u32 {
        self.intern_hashed(folded_hash(name), name)
    }

    /// [`intern`](Self::intern) for a name whose folded hash is known.
    pub(crate) fn intern_hashed(&mut self, hash: u64, name: &str) -> u32 {
        if let Some(number) = self.find_hashed(hash, name) {
            return number;
        }
        let number = self.ends.len() as u32;
        self.text.push_str(name);
        self.ends.push(self.text.len() as u32);
        self.hashes.push(hash);
        let hashes = &self.hashes;
        self.table.insert_unique(hash, number, |&number| hashes.get(number as usize).copied().unwrap_or(0));
        number
    }

    /// All texts in the order of their numbers.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &str> {
        (0..self.ends.len() as u32).map(|number| self.text(number))
    }

    /// Makes room for so many more texts, of so many bytes together.
    pub(crate) fn reserve(&mut self, count: usize, bytes: usize) {
        self.text.reserve(bytes);
        self.ends.reserve(count);
        self.hashes.reserve(count);
        let hashes = &self.hashes;
        self.table.reserve(count, |&number| hashes.get(number as usize).copied().unwrap_or(0));
    }

    /// Bytes that it takes on the heap.
    pub fn heap_size(&self) -> usize {
        self.text.capacity() + self.ends.capacity() * 12 + self.table.allocation_size()
    }
}

/// Largest text of all names that room is made for before it is read.
const LARGEST: usize = 1 << 26;

/// As bytes. Neighbours are much the same (the methods of a module), so a text is stored as how many bytes it begins with as the one
/// before it does, and the others: a fifth of it all, in less time than compressing takes.
///
/// ```text
/// count, length of all text    u32 each
/// shared, more                 u16, u32 for each text
/// hash                         u64 for each text
/// the other bytes of each text
/// ```
impl Names {
    /// Writes them.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(8 + self.len() * 14 + self.text.len() / 3);
        bytes.extend((self.len() as u32).to_le_bytes());
        bytes.extend((self.text.len() as u32).to_le_bytes());
        let shared = self.iter().scan("", |before, text| {
            let shared = before.bytes().zip(text.bytes()).take_while(|(a, b)| a == b).count();
            *before = text;
            Some(u16::try_from(shared).unwrap_or(u16::MAX))
        });
        let shared: Vec<u16> = shared.collect();
        for (shared, text) in shared.iter().zip(self.iter()) {
            bytes.extend(shared.to_le_bytes());
            bytes.extend((text.len() as u32 - u32::from(*shared)).to_le_bytes());
        }
        bytes.extend(self.hashes.iter().flat_map(|hash| hash.to_le_bytes()));
        for (shared, text) in shared.iter().zip(self.iter()) {
            bytes.extend(text.as_bytes().get(usize::from(*shared)..).unwrap_or_default());
        }
        bytes
    }

    /// Reads them; None for bytes that are none of [`to_bytes`](Self::to_bytes).
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (count, rest) = bytes.split_first_chunk()?;
        let (length, rest) = rest.split_first_chunk()?;
        let (count, length) = (u32::from_le_bytes(*count) as usize, u32::from_le_bytes(*length) as usize);
        let (parts, rest) = rest.split_at_checked(count.checked_mul(6)?)?;
        let (hashes, mut rest) = rest.split_at_checked(count.checked_mul(8)?)?;
        let mut text: Vec<u8> = Vec::with_capacity(length.min(LARGEST));
        let mut ends = Vec::with_capacity(count);
        let mut before = 0;
        for part in parts.chunks_exact(6) {
            let (shared, more) = part.split_first_chunk()?;
            let (shared, more) = (usize::from(u16::from_le_bytes(*shared)), u32::from_le_bytes(more.try_into().ok()?));
            let (own, others) = rest.split_at_checked(more as usize)?;
            let start = text.len();
            if shared > start - before {
                return None;
            }
            text.extend_from_within(before..before + shared);
            text.extend_from_slice(own);
            ends.push(u32::try_from(text.len()).ok()?);
            (before, rest) = (start, others);
        }
        let hashes: Vec<u64> = hashes.as_chunks().0.iter().map(|hash| u64::from_le_bytes(*hash)).collect();
        let text = String::from_utf8(text).ok().filter(|text| text.len() == length && rest.is_empty())?;
        if !ends.iter().all(|end| text.is_char_boundary(*end as usize)) {
            return None;
        }
        let mut table = HashTable::with_capacity(count);
        for (number, hash) in (0..).zip(&hashes) {
            table.insert_unique(*hash, number, |&number: &u32| hashes.get(number as usize).copied().unwrap_or(0));
        }
        Some(Self { text, ends, hashes, table })
    }
}

impl Serialize for Names {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&self.to_bytes())
    }
}

impl<'de> Deserialize<'de> for Names {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let bytes = <&[u8]>::deserialize(deserializer)?;
        Self::from_bytes(bytes).ok_or_else(|| serde::de::Error::custom("these are no names"))
    }
}

fn text_at<'a>(text: &'a str, ends: &[u32], number: u32) -> &'a str {
    let index = number as usize;
    let start = if index == 0 { 0 } else { ends.get(index - 1).copied().unwrap_or(0) as usize };
    let end = ends.get(index).copied().unwrap_or(0) as usize;
    text.get(start..end).unwrap_or("")
}

/// A folded identifier of the configuration or the platform: what a call can name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Ident(pub u32);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_number_whatever_the_case() {
        let mut names = Names::default();
        let a = names.intern("CommonModule.Склад.Остаток");
        assert_eq!(names.intern("commonmodule.СКЛАД.остаток"), a);
        assert_eq!(names.find("COMMONMODULE.склад.ОСТАТОК"), Some(a));
        assert_eq!(names.text(a), "CommonModule.Склад.Остаток");
        let many: Vec<u32> = (0..1000).map(|i| names.intern(&format!("Имя{i}"))).collect();
        assert_eq!(names.len(), 1001);
        assert!(many.iter().enumerate().all(|(i, &n)| names.find(&format!("ИМЯ{i}")) == Some(n)));
    }

    #[test]
    fn names_come_back_from_bytes_and_damaged_ones_are_none_or_others() {
        let mut names = Names::default();
        assert!(Names::from_bytes(&names.to_bytes()).is_some_and(|back| back.is_empty()));
        let long = "Ж".repeat(40_000);
        for name in ["CommonModule.А.Б", "CommonModule.А.В", "CommonModule.А", "", "Я", "Э", &long, &format!("{long}Ю")]
        {
            names.intern(name);
        }
        let bytes = names.to_bytes();
        let back = Names::from_bytes(&bytes).unwrap();
        assert!(back.iter().eq(names.iter()));
        assert!((0..).zip(names.iter()).all(|(number, name)| back.find(name) == Some(number)));
        assert!((0..bytes.len()).all(|cut| Names::from_bytes(&bytes[..cut]).is_none()));
        for place in 0..200 {
            let mut other = bytes.clone();
            other[place] ^= 0xff;
            // Whatever it reads, it doesn't panic.
            let _ = Names::from_bytes(&other);
        }
    }
}
