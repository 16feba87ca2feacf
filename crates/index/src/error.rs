//! What can go wrong with an index, with a code for programs and a hint for people.

use metadata::{Language, SourceError};
use std::path::{Path, PathBuf};

/// Result of this crate.
pub type Result<T> = std::result::Result<T, Error>;

/// An error of the index. `Display` is English; [`Error::message`] speaks both languages.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// There is no index at that place.
    #[error("no index at {}", .path.display())]
    NoIndex {
        /// Where it was looked for.
        path: PathBuf,
    },
    /// The index was written by another version of the program.
    #[error("the index has format {found}, this program reads {expected}")]
    Format {
        /// What the file says.
        found: String,
        /// What this program reads.
        expected: u32,
    },
    /// Another program is writing this index.
    #[error("another program is writing the index {}", .path.display())]
    Busy {
        /// The lock file.
        path: PathBuf,
    },
    /// No such name.
    #[error("unknown name: {name}")]
    UnknownName {
        /// As typed.
        name: String,
        /// The nearest names of the index, best first.
        nearest: Vec<String>,
    },
    /// Several things have that name.
    #[error("ambiguous name: {name} ({total} things have it)")]
    AmbiguousName {
        /// As typed.
        name: String,
        /// What it may mean: the first few.
        candidates: Vec<String>,
        /// How many things have the name, those not offered among them.
        total: usize,
    },
    /// A thing that is no table of the database.
    #[error("{name} is no table of the database")]
    NotATable {
        /// Full name.
        name: String,
    },
    /// A query that the read-only guard refused, or that SQLite could not run.
    #[error("SQL: {message}")]
    Sql {
        /// What is the matter.
        message: String,
        /// How to mend it; empty if there is nothing to say.
        hint: String,
    },
    /// A search pattern that can't be used.
    #[error("pattern: {0}")]
    Pattern(String),
    /// The folder is no dump that can be read.
    #[error(transparent)]
    Metadata(#[from] metadata::ReadError),
    /// A file can't be read or written.
    #[error("{}: {source}", .path.display())]
    Io {
        /// Which file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A file holds no text that could be shown: a damaged container, a module without source.
    #[error("{}: {error}", .path.display())]
    Source {
        /// Which file.
        path: PathBuf,
        /// Why.
        error: SourceError,
    },
    /// SQLite failed.
    #[error("SQLite: {0}")]
    Sqlite(#[from] rusqlite::Error),
    /// Stored facts of a module can't be decoded.
    #[error("stored facts of {module} can't be read: {message}")]
    Facts {
        /// The module.
        module: String,
        /// Why.
        message: String,
    },
    /// The caller asked to stop.
    #[error("stopped")]
    Stopped,
}

impl Error {
    /// An error of the text of a module or template at a path.
    pub(crate) fn source_of(path: &Path) -> impl Fn(SourceError) -> Self + '_ {
        move |error| match error {
            SourceError::Io(source) => Self::io(path)(source),
            error => Self::Source { path: path.to_path_buf(), error },
        }
    }

    /// Wraps an I/O error with the file it happened on.
    pub(crate) fn io(path: &Path) -> impl FnOnce(std::io::Error) -> Self + '_ {
        move |source| Self::Io { path: path.to_path_buf(), source }
    }

    /// A short word for programs; it keeps its meaning between versions.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::NoIndex { .. } => "no_index",
            Self::Format { .. } => "index_format",
            Self::Busy { .. } => "index_busy",
            Self::UnknownName { .. } => "unknown_name",
            Self::AmbiguousName { .. } => "ambiguous_name",
            Self::NotATable { .. } => "not_a_table",
            Self::Sql { .. } => "sql",
            Self::Pattern(_) => "pattern",
            Self::Metadata(_) => "dump",
            Self::Io { .. } => "io",
            Self::Source { .. } => "source",
            Self::Sqlite(_) => "sqlite",
            Self::Facts { .. } => "facts",
            Self::Stopped => "stopped",
        }
    }

    /// The message in the user's language.
    #[must_use]
    pub fn message(&self, language: Language) -> String {
        if language == Language::English {
            return self.to_string();
        }
        match self {
            Self::NoIndex { path } => format!("нет индекса: {}", path.display()),
            Self::Format { found, expected } => {
                format!("индекс записан в формате {found}, эта программа читает {expected}")
            }
            Self::Busy { path } => format!("индекс сейчас пишет другая программа: {}", path.display()),
            Self::UnknownName { name, .. } => format!("неизвестное имя: {name}"),
            Self::AmbiguousName { name, total, .. } => format!("имя неоднозначно: {name} (носят {total})"),
            Self::NotATable { name } => format!("{name}: это не таблица базы данных"),
            Self::Pattern(why) => format!("образец поиска: {why}"),
            Self::Stopped => "остановлено".to_owned(),
            Self::Metadata(error) => error.message(language),
            Self::Source { path, error } => format!("{}: {}", path.display(), error.message(language)),
            _ => self.to_string(),
        }
    }

    /// How to mend it; None where there is nothing to say.
    #[must_use]
    pub fn hint(&self, language: Language) -> Option<String> {
        let russian = language == Language::Russian;
        let list = |names: &[String]| names.join(", ");
        let text = match self {
            Self::NoIndex { .. } if russian => "постройте его: metascope index ПУТЬ".to_owned(),
            Self::NoIndex { .. } => "build it: metascope index PATH".to_owned(),
            Self::Format { .. } if russian => "перестройте индекс: metascope index ПУТЬ".to_owned(),
            Self::Format { .. } => "rebuild it: metascope index PATH".to_owned(),
            Self::UnknownName { nearest, .. } if nearest.is_empty() => return None,
            Self::UnknownName { nearest, .. } if russian => format!("похожие имена: {}", list(nearest)),
            Self::UnknownName { nearest, .. } => format!("nearest names: {}", list(nearest)),
            Self::AmbiguousName { candidates, .. } if russian => format!("уточните: {}", list(candidates)),
            Self::AmbiguousName { candidates, .. } => format!("one of: {}", list(candidates)),
            Self::NotATable { .. } if russian => {
                "нужен справочник, документ, регистр, план, задача, перечисление или табличная часть".to_owned()
            }
            Self::NotATable { .. } => {
                "a catalog, document, register, chart, task, enumeration or tabular section".to_owned()
            }
            Self::Sql { hint, .. } if !hint.is_empty() => hint.clone(),
            _ => return None,
        };
        Some(text)
    }

    /// True if the user's input is the matter (exit code 2), false for faults of ours or of the machine.
    #[must_use]
    pub fn is_usage(&self) -> bool {
        !matches!(self, Self::Io { .. } | Self::Source { .. } | Self::Sqlite(_) | Self::Facts { .. } | Self::Stopped)
    }
}
