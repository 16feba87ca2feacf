//! The agent's panel: what is asked and how, and a row for each step of the answer.

mod links;
mod thread;

use std::path::Path;
use std::sync::Arc;

use agent::image::Image;
use agent::message::Usage;
use agent::{AgentSettings, CancellationToken, Cost, Event, Mode, Status};
use metadata::Language;
use slint::{Model, SharedString};
use tools::edits::EditId;

use super::controller::{Controller, replace};
use super::labels::Pick as _;
use super::lines::model;
use super::prose;
use super::ui::{ChatLink, ChatRow};
use thread::{AboutModel, Asked, Done, Start};

pub use thread::AgentThread;

/// Rows that are kept when another question is asked.
const KEPT: usize = 300;
/// Images that go with one question.
const IMAGES: usize = 4;

/// Kinds of rows, as the markup knows them.
mod kind {
    pub const QUESTION: i32 = 0;
    pub const TURN: i32 = 1;
    pub const CALL: i32 = 2;
    pub const TEXT: i32 = 3;
    pub const ANSWER: i32 = 4;
    pub const NOTICE: i32 = 5;
    pub const FAILURE: i32 = 6;
}

/// What was read out of an event beside the event loop.
#[derive(Default)]
pub(super) struct Step {
    /// Text and target of each.
    links: Vec<(String, String)>,
    /// What gates said of a change.
    remarks: Vec<String>,
    /// The change that was proposed.
    edit: Option<EditId>,
}

impl Controller {
    /// The agent of the open project: a fresh one for another project or another language.
    pub(super) fn reset_agent(&self) {
        let location = self.state.borrow().location.clone();
        let Some(location) = location else { return };
        self.stop_agent();
        let start = Start {
            location,
            language: self.language(),
            meaning: Arc::clone(&self.meaning),
            places: self.places(),
            post: self.post.clone(),
            ticket: self.asked.agent.next(),
        };
        // What the one before still works on is shown no more.
        self.desk().set_asking(false);
        self.desk().set_can_go_on(false);
        match AgentThread::start(start) {
            Ok(agent) => self.state.borrow_mut().agent = Some(agent),
            Err(error) => self.agent_failed(&error.to_string()),
        }
    }

    /// The agent, if there is none yet. A new generation of the index is no reason for another one: it asks the index anew with
    /// each call, and would forget what was said.
    pub(super) fn ensure_agent(&self) {
        if self.state.borrow().agent.is_none() {
            self.reset_agent();
        }
    }

    /// Forgets what was asked of another project.
    pub(super) fn clear_chat(&self) {
        // What its agent still says is shown no more.
        self.asked.agent.next();
        replace(&self.models.chat, Vec::new());
        replace(&self.models.images, Vec::new());
        let desk = self.desk();
        desk.set_asking(false);
        desk.set_can_go_on(false);
        desk.set_tokens("".into());
        desk.set_by_itself(false);
        self.state.borrow_mut().forget_rows();
    }

    /// Which model answers, and where it processes what it is sent.
    pub(super) fn show_model(&self, about: AboutModel) {
        let desk = self.desk();
        let before = desk.get_model();
        desk.set_model(about.name.as_str().into());
        desk.set_region(about.region.into());
        desk.set_leaves(about.leaves);
        desk.set_model_trouble(about.trouble.into());
        if before != about.name {
            let (turns, choices) = steps(about.turns);
            replace(&self.models.steps, choices);
            desk.set_steps(turns);
        }
    }

    /// Asks the agent.
    pub(super) fn ask_agent(&self, question: String) {
        let images: Vec<Image> = std::mem::take(&mut self.state.borrow_mut().images);
        replace(&self.models.images, Vec::new());
        self.desk().set_attaching(false);
        let names: Vec<&str> = images.iter().map(|image| image.name.as_str()).collect();
        let detail = match names.as_slice() {
            [] => String::new(),
            names => format!("{}: {}", self.pick("изображения", "images"), names.join(", ")),
        };
        self.trim_chat();
        self.models.chat.push(ChatRow { detail: detail.into(), ..row(kind::QUESTION, "", &question) });
        self.send_to_agent(question, images, false);
    }

