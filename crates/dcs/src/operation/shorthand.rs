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
//! A title in several languages: `ru"Скидка" en"Discount"`.
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
//! `{"do": "add-field", "name": "Скидка", "type": "Число(15,2)"}`, whose values are written in the same grammar.

use serde_json::{Map, Value as Json};

use super::refusal::{Refusal, Say};
use super::words::{self, BEGINNINGS, COMPARISONS, OPTIONS, PERIODS, PREDEFINED, REFERENCES};
use crate::edit::New;
use crate::formal::Name;
use crate::formal::name;

/// Deeper conditions are refused.
const MAX_DEPTH: usize = 50;

/// Where configurations' own types live.
const CURRENT_CONFIG: &str = "http://v8.1c.ru/8.1/data/enterprise/current-config";
const DATA: &str = "http://v8.1c.ru/8.1/data/core";
const XS: &str = "http://www.w3.org/2001/XMLSchema";

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
    let folded = word.to_lowercase();
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

/// A text in one or more languages. A plain text is Russian.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Texts(pub Vec<(String, String)>);

impl Texts {
    /// Reads `Текст` or `ru"Текст" en"Text"`.
    pub fn parse(text: &str) -> Self {
        let mut found = Vec::new();
        let mut rest = text.trim();
        while is_texts(rest) {
            let Some((language, behind)) = rest.split_once('"') else { break };
            let mut end = 0;
            loop {
                let Some(at) = behind[end..].find('"') else { return Self(vec![("ru".to_owned(), text.to_owned())]) };
                end += at;
                if !behind[end + 1..].starts_with('"') {
                    break;
                }
                end += 2;
            }
            found.push((language.trim().to_owned(), behind[..end].replace("\"\"", "\"")));
            rest = behind[end + 1..].trim_start();
        }
        if found.is_empty() || !rest.is_empty() { Self(vec![("ru".to_owned(), text.to_owned())]) } else { Self(found) }
    }

    pub(super) fn element(&self, name: Name) -> New {
        New::localized(name, self.0.iter().map(|(language, text)| (language.as_str(), text.as_str())))
    }
}

/// A value of an option, as JSON gives it.
pub(super) trait OptionValue: Sized {
    /// Reads it; none: the option isn't given.
    fn read(option: &str, json: Option<Json>) -> Result<Self, Refusal>;
}

fn unfit(option: &str, json: &Json, ru: &str, en: &str) -> Refusal {
    Refusal::new(format!("@{option}: нужно {ru}, а не {json}"), format!("@{option}: {en} is wanted, not {json}"))
}

impl OptionValue for String {
    fn read(option: &str, json: Option<Json>) -> Result<Self, Refusal> {
        match json {
            None | Some(Json::Null) => Ok(Self::new()),
            Some(Json::String(text)) => Ok(text),
            Some(Json::Number(number)) => Ok(number.to_string()),
            Some(other) => Err(unfit(option, &other, "значение", "a value")),
        }
    }
}

impl<T: OptionValue> OptionValue for Option<T> {
    fn read(option: &str, json: Option<Json>) -> Result<Self, Refusal> {
        match json {
            None | Some(Json::Null) => Ok(None),
            given => T::read(option, given).map(Some),
        }
    }
}

impl OptionValue for Texts {
    fn read(option: &str, json: Option<Json>) -> Result<Self, Refusal> {
        match json {
            None | Some(Json::Null) => Ok(Self::default()),
            Some(Json::String(text)) => Ok(Self::parse(&text)),
            Some(Json::Object(map)) => {
                let pairs = map.into_iter().map(|(language, text)| match text {
                    Json::String(text) => Ok((language, text)),
                    other => Err(unfit(option, &other, "текст", "a text")),
                });
                pairs.collect::<Result<_, _>>().map(Self)
            }
            Some(other) => Err(unfit(option, &other, "текст", "a text")),
        }
    }
}

/// Names: a list, or a text with commas between them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names(pub Vec<String>);

