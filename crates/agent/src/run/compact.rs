//! A history that has become long: old turns become a summary, the last ones stay whole.

use std::sync::Arc;

use tokio_util::sync::CancellationToken;

use super::{Agent, EventSink, Run};
use crate::event::Event;
use crate::journal::{Journal, shortened};
use crate::message::{Arguments, Message};
use crate::model::{Reply, Request};
use crate::prompt;

/// How many turns stay whole.
const WHOLE: usize = 2;
/// The longest remark of the model in a summary made by rules, in characters.
const REMARK: usize = 400;
/// The longest result in it.
const RESULT: usize = 240;

impl Agent {
    /// Shortens the history if it is past the threshold, or if it must be (`forced`: the model refused it; then without the
    /// model's help). The opening stays (it is the prefix that providers cache), and so does the journal. Whether there was
    /// anything to shorten.
    pub(super) async fn compact(
        &self,
        run: &mut Run,
        forced: bool,
        events: &EventSink,
        cancel: &CancellationToken,
    ) -> bool {
        let before = characters(&run.messages);
        if before <= self.settings.history_chars && !forced {
            return false;
        }
        let from = run.opening.min(run.messages.len());
        let turns: Vec<usize> = (from..run.messages.len())
            .filter(|&place| matches!(run.messages.get(place), Some(Message::Assistant { .. })))
            .collect();
        let Some(to) = turns.len().checked_sub(WHOLE).and_then(|place| turns.get(place)).copied() else { return false };
        let old = run.messages.get(from..to).unwrap_or_default().to_vec();
        // A summary alone is not summed up again.
        if old.iter().filter(|message| matches!(message, Message::Assistant { .. })).count() == 0 {
            return false;
        }
        let length = characters(&old);
        let own = if forced { None } else { self.summary(run, to, events, cancel).await };
        let summary = own
            .filter(|text| text.chars().count() < length)
            .unwrap_or_else(|| by_rules(&old, &self.journal, (self.settings.history_chars / 8).min(length / 2)));
        // What a tool is like that was added is said nowhere else.
        let adds = |message: &&Message| match message {
            Message::User { content } => prompt::added_tool(content).is_some(),
            _ => false,
        };
        let mut instead = vec![Message::user(prompt::summary(&summary))];
        instead.extend(old.iter().filter(adds).cloned());
        run.messages.splice(from..to, instead);
        let after = characters(&run.messages);
        events(Event::Notice {
            text: self.say(
                &format!("история сжата: {before} знаков стали {after}"),
                &format!("the history was shortened: {before} characters became {after}"),
            ),
        });
        true
    }

    /// The model's own summary of all before a place; `None` where it gives none.
    async fn summary(
        &self,
        run: &mut Run,
        to: usize,
        events: &EventSink,
        cancel: &CancellationToken,
    ) -> Option<String> {
        if !self.model.follows_orders() {
            return None;
        }
        let mut messages = run.messages.get(..to)?.to_vec();
        messages.push(Message::user(prompt::summarise()));
        let request = Request { messages: &messages, tools: run.offer.sent(), allow_tools: false };
        // A summary is no part of the answer: nobody is shown it as it comes.
        let silent: EventSink = Arc::new(|_| {});
        let (result, _) = self.reply(request, &silent, cancel).await;
        let Reply { text, usage, truncated, .. } = result?.ok()?;
        self.count(run, usage, events);
        (!truncated && !text.trim().is_empty()).then_some(text)
    }
}

/// A summary without a model: what was remarked, what was called and what it gave, the newest in at most `ceiling`
/// characters.
fn by_rules(old: &[Message], journal: &Journal, ceiling: usize) -> String {
    let mut lines: Vec<String> = Vec::new();
    for message in old {
        match message {
            Message::Assistant { content, calls } => {
                if !content.trim().is_empty() {
                    lines.push(shortened(content, REMARK));
                }
                for call in calls {
                    let trace = match &call.arguments {
                        Arguments::Object(value) => journal.trace(&call.name, value),
                        Arguments::Broken { .. } => None,
                    };
                    let result = || {
                        let found = old.iter().find_map(|message| match message {
                            Message::Tool { call_id, content, .. } if *call_id == call.id => Some(content.as_str()),
                            _ => None,
                        });
                        shortened(found.unwrap_or_default(), RESULT)
                    };
                    lines.push(match trace {
                        Some(trace) => format!("- {trace}"),
                        None => format!("- {} → {}", call.name, result()),
                    });
                }
            }
            // An earlier summary; markers say nothing that lasts.
            Message::User { content } if content.starts_with(&prompt::summary("")) => {
                lines.extend(content.lines().skip(1).map(str::to_owned));
            }
            _ => {}
        }
    }
    let mut left = ceiling;
    let fits = |line: &&String| {
        let length = line.chars().count() + 1;
        let fits = length <= left;
        left = left.saturating_sub(length);
        fits
    };
    let mut kept: Vec<&String> = lines.iter().rev().take_while(fits).collect();
    kept.reverse();
    kept.into_iter().map(String::as_str).collect::<Vec<_>>().join("\n")
}

/// What an image counts: about a thousand tokens, whatever its bytes.
const IMAGE: usize = 3000;

/// Characters of messages, about three to a token.
fn characters(messages: &[Message]) -> usize {
    let of_arguments = |arguments: &Arguments| arguments.to_wire().chars().count();
    let of = |message: &Message| match message {
        Message::System { content } | Message::User { content } | Message::Tool { content, .. } => {
            content.chars().count()
        }
        Message::Assistant { content, calls } => {
            content.chars().count() + calls.iter().map(|call| of_arguments(&call.arguments)).sum::<usize>()
        }
        Message::Image(_) => IMAGE,
    };
    messages.iter().map(of).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::Call;
    use crate::toolbox::ToolOutcome;
    use serde_json::json;

    #[test]
    fn a_summary_by_rules_keeps_remarks_traces_and_the_summary_before() {
        let mut journal = Journal::default();
        let outcome = ToolOutcome { content: "[…]".into(), summary: "3 вызова".into(), ok: true };
        journal.add("callers", &json!({"name": "М"}), "v", &outcome);
        let call = |id: &str, name: &str| Call {
            id: id.into(),
            name: name.into(),
            arguments: Arguments::Object(json!({"name": "М"})),
        };
        let old = [
            Message::user(prompt::summary("- раньше")),
            Message::user(prompt::marker(3, 30)),
            Message::Assistant {
                content: "смотрю".into(), calls: vec![call("1", "callers"), call("2", "callees")]
            },
            Message::Tool { call_id: "1".into(), name: "callers".into(), content: "[…]".into() },
            Message::Tool { call_id: "2".into(), name: "callees".into(), content: "нет такого".into() },
        ];
        let text = by_rules(&old, &journal, 1000);
        let expected = "- раньше\nсмотрю\n- callers {\"name\":\"М\"} → 3 вызова\n- callees → нет такого";
        assert_eq!(text, expected);
        assert_eq!(by_rules(&old, &journal, 30), "- callees → нет такого");
    }
}
