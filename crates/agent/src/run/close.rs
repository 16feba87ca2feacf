//! How a run ends: the answer is looked over, and what there is to say where there is none.

use std::sync::Arc;

use tools::say;

use super::{Agent, EventSink, Run};
use crate::event::Event;
use crate::ground::{self, Unresolved};
use crate::message::Message;
use crate::mode::{self, Mode};
use crate::model::ModelError;
use crate::models::mend;
use crate::prompt;

impl Agent {
    /// Sends an answer back, once: names that do not exist, a plan without steps. Whether it was.
    pub(super) async fn send_back(&self, run: &mut Run, text: &str, events: &EventSink) -> bool {
        if run.sent_back {
            return false;
        }
        let unresolved = self.unresolved(text, &run.question).await;
        let lacks_plan = self.settings.mode == Mode::Plan && !mode::has_plan(text);
        if unresolved.is_empty() && !lacks_plan {
            return false;
        }
        run.sent_back = true;
        // If the run is stopped before the next answer, this one is better than none: its names are marked.
        run.remark(text);
        run.messages.push(Message::user(prompt::correct(&unresolved, lacks_plan)));
        let why = if unresolved.is_empty() {
            self.say("в ответе нет плана", "the answer holds no plan")
        } else {
            let names: Vec<&str> = unresolved.iter().map(|unknown| unknown.name.as_str()).collect();
            let head = say(
                self.settings.language,
                "в ответе есть имена, которых нет в индексе",
                "the answer holds names that are not in the index",
            );
            format!("{head}: {}", names.join(", "))
        };
        let sent = say(self.settings.language, "ответ возвращён модели", "the answer went back to the model");
        events(Event::Notice { text: format!("{why}; {sent}") });
        true
    }

    /// Names in a text that the index does not know. One that the person wrote is no invention: an answer may say that it
    /// does not exist.
    pub(super) async fn unresolved(&self, text: &str, question: &str) -> Vec<Unresolved> {
        let (tools, text, asked) = (Arc::clone(&self.tools), text.to_owned(), question.to_lowercase());
        let look = move || {
            let mut unresolved = ground::unresolved(&text, tools.as_ref());
            unresolved.retain(|unknown| !asked.contains(&unknown.name.to_lowercase()));
            unresolved
        };
        tokio::task::spawn_blocking(look).await.unwrap_or_default()
    }

    /// What is left to the person, as the end of the answer.
    pub(super) fn left_to_person(&self, run: &Run) -> String {
        let mut text = String::new();
        for refusal in run.refused.for_person() {
            if text.is_empty() {
                text.push_str("\n\n");
                text.push_str(say(
                    self.settings.language,
                    "Решать человеку: проверка отклонила дважды",
                    "For a person to decide: a check refused it twice",
                ));
            }
            text.push_str(&format!("\n- {}: {}", refusal.element, refusal.reason));
        }
        text
    }

    /// The answer where the model gave none: its remarks, and what the calls of this run found.
    pub(super) fn what_was_found(&self, run: &Run) -> String {
        let mut text = run.remarks.trim().to_owned();
        let skip = run.journal_before.min(self.journal.len());
        if let Some(traces) = self.journal.render_since(skip, self.settings.journal_chars, &self.tools.version()) {
            if !text.is_empty() {
                text.push_str("\n\n");
            }
            text.push_str(
                &self.say("Ответ не закончен. Вот что успели найти:", "The answer is not finished. This was found:"),
            );
            text.push('\n');
            text.push_str(&traces);
        }
        if text.is_empty() {
            text = self.say("Ответа нет: ничего не успели найти.", "No answer: nothing was found yet.");
        }
        text
    }

    pub(super) fn explain(&self, error: &ModelError) -> String {
        let hint = mend(error, self.settings.language);
        format!("{error}. {hint}").trim_end().to_owned()
    }

    pub(super) fn say(&self, ru: &str, en: &str) -> String {
        say(self.settings.language, ru, en).to_owned()
    }
}
