//! What a person reads about operations: what each does, its options, an example, in Russian and English.
//!
//! The English texts are the documentation of the sources. The Russian ones and the examples are data, held against it by a test.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use super::refusal::Say;
use super::words::option_in_russian;
use super::{KINDS, Kind};

static RUSSIAN: LazyLock<FxHashMap<&'static str, &'static str>> =
    LazyLock::new(|| rows(include_str!("../../data/operations_ru.tsv")).collect());

/// By the English name of the operation: the Russian line and the English one.
static EXAMPLES: LazyLock<FxHashMap<&'static str, (&'static str, &'static str)>> = LazyLock::new(|| {
    let rows = rows(include_str!("../../data/operation_examples.tsv"));
    rows.map(|(ru, en)| (en.split(' ').next().unwrap_or(""), (ru, en))).collect()
});

fn rows(text: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    text.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once('\t'))
}

/// A text of the sources in both languages.
fn said(english: &str) -> Say {
    let english = english.trim();
    Say::new(RUSSIAN.get(english).copied().unwrap_or(english), english)
}

/// What there is to say about an operation.
#[derive(Clone, Debug)]
pub struct Help {
    /// Its name.
    pub name: Say,
    /// What it does.
    pub summary: Say,
    /// Its options: names, and what they are.
    pub options: Vec<(Say, Say)>,
    /// A line of shorthand.
    pub example: Say,
}

impl Kind {
    /// What there is to say about it.
    pub fn help(&self) -> Help {
        let option =
            |(name, what): &(&'static str, &'static str)| (Say::new(option_in_russian(name), *name), said(what));
        let (ru, en) = EXAMPLES.get(self.name).copied().unwrap_or_default();
        Help {
            name: Say::new(self.russian, self.name),
            summary: said(self.summary),
            options: self.options.iter().map(option).collect(),
            example: Say::new(ru, en),
        }
    }
}

/// What there is to say about all operations, in the order in which they are listed.
pub fn help() -> Vec<Help> {
    KINDS.iter().map(Kind::help).collect()
}

#[cfg(test)]
mod tests;
