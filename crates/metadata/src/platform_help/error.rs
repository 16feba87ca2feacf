//! Why the platform's help can't be read.

use crate::container::ContainerError;
use crate::model::problem::Language;

/// Why the platform's help can't be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PlatformHelpError {
    /// The file around is damaged, or another one.
    #[error("{0}")]
    Container(ContainerError),
    /// The container has no pages: it is another one of the platform's.
    #[error("the container holds no help (it has no document FileStorage)")]
    NoPages,
    /// The archive of pages is damaged.
    #[error("the archive of its pages is damaged: {why}")]
    Archive {
        /// What the reader of archives says.
        why: String,
    },
    /// The pages are more than there can be.
    #[error("its pages take more room than there can be")]
    TooLarge,
    /// Other help than that of the built-in language, or pages of a kind that isn't known.
    #[error("none of its pages describes a function, a type or a member ({unread} can't be unpacked)")]
    NoMembers {
        /// Pages that could not be unpacked.
        unread: usize,
    },
}

impl PlatformHelpError {
    pub(super) fn archive(error: zip::result::ZipError) -> Self {
        Self::Archive { why: error.to_string() }
    }

    /// The message in the user's language.
    #[must_use]
    pub fn message(&self, language: Language) -> String {
        if language == Language::English {
            return self.to_string();
        }
        match self {
            Self::Container(error) => error.message(language),
            Self::NoPages => "в контейнере нет справки (нет документа FileStorage)".to_owned(),
            Self::Archive { why } => format!("архив страниц повреждён: {why}"),
            Self::TooLarge => "страницы занимают больше места, чем возможно".to_owned(),
            Self::NoMembers { unread } => {
                format!("ни одна страница не описывает функцию, тип или их члены (не распаковано: {unread})")
            }
        }
    }
}
