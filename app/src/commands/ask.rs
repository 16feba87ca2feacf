//! `metascope ask QUESTION`: the agent; streams its steps.

use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use agent::image::Image;
use agent::{
    Agent, AgentSettings, CancellationToken, ChatModel, Event, Limits, Mode, ProjectTools, Record, Status, Unfinished,
};
use clap::ValueEnum;
use index::Location;
use tools::{Meaning, Toolset};

use crate::asked::{self, Asked};

use crate::cli::Lang;
use crate::context::Context;
use crate::failure::{Failure, Outcome};
use crate::model::{self, Chosen};
use crate::{interrupt, output, project};

/// Asks the agent; its steps are streamed.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The question, in Russian or English.
    #[arg(required_unless_present = "go_on")]
    question: Option<String>,
    /// Go on with the last question that was not answered to its end: its turns were used up, it was stopped, the model failed,
    /// or the program was killed.
    #[arg(long = "continue", conflicts_with_all = ["question", "image", "mode"])]
    go_on: bool,
    /// One of `metascope models list`, `offline` (written investigations, no model), or `env`: the model that
    /// METASCOPE_MODEL_URL, METASCOPE_MODEL and METASCOPE_MODEL_KEY name (default: `env` if they are set, else the default
    /// of the list, else `offline`).
    #[arg(long)]
    model: Option<String>,
    /// What the agent may do with the question.
    #[arg(long, value_enum, default_value_t)]
    mode: ModeArg,
    /// An image that goes with the question (a screenshot of an error), to a model that takes images. May be given several times.
    #[arg(long, value_name = "FILE")]
    image: Vec<PathBuf>,
    /// Turns of one question (default: those of the model, else 30).
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=100))]
    turns: Option<u32>,
}

/// [`Mode`] on the command line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum ModeArg {
    /// Looks and answers.
    #[default]
    Question,
    /// Looks, and ends in a plan.
    Plan,
    /// May propose edits; a person applies them.
    Agent,
}

impl From<ModeArg> for Mode {
    fn from(mode: ModeArg) -> Self {
        match mode {
            ModeArg::Question => Self::Question,
            ModeArg::Plan => Self::Plan,
            ModeArg::Agent => Self::Agent,
        }
    }
}

/// Runs it.
///
/// # Errors
/// If there is no index, or the model fails.
pub fn run(context: &Context, args: &Args) -> Outcome {
    let limits = Limits::default();
    let images = images(context, &args.image)?;
    let location = context.location()?;
    tell_of_broken_off(context, &location);
    let chosen = chosen_model(context, args, &limits)?;
    let toolset = toolset(context, chosen.model.as_ref())?;
    let questions = Record::path_beside(location.pointer());
    let kept = if args.go_on { Some(unfinished(context, &location)?) } else { None };
    let question =
        kept.as_ref().map_or_else(|| args.question.clone().unwrap_or_default(), |kept| kept.question.clone());
    let mode = kept.as_ref().and_then(|kept| Mode::from_word(&kept.mode)).unwrap_or_else(|| Mode::from(args.mode));
    let settings = chosen.settings(mode, context.language(), limits);
    let settings = AgentSettings { turns: args.turns.unwrap_or(settings.turns), ..settings };
    let model = chosen.model;
    let cancel = CancellationToken::new();
    interrupt::on_ctrl_c({
        let cancel = cancel.clone();
        move || cancel.cancel()
    });
    let printer = Printer {
        json: context.json(),
        quiet: context.quiet(),
        lang: context.lang(),
        shows_text: std::io::stdout().is_terminal() && std::io::stderr().is_terminal(),
        streamed: Mutex::new(String::new()),
        tokens: Mutex::new(String::new()),
    };
    let asked = Arc::new(Asked::begin(&location, &question, model.name(), mode));
    let (seen, keeper) = (Arc::clone(&asked), Arc::clone(&asked));
    let events: agent::EventSink = Arc::new(move |event| {
        seen.step(&event);
        printer.print(&event);
    });
    let runtime = tokio::runtime::Runtime::new()?;
    let started = Instant::now();
    let mut agent = Agent::new(Arc::clone(&model), Arc::new(ProjectTools::new(toolset)), settings);
    agent.keep_with(Arc::new(move |unfinished: &Unfinished| keeper.keep(unfinished)));
    images.into_iter().for_each(|image| agent.attach(image));
    let mut outcome = match kept {
        Some(kept) => {
            asked.keep(&kept);
            runtime.block_on(agent.take_up(kept));
            runtime.block_on(agent.go_on(Arc::clone(&events), cancel.clone()))
        }
        None => runtime.block_on(agent.ask(&question, Arc::clone(&events), cancel.clone())),
    };
    while outcome.status == Status::TurnLimit && goes_on(context) {
        outcome = runtime.block_on(agent.go_on(Arc::clone(&events), cancel.clone()));
    }
    let record = Record::new(model.name(), mode, &question, &outcome, started.elapsed());
    if let Err(error) = record.append(&questions) {
        context.note(&format!("{}: {error}", questions.display()));
    }
    asked.end(&outcome.status);
    match outcome.status {
        Status::Answered | Status::TurnLimit => Ok(()),
        Status::Cancelled => Err(Failure::stopped(context.pick("остановлено", "stopped"))),
        Status::Failed(error) => Err(model::model_failure(&error, context.language())),
    }
}

