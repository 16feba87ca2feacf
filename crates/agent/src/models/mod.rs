//! The chat models that a user has set up: places that are known, the file of settings, keys, a second model for the case
//! that the first can't be reached, and a test of what works.
//!
//! What is sent may go to one region only, the one that the chosen model is in: [`Region::covers`] is asked wherever another model
//! could take part.

mod address;
mod book;
mod error;
mod failover;
mod keys;
mod mend;
mod presets;
mod probe;
mod region;

use std::sync::Arc;

use tools::Language;

pub use book::{Abilities, ModelBook, ModelEntry};
pub use error::BookError;
pub use failover::Failover;
pub use keys::{KeyPlace, Keys, SystemKeys};
pub use mend::mend;
pub use presets::{Preset, preset, presets};
pub use probe::{Check, Finding, State, probe};
pub use region::Region;

use crate::TextProtocol;
use crate::limits::Limits;
use crate::model::{ChatModel, ModelError};
use crate::openai::{OpenAiModel, Settings};
use crate::sent::SentLog;

/// Where the text goes that an address is sent: what the host tells of itself.
pub fn region_of(base_url: &str) -> Region {
    address::region_of(base_url)
}

/// Why a model can't be asked.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The settings.
    #[error(transparent)]
    Book(#[from] BookError),
    /// The client.
    #[error(transparent)]
    Model(#[from] ModelError),
}

/// A model of the book, with its second one if it has one; what is sent goes to the log first.
///
/// # Errors
/// For settings, keys or variables that can't be used.
pub fn open(
    book: &ModelBook,
    entry: &ModelEntry,
    keys: &dyn Keys,
    limits: &Limits,
    log: Option<&Arc<SentLog>>,
) -> Result<Arc<dyn ChatModel>, OpenError> {
    let client = |entry: &ModelEntry| -> Result<Arc<dyn ChatModel>, OpenError> {
        let settings = Settings { sent: log.map(Arc::clone), ..entry.settings(keys)? };
        let model: Arc<dyn ChatModel> = Arc::new(OpenAiModel::new(settings, limits)?);
        // One that can't call tools writes its calls as text.
        Ok(if entry.abilities.tools { model } else { Arc::new(TextProtocol::new(model)) })
    };
    let first = client(entry)?;
    match book.second(entry)? {
        Some(second) => Ok(Arc::new(Failover::new(first, client(second)?)?)),
        None => Ok(first),
    }
}

fn say<'a>(language: Language, ru: &'a str, en: &'a str) -> &'a str {
    match language {
        Language::Russian => ru,
        Language::English => en,
    }
}
