//! Which tools a model is shown, and those that it may still ask for.

use crate::mode::Mode;
use crate::model::ToolSchema;

/// The tools of one question.
#[derive(Clone, Debug)]
pub(super) struct Offer {
    /// Sent with each request. Grows at its end only: what stands before is part of the prefix that providers cache.
    sent: Vec<ToolSchema>,
    /// May be asked for by name.
    rest: Vec<ToolSchema>,
    /// Write tools that the mode doesn't allow.
    forbidden: Vec<ToolSchema>,
}

impl Offer {
    /// Of all tools those that are chosen (`None`: all) and that the mode allows.
    pub(super) fn new(all: Vec<ToolSchema>, chosen: Option<&[String]>, mode: Mode) -> Self {
        let (allowed, forbidden): (Vec<_>, Vec<_>) =
            all.into_iter().partition(|tool| tool.read_only || mode.may_write());
        let (sent, rest) =
            allowed.into_iter().partition(|tool| chosen.is_none_or(|chosen| chosen.contains(&tool.name)));
        Self { sent, rest, forbidden }
    }

    pub(super) fn sent(&self) -> &[ToolSchema] {
        &self.sent
    }

    /// Names of those that may be asked for.
    pub(super) fn left_out(&self) -> Vec<&str> {
        self.rest.iter().map(|tool| tool.name.as_str()).collect()
    }

    /// Whether the mode forbids a tool.
    pub(super) fn forbids(&self, name: &str) -> bool {
        self.forbidden.iter().any(|tool| tool.name.eq_ignore_ascii_case(name.trim()))
    }

    /// Whether a call only reads. An unknown tool does nothing, so it may run beside others.
    pub(super) fn reads(&self, name: &str) -> bool {
        let known = self.sent.iter().chain(&self.rest).find(|tool| tool.name.eq_ignore_ascii_case(name.trim()));
        known.is_none_or(|tool| tool.read_only)
    }

    /// Adds those of the tools left out that `asked` says are asked for.
    pub(super) fn add(&mut self, asked: impl Fn(&str) -> bool) -> Vec<ToolSchema> {
        let (added, rest) = std::mem::take(&mut self.rest).into_iter().partition(|tool| asked(&tool.name));
        self.rest = rest;
        self.sent.extend_from_slice(&added);
        added
    }
}

/// Whether a text holds a tool's name as a word of its own.
pub(super) fn names(text: &str, tool: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    text.split(|c: char| !is_part(c)).any(|word| word.eq_ignore_ascii_case(tool))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tool(name: &str, read_only: bool) -> ToolSchema {
        ToolSchema { name: name.to_owned(), description: String::new(), parameters: serde_json::json!({}), read_only }
    }

    #[test]
    fn what_is_added_stands_at_the_end() {
        let all = vec![tool("a", true), tool("b", true), tool("c", true), tool("w", false)];
        let mut offer = Offer::new(all, Some(&["c".to_owned()]), Mode::Question);
        let sent = |offer: &Offer| offer.sent().iter().map(|tool| tool.name.clone()).collect::<Vec<_>>();
        assert_eq!((sent(&offer), offer.left_out()), (vec!["c".to_owned()], vec!["a", "b"]));
        assert!(offer.forbids("W") && !offer.forbids("a"));
        assert_eq!(offer.add(|name| name == "b" || name == "w").len(), 1, "the mode forbids what it forbids");
        assert_eq!(sent(&offer), ["c", "b"]);
        assert!(offer.add(|name| name == "b").is_empty());
    }

    #[test]
    fn a_name_is_a_word_of_its_own() {
        assert!(names("нужен `role_rights`, пожалуйста", "role_rights"));
        assert!(!names("role_rights_of", "role_rights") && !names("role rights", "role_rights"));
    }
}
