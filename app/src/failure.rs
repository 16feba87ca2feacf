//! How the program fails: a code for programs, a message and a remedy for people, and an exit code of the contract.

use std::fmt;

use serde_json::json;

/// Exit codes of the contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Checks found errors, or the answer is "not found".
    NotFound = 1,
    /// Wrong usage or input.
    Usage = 2,
    /// Stopped by the user.
    Stopped = 3,
    /// Our own fault.
    Internal = 70,
}

/// A failure that a person or a program is told of.
#[derive(Debug)]
pub struct Failure {
    /// The process's exit code.
    pub exit: Exit,
    /// A stable word for programs.
    pub code: &'static str,
    /// What is wrong, and where.
    pub message: String,
    /// How to mend it.
    pub hint: Option<String>,
}

impl Failure {
    /// Wrong usage or input.
    pub fn usage(code: &'static str, message: impl Into<String>) -> Self {
        Self { exit: Exit::Usage, code, message: message.into(), hint: None }
    }

    /// The answer is "not found".
    pub fn not_found(code: &'static str, message: impl Into<String>) -> Self {
        Self { exit: Exit::NotFound, code, message: message.into(), hint: None }
    }

    /// The user stopped it.
    pub fn stopped(message: impl Into<String>) -> Self {
        Self { exit: Exit::Stopped, code: "stopped", message: message.into(), hint: None }
    }

    /// Adds how to mend it.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// The failure as the contract's JSON.
    pub fn to_json(&self) -> serde_json::Value {
        json!({"error": {"code": self.code, "message": self.message, "hint": self.hint}})
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        match &self.hint {
            Some(hint) => write!(f, "\n  → {hint}"),
            None => Ok(()),
        }
    }
}

impl From<anyhow::Error> for Failure {
    fn from(error: anyhow::Error) -> Self {
        Self { exit: Exit::Internal, code: "internal", message: format!("{error:#}"), hint: None }
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        Self { exit: Exit::Internal, code: "io", message: error.to_string(), hint: None }
    }
}

/// What a subcommand gives.
pub type Outcome<T = ()> = Result<T, Failure>;