    /// Goes on with the last question, which was not answered to its end.
    pub(super) fn go_on(&self) {
        let text = self.pick("Продолжить", "Go on");
        self.models.chat.push(row(kind::QUESTION, "", text));
        self.send_to_agent(String::new(), Vec::new(), true);
    }

    fn send_to_agent(&self, question: String, images: Vec<Image>, goes_on: bool) {
        let desk = self.desk();
        let asked = Asked {
            question,
            goes_on,
            mode: usize::try_from(desk.get_mode()).ok().and_then(|at| Mode::ALL.get(at).copied()).unwrap_or_default(),
            turns: u32::try_from(desk.get_steps()).unwrap_or_default().max(1),
            images,
            open: self.open_things(),
            cancel: CancellationToken::new(),
        };
        let sent = self.state.borrow().agent.as_ref().is_some_and(|agent| agent.ask(asked));
        self.state.borrow_mut().turn = None;
        desk.set_can_go_on(false);
        desk.set_tokens("".into());
        self.follow_chat();
        if sent {
            desk.set_asking(true);
        } else {
            self.agent_failed(self.pick("сначала откройте конфигурацию", "open a configuration first"));
        }
    }

    /// What the person looks at.
    fn open_things(&self) -> Vec<String> {
        let state = self.state.borrow();
        let name = if state.module.is_empty() { &state.file } else { &state.module };
        if name.is_empty() { Vec::new() } else { vec![name.clone()] }
    }

    fn trim_chat(&self) {
        let chat = &self.models.chat;
        if chat.row_count() > KEPT {
            replace(chat, chat.iter().skip(chat.row_count() - KEPT).collect());
            self.state.borrow_mut().forget_rows();
        }
    }

    /// An image that goes with the next question; what is wrong with a file is said beside it.
    pub(super) fn attach(&self, path: &str) {
        let path = Path::new(path.trim());
        let read = Image::read(path);
        let desk = self.desk();
        let mut state = self.state.borrow_mut();
        match read {
            Ok(_) if state.images.len() == IMAGES => {
                desk.set_attach_note(self.pick("не больше четырёх изображений", "four images at most").into());
            }
            Ok(image) => {
                self.models.images.push(image.name.as_str().into());
                state.images.push(image);
                desk.set_attach_note("".into());
                desk.set_attaching(false);
            }
            Err(error) => {
                let what = self.pick("PNG, JPEG, WebP или GIF до 5 МБ", "PNG, JPEG, WebP or GIF of at most 5 MB");
                desk.set_attach_note(format!("{}: {error}. {what}", path.display()).into());
            }
        }
    }

    /// Takes an image back.
    pub(super) fn detach(&self, at: i32) {
        let mut state = self.state.borrow_mut();
        if let Some(at) = usize::try_from(at).ok().filter(|at| *at < state.images.len()) {
            state.images.remove(at);
            self.models.images.remove(at);
        }
    }

    /// Stops the question that is worked on.
    pub(super) fn stop_agent(&self) {
        if let Some(agent) = &self.state.borrow().agent {
            agent.cancel();
        }
    }

    /// Says that a question broke off, whose program was killed.
    pub(super) fn tell_of_broken_off(&self, record: &agent::Record) {
        let what =
            self.pick("вопрос оборван: программа была завершена", "a question broke off: its program was killed");
        self.chat_notice(&format!("{what}: «{}»", record.question));
    }

    /// There is no answer.
    pub(super) fn agent_failed(&self, message: &str) {
        self.models.chat.push(row(kind::FAILURE, "", message));
        self.desk().set_asking(false);
        self.follow_chat();
    }

