//! What a front end is told while a question is worked on.

use std::time::Duration;

use serde::Serialize;

use crate::ground::Unresolved;
use crate::message::Usage;
use crate::price::Cost;

/// A step of a run, in the order things happen. The command line prints them, the window draws them.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// A turn begins.
    Turn {
        /// From 1.
        number: u32,
        /// Of how many.
        limit: u32,
    },
    /// A tool is called.
    ToolCall {
        /// Ties it to its [`Event::ToolResult`].
        id: String,
        /// The tool.
        name: String,
        /// Its arguments, as JSON on one line (or what the model wrote in their place).
        arguments: String,
    },
    /// A tool has answered.
    ToolResult {
        /// Ties it to its [`Event::ToolCall`].
        id: String,
        /// The tool.
        name: String,
        /// False: an error that went back to the model.
        ok: bool,
        /// One line for people.
        summary: String,
        /// What the model reads.
        content: String,
        /// How long it took.
        #[serde(serialize_with = "milliseconds")]
        took: Duration,
        /// Taken from the journal instead of calling again.
        repeated: bool,
    },
    /// A piece of the model's text. Text before a tool call is a remark; the answer comes once more as [`Event::Answer`].
    Text {
        /// The piece.
        delta: String,
    },
    /// A piece of the model's reasoning.
    Reasoning {
        /// The piece.
        delta: String,
    },
    /// Something a person may want to know: a retry, a limit reached.
    Notice {
        /// In the user's language.
        text: String,
    },
    /// Tokens of a turn and of the run so far.
    Usage {
        /// This turn.
        turn: Usage,
        /// The run.
        total: Usage,
        /// What both cost, if the user gave prices.
        #[serde(skip_serializing_if = "Option::is_none")]
        cost: Option<Cost>,
    },
    /// The final answer.
    Answer {
        /// The whole text; names that do not exist are marked in it.
        text: String,
        /// Names in it that the index does not know.
        unresolved: Vec<Unresolved>,
        /// False: what was found until the run was stopped or failed.
        complete: bool,
    },
    /// The run failed.
    Error {
        /// In the user's language: what happened, and what to do.
        message: String,
    },
}

fn milliseconds<S: serde::Serializer>(took: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_u64(u64::try_from(took.as_millis()).unwrap_or(u64::MAX))
}
