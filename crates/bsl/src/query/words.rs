//! Words of the grammar, and words for periods.

use std::sync::LazyLock;

use crate::words::{WordTable, rows};

const KEYWORDS: &str = include_str!("../../data/query_keywords.tsv");

macro_rules! words {
    ($($word:ident)*) => {
        /// A word of the grammar. Few of them are reserved: most name fields and tables as well.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub(crate) enum Word { $($word),* }

        impl Word {
            pub const ALL: &'static [Self] = &[$(Self::$word),*];

            /// The name in the data file.
            pub fn name(self) -> &'static str {
                match self { $(Self::$word => stringify!($word)),* }
            }
        }
    };
}

words! {
    Select Allowed Distinct Top Into Add Drop From As Left Right Full Inner Outer Join By Where Group Grouping Sets Having
    For Update Of Index Unique Union All Order Asc Desc AutoOrder Totals Overall Only Hierarchy Periods And Or Not In Is
    Null Like Escape Between Refs Case When Then Else End True False Undefined EmptyTable Characteristics If ElsIf EndIf
}

impl Word {
    /// Words that name nothing where a name or an expression may stand; after a dot and after `КАК` they may.
    pub fn is_reserved(self) -> bool {
        matches!(
            self,
            Self::Select
                | Self::Into
                | Self::From
                | Self::As
                | Self::Join
                | Self::By
                | Self::Where
                | Self::Having
                | Self::Union
                | Self::Totals
                | Self::And
                | Self::Or
                | Self::Not
                | Self::In
                | Self::Is
                | Self::Null
                | Self::Like
                | Self::Between
                | Self::Case
                | Self::When
                | Self::Then
                | Self::Else
                | Self::End
                | Self::True
                | Self::False
                | Self::Undefined
        )
    }
}

/// Spellings of a role's words with their names.
fn spellings(role: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    rows(KEYWORDS).filter(move |row| row.first() == Some(&role)).flat_map(|row| {
        let name = row.get(1).copied().unwrap_or("");
        let written = row.get(2..4).unwrap_or(&[]).iter().flat_map(|cell| cell.split('|'));
        written.filter(|word| !word.is_empty()).map(move |word| (word, name)).collect::<Vec<_>>()
    })
}

static WORDS: LazyLock<WordTable<Word>> = LazyLock::new(|| {
    let known = |name| Word::ALL.iter().copied().find(|word| word.name() == name);
    WordTable::new(spellings("word").filter_map(|(written, name)| Some((written, known(name)?))))
});

static TYPES: LazyLock<WordTable<&'static str>> = LazyLock::new(|| WordTable::new(spellings("type")));
static EXTERNAL: LazyLock<WordTable<&'static str>> = LazyLock::new(|| WordTable::new(spellings("external")));
static CHARACTERISTICS: LazyLock<WordTable<&'static str>> =
    LazyLock::new(|| WordTable::new(spellings("characteristic")));
static VALUES: LazyLock<WordTable<&'static str>> = LazyLock::new(|| WordTable::new(spellings("value")));

/// The word of the grammar that a word is, in any case and language.
pub(crate) fn word(text: &str) -> Option<Word> {
    WORDS.get(text)
}

/// The English name of a primitive type (`String`, `Number`, `Boolean`, `Date`).
pub(crate) fn primitive_type(text: &str) -> Option<&'static str> {
    TYPES.get(text)
}

/// The English name of a part of the name of an external table (`Table`, `Cube`, `DimensionTable`).
pub(crate) fn external_part(text: &str) -> Option<&'static str> {
    EXTERNAL.get(text)
}

/// The English name of a special part of a value's name (`EmptyRef`, `RoutePoint`).
pub(crate) fn value_part(text: &str) -> Option<&'static str> {
    VALUES.get(text)
}

/// The English name of a property in `{ХАРАКТЕРИСТИКИ …}`.
pub(crate) fn characteristic(text: &str) -> Option<&'static str> {
    CHARACTERISTICS.get(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_has_a_row_and_every_row_a_word() {
        for known in Word::ALL {
            let written: Vec<&str> =
                spellings("word").filter(|(_, name)| *name == known.name()).map(|(written, _)| written).collect();
            assert!(!written.is_empty(), "{known:?}");
            for spelling in written {
                assert_eq!(word(spelling), Some(*known));
                assert_eq!(word(&spelling.to_lowercase()), Some(*known));
            }
        }
        let rows = rows(KEYWORDS).filter(|row| row[0] == "word").count();
        assert_eq!(rows, Word::ALL.len());
        assert_eq!(primitive_type("строка"), Some("String"));
        assert_eq!(word("Номенклатура"), None);
    }
}
