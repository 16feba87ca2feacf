//! `metascope ask QUESTION`: the agent; streams its steps.

use std::io::Write;
use std::sync::{Arc, Mutex};

use agent::openai::{self, OpenAiModel};
use agent::{Agent, AgentSettings, CancellationToken, ChatModel, Event, Limits, OfflineModel, ProjectTools, Status};

use crate::context::Context;
use crate::failure::{Exit, Failure, Outcome};
use crate::{interrupt, output, project};

/// Asks the agent; its steps are streamed.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The question, in Russian or English.
    question: String,
    /// `offline` (written investigations, no model), or `env`: the model that METASCOPE_MODEL_URL, METASCOPE_MODEL and
    /// METASCOPE_MODEL_KEY name (default: `env` if they are set, else `offline`).
    #[arg(long)]
    model: Option<String>,
    /// Turns of one question.
    #[arg(long, default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..=100))]
    turns: u32,
}

/// Runs it.
///
/// # Errors
/// If there is no index, or the model fails.
pub fn run(context: &Context, args: &Args) -> Outcome {
    let limits = Limits::default();
    let model = chosen_model(context, args.model.as_deref(), &limits)?;
    let tools = Arc::new(ProjectTools::new(project::toolset(context, "agent")?));
    let settings =
        AgentSettings { turns: args.turns, language: context.language(), limits, ..AgentSettings::default() };
    let cancel = CancellationToken::new();
    interrupt::on_ctrl_c({
        let cancel = cancel.clone();
        move || cancel.cancel()
    });
    let printer = Arc::new(Printer {
        json: context.json(),
        quiet: context.quiet(),
        ru: context.pick("ru", "en") == "ru",
        in_text: Mutex::new(false),
    });
    let events: agent::EventSink = Arc::new(move |event| printer.print(&event));
    let runtime = tokio::runtime::Runtime::new()?;
    let outcome = runtime.block_on(Agent::new(model, tools, settings).ask(&args.question, events, cancel));
    match outcome.status {
        Status::Answered | Status::TurnLimit => Ok(()),
        Status::Cancelled => Err(Failure::stopped(context.pick("остановлено", "stopped"))),
        Status::Failed(error) => {
            Err(Failure { exit: Exit::Usage, code: "model", message: error.to_string(), hint: None })
        }
    }
}

fn chosen_model(context: &Context, name: Option<&str>, limits: &Limits) -> Outcome<Arc<dyn ChatModel>> {
    let failure = |error: agent::ModelError| Failure::usage("model", error.to_string());
    let of_environment = || openai::Settings::from_env(|name| std::env::var(name).ok());
    let settings = match name {
        Some("offline") => None,
        None => of_environment().map_err(failure)?,
        Some("env") => Some(of_environment().map_err(failure)?.ok_or_else(|| {
            Failure::usage("model", context.pick("модель не задана", "no model is set")).with_hint(format!(
                "{}, {}, {}",
                openai::URL_VARIABLE,
                openai::MODEL_VARIABLE,
                openai::KEY_VARIABLE,
            ))
        })?),
        Some(other) => {
            let text = context.pick("нет такой модели", "no such model");
            return Err(Failure::usage("model", format!("{text}: {other}")).with_hint("offline, env"));
        }
    };
    Ok(match settings {
        Some(settings) => Arc::new(OpenAiModel::new(settings, limits).map_err(failure)?),
        None => Arc::new(OfflineModel),
    })
}

/// Prints the steps to stderr and the answer to stdout; with `--json` an event a line to stdout.
struct Printer {
    json: bool,
    quiet: bool,
    ru: bool,
    /// Whether the last thing on stderr is a line of streamed text without its end.
    in_text: Mutex<bool>,
}

impl Printer {
    fn print(&self, event: &Event) {
        if self.json {
            let _ = output::json(event);
            return;
        }
        if let Event::Answer { text, .. } = event {
            self.step("");
            let _ = output::text(text);
            return;
        }
        if self.quiet {
            return;
        }
        match event {
            Event::Turn { number, limit } => {
                self.step(&format!("[{} {number} {} {limit}]", self.pick("ход", "turn"), self.pick("из", "of")));
            }
            Event::ToolCall { name, arguments, .. } => self.step(&format!("→ {name} {arguments}")),
            Event::ToolResult { name, ok, summary, took, repeated, .. } => {
                let mark = if *ok { "←" } else { "✗" };
                let repeated = if *repeated { self.pick(" (из журнала)", " (from the journal)") } else { "" };
                self.step(&format!("{mark} {name}: {summary} [{} ms]{repeated}", took.as_millis()));
            }
            Event::Text { delta } => {
                eprint!("{delta}");
                let _ = std::io::stderr().flush();
                self.set_in_text(true);
            }
            Event::Notice { text } => self.step(&format!("! {text}")),
            Event::Error { message } => self.step(&format!("✗ {message}")),
            Event::Usage { .. } | Event::Reasoning { .. } | Event::Answer { .. } => {}
        }
    }

    fn step(&self, line: &str) {
        if self.set_in_text(false) {
            eprintln!();
        }
        if !line.is_empty() {
            eprintln!("{line}");
        }
    }

    fn set_in_text(&self, value: bool) -> bool {
        std::mem::replace(&mut self.in_text.lock().unwrap_or_else(std::sync::PoisonError::into_inner), value)
    }

    fn pick(&self, ru: &'static str, en: &'static str) -> &'static str {
        if self.ru { ru } else { en }
    }
}
