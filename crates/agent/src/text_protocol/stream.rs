//! What of a stream is shown: no calls, and thoughts as thoughts.

use super::parse::{AROUND, CALL, RESULT, THOUGHTS};
use crate::model::Delta;

/// The longest beginning of a tag that is held back until it is clear which one it is.
const HELD: usize = 80;

/// Lets through what a person is to see.
pub(super) struct Filter {
    hidden: Vec<String>,
    held: String,
    state: State,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Text,
    Thought,
    /// A call has begun: nothing that follows is part of the answer.
    Call,
}

impl Filter {
    pub(super) fn new(tools: &[&str]) -> Self {
        let tags = CALL.iter().chain(AROUND).chain(RESULT).chain(tools);
        Self { hidden: tags.map(|tag| tag.to_lowercase()).collect(), held: String::new(), state: State::Text }
    }

    /// Takes a piece; gives what is to be shown.
    pub(super) fn push(&mut self, piece: &str) -> Vec<Delta> {
        self.held.push_str(piece);
        let mut out = Vec::new();
        while self.state != State::Call {
            let Some(start) = self.held.find('<') else {
                let all = std::mem::take(&mut self.held);
                self.show(all, &mut out);
                return out;
            };
            let before: String = self.held.drain(..start).collect();
            self.show(before, &mut out);
            let tag = self.held.get(1..).unwrap_or_default();
            let closes = tag.starts_with('/');
            let name = tag.trim_start_matches('/');
            let end = name.find(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '-' | ':'));
            let Some(end) = end.or((name.len() > HELD).then_some(name.len())) else { return out };
            let word = name.get(..end).unwrap_or_default().to_lowercase();
            let word = word.rsplit(':').next().unwrap_or_default();
            if THOUGHTS.contains(&word) {
                let Some(close) = self.held.find('>') else { return out };
                self.held.drain(..=close);
                self.state = if closes { State::Text } else { State::Thought };
            } else if !closes && self.state == State::Text && self.hidden.iter().any(|hidden| hidden == word) {
                self.state = State::Call;
            } else {
                let sign: String = self.held.drain(..1).collect();
                self.show(sign, &mut out);
            }
        }
        self.held.clear();
        out
    }

    /// The stream has ended: gives what was held back.
    pub(super) fn finish(&mut self) -> Vec<Delta> {
        let mut out = Vec::new();
        let rest = std::mem::take(&mut self.held);
        if self.state != State::Call {
            self.show(rest, &mut out);
        }
        out
    }

    fn show(&self, text: String, out: &mut Vec<Delta>) {
        if text.is_empty() {
            return;
        }
        match (out.last_mut(), self.state) {
            (Some(Delta::Text(last)), State::Text) | (Some(Delta::Reasoning(last)), State::Thought) => {
                last.push_str(&text);
            }
            (_, State::Thought) => out.push(Delta::Reasoning(text)),
            (_, _) => out.push(Delta::Text(text)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is shown of a text that comes in pieces of a size: text, thoughts.
    fn shown(text: &str, size: usize) -> (String, String) {
        let mut filter = Filter::new(&["callers"]);
        let letters: Vec<char> = text.chars().collect();
        let mut deltas: Vec<Delta> =
            letters.chunks(size).flat_map(|piece| filter.push(&piece.iter().collect::<String>())).collect();
        deltas.extend(filter.finish());
        let (mut said, mut thought) = (String::new(), String::new());
        for delta in deltas {
            match delta {
                Delta::Text(text) => said.push_str(&text),
                Delta::Reasoning(text) => thought.push_str(&text),
                Delta::Alive | Delta::Retry { .. } | Delta::Moved { .. } => panic!("made of nothing"),
            }
        }
        (said, thought)
    }

    #[test]
    fn calls_are_hidden_however_the_stream_is_cut() {
        for size in [1, 2, 3, 7, 1000] {
            let (said, thought) =
                shown("<think>так</think>Если А < Б и <b>В</b>:\n<tool_call name=\"x\">{}</tool_call> после", size);
            assert_eq!((said.as_str(), thought.as_str()), ("Если А < Б и <b>В</b>:\n", "так"), "{size}");
            assert_eq!(shown("раз <callers><name>А</name></callers>", size).0, "раз ", "{size}");
            assert_eq!(shown("конец <", size).0, "конец <", "{size}");
            assert_eq!(shown("конец <tool_c", size).0, "конец <tool_c", "{size}");
        }
    }
}
