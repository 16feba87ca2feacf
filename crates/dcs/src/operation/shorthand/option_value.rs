//! Values of options: read from JSON, and written as JSON again.

use serde_json::{Map, Value as Json};

use super::{is_texts, split};
use crate::edit::New;
use crate::formal::Name;
use crate::operation::refusal::Refusal;
use crate::operation::words;

/// A value of an option. What is written reads as the same value.
pub(in crate::operation) trait OptionValue: Sized {
    /// Reads it; none: the option isn't given.
    fn read(option: &str, json: Option<Json>) -> Result<Self, Refusal>;

    /// Whether it differs from an option that isn't given.
    fn is_given(&self) -> bool;

    /// Writes it.
    fn json(&self) -> Json;
}

fn unfit(option: &str, json: &Json, ru: &str, en: &str) -> Refusal {
    let russian = words::option_in_russian(option);
    Refusal::new(format!("@{russian}: нужно {ru}, а не {json}"), format!("@{option}: {en} is wanted, not {json}"))
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

    fn is_given(&self) -> bool {
        !self.is_empty()
    }

    fn json(&self) -> Json {
        Json::String(self.clone())
    }
}

impl<T: OptionValue> OptionValue for Option<T> {
    fn read(option: &str, json: Option<Json>) -> Result<Self, Refusal> {
        match json {
            None | Some(Json::Null) => Ok(None),
            given => T::read(option, given).map(Some),
        }
    }

    fn is_given(&self) -> bool {
        self.is_some()
    }

    fn json(&self) -> Json {
        self.as_ref().map_or(Json::Null, T::json)
    }
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

    pub(in crate::operation) fn element(&self, name: Name) -> New {
        New::localized(name, self.0.iter().map(|(language, text)| (language.as_str(), text.as_str())))
    }
}

impl OptionValue for Texts {
    fn read(option: &str, json: Option<Json>) -> Result<Self, Refusal> {
        let text = |json: Json| match json {
            Json::String(text) => Ok(text),
            other => Err(unfit(option, &other, "текст", "a text")),
        };
        match json {
            None | Some(Json::Null) => Ok(Self::default()),
            Some(Json::String(text)) => Ok(Self::parse(&text)),
            Some(Json::Object(map)) => {
                map.into_iter().map(|(language, of)| Ok((language, text(of)?))).collect::<Result<_, _>>().map(Self)
            }
            Some(Json::Array(all)) => {
                let pair = |json: Json| match json {
                    Json::Array(pair) if pair.len() == 2 => {
                        let mut pair = pair.into_iter();
                        let mut next = || text(pair.next().unwrap_or_default());
                        Ok((next()?, next()?))
                    }
                    other => Err(unfit(option, &other, "язык и текст", "a language and a text")),
                };
                all.into_iter().map(pair).collect::<Result<_, _>>().map(Self)
            }
            Some(other) => Err(unfit(option, &other, "текст", "a text")),
        }
    }

    fn is_given(&self) -> bool {
        !self.0.is_empty()
    }

    fn json(&self) -> Json {
        if let [(_, text)] = &self.0[..]
            && Self::parse(text) == *self
        {
            return Json::String(text.clone());
        }
        // An object may order its keys, and has each once.
        if self.0.windows(2).all(|pair| pair[0].0 < pair[1].0) {
            let pairs = self.0.iter().map(|(language, text)| (language.clone(), Json::String(text.clone())));
            return Json::Object(pairs.collect::<Map<_, _>>());
        }
        self.0.iter().map(|(language, text)| Json::from(vec![language.as_str(), text.as_str()])).collect()
    }
}

/// Names: a list, or a text with commas between them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names(pub Vec<String>);

impl Names {
    pub(in crate::operation) fn is_empty(&self) -> bool {
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

    fn is_given(&self) -> bool {
        !self.is_empty()
    }

    fn json(&self) -> Json {
        Json::from(self.0.clone())
    }
}

/// A flag that may be left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flag(pub Option<bool>);

impl Flag {
    pub(in crate::operation) fn is_on(self) -> bool {
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

    fn is_given(&self) -> bool {
        self.0.is_some()
    }

    fn json(&self) -> Json {
        self.0.map_or(Json::Null, Json::Bool)
    }
}
