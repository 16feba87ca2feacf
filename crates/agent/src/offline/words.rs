//! The words of `data/offline_words.tsv`.

use std::sync::LazyLock;

use tools::topics::is_name;

/// What a row stands for, and the beginnings of words that stand beside each other.
type Row = (&'static str, Vec<&'static str>);

static ROWS: LazyLock<Vec<Row>> = LazyLock::new(|| {
    let rows = include_str!("../../data/offline_words.tsv").lines().filter(|line| !line.starts_with('#'));
    rows.filter_map(|line| line.split_once('\t')).map(|(what, stems)| (what, stems.split(' ').collect())).collect()
});

/// The words of a text: lower case, `ё` as `е`, without what stands around them; identifiers are none.
pub(super) fn plain(text: &str) -> Vec<String> {
    let trimmed = text.split_whitespace().map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()));
    trimmed
        .filter(|word| !word.is_empty() && !is_name(word))
        .map(|word| word.to_lowercase().replace('ё', "е"))
        .collect()
}

/// Whether the words hold a row of this sort. Identifiers are no words of the language.
pub(super) fn holds(words: &[String], what: &str) -> bool {
    ROWS.iter().filter(|(name, _)| *name == what).any(|(_, stems)| {
        words.windows(stems.len()).any(|window| window.iter().zip(stems).all(|(word, stem)| word.starts_with(stem)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stems_of_both_languages() {
        let words = plain("В схемах компоновки каких отчётов?");
        assert!(holds(&words, "report") && holds(&words, "Report") && !holds(&words, "rights"));
        assert!(holds(&plain("Which roles may delete it"), "rights"));
        assert!(!holds(&plain("ОтчетПоПродажам"), "report") && !holds(&plain("что править"), "rights"));
        assert!(!holds(&plain("набор строк"), "report") && holds(&plain("набор данных"), "report"));
    }
}
