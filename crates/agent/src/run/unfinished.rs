//! A question that was not answered to its end, as it is kept from one run of the program to the next: whoever was killed in the
//! middle of it can go on.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use tools::topics::Question;

use super::Agent;
use super::offer::Offer;
use super::refused::Refused;
use super::state::Run;
use crate::message::{Message, Usage};
use crate::mode::Mode;
use crate::prompt;

/// A question with its history so far.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Unfinished {
    /// The question.
    pub question: String,
    /// What the agent might do with it: [`Mode::word`].
    pub mode: String,
    /// Turns that were begun.
    pub turns: u32,
    /// Calls that the model made.
    pub calls: u32,
    /// Tokens.
    pub usage: Usage,
    opening: usize,
    messages: Vec<Message>,
}

/// Takes the question before each turn, as far as it is then, and at its end if it was not answered; must not take long.
pub type Keeper = Arc<dyn Fn(&Unfinished) + Send + Sync>;

impl Agent {
    /// Gives each question, before each of its turns and where it stops without an answer, to a keeper.
    pub fn keep_with(&mut self, keeper: Keeper) {
        self.keeper = Some(keeper);
    }

    /// Takes up a question that was kept; [`Agent::go_on`] goes on with it. What its calls found stands in its history.
    pub async fn take_up(&mut self, kept: Unfinished) {
        if let Some(mode) = Mode::from_word(&kept.mode) {
            self.settings.mode = mode;
        }
        let (tools, asked) = (Arc::clone(&self.tools), kept.question.clone());
        let briefing =
            tokio::task::spawn_blocking(move || tools.briefing(&Question { text: &asked, ..Question::default() }));
        let briefing = briefing.await.unwrap_or_default();
        let mut offer = Offer::new(self.tools.schemas(), briefing.tools.as_deref(), self.settings.mode);
        // Tools that were asked for meanwhile are there again: the history speaks of them.
        let added: Vec<&str> = kept.messages.iter().filter_map(added_tool).collect();
        offer.add(|name| added.contains(&name));
        self.unfinished = Some(Run {
            question: kept.question,
            opening: kept.opening,
            messages: kept.messages,
            offer,
            refused: Refused::default(),
            usage: kept.usage,
            last_usage: Usage::default(),
            turn: kept.turns,
            turns_before: 0,
            calls: kept.calls,
            nudges: 0,
            sent_back: false,
            remarks: String::new(),
            journal_before: self.journal.len(),
        });
    }

    /// Gives a question to the keeper.
    pub(super) fn keep(&self, run: &Run) {
        let Some(keeper) = &self.keeper else { return };
        keeper(&Unfinished {
            question: run.question.clone(),
            mode: self.settings.mode.word().to_owned(),
            turns: run.turns_before + run.turn,
            calls: run.calls,
            usage: run.usage,
            opening: run.opening,
            messages: run.messages.clone(),
        });
    }
}

fn added_tool(message: &Message) -> Option<&str> {
    match message {
        Message::User { content } => prompt::added_tool(content),
        _ => None,
    }
}
