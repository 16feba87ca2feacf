//! Texts of one module (identifiers, literals), each kept once and referred to by number.

use std::hash::BuildHasher;

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;
use serde::{Deserialize, Serialize};

/// A text of the module's [`SymbolTable`]. Two symbols of one table are equal exactly when their texts are, case included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Symbol(pub u32);

/// The texts of a module in one buffer: a million-line configuration holds few distinct names, many times each.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SymbolTable {
    text: String,
    /// End offset of each symbol in `text`; it starts where the one before ends.
    ends: Vec<u32>,
}

impl SymbolTable {
    /// The text of a symbol; empty if the symbol belongs to another table.
    pub fn text(&self, symbol: Symbol) -> &str {
        let index = symbol.0 as usize;
        let start = if index == 0 { 0 } else { self.ends.get(index - 1).copied().unwrap_or(0) as usize };
        let end = self.ends.get(index).copied().unwrap_or(0) as usize;
        self.text.get(start..end).unwrap_or("")
    }

    /// The symbol of a text, new or known. It looks at all texts: for a few only.
    pub(crate) fn add(&mut self, text: &str) -> Symbol {
        if let Some((known, _)) = self.iter().find(|(_, known)| *known == text) {
            return known;
        }
        self.text.push_str(text);
        self.ends.push(self.text.len() as u32);
        Symbol(self.ends.len() as u32 - 1)
    }

    /// Number of symbols; valid ones are `0..len`.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no symbol at all.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Symbols whose texts hold something. `find` is given all texts, one behind the other without anything between, and the byte to
    /// look from; it gives the bytes of the first match, of several that begin there the shortest.
    pub fn holding(&self, find: impl Fn(&str, usize) -> Option<std::ops::Range<usize>>) -> Vec<Symbol> {
        let (mut found, mut at) = (Vec::new(), 0);
        while let Some(range) = find(&self.text, at) {
            let index = self.ends.partition_point(|&end| end as usize <= range.start);
            let Some(&end) = self.ends.get(index) else { break };
            if range.end <= end as usize {
                found.push(Symbol(index as u32));
                at = end as usize;
            } else {
                // It runs over into the next text: none of the two holds it, and another match may begin within.
                let first = self.text.get(range.start..).and_then(|rest| rest.chars().next());
                at = range.start + first.map_or(1, char::len_utf8);
            }
        }
        found
    }

    /// All symbols with their texts, in the order of their numbers.
    pub fn iter(&self) -> impl Iterator<Item = (Symbol, &str)> {
        (0..self.ends.len() as u32).map(|index| (Symbol(index), self.text(Symbol(index))))
    }
}

/// Builds a [`SymbolTable`]. The texts are kept once, in the table itself: a look-up allocates nothing.
#[derive(Default)]
pub struct SymbolTableBuilder {
    table: SymbolTable,
    known: HashTable<Symbol>,
}

impl SymbolTableBuilder {
    /// The symbol of a text, new or known.
    pub fn intern(&mut self, text: &str) -> Symbol {
        let hash = FxBuildHasher.hash_one(text);
        let table = &self.table;
        if let Some(&symbol) = self.known.find(hash, |&symbol| table.text(symbol) == text) {
            return symbol;
        }
        let symbol = Symbol(self.table.ends.len() as u32);
        self.table.text.push_str(text);
        self.table.ends.push(self.table.text.len() as u32);
        let table = &self.table;
        self.known.insert_unique(hash, symbol, |&known| FxBuildHasher.hash_one(table.text(known)));
        symbol
    }

    /// The finished table. The builder is empty again, with its memory kept for the next one.
    pub fn take(&mut self) -> SymbolTable {
        self.known.clear();
        let table = SymbolTable { text: self.table.text.as_str().into(), ends: self.table.ends.as_slice().into() };
        self.table.text.clear();
        self.table.ends.clear();
        table
    }

    /// The finished table.
    pub fn finish(self) -> SymbolTable {
        self.table
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_hold_something_are_found_within_their_ends() {
        let mut builder = SymbolTableBuilder::default();
        let symbols: Vec<Symbol> =
            ["кот", "", "шкот и кот", "ко", "тк", "от", "кт", "скот"].map(|text| builder.intern(text)).into();
        let table = builder.finish();
        let find = |text: &str, from: usize| text.get(from..)?.find("кот").map(|at| from + at..from + at + "кот".len());
        assert_eq!(table.holding(find), [symbols[0], symbols[2], symbols[7]]);
        assert_eq!(SymbolTable::default().holding(find), []);
        // At one place the shorter match comes first, as it must: the longer one runs over.
        let either = |text: &str, from: usize| {
            let rest = text.get(from..)?;
            let (at, found) = ["от", "отк"].iter().filter_map(|word| Some((rest.find(word)?, word.len()))).min()?;
            Some(from + at..from + at + found)
        };
        assert_eq!(table.holding(either), [symbols[0], symbols[2], symbols[5], symbols[7]]);
    }
}
