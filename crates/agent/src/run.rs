//! The loop: one agent, native tool calling, a limited number of turns.

use std::sync::Arc;

use tokio_util::sync::CancellationToken;
use tools::topics::Question;
use tools::{Language, say};

use crate::event::Event;
use crate::ground::{self, Unresolved};
use crate::image::Image;
use crate::journal::Journal;
use crate::limits::Limits;
use crate::message::{Call, Message, Usage};
use crate::mode::Mode;
use crate::model::{ChatModel, Delta, ModelError, Reply, Request};
use crate::price::{Cost, Price};
use crate::prompt;
use crate::toolbox::{Briefing, Refusal, Toolbox};

mod calls;
mod close;
mod compact;
mod offer;
mod refused;
mod state;
mod unfinished;
mod watch;

use calls::Caller;
use offer::Offer;
use refused::Refused;
use state::Run;
use watch::Activity;

pub use unfinished::{Keeper, Unfinished};

/// Takes the events of a run, in order. Called from several threads.
pub type EventSink = Arc<dyn Fn(Event) + Send + Sync>;

/// How an agent works.
#[derive(Clone, Debug)]
pub struct AgentSettings {
    /// What it may do.
    pub mode: Mode,
    /// Turns of one question: 30. Small models get one of [`AgentSettings::SMALL`].
    pub turns: u32,
    /// Language of what the loop itself says to people.
    pub language: Language,
    /// Time limits.
    pub limits: Limits,
    /// Ceiling of the journal before a question, in characters.
    pub journal_chars: usize,
    /// Characters of a conversation beyond which its old turns become a summary; about three make a token.
    pub history_chars: usize,
    /// Calls that run side by side.
    pub parallel: usize,
    /// What the model's tokens cost, if the user said so.
    pub price: Option<Price>,
}

impl AgentSettings {
    /// Turns for small models, which lose their way in thirty.
    pub const SMALL: [u32; 3] = [6, 12, 24];
}

impl Default for AgentSettings {
    fn default() -> Self {
        Self {
            mode: Mode::default(),
            turns: 30,
            language: Language::Russian,
            limits: Limits::default(),
            journal_chars: 6000,
            history_chars: 180_000,
            parallel: 4,
            price: None,
        }
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

impl Status {
    /// Its word in records.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Answered => "answered",
            Self::TurnLimit => "turn_limit",
            Self::Cancelled => "cancelled",
            Self::Failed(_) => "failed",
        }
    }
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
    /// What checks refused twice: a person has to decide.
    pub for_person: Vec<Refusal>,
    /// Turns that were begun, those before a continuation among them.
    pub turns: u32,
    /// Calls that the model made.
    pub calls: u32,
    /// Tokens.
    pub usage: Usage,
    /// What they cost, if prices are known; `turn` is the last turn.
    pub cost: Option<Cost>,
    /// What is left on the user's account, where the provider tells it.
    pub balance: Option<String>,
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
    /// What is open in the editor.
    open: Vec<String>,
    /// The last question, if it was not answered to its end.
    unfinished: Option<Run>,
    /// Takes each question before each of its turns.
    keeper: Option<Keeper>,
}

/// How many earlier questions with their answers stand before the next.
const DIALOGUE: usize = 6;
/// How often a model that answers nothing is asked again.
const NUDGES: u32 = 2;

impl Agent {
    /// An agent that remembers nothing yet.
    pub fn new(model: Arc<dyn ChatModel>, tools: Arc<dyn Toolbox>, settings: AgentSettings) -> Self {
        Self {
            model,
            tools,
            settings,
            journal: Journal::default(),
            dialogue: Vec::new(),
            images: Vec::new(),
            open: Vec::new(),
            unfinished: None,
            keeper: None,
        }
    }

    /// Its model, as people see it.
    pub fn model_name(&self) -> &str {
        self.model.name()
    }

    /// What it may do with the next question.
    pub fn set_mode(&mut self, mode: Mode) {
        self.settings.mode = mode;
    }

    /// Turns of the next question, and of each continuation.
    pub fn set_turns(&mut self, turns: u32) {
        self.settings.turns = turns;
    }

    /// The model that answers from now on, and what its tokens cost. What was said so far stays.
    pub fn set_model(&mut self, model: Arc<dyn ChatModel>, price: Option<Price>) {
        self.model = model;
        self.settings.price = price;
    }

    /// What is open in the editor: full names or files.
    pub fn set_open(&mut self, open: Vec<String>) {
        self.open = open;
    }

