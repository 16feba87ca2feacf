//! Why a change can't be proposed, applied or taken back.

use std::path::PathBuf;

use metadata::Language;
use serde_json::{Value, json};

use super::gate::Finding;
use super::model::{EditId, EditState};
use super::patch::PatchError;
use crate::tool::say;

/// Places that a hint shows.
const SHOWN: usize = 10;
/// So many of the findings that refuse a change are told: a change of a thousand files may have as many.
const TOLD: usize = 10;

/// Why a change can't be proposed, applied or taken back.
#[derive(Debug, thiserror::Error)]
pub enum EditError {
    /// The path leads out of the project.
    #[error("{path}: outside the project")]
    Outside {
        /// As given, shortened.
        path: String,
    },
    /// No file of the project.
    #[error("{path}: not a file of the project")]
    NotAFile {
        /// As given, shortened.
        path: String,
    },
    /// The file holds something else than text in UTF-8.
    #[error("{path}: not a text in UTF-8 (a container, or another encoding): it can't be edited")]
    NotText {
        /// Its path.
        path: String,
    },
    /// Too much.
    #[error("{what}: {bytes} bytes, at most {limit} are allowed")]
    TooLarge {
        /// What is.
        what: String,
        /// How large.
        bytes: u64,
        /// The limit.
        limit: u64,
    },
    /// Nothing would change.
    #[error("nothing would change")]
    Nothing,
    /// A gate refused the result.
    #[error("refused: {}", found.first().map_or("", |finding| finding.en.as_str()))]
    Blocked {
        /// What blocks.
        found: Vec<Finding>,
    },
    /// A block of a patch doesn't match.
    #[error(transparent)]
    Patch(#[from] PatchError),
    /// The place is none.
    #[error("{en}")]
    Place {
        /// In Russian.
        ru: String,
        /// In English.
        en: String,
        /// Lines of the text that help.
        near: Vec<String>,
    },
    /// Some places may name what is to be renamed, and nothing proves that they do or don't.
    #[error("{what}: {} places may name it", places.len())]
    Unsure {
        /// What is to be renamed.
        what: String,
        /// `file:line`, each with its reason.
        places: Vec<String>,
    },
    /// No change of that number.
    #[error("there is no change {id}")]
    Unknown {
        /// The number.
        id: EditId,
        /// Those that wait.
        pending: Vec<EditId>,
    },
    /// It is in another state.
    #[error("change {id} is {}", state.word())]
    State {
        /// The number.
        id: EditId,
        /// Its state.
        state: EditState,
    },
    /// A file is not as it was when the change was proposed or applied.
    #[error("{path} changed since: change {id} doesn't fit it any more")]
    Conflict {
        /// The number.
        id: EditId,
        /// The file.
        path: String,
        /// The later change that stands in it, if it was one of ours.
        by: Option<EditId>,
    },
    /// Another change of the same place comes first.
    #[error("change {id} stands on change {first}")]
    StandsOn {
        /// The number.
        id: EditId,
        /// What it stands on.
        first: EditId,
    },
    /// Another program is changing the same project.
    #[error("another program is changing the edits of this project")]
    Busy,
    /// A file can't be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// Which.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// What is kept of a change can't be read.
    #[error("{}: {why}", path.display())]
    Record {
        /// Which file.
        path: PathBuf,
        /// Why.
        why: String,
    },
}

impl EditError {
    /// A place that is none, said in both languages.
    pub(crate) fn place(ru: impl Into<String>, en: impl Into<String>) -> Self {
        Self::Place { ru: ru.into(), en: en.into(), near: Vec::new() }
    }

