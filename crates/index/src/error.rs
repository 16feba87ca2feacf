//! What can go wrong with an index, with a code for programs and a hint for people.

use metadata::{Language, SourceError};
use std::path::{Path, PathBuf};

use crate::tasks::TaskRow;

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
    #[error("another program{} is writing the index {}{}", process(*.holder, "process"), .path.display(), far(.doing, Language::English))]
    Busy {
        /// The lock file.
        path: PathBuf,
        /// Its number as a process, if it can be told.
        holder: Option<u32>,
        /// Since when it does, and how far it is, if it said so.
        doing: Option<Box<TaskRow>>,
    },
    /// Another program is making the vectors of this index.
    #[error("another program{} is making the vectors of this index{}", process(*.holder, "process"), far(.doing, Language::English))]
    VectorsBusy {
        /// Its number as a process, if it can be told.
        holder: Option<u32>,
        /// Since when it does, and how far it is, if it said so.
        doing: Option<Box<TaskRow>>,
    },
    /// The disk is full, or a limit (quota, file system) keeps files from growing.
    #[error("no room for the index in {}: {why}", .folder.display())]
    DiskFull {
        /// Where the index is.
        folder: PathBuf,
        /// What the system or SQLite said.
        why: String,
        /// Bytes of the index that is there; 0 if there is none.
        size: u64,
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
    /// A text that is no expression of the language.
    #[error("no expression: {text} ({message})")]
    Expression {
        /// As given, shortened.
        text: String,
        /// What is the matter, in English.
        message: String,
    },
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
            Self::VectorsBusy { .. } => "vectors_busy",
            Self::DiskFull { .. } => "disk_full",
            Self::UnknownName { .. } => "unknown_name",
            Self::AmbiguousName { .. } => "ambiguous_name",
            Self::NotATable { .. } => "not_a_table",
            Self::Sql { .. } => "sql",
            Self::Pattern(_) => "pattern",
            Self::Expression { .. } => "expression",
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
            Self::Busy { path, holder, doing } => {
                let (process, path) = (process(*holder, "процесс"), path.display());
                format!("индекс сейчас пишет другая программа{process}: {path}{}", far(doing, language))
            }
            Self::VectorsBusy { holder, doing } => {
                let process = process(*holder, "процесс");
                format!("векторы этого индекса сейчас считает другая программа{process}{}", far(doing, language))
            }
            Self::DiskFull { folder, why, .. } => format!("нет места для индекса в {}: {why}", folder.display()),
            Self::UnknownName { name, .. } => format!("неизвестное имя: {name}"),
            Self::AmbiguousName { name, total, .. } => format!("имя неоднозначно: {name} (носят {total})"),
            Self::NotATable { name } => format!("{name}: это не таблица базы данных"),
            Self::Pattern(why) => format!("образец поиска: {why}"),
            Self::Expression { text, message } => format!("это не выражение: {text} ({message})"),
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
            Self::Busy { .. } if russian => {
                "дождитесь, пока она закончит, и повторите (index --wait ждёт сам)".to_owned()
            }
            Self::Busy { .. } => "wait until it is done, then try again (index --wait waits by itself)".to_owned(),
            Self::VectorsBusy { .. } if russian => "как далеко она продвинулась: metascope status".to_owned(),
            Self::VectorsBusy { .. } => "how far it is: metascope status".to_owned(),
            Self::DiskFull { size, .. } => room(*size, russian),
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
            Self::Expression { .. } if russian => {
                "одно выражение встроенного языка: Заказ.Контрагент, Найти(Имя)".to_owned()
            }
            Self::Expression { .. } => "one expression of the language: Заказ.Контрагент, Найти(Имя)".to_owned(),
            Self::Sql { hint, .. } if !hint.is_empty() => hint.clone(),
            _ => return None,
        };
        Some(text)
    }

    /// True if the user's input is the matter (exit code 2), false for faults of ours or of the machine.
    #[must_use]
    pub fn is_usage(&self) -> bool {
        !matches!(
            self,
            Self::Io { .. }
                | Self::Source { .. }
                | Self::Sqlite(_)
                | Self::Facts { .. }
                | Self::DiskFull { .. }
                | Self::Stopped
        )
    }

    /// What keeps a file from growing, if that is the matter: as the system or SQLite said it.
    pub(crate) fn no_room(&self) -> Option<String> {
        match self {
            Self::Io { source, .. } if is_no_room(source) => Some(source.to_string()),
            Self::Sqlite(error) => sqlite_no_room(error).then(|| error.to_string()),
            Self::DiskFull { why, .. } => Some(why.clone()),
            _ => None,
        }
    }
}

