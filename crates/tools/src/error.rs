//! Errors that a model, or a person, can act on.

use metadata::Language;
use serde_json::{Value, json};
use thiserror::Error;

use crate::edits::EditError;
use crate::tool::say;

/// Why a tool gave no answer.
#[derive(Debug, Error)]
pub enum ToolError {
    /// No such tool.
    #[error("unknown tool: {name}")]
    UnknownTool {
        /// As called.
        name: String,
        /// The nearest tools.
        nearest: Vec<String>,
    },
    /// Wrong arguments.
    #[error("argument `{argument}`: {}", problem.message(Language::English))]
    Argument {
        /// Which; empty: all of them.
        argument: String,
        /// What is wrong.
        problem: Problem,
        /// A right call.
        example: &'static str,
    },
    /// The thing has a name, and the tool is not for its kind.
    #[error("{name} is a {kind}")]
    WrongKind {
        /// Full name.
        name: String,
        /// Its kind.
        kind: String,
        /// What the tool is for, Russian and English.
        wanted: (&'static str, &'static str),
        /// Ready calls that do for this kind.
        next: Vec<Value>,
    },
    /// A path that leads out of the project.
    #[error("{path} lies outside of the project")]
    Outside {
        /// As given, shortened.
        path: String,
    },
    /// A file of the project can't be read.
    #[error("{file}: {why}")]
    File {
        /// Path relative to the project.
        file: String,
        /// What the system says.
        why: String,
    },
    /// The index.
    #[error(transparent)]
    Index(#[from] index::Error),
    /// A pending change.
    #[error(transparent)]
    Edit(#[from] EditError),
    /// A person stopped it.
    #[error("stopped")]
    Stopped,
}

/// What is wrong with an argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// The arguments are no JSON object.
    NotAnObject {
        /// What the parser says.
        why: String,
    },
    /// It must be given.
    Missing,
    /// It has another type.
    Type {
        /// The right one: `string`, `integer`, `boolean`, `list of strings`.
        expected: &'static str,
        /// What was given, shortened.
        given: String,
    },
    /// Not one of the allowed words.
    Choice {
        /// As given.
        given: String,
        /// The allowed words.
        allowed: Vec<&'static str>,
        /// The nearest of them.
        nearest: Option<&'static str>,
    },
    /// Too long.
    TooLong {
        /// Characters given.
        given: usize,
        /// Characters allowed.
        limit: usize,
    },
    /// There is no such argument.
    Unknown {
        /// The known ones.
        known: Vec<&'static str>,
    },
}

impl Problem {
    /// The problem in words.
    pub fn message(&self, language: Language) -> String {
        let ru = language == Language::Russian;
        match self {
            Self::NotAnObject { why } if ru => format!("ожидается объект JSON: {why}"),
            Self::NotAnObject { why } => format!("a JSON object is expected: {why}"),
            Self::Missing if ru => "обязательный аргумент не задан".to_owned(),
            Self::Missing => "it is required".to_owned(),
            Self::Type { expected, given } if ru => format!("ожидается {expected}, получено {given}"),
            Self::Type { expected, given } => format!("expected {expected}, got {given}"),
            Self::Choice { given, allowed, nearest } => {
                let near = nearest
                    .map(|word| format!(" ({} «{word}»?)", say(language, "может быть,", "perhaps")))
                    .unwrap_or_default();
                format!("«{given}»{near}; {}: {}", say(language, "можно", "allowed"), allowed.join(", "))
            }
            Self::TooLong { given, limit } if ru => format!("длина {given} знаков, можно не больше {limit}"),
            Self::TooLong { given, limit } => format!("{given} characters, at most {limit} are allowed"),
            Self::Unknown { known } if ru => format!("такого аргумента нет; есть: {}", known.join(", ")),
            Self::Unknown { known } => format!("there is no such argument; known: {}", known.join(", ")),
        }
    }
}

impl ToolError {
    /// A short word for programs.
    pub fn code(&self) -> &'static str {
        match self {
            Self::UnknownTool { .. } => "unknown_tool",
            Self::Argument { .. } => "bad_argument",
            Self::WrongKind { .. } => "wrong_kind",
            Self::Outside { .. } => "outside_project",
            Self::File { .. } => "file",
            Self::Index(error) => error.code(),
            Self::Edit(error) => error.code(),
            Self::Stopped => "stopped",
        }
    }

    /// The error in the user's language.
    pub fn message(&self, language: Language) -> String {
        match self {
            Self::UnknownTool { name, .. } => {
                format!("{}: {name}", say(language, "нет такого инструмента", "unknown tool"))
            }
            Self::Argument { argument, problem, .. } if argument.is_empty() => problem.message(language),
            Self::Argument { argument, problem, .. } => {
                format!("{} «{argument}»: {}", say(language, "аргумент", "argument"), problem.message(language))
            }
            Self::WrongKind { name, kind, wanted, .. } => {
                let wanted = say(language, wanted.0, wanted.1);
                format!("{name}: {kind}; {} {wanted}", say(language, "здесь нужно:", "needed here:"))
            }
            Self::Outside { path } => {
                format!(
                    "{}: {path}",
                    say(language, "путь ведёт за пределы проекта", "the path leads out of the project")
                )
            }
            Self::File { file, why } => {
                format!("{}: {file}: {why}", say(language, "файл не читается", "the file can't be read"))
            }
            Self::Index(error) => error.message(language),
            Self::Edit(error) => error.message(language),
            Self::Stopped => say(language, "остановлено", "stopped").to_owned(),
        }
    }

    /// How to mend it.
    pub fn hint(&self, language: Language) -> Option<String> {
        match self {
            Self::UnknownTool { nearest, .. } if !nearest.is_empty() => {
                Some(format!("{}: {}", say(language, "похожие", "nearest"), nearest.join(", ")))
            }
            Self::Argument { example, .. } => Some(format!("{}: {example}", say(language, "пример", "example"))),
            Self::Outside { .. } => {
                let hint = say(
                    language,
                    "укажите путь внутри выгрузки, например Reports/Продажи/Templates/Схема/Ext/Template.xml, или полное имя",
                    "give a path inside of the dump, such as Reports/Продажи/Templates/Схема/Ext/Template.xml, or a full name",
                );
                Some(hint.to_owned())
            }
            Self::Index(error) => error.hint(language),
            Self::Edit(error) => error.hint(language),
            _ => None,
        }
    }

    /// The error as a result: `{"error": {"code", "message", "hint", …}}`, with the names that were perhaps meant as a list.
    pub fn to_json(&self, language: Language) -> Value {
        let mut error = json!({ "code": self.code(), "message": self.message(language) });
        if let Some(hint) = self.hint(language) {
            error["hint"] = hint.into();
        }
        match self {
            Self::Index(index::Error::UnknownName { nearest, .. }) => error["nearest"] = json!(nearest),
            Self::Index(index::Error::AmbiguousName { candidates, .. }) => error["candidates"] = json!(candidates),
            Self::UnknownTool { nearest, .. } => error["nearest"] = json!(nearest),
            Self::WrongKind { next, .. } => error["next"] = json!(next),
            Self::Edit(edit) => {
                if let Some((key, value)) = edit.details() {
                    error[key] = value;
                }
            }
            _ => {}
        }
        json!({ "error": error })
    }
}
