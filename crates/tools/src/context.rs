//! What a tool works with.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use index::search::Meaning;
use index::{Deadline, Index, State};
use metadata::Language;

use crate::edits::Edits;
use crate::error::ToolError;
use crate::web::WebSearch;

/// What a tool works with.
pub struct Context<'a> {
    /// The index.
    pub index: &'a Index,
    /// The pending changes of the project.
    pub edits: &'a Edits,
    /// Language of texts for people.
    pub language: Language,
    /// Set when a person stops the work.
    pub stop: &'a Stop,
    /// When a scan of all sources has to answer with what it found so far.
    pub until: Deadline,
    /// Search by meaning; without a model the search goes on by words and says so.
    pub meaning: &'a Mutex<Meaning>,
    /// Search in the web; None: the program has none.
    pub web: Option<&'a dyn WebSearch>,
}

/// How long a scan of all sources goes on if nobody says otherwise: a tool answers within two seconds.
pub const SCAN_TIME: Duration = Duration::from_millis(1700);

/// The model and the vectors for search by meaning, shared by the calls of a program: both are costly to load.
pub type SharedMeaning = Arc<Mutex<Meaning>>;

/// Tells a tool whether to stop.
#[derive(Clone)]
pub struct Stop(Arc<dyn Fn() -> bool + Send + Sync>);

impl Stop {
    /// Stops when `asked` says so; it is asked between pieces of long work.
    pub fn when(asked: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        Self(Arc::new(asked))
    }

    /// Whether to stop.
    pub fn is_stopped(&self) -> bool {
        (self.0)()
    }
}

impl Default for Stop {
    /// Never stops.
    fn default() -> Self {
        Self::when(|| false)
    }
}

impl std::fmt::Debug for Stop {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_tuple("Stop").field(&self.is_stopped()).finish()
    }
}

impl Context<'_> {
    /// How complete a list of what metadata says is: only files that were not read can hide something of it.
    ///
    /// # Errors
    /// If the index can't be read.
    pub fn of_metadata(&self) -> Result<State, ToolError> {
        Ok(State::of(self.index.unread_reasons()?))
    }

    /// To be called between pieces of long work.
    ///
    /// # Errors
    /// If the work is to stop.
    pub fn check(&self) -> Result<(), ToolError> {
        if self.stop.is_stopped() { Err(ToolError::Stopped) } else { Ok(()) }
    }
}