    /// An image that goes with the next question; only for a model that [`ChatModel::takes_images`].
    pub fn attach(&mut self, image: Image) {
        self.images.push(image);
    }

    /// Works on a question until it is answered, stopped, or the turns are used up. The last event is
    /// [`Event::Answer`]; after a failure [`Event::Error`] comes before it. "Continue" after a question that was not
    /// answered to its end is [`Agent::go_on`].
    ///
    /// Cancelling stops at once, in the middle of a stream or a tool; what was found is in the outcome.
    pub async fn ask(&mut self, question: &str, events: EventSink, cancel: CancellationToken) -> Outcome {
        if self.unfinished.is_some() && prompt::means_go_on(question) {
            return self.go_on(events, cancel).await;
        }
        let run = self.begin(question, &cancel).await;
        self.work(run, events, cancel).await
    }

    /// Goes on with the last question, if it was not answered to its end, with as many turns again: history and journal stay. If
    /// it was, the model is asked to go on as by any other question.
    pub async fn go_on(&mut self, events: EventSink, cancel: CancellationToken) -> Outcome {
        let Some(mut run) = self.unfinished.take() else {
            let run = self.begin(say(self.settings.language, "Продолжай.", "Go on."), &cancel).await;
            return self.work(run, events, cancel).await;
        };
        // What was said of it so far is replaced by what will be.
        self.dialogue.pop();
        run.mend(&self.journal, &self.tools.version());
        run.turns_before += run.turn;
        run.turn = 0;
        run.nudges = 0;
        run.messages.push(Message::user(prompt::go_on(self.settings.turns.max(1))));
        self.work(run, events, cancel).await
    }

    async fn begin(&mut self, question: &str, cancel: &CancellationToken) -> Run {
        let asked = question.to_owned();
        let before = self.dialogue.last().map(|(question, _)| question.clone());
        let (tools, open) = (Arc::clone(&self.tools), self.open.clone());
        let briefing = tokio::task::spawn_blocking(move || {
            tools.briefing(&Question { text: &asked, before: before.as_deref(), open: &open })
        });
        // Looking for meanings takes its time, where a model has to be loaded first.
        let briefing = tokio::select! {
            biased;
            () = cancel.cancelled() => Briefing::default(),
            briefing = briefing => briefing.unwrap_or_default(),
        };
        let offer = Offer::new(self.tools.schemas(), briefing.tools.as_deref(), self.settings.mode);
        let messages = self.opening(question, &offer, &briefing.references);
        Run {
            question: question.to_owned(),
            opening: messages.len(),
            messages,
            offer,
            refused: Refused::default(),
            usage: Usage::default(),
            last_usage: Usage::default(),
            turn: 0,
            turns_before: 0,
            calls: 0,
            nudges: 0,
            sent_back: false,
            remarks: String::new(),
            journal_before: self.journal.len(),
        }
    }

    async fn work(&mut self, mut run: Run, events: EventSink, cancel: CancellationToken) -> Outcome {
        let (status, text) = self.turns(&mut run, &events, &cancel).await;
        let unresolved = self.unresolved(&text, &run.question).await;
        let mut answer = ground::marked(&text, &unresolved, self.settings.language);
        answer.push_str(&self.left_to_person(&run));
        if let Status::Failed(error) = &status {
            events(Event::Error { message: self.explain(error) });
        }
        let balance = match run.usage {
            Usage { prompt: 0, .. } => None,
            // Who stops doesn't wait for one more request.
            _ if status == Status::Cancelled => None,
            _ => tokio::time::timeout(self.settings.limits.connect(), self.model.balance()).await.ok().flatten(),
        };
        if let Some(balance) = &balance {
            let head = say(self.settings.language, "остаток на счёте", "left on the account");
            events(Event::Notice { text: format!("{head}: {balance}") });
        }
        let complete = status == Status::Answered;
        events(Event::Answer { text: answer.clone(), unresolved: unresolved.clone(), complete });
        self.dialogue.push((run.question.clone(), answer.clone()));
        if self.dialogue.len() > DIALOGUE {
            self.dialogue.remove(0);
        }
        let outcome = Outcome {
            status,
            answer,
            unresolved,
            for_person: run.refused.for_person().to_vec(),
            turns: run.turns_before + run.turn,
            calls: run.calls,
            usage: run.usage,
            cost: self.settings.price.as_ref().map(|price| price.cost(run.last_usage, run.usage)),
            balance,
            messages: run.messages.clone(),
        };
        if !complete {
            self.keep(&run);
        }
        self.unfinished = (!complete).then_some(run);
        outcome
    }

