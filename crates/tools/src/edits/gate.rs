//! What a change must pass before it is kept.

use metadata::Language;
use serde::{Deserialize, Serialize};
use validators::Text;
use validators::dcs::Severity;

use super::splice::Splices;
use crate::context::Context;
use crate::error::ToolError;
use crate::tool::say;

/// Looks at the result of a change. One a file, in [`super::gates`].
pub trait Gate: Sync {
    /// A short word that findings bear.
    fn name(&self) -> &'static str;

    /// What is wrong with the result. A gate that a file doesn't concern finds nothing.
    ///
    /// All files come at once: what one of them needs another one may bring. A gate must not blame a change for what stood there
    /// before.
    ///
    /// # Errors
    /// If the index can't be read, or a person stopped the work.
    fn check(&self, context: &Context<'_>, files: &[Changed<'_>]) -> Result<Vec<Finding>, ToolError>;
}

/// A file before and after a change.
#[derive(Clone, Copy, Debug)]
pub struct Changed<'a> {
    /// Path as the views show it.
    pub path: &'a str,
    /// The text before, with earlier pending changes in it; a byte order mark, if there is one, is part of it.
    pub before: &'a str,
    /// The text after.
    pub after: &'a str,
    /// What leads from the one to the other.
    pub splices: &'a Splices,
}

/// Something that a gate found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// The gate; of a check, its code.
    pub gate: String,
    /// Whether the change is refused.
    pub blocking: bool,
    /// Path of the file.
    pub path: String,
    /// 1-based line of the text after the change; 0: the file as a whole.
    pub line: u32,
    /// What is wrong and how to mend it, in Russian.
    pub ru: String,
    /// In English.
    pub en: String,
}

impl Finding {
    /// What a check found in a file.
    pub fn of_check(check: &str, severity: Severity, path: &str, line: u32, what: &Text, mend: &Text) -> Self {
        Self {
            gate: check.to_owned(),
            blocking: severity == Severity::Blocking,
            path: path.to_owned(),
            line,
            ru: format!("{}. {}", what.ru, mend.ru),
            en: format!("{}. {}", what.en, mend.en),
        }
    }

    /// What a person should know of a file as a whole; nothing is refused.
    pub fn remark(gate: &str, path: &str, text: Text) -> Self {
        Self { gate: gate.to_owned(), blocking: false, path: path.to_owned(), line: 0, ru: text.ru, en: text.en }
    }

    /// The text in the user's language.
    pub fn message(&self, language: Language) -> &str {
        say(language, &self.ru, &self.en)
    }

    /// `path:line: text [gate]`.
    pub fn line_of_text(&self, language: Language) -> String {
        let place = if self.line == 0 { self.path.clone() } else { format!("{}:{}", self.path, self.line) };
        format!("{place}: {} [{}]", self.message(language), self.gate)
    }
}
