//! An answer put together from the payloads of its stream, whatever the provider's dialect.

use serde_json::Value;

use crate::message::{Arguments, Call, Usage};
use crate::model::{Delta, ModelError, Reply};

/// Puts a streamed chat completion together.
///
/// Beside the documented shape it takes what other providers send: reasoning beside the content, a whole `message`
/// instead of a `delta`, content as `null` or as a list of parts, tool calls without an index or all with index 0,
/// arguments as an object, a name repeated with every piece, the older `function_call`, usage in a last chunk without
/// choices or within a choice, an error within the stream.
#[derive(Debug, Default)]
pub struct Assembler {
    reply: Reply,
    calls: Vec<PartialCall>,
    done: bool,
    finish: Option<String>,
    received: bool,
}

#[derive(Debug, Default)]
struct PartialCall {
    index: Option<u64>,
    id: String,
    name: String,
    arguments: String,
}

impl PartialCall {
    fn is_whole(&self) -> bool {
        serde_json::from_str::<Value>(&self.arguments).is_ok_and(|value| value.is_object())
    }
}

impl Assembler {
    /// Whether any payload has come.
    pub fn received(&self) -> bool {
        self.received
    }

    /// Whether the provider has said that nothing follows.
    pub fn is_done(&self) -> bool {
        self.done
    }

    /// Takes one payload and gives what is to be shown of it.
    ///
    /// # Errors
    /// [`ModelError::Provider`] for an error that the provider reports in the stream, [`ModelError::Malformed`] for a
    /// payload that is no JSON object.
    pub fn push(&mut self, payload: &str) -> Result<Vec<Delta>, ModelError> {
        let payload = payload.trim();
        if payload.is_empty() {
            return Ok(vec![Delta::Alive]);
        }
        if payload == "[DONE]" {
            self.done = true;
            return Ok(Vec::new());
        }
        let chunk: Value = serde_json::from_str(payload)
            .map_err(|error| ModelError::Malformed(format!("{error}: {}", excerpt(payload))))?;
        if let Some(error) = chunk.get("error").filter(|error| !error.is_null()) {
            return Err(ModelError::Provider(error_text(error)));
        }
        if !chunk.is_object() {
            return Err(ModelError::Malformed(excerpt(payload)));
        }
        self.received = true;
        self.take_usage(chunk.get("usage"));

        let mut deltas = Vec::new();
        // One answer is asked for, so that a second choice can only be a provider's mistake.
        if let Some(choice) = chunk.get("choices").and_then(Value::as_array).and_then(|choices| choices.first()) {
            self.take_usage(choice.get("usage"));
            let body = ["delta", "message"].into_iter().find_map(|key| choice.get(key).filter(|body| body.is_object()));
            match body {
                Some(body) => self.take_body(body, &mut deltas),
                None => self.take_text(choice.get("text"), &mut deltas),
            }
            if let Some(reason) =
                choice.get("finish_reason").and_then(Value::as_str).filter(|reason| !reason.is_empty())
            {
                self.finish = Some(reason.to_owned());
            }
        }
        if deltas.is_empty() {
            deltas.push(Delta::Alive);
        }
        Ok(deltas)
    }

    fn take_body(&mut self, body: &Value, deltas: &mut Vec<Delta>) {
        for key in ["reasoning_content", "reasoning"] {
            if let Some(text) = body.get(key).and_then(Value::as_str).filter(|text| !text.is_empty()) {
                deltas.push(Delta::Reasoning(text.to_owned()));
                break;
            }
        }
        self.take_text(body.get("content"), deltas);
        self.take_text(body.get("refusal"), deltas);
        match body.get("tool_calls") {
            Some(Value::Array(calls)) => calls.iter().for_each(|call| self.take_call(call)),
            Some(call @ Value::Object(_)) => self.take_call(call),
            _ => {}
        }
        if let Some(function) = body.get("function_call").filter(|call| call.is_object()) {
            self.take_call(&serde_json::json!({ "index": 0, "function": function }));
        }
    }

    fn take_text(&mut self, content: Option<&Value>, deltas: &mut Vec<Delta>) {
        let text = match content {
            Some(Value::String(text)) => text.clone(),
            Some(Value::Array(parts)) => parts
                .iter()
                .filter_map(|part| part.get("text").and_then(Value::as_str).or_else(|| part.as_str()))
                .collect(),
            _ => return,
        };
        if !text.is_empty() {
            self.reply.text.push_str(&text);
            deltas.push(Delta::Text(text));
        }
    }