    /// A question came to an end.
    pub(super) fn agent_done(&self, done: Done) {
        let desk = self.desk();
        desk.set_asking(false);
        let why = match &done.status {
            Status::Answered => "",
            Status::TurnLimit => self.pick("Ходы закончились", "The turns are used up"),
            Status::Cancelled => self.pick("Остановлено", "Stopped"),
            Status::Failed(_) => self.pick("Модель не ответила", "The model failed"),
        };
        desk.set_go_on_note(why.into());
        desk.set_can_go_on(done.status != Status::Answered);
        self.list_edits();
        if done.status == Status::Answered {
            self.edits_proposed(done.proposed);
        }
        self.follow_chat();
    }

    /// A line in the chat.
    pub(super) fn chat_notice(&self, text: &str) {
        self.models.chat.push(row(kind::NOTICE, "", text));
        self.follow_chat();
    }

    /// A step of the agent.
    pub(super) fn agent_step(&self, event: Event, step: Step) {
        let chat = &self.models.chat;
        match event {
            Event::Turn { number, limit } => {
                self.state.borrow_mut().turn = Some(chat.row_count());
                chat.push(row(kind::TURN, &format!("{} {number} / {limit}", self.pick("Ход", "Turn")), ""));
            }
            Event::ToolCall { id, name, arguments } => {
                self.state.borrow_mut().calls.push((id, chat.row_count()));
                chat.push(ChatRow { detail: "…".into(), ..row(kind::CALL, &name, &arguments) });
            }
            Event::ToolResult { id, ok, summary, took, repeated, .. } => {
                let at = self.state.borrow().calls.iter().rev().find(|(call, _)| *call == id).map(|(_, at)| *at);
                let Some((at, old)) = at.and_then(|at| Some((at, chat.row_data(at)?))) else { return };
                let again = if repeated { self.pick(", из журнала", ", from the journal") } else { "" };
                let detail = slint::format!(
                    "{} {summary} · {} {}{again}",
                    if ok { "✓" } else { "✗" },
                    took.as_millis(),
                    self.pick("мс", "ms")
                );
                let links = self.links(&step);
                let remarks = step.remarks.join("\n").into();
                chat.set_row_data(at, ChatRow { detail, failed: !ok, links, remarks, ..old });
                if step.edit.is_some() {
                    self.list_edits();
                }
            }
            Event::Text { delta } => self.append(kind::TEXT, &delta),
            Event::Reasoning { delta } => self.append(kind::NOTICE, &delta),
            Event::Notice { text } => chat.push(row(kind::NOTICE, "", &text)),
            Event::Error { message } => chat.push(row(kind::FAILURE, "", &message)),
            Event::Usage { turn, total, cost } => self.show_usage(turn, total, cost.as_ref()),
            Event::Answer { text, unresolved, complete } => {
                let answer = self.answer(&text, unresolved.len(), complete, self.links(&step));
                // The streamed text is the answer: it becomes it.
                match chat
                    .row_count()
                    .checked_sub(1)
                    .filter(|last| chat.row_data(*last).is_some_and(|row| row.kind == kind::TEXT))
                {
                    Some(last) => chat.set_row_data(last, answer),
                    None => chat.push(answer),
                }
            }
        }
        self.follow_chat();
    }

    fn answer(&self, text: &str, unknown: usize, complete: bool, links: slint::ModelRc<ChatLink>) -> ChatRow {
        let title = if complete { "" } else { self.pick("Не закончено", "Not finished") };
        let names = self.pick("имён, которых индекс не знает", "names that the index does not know");
        let detail = if unknown == 0 { String::new() } else { format!("{names}: {unknown}") };
        ChatRow {
            detail: detail.into(),
            failed: unknown > 0 || !complete,
            links,
            ..row(kind::ANSWER, title, &prose::plain(text, self.language()))
        }
    }

    fn links(&self, step: &Step) -> slint::ModelRc<ChatLink> {
        let edit = step.edit.map(|id| ChatLink {
            text: slint::format!("{} {id}", self.pick("Посмотреть правку", "Look at change")),
            target: "".into(),
            edit: i32::try_from(id).unwrap_or_default(),
        });
        let link = |(text, target): &(String, String)| ChatLink {
            text: text.as_str().into(),
            target: target.as_str().into(),
            edit: 0,
        };
        model(edit.into_iter().chain(step.links.iter().map(link)).collect())
    }

