//! The thread on which the agent of a project works, and the model that answers.

use std::cell::RefCell;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use agent::image::Image;
use agent::{Agent, AgentSettings, CancellationToken, Event, Limits, Mode, OfflineModel, ProjectTools, Record, Status};
use index::Location;
use index::search::Meaning;
use metadata::Language;
use paths::Places;
use tools::Toolset;
use tools::edits::EditId;

use super::super::controller::Controller;
use super::super::labels::Pick as _;
use super::super::worker::{Post, Ticket};
use super::links;
use crate::asked;
use crate::failure::Failure;
use crate::model::{self, Chosen};

/// A question.
pub(in crate::window) struct Asked {
    pub question: String,
    /// Not a new question: the last one is gone on with.
    pub goes_on: bool,
    pub mode: Mode,
    pub turns: u32,
    pub images: Vec<Image>,
    /// What is open: full names or files.
    pub open: Vec<String>,
    /// Made with the question, so that it can be stopped before the thread has taken it.
    pub cancel: CancellationToken,
}

/// The model that answers, as people see it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::window) struct AboutModel {
    pub name: String,
    /// Where text is processed; nothing: on this machine, in this process.
    pub region: String,
    /// Whether text leaves the local network.
    pub leaves: bool,
    /// Turns of a question that suit it.
    pub turns: u32,
    /// Why it isn't the one that was set up.
    pub trouble: String,
}

/// How a question ended.
pub(in crate::window) struct Done {
    pub status: Status,
    /// Changes that were proposed.
    pub proposed: Vec<EditId>,
}

/// What an agent of a project is started with.
pub(in crate::window) struct Start {
    pub location: Location,
    pub language: Language,
    pub meaning: Arc<Mutex<Meaning>>,
    pub places: Option<Places>,
    pub post: Post,
    /// Outdated as soon as another agent is started: then nothing of this one is shown any more.
    pub ticket: Ticket,
}

/// The agent of a project, on a thread of its own. It remembers earlier questions.
pub struct AgentThread {
    questions: Sender<Asked>,
    running: RefCell<CancellationToken>,
}

impl AgentThread {
    pub(in crate::window) fn start(start: Start) -> std::io::Result<Self> {
        let (questions, asked) = channel::<Asked>();
        std::thread::Builder::new().name("agent".to_owned()).spawn(move || {
            let post = start.post.clone();
            match tokio::runtime::Runtime::new() {
                Ok(runtime) => {
                    let mut work = Work::new(start);
                    asked.into_iter().for_each(|asked| runtime.block_on(work.answer(asked)));
                }
                Err(error) => post.send(move |me| me.agent_failed(&error.to_string())),
            }
        })?;
        Ok(Self { questions, running: RefCell::default() })
    }

    /// Sends a question; false: the thread is gone.
    pub(in crate::window) fn ask(&self, asked: Asked) -> bool {
        *self.running.borrow_mut() = asked.cancel.clone();
        self.questions.send(asked).is_ok()
    }

    /// Stops the question that is worked on, or waits to be.
    pub fn cancel(&self) {
        self.running.borrow().cancel();
    }
}

/// What the thread holds.
struct Work {
    start: Start,
    agent: Agent,
    /// The model that was chosen.
    chosen: Chosen,
    /// The one that answers now: another one, if a question has an image that the chosen one doesn't take.
    answers: Chosen,
    question: String,
    /// What was recorded of the question, if it was not answered to its end.
    recorded: Option<Record>,
    /// Changes that were proposed for the question.
    proposed: Arc<Mutex<Vec<EditId>>>,
}

impl Work {
    fn new(start: Start) -> Self {
        let (chosen, trouble) = chosen_model(start.places.as_ref(), start.language);
        let settings = settings(&chosen, start.language);
        let tools = Toolset::new(start.location.clone(), start.language, "window")
            .with_meaning(Arc::clone(&start.meaning))
            .with_web(crate::project::web());
        let agent = Agent::new(Arc::clone(&chosen.model), Arc::new(ProjectTools::new(tools)), settings);
        let answers = chosen.clone();
        let work =
            Self { start, agent, chosen, answers, question: String::new(), recorded: None, proposed: Arc::default() };
        work.tell_model(trouble);
        for record in asked::broken_off(&work.start.location) {
            work.send(move |me| me.tell_of_broken_off(&record));
        }
        work
    }

    /// Does something to the window, unless it has another agent by now.
    fn send(&self, apply: impl FnOnce(&Controller) + Send + 'static) {
        let ticket = self.start.ticket.clone();
        self.start.post.send(move |me| {
            if ticket.is_current() {
                apply(me);
            }
        });
    }

    /// Which model answers, and where, is seen before anything is sent.
    fn tell_model(&self, trouble: String) {
        let about = AboutModel { trouble, ..about(&self.answers, self.start.language) };
        self.send(move |me| me.show_model(about));
    }

