//! The loop: one agent, native tool calling, a limited number of turns.

use std::sync::Arc;

use tokio_util::sync::CancellationToken;
use tools::Language;

use crate::event::Event;
use crate::ground::{self, Unresolved};
use crate::image::Image;
use crate::journal::Journal;
use crate::limits::Limits;
use crate::message::{Call, Message, Usage};
use crate::model::{ChatModel, Delta, ModelError, Reply, Request};
use crate::models::mend;
use crate::prompt;
use crate::toolbox::Toolbox;

mod calls;
mod watch;

use calls::Caller;
use watch::Activity;

/// Takes the events of a run, in order. Called from several threads.
pub type EventSink = Arc<dyn Fn(Event) + Send + Sync>;

/// How an agent works.
#[derive(Clone, Debug)]
pub struct AgentSettings {
    /// Turns of one question. 30; small models get 6, 12 or 24.
    pub turns: u32,
    /// Language of what the loop itself says to people.
    pub language: Language,
    /// Time limits.
    pub limits: Limits,
    /// Ceiling of the journal before a question, in characters.
    pub journal_chars: usize,
    /// Calls that run side by side.
    pub parallel: usize,
}

impl Default for AgentSettings {
    fn default() -> Self {
        Self { turns: 30, language: Language::Russian, limits: Limits::default(), journal_chars: 6000, parallel: 4 }
    }
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Status {
    /// With the model's answer.
    Answered,
    /// The turns were used up; the answer says what was found.
    TurnLimit,
    /// A person stopped it; the answer says what was found.
    Cancelled,
    /// The model failed; the answer says what was found.
    Failed(ModelError),
}

/// What a run gave.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// How it ended.
    pub status: Status,
    /// The answer, with unknown names marked.
    pub answer: String,
    /// Names in the answer that the index does not know.
    pub unresolved: Vec<Unresolved>,
    /// Turns that were begun.
    pub turns: u32,
    /// Tokens.
    pub usage: Usage,
    /// The whole conversation of this run.
    pub messages: Vec<Message>,
}

/// An agent: a model, the tools of a project, and what it remembers from question to question.
pub struct Agent {
    model: Arc<dyn ChatModel>,
    tools: Arc<dyn Toolbox>,
    settings: AgentSettings,
    journal: Journal,
    dialogue: Vec<(String, String)>,
    /// Go with the next question.
    images: Vec<Image>,
}

/// How many earlier questions with their answers stand before the next.
const DIALOGUE: usize = 6;
/// How often a model that answers nothing is asked again.
const NUDGES: u32 = 2;

/// One question being worked on.
struct Run {
    messages: Vec<Message>,
    usage: Usage,
    turn: u32,
    nudges: u32,
    /// Text of the model that came beside tool calls, or broke off: all that there is if no answer follows.
    remarks: String,
    journal_before: usize,
}

impl Agent {
    /// An agent that remembers nothing yet.
    pub fn new(model: Arc<dyn ChatModel>, tools: Arc<dyn Toolbox>, settings: AgentSettings) -> Self {
        Self { model, tools, settings, journal: Journal::default(), dialogue: Vec::new(), images: Vec::new() }
    }

    /// An image that goes with the next question; only for a model that [`ChatModel::takes_images`].
    pub fn attach(&mut self, image: Image) {
        self.images.push(image);
    }

    /// Works on a question until it is answered, stopped, or the turns are used up. The last event is
    /// [`Event::Answer`]; after a failure [`Event::Error`] comes before it.
    ///
    /// Cancelling stops at once, in the middle of a stream or a tool; what was found is in the outcome.
    pub async fn ask(&mut self, question: &str, events: EventSink, cancel: CancellationToken) -> Outcome {
        let mut run = Run {
            messages: self.opening(question),
            usage: Usage::default(),
            turn: 0,
            nudges: 0,
            remarks: String::new(),
            journal_before: self.journal.len(),
        };
        let (status, text) = self.turns(&mut run, &events, &cancel).await;
        let mut unresolved = self.unresolved(&text).await;
        // A name that the person wrote is no invention: an answer may say that it does not exist.
        let asked = question.to_lowercase();
        unresolved.retain(|name| !asked.contains(&name.name.to_lowercase()));
        let answer = ground::marked(&text, &unresolved, self.settings.language);
        if let Status::Failed(error) = &status {
            events(Event::Error { message: self.explain(error) });
        }
        let complete = status == Status::Answered;
        events(Event::Answer { text: answer.clone(), unresolved: unresolved.clone(), complete });
        self.dialogue.push((question.to_owned(), answer.clone()));
        if self.dialogue.len() > DIALOGUE {
            self.dialogue.remove(0);
        }
        Outcome { status, answer, unresolved, turns: run.turn, usage: run.usage, messages: run.messages }
    }

    /// System prompt, earlier questions, what was checked, the question.
    fn opening(&mut self, question: &str) -> Vec<Message> {
        let mut messages = vec![Message::System { content: prompt::system(self.settings.language) }];
        for (question, answer) in &self.dialogue {
            messages.push(Message::user(question));
            messages.push(Message::Assistant { content: answer.clone(), calls: Vec::new() });
        }
        if let Some(traces) = self.journal.render(self.settings.journal_chars, &self.tools.version()) {
            messages.push(Message::user(prompt::already_checked(&traces)));
        }
        messages.extend(self.images.drain(..).map(Message::Image));
        messages.push(Message::user(question));
        messages
    }

