//! The agent's panel: a thread that works on questions, and a row for each of its steps.

use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};

use agent::{Agent, AgentSettings, CancellationToken, ChatModel, Event, Limits, Mode, OfflineModel, ProjectTools};
use index::search::Meaning;
use index::{Index, Location, Resolution};
use metadata::Language;
use paths::Places;
use slint::Model;
use tools::Toolset;

use super::controller::{Controller, replace};
use super::labels::{self, Pick as _};
use super::lines::model;
use super::prose;
use super::ui::{ChatLink, ChatRow};
use super::worker::Post;
use crate::asked::Asked;

/// Links shown below a step.
const LINKS: usize = 6;
/// Links shown below an answer.
const ANSWER_LINKS: usize = 16;
/// Rows that are kept when another question is asked.
const KEPT: usize = 300;
/// Words of a text that are tried as names.
const TRIED: usize = 200;

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

/// The agent of a project, on a thread of its own. It remembers earlier questions.
pub struct AgentThread {
    questions: Sender<String>,
    cancel: Arc<Mutex<CancellationToken>>,
}

impl AgentThread {
    fn start(
        location: Location,
        language: Language,
        meaning: Arc<Mutex<Meaning>>,
        post: Post,
    ) -> std::io::Result<Self> {
        let (questions, asked) = channel::<String>();
        let cancel = Arc::new(Mutex::new(CancellationToken::new()));
        let cancelled = Arc::clone(&cancel);
        std::thread::Builder::new().name("agent".to_owned()).spawn(move || {
            let runtime = match tokio::runtime::Runtime::new() {
                Ok(runtime) => runtime,
                Err(error) => return post.send(move |me| me.agent_failed(&error.to_string())),
            };
            let (model, about) = chosen_model(language);
            post.send(move |me| me.desk().set_model(about.into()));
            let tools = Toolset::new(location.clone(), language, "window")
                .with_meaning(meaning)
                .with_web(crate::project::web());
            let settings = AgentSettings { language, ..AgentSettings::default() };
            let mut agent = Agent::new(model, Arc::new(ProjectTools::new(tools)), settings);
            for record in crate::asked::broken_off(&location) {
                post.send(move |me| me.tell_of_broken_off(&record));
            }
            for question in asked {
                let task = Arc::new(Asked::begin(&location, &question, agent.model_name(), Mode::default()));
                let token = CancellationToken::new();
                *cancelled.lock().unwrap_or_else(PoisonError::into_inner) = token.clone();
                let pending = post.begin();
                let (sender, place, seen) = (post.clone(), location.clone(), Arc::clone(&task));
                let sink: agent::EventSink = Arc::new(move |event| {
                    seen.step(&event);
                    let links = links_of(&event, &place, language);
                    sender.send(move |me| me.agent_step(event, links));
                });
                let outcome = runtime.block_on(agent.ask(&question, sink, token));
                task.end(&outcome.status);
                post.send(move |me| {
                    me.desk().set_asking(false);
                    drop(pending);
                });
            }
        })?;
        Ok(Self { questions, cancel })
    }

    /// Stops the question that is worked on.
    pub fn cancel(&self) {
        self.cancel.lock().unwrap_or_else(PoisonError::into_inner).cancel();
    }
}

/// The model that the environment or the user's settings name, else the written investigations; with a word on it.
fn chosen_model(language: Language) -> (Arc<dyn ChatModel>, String) {
    let offline = || {
        let about = language
            .pick("без модели: готовые расследования по индексу", "no model: written investigations over the index");
        (Arc::new(OfflineModel) as Arc<dyn ChatModel>, about.to_owned())
    };
    let Some(places) = Places::of_user() else { return offline() };
    match crate::model::choose(&places, None, &Limits::default()) {
        Ok(chosen) if chosen.model.processed_at().is_none() => offline(),
        Ok(chosen) => {
            let about = format!("{} · {}", chosen.model.name(), chosen.model.region().name(language));
            (chosen.model, about)
        }
        Err(error) => (offline().0, format!("{}; {}", crate::model::failure(&error, language), offline().1)),
    }
}

/// What a step points at: names of the configuration and places in its files.
fn links_of(event: &Event, location: &Location, language: Language) -> Vec<(String, String)> {
    let (text, most) = match event {
        Event::ToolResult { content, ok: true, .. } => (content, LINKS),
        Event::Answer { text, .. } => (text, ANSWER_LINKS),
        _ => return Vec::new(),
    };
    let Ok(index) = Index::open(location) else { return Vec::new() };
    let mut links: Vec<(String, String)> = Vec::new();
    for word in candidates(text).into_iter().take(TRIED) {
        if links.len() == most {
            break;
        }
        let link = if is_place(&word) {
            Some((labels::short_path(&word), word))
        } else {
            match index.resolve(&word) {
                Ok(Resolution::Found(found)) => Some((labels::spoken(&found.full_name, language), found.full_name)),
                _ => None,
            }
        };
        if let Some(link) = link.filter(|link| !links.contains(link)) {
            links.push(link);
        }
    }
    links
}

