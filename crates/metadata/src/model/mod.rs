//! The model: plain data that every reader fills, whatever format the dump has.
//!
//! Strings that occur often (types, events, values of properties) are shared [`Text`]s; files are numbers in
//! [`Configuration::files`](configuration::Configuration::files); lines are 1-based, and 0 where a whole file is meant.

pub mod configuration;
pub mod form;
pub mod module;
pub mod object;
pub mod problem;
pub mod role;
pub mod support;
pub mod types;

use serde::{Deserialize, Serialize};

/// A shared, immutable string.
pub type Text = std::sync::Arc<str>;

/// A file: its number in [`configuration::Configuration::files`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct FileId(pub u32);

/// A text in the languages of the configuration: (language code such as `ru`, text), in file order.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Localized(pub Vec<(Text, Text)>);

impl Localized {
    /// The text in that language, else the first one; empty if there is none.
    #[must_use]
    pub fn get(&self, language: &str) -> &str {
        let exact = self.0.iter().find(|(code, text)| &**code == language && !text.is_empty());
        exact.or_else(|| self.0.iter().find(|(_, text)| !text.is_empty())).map_or("", |(_, text)| text)
    }

    /// The first text; empty if there is none.
    #[must_use]
    pub fn first(&self) -> &str {
        self.0.first().map_or("", |(_, text)| text)
    }

    /// True if no language has a text.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|(_, text)| text.is_empty())
    }
}