impl Names {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl OptionValue for Names {
    fn read(option: &str, json: Option<Json>) -> Result<Self, Refusal> {
        match json {
            None | Some(Json::Null) => Ok(Self::default()),
            Some(Json::String(text)) => split(&text, ',').map(Self),
            Some(Json::Array(all)) => {
                let names = all.into_iter().map(|name| String::read(option, Some(name)));
                names.collect::<Result<_, _>>().map(Self)
            }
            Some(other) => Err(unfit(option, &other, "имена через запятую", "names with commas between them")),
        }
    }
}

/// A flag that may be left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flag(pub Option<bool>);

impl Flag {
    pub(super) fn is_on(self) -> bool {
        self.0 == Some(true)
    }
}

impl OptionValue for Flag {
    fn read(option: &str, json: Option<Json>) -> Result<Self, Refusal> {
        let unfit = |json: &Json| unfit(option, json, "да или нет", "yes or no");
        match json {
            None | Some(Json::Null) => Ok(Self(None)),
            Some(Json::Bool(flag)) => Ok(Self(Some(flag))),
            Some(Json::String(text)) => match words::flag(&text) {
                Some(flag) => Ok(Self(Some(flag))),
                None => Err(unfit(&Json::String(text))),
            },
            Some(other) => Err(unfit(&other)),
        }
    }
}

/// Makes `v8:TypeDescription` of a type in shorthand.
///
/// # Errors
/// If there is no such type: the nearest ones.
pub(super) fn type_description(element: Name, text: &str) -> Result<New, Refusal> {
    let data = |local: &'static str| Name { ns: crate::xml::ns::DATA, local };
    let (mut types, mut sets) = (Vec::new(), Vec::new());
    let (mut number, mut string, mut date) = (None, None, None);
    for part in split(text, '|')? {
        let (word, arguments) = match part.split_once('(') {
            Some((word, rest)) => (word.trim(), split(rest.trim_end().trim_end_matches(')'), ',')?),
            None => (part.as_str(), Vec::new()),
        };
        let size = |at: usize| match arguments.get(at) {
            None => Ok(None),
            Some(text) => match text.parse::<u16>() {
                Ok(number) => Ok(Some(number)),
                Err(_) => Err(wrong(
                    "Размер типа — целое число",
                    "The size of a type is a whole number",
                    text,
                    "Пример: Число(15,2).",
                    "Example: Number(15,2).",
                )),
            },
        };
        let folded = word.to_lowercase();
        let simple = |local: &str, uri: &str| New::type_name(data("Type"), uri, local);
        match folded.as_str() {
            "число" | "number" => {
                let sign = match arguments.get(2).map(|word| word.to_lowercase()).as_deref() {
                    None => "Any",
                    Some("неотр" | "неотрицательное" | "nonnegative") => "Nonnegative",
                    Some(other) => return Err(Refusal::unknown(("знак", "sign"), other, ["неотр", "nonnegative"])),
                };
                types.push(simple("decimal", XS));
                number = Some(New::with(
                    data("NumberQualifiers"),
                    [
                        New::text(data("Digits"), size(0)?.unwrap_or(15).to_string()),
                        New::text(data("FractionDigits"), size(1)?.unwrap_or(0).to_string()),
                        New::text(data("AllowedSign"), sign),
                    ],
                ));
            }
            "строка" | "string" => {
                types.push(simple("string", XS));
                string = Some(New::with(
                    data("StringQualifiers"),
                    [
                        New::text(data("Length"), size(0)?.unwrap_or(0).to_string()),
                        New::text(data("AllowedLength"), "Variable"),
                    ],
                ));
            }
            "дата" | "date" | "время" | "time" | "датавремя" | "datetime" => {
                let parts = match folded.as_str() {
                    "дата" | "date" => "Date",
                    "время" | "time" => "Time",
                    _ => "DateTime",
                };
                types.push(simple("dateTime", XS));
                date = Some(New::with(data("DateQualifiers"), [New::text(data("DateFractions"), parts)]));
            }
            "булево" | "boolean" => types.push(simple("boolean", XS)),
            "стандартныйпериод" | "standardperiod" => types.push(simple("StandardPeriod", DATA)),
            "стандартнаядатаначала" | "standardbeginningdate" => {
                types.push(simple("StandardBeginningDate", DATA))
            }
            "уникальныйидентификатор" | "uuid" => types.push(simple("UUID", DATA)),
            _ => {
                let (kind, of) = word.split_once('.').unwrap_or((word, ""));
                let is_kind = |(russian, english): &&(&str, &str)| {
                    kind.to_lowercase() == russian.to_lowercase() || kind.eq_ignore_ascii_case(english)
                };
                let Some((_, english)) = REFERENCES.iter().find(is_kind) else {
                    let simple = ["Число", "Строка", "Дата", "Время", "ДатаВремя", "Булево", "СтандартныйПериод"];
                    let all =
                        simple.into_iter().chain(REFERENCES.iter().flat_map(|(russian, english)| [*russian, *english]));
                    return Err(Refusal::unknown(("тип", "type"), word, all));
                };
                if of.is_empty() || matches!(*english, "DefinedType" | "Characteristic") {
                    let local = if of.is_empty() { (*english).to_owned() } else { format!("{english}.{of}") };
                    sets.push(New::type_name(data("TypeSet"), CURRENT_CONFIG, local));
                } else {
                    types.push(New::type_name(data("Type"), CURRENT_CONFIG, format!("{english}.{of}")));
                }
            }
        }
    }
    if types.is_empty() && sets.is_empty() {
        return Err(wrong("Пустой тип", "An empty type", text, "Пример: Число(15,2).", "Example: Number(15,2)."));
    }
    let parts = types.into_iter().chain(sets).chain(number).chain(string).chain(date);
    Ok(New::with(element, parts))
}

fn is_date(text: &str) -> Option<String> {
    let text = text.trim();
    let whole = if text.len() == 10 { format!("{text}T00:00:00") } else { text.to_owned() };
    let is = whole.len() == 19 && crate::formal::Simple::DateTime.accepts(&whole);
    is.then_some(whole)
}

/// Where a value stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ValuePlace {
    /// Names of fields and parameters are values, too.
    Condition,
    /// They are not.
    Constant,
}

