//! `metascope models log`: what was sent, to whom, when.

use agent::sent::Sent;
use serde_json::Value;

use crate::context::Context;
use crate::failure::Outcome;
use crate::{model, output};

/// What was sent, to whom, when; secrets were masked before.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// How many requests, the newest last.
    #[arg(long, default_value_t = 10)]
    last: usize,
    /// The whole text of each, not its beginning.
    #[arg(long)]
    full: bool,
}

/// Characters of a message that are shown without `--full`.
const SHOWN: usize = 120;

/// Runs it.
///
/// # Errors
/// If the log can't be read.
pub fn run(context: &Context, args: &Args) -> Outcome {
    let log = model::sent_log(&context.places()?);
    let sent = log.last(args.last)?;
    if context.json() {
        return output::json(&sent);
    }
    if sent.is_empty() {
        context.note(context.pick("никуда ничего не отправлялось", "nothing was sent anywhere"));
        return Ok(());
    }
    for request in &sent {
        let Sent { head, body } = request;
        output::text(&format!(
            "{}  {} → {} [{}]  {} {}{}",
            head.when(),
            head.model,
            head.to,
            head.region,
            head.bytes,
            context.pick("байт", "bytes"),
            if head.attempt > 1 {
                format!(", {} {}", context.pick("попытка", "attempt"), head.attempt)
            } else {
                String::new()
            },
        ))?;
        for message in body["messages"].as_array().into_iter().flatten() {
            let role = message["role"].as_str().unwrap_or("?");
            let text = text_of(message);
            let shown = if args.full { text } else { beginning(&text) };
            output::text(&format!("  {role}: {shown}"))?;
        }
        let tools = body["tools"].as_array().map_or(0, Vec::len);
        if tools > 0 {
            output::text(&format!("  {}: {tools}", context.pick("схем инструментов", "schemas of tools")))?;
        }
    }
    context.note(&format!("{}: {}", context.pick("файл", "file"), log.path().display()));
    Ok(())
}

/// Text, calls and images of a message.
fn text_of(message: &Value) -> String {
    let mut parts: Vec<String> = Vec::new();
    match &message["content"] {
        Value::String(text) => parts.push(text.clone()),
        Value::Array(items) => {
            for item in items {
                match item["text"].as_str() {
                    Some(text) => parts.push(text.to_owned()),
                    None => parts.push(format!("[{}]", item["type"].as_str().unwrap_or("?"))),
                }
            }
        }
        _ => {}
    }
    for call in message["tool_calls"].as_array().into_iter().flatten() {
        let function = &call["function"];
        let text = |key: &str| function[key].as_str().unwrap_or_default();
        parts.push(format!("→ {} {}", text("name"), text("arguments")));
    }
    parts.join(" ")
}

fn beginning(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut shown: String = line.chars().take(SHOWN).collect();
    if shown.len() < line.len() {
        shown.push('…');
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_message_is_shown_with_its_calls_and_images() {
        let image = json!({"content": [{"type": "text", "text": "что\nэто"}, {"type": "image_url"}]});
        assert_eq!(beginning(&text_of(&image)), "что это [image_url]");
        let call = json!({"content": null, "tool_calls": [{"function": {"name": "refs", "arguments": "{}"}}]});
        assert_eq!(text_of(&call), "→ refs {}");
        assert_eq!(beginning(&"я".repeat(130)).chars().count(), SHOWN + 1);
    }
}
