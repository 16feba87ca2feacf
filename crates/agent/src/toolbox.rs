//! What the loop asks of the tools.

use std::sync::Arc;

use serde_json::Value;
use tokio_util::sync::CancellationToken;
use tools::topics::Question;
use tools::{Language, Topic, say};

use crate::message::Arguments;
use crate::model::ToolSchema;

/// The tools of a project, as the loop sees them. [`crate::ProjectTools`] is the one over an index.
pub trait Toolbox: Send + Sync {
    /// What a model may call.
    fn schemas(&self) -> Vec<ToolSchema>;

    /// What of it is sent with a question, and the texts that come with its topics. Blocking: it may load a model.
    fn briefing(&self, _question: &Question<'_>) -> Briefing {
        Briefing::default()
    }

    /// A short text about the platform that comes with a topic.
    fn reference(&self, _topic: Topic) -> Option<String> {
        None
    }

    /// Runs one call. Never fails: what went wrong is text that a model can act on, an unknown tool and broken arguments
    /// among it. Blocking; looks at `cancel` where work may take long.
    fn call(&self, name: &str, arguments: &Arguments, cancel: &CancellationToken) -> ToolOutcome;

    /// The same tools with their texts for people in another language; `None` if they know but one.
    fn in_language(&self, _language: Language) -> Option<Arc<dyn Toolbox>> {
        None
    }

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

/// What is sent along with a question.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Briefing {
    /// Names of the tools; `None`: all of them.
    pub tools: Option<Vec<String>>,
    /// Short texts about the platform.
    pub references: Vec<String>,
}

/// What a check refused in a proposal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// What it was about: a method, a field, an object.
    pub element: String,
    /// Why.
    pub reason: String,
}

impl ToolOutcome {
    /// What blocking checks refused in the proposal that a write tool made: entries of `refused`, and those of `findings` and
    /// `problems` that say `"blocking": true`, in the result or in its error. An entry names its `element` (or `name`) and a
    /// `reason` (or `message`); one that doesn't is known by what it says, wherever in the file it stands.
    pub fn refusals(&self, language: Language) -> Vec<Refusal> {
        let Ok(value) = serde_json::from_str::<Value>(&self.content) else { return Vec::new() };
        let text = |entry: &Value, keys: &[&str]| {
            keys.iter().find_map(|key| entry.get(key).and_then(Value::as_str)).map(str::to_owned)
        };
        let refusal = |entry: &Value| {
            let message = text(entry, &["reason", "message", say(language, "ru", "en")]);
            match text(entry, &["element", "name"]) {
                Some(element) => Some(Refusal { element, reason: message.unwrap_or_default() }),
                None => Some(Refusal { element: message?, reason: text(entry, &["path", "file"]).unwrap_or_default() }),
            }
        };
        let mut found = Vec::new();
        for place in [Some(&value), value.get("error")].into_iter().flatten() {
            let list = |key: &str| place.get(key).and_then(Value::as_array).into_iter().flatten();
            let blocking = list("findings").chain(list("problems"));
            let blocking = blocking.filter(|entry| entry.get("blocking") == Some(&Value::Bool(true)));
            found.extend(list("refused").chain(blocking).filter_map(refusal));
        }
        found
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusals_in_a_result_and_in_an_error() {
        let refused = |content: &str| {
            let outcome = ToolOutcome { content: content.to_owned(), summary: String::new(), ok: false };
            let refusals = outcome.refusals(Language::English);
            refusals.into_iter().map(|refusal| refusal.element + "|" + &refusal.reason).collect::<Vec<_>>()
        };
        assert_eq!(refused(r#"{"refused": [{"element": "А.Б", "reason": "нет"}]}"#), ["А.Б|нет"]);
        let findings = r#"{"error": {"findings": [
            {"gate": "syntax", "blocking": true, "path": "a.bsl", "line": 3, "ru": "лишняя скобка", "en": "a bracket too many"},
            {"gate": "style", "blocking": false, "path": "a.bsl", "line": 4, "ru": "длинно", "en": "long"}]}}"#;
        assert_eq!(refused(findings), ["a bracket too many|a.bsl"]);
        assert!(refused("не JSON").is_empty() && refused(r#"{"refused": 1}"#).is_empty());
    }
}
