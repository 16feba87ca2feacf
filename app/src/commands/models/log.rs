//! `metascope models log`: what was sent, to whom, when.

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
        let head = &request.head;
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
        for (role, text) in request.messages() {
            let shown = if args.full { text } else { beginning(&text) };
            output::text(&format!("  {role}: {shown}"))?;
        }
        let tools = request.tools().count();
        if tools > 0 {
            output::text(&format!("  {}: {tools}", context.pick("схем инструментов", "schemas of tools")))?;
        }
    }
    context.note(&format!("{}: {}", context.pick("файл", "file"), log.path().display()));
    Ok(())
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

    #[test]
    fn a_long_message_is_shown_by_its_beginning() {
        assert_eq!(beginning("что\n  это"), "что это");
        assert_eq!(beginning(&"я".repeat(130)).chars().count(), SHOWN + 1);
    }
}
