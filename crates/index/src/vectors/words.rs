//! From code to words: identifiers split at case changes, comments and strings as prose.

use std::iter::Peekable;
use std::str::CharIndices;
use std::sync::LazyLock;

use rustc_hash::FxHashSet;

/// What a method's body says, piece by piece.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// A comment, without slashes and rules.
    Comment(String),
    /// A string that holds prose; of a localised string (`ru = '…'; en = '…'`) the first language.
    String(String),
    /// An identifier, keywords among them ([`is_keyword`]): they are left to those who look at names.
    Name(&'a str),
    /// A name in a query text.
    QueryName(String),
}

/// Splits an identifier into lower-case words: `ПроверкаСрокаОплаты` -> `проверка срока оплаты`,
/// `ИзвлечьТекстИзHTML` -> `извлечь текст из html`.
pub fn split_name(name: &str) -> String {
    let chars: Vec<char> = name.chars().collect();
    let mut out = String::with_capacity(name.len() + 8);
    for (index, &c) in chars.iter().enumerate() {
        if !c.is_alphanumeric() {
            if !out.is_empty() && !out.ends_with(' ') {
                out.push(' ');
            }
            continue;
        }
        let before = index.checked_sub(1).and_then(|i| chars.get(i)).copied().filter(|b| b.is_alphanumeric());
        let after = chars.get(index + 1).copied();
        if before.is_some_and(|before| starts_word(before, c, after)) && !out.ends_with(' ') {
            out.push(' ');
        }
        out.extend(c.to_lowercase());
    }
    out.truncate(out.trim_end().len());
    out
}

fn starts_word(before: char, c: char, after: Option<char>) -> bool {
    if c.is_numeric() || before.is_numeric() {
        return before.is_numeric() && c.is_uppercase();
    }
    if before.is_ascii() != c.is_ascii() {
        return true;
    }
    c.is_uppercase() && (before.is_lowercase() || after.is_some_and(char::is_lowercase))
}

/// A line of prose: rules (`----`), list marks and runs of blanks taken out. Empty if no letter is left.
pub(super) fn clean_phrase(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !word.chars().any(char::is_alphanumeric) {
            continue;
        }
        let word = word.trim_start_matches(['/', '*', '-', '|', '#', '=']);
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    if out.chars().any(char::is_alphabetic) { out } else { String::new() }
}

/// The pieces of a body in source order.
pub(super) fn tokens(source: &str) -> impl Iterator<Item = Token<'_>> {
    Tokens { source, chars: source.char_indices().peekable(), pending: Vec::new() }
}

struct Tokens<'a> {
    source: &'a str,
    chars: Peekable<CharIndices<'a>>,
    /// Names of a query text, last first.
    pending: Vec<Token<'a>>,
}

impl<'a> Tokens<'a> {
    fn rest_of_line(&mut self, from: usize) -> &str {
        while self.chars.next_if(|(_, c)| *c != '\n').is_some() {}
        let end = self.chars.peek().map_or(self.source.len(), |(offset, _)| *offset);
        self.source.get(from..end).unwrap_or("")
    }

    /// Reads up to the closing quote; `""` is a quote, a line that continues the string starts with `|`.
    fn string(&mut self) -> String {
        let mut text = String::new();
        while let Some((_, c)) = self.chars.next() {
            match c {
                '"' if self.chars.next_if(|(_, next)| *next == '"').is_some() => text.push('"'),
                '"' => break,
                '\n' => {
                    text.push('\n');
                    while self.chars.next_if(|(_, next)| next.is_whitespace()).is_some() {}
                    let _ = self.chars.next_if(|(_, next)| *next == '|');
                }
                _ => text.push(c),
            }
        }
        text
    }

    fn name(&mut self, from: usize) -> &'a str {
        while self.chars.next_if(|(_, c)| c.is_alphanumeric() || *c == '_').is_some() {}
        let end = self.chars.peek().map_or(self.source.len(), |(offset, _)| *offset);
        self.source.get(from..end).unwrap_or("")
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        loop {
            if let Some(token) = self.pending.pop() {
                return Some(token);
            }
            let (offset, c) = self.chars.next()?;
            match c {
                '/' if self.chars.peek().is_some_and(|(_, next)| *next == '/') => {
                    let phrase = clean_phrase(self.rest_of_line(offset));
                    if !phrase.is_empty() {
                        return Some(Token::Comment(phrase));
                    }
                }
                '"' => {
                    let text = self.string();
                    if let Some(prose) = prose(&text) {
                        return Some(Token::String(prose));
                    }
                    if is_query(&text) {
                        self.pending = query_names(&text);
                        self.pending.reverse();
                    }
                }
                // A directive of the preprocessor, or a date literal.
                '#' => {
                    self.rest_of_line(offset);
                }
                '\'' => while self.chars.next_if(|(_, next)| next.is_ascii_digit()).is_some() {},
                _ if c.is_alphabetic() || c == '_' => {
                    return Some(Token::Name(self.name(offset)));
                }
                _ => {}
            }
        }
    }
}

