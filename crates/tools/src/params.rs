//! Arguments: their schema, and reading them from what a model really writes.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::error::{Problem, ToolError};
use bsl::nearest;

/// An argument of a tool.
#[derive(Clone, Copy, Debug)]
pub struct Param {
    /// Its name.
    pub name: &'static str,
    /// Other names under which models give it.
    pub aliases: &'static [&'static str],
    /// What it holds.
    pub kind: ParamKind,
    /// Whether it must be given.
    pub required: bool,
    /// For a model.
    pub about: &'static str,
}

/// What an argument holds.
#[derive(Clone, Copy, Debug)]
pub enum ParamKind {
    /// Text.
    Text,
    /// A whole number; what lies outside is moved to the nearest end.
    Integer {
        /// Least.
        least: i64,
        /// Most.
        most: i64,
        /// Taken if it is not given.
        default: i64,
    },
    /// Yes or no; no if it is not given.
    Flag,
    /// One word of several.
    Choice {
        /// Allowed words with what else is understood (folded).
        words: &'static [(&'static str, &'static [&'static str])],
        /// Taken if it is not given.
        default: &'static str,
    },
    /// A list of texts; empty if it is not given. One text is a list with commas.
    Texts,
    /// A list of texts that may hold commas, or of objects: each as it stands. One text is a list with a line each.
    Lines,
}

/// The longest text, in characters.
const LONGEST_TEXT: usize = 20_000;

impl Param {
    /// A name of the configuration that must be given.
    pub const fn name(about: &'static str) -> Self {
        const ALIASES: &[&str] = &["full_name", "object", "method", "target", "имя", "fullname", "function"];
        Self { name: "name", aliases: ALIASES, kind: ParamKind::Text, required: true, about }
    }

