//! The words of `data/offline_words.tsv`.

use std::sync::LazyLock;

use tools::topics::is_name;

/// What a row stands for, and the beginnings of words that stand beside each other.
type Row = (&'static str, Vec<&'static str>);

static ROWS: LazyLock<Vec<Row>> = LazyLock::new(|| {
    let rows = include_str!("../../data/offline_words.tsv").lines().filter(|line| !line.starts_with('#'));
    rows.filter_map(|line| line.split_once('\t')).map(|(what, stems)| (what, stems.split(' ').collect())).collect()
});

/// Stands among the words of a text that names a place as errors do: `{ОбщийМодуль.Обмен.Модуль(12)}`.
const PLACE: &str = "{…}";

/// The words of a text: lower case, `ё` as `е`, without what stands around them; identifiers are none.
pub(super) fn plain(text: &str) -> Vec<String> {
    let trimmed = text.split_whitespace().map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()));
    let words = trimmed.filter(|word| !word.is_empty() && !is_name(word));
    let words = words.map(|word| word.to_lowercase().replace('ё', "е"));
    words.chain(has_place(text).then(|| PLACE.to_owned())).collect()
}

/// Whether a text holds `{…(12)}` or `{…(12, 5)}`.
fn has_place(text: &str) -> bool {
    text.split('{').skip(1).filter_map(|rest| rest.split_once('}')).any(|(inside, _)| {
        let numbers = inside.strip_suffix(')').and_then(|rest| rest.rsplit_once('('));
        numbers.is_some_and(|(module, numbers)| {
            !module.trim().is_empty() && numbers.chars().all(|c| c.is_ascii_digit() || matches!(c, ',' | ' '))
        })
    })
}

/// Whether the words hold a row of this sort. Identifiers are no words of the language.
pub(super) fn holds(words: &[String], what: &str) -> bool {
    ROWS.iter().filter(|(name, _)| *name == what).any(|(_, stems)| {
        words.windows(stems.len()).any(|window| window.iter().zip(stems).all(|(word, stem)| begins(word, stem)))
    })
}

/// The first of these sorts that the words hold.
pub(super) fn first_held(words: &[String], sorts: &[&'static str]) -> Option<&'static str> {
    sorts.iter().copied().find(|sort| holds(words, sort))
}

/// Whether a word begins so; is it, where a `$` ends the beginning.
fn begins(word: &str, stem: &str) -> bool {
    stem.strip_suffix('$').map_or_else(|| word.starts_with(stem), |whole| word == whole)
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
        assert!(holds(&plain("Как устроена форма?"), "form") && !holds(&plain("не формируется"), "form"));
    }

    #[test]
    fn places_of_errors_are_seen() {
        for text in ["{ОбщийМодуль.Обмен.Модуль(12)}: нет", "почему {Форма.А.Форма(1, 5)}"]
        {
            assert!(holds(&plain(text), "error"), "{text}");
        }
        for text in ["{(5)}", "{а}", "}{", "{А.Модуль(х)}", "f(5)"] {
            assert!(!has_place(text), "{text}");
        }
    }
}
