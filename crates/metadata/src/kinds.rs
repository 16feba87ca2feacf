//! The kinds of metadata objects: one table (`data/kinds.tsv`) that drives the readers and the names.
//!
//! Columns: `level` (`top` or `child`); English and Russian names, singular and plural; `folder` in a Designer dump;
//! `types`, the types that the platform makes for each object of the kind, as `English=Russian`; `children`, the kinds
//! that an object may consist of; `modules`; `query_table_ru`, the Russian word before the dot in a query. Standard
//! attributes have a table of their own ([`crate::standard`]). Which properties are references needs no table: in every
//! format a property is one if its value is a full name.

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::sync::LazyLock;

/// A kind of metadata object: its place in the table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Kind(u8);

impl std::fmt::Debug for Kind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.en())
    }
}

impl std::fmt::Display for Kind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.en())
    }
}

/// One row of the table.
#[derive(Debug)]
pub struct KindInfo {
    /// True for objects of the top level, false for parts of objects.
    pub top: bool,
    /// English singular: the first word of a canonical full name.
    pub en: &'static str,
    /// English plural.
    pub en_plural: &'static str,
    /// Russian singular.
    pub ru: &'static str,
    /// Russian plural: the manager collection in code.
    pub ru_plural: &'static str,
    /// Folder in a Designer dump; empty where the kind has none.
    pub folder: &'static str,
    /// Types made by the platform: (English, Russian; empty where not known for sure).
    pub types: Vec<(&'static str, &'static str)>,
    /// Kinds of its parts.
    pub children: Vec<&'static str>,
    /// Kinds of its modules.
    pub modules: Vec<&'static str>,
    /// Russian word of the table in a query; empty if it is no table.
    pub query_table_ru: &'static str,
}

struct Table {
    rows: Vec<KindInfo>,
    by_en: FxHashMap<&'static str, Kind>,
    /// Folded singulars and plurals in both languages; top-level kinds win.
    by_word: FxHashMap<String, Kind>,
    by_folder: FxHashMap<&'static str, Kind>,
    /// Folded type name -> (kind, place in its types).
    by_type: FxHashMap<String, (Kind, usize)>,
}

static TABLE: LazyLock<Table> = LazyLock::new(|| Table::parse(include_str!("../data/kinds.tsv")));

/// Folds a name for comparison: Unicode lower case, ё kept apart from е.
#[must_use]
pub fn fold(name: &str) -> String {
    name.to_lowercase()
}

impl Table {
    fn parse(text: &'static str) -> Self {
        let mut rows = Vec::new();
        for line in text.lines().filter(|l| !l.starts_with('#') && !l.starts_with("level\t")) {
            let mut cells = line.split('\t');
            let mut cell = || cells.next().unwrap_or("");
            let words = |s: &'static str| s.split_whitespace().collect::<Vec<_>>();
            let pairs = |s: &'static str| s.split_whitespace().filter_map(|p| p.split_once('=')).collect::<Vec<_>>();
            rows.push(KindInfo {
                top: cell() == "top",
                en: cell(),
                en_plural: cell(),
                ru: cell(),
                ru_plural: cell(),
                folder: cell(),
                types: pairs(cell()),
                children: words(cell()),
                modules: words(cell()),
                query_table_ru: cell(),
            });
        }
        let mut table = Self {
            by_en: FxHashMap::default(),
            by_word: FxHashMap::default(),
            by_folder: FxHashMap::default(),
            by_type: FxHashMap::default(),
            rows: Vec::new(),
        };
        for (i, row) in rows.iter().enumerate() {
            let kind = Kind(u8::try_from(i).unwrap_or(u8::MAX));
            table.by_en.insert(row.en, kind);
            for word in [row.en, row.en_plural, row.ru, row.ru_plural] {
                if !word.is_empty() {
                    table.by_word.entry(fold(word)).or_insert(kind);
                }
            }
            if row.top && !row.folder.is_empty() {
                table.by_folder.insert(row.folder, kind);
            }
            for (place, (en, ru)) in row.types.iter().enumerate() {
                for word in [en, ru].into_iter().filter(|w| !w.is_empty()) {
                    table.by_type.entry(fold(word)).or_insert((kind, place));
                }
            }
        }
        table.rows = rows;
        table
    }
}

