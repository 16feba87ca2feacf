//! `models test`: two tiny requests tell what works.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use serde::Serialize;
use serde_json::json;
use tools::Language;

use super::{mend, say};
use crate::message::{Arguments, Message};
use crate::model::{ChatModel, Delta, ModelError, Reply, Request, ToolSchema};

/// What is tried, in order; each needs the one before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Check {
    /// The server answers.
    Connect,
    /// It accepts the key.
    Key,
    /// It knows the model, and the model answers.
    Answer,
    /// The answer comes in pieces.
    Streaming,
    /// The model calls a tool.
    Tools,
}

impl Check {
    const ALL: [Self; 5] = [Self::Connect, Self::Key, Self::Answer, Self::Streaming, Self::Tools];

    /// As people see it.
    pub fn name(self, language: Language) -> &'static str {
        match self {
            Self::Connect => say(language, "соединение", "connection"),
            Self::Key => say(language, "ключ", "key"),
            Self::Answer => say(language, "ответ модели", "answer"),
            Self::Streaming => say(language, "поток", "streaming"),
            Self::Tools => say(language, "вызов инструмента", "tool call"),
        }
    }
}

/// How a check went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// It works.
    Works,
    /// It doesn't.
    Fails,
    /// A check before it failed.
    NotTried,
}

/// What a check found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// Which.
    pub check: Check,
    /// How it went.
    pub state: State,
    /// Figures, or what the server said.
    pub detail: String,
    /// How to mend it; empty if nothing is to be mended.
    pub hint: String,
}

/// What came of one request.
struct Told {
    result: Result<Reply, ModelError>,
    pieces: usize,
    first: Option<Duration>,
}

async fn tell(model: &dyn ChatModel, question: &str, tools: &[ToolSchema]) -> Told {
    let messages = [Message::System { content: "You are being tested. Be brief.".to_owned() }, Message::user(question)];
    let request = Request { messages: &messages, tools, allow_tools: true };
    let started = Instant::now();
    let seen: Mutex<(usize, Option<Duration>)> = Mutex::new((0, None));
    let sink = |delta: Delta| {
        if matches!(delta, Delta::Text(_) | Delta::Reasoning(_)) {
            let mut seen = seen.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            seen.0 += 1;
            seen.1.get_or_insert_with(|| started.elapsed());
        }
    };
    let result = model.reply(request, &sink).await;
    let (pieces, first) = *seen.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    Told { result, pieces, first }
}

/// Asks a model twice, and says what works. What is sent holds nothing of any project.
pub async fn probe(model: &dyn ChatModel, language: Language) -> Vec<Finding> {
    let mut found: Vec<Finding> = Vec::new();
    let mut add = |check, state, detail: String, hint: &str| {
        found.push(Finding { check, state, detail, hint: hint.to_owned() });
        state == State::Works
    };
    let told = tell(model, "Count from 1 to 12 in digits, separated by blanks.", &[]).await;
    let failed = told.result.as_ref().err();
    let broken = failed.map(fails_at);
    for check in [Check::Connect, Check::Key, Check::Answer] {
        match (failed, broken) {
            (Some(error), Some(at)) if at == check => {
                add(check, State::Fails, error.to_string(), mend(error, language));
                return with_the_rest(found);
            }
            _ => add(check, State::Works, String::new(), ""),
        };
    }
    let usage = told.result.as_ref().ok().and_then(|reply| reply.usage);
    let first = told.first.unwrap_or_default().as_millis();
    let figures = match usage {
        Some(usage) => format!(
            "{} {}, {} {first} {}, {} + {} {}",
            told.pieces,
            say(language, "кусков", "pieces"),
            say(language, "первый через", "the first after"),
            say(language, "мс", "ms"),
            usage.prompt,
            usage.completion,
            say(language, "токенов", "tokens"),
        ),
        None => format!(
            "{} {}, {} {first} {}; {}",
            told.pieces,
            say(language, "кусков", "pieces"),
            say(language, "первый через", "the first after"),
            say(language, "мс", "ms"),
            say(language, "число токенов сервер не сообщает", "the server doesn't tell the number of tokens"),
        ),
    };
    if told.pieces > 1 {
        add(Check::Streaming, State::Works, figures, "");
    } else {
        let hint = say(
            language,
            "ответ приходит целиком: работать можно, но видно его только в конце, и молчание дольше предела его оборвёт",
            "the answer comes in one piece: it works, but is seen only at the end, and a silence longer than the limit ends it",
        );
        add(Check::Streaming, State::Fails, figures, hint);
    }
    let (state, detail, hint) = tool_call(model, language).await;
    add(Check::Tools, state, detail, hint);
    found
}

async fn tool_call(model: &dyn ChatModel, language: Language) -> (State, String, &'static str) {
    let add = ToolSchema {
        name: "add".to_owned(),
        description: "Adds two numbers.".to_owned(),
        parameters: json!({
            "type": "object",
            "properties": { "a": { "type": "integer" }, "b": { "type": "integer" } },
            "required": ["a", "b"],
        }),
        read_only: true,
    };
    let told = tell(model, "Call the tool `add` with a = 2 and b = 3. Don't answer in words.", &[add]).await;
    let none = say(
        language,
        "снимите способность: models add ИМЯ --no-tools; для llama.cpp запустите сервер с --jinja",
        "take the ability off: models add NAME --no-tools; with llama.cpp start the server with --jinja",
    );
    match told.result {
        Ok(reply) => match reply.calls.first() {
            Some(call)
                if call.name == "add"
                    && matches!(&call.arguments, Arguments::Object(value) if value["a"] == 2 && value["b"] == 3) =>
            {
                (State::Works, format!("add {}", call.arguments.to_wire()), "")
            }
            Some(call) => (State::Fails, format!("{} {}", call.name, call.arguments.to_wire()), none),
            None => (
                State::Fails,
                say(language, "модель не вызвала инструмент", "the model called no tool").to_owned(),
                none,
            ),
        },
        Err(error @ (ModelError::Refused { status: 400 | 404 | 422, .. } | ModelError::Provider(_))) => {
            (State::Fails, error.to_string(), none)
        }
        Err(error) => (State::Fails, error.to_string(), mend(&error, language)),
    }
}

/// The check that an error belongs to.
fn fails_at(error: &ModelError) -> Check {
    match error {
        ModelError::Connect { .. } | ModelError::Settings(_) | ModelError::Malformed(_) => Check::Connect,
        ModelError::Refused { status: 401 | 403, .. } => Check::Key,
        ModelError::Busy { .. }
        | ModelError::Refused { .. }
        | ModelError::Provider(_)
        | ModelError::Silent { .. }
        | ModelError::CutOff { .. } => Check::Answer,
    }
}

fn with_the_rest(mut found: Vec<Finding>) -> Vec<Finding> {
    let done = found.len();
    let rest = Check::ALL.iter().skip(done);
    found.extend(rest.map(|check| Finding {
        check: *check,
        state: State::NotTried,
        detail: String::new(),
        hint: String::new(),
    }));
    found
}
