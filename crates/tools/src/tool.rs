//! What a tool is.

use metadata::Language;
use serde_json::{Value, json};

use crate::answer::Answer;
use crate::context::Context;
use crate::error::ToolError;
use crate::params::{Args, Param};
use crate::topics;

/// A tool: what it is for, what it takes, what it does. One a file, in [`crate::tools`].
#[derive(Debug)]
pub struct Tool {
    /// Its name, as models call it.
    pub name: &'static str,
    /// Where lists of tools put it.
    pub group: Group,
    /// For a model: when to use it, when not.
    ///
    /// In English, with 1C's own words in Russian beside: models call tools by English descriptions at least as well, the
    /// text takes about half the tokens, and MCP clients of any language read it. Results and errors, which people see,
    /// are in the user's language.
    pub purpose: &'static str,
    /// Arguments.
    pub params: &'static [Param],
    /// Arguments of a typical call, as JSON.
    pub example: &'static str,
    /// What it may do.
    pub class: Class,
    /// The longest result, in characters.
    pub ceiling: usize,
    /// Does the work.
    pub run: fn(&Context<'_>, &Args) -> Result<Answer, ToolError>,
}

/// Groups of tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Group {
    /// Search and types.
    Search,
    /// Data and graph.
    Graph,
    /// Edits and code checks.
    Edits,
    /// Reports, reference, web.
    Reports,
}

/// What a question is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum Topic {
    /// Always sent.
    General,
    Code,
    Data,
    Forms,
    Rights,
    Queries,
    Reports,
    Edits,
    Integration,
    Extensions,
    Web,
}

impl Topic {
    /// All of them.
    pub const ALL: [Self; 11] = [
        Self::General,
        Self::Code,
        Self::Data,
        Self::Forms,
        Self::Rights,
        Self::Queries,
        Self::Reports,
        Self::Edits,
        Self::Integration,
        Self::Extensions,
        Self::Web,
    ];

    /// Its word in lists and data files.
    pub fn word(self) -> &'static str {
        match self {
            Self::General => "general",
            Self::Code => "code",
            Self::Data => "data",
            Self::Forms => "forms",
            Self::Rights => "rights",
            Self::Queries => "queries",
            Self::Reports => "reports",
            Self::Edits => "edits",
            Self::Integration => "integration",
            Self::Extensions => "extensions",
            Self::Web => "web",
        }
    }

    /// The topic of a word.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|topic| topic.word() == word)
    }
}

/// What a tool may do. A tool without a class would count as writing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Class {
    /// Looks, and changes nothing.
    Read,
    /// Makes a pending change; a person applies it.
    Write,
}

impl Tool {
    /// The description that a model gets: purpose and example.
    pub fn description(&self) -> String {
        format!("{} Example: {}", self.purpose, self.example)
    }

    /// Topics of the questions that it is sent along with; empty: only when a word or a model asks for it by name.
    pub fn sent_with(&self) -> &'static [Topic] {
        topics::of_tool(self.name).unwrap_or_default()
    }

    /// JSON schema of the arguments.
    pub fn schema(&self) -> Value {
        let properties: serde_json::Map<String, Value> =
            self.params.iter().map(|param| (param.name.to_owned(), param.schema())).collect();
        let required: Vec<&str> = self.params.iter().filter(|param| param.required).map(|param| param.name).collect();
        json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
    }

    /// The tool as `metascope tools --json` lists it.
    pub fn to_json(&self) -> Value {
        json!({
            "name": self.name,
            "group": self.group,
            "topics": self.sent_with(),
            "description": self.description(),
            "parameters": self.schema(),
            "class": self.class,
        })
    }
}

/// Picks a text by language.
pub fn say<'a>(language: Language, ru: &'a str, en: &'a str) -> &'a str {
    match language {
        Language::Russian => ru,
        Language::English => en,
    }
}
