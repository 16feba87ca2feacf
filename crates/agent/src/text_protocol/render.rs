//! A conversation as a model without tool calling reads it.

use std::collections::HashSet;

use serde_json::Value;

use crate::message::{Call, Message};
use crate::model::{Request, ToolSchema};
use crate::prompt;

/// How calls are written.
const HOW: &str = "Инструменты вызываются текстом. Вызов пишется так, аргументы — объект JSON:
<tool_call name=\"имя_инструмента\">
{\"аргумент\": \"значение\"}
</tool_call>
Можно несколько вызовов подряд. После вызовов ничего не пиши: результаты придут в <tool_result>. Сам <tool_result> не пиши. Ответ \
человеку пиши без этих тегов.

Инструменты:";

/// The conversation without calls and tools: both have become text.
pub(super) fn messages(request: &Request<'_>) -> Vec<Message> {
    // A tool that was added within the run is described where it was added: the system prompt never changes.
    let added: HashSet<&str> = request
        .messages
        .iter()
        .filter_map(|message| match message {
            Message::User { content } => prompt::added_tool(content),
            _ => None,
        })
        .collect();
    let tools: Vec<&ToolSchema> = request.tools.iter().filter(|tool| !added.contains(tool.name.as_str())).collect();
    let text = |message: &Message| match message {
        Message::System { content } if tools.is_empty() => Message::System { content: content.clone() },
        Message::System { content } => {
            let tools: Vec<String> = tools.iter().map(|tool| described(tool)).collect();
            Message::System { content: format!("{content}\n\n{HOW}\n{}", tools.join("\n")) }
        }
        Message::Assistant { content, calls } => {
            let mut text = content.clone();
            for call in calls {
                if !text.is_empty() {
                    text.push('\n');
                }
                text.push_str(&written(call));
            }
            Message::Assistant { content: text, calls: Vec::new() }
        }
        Message::Tool { name, content, .. } => {
            Message::user(format!("<tool_result name=\"{name}\">\n{content}\n</tool_result>"))
        }
        other => other.clone(),
    };
    request.messages.iter().map(text).collect()
}

/// A call as it should be written.
fn written(call: &Call) -> String {
    format!("<tool_call name=\"{}\">\n{}\n</tool_call>", call.name, call.arguments.to_wire())
}

/// A tool in a few lines: small models read no JSON schemas.
fn described(tool: &ToolSchema) -> String {
    let mut text = format!("\n{}: {}", tool.name, tool.description);
    let required: Vec<&str> =
        tool.parameters["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    for (name, schema) in tool.parameters["properties"].as_object().into_iter().flatten() {
        let kind = match schema["type"].as_str() {
            Some("array") => "list",
            Some(kind) => kind,
            None => "string",
        };
        let must = if required.contains(&name.as_str()) { ", обязательный" } else { "" };
        let about = schema["description"].as_str().unwrap_or_default();
        let words: Vec<&str> = schema["enum"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let words = if words.is_empty() { String::new() } else { format!(" [{}]", words.join(" | ")) };
        text.push_str(&format!("\n- {name} ({kind}{must}): {about}{words}"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::Arguments;
    use serde_json::json;

    fn tool(name: &str) -> ToolSchema {
        ToolSchema {
            name: name.into(),
            description: "Кто вызывает.".into(),
            parameters: json!({
                "type": "object",
                "properties": {
                    "change": { "type": "string", "enum": ["delete", "name"], "description": "Что." },
                    "name": { "type": "string", "description": "Имя." }
                },
                "required": ["name"]
            }),
            read_only: true,
        }
    }

    #[test]
    fn calls_and_results_become_text_and_the_system_prompt_stays() {
        let call = Call { id: "1".into(), name: "callers".into(), arguments: Arguments::Object(json!({"name": "М"})) };
        let mut history = vec![Message::System { content: "Система".into() }, Message::user("Кто?")];
        let tools = [tool("callers"), tool("role_rights")];
        let first = messages(&Request { messages: &history, tools: &tools[..1], allow_tools: true });
        history.push(Message::Assistant { content: "Смотрю.".into(), calls: vec![call] });
        history.push(Message::Tool { call_id: "1".into(), name: "callers".into(), content: "{}".into() });
        history.push(Message::user(prompt::tool_added(&tools[1])));
        let second = messages(&Request { messages: &history, tools: &tools, allow_tools: true });
        assert_eq!(first[0], second[0]);
        let Message::System { content } = &first[0] else { panic!("no system prompt") };
        let lines =
            "callers: Кто вызывает.\n- change (string): Что. [delete | name]\n- name (string, обязательный): Имя.";
        assert!(content.starts_with("Система\n\n") && content.contains(lines), "{content}");
        let said = "Смотрю.\n<tool_call name=\"callers\">\n{\"name\":\"М\"}\n</tool_call>";
        assert_eq!(second[2], Message::Assistant { content: said.into(), calls: Vec::new() });
        assert_eq!(second[3], Message::user("<tool_result name=\"callers\">\n{}\n</tool_result>"));
    }
}