/// Makes an element of a value in shorthand.
///
/// # Errors
/// If it is no value: what may stand there.
pub(super) fn value(element: Name, text: &str, place: ValuePlace) -> Result<New, Refusal> {
    let text = text.trim();
    let typed = |of: &'static str, text: &str| New::text(element, text).typed(name(of));
    let folded = text.to_lowercase();
    if text.starts_with('"') {
        return Ok(typed("xs:string", &unquote(text)));
    }
    if matches!(folded.as_str(), "неопределено" | "undefined" | "null") {
        return Ok(New::nil(element));
    }
    if matches!(folded.as_str(), "истина" | "true" | "ложь" | "false" | "да" | "нет") {
        let flag = words::flag(&folded) == Some(true);
        return Ok(typed("xs:boolean", if flag { "true" } else { "false" }));
    }
    if crate::formal::Simple::Decimal.accepts(text) {
        return Ok(typed("xs:decimal", text));
    }
    if let Some(date) = is_date(text) {
        return Ok(typed("xs:dateTime", &date));
    }
    let variant = |of: &'static str, word: &str| New::text(name("v8:variant"), word).typed(name(of));
    if let Some((from, to)) = text.split_once("..")
        && let (Some(from), Some(to)) = (is_date(from), is_date(to))
    {
        let parts = [
            variant("v8:StandardPeriodVariant", "Custom"),
            New::text(name("v8:startDate"), from),
            New::text(name("v8:endDate"), to),
        ];
        return Ok(New::with(element, parts).typed(name("v8:StandardPeriod")));
    }
    let named = |all: &'static [(&str, &str)]| {
        all.iter().find(|(english, russian)| english.eq_ignore_ascii_case(text) || russian.to_lowercase() == folded)
    };
    if let Some((period, _)) = named(PERIODS) {
        return Ok(New::with(element, [variant("v8:StandardPeriodVariant", period)]).typed(name("v8:StandardPeriod")));
    }
    if let Some((beginning, _)) = named(BEGINNINGS) {
        let parts = [variant("v8:StandardBeginningDateVariant", beginning)];
        return Ok(New::with(element, parts).typed(name("v8:StandardBeginningDate")));
    }
    let parts: Vec<&str> = text.split('.').collect();
    if parts.len() >= 3 && PREDEFINED.iter().any(|kind| kind.to_lowercase() == parts[0].to_lowercase()) {
        return Ok(typed("cor:DesignTimeValue", text));
    }
    if place == ValuePlace::Condition {
        if let Some(parameter) = text.strip_prefix('&').filter(|parameter| is_path(parameter)) {
            return Ok(typed("cor:Field", &format!("ПараметрыДанных.{parameter}")));
        }
        if is_path(text) {
            return Ok(typed("cor:Field", text));
        }
    }
    let mut refusal =
        Refusal::unknown(("значение", "value"), text, PERIODS.iter().chain(BEGINNINGS).map(|(_, russian)| *russian));
    refusal.message.ru.push_str(" (текст пишется в кавычках, дата — 2024-12-31)");
    refusal.message.en.push_str(" (texts stand in quotes, a date is 2024-12-31)");
    Err(refusal)
}