    async fn turns(&mut self, run: &mut Run, events: &EventSink, cancel: &CancellationToken) -> (Status, String) {
        let limit = self.settings.turns.max(1);
        let schemas = self.tools.schemas();
        while run.turn < limit {
            if cancel.is_cancelled() {
                return (Status::Cancelled, self.what_was_found(run));
            }
            run.turn += 1;
            events(Event::Turn { number: run.turn, limit });
            run.messages.push(Message::user(prompt::marker(run.turn, limit)));
            let last = run.turn == limit;
            let request = Request { messages: &run.messages, tools: &schemas, allow_tools: !last };
            let (result, partial) = self.reply(request, events, cancel).await;
            let reply = match result {
                Some(Ok(reply)) => reply,
                Some(Err(error)) => {
                    run.remark(&partial);
                    return (Status::Failed(error), self.what_was_found(run));
                }
                None => {
                    run.remark(&partial);
                    return (Status::Cancelled, self.what_was_found(run));
                }
            };
            if let Some(usage) = reply.usage {
                run.usage += usage;
                events(Event::Usage { turn: usage, total: run.usage });
            }
            if let Some(answer) = self.take_reply(run, reply, last, events, cancel).await {
                return answer;
            }
        }
        (Status::TurnLimit, self.what_was_found(run))
    }

    /// Deals with a whole reply; gives the end of the run, if it is one.
    async fn take_reply(
        &mut self,
        run: &mut Run,
        reply: Reply,
        last: bool,
        events: &EventSink,
        cancel: &CancellationToken,
    ) -> Option<(Status, String)> {
        let Reply { text, calls, truncated, .. } = reply;
        let calls = with_ids(calls, run.turn);
        if !calls.is_empty() && !last {
            run.remark(&text);
            run.messages.push(Message::Assistant { content: text, calls: calls.clone() });
            let mut caller = Caller {
                tools: &self.tools,
                journal: &mut self.journal,
                events,
                cancel,
                limit: self.settings.limits.silence(),
                parallel: self.settings.parallel,
                language: self.settings.language,
            };
            let stopped = !caller.run(&calls, &mut run.messages).await;
            return stopped.then(|| (Status::Cancelled, self.what_was_found(run)));
        }
        if text.trim().is_empty() {
            run.nudges += 1;
            if last || run.nudges > NUDGES {
                return Some((Status::TurnLimit, self.what_was_found(run)));
            }
            run.messages.push(Message::user(prompt::empty_reply()));
            return None;
        }
        if truncated {
            events(Event::Notice {
                text: self
                    .say("ответ обрезан провайдером по длине", "the provider cut the answer at its limit of length"),
            });
        }
        run.messages.push(Message::Assistant { content: text.clone(), calls: Vec::new() });
        Some((if last && !calls.is_empty() { Status::TurnLimit } else { Status::Answered }, text))
    }

    /// Asks the model. `None`: cancelled. Beside the result the text that came, for the case that the result is none.
    async fn reply(
        &self,
        request: Request<'_>,
        events: &EventSink,
        cancel: &CancellationToken,
    ) -> (Option<Result<Reply, ModelError>>, String) {
        let activity = Activity::new();
        let sink = |delta: Delta| {
            activity.touch();
            match delta {
                Delta::Text(delta) => {
                    activity.keep(&delta);
                    events(Event::Text { delta });
                }
                Delta::Reasoning(delta) => events(Event::Reasoning { delta }),
                Delta::Alive => {}
                Delta::Moved { to, reason } => events(Event::Notice {
                    text: self.say(
                        &format!("{reason}; вопрос передан запасной модели {to}"),
                        &format!("{reason}; the question goes to the second model {to}"),
                    ),
                }),
                Delta::Retry { attempt, wait, reason } => {
                    let seconds = wait.as_secs_f32();
                    events(Event::Notice {
                        text: self.say(
                            &format!("{reason}; попытка {attempt} не удалась, следующая через {seconds:.1} с"),
                            &format!("{reason}; attempt {attempt} failed, the next in {seconds:.1} s"),
                        ),
                    });
                }
            }
        };
        let limit = self.settings.limits.turn();
        let result = tokio::select! {
            biased;
            () = cancel.cancelled() => None,
            result = self.model.reply(request, &sink) => Some(result),
            () = activity.idle_for(limit) => Some(Err(ModelError::Silent { limit, received: activity.has_text() })),
        };
        (result, activity.into_text())
    }

    async fn unresolved(&self, text: &str) -> Vec<Unresolved> {
        let (tools, text) = (Arc::clone(&self.tools), text.to_owned());
        tokio::task::spawn_blocking(move || ground::unresolved(&text, tools.as_ref())).await.unwrap_or_default()
    }

    /// The answer where the model gave none: its remarks, and what the calls of this run found.
    fn what_was_found(&self, run: &Run) -> String {
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

    fn explain(&self, error: &ModelError) -> String {
        let hint = mend(error, self.settings.language);
        format!("{error}. {hint}").trim_end().to_owned()
    }

    fn say(&self, ru: &str, en: &str) -> String {
        match self.settings.language {
            Language::Russian => ru.to_owned(),
            Language::English => en.to_owned(),
        }
    }
}

impl Run {
    fn remark(&mut self, text: &str) {
        let text = text.trim();
        if !text.is_empty() {
            if !self.remarks.is_empty() {
                self.remarks.push_str("\n\n");
            }
            self.remarks.push_str(text);
        }
    }
}

/// Calls with ids that are unique within the run: some providers send none, some start again with each turn.
fn with_ids(calls: Vec<Call>, turn: u32) -> Vec<Call> {
    (1..).zip(calls).map(|(number, call): (u32, Call)| Call { id: format!("call_{turn}_{number}"), ..call }).collect()
}
