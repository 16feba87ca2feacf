//! What a conversation consists of, without regard to how a provider writes it.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::image::Image;

/// One message of a conversation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "role", rename_all = "snake_case")]
pub enum Message {
    /// Instructions; the first message and never another.
    System {
        /// The text.
        content: String,
    },
    /// From the person, or from the loop on the person's side (turn markers, the journal).
    User {
        /// The text.
        content: String,
    },
    /// An image from the person; belongs to the text after it.
    Image(Image),
    /// From the model.
    Assistant {
        /// The text; may be empty when tools are called.
        content: String,
        /// The calls it asks for, in order.
        calls: Vec<Call>,
    },
    /// A tool's result, one for each call.
    Tool {
        /// [`Call::id`] that it answers.
        call_id: String,
        /// The tool's name.
        name: String,
        /// What the model reads.
        content: String,
    },
}

impl Message {
    /// A message on the person's side.
    pub fn user(content: impl Into<String>) -> Self {
        Self::User { content: content.into() }
    }
}

/// A tool call that a model asks for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Call {
    /// Ties the result to the call; unique within a run.
    pub id: String,
    /// The tool's name as the model wrote it.
    pub name: String,
    /// The arguments, or what stood in their place.
    pub arguments: Arguments,
}

/// Arguments as they came.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Arguments {
    /// A JSON object.
    Object(Value),
    /// Text that is no JSON object.
    Broken {
        /// As received.
        text: String,
        /// What is wrong with it, with line and column.
        problem: String,
    },
}

impl Arguments {
    /// Reads what a model wrote. Nothing at all counts as an empty object; a JSON string that holds an object counts as
    /// that object, since some providers encode twice.
    pub fn parse(text: &str) -> Self {
        let trimmed = text.trim();
        if trimmed.is_empty() || trimmed == "null" {
            return Self::Object(Value::Object(serde_json::Map::new()));
        }
        match serde_json::from_str::<Value>(trimmed) {
            Ok(Value::String(inner)) if inner.trim_start().starts_with('{') => Self::parse(&inner),
            Ok(object @ Value::Object(_)) => Self::Object(object),
            Ok(_) => Self::Broken { text: text.to_owned(), problem: "a JSON object was expected".to_owned() },
            Err(error) => Self::Broken { text: text.to_owned(), problem: error.to_string() },
        }
    }

    /// Text that is certainly a JSON object, for sending back to a provider: several of them refuse a history in which
    /// the arguments of a call cannot be parsed.
    pub fn to_wire(&self) -> String {
        match self {
            Self::Object(value) => value.to_string(),
            Self::Broken { text, .. } => serde_json::json!({ "unparsed": text }).to_string(),
        }
    }
}

/// Tokens counted by the provider.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Tokens sent.
    pub prompt: u64,
    /// Of those, read from the provider's cache.
    pub cached: u64,
    /// Tokens received, reasoning included.
    pub completion: u64,
}

impl std::ops::AddAssign for Usage {
    fn add_assign(&mut self, other: Self) {
        self.prompt += other.prompt;
        self.cached += other.cached;
        self.completion += other.completion;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn arguments_of_every_shape() {
        assert_eq!(Arguments::parse(""), Arguments::Object(json!({})));
        assert_eq!(Arguments::parse("null"), Arguments::Object(json!({})));
        assert_eq!(Arguments::parse(r#"{"a":1}"#), Arguments::Object(json!({"a": 1})));
        assert_eq!(Arguments::parse(r#""{\"a\":1}""#), Arguments::Object(json!({"a": 1})));
        assert!(matches!(Arguments::parse("[1]"), Arguments::Broken { .. }));
        let broken = Arguments::parse(r#"{"name": "Обм"#);
        assert!(matches!(&broken, Arguments::Broken { problem, .. } if problem.contains("line 1")));
        assert!(serde_json::from_str::<Value>(&broken.to_wire()).is_ok_and(|wire| wire.is_object()));
    }
}