/// Whether a text is a path of data: names with dots between them.
pub(super) fn is_path(text: &str) -> bool {
    !text.is_empty()
        && text.split('.').all(|part| {
            part.chars().next().is_some_and(|c| c.is_alphabetic() || c == '_')
                && part.chars().all(|c| c.is_alphanumeric() || c == '_')
        })
}

/// A condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Condition {
    /// A field is compared with values.
    Comparison {
        /// The path of data.
        left: String,
        /// As files name it.
        comparison: &'static str,
        /// Values in shorthand.
        right: Vec<String>,
    },
    /// Several of them: `AndGroup`, `OrGroup`, `NotGroup`.
    Group(&'static str, Vec<Condition>),
}

/// Reads a condition; several that are joined by `и` at the outside are a list.
///
/// # Errors
/// If it is none: what, and how to mend it.
pub(super) fn conditions(text: &str) -> Result<Vec<Condition>, Refusal> {
    Ok(match condition(text, 0)? {
        Condition::Group("AndGroup", all) => all,
        one => vec![one],
    })
}

fn condition(text: &str, depth: usize) -> Result<Condition, Refusal> {
    if depth > MAX_DEPTH {
        return Err(wrong("Слишком глубокое условие", "The condition is nested too deeply", "…", "", ""));
    }
    let text = text.trim();
    for (words, group) in [(["или", "or"], "OrGroup"), (["и", "and"], "AndGroup")] {
        let parts = split_at_words(text, &words)?;
        if parts.len() > 1 {
            let parts = parts.iter().map(|part| condition(part, depth + 1)).collect::<Result<_, _>>()?;
            return Ok(Condition::Group(group, parts));
        }
    }
    let folded = text.to_lowercase();
    for word in ["не ", "not "] {
        if folded.starts_with(word) {
            let inner = condition(&text[word.len()..], depth + 1)?;
            return Ok(Condition::Group("NotGroup", vec![inner]));
        }
    }
    if text.starts_with('(') && closing(text) == text.len() {
        return condition(&text[1..text.len() - 1], depth + 1);
    }
    comparison(text)
}

/// Splits at words that stand alone outside of quotes and parentheses.
fn split_at_words(text: &str, words: &[&str]) -> Result<Vec<String>, Refusal> {
    let mut tops = Vec::new();
    scan(text, |at, c| {
        tops.push((at, c));
        false
    })?;
    let (mut parts, mut from, mut number) = (Vec::new(), 0, 0);
    while number < tops.len() {
        let (at, c) = tops[number];
        let starts = c.is_alphabetic() && (number == 0 || tops[number - 1].1.is_whitespace());
        if starts {
            let end = text[at..].find(|c: char| !(c.is_alphanumeric() || c == '_')).map_or(text.len(), |end| at + end);
            let word = text[at..end].to_lowercase();
            let is_alone = text[end..].starts_with([' ', '(', '\t', '\n']) && at > 0;
            if words.contains(&word.as_str()) && is_alone {
                parts.push(text[from..at].trim().to_owned());
                from = end;
            }
            while number < tops.len() && tops[number].0 < end {
                number += 1;
            }
        } else {
            number += 1;
        }
    }
    parts.push(text[from..].trim().to_owned());
    Ok(parts)
}