    /// System prompt, earlier questions, what comes with this one, what was checked, the question.
    fn opening(&mut self, question: &str, offer: &Offer, references: &[String]) -> Vec<Message> {
        let mut messages = vec![Message::System { content: prompt::system(self.settings.language) }];
        for (question, answer) in &self.dialogue {
            messages.push(Message::user(question));
            messages.push(Message::Assistant { content: answer.clone(), calls: Vec::new() });
        }
        messages.extend(references.iter().map(|text| Message::user(prompt::reference(text))));
        let left_out = offer.left_out();
        if !left_out.is_empty() {
            messages.push(Message::user(prompt::left_out(&left_out)));
        }
        messages.extend(prompt::mode(self.settings.mode).map(Message::user));
        if !self.open.is_empty() {
            messages.push(Message::user(prompt::open(&self.open)));
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
        while run.turn < limit {
            if cancel.is_cancelled() {
                return (Status::Cancelled, self.what_was_found(run));
            }
            self.compact(run, false, events, cancel).await;
            self.keep(run);
            run.turn += 1;
            events(Event::Turn { number: run.turn, limit });
            run.messages.push(Message::user(prompt::marker(run.turn, limit)));
            let last = run.turn == limit;
            let request = Request { messages: &run.messages, tools: run.offer.sent(), allow_tools: !last };
            let (result, partial) = self.reply(request, events, cancel).await;
            let reply = match result {
                Some(Ok(reply)) => reply,
                // Longer than the model takes: without the old turns it may do. The turn counts once.
                Some(Err(error)) if error.is_too_long() && self.compact(run, true, events, cancel).await => {
                    run.turn -= 1;
                    run.messages.pop();
                    continue;
                }
                Some(Err(error)) => {
                    run.remark(&partial);
                    return (Status::Failed(error), self.what_was_found(run));
                }
                None => {
                    run.remark(&partial);
                    return (Status::Cancelled, self.what_was_found(run));
                }
            };
            self.count(run, reply.usage, events);
            if let Some(answer) = self.take_reply(run, reply, last, events, cancel).await {
                return answer;
            }
        }
        (Status::TurnLimit, self.what_was_found(run))
    }

    /// Adds up tokens.
    fn count(&self, run: &mut Run, usage: Option<Usage>, events: &EventSink) {
        let Some(usage) = usage else { return };
        run.usage += usage;
        run.last_usage = usage;
        let cost = self.settings.price.as_ref().map(|price| price.cost(usage, run.usage));
        events(Event::Usage { turn: usage, total: run.usage, cost });
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
        if !calls.is_empty() && !last {
            let calls = run.numbered(calls);
            let stopped = !self.call(run, text, &calls, events, cancel).await;
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
        let looked_over = last || !self.model.follows_orders();
        if !looked_over && (run.asks_for_tools(&text) || self.send_back(run, &text, events).await) {
            return None;
        }
        Some((if last && !calls.is_empty() { Status::TurnLimit } else { Status::Answered }, text))
    }

    /// Runs the calls of a turn. False: cancelled.
    async fn call(
        &mut self,
        run: &mut Run,
        text: String,
        calls: &[Call],
        events: &EventSink,
        cancel: &CancellationToken,
    ) -> bool {
        run.remark(&text);
        run.messages.push(Message::Assistant { content: text.clone(), calls: calls.to_vec() });
        let spoken = self.model.speaks(&run.question).and_then(|language| self.tools.in_language(language));
        let mut caller = Caller {
            tools: spoken.as_ref().unwrap_or(&self.tools),
            journal: &mut self.journal,
            offer: &run.offer,
            events,
            cancel,
            limit: self.settings.limits.silence(),
            parallel: self.settings.parallel,
            language: self.settings.language,
        };
        let Some(refusals) = caller.run(calls, &mut run.messages).await else { return false };
        let over = run.refused.take(refusals);
        if !over.is_empty() {
            let elements: Vec<&str> = over.iter().map(|refusal| refusal.element.as_str()).collect();
            run.messages.push(Message::user(prompt::for_person(&elements)));
            let head =
                self.say("проверка отклонила дважды, решать вам", "a check refused it twice, it is yours to decide");
            events(Event::Notice { text: format!("{head}: {}", elements.join(", ")) });
        }
        let called = |name: &str| calls.iter().any(|call| call.name.trim().eq_ignore_ascii_case(name));
        run.add_tools(|name| called(name) || offer::names(&text, name));
        true
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
}
