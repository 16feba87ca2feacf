//! What an answer could not take into account.

use metadata::Language;
use serde::Serialize;

/// What an answer could not take into account, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum Note {
    /// There are no vectors of this index: nothing was found by meaning.
    NoVectors {
        /// Why; empty if none were made yet.
        reason: String,
    },
    /// The embedding model is missing or does not work: nothing was found by meaning.
    NoModel {
        /// Why, with the remedy.
        reason: String,
    },
    /// Vectors are still being made.
    VectorsUnfinished {
        /// Texts that have one.
        done: usize,
        /// All texts.
        total: usize,
    },
    /// The vectors were made by another model than the one that is installed.
    OtherModel {
        /// The model of the vectors.
        vectors: String,
        /// The installed one.
        installed: String,
    },
    /// There are more places than are shown.
    Truncated {
        /// How many there are.
        total: usize,
    },
    /// Time ran out before all modules were scanned.
    TimedOut {
        /// Modules that were.
        scanned: usize,
        /// All modules.
        of: usize,
    },
    /// Sources that could not be read.
    UnreadFiles {
        /// How many.
        count: usize,
    },
}

impl Note {
    /// The note in the user's language.
    #[must_use]
    pub fn message(&self, language: Language) -> String {
        let russian = language == Language::Russian;
        match self {
            Self::NoVectors { reason } if russian => {
                format!("поиск по смыслу не участвовал: векторов нет{} (metascope embed)", behind(reason))
            }
            Self::NoVectors { reason } => {
                format!("nothing was searched by meaning: there are no vectors{} (metascope embed)", behind(reason))
            }
            Self::NoModel { reason } if russian => format!("поиск по смыслу не участвовал: нет модели ({reason})"),
            Self::NoModel { reason } => format!("nothing was searched by meaning: no model ({reason})"),
            Self::VectorsUnfinished { done, total } if russian => {
                format!("векторы ещё считаются: {done} из {total} текстов, поиск по смыслу неполон")
            }
            Self::VectorsUnfinished { done, total } => {
                format!("vectors are still being made: {done} of {total} texts, search by meaning is incomplete")
            }
            Self::OtherModel { vectors, installed } if russian => {
                format!("векторы посчитаны моделью {vectors}, установлена {installed}: постройте их заново")
            }
            Self::OtherModel { vectors, installed } => {
                format!("the vectors are of the model {vectors}, installed is {installed}: make them again")
            }
            Self::Truncated { total } if russian => format!("показаны не все места, всего их {total}"),
            Self::Truncated { total } => format!("not all places are shown, there are {total}"),
            Self::TimedOut { scanned, of } if russian => format!("время вышло: просмотрено {scanned} из {of} модулей"),
            Self::TimedOut { scanned, of } => format!("time ran out: {scanned} of {of} modules were scanned"),
            Self::UnreadFiles { count } if russian => format!("не прочитано файлов: {count}"),
            Self::UnreadFiles { count } => format!("files that could not be read: {count}"),
        }
    }
}

/// A reason behind a colon; nothing if there is none.
fn behind(reason: &str) -> String {
    if reason.is_empty() { String::new() } else { format!(": {reason}") }
}
