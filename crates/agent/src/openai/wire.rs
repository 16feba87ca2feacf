//! A request as providers expect it. Every text goes through [`mask`] on its way here, and nowhere else.

use serde_json::{Value, json};

use super::settings::Settings;
use crate::message::{Arguments, Message};
use crate::model::Request;
use crate::secrets::{mask, mask_json};

/// The body of a chat completion request.
pub(super) fn body(settings: &Settings, request: Request<'_>) -> Value {
    let mut body = json!({
        "model": settings.model,
        "messages": messages(request.messages),
        "stream": true,
    });
    if settings.stream_usage {
        body["stream_options"] = json!({ "include_usage": true });
    }
    if let Some(temperature) = settings.temperature {
        body["temperature"] = json!(temperature);
    }
    if let Some(limit) = settings.answer_tokens {
        body["max_tokens"] = json!(limit);
    }
    if !request.tools.is_empty() {
        body["tools"] = request
            .tools
            .iter()
            .map(|tool| {
                json!({
                    "type": "function",
                    "function": { "name": tool.name, "description": tool.description, "parameters": tool.parameters },
                })
            })
            .collect();
        if !request.allow_tools {
            body["tool_choice"] = json!("none");
        }
    }
    body
}

/// Messages on the wire. Neighbouring messages of the person's side become one, since the chat templates of several
/// local models refuse two in a row.
fn messages(messages: &[Message]) -> Vec<Value> {
    let mut wire: Vec<Value> = Vec::with_capacity(messages.len());
    for message in messages {
        match message {
            Message::System { content } => wire.push(json!({ "role": "system", "content": mask(content) })),
            Message::User { content } => {
                let content = mask(content);
                let before = wire.last_mut().filter(|last| last["role"] == "user");
                match before.and_then(|last| last.get_mut("content")) {
                    Some(Value::String(text)) => {
                        text.push_str("\n\n");
                        text.push_str(&content);
                    }
                    Some(Value::Array(parts)) => parts.push(json!({ "type": "text", "text": content })),
                    _ => wire.push(json!({ "role": "user", "content": content })),
                }
            }
            Message::Image(image) => {
                let part = json!({ "type": "image_url", "image_url": { "url": image.data_url() } });
                let before = wire.last_mut().filter(|last| last["role"] == "user");
                match before.and_then(|last| last.get_mut("content")) {
                    Some(Value::Array(parts)) => parts.push(part),
                    Some(content @ Value::String(_)) => {
                        *content = json!([{ "type": "text", "text": content.take() }, part]);
                    }
                    _ => wire.push(json!({ "role": "user", "content": [part] })),
                }
            }
            Message::Assistant { content, calls } => {
                let mut assistant = json!({ "role": "assistant", "content": mask(content) });
                if !calls.is_empty() {
                    assistant["tool_calls"] = calls
                        .iter()
                        .map(|call| {
                            json!({
                                "id": call.id,
                                "type": "function",
                                "function": { "name": call.name, "arguments": arguments(&call.arguments) },
                            })
                        })
                        .collect();
                    if content.is_empty() {
                        assistant["content"] = Value::Null;
                    }
                }
                wire.push(assistant);
            }
            Message::Tool { call_id, name: _, content } => {
                wire.push(json!({ "role": "tool", "tool_call_id": call_id, "content": mask(content) }));
            }
        }
    }
    wire
}

fn arguments(arguments: &Arguments) -> String {
    match arguments {
        Arguments::Object(value) => {
            let mut value = value.clone();
            mask_json(&mut value);
            value.to_string()
        }
        Arguments::Broken { text, problem } => {
            Arguments::Broken { text: mask(text).into_owned(), problem: problem.clone() }.to_wire()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::{Arguments, Call};

    #[test]
    fn neighbours_join_and_broken_arguments_become_json() {
        let call = Call { id: "1".into(), name: "a".into(), arguments: Arguments::parse("{oops") };
        let wire = messages(&[
            Message::user("раз"),
            Message::user("два"),
            Message::Assistant { content: String::new(), calls: vec![call] },
            Message::Tool { call_id: "1".into(), name: "a".into(), content: "нет".into() },
        ]);
        assert_eq!(wire.len(), 3);
        assert_eq!(wire[0]["content"], "раз\n\nдва");
        assert!(wire[1]["content"].is_null());
        assert_eq!(wire[1]["tool_calls"][0]["function"]["arguments"], r#"{"unparsed":"{oops"}"#);
        assert_eq!(wire[2]["tool_call_id"], "1");
    }

    #[test]
    fn an_image_and_the_texts_around_it_are_one_message() {
        let image = crate::image::Image::from_bytes("a.png", b"\x89PNG\r\n\x1a\n").unwrap();
        let wire = messages(&[Message::user("раз"), Message::Image(image.clone()), Message::user("два")]);
        assert_eq!(wire.len(), 1);
        assert_eq!(wire[0]["content"][0]["text"], "раз");
        assert_eq!(wire[0]["content"][1]["image_url"]["url"], image.data_url());
        assert_eq!(wire[0]["content"][2]["text"], "два");
        assert_eq!(messages(&[Message::Image(image)])[0]["content"].as_array().unwrap().len(), 1);
    }

    #[test]
    fn secrets_are_masked_wherever_they_stand() {
        let secret = "Пароль = \"qwerty1\";";
        let call = |arguments: Arguments| Call { id: "1".into(), name: "a".into(), arguments };
        let wire = messages(&[
            Message::System { content: secret.into() },
            Message::user(secret),
            Message::Assistant {
                content: secret.into(),
                calls: vec![
                    call(Arguments::Object(json!({ "password": "qwerty1", "code": secret }))),
                    call(Arguments::parse("{\"password\": \"qwerty1\"")),
                ],
            },
            Message::Tool { call_id: "1".into(), name: "a".into(), content: secret.into() },
        ]);
        let sent = Value::Array(wire).to_string();
        assert!(!sent.contains("qwerty1"), "{sent}");
        assert_eq!(sent.matches("***").count(), 7, "{sent}");
    }

    #[test]
    fn tools_stay_in_the_request_when_they_may_not_be_called() {
        let tool = crate::model::ToolSchema {
            name: "a".into(),
            description: "b".into(),
            parameters: json!({"type": "object"}),
            read_only: true,
        };
        let settings = Settings::new("http://localhost/v1", "m");
        let request = Request { messages: &[], tools: &[tool], allow_tools: false };
        let body = body(&settings, request);
        assert_eq!(body["tool_choice"], "none");
        assert_eq!(body["tools"][0]["function"]["name"], "a");
        assert_eq!(body["stream_options"]["include_usage"], true);
    }
}
