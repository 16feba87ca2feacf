//! The platform's own words for types, standard attributes, events and contexts, in the language that people read.

use metadata::{Kind, Language};

/// Types that no kind makes, and contexts of modules: `word<TAB>Russian`.
const WORDS: &str = include_str!("terms.tsv");

/// A list of types: `CatalogRef.Валюты, String(10)` -> `СправочникСсылка.Валюты, Строка(10)`. A word that is not known stays.
#[must_use]
pub fn types(text: &str, language: Language) -> String {
    if language == Language::English {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    let (mut depth, mut first) = (0_usize, true);
    let mut word = String::new();
    for c in text.chars() {
        let in_word = c.is_alphanumeric() || c == '_';
        if in_word && first && depth == 0 {
            word.push(c);
            continue;
        }
        out.push_str(&type_word(&std::mem::take(&mut word)));
        // The word of a type ends here; the next one begins behind a comma.
        first = depth == 0 && (c == ',' || (first && c == ' '));
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        out.push(c);
    }
    out.push_str(&type_word(&word));
    out
}

fn type_word(word: &str) -> String {
    let of_kind = || {
        let (kind, canonical) = Kind::from_type(word).filter(|(_, canonical)| *canonical == word)?;
        let (_, russian) = kind.info().types.iter().find(|(english, _)| *english == canonical)?;
        (!russian.is_empty()).then_some(*russian)
    };
    known(word).or_else(of_kind).or_else(|| Kind::named(word).map(Kind::ru)).unwrap_or(word).to_owned()
}

/// A name of a standard attribute of an object of that kind.
#[must_use]
pub fn standard_attribute<'name>(object_kind: &str, name: &'name str, language: Language) -> &'name str {
    let rows = Kind::named(object_kind).map(metadata::standard::of_kind).unwrap_or_default();
    match (language, rows.iter().find(|row| row.name == name)) {
        (Language::Russian, Some(row)) => row.name_ru,
        _ => name,
    }
}

/// A predefined event: `OnWrite` -> `ПриЗаписи`.
#[must_use]
pub fn event(name: &str, language: Language) -> &str {
    match (language, graph::handlers::all().iter().find(|handler| handler.en == name)) {
        (Language::Russian, Some(handler)) => handler.ru,
        _ => name,
    }
}

/// Where a module works: `external_connection` -> `внешнее соединение`, `external connection`.
#[must_use]
pub fn context(name: &str, language: Language) -> String {
    match (language, known(name)) {
        (Language::Russian, Some(russian)) => russian.to_owned(),
        _ => name.replace('_', " "),
    }
}

fn known(word: &str) -> Option<&'static str> {
    WORDS.lines().filter(|line| !line.starts_with('#')).find_map(|line| {
        let (english, russian) = line.split_once('\t')?;
        (english == word).then_some(russian)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_keep_names_and_qualifiers() {
        let russian = |text| types(text, Language::Russian);
        assert_eq!(russian("CatalogRef.String, Number(15,2), String"), "СправочникСсылка.String, Число(15,2), Строка");
        assert_eq!(russian("DefinedType.ДенежнаяСумма"), "ОпределяемыйТип.ДенежнаяСумма");
        assert_eq!(russian("Неведомое(String), Boolean"), "Неведомое(String), Булево");
        assert_eq!(russian(""), "");
        assert_eq!(types("String(10)", Language::English), "String(10)");
    }

    #[test]
    fn words_of_the_platform() {
        assert_eq!(standard_attribute("Catalog", "Ref", Language::Russian), "Ссылка");
        assert_eq!(standard_attribute("Catalog", "Ref", Language::English), "Ref");
        assert_eq!(standard_attribute("Catalog", "Артикул", Language::Russian), "Артикул");
        assert_eq!(event("OnWrite", Language::Russian), "ПриЗаписи");
        assert_eq!(event("Нечто", Language::Russian), "Нечто");
        assert_eq!(context("external_connection", Language::Russian), "внешнее соединение");
        assert_eq!(context("external_connection", Language::English), "external connection");
    }
}
