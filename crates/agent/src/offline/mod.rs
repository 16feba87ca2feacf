//! The model that needs no model: written investigations over the same tools, in the same loop.
//!
//! It looks at nothing but the conversation, as any model does: the question's words choose an investigation, the results
//! of the calls so far say what its next step is. One investigation a file; adding one touches that file and
//! [`INVESTIGATIONS`], or the jobs of [`investigate`] where the question names things and its words say what is asked.

mod calls;
mod case;
mod errors;
mod evidence;
mod fails;
mod form;
mod impact;
mod investigate;
mod jobs;
mod movements;
mod overview;
mod predefined;
mod reach;
mod refers;
mod relation;
mod report;
mod rights;
mod search;
mod subscriptions;
mod tell;
mod things;
mod what_is;
mod who_calls;
mod words;

use std::time::Duration;

use futures_util::future::BoxFuture;
use serde_json::Value;

use crate::message::{Arguments, Call};
use crate::model::{ChatModel, Delta, ModelError, Reply, Request, Sink};
use case::Case;

/// A written investigation.
struct Investigation {
    /// Words of a question that choose it: lower case; `…` stands for anything between. The language of the words that
    /// fit is the language of the answer.
    triggers: &'static [(Speech, &'static str)],
    /// What comes next.
    step: fn(&Case) -> Step,
}

/// The language of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Speech {
    Russian,
    English,
}

/// What an investigation does next.
enum Step {
    /// Calls tools.
    Call(Vec<(&'static str, Value)>),
    /// Answers.
    Answer(String),
}

/// All investigations; the first whose trigger fits is taken, [`search`] if none does.
static INVESTIGATIONS: &[&Investigation] = &[&who_calls::INVESTIGATION, &what_is::INVESTIGATION];

/// The default model.
#[derive(Clone, Copy, Debug, Default)]
pub struct OfflineModel;

impl OfflineModel {
    /// The name under which it is chosen.
    pub const NAME: &'static str = "offline";
}

impl ChatModel for OfflineModel {
    fn name(&self) -> &str {
        Self::NAME
    }

    fn processed_at(&self) -> Option<&str> {
        None
    }

    fn follows_orders(&self) -> bool {
        false
    }

    fn reply<'a>(&'a self, request: Request<'a>, sink: Sink<'a>) -> BoxFuture<'a, Result<Reply, ModelError>> {
        Box::pin(async move {
            let case = Case::read(request.messages);
            let step =
                if request.allow_tools { (case.investigation.step)(&case) } else { Step::Answer(case.unfinished()) };
            Ok(match step {
                Step::Call(calls) => Reply { calls: numbered(calls), ..Reply::default() },
                Step::Answer(text) => {
                    let text = evidence::fitted(&case, &text, "");
                    stream(&text, sink).await;
                    Reply { text, ..Reply::default() }
                }
            })
        })
    }
}

fn numbered(calls: Vec<(&'static str, Value)>) -> Vec<Call> {
    (1..)
        .zip(calls)
        .map(|(number, (name, arguments)): (u32, _)| Call {
            id: number.to_string(),
            name: name.to_owned(),
            arguments: Arguments::Object(arguments),
        })
        .collect()
}

/// Gives an answer line by line, as a stream does; a pause of nothing lets a cancellation through.
async fn stream(text: &str, sink: Sink<'_>) {
    for line in text.split_inclusive('\n') {
        sink(Delta::Text(line.to_owned()));
        tokio::time::sleep(Duration::ZERO).await;
    }
}
