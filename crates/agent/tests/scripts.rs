//! Dialogues written as text, each of a few lines, against the server that follows a script: `scripts/*.txt`.
//!
//! A dialogue begins with `# title`. Lines of it, in order:
//!
//! - `set KEY VALUE`: `mode`, `turns`, `history` (characters), `price` (a million tokens each), `tools` (those sent with a
//!   question), `reference` (a text that comes with it), `text` (the model has no tool calling), `open` (in the editor);
//! - `ask QUESTION`, and what the server sends for it, a line a request: `say TEXT` (`\n` is a line end), `call TOOL JSON`
//!   (several between ` ;; `), `both TEXT ;; TOOL JSON`, `drip TEXT MILLISECONDS TEXT` (a stream with a pause), `break TEXT` (a
//!   stream that breaks off), `refuse STATUS`, `overflow` (the conversation is too long for the model); `cancel MILLISECONDS` stops the question after a while;
//! - what must hold then: `status WORD`, `turns N`, `requests N`, `ran N` (calls that a tool really ran), `answer = TEXT`,
//!   `answer has TEXT`, `answer lacks TEXT`, `sent N has TEXT` (what the person's side says in request N, from 0; `last`: in
//!   the last one), `sent N lacks TEXT`, `system N same` (as in request 0), `result N has TEXT`, `tools N = NAMES`,
//!   `notice has TEXT`, `shown has TEXT`, `shown lacks TEXT` (what was streamed to the person), `person TEXT` (what is left to
//!   decide), `cost TEXT`, `took below MILLISECONDS`.

mod support;

use std::sync::atomic::Ordering;
use std::time::Duration;

use metascope_agent::{AgentSettings, Event, Mode, Outcome, Price, Status};
use support::{Dialogue, Response, Tools, limits};

/// A dialogue that runs.
struct Play {
    settings: AgentSettings,
    tools: Option<Tools>,
    text: bool,
    open: Vec<String>,
    mode: Option<Mode>,
    dialogue: Option<Dialogue>,
    asked: Option<String>,
    replies: Vec<Response>,
    cancel: Option<u64>,
    outcome: Option<(Outcome, Duration)>,
}

impl Play {
    fn new() -> Self {
        Self {
            settings: AgentSettings { limits: limits(), ..AgentSettings::default() },
            tools: Some(Tools::default()),
            text: false,
            open: Vec::new(),
            mode: None,
            dialogue: None,
            asked: None,
            replies: Vec::new(),
            cancel: None,
            outcome: None,
        }
    }

