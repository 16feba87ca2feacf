//! Answers that say how complete they are: an empty one is either proven or says why it isn't.

use serde::{Deserialize, Serialize};

/// Rows, and what is known of their completeness.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer<T> {
    /// Whether there may be more than `rows`.
    pub state: State,
    /// What was found, best first.
    pub rows: Vec<T>,
}

/// How complete an answer is.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    /// True if nothing is known that could hide more.
    pub complete: bool,
    /// What could hide more; empty exactly if `complete`.
    pub reasons: Vec<Reason>,
}

/// Why an answer may be incomplete.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "reason", rename_all = "snake_case")]
pub enum Reason {
    /// There are more rows than the limit.
    LimitReached {
        /// The limit, in rows.
        limit: usize,
    },
    /// The walk stopped at this depth, and there is more beyond.
    DepthReached {
        /// The depth.
        depth: u32,
    },
    /// Time ran out before all modules and templates were looked at.
    TimeReached {
        /// Those that were looked at.
        looked: usize,
        /// All that were to be looked at.
        of: usize,
    },
    /// Places whose targets only run time knows, and that could be calls of this: code in a text (`Выполнить`, `Вычислить`),
    /// a name that is computed, a receiver that nothing is known of.
    DynamicSites {
        /// Number of places.
        count: usize,
        /// The first of them, as `file:line`.
        places: Vec<String>,
    },
    /// A string literal holds the name, in places that no edge explains.
    NamedInStrings {
        /// The first of them, as `file:line`.
        places: Vec<String>,
        /// Number of places.
        count: usize,
    },
    /// The same name on values that nothing is known of.
    SameName {
        /// The first of them, as `file:line`.
        places: Vec<String>,
        /// Number of places.
        count: usize,
    },
    /// Files that could not be read.
    UnreadFiles {
        /// Number of files.
        count: usize,
    },
    /// Modules that the dump holds compiled, without their text.
    ProtectedModules {
        /// Number of modules.
        count: usize,
    },
    /// An extension without the configuration that it extends.
    BaseAbsent,
    /// Channels that this version doesn't derive yet.
    ChannelsNotBuilt {
        /// Their names.
        channels: Vec<String>,
    },
}

impl State {
    /// A state with these reasons.
    #[must_use]
    pub fn of(reasons: Vec<Reason>) -> Self {
        Self { complete: reasons.is_empty(), reasons }
    }
}

impl<T> Answer<T> {
    /// An answer with these reasons.
    #[must_use]
    pub fn new(rows: Vec<T>, reasons: Vec<Reason>) -> Self {
        Self { state: State::of(reasons), rows }
    }
}

impl Reason {
    /// One line for people.
    #[must_use]
    pub fn message(&self, language: metadata::Language) -> String {
        let russian = language == metadata::Language::Russian;
        match self {
            Self::LimitReached { limit } if russian => format!("показаны первые {limit}, есть ещё"),
            Self::LimitReached { limit } => format!("the first {limit} are shown, there are more"),
            Self::DepthReached { depth } if russian => format!("обход остановлен на глубине {depth}, дальше есть ещё"),
            Self::DepthReached { depth } => format!("stopped at depth {depth}, there is more beyond"),
            Self::TimeReached { looked, of } if russian => {
                format!("время вышло: просмотрено {looked} из {of} модулей и макетов")
            }
            Self::TimeReached { looked, of } => {
                format!("time ran out: {looked} of {of} modules and templates were looked at")
            }
            Self::DynamicSites { count, places } if russian => {
                format!(
                    "мест, где цель вычисляется при выполнении и могла бы быть этой: {count} ({})",
                    places.join(", ")
                )
            }
            Self::DynamicSites { count, places } => {
                format!(
                    "places whose target is computed at run time and could be this one: {count} ({})",
                    places.join(", ")
                )
            }
            Self::NamedInStrings { places, count } if russian => {
                format!("имя встречается в строках ({count}): {}", places.join(", "))
            }
            Self::NamedInStrings { places, count } => {
                format!("string literals hold the name ({count}): {}", places.join(", "))
            }
            Self::SameName { places, count } if russian => {
                format!("то же имя у значений, тип которых не известен ({count}): {}", places.join(", "))
            }
            Self::SameName { places, count } => {
                format!("the same name on values of unknown type ({count}): {}", places.join(", "))
            }
            Self::UnreadFiles { count } if russian => format!("файлов не прочитано: {count}"),
            Self::UnreadFiles { count } => format!("{count} files could not be read"),
            Self::ProtectedModules { count } if russian => format!("модулей без исходного текста: {count}"),
            Self::ProtectedModules { count } => format!("{count} modules come without their text"),
            Self::BaseAbsent if russian => "расширяемая конфигурация не загружена".to_owned(),
            Self::BaseAbsent => "the configuration that is extended is not loaded".to_owned(),
            Self::ChannelsNotBuilt { channels } if russian => {
                format!("эта версия ещё не строит связи: {}", channels.join(", "))
            }
            Self::ChannelsNotBuilt { channels } => format!("channels not derived yet: {}", channels.join(", ")),
        }
    }
}