/// The tools of the agent. Written investigations have no use for topics, so that no model of sentences is loaded for them.
fn toolset(context: &Context, model: &dyn ChatModel) -> Outcome<Toolset> {
    let toolset = project::toolset(context, "agent")?;
    if model.processed_at().is_some() {
        return Ok(toolset);
    }
    Ok(toolset.with_meaning(Arc::new(Mutex::new(Meaning::none("not asked for")))))
}

/// Says which questions broke off since the last time.
fn tell_of_broken_off(context: &Context, location: &Location) {
    for record in asked::broken_off(location) {
        let what =
            context.pick("вопрос оборван: программа была завершена", "a question broke off: its program was killed");
        let turn = context.pick("на ходу", "in turn");
        let how = context.pick("продолжить: metascope ask --continue", "go on with: metascope ask --continue");
        context.note(&format!("! {what} {turn} {}: «{}»; {how}", record.turns, record.question));
    }
}

/// The question to go on with.
fn unfinished(context: &Context, location: &Location) -> Outcome<Unfinished> {
    let kept = asked::unfinished(location).ok_or_else(|| {
        Failure::usage("nothing_unfinished", context.pick("неоконченных вопросов нет", "no question is unfinished"))
            .with_hint(context.pick("задайте вопрос: metascope ask ВОПРОС", "ask one: metascope ask QUESTION"))
    })?;
    context.note(&format!("{}: «{}»", context.pick("продолжаю", "going on with"), kept.question));
    Ok(kept)
}

/// The turns are used up: whether the person who watches wants more.
fn goes_on(context: &Context) -> bool {
    if context.json() || context.quiet() || !std::io::stdin().is_terminal() || !std::io::stderr().is_terminal() {
        return false;
    }
    eprint!("{} ", context.pick("Ходы закончились. Продолжить? [д/Н]", "The turns are used up. Go on? [y/N]"));
    let _ = std::io::stderr().flush();
    let mut line = String::new();
    std::io::stdin().read_line(&mut line).is_ok() && line.trim().to_lowercase().starts_with(['д', 'y'])
}

/// The model; where what it is sent is processed is said before anything is sent.
fn chosen_model(context: &Context, args: &Args, limits: &Limits) -> Outcome<Chosen> {
    let language = context.language();
    let places = context.places()?;
    let mut chosen =
        model::choose(&places, args.model.as_deref(), limits).map_err(|error| model::failure(&error, language))?;
    if !args.image.is_empty() {
        chosen = model::that_sees(&places, chosen, limits, language)?;
    }
    if chosen.model.processed_at().is_some() {
        let (name, region) = (chosen.model.name(), chosen.model.region().name(language));
        context.note(&format!("{name}; {}: {region}", context.pick("текст обрабатывается", "text is processed in")));
    }
    if !args.image.is_empty() {
        context.note(context.pick(
            "изображение уходит как есть: секреты в нём не скрываются",
            "the image goes out as it is: secrets in it are not masked",
        ));
    }
    Ok(chosen)
}