    fn take_call(&mut self, call: &Value) {
        let function = call.get("function").unwrap_or(call);
        let index = call.get("index").and_then(Value::as_u64);
        let id = call.get("id").and_then(Value::as_str).unwrap_or_default();
        let name = function.get("name").and_then(Value::as_str).unwrap_or_default();
        let arguments = match function.get("arguments").or_else(|| function.get("parameters")) {
            Some(Value::String(piece)) => piece.clone(),
            Some(object @ Value::Object(_)) => object.to_string(),
            _ => String::new(),
        };
        let position = self.position_of(index, id, name);
        let slot = match position.and_then(|position| self.calls.get_mut(position)) {
            Some(slot) => slot,
            None => {
                self.calls.push(PartialCall { index, ..PartialCall::default() });
                match self.calls.last_mut() {
                    Some(slot) => slot,
                    None => return,
                }
            }
        };
        if slot.id.is_empty() {
            slot.id = id.to_owned();
        }
        // Some repeat the name with every piece, others cut it.
        if slot.name != name {
            slot.name.push_str(name);
        }
        slot.arguments.push_str(&arguments);
    }

    /// Which call a piece belongs to; `None`: a new one.
    fn position_of(&self, index: Option<u64>, id: &str, name: &str) -> Option<usize> {
        if !id.is_empty()
            && let Some(position) = self.calls.iter().position(|call| call.id == id)
        {
            return Some(position);
        }
        let position = match index {
            Some(_) => self.calls.iter().rposition(|call| call.index == index)?,
            None => self.calls.len().checked_sub(1)?,
        };
        let call = self.calls.get(position)?;
        let another_id = !id.is_empty() && !call.id.is_empty();
        let next_of_unnumbered = index.is_none() && !name.is_empty() && (call.name != name || call.is_whole());
        (!another_id && !next_of_unnumbered).then_some(position)
    }

    fn take_usage(&mut self, usage: Option<&Value>) {
        let Some(usage) = usage.filter(|usage| usage.is_object()) else { return };
        let number =
            |value: Option<&Value>| value.and_then(|value| value.as_u64().or_else(|| value.as_str()?.parse().ok()));
        let cached = usage.get("prompt_tokens_details").and_then(|details| details.get("cached_tokens"));
        self.reply.usage = Some(Usage {
            prompt: number(usage.get("prompt_tokens")).unwrap_or(0),
            cached: number(cached).or_else(|| number(usage.get("prompt_cache_hit_tokens"))).unwrap_or(0),
            completion: number(usage.get("completion_tokens")).unwrap_or(0),
        });
    }

    /// The stream has ended.
    ///
    /// # Errors
    /// [`ModelError::CutOff`] if neither `[DONE]` nor a reason to finish was seen, [`ModelError::Provider`] if the reason is an error.
    pub fn finish(mut self) -> Result<Reply, ModelError> {
        match self.finish.as_deref() {
            None if !self.done => {
                let reason = "neither a finish reason nor [DONE] was received".to_owned();
                return Err(ModelError::CutOff { reason });
            }
            Some("error") => return Err(ModelError::Provider("finish_reason = error".to_owned())),
            Some("length" | "content_filter" | "max_tokens") => self.reply.truncated = true,
            _ => {}
        }
        // A call cut off at the limit of length has broken arguments: the loop answers it like any other broken call.
        self.reply.calls = self
            .calls
            .into_iter()
            .filter(|call| !call.name.is_empty() || !call.arguments.is_empty())
            .map(|call| Call { id: call.id, name: call.name, arguments: Arguments::parse(&call.arguments) })
            .collect();
        Ok(self.reply)
    }
}

/// What a provider says of an error, whatever its shape.
pub(super) fn error_text(error: &Value) -> String {
    let message =
        ["message", "msg", "detail", "error"].into_iter().find_map(|key| error.get(key).and_then(Value::as_str));
    match (message, error.as_str()) {
        (Some(text), _) | (None, Some(text)) => excerpt(text),
        (None, None) => excerpt(&error.to_string()),
    }
}

