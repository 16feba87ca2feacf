//! The one grammar of shorthand values: command line, tools and batches write operations, types, values and conditions in it.
//!
//! # A line
//!
//! ```text
//! OPERATION [SUBJECT] {@OPTION | @OPTION(VALUE)}
//! ```
//!
//! Operations and options have a Russian and an English name each: `add-field` is `добавить-поле`, `@variant(…)` is
//! `@вариант(…)`. An option without a value is a flag; `@option(нет)` switches it off. Texts stand in quotes, a quote inside of
//! one is doubled. What stands between two options belongs to the subject, which is one of
//!
//! | subject | form | example |
//! |---|---|---|
//! | a thing | `NAME [: TYPE] ["TITLE"] [= EXPRESSION]` | `Скидка: Число(15,2) "Скидка" = Продажи.Скидка` |
//! | a renaming | `OLD -> NEW` | `Сумма -> Стоимость` |
//! | a condition | `FIELD COMPARISON [VALUE]`, `и`, `или`, `не`, parentheses | `Статус в списке (1, 2) и не Склад = &Склад` |
//! | names | `NAME, NAME` | `Склад, Товар.Артикул` |
//!
//! A title in several languages: `ru"Скидка" en"Discount"`. Several fields of one group: `Склад + Товар`. A value for each case:
//! `Сумма > 1000 -> "крупная" "Крупная"; иначе -> 0`. Of options whose names are two words `-` is as good as `_`.
//!
//! # Types
//!
//! `Число(15,2)`, `Число(10,0,неотр)`, `Строка`, `Строка(50)`, `Дата`, `Время`, `ДатаВремя`, `Булево`, `СтандартныйПериод`,
//! `СтандартнаяДатаНачала`, `УникальныйИдентификатор`, `СправочникСсылка.Валюты`; several with `|` between them. English words
//! are `Number`, `String`, `Date`, `Time`, `DateTime`, `Boolean`, `StandardPeriod`, `StandardBeginningDate`, `UUID`,
//! `CatalogRef.Валюты`.
//!
//! # Values
//!
//! `15.5`, `"текст"`, `Истина`, `2024-12-31`, `2024-12-31T10:00:00`, `Неопределено`, `Перечисление.Статусы.Новый`, periods
//! (`ЭтотМесяц`, `2024-01-01..2024-12-31`), beginning dates (`НачалоЭтогоДня`); in conditions paths of fields and `&Параметр` too.
//!
//! # A batch
//!
//! A line an operation (empty lines and those that begin with `#` don't count), or JSON: a list of such lines and of objects
//! `{"do": "add-field", "name": "Скидка", "type": "Число(15,2)"}`, whose values are written in the same grammar. What is read is
//! written as such objects again ([`super::write_batch`]).

mod conditions;
mod option_value;
#[cfg(test)]
mod tests;
mod values;

use serde_json::{Map, Value as Json};

use super::refusal::Refusal;
use super::words::OPTIONS;

pub(super) use conditions::{Condition, conditions};
pub(super) use option_value::OptionValue;
pub use option_value::{Flag, Names, Texts};
pub(super) use values::{ValuePlace, type_description, value};

