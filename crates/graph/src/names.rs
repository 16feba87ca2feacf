//! Names as numbers: each text once, found again without case.
//!
//! Folding a name for every call would cost more than resolving it, so tables here hash and compare by folded characters
//! and never build a folded copy.

use hashbrown::HashTable;
use serde::{Deserialize, Serialize};

pub(crate) use bsl::{FoldedHash, fold as folded, folded_hash, same_name as same};

/// Texts in one buffer, each once, numbered from 0 in the order of their coming. Equal without case is the same text:
/// the first spelling stays.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(from = "StoredNames")]
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

/// Texts, their ends and hashes, without what finds them again.
#[derive(Deserialize)]
struct StoredNames(String, Vec<u32>, Vec<u64>);

impl Serialize for Names {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (&self.text, &self.ends, &self.hashes).serialize(serializer)
    }
}

impl From<StoredNames> for Names {
    fn from(StoredNames(text, ends, hashes): StoredNames) -> Self {
        let mut table = HashTable::with_capacity(hashes.len());
        for (number, hash) in (0..).zip(&hashes) {
            table.insert_unique(*hash, number, |&number: &u32| hashes.get(number as usize).copied().unwrap_or(0));
        }
        Self { text, ends, hashes, table }
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
}