fn images(context: &Context, files: &[PathBuf]) -> Outcome<Vec<Image>> {
    let read = |file: &PathBuf| {
        Image::read(file).map_err(|error| {
            let what = context.pick("изображение не подходит", "the image can't be sent");
            Failure::usage("image", format!("{what}: {}: {error}", file.display()))
                .with_hint(context.pick("PNG, JPEG, WebP или GIF до 5 МБ", "PNG, JPEG, WebP or GIF of at most 5 MB"))
        })
    };
    files.iter().map(read).collect()
}

/// Prints the steps to stderr and the answer to stdout; with `--json` an event a line to stdout.
struct Printer {
    json: bool,
    quiet: bool,
    lang: Lang,
    /// A person watches both streams: text is shown as it comes, and not printed twice.
    shows_text: bool,
    /// Text that was shown since the last step.
    streamed: Mutex<String>,
    /// Tokens of the turn that has ended.
    tokens: Mutex<String>,
}

impl Printer {
    fn print(&self, event: &Event) {
        if self.json {
            let _ = output::json(event);
            return;
        }
        match event {
            Event::Answer { text, .. } => {
                let shown = self.step("");
                if shown.trim() != text.trim() {
                    let _ = output::text(text);
                }
                if !self.quiet {
                    self.step_of_tokens();
                }
            }
            Event::Text { delta } if self.shows_text && !self.quiet => {
                eprint!("{delta}");
                let _ = std::io::stderr().flush();
                self.streamed.lock().unwrap_or_else(PoisonError::into_inner).push_str(delta);
            }
            _ if self.quiet => {}
            Event::Turn { number, limit } => {
                self.step_of_tokens();
                self.step(&format!(
                    "[{} {number} {} {limit}]",
                    self.lang.pick("ход", "turn"),
                    self.lang.pick("из", "of")
                ));
            }
            Event::ToolCall { name, arguments, .. } => {
                self.step(&format!("→ {name} {arguments}"));
            }
            Event::ToolResult { name, ok, summary, took, repeated, .. } => {
                let mark = if *ok { "←" } else { "✗" };
                let repeated =
                    if *repeated { self.lang.pick(" (из журнала)", " (from the journal)") } else { "" };
                self.step(&format!("{mark} {name}: {summary} [{} ms]{repeated}", took.as_millis()));
            }
            Event::Notice { text } => {
                self.step(&format!("! {text}"));
            }
            Event::Error { message } => {
                self.step(&format!("✗ {message}"));
            }
            // The text that it belongs to may still be shown: the line waits for the next step.
            Event::Usage { turn, total, cost } => {
                let cost = cost
                    .as_ref()
                    .map(|cost| format!(", {:.4} {currency} ({:.4})", cost.turn, cost.total, currency = cost.currency));
                let line = format!(
                    "[{} {} → {} ({} → {}){}]",
                    self.lang.pick("токены", "tokens"),
                    turn.prompt,
                    turn.completion,
                    total.prompt,
                    total.completion,
                    cost.unwrap_or_default(),
                );
                *self.tokens.lock().unwrap_or_else(PoisonError::into_inner) = line;
            }
            Event::Text { .. } | Event::Reasoning { .. } => {}
        }
    }

    /// Prints what the turn that has ended took, once.
    fn step_of_tokens(&self) {
        let line = std::mem::take(&mut *self.tokens.lock().unwrap_or_else(PoisonError::into_inner));
        if !line.is_empty() {
            self.step(&line);
        }
    }

    /// Prints a line of its own, and gives back the text that was shown before it.
    fn step(&self, line: &str) -> String {
        let shown = std::mem::take(&mut *self.streamed.lock().unwrap_or_else(PoisonError::into_inner));
        if !shown.is_empty() {
            eprintln!();
        }
        if !line.is_empty() {
            eprintln!("{line}");
        }
        shown
    }
}
