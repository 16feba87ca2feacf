//! What stands around calls and is neither a call nor part of the answer.

use super::parse::{RESULT, THOUGHTS};
use super::tags;

/// A reply without what the model said to itself. A closing tag alone closes what began before the reply did.
pub(super) fn without_thoughts(reply: &str) -> String {
    let mut text = String::new();
    let mut at = 0;
    let mut opened: Option<usize> = None;
    for tag in tags::all(reply, 0).filter(|tag| tag.is(THOUGHTS)) {
        match (tag.closes, opened) {
            (false, None) => {
                text.push_str(reply.get(at..tag.start).unwrap_or_default());
                opened = Some(tag.end);
            }
            (true, Some(_)) => {
                at = tag.end;
                opened = None;
            }
            (true, None) => {
                text.clear();
                at = tag.end;
            }
            (false, Some(_)) => {}
        }
    }
    // Thoughts that never ended are all that there is: the calls may stand in them.
    text.push_str(reply.get(opened.unwrap_or(at)..).unwrap_or_default());
    text
}

/// What comes before results that the model made up.
pub(super) fn up_to_made_up_results(reply: &str) -> &str {
    let first = tags::all(reply, 0).find(|tag| !tag.closes && tag.is(RESULT));
    first.and_then(|tag| reply.get(..tag.start)).unwrap_or(reply)
}

/// What stands within a fence.
pub(super) fn without_fence(text: &str) -> &str {
    let text = text.trim();
    let Some(inner) = text.strip_prefix("```") else { return text };
    let inner = inner.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_');
    inner.trim_end().strip_suffix("```").unwrap_or(inner).trim()
}

/// Text around calls: fences that are left empty go.
pub(super) fn tidy(text: &str) -> String {
    let mut out: Vec<&str> = Vec::new();
    for line in text.lines() {
        let opened = out.iter().rposition(|line| !line.trim().is_empty());
        let opens = |place: usize| {
            out.get(place).is_some_and(|line| {
                let line = line.trim();
                line.starts_with("```") && line.chars().skip(3).all(|c| c.is_ascii_alphanumeric() || c == '_')
            })
        };
        if line.trim() == "```"
            && let Some(place) = opened.filter(|place| opens(*place))
            && out.iter().take(place).filter(|line| line.trim_start().starts_with("```")).count() % 2 == 0
        {
            out.truncate(place);
        } else {
            out.push(line);
        }
    }
    let text = out.join("\n");
    for mark in ["[TOOL_CALLS]", "<|tool_call|>", "<|python_tag|>", "<|tool_calls_section_begin|>"] {
        if text.trim() == mark {
            return String::new();
        }
    }
    text.trim().to_owned()
}