/// What the subject of a line stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// `NAME [: TYPE] ["TITLE"] [= EXPRESSION]`: options `name`, `type`, `title` and the one that is named here.
    Thing(&'static str),
    /// `OLD -> NEW`: options `name` and `to`.
    Renaming,
    /// All of it is the value of one option.
    Whole(&'static str),
}

fn wrong(what_ru: &str, what_en: &str, text: &str, mend_ru: &str, mend_en: &str) -> Refusal {
    Refusal::new(format!("{what_ru}: «{text}». {mend_ru}"), format!("{what_en}: \"{text}\". {mend_en}"))
}

/// Walks over a text; `at_top` is called with the places of characters outside of quotes and parentheses and says whether to stop.
fn scan(text: &str, mut at_top: impl FnMut(usize, char) -> bool) -> Result<(), Refusal> {
    let (mut depth, mut quoted) = (0_i32, false);
    for (at, c) in text.char_indices() {
        match c {
            '"' => {
                if depth == 0 && !quoted && at_top(at, c) {
                    return Ok(());
                }
                quoted = !quoted;
            }
            _ if quoted => {}
            '(' | '[' => depth += 1,
            ')' | ']' => {
                depth -= 1;
                if depth < 0 {
                    return Err(wrong(
                        "Лишняя закрывающая скобка",
                        "A bracket is closed that wasn't opened",
                        text,
                        "Проверьте скобки.",
                        "Check the brackets.",
                    ));
                }
            }
            _ if depth == 0 && at_top(at, c) => return Ok(()),
            _ => {}
        }
    }
    if quoted {
        return Err(wrong(
            "Нет закрывающей кавычки",
            "A quote isn't closed",
            text,
            "Кавычка внутри текста удваивается.",
            "A quote inside of a text is doubled.",
        ));
    }
    if depth > 0 {
        return Err(wrong(
            "Нет закрывающей скобки",
            "A bracket isn't closed",
            text,
            "Проверьте скобки.",
            "Check the brackets.",
        ));
    }
    Ok(())
}

/// Splits a text at a separator that stands outside of quotes and parentheses. Parts are trimmed, empty ones left out.
///
/// # Errors
/// If quotes or brackets don't match.
pub(super) fn split(text: &str, separator: char) -> Result<Vec<String>, Refusal> {
    let mut cuts = Vec::new();
    scan(text, |at, c| {
        if c == separator {
            cuts.push(at);
        }
        false
    })?;
    cuts.push(text.len());
    let mut parts = Vec::new();
    let mut from = 0;
    for cut in cuts {
        let part = text.get(from..cut).unwrap_or("").trim();
        if !part.is_empty() {
            parts.push(part.to_owned());
        }
        from = (cut + separator.len_utf8()).min(text.len());
    }
    Ok(parts)
}

/// Splits a text at a separator of several characters that stands outside of quotes and parentheses. Parts are trimmed.
///
/// # Errors
/// If quotes or brackets don't match.
pub(super) fn parts_at(text: &str, separator: &str) -> Result<Vec<String>, Refusal> {
    let mut cuts = Vec::new();
    scan(text, |at, _| {
        if text[at..].starts_with(separator) {
            cuts.push(at);
        }
        false
    })?;
    let mut parts = Vec::new();
    let mut from = 0;
    for cut in cuts.into_iter().chain([text.len()]) {
        parts.push(text.get(from..cut).unwrap_or("").trim().to_owned());
        from = (cut + separator.len()).min(text.len());
    }
    Ok(parts)
}

/// A value, and the title in quotes that stands behind it: `1 "Один"`. A value that is a text has quotes itself.
pub(super) fn titled(text: &str) -> (&str, Option<String>) {
    let text = text.trim();
    let start = usize::from(text.starts_with('"'));
    match text.rfind(" \"").filter(|&at| at >= start && text.ends_with('"')) {
        Some(at) => (text[..at].trim(), Some(unquote(&text[at + 1..]))),
        None => (text, None),
    }
}

/// The text that a quoted text stands for; others as they are.
pub(super) fn unquote(text: &str) -> String {
    let text = text.trim();
    match text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
        Some(inner) if !inner.replace("\"\"", "").contains('"') => inner.replace("\"\"", "\""),
        _ => text.to_owned(),
    }
}