    /// A short word for programs.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Outside { .. } => "outside_project",
            Self::NotAFile { .. } => "not_a_file",
            Self::NotText { .. } => "not_text",
            Self::TooLarge { .. } => "too_large",
            Self::Nothing => "nothing",
            Self::Blocked { .. } => "blocked",
            Self::Patch(error) => error.code(),
            Self::Place { .. } => "no_place",
            Self::Unsure { .. } => "unsure",
            Self::Unknown { .. } => "unknown_edit",
            Self::State { .. } => "edit_state",
            Self::Conflict { .. } => "conflict",
            Self::StandsOn { .. } => "stands_on",
            Self::Busy => "edits_busy",
            Self::Io { .. } => "io",
            Self::Record { .. } => "record",
        }
    }

    /// The message in the user's language.
    pub fn message(&self, language: Language) -> String {
        if let Self::Patch(error) = self {
            return error.message(language);
        }
        if language == Language::English {
            return self.to_string();
        }
        match self {
            Self::Outside { path } => format!("{path}: вне проекта"),
            Self::NotAFile { path } => format!("{path}: в проекте нет такого файла"),
            Self::NotText { path } => {
                format!("{path}: не текст в UTF-8 (контейнер или другая кодировка), править его нельзя")
            }
            Self::TooLarge { what, bytes, limit } => format!("{what}: {bytes} байт, можно не больше {limit}"),
            Self::Nothing => "ничего не изменилось бы".to_owned(),
            Self::Blocked { found } => {
                format!("правка отклонена: {}", found.first().map_or("", |finding| finding.ru.as_str()))
            }
            Self::Place { ru, .. } => ru.clone(),
            Self::Unsure { what, places } => format!("{what}: мест, которые могут его называть: {}", places.len()),
            Self::Unknown { id, .. } => format!("правки {id} нет"),
            Self::State { id, state } => {
                let state = match state {
                    EditState::Pending => "ещё не применена",
                    EditState::Applied => "уже применена",
                    EditState::Undone => "уже отменена",
                    EditState::Discarded => "отброшена",
                };
                format!("правка {id} {state}")
            }
            Self::Conflict { id, path, .. } => {
                format!("{path} с тех пор изменился: правка {id} к нему больше не подходит")
            }
            Self::StandsOn { id, first } => format!("правка {id} опирается на правку {first}"),
            Self::Busy => "правки этого проекта сейчас меняет другая программа".to_owned(),
            Self::Patch(_) | Self::Io { .. } | Self::Record { .. } => self.to_string(),
        }
    }

    /// How to mend it.
    pub fn hint(&self, language: Language) -> Option<String> {
        let text = match self {
            Self::Outside { .. } | Self::NotAFile { .. } => say(
                language,
                "правят только файлы выгрузки; назовите модуль, метод или путь файла от корня выгрузки",
                "only files of the dump are edited; name a module, a method, or a file's path from the root of the dump",
            )
            .to_owned(),
            Self::Blocked { found } => {
                let blocking: Vec<&Finding> = found.iter().filter(|one| one.blocking).collect();
                let lines: Vec<String> = blocking.iter().take(TOLD).map(|one| one.line_of_text(language)).collect();
                match blocking.len().saturating_sub(TOLD) {
                    0 => lines.join("; "),
                    more => format!("{}; … {} {more}", lines.join("; "), say(language, "ещё", "more:")),
                }
            }
            Self::Patch(error) => return error.hint(language),
            Self::Place { near, .. } if !near.is_empty() => near.join("\n"),
            Self::Unsure { places, .. } => {
                let more = if places.len() > SHOWN { " …" } else { "" };
                let shown: Vec<&str> = places.iter().take(SHOWN).map(String::as_str).collect();
                format!("{}: {}{more}", say(language, "проверьте их", "look at them"), shown.join("; "))
            }
            Self::Unknown { pending, .. } => {
                let list: Vec<String> = pending.iter().map(ToString::to_string).collect();
                format!("{}: {}", say(language, "ждут применения", "pending"), list.join(", "))
            }
            Self::Conflict { by: Some(by), .. } => {
                let what = say(language, "сначала отмените правку", "undo this one first:");
                format!("{what} {by}")
            }
            Self::Conflict { by: None, .. } => say(
                language,
                "файл не тронут; отбросьте правку и предложите её заново по новому тексту",
                "the file is as it was; discard the change and propose it anew for the new text",
            )
            .to_owned(),
            Self::StandsOn { first, .. } => {
                format!("{} {first}", say(language, "сначала правка", "first change"))
            }
            Self::Busy => say(language, "повторите позже", "try again later").to_owned(),
            _ => return None,
        };
        Some(text)
    }

    /// What programs get beside code, message and hint.
    pub(crate) fn details(&self) -> Option<(&'static str, Value)> {
        match self {
            Self::Blocked { found } => {
                let (blocking, others): (Vec<&Finding>, Vec<&Finding>) = found.iter().partition(|one| one.blocking);
                Some(("findings", json!(blocking.into_iter().chain(others).take(TOLD).collect::<Vec<_>>())))
            }
            Self::Patch(error) => error.details(),
            Self::Place { near, .. } if !near.is_empty() => Some(("near", json!(near))),
            Self::Unsure { places, .. } => Some(("places", json!(places.iter().take(SHOWN * 5).collect::<Vec<_>>()))),
            _ => None,
        }
    }

    /// True if the user's input is the matter, false for faults of the machine.
    pub fn is_usage(&self) -> bool {
        !matches!(self, Self::Io { .. } | Self::Record { .. })
    }
}