    async fn answer(&mut self, asked: Asked) {
        let pending = self.start.post.begin();
        match self.prepare(&asked) {
            Ok(()) => {
                let done = self.work(asked).await;
                self.send(move |me| me.agent_done(done));
            }
            Err(failure) => {
                let hint = failure.hint.map_or_else(String::new, |hint| format!(". {hint}"));
                self.send(move |me| me.agent_failed(&format!("{}{hint}", failure.message)));
            }
        }
        // After the results: whoever waits for the work waits for them.
        self.start.post.send(move |_| drop(pending));
    }

    /// The model of the question: one that takes its images. A continuation stays with the one that it began with.
    fn prepare(&mut self, asked: &Asked) -> Result<(), Failure> {
        self.agent.set_mode(asked.mode);
        self.agent.set_turns(asked.turns);
        self.agent.set_open(asked.open.clone());
        if asked.goes_on {
            return Ok(());
        }
        let mut answers = self.chosen.clone();
        if let Some(places) = self.start.places.as_ref().filter(|_| !asked.images.is_empty()) {
            answers = model::that_sees(places, answers, &Limits::default(), self.start.language)?;
        }
        if answers.model.name() != self.answers.model.name() {
            let price = answers.entry.as_ref().and_then(|entry| entry.price.clone());
            self.agent.set_model(Arc::clone(&answers.model), price);
            self.answers = answers;
            self.tell_model(String::new());
        }
        asked.images.iter().for_each(|image| self.agent.attach(image.clone()));
        Ok(())
    }

    async fn work(&mut self, asked: Asked) -> Done {
        let started = Instant::now();
        if !asked.goes_on {
            (self.question, self.recorded) = (asked.question.clone(), None);
            self.proposed = Arc::default();
        }
        let task =
            Arc::new(asked::Asked::begin(&self.start.location, &self.question, self.answers.model.name(), asked.mode));
        let sink = self.sink(Arc::clone(&task));
        let outcome = match asked.goes_on {
            true => self.agent.go_on(sink, asked.cancel).await,
            false => self.agent.ask(&asked.question, sink, asked.cancel).await,
        };
        task.end(&outcome.status);
        let record = Record::new(self.answers.model.name(), asked.mode, &self.question, &outcome, started.elapsed());
        let part = match &self.recorded {
            Some(earlier) => record.clone().beyond(earlier),
            None => record.clone(),
        };
        self.recorded = (outcome.status != Status::Answered).then_some(record);
        let path = Record::path_beside(self.start.location.pointer());
        if let Err(error) = part.append(&path) {
            self.send(move |me| me.say(format!("{}: {error}", path.display())));
        }
        let proposed = self.proposed.lock().unwrap_or_else(PoisonError::into_inner).clone();
        Done { status: outcome.status, proposed }
    }

    /// Takes the events of a question to the window, and to the table of tasks.
    fn sink(&self, task: Arc<asked::Asked>) -> agent::EventSink {
        let proposed = Arc::clone(&self.proposed);
        let (post, ticket) = (self.start.post.clone(), self.start.ticket.clone());
        let (place, language) = (self.start.location.clone(), self.start.language);
        Arc::new(move |event: Event| {
            task.step(&event);
            let step = super::Step {
                links: links::links_of(&event, &place, language),
                remarks: links::remarks(&event, language),
                edit: links::proposed(&event),
            };
            proposed.lock().unwrap_or_else(PoisonError::into_inner).extend(step.edit);
            let ticket = ticket.clone();
            post.send(move |me| {
                if ticket.is_current() {
                    me.agent_step(event, step);
                }
            });
        })
    }
}

fn settings(chosen: &Chosen, language: Language) -> AgentSettings {
    chosen.settings(Mode::default(), language, Limits::default())
}

/// The model that the environment or the user's settings name, else the written investigations; with the reason why it isn't the
/// one that was meant.
fn chosen_model(places: Option<&Places>, language: Language) -> (Chosen, String) {
    let offline = || Chosen { model: Arc::new(OfflineModel), entry: None };
    let Some(places) = places else { return (offline(), String::new()) };
    match model::choose(places, None, &Limits::default()) {
        Ok(chosen) => (chosen, String::new()),
        Err(error) => (offline(), model::failure(&error, language).to_string()),
    }
}

fn about(chosen: &Chosen, language: Language) -> AboutModel {
    let turns = settings(chosen, language).turns;
    if chosen.model.processed_at().is_none() {
        let name = language.pick("без модели: готовые расследования", "no model: written investigations").to_owned();
        return AboutModel { name, turns, ..AboutModel::default() };
    }
    let region = chosen.model.region();
    AboutModel {
        name: chosen.model.name().to_owned(),
        region: region.name(language),
        leaves: !region.is_local(),
        turns,
        trouble: String::new(),
    }
}