    async fn line(&mut self, line: &str) -> Result<(), String> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "set" => {
                self.run().await;
                self.set(rest)
            }
            "ask" => {
                self.run().await;
                self.asked = Some(rest.to_owned());
                Ok(())
            }
            "cancel" => {
                self.cancel = Some(number(rest)?);
                Ok(())
            }
            "say" | "call" | "both" | "drip" | "break" | "refuse" | "overflow" => {
                self.replies.push(response(word, &rest.replace("\\n", "\n"))?);
                Ok(())
            }
            _ => {
                self.run().await;
                self.check(word, &rest.replace("\\n", "\n"))
            }
        }
    }

    fn set(&mut self, rest: &str) -> Result<(), String> {
        let (key, value) = rest.split_once(' ').unwrap_or((rest, ""));
        let words = || value.split(' ').map(str::to_owned).collect();
        match key {
            "mode" => {
                let mode = Mode::from_word(value).ok_or("no such mode")?;
                self.settings.mode = mode;
                self.mode = Some(mode);
            }
            "turns" => self.settings.turns = number(value)?,
            "history" => self.settings.history_chars = number(value)?,
            "price" => {
                let each = number::<u32>(value)?.into();
                let currency = "RUB".to_owned();
                self.settings.price = Some(Price { prompt: each, cached: each, completion: each, currency });
            }
            "text" => self.text = true,
            "open" => self.open = words(),
            "tools" => self.tools.as_mut().ok_or("too late")?.chosen = Some(words()),
            "reference" => self.tools.as_mut().ok_or("too late")?.references.push(value.to_owned()),
            _ => return Err(format!("unknown setting {key}")),
        }
        Ok(())
    }

    /// Asks what was to be asked.
    async fn run(&mut self) {
        let Some(question) = self.asked.take() else { return };
        let replies = std::mem::take(&mut self.replies);
        let dialogue = match &mut self.dialogue {
            Some(dialogue) => {
                dialogue.server.follow(replies);
                dialogue
            }
            None => {
                let tools = self.tools.take().unwrap_or_default();
                let dialogue = Dialogue::of(replies, self.settings.clone(), tools, self.text).await;
                self.dialogue.insert(dialogue)
            }
        };
        dialogue.agent.set_open(self.open.clone());
        if let Some(mode) = self.mode {
            dialogue.agent.set_mode(mode);
        }
        dialogue.cancel = metascope_agent::CancellationToken::new();
        self.outcome = Some(match self.cancel.take() {
            Some(after) => dialogue.ask_and_cancel(&question, after).await,
            None => {
                let started = std::time::Instant::now();
                (dialogue.ask(&question).await, started.elapsed())
            }
        });
    }

    fn check(&self, word: &str, rest: &str) -> Result<(), String> {
        let (Some(dialogue), Some((outcome, took))) = (&self.dialogue, &self.outcome) else {
            return Err("nothing was asked".to_owned());
        };
        let events = dialogue.events.all();
        let requests = dialogue.server.requests();
        let request = |which: &str| match which {
            "last" => requests.len().checked_sub(1).ok_or_else(|| "no request".to_owned()),
            number => {
                number.parse::<usize>().ok().filter(|n| *n < requests.len()).ok_or(format!("{number}: no such request"))
            }
        };
        match word {
            "status" => {
                let status = match outcome.status {
                    Status::Answered => "answered",
                    Status::TurnLimit => "turn_limit",
                    Status::Cancelled => "cancelled",
                    Status::Failed(_) => "failed",
                };
                compare("=", status, rest)
            }
            "turns" => compare("=", &outcome.turns.to_string(), rest),
            "requests" => compare("=", &requests.len().to_string(), rest),
            "ran" => compare("=", &dialogue.tools.ran.load(Ordering::SeqCst).to_string(), rest),
            "answer" => {
                let (how, text) = rest.split_once(' ').unwrap_or((rest, ""));
                compare(how, &outcome.answer, text)
            }
            "sent" | "result" | "tools" | "system" => {
                let (which, rest) = rest.split_once(' ').ok_or("which request?")?;
                let which = request(which)?;
                let (how, text) = rest.split_once(' ').unwrap_or((rest, ""));
                let body = &requests[which];
                match word {
                    "sent" => compare(how, &dialogue.server.said(which), text),
                    "result" => compare(how, &dialogue.server.results(which).join("\n"), text),
                    "system" if how == "same" => {
                        let system = |body: &serde_json::Value| body["messages"][0]["content"].to_string();
                        compare("=", &system(body), &system(&requests[0]))
                    }
                    "system" => compare(how, body["messages"][0]["content"].as_str().unwrap_or_default(), text),
                    _ => {
                        let tools = body["tools"].as_array().into_iter().flatten();
                        let names = tools.map(|tool| tool["function"]["name"].as_str().unwrap_or_default());
                        compare(how, &names.collect::<Vec<_>>().join(" "), text)
                    }
                }
            }
            "notice" => {
                let notices = events.iter().filter_map(|event| match event {
                    Event::Notice { text } => Some(text.as_str()),
                    _ => None,
                });
                let (how, text) = rest.split_once(' ').ok_or("notice has TEXT")?;
                compare(how, &notices.collect::<Vec<_>>().join("\n"), text)
            }
            "shown" => {
                let (how, text) = rest.split_once(' ').ok_or("shown has TEXT")?;
                compare(how, &dialogue.events.text(), text)
            }
            "person" => {
                let elements: Vec<&str> = outcome.for_person.iter().map(|refusal| refusal.element.as_str()).collect();
                compare("=", &elements.join(" "), rest)
            }
            "cost" => {
                let cost = outcome.cost.as_ref().map(|cost| format!("{:.2} {}", cost.total, cost.currency));
                compare("=", &cost.unwrap_or_default(), rest)
            }
            "took" => {
                let most: u64 = number(rest.strip_prefix("below ").ok_or("took below MILLISECONDS")?)?;
                if *took < Duration::from_millis(most) { Ok(()) } else { Err(format!("took {took:?}")) }
            }
            _ => Err(format!("unknown word {word}")),
        }
    }
}

