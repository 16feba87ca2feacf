//! What the loop asks of the tools.

use tokio_util::sync::CancellationToken;

use crate::message::Arguments;
use crate::model::ToolSchema;

/// The tools of a project, as the loop sees them. [`crate::ProjectTools`] is the one over an index.
pub trait Toolbox: Send + Sync {
    /// What a model may call.
    fn schemas(&self) -> Vec<ToolSchema>;

    /// Runs one call. Never fails: what went wrong is text that a model can act on, an unknown tool and broken arguments
    /// among it. Blocking; looks at `cancel` where work may take long.
    fn call(&self, name: &str, arguments: &Arguments, cancel: &CancellationToken) -> ToolOutcome;

    /// Changes whenever a call may give another result than before: with the index, with pending edits.
    fn version(&self) -> String;

    /// Whether a dotted name in a text is one of the configuration.
    fn check_name(&self, name: &str) -> NameCheck;
}

/// What a call gave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolOutcome {
    /// What the model reads.
    pub content: String,
    /// One line for people and for the journal.
    pub summary: String,
    /// False: an error.
    pub ok: bool,
}

/// What is known of a name in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NameCheck {
    /// It exists.
    Known,
    /// It has the shape of a configuration's name, and no such thing exists.
    Unknown {
        /// The nearest names that exist, best first.
        nearest: Vec<String>,
    },
    /// Not a name of the configuration: a file, an address, a member of a platform type.
    NotAName,
}
