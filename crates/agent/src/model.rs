//! What the loop asks of a chat model, and how one may fail.

use std::time::Duration;

use futures_util::future::BoxFuture;
use serde_json::Value;
use thiserror::Error;
use tools::Language;

use crate::message::{Call, Message, Usage};
use crate::models::Region;

/// A chat model. One that runs over HTTP and one that follows written investigations look alike to the loop.
pub trait ChatModel: Send + Sync {
    /// How people see it: `offline`, `deepseek-chat @ api.deepseek.com`.
    fn name(&self) -> &str;

    /// Where the text is processed, for a person who must know before anything is sent; `None`: on this machine, in this process.
    fn processed_at(&self) -> Option<&str>;

    /// The region that text sent to it stays in.
    fn region(&self) -> Region {
        Region::local()
    }

    /// Whether it takes [`Message::Image`].
    fn takes_images(&self) -> bool {
        false
    }

    /// Tokens that it takes, if that is known.
    fn context_tokens(&self) -> Option<u32> {
        None
    }

    /// Whether it follows what the loop tells it beside the question: to sum up, to correct an answer. Written investigations
    /// don't.
    fn follows_orders(&self) -> bool {
        true
    }

    /// The language in which it answers a question, if texts of tools go into its answers as they are. `None`: it has words of its own.
    fn speaks(&self, _question: &str) -> Option<Language> {
        None
    }

    /// What is left on the user's account, in words, where the provider tells it.
    fn balance(&self) -> BoxFuture<'_, Option<String>> {
        Box::pin(std::future::ready(None))
    }

    /// Answers a conversation. Pieces of the answer go to `sink` as they come; the whole of it is returned.
    ///
    /// Dropping the future stops the work at once.
    fn reply<'a>(&'a self, request: Request<'a>, sink: Sink<'a>) -> BoxFuture<'a, Result<Reply, ModelError>>;
}

/// Takes the pieces of an answer as they come.
pub type Sink<'a> = &'a (dyn Fn(Delta) + Send + Sync);

/// What a model is given.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// The conversation; the system message first, unchanged within a run.
    pub messages: &'a [Message],
    /// Tools that may be called.
    pub tools: &'a [ToolSchema],
    /// Whether tools may be called in this turn. The tools stay in the request either way, since they are part of the
    /// prefix that providers cache.
    pub allow_tools: bool,
}

/// A tool as a model sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolSchema {
    /// Its name.
    pub name: String,
    /// When to use it, when not, an example.
    pub description: String,
    /// JSON schema of the arguments.
    pub parameters: Value,
    /// Whether it only reads; several read calls of a turn run side by side.
    pub read_only: bool,
}

/// A piece of an answer, or news about it.
#[derive(Clone, Debug, PartialEq)]
pub enum Delta {
    /// Text of the answer.
    Text(String),
    /// Text of the model's reasoning, which is no part of the answer.
    Reasoning(String),
    /// The stream is alive, though it carried nothing to show.
    Alive,
    /// Nothing was received; the request will be sent again.
    Retry {
        /// Which attempt failed, from 1.
        attempt: u32,
        /// How long until the next.
        wait: Duration,
        /// Why.
        reason: String,
    },
    /// Nothing was received; another model of the same region is asked in place of this one.
    Moved {
        /// Which.
        to: String,
        /// Why.
        reason: String,
    },
}

/// A whole answer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reply {
    /// Its text.
    pub text: String,
    /// Calls asked for.
    pub calls: Vec<Call>,
    /// Tokens, if the provider told.
    pub usage: Option<Usage>,
    /// The provider stopped at its limit of length.
    pub truncated: bool,
}

/// Why there is no answer. The loop and the code that sends again look at the same kinds.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum ModelError {
    /// No connection, or it closed before anything came.
    #[error("no connection to {url}: {reason}")]
    Connect {
        /// Where.
        url: String,
        /// Why.
        reason: String,
    },
    /// The provider is busy: HTTP 408, 425, 429, 500, 502, 503, 504, 529.
    #[error("the model's server is busy (HTTP {status}): {message}")]
    Busy {
        /// HTTP status.
        status: u16,
        /// What the provider said.
        message: String,
        /// How long it asks to wait.
        retry_after: Option<Duration>,
    },
    /// The provider refused: wrong key, unknown model, too long a conversation.
    #[error("the model's server refused (HTTP {status}): {message}")]
    Refused {
        /// HTTP status.
        status: u16,
        /// What the provider said.
        message: String,
    },
    /// An error inside a stream that had begun.
    #[error("the model's server reported an error: {0}")]
    Provider(String),
    /// Nothing came for longer than the limit.
    #[error("the model was silent for {} s", limit.as_secs_f32())]
    Silent {
        /// The limit.
        limit: Duration,
        /// Whether a part of the answer had come.
        received: bool,
    },
    /// The stream ended before the answer did.
    #[error("the stream broke off in the middle of the answer: {reason}")]
    CutOff {
        /// Why.
        reason: String,
    },
    /// The answer is none that we can read.
    #[error("the model's server sent what is no chat completion: {0}")]
    Malformed(String),
    /// The settings of the model are wrong.
    #[error("wrong settings of the model: {0}")]
    Settings(String),
}

impl ModelError {
    /// Whether nothing of an answer was received and asking again may help. A partly received answer is never asked for
    /// again: its text would stand twice.
    pub fn may_retry(&self) -> bool {
        matches!(self, Self::Connect { .. } | Self::Busy { .. } | Self::Silent { received: false, .. })
    }

    /// Whether nothing of an answer was received and another model may be asked in place of this one: it can't be reached, or has
    /// no key, money, right or name of its own. What is wrong with the question itself would be wrong there too.
    pub fn may_move(&self) -> bool {
        self.may_retry() || matches!(self, Self::Refused { status: 401..=404 | 429, .. })
    }

    /// Whether the conversation was longer than the model takes.
    pub fn is_too_long(&self) -> bool {
        let says = |message: &str| {
            let message = message.to_lowercase();
            let words = [
                "context length",
                "context_length",
                "context window",
                "maximum context",
                "too many tokens",
                "prompt is too long",
            ];
            words.iter().any(|words| message.contains(words))
        };
        matches!(self, Self::Refused { status: 400 | 413 | 422, message } if says(message))
    }

    /// The wait that the provider asked for.
    pub fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::Busy { retry_after, .. } => *retry_after,
            _ => None,
        }
    }
}
