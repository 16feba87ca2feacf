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