/// What a string says to a person: the first language of a localised string, or a text of two words and more.
/// Names of attributes and the like (`"Ссылка, Код"`) count as well; a query does not.
fn prose(text: &str) -> Option<String> {
    if is_query(text) {
        return None;
    }
    let text = localised(text).unwrap_or(text);
    let phrase = clean_phrase(&text.replace('\n', " "));
    if phrase.chars().filter(|c| c.is_alphabetic()).count() < 3 {
        return None;
    }
    Some(if phrase.contains(' ') { phrase } else { split_name(&phrase) })
}

/// The text of the first language in `ru = '…'; en = '…'`.
fn localised(text: &str) -> Option<&str> {
    let (language, rest) = text.split_once('=')?;
    let language = language.trim();
    if language.len() > 3 || language.is_empty() || !language.bytes().all(|b| b.is_ascii_lowercase()) {
        return None;
    }
    let inner = rest.trim_start().strip_prefix('\'')?;
    // A doubled apostrophe stands for one; the rest after it is seldom worth an allocation.
    Some(inner.split_once('\'').map_or(inner, |(inner, _)| inner))
}

fn is_query(text: &str) -> bool {
    let first = text.split_whitespace().next().unwrap_or("").to_lowercase();
    matches!(first.as_str(), "выбрать" | "select") && text.split_whitespace().nth(1).is_some()
}

fn query_names<'a>(text: &str) -> Vec<Token<'a>> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_')
        .filter(|word| word.chars().nth(2).is_some() && word.chars().next().is_some_and(char::is_alphabetic))
        // Keywords of the query language are written in capitals.
        .filter(|word| !word.chars().all(|c| c.is_uppercase() || c == '_'))
        .map(|word| Token::QueryName(word.to_owned()))
        .collect()
}

/// Reserved words of BSL in both languages, and what every method says (`Возврат Неопределено`).
pub(super) fn is_keyword(name: &str) -> bool {
    static KEYWORDS: LazyLock<FxHashSet<&str>> =
        LazyLock::new(|| include_str!("keywords.txt").split_whitespace().collect());
    KEYWORDS.contains(name.to_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_split_at_case_script_and_acronyms() {
        for (name, words) in [
            ("ПроверкаСрокаОплаты", "проверка срока оплаты"),
            ("ИзвлечьТекстИзHTML", "извлечь текст из html"),
            ("HTMLВТекст", "html в текст"),
            ("ОбновитьXMLДанные", "обновить xml данные"),
            ("parseHTTPRequest", "parse http request"),
            ("Реквизит1Дополнительный", "реквизит1 дополнительный"),
            ("_Служебный__Метод_", "служебный метод"),
            ("ИНН", "инн"),
            ("", ""),
        ] {
            assert_eq!(split_name(name), words, "{name}");
        }
    }

    #[test]
    fn a_body_gives_comments_strings_names_and_no_keywords() {
        let source = "
            // ---- Проверка тома ----
            Если Размер > 10 Тогда // слишком велик
                ВызватьИсключение НСтр(\"ru = 'Превышен размер тома'; en = 'Volume'\");
            КонецЕсли;
            Запрос.Текст = \"ВЫБРАТЬ Тома.Ссылка КАК Ссылка
            |ИЗ Справочник.ТомаХранения КАК Тома\";";
        let found: Vec<Token<'_>> =
            tokens(source).filter(|token| !matches!(token, Token::Name(name) if is_keyword(name))).collect();
        let name = Token::Name;
        let query = |text: &str| Token::QueryName(text.to_owned());
        assert_eq!(
            found,
            [
                Token::Comment("Проверка тома".into()),
                name("Размер"),
                Token::Comment("слишком велик".into()),
                Token::String("Превышен размер тома".into()),
                name("Запрос"),
                name("Текст"),
                query("Тома"),
                query("Ссылка"),
                query("Ссылка"),
                query("Справочник"),
                query("ТомаХранения"),
                query("Тома"),
            ]
        );
    }

    #[test]
    fn unclosed_things_end_with_the_text() {
        assert_eq!(tokens("\"без конца").count(), 1);
        assert_eq!(tokens("// ").count(), 0);
        assert_eq!(tokens("'2020").count(), 0);
    }
}
