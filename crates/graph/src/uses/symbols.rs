//! Names of a module: the same number for all spellings, and what the platform means by them.

use bsl::{ModuleFacts, Symbol};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::Cell;
use std::num::NonZeroU64;
use std::sync::LazyLock;

use crate::names::{folded_hash, same};
use crate::words::{self, Word};

/// What a name means here: a function of `data/comparisons.tsv`, or a word of the platform.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    Fold,
    Starts,
    Ends,
    Find,
    Left,
    Right,
    This,
    SetAction,
    Action,
    Notification,
    Structure,
    Insert,
}

/// Names with a meaning, by their folded hash.
static MEANINGS: LazyLock<FxHashMap<u64, (Meaning, &'static str)>> = LazyLock::new(|| {
    let lines = include_str!("../../data/comparisons.tsv").lines().filter(|line| !line.starts_with('#')).skip(1);
    let row = |line: &'static str| {
        let mut cells = line.split('\t');
        let meaning = match cells.next()? {
            "fold" => Meaning::Fold,
            "starts" => Meaning::Starts,
            "ends" => Meaning::Ends,
            "find" => Meaning::Find,
            "left" => Meaning::Left,
            "right" => Meaning::Right,
            _ => return None,
        };
        Some((meaning, [cells.next()?, cells.next()?]))
    };
    let functions = lines.filter_map(row);
    let words = words::rows().filter_map(|(word, ru, en)| {
        let meaning = match word {
            Word::This => Meaning::This,
            Word::SetAction => Meaning::SetAction,
            Word::Action => Meaning::Action,
            Word::NotifyDescription => Meaning::Notification,
            Word::Structure => Meaning::Structure,
            Word::Insert => Meaning::Insert,
            _ => return None,
        };
        Some((meaning, [ru, en]))
    });
    let all = functions.chain(words).flat_map(|(meaning, names)| names.map(|name| (meaning, name)));
    all.map(|(meaning, name)| (folded_hash(name), (meaning, name))).collect()
});

/// The names of a module by their folded hashes, each hashed when it is asked for: most never are.
pub(super) struct Symbols<'a> {
    facts: &'a ModuleFacts,
    hashes: Vec<Cell<Option<NonZeroU64>>>,
    /// Names of the module's own methods.
    pub(super) methods: FxHashSet<NonZeroU64>,
}

impl<'a> Symbols<'a> {
    pub(super) fn of(facts: &'a ModuleFacts) -> Self {
        let hashes = vec![Cell::new(None); facts.symbols.len()];
        let mut symbols = Self { facts, hashes, methods: FxHashSet::default() };
        symbols.methods = facts.methods.iter().map(|method| symbols.hash(method.name)).collect();
        symbols
    }

    /// The same number for all spellings of a name.
    pub(super) fn hash(&self, symbol: Symbol) -> NonZeroU64 {
        let known = self.hashes.get(symbol.0 as usize);
        if let Some(hash) = known.and_then(Cell::get) {
            return hash;
        }
        let hash = NonZeroU64::new(folded_hash(self.facts.text(symbol))).unwrap_or(NonZeroU64::MIN);
        if let Some(slot) = known {
            slot.set(Some(hash));
        }
        hash
    }

    pub(super) fn meaning(&self, symbol: Symbol) -> Option<Meaning> {
        let (meaning, name) = MEANINGS.get(&self.hash(symbol).get())?;
        same(name, self.facts.text(symbol)).then_some(*meaning)
    }
}
