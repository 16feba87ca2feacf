//! The tool calls of one turn.

use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use serde_json::Value;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;
use tools::Language;

use super::EventSink;
use super::offer::Offer;
use crate::event::Event;
use crate::journal::{self, Journal};
use crate::message::{Arguments, Call, Message};
use crate::toolbox::{Refusal, ToolOutcome, Toolbox};

/// Most calls of one turn; more is a model that has lost its way.
const CALLS_A_TURN: usize = 16;

/// Runs the calls of a turn.
pub(super) struct Caller<'a> {
    pub(super) tools: &'a Arc<dyn Toolbox>,
    pub(super) journal: &'a mut Journal,
    pub(super) offer: &'a Offer,
    pub(super) events: &'a EventSink,
    pub(super) cancel: &'a CancellationToken,
    pub(super) limit: Duration,
    pub(super) parallel: usize,
    pub(super) language: Language,
}

impl Caller<'_> {
    /// Runs the calls: neighbouring read calls side by side, each other one alone and in order. Every call gets its
    /// message, in the order of the calls. Gives what checks refused; `None`: cancelled, calls that had ended are in the
    /// journal.
    pub(super) async fn run(&mut self, calls: &[Call], messages: &mut Vec<Message>) -> Option<Vec<Refusal>> {
        let offer = self.offer;
        let (calls, too_many) = calls.split_at(calls.len().min(CALLS_A_TURN));
        let mut refusals = Vec::new();
        let alike = |a: &Call, b: &Call| {
            offer.forbids(&a.name) == offer.forbids(&b.name) && offer.reads(&a.name) && offer.reads(&b.name)
        };
        for group in calls.chunk_by(alike) {
            if group.iter().any(|call| offer.forbids(&call.name)) {
                for call in group {
                    self.not_run(call, "this mode only looks: say in the answer what should be changed", messages);
                }
                continue;
            }
            let outcomes = self.group(group).await?;
            for (call, outcome) in group.iter().zip(outcomes) {
                if !offer.reads(&call.name) {
                    refusals.extend(outcome.refusals(self.language));
                }
                messages.push(result_message(call, outcome));
            }
        }
        for call in too_many {
            let why = format!("not run: at most {CALLS_A_TURN} calls a turn; ask again for what is still needed");
            self.not_run(call, &why, messages);
        }
        Some(refusals)
    }

    /// The result of a call that is not run.
    fn not_run(&self, call: &Call, why: &str, messages: &mut Vec<Message>) {
        let outcome = self.failure(why);
        self.announce(call);
        self.report(call, &outcome, Duration::ZERO, false);
        messages.push(result_message(call, outcome));
    }

    async fn group(&mut self, calls: &[Call]) -> Option<Vec<ToolOutcome>> {
        let version = self.tools.version();
        let slots = Arc::new(Semaphore::new(self.parallel.max(1)));
        let stop = self.cancel.child_token();
        let mut outcomes: Vec<Option<ToolOutcome>> = vec![None; calls.len()];
        let mut running = FuturesUnordered::new();
        for (place, call) in calls.iter().enumerate() {
            self.announce(call);
            let known = object(call).and_then(|arguments| self.journal.find(&call.name, arguments, &version));
            if let Some(outcome) = known.cloned() {
                self.report(call, &outcome, Duration::ZERO, true);
                outcomes[place] = Some(outcome);
            } else if !calls[..place].iter().any(|earlier| same(earlier, call)) {
                running.push(one(
                    Arc::clone(self.tools),
                    call.clone(),
                    place,
                    Arc::clone(&slots),
                    stop.child_token(),
                    self.limit,
                ));
            }
        }
        loop {
            let ended = tokio::select! {
                biased;
                () = self.cancel.cancelled() => return None,
                ended = running.next() => ended,
            };
            let Some(Ended { place, result, took }) = ended else { break };
            let outcome = result.unwrap_or_else(|why| self.failure(&why));
            if let Some(call) = calls.get(place) {
                self.report(call, &outcome, took, false);
                if let Some(arguments) = object(call) {
                    self.journal.add(&call.name, arguments, &version, &outcome);
                }
            }
            outcomes[place] = Some(outcome);
        }
        // What is left are calls that stand twice in the group.
        for place in 0..calls.len() {
            if outcomes[place].is_none()
                && let Some(first) = calls[..place].iter().position(|earlier| same(earlier, &calls[place]))
            {
                outcomes[place] = outcomes[first].clone();
                if let Some(outcome) = &outcomes[place] {
                    self.report(&calls[place], outcome, Duration::ZERO, true);
                }
            }
        }
        Some(outcomes.into_iter().map(|outcome| outcome.unwrap_or_else(|| self.failure("not run"))).collect())
    }

    fn failure(&self, why: &str) -> ToolOutcome {
        let summary = match self.language {
            Language::Russian => format!("ошибка: {why}"),
            Language::English => format!("error: {why}"),
        };
        let content = serde_json::json!({ "error": { "code": "not_run", "message": why } }).to_string();
        ToolOutcome { content, summary, ok: false }
    }

    fn announce(&self, call: &Call) {
        let arguments = match &call.arguments {
            Arguments::Object(value) => value.to_string(),
            Arguments::Broken { text, .. } => text.clone(),
        };
        (self.events)(Event::ToolCall { id: call.id.clone(), name: call.name.clone(), arguments });
    }

    fn report(&self, call: &Call, outcome: &ToolOutcome, took: Duration, repeated: bool) {
        (self.events)(Event::ToolResult {
            id: call.id.clone(),
            name: call.name.clone(),
            ok: outcome.ok,
            summary: outcome.summary.clone(),
            content: outcome.content.clone(),
            took,
            repeated,
        });
    }
}

struct Ended {
    place: usize,
    result: Result<ToolOutcome, String>,
    took: Duration,
}

async fn one(
    tools: Arc<dyn Toolbox>,
    call: Call,
    place: usize,
    slots: Arc<Semaphore>,
    stop: CancellationToken,
    limit: Duration,
) -> Ended {
    let _slot = slots.acquire_owned().await;
    // Whoever drops this future (the person who stops, the limit) also tells the tool.
    let _stop_when_dropped = stop.clone().drop_guard();
    let started = Instant::now();
    let work = tokio::task::spawn_blocking(move || tools.call(&call.name, &call.arguments, &stop));
    let result = match tokio::time::timeout(limit, work).await {
        Ok(Ok(outcome)) => Ok(outcome),
        Ok(Err(_)) => Err("the tool failed: a fault of the program, not of the arguments".to_owned()),
        Err(_) => Err(format!("stopped after {} s: ask for less at once", limit.as_secs_f32())),
    };
    Ended { place, result, took: started.elapsed() }
}

fn object(call: &Call) -> Option<&Value> {
    match &call.arguments {
        Arguments::Object(value) => Some(value),
        Arguments::Broken { .. } => None,
    }
}

fn same(a: &Call, b: &Call) -> bool {
    match (object(a), object(b)) {
        (Some(x), Some(y)) => journal::key(&a.name, x) == journal::key(&b.name, y),
        _ => false,
    }
}

fn result_message(call: &Call, outcome: ToolOutcome) -> Message {
    Message::Tool { call_id: call.id.clone(), name: call.name.clone(), content: outcome.content }
}