fn is_no_room(error: &std::io::Error) -> bool {
    use std::io::ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull};
    matches!(error.kind(), StorageFull | QuotaExceeded | FileTooLarge)
}

/// SQLite tells a full disk as that; a limit on the length of files, a quota, and no room for the small file that readers share, as
/// an error of writing.
pub(crate) fn sqlite_no_room(error: &rusqlite::Error) -> bool {
    use rusqlite::ffi::{SQLITE_IOERR_SHMOPEN, SQLITE_IOERR_SHMSIZE, SQLITE_IOERR_WRITE};
    let Some(error) = error.sqlite_error() else { return false };
    error.code == rusqlite::ErrorCode::DiskFull
        || matches!(error.extended_code, SQLITE_IOERR_WRITE | SQLITE_IOERR_SHMOPEN | SQLITE_IOERR_SHMSIZE)
}

/// ` (process 123)`; nothing if it is not known.
fn process(number: Option<u32>, word: &str) -> String {
    number.map_or_else(String::new, |number| format!(" ({word} {number})"))
}

/// `; 12 s, modules 300 of 2000`; nothing if it is not known.
fn far(doing: &Option<Box<TaskRow>>, language: Language) -> String {
    doing.as_ref().map_or_else(String::new, |doing| format!("; {}", doing.progress(language)))
}

/// How to get room for an index as large as the one that is there: a build writes a new one beside it.
fn room(size: u64, russian: bool) -> String {
    let megabytes = size.div_ceil(1 << 20).max(1);
    match (size, russian) {
        (0, true) => "освободите на этом диске сотню-другую МБ или положите индекс на другой: --index ФАЙЛ".to_owned(),
        (0, false) => "free a hundred MB or two on that disk, or put the index on another one: --index FILE".to_owned(),
        (_, true) => format!(
            "освободите на этом диске не меньше {megabytes} МБ или положите индекс на другой: --index ФАЙЛ; прежний индекс цел, \
             им можно пользоваться"
        ),
        (_, false) => format!(
            "free at least {megabytes} MB on that disk, or put the index on another one: --index FILE; the index that was \
             there is whole and can be used"
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_database_file_is_told_from_other_errors() {
        let connection = rusqlite::Connection::open_in_memory().unwrap();
        connection.execute_batch("CREATE TABLE t (a); PRAGMA max_page_count = 2;").unwrap();
        let full = connection.execute("INSERT INTO t VALUES (zeroblob(100000))", []).unwrap_err();
        let other = connection.execute("INSERT INTO u VALUES (1)", []).unwrap_err();
        assert!(Error::from(full).no_room().is_some_and(|why| why.contains("full")));
        assert_eq!(Error::from(other).no_room(), None);
        let io = |kind: std::io::ErrorKind| Error::io(Path::new("a"))(kind.into()).no_room();
        assert!(io(std::io::ErrorKind::StorageFull).is_some() && io(std::io::ErrorKind::NotFound).is_none());
    }

    #[test]
    fn who_writes_is_named_if_it_can_be() {
        let busy = |holder| Error::Busy { path: "i.lock".into(), holder, doing: None };
        assert_eq!(busy(Some(7)).to_string(), "another program (process 7) is writing the index i.lock");
        assert_eq!(busy(None).message(Language::Russian), "индекс сейчас пишет другая программа: i.lock");
        assert!(busy(None).hint(Language::Russian).is_some());
    }
}