/// The first 500 characters.
pub(super) fn excerpt(text: &str) -> String {
    let mut short: String = text.chars().take(500).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn assemble(chunks: &[Value]) -> Result<Reply, ModelError> {
        let mut assembler = Assembler::default();
        for chunk in chunks {
            assembler.push(&chunk.to_string())?;
        }
        assembler.push("[DONE]")?;
        assembler.finish()
    }

    fn delta(delta: Value) -> Value {
        json!({ "choices": [{ "index": 0, "delta": delta }] })
    }

    fn names_and_arguments(reply: &Reply) -> Vec<(String, String)> {
        reply.calls.iter().map(|call| (call.name.clone(), call.arguments.to_wire())).collect()
    }

    #[test]
    fn pieces_of_two_calls_interleave_by_index() {
        let reply = assemble(&[
            delta(json!({"tool_calls": [{"index": 0, "id": "a", "function": {"name": "callers", "arguments": ""}}]})),
            delta(
                json!({"tool_calls": [{"index": 1, "id": "b", "function": {"name": "callees", "arguments": "{\"na"}}]}),
            ),
            delta(json!({"tool_calls": [{"index": 0, "function": {"arguments": "{\"x\":1}"}}]})),
            delta(json!({"tool_calls": [{"index": 1, "function": {"arguments": "me\":\"М\"}"}}]})),
        ])
        .unwrap();
        assert_eq!(
            names_and_arguments(&reply),
            [("callers".into(), r#"{"x":1}"#.into()), ("callees".into(), r#"{"name":"М"}"#.into())]
        );
    }

    #[test]
    fn calls_without_index_are_told_apart() {
        let reply = assemble(&[
            delta(json!({"tool_calls": [{"function": {"name": "a", "arguments": "{"}}]})),
            delta(json!({"tool_calls": [{"function": {"name": "a", "arguments": "}"}}]})),
            delta(json!({"tool_calls": [{"function": {"name": "a", "arguments": {"n": 2}}}]})),
            delta(json!({"tool_calls": {"function": {"name": "b", "arguments": {}}}})),
        ])
        .unwrap();
        assert_eq!(
            names_and_arguments(&reply),
            [("a".into(), "{}".into()), ("a".into(), r#"{"n":2}"#.into()), ("b".into(), "{}".into())]
        );
    }

    #[test]
    fn index_zero_for_every_call_is_told_apart_by_id() {
        let call = |id: &str| {
            delta(json!({"tool_calls": [{"index": 0, "id": id, "function": {"name": "a", "arguments": "{}"}}]}))
        };
        assert_eq!(assemble(&[call("1"), call("2")]).unwrap().calls.len(), 2);
    }

    #[test]
    fn legacy_call_parts_null_content_and_usage_at_the_end() {
        let reply = assemble(&[
            delta(json!({"role": "assistant", "content": null})),
            delta(json!({"content": [{"type": "text", "text": "при"}, {"type": "text", "text": "вет"}]})),
            delta(json!({"function_call": {"name": "a", "arguments": "{\"n\":"}})),
            delta(json!({"function_call": {"arguments": "1}"}})),
            json!({"choices": [], "usage": {"prompt_tokens": 5, "completion_tokens": "7", "prompt_cache_hit_tokens": 3}}),
        ])
        .unwrap();
        assert_eq!(reply.text, "привет");
        assert_eq!(names_and_arguments(&reply), [("a".into(), r#"{"n":1}"#.into())]);
        assert_eq!(reply.usage, Some(Usage { prompt: 5, cached: 3, completion: 7 }));
    }

    #[test]
    fn reasoning_is_no_part_of_the_answer() {
        let mut assembler = Assembler::default();
        let deltas = assembler.push(&delta(json!({"reasoning_content": "думаю", "content": ""})).to_string()).unwrap();
        assert_eq!(deltas, [Delta::Reasoning("думаю".into())]);
    }

    #[test]
    fn a_stream_without_an_end_is_cut_off() {
        let mut assembler = Assembler::default();
        assembler.push(&delta(json!({"content": "пол"})).to_string()).unwrap();
        assert!(matches!(assembler.finish(), Err(ModelError::CutOff { .. })));
    }

    #[test]
    fn errors_within_the_stream() {
        for error in [json!({"error": {"message": "занят"}}), json!({"error": "занят"})] {
            assert_eq!(assemble(&[error]), Err(ModelError::Provider("занят".into())));
        }
        assert!(matches!(Assembler::default().push("<html>"), Err(ModelError::Malformed(_))));
        assert!(matches!(Assembler::default().push("[1]"), Err(ModelError::Malformed(_))));
    }
}