    /// What a turn took stands beside it, what the question took so far below the chat.
    fn show_usage(&self, turn: Usage, total: Usage, cost: Option<&Cost>) {
        let chat = &self.models.chat;
        let language = self.language();
        let at = self.state.borrow().turn;
        if let Some((at, old)) = at.and_then(|at| Some((at, chat.row_data(at)?))) {
            let detail = spent(turn, cost.map(|cost| (cost.turn, cost.currency.as_str())), language);
            chat.set_row_data(at, ChatRow { detail: detail.into(), ..old });
        }
        let text = spent(total, cost.map(|cost| (cost.total, cost.currency.as_str())), language);
        self.desk().set_tokens(format!("{}: {text}", self.pick("Вопрос", "Question")).into());
    }

    /// The view goes to the end.
    fn follow_chat(&self) {
        let desk = self.desk();
        desk.set_chat_tick(desk.get_chat_tick().wrapping_add(1));
    }

    /// Adds a piece to the text that is being streamed.
    fn append(&self, kind: i32, delta: &str) {
        let chat = &self.models.chat;
        let last = chat.row_count().checked_sub(1).and_then(|at| Some((at, chat.row_data(at)?)));
        match last.filter(|(_, row)| row.kind == kind) {
            Some((at, mut row)) => {
                row.text.push_str(delta);
                chat.set_row_data(at, row);
            }
            None => chat.push(row(kind, "", delta)),
        }
    }
}

fn row(kind: i32, title: &str, text: &str) -> ChatRow {
    ChatRow { kind, title: title.into(), text: text.into(), ..ChatRow::default() }
}

/// The step limit that suits a model, and those that can be chosen, the largest first.
fn steps(of_model: u32) -> (i32, Vec<i32>) {
    let number = |turns: u32| i32::try_from(turns).unwrap_or(i32::MAX);
    let presets = AgentSettings::SMALL.into_iter().chain([AgentSettings::default().turns, of_model]);
    let mut choices: Vec<i32> = presets.map(number).collect();
    choices.sort_unstable();
    choices.dedup();
    choices.reverse();
    (number(of_model), choices)
}

/// `12 345 → 678 токенов · 0,0123 USD`.
fn spent(usage: Usage, cost: Option<(f64, &str)>, language: Language) -> String {
    let cached = match usage.cached {
        0 => String::new(),
        cached => format!(" ({} {})", language.pick("из кэша", "cached"), spaced(cached)),
    };
    let cost = cost.map_or_else(String::new, |(sum, currency)| format!(" · {sum:.4} {currency}"));
    let tokens = language.pick("токенов", "tokens");
    format!("{}{cached} → {} {tokens}{cost}", spaced(usage.prompt), spaced(usage.completion))
}

/// Digits in threes.
fn spaced(number: u64) -> SharedString {
    let digits = number.to_string();
    let mut out = SharedString::default();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push_str("\u{a0}");
        }
        out.push_str(digit.encode_utf8(&mut [0; 4]));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_step_limit_of_a_model_can_always_be_chosen() {
        assert_eq!(steps(30), (30, vec![30, 24, 12, 6]));
        assert_eq!(steps(8), (8, vec![30, 24, 12, 8, 6]));
    }

    #[test]
    fn tokens_are_told_with_their_price() {
        let usage = Usage { prompt: 1_234_567, cached: 1000, completion: 89 };
        assert_eq!(
            spent(usage, Some((0.01234, "USD")), Language::English),
            "1\u{a0}234\u{a0}567 (cached 1\u{a0}000) → 89 tokens · 0.0123 USD"
        );
        assert_eq!(spent(Usage { cached: 0, ..usage }, None, Language::Russian), "1\u{a0}234\u{a0}567 → 89 токенов");
    }
}
