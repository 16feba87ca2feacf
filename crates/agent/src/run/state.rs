//! One question being worked on.

use serde_json::json;

use super::offer::{self, Offer};
use super::refused::Refused;
use crate::journal::Journal;
use crate::message::{Arguments, Call, Message, Usage};
use crate::prompt;

/// One question being worked on.
pub(super) struct Run {
    pub(super) question: String,
    pub(super) messages: Vec<Message>,
    /// How many messages stand before the first turn.
    pub(super) opening: usize,
    pub(super) offer: Offer,
    pub(super) refused: Refused,
    pub(super) usage: Usage,
    pub(super) last_usage: Usage,
    /// Turn of this stretch, and of those before a continuation.
    pub(super) turn: u32,
    pub(super) turns_before: u32,
    pub(super) calls: u32,
    pub(super) nudges: u32,
    /// The answer was sent back once: what is still wrong with it is marked.
    pub(super) sent_back: bool,
    /// Text of the model that came beside tool calls, or broke off: all that there is if no answer follows.
    pub(super) remarks: String,
    pub(super) journal_before: usize,
}

impl Run {
    pub(super) fn remark(&mut self, text: &str) {
        let text = text.trim();
        if !text.is_empty() {
            if !self.remarks.is_empty() {
                self.remarks.push_str("\n\n");
            }
            self.remarks.push_str(text);
        }
    }

    /// Calls with ids that are unique within the run: some providers send none, some start again with each turn.
    pub(super) fn numbered(&mut self, calls: Vec<Call>) -> Vec<Call> {
        let mut next = || {
            self.calls += 1;
            format!("call_{}", self.calls)
        };
        calls.into_iter().map(|call| Call { id: next(), ..call }).collect()
    }

    /// Adds the tools that are asked for; whether there were any.
    pub(super) fn add_tools(&mut self, asked: impl Fn(&str) -> bool) -> bool {
        let added = self.offer.add(asked);
        self.messages.extend(added.iter().map(|tool| Message::user(prompt::tool_added(tool))));
        !added.is_empty()
    }

    /// Whether a text that comes without calls asks for tools by their names. A long one is an answer that mentions them.
    pub(super) fn asks_for_tools(&mut self, text: &str) -> bool {
        text.chars().nth(ASKING).is_none() && self.add_tools(|name| offer::names(text, name))
    }

    /// Gives every call its result: providers refuse a history in which one has none, as when a person stopped them.
    pub(super) fn mend(&mut self, journal: &Journal, version: &str) {
        let Some(place) = self.messages.iter().rposition(|message| matches!(message, Message::Assistant { .. })) else {
            return;
        };
        let Some(Message::Assistant { calls, .. }) = self.messages.get(place) else { return };
        let answered = |call: &Call| {
            let answers = |message: &Message| matches!(message, Message::Tool { call_id, .. } if *call_id == call.id);
            self.messages.iter().skip(place + 1).any(answers)
        };
        let result = |call: &Call| {
            let found = match &call.arguments {
                Arguments::Object(value) => journal.find(&call.name, value, version),
                Arguments::Broken { .. } => None,
            };
            let stopped = || json!({ "error": { "code": "stopped", "message": "stopped before its end" } }).to_string();
            let content = found.map_or_else(stopped, |outcome| outcome.content.clone());
            Message::Tool { call_id: call.id.clone(), name: call.name.clone(), content }
        };
        let open: Vec<Message> = calls.iter().filter(|call| !answered(call)).map(result).collect();
        self.messages.splice(place + 1..place + 1, open);
    }
}

/// The longest text, in characters, that may be a request for tools instead of an answer.
const ASKING: usize = 300;
