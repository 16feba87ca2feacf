//! Types and values in shorthand: `Число(15,2) | Строка(10)`, `"текст"`, `2024-12-31`, `ЭтотМесяц`.

use super::{is_path, split, unquote, wrong};
use crate::edit::New;
use crate::formal::{Name, name};
use crate::operation::refusal::Refusal;
use crate::operation::words::{self, BEGINNINGS, PERIODS, PREDEFINED, REFERENCES};

/// Where configurations' own types live.
const CURRENT_CONFIG: &str = "http://v8.1c.ru/8.1/data/enterprise/current-config";
const DATA: &str = "http://v8.1c.ru/8.1/data/core";
const XS: &str = "http://www.w3.org/2001/XMLSchema";

/// Makes `v8:TypeDescription` of a type in shorthand.
///
/// # Errors
/// If there is no such type: the nearest ones.
pub(in crate::operation) fn type_description(element: Name, text: &str) -> Result<New, Refusal> {
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
pub(in crate::operation) enum ValuePlace {
    /// Names of fields and parameters are values, too.
    Condition,
    /// They are not.
    Constant,
}

/// Makes an element of a value in shorthand.
///
/// # Errors
/// If it is no value: what may stand there.
pub(in crate::operation) fn value(element: Name, text: &str, place: ValuePlace) -> Result<New, Refusal> {
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
