//! What could not be read.

use super::Text;
use crate::container::ContainerError;
use serde::{Deserialize, Serialize};

/// Something that could not be read. The rest was read all the same.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problem {
    /// Path relative to the root, with `/`.
    pub path: Text,
    /// 1-based line; 0: the whole file.
    pub line: u32,
    /// What is the matter.
    pub kind: ProblemKind,
}

/// What is the matter with a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum ProblemKind {
    /// The file can't be opened or read: the system's message.
    Unreadable(Text),
    /// The file is not well-formed from this line on: the parser's message. What stood before it was read.
    Malformed(Text),
    /// The root element is not the one that belongs there: what was found.
    UnexpectedRoot(Text),
    /// An element of an object is of no known kind: its name.
    UnknownKind(Text),
    /// A name that should be a canonical full name or a type and is not: as written.
    UnknownName(Text),
    /// The object is listed by its owner, its file is missing: full name.
    MissingFile(Text),
    /// The file is there, its owner doesn't list the object, so that the platform doesn't load it: full name.
    Unlisted(Text),
    /// A format that this version doesn't read: what it is.
    NotReadYet(Text),
    /// The file is a container of the platform and can't be read: what is wrong with it.
    Container(ContainerError),
    /// A module that was stored without its source: full name.
    Protected(Text),
}

impl Problem {
    /// One line for people.
    #[must_use]
    pub fn message(&self, language: Language) -> String {
        let text = self.kind.message(language);
        if self.line == 0 { format!("{}: {text}", self.path) } else { format!("{}:{}: {text}", self.path, self.line) }
    }
}

/// Language of messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Language {
    /// Russian.
    Russian,
    /// English.
    English,
}

impl ProblemKind {
    /// The message without the place.
    #[must_use]
    pub fn message(&self, language: Language) -> String {
        let (ru, en, what) = match self {
            Self::Unreadable(w) => ("файл не читается", "the file can't be read", w),
            Self::Malformed(w) => ("содержимое нарушено, дальше не прочитано", "malformed, nothing read beyond", w),
            Self::UnexpectedRoot(w) => ("неожиданный корневой элемент", "unexpected root element", w),
            Self::UnknownKind(w) => ("неизвестный вид метаданных", "unknown kind of metadata", w),
            Self::UnknownName(w) => ("неизвестное имя", "unknown name", w),
            Self::MissingFile(w) => ("объект указан в составе, но его файла нет", "listed, but its file is missing", w),
            Self::Unlisted(w) => {
                ("файл есть, но владелец объекта не перечисляет", "its owner doesn't list it, so it was left out", w)
            }
            Self::NotReadYet(w) => ("формат пока не читается", "a format that is not read yet", w),
            Self::Protected(w) => ("защищённый модуль, исходного текста нет", "protected module without source", w),
            Self::Container(error) => {
                let what = if language == Language::Russian {
                    "контейнер повреждён"
                } else {
                    "damaged container"
                };
                return format!("{what}: {}", error.message(language));
            }
        };
        let text = if language == Language::Russian { ru } else { en };
        format!("{text}: {what}")
    }
}
