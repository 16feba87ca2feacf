//! The model that needs no model: written investigations over the same tools, in the same loop.
//!
//! It looks at nothing but the conversation, as any model does: the question's words choose an investigation, the results
//! of the calls so far say what its next step is. A question that names things is looked into by a table: what its words ask for
//! and what sort of things they are say which tools are called ([`plan`]). What a table can't say is a job, one a file, in the
//! list of [`investigate`]; a sort of question of its own is one of [`INVESTIGATIONS`].

mod case;
mod covered;
mod errors;
mod evidence;
mod fails;
mod form;
mod inside;
mod investigate;
mod jobs;
mod plan;
mod relation;
mod report;
mod rights;
mod search;
mod tell;
mod things;
mod what_is;
mod who_calls;
mod words;

use std::time::Duration;

use futures_util::future::BoxFuture;
use serde_json::Value;
use tools::Language;

use crate::message::{Arguments, Call, Message};
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

    fn speaks(&self, question: &str) -> Option<Language> {
        Some(match Case::read(&[Message::user(question)]).speech {
            Speech::Russian => Language::Russian,
            Speech::English => Language::English,
        })
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
