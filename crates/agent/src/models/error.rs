//! What can be wrong with the settings of models.

use std::path::PathBuf;

use thiserror::Error;
use tools::Language;

use super::say;

/// Wrong settings. `Display` is English; [`BookError::message`] and [`BookError::hint`] speak both languages.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum BookError {
    /// The file can't be read, or can't be written.
    #[error("{}: {why}", .path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// Why.
        why: String,
    },
    /// No such model.
    #[error("no such model: {name}")]
    Unknown {
        /// As asked.
        name: String,
        /// Those that there are.
        known: Vec<String>,
    },
    /// A name that stands twice, is empty, or has a meaning of its own.
    #[error("the name of a model can't be used: {name:?}")]
    Name {
        /// As written.
        name: String,
    },
    /// Not a region.
    #[error("not a region: {text:?}")]
    Region {
        /// As written.
        text: String,
    },
    /// What an address says contradicts the region.
    #[error("model {name}: region {region}, but {host} is {known}")]
    Elsewhere {
        /// The model.
        name: String,
        /// As written.
        region: String,
        /// Whose address it is.
        host: String,
        /// What is known of it.
        known: String,
    },
    /// An address that can't be used.
    #[error("model {name}: {text}: {why}")]
    Address {
        /// The model.
        name: String,
        /// As written, secrets masked.
        text: String,
        /// Why.
        why: String,
    },
    /// A secret where none may stand.
    #[error("model {name}: {what} holds a secret in plain text")]
    PlainSecret {
        /// The model; empty if it can't be told.
        name: String,
        /// Where.
        what: String,
    },
    /// Another value that can't be used.
    #[error("model {name}: {what}")]
    Value {
        /// The model.
        name: String,
        /// What is wrong.
        what: String,
    },
    /// The second model would leave the region of the first.
    #[error("model {name} ({region}) can't fall back to {second} ({other}): that leaves the region")]
    Leaves {
        /// The first.
        name: String,
        /// Its region.
        region: String,
        /// The second.
        second: String,
        /// Its region.
        other: String,
    },
    /// A key that isn't where it should be.
    #[error("the key of model {name} isn't there: {place}")]
    NoKey {
        /// The model.
        name: String,
        /// Where it was looked for.
        place: String,
    },
    /// The system's key store doesn't answer.
    #[error("the system's key store: {why}")]
    Store {
        /// Why.
        why: String,
    },
}

impl BookError {
    /// A stable word for programs.
    pub fn code(&self) -> &'static str {
        match self {
            Self::File { .. } => "models_file",
            Self::Unknown { .. } => "unknown_model",
            Self::Leaves { .. } | Self::Elsewhere { .. } | Self::Region { .. } => "region",
            Self::PlainSecret { .. } => "plain_secret",
            Self::NoKey { .. } | Self::Store { .. } => "model_key",
            Self::Name { .. } | Self::Address { .. } | Self::Value { .. } => "model_settings",
        }
    }

    /// What is wrong, in the language of a person.
    pub fn message(&self, language: Language) -> String {
        if language == Language::English {
            return self.to_string();
        }
        match self {
            Self::File { path, why } => format!("{}: {why}", path.display()),
            Self::Unknown { name, .. } => format!("нет такой модели: {name}"),
            Self::Name { name } => format!("так назвать модель нельзя: {name:?}"),
            Self::Region { text } => format!("не регион: {text:?}"),
            Self::Elsewhere { name, region, host, known } => {
                format!("модель {name}: указан регион {region}, но {host} — это {known}")
            }
            Self::Address { name, text, why } => format!("модель {name}: {text}: {why}"),
            Self::PlainSecret { name, what } => format!("модель {name}: секрет открытым текстом: {what}"),
            Self::Value { name, what } => format!("модель {name}: {what}"),
            Self::Leaves { name, region, second, other } => {
                format!(
                    "модель {name} ({region}) не может передать вопрос модели {second} ({other}): это другой регион"
                )
            }
            Self::NoKey { name, place } => format!("нет ключа модели {name}: {place}"),
            Self::Store { why } => format!("хранилище ключей системы: {why}"),
        }
    }

    /// How to mend it.
    pub fn hint(&self, language: Language) -> Option<String> {
        let text = match self {
            Self::File { .. } => say(
                language,
                "исправьте файл или удалите его: модели можно добавить заново (metascope models add)",
                "mend the file, or delete it: models can be added again (metascope models add)",
            ),
            Self::Unknown { known, .. } => {
                return Some(
                    [&["offline", "env"], known.iter().map(String::as_str).collect::<Vec<_>>().as_slice()]
                        .concat()
                        .join(", "),
                );
            }
            Self::Name { .. } => say(
                language,
                "имя — непустое слово без пробелов, которого ещё нет; offline и env заняты",
                "a name is a word without blanks that isn't taken; offline and env are",
            ),
            Self::Region { .. } => say(
                language,
                "код страны (RU, CN, US …), EU, local (эта машина или сеть) или any",
                "a country's code (RU, CN, US …), EU, local (this machine or network) or any",
            ),
            Self::Elsewhere { .. } => say(
                language,
                "укажите --region так, как есть: от него зависит, куда уйдёт текст",
                "say --region as it is: it decides where the text may go",
            ),
            Self::Address { .. } => {
                say(language, "нужен адрес вида https://сервер/v1", "an address such as https://server/v1 is needed")
            }
            Self::PlainSecret { .. } => say(
                language,
                "положите ключ в хранилище системы (models add … --key-stdin) или в переменную окружения (env:ИМЯ)",
                "put the key into the system's store (models add … --key-stdin) or an environment variable (env:NAME)",
            ),
            Self::Leaves { .. } => say(
                language,
                "выберите запасную модель того же региона или местную",
                "choose a second model of the same region, or a local one",
            ),
            Self::NoKey { .. } => say(
                language,
                "задайте переменную, или положите ключ в хранилище: metascope models add ИМЯ --key-stdin",
                "set the variable, or put the key into the store: metascope models add NAME --key-stdin",
            ),
            Self::Store { .. } => say(
                language,
                "держите ключ в переменной окружения: --key env:ИМЯ",
                "keep the key in an environment variable: --key env:NAME",
            ),
            Self::Value { .. } => return None,
        };
        Some(text.to_owned())
    }
}