/// Words that look like a full name or a place in a file, in order, each once.
fn candidates(text: &str) -> Vec<String> {
    let part = |c: char| c.is_alphanumeric() || "_.$:/-".contains(c);
    let mut found: Vec<String> = Vec::new();
    for word in text.split(|c: char| !part(c)) {
        let word = word.trim_matches(|c: char| ".:-/".contains(c));
        let name = || word.contains('.') && metadata::names::is_full_name(word);
        if (is_place(word) || name()) && !found.iter().any(|known| known == word) {
            found.push(word.to_owned());
        }
    }
    found
}

/// `Catalogs/X/Ext/ObjectModule.bsl:12`.
fn is_place(word: &str) -> bool {
    word.rsplit_once(':').is_some_and(|(file, line)| {
        line.parse::<u32>().is_ok()
            && file.contains('/')
            && [".bsl", ".xml", ".mdo", ".form"].iter().any(|end| file.ends_with(end))
    })
}

impl Controller {
    /// A fresh agent: for another project, another language, another index.
    pub(super) fn reset_agent(&self) {
        let location = self.state.borrow().location.clone();
        let Some(location) = location else { return };
        self.stop_agent();
        match AgentThread::start(location, self.language(), Arc::clone(&self.meaning), self.post.clone()) {
            Ok(agent) => self.state.borrow_mut().agent = Some(agent),
            Err(error) => self.agent_failed(&error.to_string()),
        }
    }

    /// Forgets what was asked of another project.
    pub(super) fn clear_chat(&self) {
        replace(&self.models.chat, Vec::new());
        self.state.borrow_mut().calls.clear();
    }

    /// Asks the agent.
    pub(super) fn ask_agent(&self, question: String) {
        let sent =
            self.state.borrow().agent.as_ref().is_some_and(|agent| agent.questions.send(question.clone()).is_ok());
        let chat = &self.models.chat;
        if chat.row_count() > KEPT {
            replace(chat, chat.iter().skip(chat.row_count() - KEPT).collect());
            self.state.borrow_mut().calls.clear();
        }
        chat.push(row(kind::QUESTION, "", &question));
        if sent {
            self.desk().set_asking(true);
        } else {
            self.agent_failed(self.pick("сначала откройте конфигурацию", "open a configuration first"));
        }
    }

    /// Stops the question that is worked on.
    pub(super) fn stop_agent(&self) {
        if let Some(agent) = &self.state.borrow().agent {
            agent.cancel();
        }
    }

    /// Says that a question broke off, whose program was killed.
    fn tell_of_broken_off(&self, record: &agent::Record) {
        let what =
            self.pick("вопрос оборван: программа была завершена", "a question broke off: its program was killed");
        self.models.chat.push(row(kind::NOTICE, "", &format!("{what}: «{}»", record.question)));
    }

    fn agent_failed(&self, message: &str) {
        self.models.chat.push(row(kind::FAILURE, "", message));
        self.desk().set_asking(false);
    }

    /// A step of the agent.
    fn agent_step(&self, event: Event, links: Vec<(String, String)>) {
        let chat = &self.models.chat;
        let links = || {
            model(
                links
                    .iter()
                    .map(|(text, target)| ChatLink { text: text.as_str().into(), target: target.as_str().into() })
                    .collect(),
            )
        };
        match event {
            Event::Turn { number, limit } => {
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
                chat.set_row_data(at, ChatRow { detail, failed: !ok, links: links(), ..old });
            }
            Event::Text { delta } => self.append(kind::TEXT, &delta),
            Event::Reasoning { delta } => self.append(kind::NOTICE, &delta),
            Event::Notice { text } => chat.push(row(kind::NOTICE, "", &text)),
            Event::Error { message } => chat.push(row(kind::FAILURE, "", &message)),
            Event::Usage { .. } => {}
            Event::Answer { text, unresolved, complete } => {
                let title = if complete { "" } else { self.pick("Не закончено", "Not finished") };
                let unknown = unresolved.len();
                let detail = match unknown {
                    0 => String::new(),
                    _ => format!(
                        "{}: {unknown}",
                        self.pick("имён, которых индекс не знает", "names that the index does not know")
                    ),
                };
                let answer = ChatRow {
                    detail: detail.into(),
                    failed: unknown > 0 || !complete,
                    links: links(),
                    ..row(kind::ANSWER, title, &prose::plain(&text, self.language()))
                };
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_places_are_taken_out_of_text_and_json() {
        let text = "Вызывает CommonModule.Обмен.Выгрузить (CommonModules/Обмен/Ext/Module.bsl:12), и т.д. \
                    {\"source\":\"Catalog.Валюты\",\"file\":\"Catalogs/Валюты.xml:3\"} Catalog.Валюты.";
        let expected = [
            "CommonModule.Обмен.Выгрузить",
            "CommonModules/Обмен/Ext/Module.bsl:12",
            "Catalog.Валюты",
            "Catalogs/Валюты.xml:3",
        ];
        assert_eq!(candidates(text), expected);
    }

    #[test]
    fn a_place_has_a_file_of_the_dump_and_a_line() {
        assert!(is_place("a/b.bsl:1"));
        assert!(!is_place("a/b.bsl"));
        assert!(!is_place("b.bsl:x"));
        assert!(!is_place("http://x:80"));
    }
}
