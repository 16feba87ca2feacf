//! Splitting identifiers into words, for search and for embedding.

/// What a character is for splitting.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Upper,
    Lower,
    Digit,
    Separator,
}

fn class(character: char) -> Class {
    if character.is_uppercase() {
        Class::Upper
    } else if character.is_alphabetic() {
        Class::Lower
    } else if character.is_numeric() {
        Class::Digit
    } else {
        Class::Separator
    }
}

/// The words of an identifier, in order, as written. Words end where the case rises, where letters meet digits, where
/// Latin meets other letters, and at underscores; in a run of capitals the last one begins the next word.
///
/// ```
/// use metascope_bsl::split_identifier;
/// assert_eq!(split_identifier("ПроверкаСрокаОплаты"), ["Проверка", "Срока", "Оплаты"]);
/// assert_eq!(split_identifier("HTTPСервис"), ["HTTP", "Сервис"]);
/// assert_eq!(split_identifier("СуммаНДСПоСтавке20"), ["Сумма", "НДС", "По", "Ставке", "20"]);
/// ```
pub fn split_identifier(name: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut start = 0;
    let mut previous: Option<char> = None;
    let mut characters = name.char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        let next = characters.peek().map(|&(_, next)| next);
        if previous.is_some_and(|previous| is_border(previous, character, next)) {
            push_word(name, start..at, &mut words);
            start = at;
        }
        previous = Some(character);
    }
    push_word(name, start..name.len(), &mut words);
    words
}

fn push_word<'a>(name: &'a str, range: std::ops::Range<usize>, words: &mut Vec<&'a str>) {
    let word = name.get(range).unwrap_or("");
    if word.chars().any(|character| class(character) != Class::Separator) {
        words.push(word);
    }
}

/// Whether a word begins at `current`.
fn is_border(previous: char, current: char, next: Option<char>) -> bool {
    let (before, here) = (class(previous), class(current));
    match (before, here) {
        (Class::Separator, Class::Separator) => false,
        (Class::Separator, _) | (_, Class::Separator) | (Class::Lower, Class::Upper) => true,
        (Class::Digit, Class::Digit) => false,
        (Class::Digit, _) | (_, Class::Digit) => true,
        _ if previous.is_ascii() != current.is_ascii() => true,
        (Class::Upper, Class::Upper) => {
            next.is_some_and(|next| class(next) == Class::Lower && next.is_ascii() == current.is_ascii())
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::split_identifier;

    #[test]
    fn words_of_identifiers() {
        let cases: &[(&str, &[&str])] = &[
            ("", &[]),
            ("_", &[]),
            ("А", &["А"]),
            ("XMLСтрока", &["XML", "Строка"]),
            ("HTTPServiceCall", &["HTTP", "Service", "Call"]),
            ("Расш1_ПриЗаписи", &["Расш", "1", "При", "Записи"]),
            ("ПолучитьCOMОбъект", &["Получить", "COM", "Объект"]),
            ("НДСсКодом", &["НД", "Сс", "Кодом"]),
            ("ёлкаЁж", &["ёлка", "Ёж"]),
            ("Base64Строка", &["Base", "64", "Строка"]),
            ("ИДанныеИ", &["И", "Данные", "И"]),
            ("__a__B", &["a", "B"]),
        ];
        for (name, words) in cases {
            assert_eq!(split_identifier(name), *words, "{name}");
        }
    }
}