/// Takes a line apart: the operation's name, and its options by the names that batches have.
///
/// # Errors
/// If it doesn't keep to the grammar: what, and how to mend it.
pub(super) fn line(text: &str, form_of: impl Fn(&str) -> Option<(&'static str, Form)>) -> Result<Json, Refusal> {
    let text = text.trim();
    let end = text.find(char::is_whitespace).unwrap_or(text.len());
    let (operation, rest) = text.split_at(end);
    let Some((operation, form)) = form_of(operation) else {
        return Err(Refusal::unknown(("действие", "operation"), operation, super::Operation::names()));
    };
    let mut map = Map::new();
    map.insert("do".to_owned(), Json::String(operation.to_owned()));
    let mut starts = Vec::new();
    let mut before = ' ';
    scan(rest, |at, c| {
        if c == '@' && before.is_whitespace() {
            starts.push(at);
        }
        before = c;
        false
    })?;
    let mut subject = rest[..starts.first().copied().unwrap_or(rest.len())].trim().to_owned();
    for (number, &start) in starts.iter().enumerate() {
        let whole = &rest[start + 1..starts.get(number + 1).copied().unwrap_or(rest.len())];
        let end = whole.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-'))).unwrap_or(whole.len());
        let (word, mut behind) = whole.split_at(end);
        let key = option(word)?;
        let value = if behind.starts_with('(') {
            let length = closing(behind);
            let inner = behind.get(1..length - 1).unwrap_or("").trim();
            behind = &behind[length..];
            Json::String(if matches!(key, "title" | "folder") && !is_texts(inner) {
                unquote(inner)
            } else {
                inner.to_owned()
            })
        } else {
            Json::Bool(true)
        };
        if map.insert(key.to_owned(), value).is_some() {
            return Err(wrong("Указано дважды", "Given twice", word, "Оставьте одно.", "Keep one of them."));
        }
        if !behind.trim().is_empty() {
            subject.push(' ');
            subject.push_str(behind.trim());
        }
    }
    if !subject.trim().is_empty() {
        put_subject(subject.trim(), form, &mut map)?;
    }
    Ok(Json::Object(map))
}

/// Length of the text in parentheses that a text begins with. The brackets match: that was looked at before.
fn closing(text: &str) -> usize {
    let (mut depth, mut quoted) = (0, false);
    for (at, c) in text.char_indices() {
        match c {
            '"' => quoted = !quoted,
            '(' if !quoted => depth += 1,
            ')' if !quoted => {
                depth -= 1;
                if depth == 0 {
                    return at + 1;
                }
            }
            _ => {}
        }
    }
    text.len()
}

/// The name that an option has in batches.
pub(super) fn option(word: &str) -> Result<&'static str, Refusal> {
    let folded = word.to_lowercase().replace('-', "_");
    let found = OPTIONS.iter().find(|(english, russian)| *english == folded || *russian == folded);
    found.map(|(english, _)| *english).ok_or_else(|| {
        Refusal::unknown(
            ("параметр", "option"),
            word,
            OPTIONS.iter().flat_map(|(english, russian)| [*english, *russian]),
        )
    })
}

fn put_subject(subject: &str, form: Form, map: &mut Map<String, Json>) -> Result<(), Refusal> {
    let mut put = |key: &str, value: &str| match map.insert(key.to_owned(), Json::String(value.to_owned())) {
        Some(_) => Err(wrong("Указано дважды", "Given twice", key, "Оставьте одно.", "Keep one of them.")),
        None => Ok(()),
    };
    match form {
        Form::Whole(key) => put(key, subject),
        Form::Renaming => match subject.split_once("->") {
            Some((old, new)) => {
                put("name", old.trim())?;
                put("to", new.trim())
            }
            None => put("name", subject),
        },
        Form::Thing(expression) => {
            let mut equals = None;
            scan(subject, |at, c| {
                if c == '=' {
                    equals = Some(at);
                }
                equals.is_some()
            })?;
            let head = match equals {
                Some(at) => {
                    put(expression, subject[at + 1..].trim())?;
                    &subject[..at]
                }
                None => subject,
            };
            let mut quote = None;
            scan(head, |at, c| {
                if c == '"' && quote.is_none() {
                    quote = Some(at);
                }
                quote.is_some()
            })?;
            let head = match quote {
                Some(at) => {
                    // A language before the quote belongs to the title.
                    let start = head[..at].rfind(char::is_whitespace).map_or(0, |at| at + 1);
                    let is_language =
                        (2..=3).contains(&(at - start)) && head[start..at].bytes().all(|b| b.is_ascii_lowercase());
                    let start = if is_language { start } else { at };
                    let title = head[start..].trim();
                    put("title", &if is_texts(title) { title.to_owned() } else { unquote(title) })?;
                    &head[..start]
                }
                None => head,
            };
            match head.split_once(':') {
                Some((name, of)) => {
                    put("name", name.trim())?;
                    put("type", of.trim())
                }
                None => put("name", head.trim()),
            }
        }
    }
}

/// Whether a text is of the form `ru"…" en"…"`.
fn is_texts(text: &str) -> bool {
    let word = text.find('"').unwrap_or(0);
    (2..=3).contains(&word) && text[..word].bytes().all(|b| b.is_ascii_lowercase())
}

/// Whether a text is a path of data: names with dots between them.
pub(super) fn is_path(text: &str) -> bool {
    !text.is_empty()
        && text.split('.').all(|part| {
            part.chars().next().is_some_and(|c| c.is_alphabetic() || c == '_')
                && part.chars().all(|c| c.is_alphanumeric() || c == '_')
        })
}