fn comparison(text: &str) -> Result<Condition, Refusal> {
    let end = text.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.'))).unwrap_or(text.len());
    let (left, rest) = (text[..end].trim(), text[end..].trim_start());
    let folded = rest.to_lowercase();
    let example = |what: (&str, &str)| {
        wrong(
            what.0,
            what.1,
            text,
            "Пример: Сумма > 100, Склад в списке (&Склад), Дата заполнено.",
            "Example: Сумма > 100.",
        )
    };
    if !is_path(left) {
        return Err(example(("В условии нет поля", "The condition has no field")));
    }
    for (comparison, all) in COMPARISONS {
        for word in *all {
            let Some(behind) = folded.strip_prefix(word) else { continue };
            let is_word = word.chars().next().is_some_and(char::is_alphabetic);
            if is_word && behind.chars().next().is_some_and(|c| c.is_alphanumeric() || c == '_') {
                continue;
            }
            // Lower case may have another length; then the letters are counted.
            let letters = word.chars().count();
            let at = rest.char_indices().nth(letters).map_or(rest.len(), |(at, _)| at);
            let values = rest[at..].trim();
            let takes_none = matches!(*comparison, "Filled" | "NotFilled");
            if takes_none != values.is_empty() {
                return Err(if takes_none {
                    example(("Значение здесь не нужно", "No value is wanted here"))
                } else {
                    example(("В условии нет значения", "The condition has no value"))
                });
            }
            let right = if values.starts_with('(') && closing(values) == values.len() {
                split(&values[1..values.len() - 1], ',')?
            } else if takes_none {
                Vec::new()
            } else {
                vec![values.to_owned()]
            };
            return Ok(Condition::Comparison { left: left.to_owned(), comparison, right });
        }
    }
    let all: Vec<&str> = COMPARISONS.iter().map(|(_, all)| all[0]).collect();
    let mut refusal = Refusal::unknown(("вид сравнения", "comparison"), rest, all);
    refusal.message = Say::new(format!("Нет вида сравнения в «{text}»"), format!("No comparison in \"{text}\""));
    Err(refusal)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(text: &str) -> Json {
        line(text, super::super::Operation::form).unwrap_or_else(|refusal| panic!("{text}: {refusal}"))
    }

    #[test]
    fn lines() {
        for (text, json) in [
            (
                "добавить-поле Скидка: Число(15,2) @ресурс \"Скидка, \"\"руб\"\"\" @набор(Продажи) = Т.Скидка + (1)",
                r#"{"do":"add-field","name":"Скидка","type":"Число(15,2)","title":"Скидка, \"руб\"","resource":true,
                   "set":"Продажи","expression":"Т.Скидка + (1)"}"#,
            ),
            ("rename-field А.Б -> В", r#"{"do":"rename-field","name":"А.Б","to":"В"}"#),
            ("add-filter Сумма = 1 @variant(О)", r#"{"do":"add-filter","condition":"Сумма = 1","variant":"О"}"#),
            ("add-field А ru\"Б\" en\"B\"", r#"{"do":"add-field","name":"А","title":"ru\"Б\" en\"B\""}"#),
        ] {
            assert_eq!(read(text), serde_json::from_str::<Json>(json).unwrap(), "{text}");
        }
        assert_eq!(
            Texts::parse("ru\"Б\" en\"B \"\"q\"\"\"").0,
            [("ru".to_owned(), "Б".to_owned()), ("en".to_owned(), "B \"q\"".to_owned())]
        );
        assert_eq!(Texts::parse("Просто \"текст\"").0[0].1, "Просто \"текст\"");
    }

    #[test]
    fn mistakes_are_named() {
        let refused = |text: &str| line(text, super::super::Operation::form).unwrap_err();
        assert_eq!(refused("add-feild А").nearest[0], "add-field");
        assert_eq!(refused("add-field А @varaint(Б)").nearest[0], "variant");
        assert!(refused("add-field А \"Б").message.ru.contains("кавычки"));
        assert!(refused("add-field А @type(Число(1)").message.en.contains("isn't closed"));
        assert!(type_description(name("sch:valueType"), "Числл(1)").unwrap_err().nearest.contains(&"Число".to_owned()));
        assert!(
            value(name("cor:value"), "ЭтотМесец", ValuePlace::Constant)
                .unwrap_err()
                .nearest
                .contains(&"ЭтотМесяц".to_owned())
        );
    }

    #[test]
    fn conditions_of_all_kinds() {
        for (comparison, all) in COMPARISONS {
            for word in *all {
                let values = if comparison.ends_with("Filled") { "" } else { " (1, \"и\")" };
                let found = conditions(&format!("Поле.Код {word}{values}")).unwrap();
                let [Condition::Comparison { left, comparison: read, right }] = &found[..] else { panic!("{found:?}") };
                assert_eq!(
                    (left.as_str(), read, right.is_empty()),
                    ("Поле.Код", comparison, values.is_empty()),
                    "{word}"
                );
            }
        }
        let found = conditions("А = 1 и (Б = \"и или\" или не В заполнено)").unwrap();
        let [_, Condition::Group("OrGroup", inner)] = &found[..] else { panic!("{found:?}") };
        assert!(matches!(&inner[1], Condition::Group("NotGroup", _)));
        assert!(conditions("Сумма").is_err() && conditions("= 1").is_err() && conditions("А =").is_err());
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in "[А-Га-г =<>()\"@&.,:|1-]{0,40}") {
            let _ = line(&format!("add-field {text}"), super::super::Operation::form);
            let _ = conditions(&text);
            let _ = type_description(name("sch:valueType"), &text);
            let _ = value(name("cor:value"), &text, ValuePlace::Condition);
            let _ = Texts::parse(&text);
        }
    }
}