    /// A text that must be given.
    pub const fn text(name: &'static str, aliases: &'static [&'static str], about: &'static str) -> Self {
        Self { name, aliases, kind: ParamKind::Text, required: true, about }
    }

    /// A text that may be left out.
    pub const fn maybe(name: &'static str, aliases: &'static [&'static str], about: &'static str) -> Self {
        Self { name, aliases, kind: ParamKind::Text, required: false, about }
    }

    /// A name of the configuration that may be left out.
    pub const fn maybe_name(about: &'static str) -> Self {
        Self { required: false, ..Self::name(about) }
    }

    /// Words that entries must hold.
    pub const fn filter(about: &'static str) -> Self {
        Self::maybe("filter", &["like", "contains", "query", "фильтр", "отбор"], about)
    }

    /// How many entries to give at most.
    pub const fn limit(default: i64, most: i64) -> Self {
        let kind = ParamKind::Integer { least: 1, most, default };
        Self {
            name: "limit",
            aliases: &["max", "top", "count", "n", "лимит"],
            kind,
            required: false,
            about: "Most entries.",
        }
    }

    /// How many entries to leave out.
    pub const fn offset() -> Self {
        let kind = ParamKind::Integer { least: 0, most: 1_000_000, default: 0 };
        Self {
            name: "offset",
            aliases: &["skip"],
            kind,
            required: false,
            about: "Entries to leave out: the next page.",
        }
    }

    pub(crate) fn schema(&self) -> Value {
        let mut schema = match self.kind {
            ParamKind::Text => json!({ "type": "string" }),
            ParamKind::Integer { least, most, default } => {
                json!({ "type": "integer", "minimum": least, "maximum": most, "default": default })
            }
            ParamKind::Flag => json!({ "type": "boolean", "default": false }),
            ParamKind::Choice { words, default } => {
                let words: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
                json!({ "type": "string", "enum": words, "default": default })
            }
            ParamKind::Texts | ParamKind::Lines => json!({ "type": "array", "items": { "type": "string" } }),
        };
        schema["description"] = self.about.into();
        schema
    }

    fn answers_to(&self, folded: &str) -> bool {
        self.name == folded || self.aliases.contains(&folded)
    }

    fn read(&self, value: &Value) -> Result<Parsed, Problem> {
        let wrong = |expected| Problem::Type { expected, given: excerpt(value) };
        match self.kind {
            ParamKind::Text => {
                let text = text_of(value).ok_or_else(|| wrong("string"))?;
                short_enough(&text)?;
                if self.required && text.trim().is_empty() {
                    return Err(Problem::Missing);
                }
                Ok(Parsed::Text(text))
            }
            ParamKind::Integer { least, most, .. } => {
                let number = number_of(value).ok_or_else(|| wrong("integer"))?;
                Ok(Parsed::Number(number.clamp(least, most)))
            }
            ParamKind::Flag => flag_of(value).map(Parsed::Flag).ok_or_else(|| wrong("boolean")),
            ParamKind::Choice { words, default } => {
                let given = text_of(value).ok_or_else(|| wrong("string"))?;
                let folded = given.trim().to_lowercase();
                if folded.is_empty() {
                    return Ok(Parsed::Word(default));
                }
                let found = words.iter().find(|(word, others)| *word == folded || others.contains(&folded.as_str()));
                let allowed: Vec<&'static str> = words.iter().map(|(word, _)| *word).collect();
                match found {
                    Some((word, _)) => Ok(Parsed::Word(word)),
                    None => {
                        let near = nearest(&folded, allowed.iter().copied(), 1).into_iter().next();
                        Err(Problem::Choice { given: excerpt(value), nearest: near, allowed })
                    }
                }
            }
            ParamKind::Lines => {
                let line = |item: &Value| match item {
                    Value::Object(_) => Some(item.to_string()),
                    other => text_of(other),
                };
                let lines = match value {
                    Value::Array(items) => items.iter().map(line).collect::<Option<Vec<_>>>(),
                    other => line(other).map(|text| text.lines().map(str::to_owned).collect()),
                };
                let lines: Vec<String> = lines.ok_or_else(|| wrong("list of strings"))?;
                lines.iter().try_for_each(|line| short_enough(line))?;
                let lines: Vec<String> = lines.into_iter().filter(|line| !line.trim().is_empty()).collect();
                if self.required && lines.is_empty() {
                    return Err(Problem::Missing);
                }
                Ok(Parsed::Texts(lines))
            }
            ParamKind::Texts => {
                let texts = match value {
                    Value::Array(items) => items.iter().map(text_of).collect::<Option<Vec<_>>>(),
                    _ => text_of(value).map(|text| text.split(',').map(str::to_owned).collect()),
                };
                let texts: Vec<String> = texts.ok_or_else(|| wrong("list of strings"))?;
                texts.iter().try_for_each(|text| short_enough(text))?;
                Ok(Parsed::Texts(
                    texts.iter().map(|text| text.trim().to_owned()).filter(|text| !text.is_empty()).collect(),
                ))
            }
        }
    }

    fn default(&self) -> Option<Parsed> {
        match self.kind {
            ParamKind::Text => None,
            ParamKind::Integer { default, .. } => Some(Parsed::Number(default)),
            ParamKind::Flag => Some(Parsed::Flag(false)),
            ParamKind::Choice { default, .. } => Some(Parsed::Word(default)),
            ParamKind::Texts | ParamKind::Lines => Some(Parsed::Texts(Vec::new())),
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
enum Parsed {
    Text(String),
    Number(i64),
    Flag(bool),
    Word(&'static str),
    Texts(Vec<String>),
}

/// Arguments that were read and checked.
#[derive(Clone, Debug, Default)]
pub struct Args {
    values: BTreeMap<&'static str, Parsed>,
    given: Map<String, Value>,
}

impl Args {
    /// Reads arguments. Understood: names in any case, aliases and small slips in them; numbers and flags as text; a single
    /// text for a list and the other way round; a bare text where one argument is required.
    ///
    /// # Errors
    /// [`ToolError::Argument`] with a right call.
    pub fn read(params: &'static [Param], example: &'static str, value: &Value) -> Result<Self, ToolError> {
        let error = |argument: &str, problem| ToolError::Argument { argument: argument.to_owned(), problem, example };
        let mut args = Self::default();
        let wrapped;
        let object = match (value, params.iter().find(|param| param.required)) {
            (Value::Object(object), _) => object,
            (Value::Null, _) => {
                wrapped = Map::new();
                &wrapped
            }
            (Value::String(text), Some(param)) => {
                wrapped = Map::from_iter([(param.name.to_owned(), Value::String(text.clone()))]);
                &wrapped
            }
            _ => return Err(error("", Problem::NotAnObject { why: excerpt(value) })),
        };
        for (key, value) in object.iter().filter(|(_, value)| !value.is_null()) {
            let folded = key.trim().to_lowercase();
            let exact = params.iter().find(|param| param.name == folded);
            let free = |param: &&Param| !object.contains_key(param.name);
            let found =
                exact.or_else(|| params.iter().filter(free).find(|param| param.answers_to(&folded))).or_else(|| {
                    let near = nearest(&folded, params.iter().filter(free).map(|param| param.name), 1);
                    params.iter().find(|param| near.first() == Some(&param.name))
                });
            let Some(param) = found else {
                return Err(error(key, Problem::Unknown { known: params.iter().map(|param| param.name).collect() }));
            };
            let parsed = param.read(value).map_err(|problem| error(param.name, problem))?;
            args.given.insert(param.name.to_owned(), value.clone());
            args.values.insert(param.name, parsed);
        }
        for param in params {
            if !args.values.contains_key(param.name) {
                match param.default() {
                    Some(default) => drop(args.values.insert(param.name, default)),
                    None if param.required => return Err(error(param.name, Problem::Missing)),
                    None => {}
                }
            }
        }
        Ok(args)
    }

    /// A text; empty if it was not given.
    pub fn text(&self, name: &str) -> &str {
        match self.values.get(name) {
            Some(Parsed::Text(text)) => text.trim(),
            _ => "",
        }
    }

    /// A text as it was given, with the blanks around it: code.
    pub fn raw(&self, name: &str) -> &str {
        match self.values.get(name) {
            Some(Parsed::Text(text)) => text,
            _ => "",
        }
    }

    /// All arguments that were given, under their right names.
    pub fn given(&self) -> Value {
        Value::Object(self.given.clone())
    }

    /// A number.
    pub fn number(&self, name: &str) -> usize {
        match self.values.get(name) {
            Some(Parsed::Number(number)) => usize::try_from(*number).unwrap_or(0),
            _ => 0,
        }
    }

    /// A number that may be below zero.
    pub fn integer(&self, name: &str) -> i64 {
        match self.values.get(name) {
            Some(Parsed::Number(number)) => *number,
            _ => 0,
        }
    }

    /// A flag.
    pub fn flag(&self, name: &str) -> bool {
        matches!(self.values.get(name), Some(Parsed::Flag(true)))
    }

    /// The word of a choice.
    pub fn word(&self, name: &str) -> &'static str {
        match self.values.get(name) {
            Some(Parsed::Word(word)) => word,
            _ => "",
        }
    }

    /// A list.
    pub fn texts(&self, name: &str) -> &[String] {
        match self.values.get(name) {
            Some(Parsed::Texts(texts)) => texts,
            _ => &[],
        }
    }

    /// The arguments that were given, under their right names, with one of them set anew: the next call.
    pub fn with(&self, name: &str, value: impl Into<Value>) -> Value {
        let mut given = self.given.clone();
        given.insert(name.to_owned(), value.into());
        Value::Object(given)
    }
}

fn short_enough(text: &str) -> Result<(), Problem> {
    // Bytes first: counting the characters of ten megabytes is work for nothing.
    let given = if text.len() > LONGEST_TEXT { text.chars().count() } else { 0 };
    if given > LONGEST_TEXT { Err(Problem::TooLong { given, limit: LONGEST_TEXT }) } else { Ok(()) }
}

fn text_of(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Array(items) => match items.as_slice() {
            [one] => text_of(one),
            _ => None,
        },
        _ => None,
    }
}

fn number_of(value: &Value) -> Option<i64> {
    match value {
        Value::Number(number) => number.as_i64().or_else(|| {
            let float = number.as_f64()?;
            #[allow(clippy::cast_possible_truncation)]
            let whole = float as i64;
            (float.fract() == 0.0).then_some(whole)
        }),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    }
}

fn flag_of(value: &Value) -> Option<bool> {
    match value {
        Value::Bool(flag) => Some(*flag),
        Value::Number(number) => number.as_i64().filter(|number| (0..=1).contains(number)).map(|number| number == 1),
        Value::String(text) => match text.trim().to_lowercase().as_str() {
            "true" | "yes" | "1" | "да" | "истина" => Some(true),
            "false" | "no" | "0" | "нет" | "ложь" | "" => Some(false),
            _ => None,
        },
        _ => None,
    }
}

fn excerpt(value: &Value) -> String {
    let text = match value {
        Value::String(text) => text.chars().take(61).collect::<String>(),
        other => other.to_string().chars().take(61).collect(),
    };
    if text.chars().count() > 60 { format!("{}…", text.chars().take(60).collect::<String>()) } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;
    use metadata::Language;

    const PARAMS: &[Param] = &[
        Param::name("a name"),
        Param::limit(20, 100),
        Param { name: "exact", aliases: &[], kind: ParamKind::Flag, required: false, about: "" },
        Param {
            name: "kind",
            aliases: &["вид"],
            kind: ParamKind::Choice { words: &[("any", &[]), ("method", &["метод", "function"])], default: "any" },
            required: false,
            about: "",
        },
        Param { name: "channels", aliases: &[], kind: ParamKind::Texts, required: false, about: "" },
    ];

    fn read(value: Value) -> Result<Args, ToolError> {
        Args::read(PARAMS, r#"{"name":"X"}"#, &value)
    }

    fn message(value: Value) -> String {
        let error = read(value).unwrap_err();
        format!("{} | {}", error.message(Language::English), error.hint(Language::English).unwrap_or_default())
    }

    #[test]
    fn what_models_write_is_understood() {
        let args = read(
            json!({"Имя": "М", "Limit": "7", "exact": "да", "вид": "Метод", "channels": "direct, notify", "x": null}),
        )
        .unwrap();
        assert_eq!(
            (args.text("name"), args.number("limit"), args.flag("exact"), args.word("kind")),
            ("М", 7, true, "method")
        );
        assert_eq!(args.texts("channels"), ["direct", "notify"]);
        assert_eq!(args.with("offset", 7)["name"], "М");
        let args = read(json!("М")).unwrap();
        assert_eq!((args.text("name"), args.number("limit"), args.word("kind")), ("М", 20, "any"));
        assert_eq!(read(json!({"name": ["М"], "limit": 1e9})).unwrap().number("limit"), 100);
        assert_eq!(read(json!({"nmae": "М"})).unwrap().text("name"), "М");
    }

    #[test]
    fn what_is_wrong_is_said_with_a_right_call() {
        assert_eq!(message(json!({})), "argument «name»: it is required | example: {\"name\":\"X\"}");
        assert_eq!(message(json!({"name": "  "})), "argument «name»: it is required | example: {\"name\":\"X\"}");
        assert!(message(json!({"name": "М", "kind": "metod"})).contains("(perhaps «method»?); allowed: any, method"));
        assert!(message(json!({"name": "М", "limit": "много"})).contains("expected integer, got много"));
        assert!(
            message(json!({"name": "М", "совсем другое": 1})).contains("known: name, limit, exact, kind, channels")
        );
        assert!(message(json!({"name": {"a": 1}})).contains("expected string"));
        assert!(message(json!([1, 2])).contains("JSON object"));
        assert!(message(json!({"name": "я".repeat(10 << 20)})).contains("at most 20000"));
    }
}
