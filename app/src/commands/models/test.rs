//! `metascope models test NAME`: a tiny request, and what works.

use agent::models::{State, probe};
use agent::openai::{OpenAiModel, RetryPolicy, Settings};
use agent::{ChatModel, Limits};
use serde_json::json;

use super::failed;
use crate::context::Context;
use crate::failure::{Exit, Failure, Outcome};
use crate::{model, output};

/// Sends two tiny requests, and says what works: connection, key, answer, streaming, tool call.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Its name (default: that of the default model).
    name: Option<String>,
}

/// Runs it.
///
/// # Errors
/// If something doesn't work, with how to mend it.
pub fn run(context: &Context, args: &Args) -> Outcome {
    let language = context.language();
    let places = context.places()?;
    let book = model::book(&places).map_err(failed(context))?;
    let name = args.name.as_deref().or(book.default.as_deref()).ok_or_else(|| {
        Failure::usage("model", context.pick("моделей нет", "no models"))
            .with_hint("metascope models list --presets; metascope models add")
    })?;
    let entry = book.get(name).map_err(failed(context))?;
    // One attempt of this model alone: a test must show what fails, not get round it.
    let settings = Settings {
        retry: RetryPolicy { attempts: 1, ..RetryPolicy::default() },
        sent: Some(std::sync::Arc::new(model::sent_log(&places))),
        ..entry.settings(&agent::models::SystemKeys).map_err(failed(context))?
    };
    let client =
        OpenAiModel::new(settings, &Limits::default()).map_err(|error| model::model_failure(&error, language))?;
    context.note(&format!(
        "{}; {}: {}",
        client.name(),
        context.pick("обрабатывается", "processed in"),
        entry.region.name(language)
    ));
    let findings = tokio::runtime::Runtime::new()?.block_on(probe(&client, language));
    if context.json() {
        output::json(&json!({ "model": entry.name, "region": entry.region, "checks": findings }))?;
    } else {
        for finding in &findings {
            let mark = match finding.state {
                State::Works => "✓",
                State::Fails => "✗",
                State::NotTried => "·",
            };
            let colon = if finding.detail.is_empty() { "" } else { ": " };
            output::text(&format!("{mark} {}{colon}{}", finding.check.name(language), finding.detail))?;
            if !finding.hint.is_empty() {
                output::text(&format!("  → {}", finding.hint))?;
            }
        }
    }
    match findings.iter().find(|finding| finding.state == State::Fails) {
        None => Ok(()),
        Some(finding) => Err(Failure {
            exit: Exit::NotFound,
            code: "model_test",
            message: format!("{}: {}", context.pick("не работает", "doesn't work"), finding.check.name(language)),
            hint: None,
        }),
    }
}