fn number<T: std::str::FromStr>(text: &str) -> Result<T, String> {
    text.trim().parse().map_err(|_| format!("{text} is no number"))
}

fn compare(how: &str, found: &str, expected: &str) -> Result<(), String> {
    let holds = match how {
        "=" => found == expected,
        "has" => found.contains(expected),
        "lacks" => !found.contains(expected),
        _ => return Err(format!("unknown comparison {how}")),
    };
    if holds { Ok(()) } else { Err(format!("{how} {expected:?}, but it is\n{found}")) }
}

fn response(word: &str, rest: &str) -> Result<Response, String> {
    let calls = |calls: &str| -> Vec<(String, String)> {
        let one = |call: &str| {
            let (name, arguments) = call.trim().split_once(' ').unwrap_or((call.trim(), "{}"));
            (name.to_owned(), arguments.to_owned())
        };
        calls.split(" ;; ").map(one).collect()
    };
    Ok(match word {
        "say" => Response::stream().text(rest).usage(1000, 100).end("stop"),
        "call" => {
            let calls = calls(rest);
            let calls: Vec<(&str, &str)> = calls.iter().map(|(name, json)| (name.as_str(), json.as_str())).collect();
            Response::stream().usage(1000, 100).then(Response::calls(&calls))
        }
        "both" => {
            let (text, rest) = rest.split_once(" ;; ").ok_or("both TEXT ;; TOOL JSON")?;
            let calls = calls(rest);
            let calls: Vec<(&str, &str)> = calls.iter().map(|(name, json)| (name.as_str(), json.as_str())).collect();
            Response::stream().text(text).then(Response::calls(&calls))
        }
        "drip" => {
            let mut parts = rest.splitn(3, " | ");
            let (Some(first), Some(pause), Some(second)) = (parts.next(), parts.next(), parts.next()) else {
                return Err("drip TEXT | MILLISECONDS | TEXT".to_owned());
            };
            Response::stream().text(first).pause(number(pause)?).text(second).end("stop")
        }
        "break" => Response::stream().text(rest).cut(),
        "overflow" => {
            Response::status(400, serde_json::json!({ "error": { "message": "maximum context length is 4096" } }))
        }
        "refuse" => Response::status(number(rest)?, serde_json::json!({ "error": { "message": "refused" } })),
        _ => return Err(format!("unknown reply {word}")),
    })
}

/// Plays the dialogues of a file; gives what went wrong, and how many there were.
async fn play(script: &'static str) -> (usize, Vec<String>) {
    let mut failures = Vec::new();
    let mut count = 0;
    let mut play: Option<(String, Play)> = None;
    for (number, line) in (1..).zip(script.lines()) {
        if let Some(title) = line.strip_prefix("# ") {
            count += 1;
            play = Some((title.to_owned(), Play::new()));
        } else if let Some((title, play)) = &mut play
            && !line.trim().is_empty()
            && let Err(error) = play.line(line.trim()).await
        {
            failures.push(format!("line {number}, {title}: {line}: {error}"));
        }
    }
    (count, failures)
}

async fn all_hold(script: &'static str, least: usize) {
    let (count, failures) = play(script).await;
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
    assert!(count >= least, "only {count} dialogues were read");
}

#[tokio::test(flavor = "multi_thread")]
async fn turns_limits_and_continuation() {
    all_hold(include_str!("scripts/turns.txt"), 12).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn tools_modes_and_refusals() {
    all_hold(include_str!("scripts/tools.txt"), 14).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn long_histories_and_grounding() {
    all_hold(include_str!("scripts/history.txt"), 10).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn models_without_tool_calling() {
    all_hold(include_str!("scripts/text_protocol.txt"), 20).await;
}
