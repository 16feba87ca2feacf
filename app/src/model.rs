//! Which model answers, for the command line and the window alike.

use std::sync::Arc;

use agent::models::{self, BookError, ModelBook, ModelEntry, OpenError, SystemKeys};
use agent::openai::{self, OpenAiModel, Settings};
use agent::sent::SentLog;
use agent::{AgentSettings, ChatModel, Limits, Mode, ModelError, OfflineModel};
use metadata::Language;
use paths::Places;

use crate::failure::Failure;

/// A model that answers.
#[derive(Clone)]
pub struct Chosen {
    /// The model.
    pub model: Arc<dyn ChatModel>,
    /// Its settings, if it is one of those that the user has set up.
    pub entry: Option<ModelEntry>,
}

impl Chosen {
    /// How an agent works with it: turns, price and the length of a history are its own.
    pub fn settings(&self, mode: Mode, language: Language, limits: Limits) -> AgentSettings {
        let default = AgentSettings { mode, language, limits, ..AgentSettings::default() };
        let turns = self.entry.as_ref().map_or(default.turns, |entry| entry.turns);
        // About three characters make a token; the other half is for tools and the answer.
        let history = self.model.context_tokens().map(|tokens| tokens as usize * 3 / 2);
        let history_chars = history.map_or(default.history_chars, |history| history.min(default.history_chars));
        let price = self.entry.as_ref().and_then(|entry| entry.price.clone());
        AgentSettings { turns, history_chars, price, ..default }
    }
}

/// The models that the user has set up.
///
/// # Errors
/// If the file can't be read.
pub fn book(places: &Places) -> Result<ModelBook, BookError> {
    ModelBook::read(&places.chat_models_file())
}

/// The log of what is sent.
pub fn sent_log(places: &Places) -> SentLog {
    SentLog::new(places.sent_file())
}

/// The model of that name: `offline`, `env`, or one that was set up. Without a name that of the environment, else the default
/// of those that were set up, else the written investigations.
///
/// # Errors
/// For a name that there is not, settings that can't be used, a key that isn't where it should be.
pub fn choose(places: &Places, name: Option<&str>, limits: &Limits) -> Result<Chosen, OpenError> {
    let environment = |required: bool| -> Result<Option<Chosen>, OpenError> {
        let settings = Settings::from_env(|name| std::env::var(name).ok())?;
        let Some(settings) = settings else {
            let missing = || BookError::NoKey { name: "env".to_owned(), place: openai::URL_VARIABLE.to_owned() };
            return if required { Err(missing().into()) } else { Ok(None) };
        };
        let settings = Settings { sent: Some(Arc::new(sent_log(places))), ..settings };
        Ok(Some(Chosen { model: Arc::new(OpenAiModel::new(settings, limits)?), entry: None }))
    };
    let offline = || Chosen { model: Arc::new(OfflineModel), entry: None };
    match name {
        Some("offline") => return Ok(offline()),
        Some("env") => return Ok(environment(true)?.unwrap_or_else(offline)),
        Some(_) => {}
        None => {
            if let Some(chosen) = environment(false)? {
                return Ok(chosen);
            }
        }
    }
    let book = book(places)?;
    match name.or(book.default.as_deref()) {
        Some(name) => open(places, &book, book.get(name)?, limits),
        None => Ok(offline()),
    }
}

/// One of the models that were set up.
///
/// # Errors
/// For settings that can't be used, a key that isn't where it should be.
pub fn open(places: &Places, book: &ModelBook, entry: &ModelEntry, limits: &Limits) -> Result<Chosen, OpenError> {
    let model = models::open(book, entry, &SystemKeys, limits, Some(&Arc::new(sent_log(places))))?;
    Ok(Chosen { model, entry: Some(entry.clone()) })
}

/// A model that takes images, in place of a chosen one that takes none: another of the same region.
///
/// # Errors
/// If there is none, with what can be done.
pub fn that_sees(places: &Places, chosen: Chosen, limits: &Limits, language: Language) -> Result<Chosen, Failure> {
    if chosen.model.takes_images() {
        return Ok(chosen);
    }
    let failed = |error: OpenError| failure(&error, language);
    let book = book(places).map_err(|error| failed(error.into()))?;
    match chosen.entry.as_ref().and_then(|entry| book.for_image(entry)) {
        Some(entry) => open(places, &book, entry, limits).map_err(failed),
        None => Err(no_eyes(chosen.model.name(), language)),
    }
}

fn no_eyes(name: &str, language: Language) -> Failure {
    let say = |ru: &str, en: &str| if language == Language::Russian { ru.to_owned() } else { en.to_owned() };
    let what = say("модель не принимает изображений", "the model takes no images");
    Failure::usage("no_images", format!("{what}: {name}")).with_hint(say(
        "добавьте модель того же региона, которая их принимает (models add … --images), или вставьте текст ошибки в вопрос",
        "add a model of the same region that takes them (models add … --images), or put the text of the error into the question",
    ))
}

/// A model that can't be asked, as people and programs are told of it.
pub fn failure(error: &OpenError, language: Language) -> Failure {
    match error {
        OpenError::Book(error) => {
            let failure = Failure::usage(error.code(), error.message(language));
            Failure { hint: error.hint(language), ..failure }
        }
        OpenError::Model(error) => model_failure(error, language),
    }
}

/// A model that failed, likewise.
pub fn model_failure(error: &ModelError, language: Language) -> Failure {
    let hint = Some(models::mend(error, language)).filter(|hint| !hint.is_empty());
    Failure { hint: hint.map(str::to_owned), ..Failure::usage("model", error.to_string()) }
}
