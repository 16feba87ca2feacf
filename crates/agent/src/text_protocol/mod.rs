//! Tools for models that have no tool calling: they read about the tools in the prompt, and write their calls as text.
//!
//! [`TextProtocol`] wraps a model, so that the loop sees one like any other. What it asks for is
//! `<tool_call name="callers">{"name": "Модуль.Метод"}</tool_call>`; what small models write instead is read as far as it
//! can be understood ([`parse`]). What can't be becomes a call with broken arguments, which the loop answers as it does any
//! other: with an error that says how to mend it.

mod around;
mod json;
mod parse;
mod render;
mod stream;
mod tags;

use std::sync::{Arc, Mutex, PoisonError};

use futures_util::future::BoxFuture;

pub use parse::{Parsed, parse};

use crate::model::{ChatModel, Delta, ModelError, Reply, Request, Sink};
use crate::models::Region;

/// A model without tool calling that can call tools.
pub struct TextProtocol {
    model: Arc<dyn ChatModel>,
}

impl TextProtocol {
    /// Wraps a model.
    pub fn new(model: Arc<dyn ChatModel>) -> Self {
        Self { model }
    }
}

impl ChatModel for TextProtocol {
    fn name(&self) -> &str {
        self.model.name()
    }

    fn processed_at(&self) -> Option<&str> {
        self.model.processed_at()
    }

    fn region(&self) -> Region {
        self.model.region()
    }

    fn takes_images(&self) -> bool {
        self.model.takes_images()
    }

    fn context_tokens(&self) -> Option<u32> {
        self.model.context_tokens()
    }

    fn follows_orders(&self) -> bool {
        self.model.follows_orders()
    }

    fn balance(&self) -> BoxFuture<'_, Option<String>> {
        self.model.balance()
    }

    fn reply<'a>(&'a self, request: Request<'a>, sink: Sink<'a>) -> BoxFuture<'a, Result<Reply, ModelError>> {
        Box::pin(async move {
            let tools: Vec<&str> = request.tools.iter().map(|tool| tool.name.as_str()).collect();
            let messages = render::messages(&request);
            // A person reads neither calls nor thoughts as part of the answer.
            let shown = Mutex::new(stream::Filter::new(&tools));
            let pass = |delta: Delta| match delta {
                Delta::Text(text) => {
                    let deltas = shown.lock().unwrap_or_else(PoisonError::into_inner).push(&text);
                    if deltas.is_empty() {
                        sink(Delta::Alive);
                    }
                    deltas.into_iter().for_each(sink);
                }
                other => sink(other),
            };
            let asked = Request { messages: &messages, tools: &[], allow_tools: request.allow_tools };
            let mut reply = self.model.reply(asked, &pass).await?;
            shown.lock().unwrap_or_else(PoisonError::into_inner).finish().into_iter().for_each(sink);
            let parsed = parse(&reply.text, &tools);
            reply.text = parsed.text;
            reply.calls.extend(parsed.calls);
            Ok(reply)
        })
    }
}