impl Kind {
    /// Every kind, top-level ones first.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..TABLE.rows.len()).filter_map(|i| u8::try_from(i).ok()).map(Self)
    }

    /// The kind of that English singular, exact spelling (`Catalog`, `EnumValue`).
    #[must_use]
    pub fn named(en: &str) -> Option<Self> {
        TABLE.by_en.get(en).copied()
    }

    /// The kind of the configuration itself.
    #[must_use]
    pub fn configuration() -> Self {
        Self::named("Configuration").unwrap_or(Self(0))
    }

    /// The kind that a word names: singular or plural, Russian or English, any case. `Справочники` -> Catalog.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        TABLE.by_word.get(&fold(word)).copied()
    }

    /// The kind of a manager collection in code: plural, Russian or English, any case. `Документы` -> Document.
    #[must_use]
    pub fn from_collection(word: &str) -> Option<Self> {
        let kind = Self::from_word(word)?;
        let row = kind.info();
        let word = fold(word);
        (row.top && (fold(row.ru_plural) == word || fold(row.en_plural) == word)).then_some(kind)
    }

    /// Its generated type of that ending: `Ref` -> `CatalogRef`. None if the kind has no such type.
    #[must_use]
    pub fn type_ending(self, ending: &str) -> Option<&'static str> {
        let row = self.info();
        row.types.iter().map(|(en, _)| *en).find(|en| en.strip_prefix(row.en) == Some(ending))
    }

    /// The top-level kind of a folder of a Designer dump (`Catalogs`).
    #[must_use]
    pub fn from_folder(folder: &str) -> Option<Self> {
        TABLE.by_folder.get(folder).copied()
    }

    /// The kind and the canonical name of a generated type (`СправочникСсылка` -> (Catalog, `CatalogRef`)).
    #[must_use]
    pub fn from_type(word: &str) -> Option<(Self, &'static str)> {
        let &(kind, place) = TABLE.by_type.get(&fold(word))?;
        kind.info().types.get(place).map(|(en, _)| (kind, *en))
    }

    /// Its row.
    #[must_use]
    pub fn info(self) -> &'static KindInfo {
        &TABLE.rows[usize::from(self.0)]
    }

    /// English singular.
    #[must_use]
    pub fn en(self) -> &'static str {
        self.info().en
    }

    /// Russian singular.
    #[must_use]
    pub fn ru(self) -> &'static str {
        self.info().ru
    }

    /// True if it is the kind of that English singular.
    #[must_use]
    pub fn is(self, en: &str) -> bool {
        self.en() == en
    }

    /// True if it is a kind of the top level.
    #[must_use]
    pub fn is_top(self) -> bool {
        self.info().top
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_whole() {
        assert_eq!(Kind::all().filter(|k| k.is_top()).count(), 52);
        assert_eq!(Kind::all().count(), 79);
        for kind in Kind::all() {
            let row = kind.info();
            assert!(!row.en.is_empty() && !row.ru.is_empty(), "{row:?}");
            assert_eq!(Kind::named(row.en), Some(kind));
            for child in &row.children {
                assert!(Kind::named(child).is_some(), "{} of {}", child, row.en);
            }
        }
    }

    #[test]
    fn words_in_both_languages_any_case() {
        for word in ["Справочник", "справочники", "CATALOG", "Catalogs"] {
            assert_eq!(Kind::from_word(word), Kind::named("Catalog"), "{word}");
        }
        assert_eq!(Kind::from_word("Планысчетов"), Kind::named("ChartOfAccounts"));
        assert_eq!(Kind::from_word("Курс"), None);
        assert_eq!(Kind::from_collection("документы"), Kind::named("Document"));
        assert_eq!(Kind::from_collection("Документ"), None);
    }

    #[test]
    fn generated_types_both_ways() {
        assert_eq!(Kind::from_type("СправочникСсылка"), Kind::named("Catalog").map(|k| (k, "CatalogRef")));
        assert_eq!(
            Kind::from_type("InformationRegisterRecordSet").map(|(k, t)| (k.en(), t)),
            Some(("InformationRegister", "InformationRegisterRecordSet"))
        );
        assert_eq!(Kind::from_type("Строка"), None);
    }
}
