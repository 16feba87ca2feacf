//! What a model wrote -> its text and its calls.

use serde_json::{Map, Value};

use super::around::{tidy, up_to_made_up_results, without_fence, without_thoughts};
use super::json;
use super::tags::{self, Tag, unescaped};
use crate::message::{Arguments, Call};

/// A reply taken apart.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Parsed {
    /// What is said to the person.
    pub text: String,
    /// Calls, in order; those that can't be understood have [`Arguments::Broken`].
    pub calls: Vec<Call>,
}

/// Tags that hold a call and nothing else.
pub(super) const CALL: &[&str] = &["tool_call", "toolcall", "invoke", "function_call", "use_tool", "tool_use"];
/// Tags that hold a call if they name a tool.
pub(super) const MAYBE_CALL: &[&str] = &["tool", "call", "function", "action"];
/// Tags around calls.
pub(super) const AROUND: &[&str] = &["tool_calls", "function_calls", "tools", "calls"];
/// Tags around what the model says to itself.
pub(super) const THOUGHTS: &[&str] = &["think", "thinking", "thought", "reasoning"];
/// Tags around results: a model that writes them makes them up.
pub(super) const RESULT: &[&str] =
    &["tool_result", "tool_response", "function_results", "function_result", "observation"];

/// What the name of a tool stands under.
const NAME_KEYS: &[&str] =
    &["name", "tool", "tool_name", "function", "function_name", "action", "method", "инструмент", "имя"];
/// What the arguments stand under.
const ARGUMENT_KEYS: &[&str] = &[
    "arguments",
    "args",
    "parameters",
    "params",
    "input",
    "action_input",
    "tool_input",
    "tool_arguments",
    "kwargs",
    "аргументы",
    "параметры",
];
/// Tags of a single argument, its name in an attribute.
const ARGUMENT_TAGS: &[&str] = &["parameter", "param", "argument", "arg"];

/// What is wrong with a call that can't be read.
const UNREADABLE: &str = "the call can't be read; write <tool_call name=\"TOOL\">{\"argument\": \"value\"}</tool_call> with a JSON object inside";

/// Most bytes of a reply in which calls are looked for; more is no reply that calls a tool.
const LONGEST: usize = 200_000;
/// Most calls of a reply, and most arguments of a call.
const MOST: usize = 64;
/// How deep arguments may lie in tags of arguments.
const DEEPEST: usize = 4;

/// Takes a reply apart. `tools`: names that may be called.
pub fn parse(reply: &str, tools: &[&str]) -> Parsed {
    if reply.len() > LONGEST {
        return Parsed { text: reply.to_owned(), calls: Vec::new() };
    }
    let reply = without_thoughts(reply);
    let reply = up_to_made_up_results(&reply);
    let reader = Reader { tools };
    let mut parsed = Parsed::default();
    let mut at = 0;
    while parsed.calls.len() < MOST
        && let Some(tag) = tags::next(reply, at)
    {
        if tag.is(AROUND) {
            parsed.text.push_str(reply.get(at..tag.start).unwrap_or_default());
            at = tag.end;
            continue;
        }
        let read = if tag.closes { None } else { reader.call(reply, &tag) };
        match read {
            Some((calls, end)) => {
                parsed.text.push_str(reply.get(at..tag.start).unwrap_or_default());
                parsed.calls.extend(calls);
                at = end;
            }
            // The end of a call that ended before, or no tag of ours.
            None => {
                let end = if tag.closes && reader.is_of_call(&tag) { tag.start } else { tag.end };
                parsed.text.push_str(reply.get(at..end).unwrap_or_default());
                at = tag.end;
            }
        }
    }
    parsed.text.push_str(reply.get(at..).unwrap_or_default());
    if parsed.calls.is_empty() {
        reader.without_tags(&mut parsed);
    }
    parsed.text = tidy(&parsed.text);
    parsed
}

struct Reader<'a> {
    tools: &'a [&'a str],
}

impl Reader<'_> {
    fn known(&self, name: &str) -> Option<String> {
        let name = name.trim();
        self.tools.iter().find(|tool| tool.eq_ignore_ascii_case(name)).map(|tool| (*tool).to_owned())
    }

    fn is_of_call(&self, tag: &Tag<'_>) -> bool {
        tag.is(CALL) || tag.is(MAYBE_CALL) || self.known(tag.name).is_some()
    }

    /// The calls that a tag opens, and where they end; `None`: it opens none.
    fn call(&self, text: &str, tag: &Tag<'_>) -> Option<(Vec<Call>, usize)> {
        if !self.is_of_call(tag) {
            return None;
        }
        let (body, end) = if tag.is_empty { ("", tag.end) } else { self.body(text, tag) };
        let body = without_fence(body);
        let tool = self.known(tag.name);
        let of_tag = || tag.value.or_else(|| tag.attribute(NAME_KEYS)).map(str::to_owned);
        let name = tool.clone().or_else(of_tag);
        // A call within a call: `<tool_call><function=callers>…`.
        if name.is_none() {
            let inner: Vec<Call> = tags::all(body, 0)
                .filter(|inner| !inner.closes && (inner.value.is_some() || inner.attribute(NAME_KEYS).is_some()))
                .filter(|inner| inner.is(CALL) || inner.is(MAYBE_CALL))
                .filter_map(|inner| self.call(body, &inner))
                .flat_map(|(calls, _)| calls)
                .collect();
            if !inner.is_empty() {
                return Some((inner, end));
            }
        }
        let calls = self.of_body(name.as_deref(), body, 0);
        // `<action>` in a text about XML: only a tool's name makes a call of it.
        let names_tools = !calls.is_empty() && calls.iter().all(|call| self.known(&call.name).is_some());
        if name.is_none() && !tag.is(CALL) && !names_tools {
            return None;
        }
        let mut calls = match calls.is_empty() {
            true => vec![broken(name.as_deref().unwrap_or_default(), body)],
            false => calls,
        };
        // `<callers name="А.Б"/>`, `<tool name="callers" depth="2">`.
        if let [call] = calls.as_mut_slice()
            && let Arguments::Object(Value::Object(map)) = &mut call.arguments
        {
            for (key, value) in &tag.attributes {
                let names_tool = tool.is_none() && NAME_KEYS.iter().any(|name| name.eq_ignore_ascii_case(key));
                if !names_tool && !key.eq_ignore_ascii_case("id") {
                    map.entry((*key).to_owned()).or_insert_with(|| of_text(value));
                }
            }
        }
        Some((calls, end))
    }

    /// What a tag holds, and where that ends: at its end, or, if there is none, where another call begins or the text ends.
    fn body<'t>(&self, text: &'t str, tag: &Tag<'_>) -> (&'t str, usize) {
        let mut depth = 0;
        let mut another = None;
        for next in tags::all(text, tag.end) {
            let same = next.name.eq_ignore_ascii_case(tag.name);
            if same && next.closes {
                if depth == 0 {
                    return (text.get(tag.end..next.start).unwrap_or_default(), next.end);
                }
                depth -= 1;
            } else if same && !next.is_empty && self.known(tag.name).is_none() {
                // Another one that opens: this one was never closed, unless both are.
                another.get_or_insert(next.start);
                depth += 1;
            }
        }
        // `<tool_call>{…}</tool>`: closed by another name.
        let closed = |next: &Tag<'_>| next.closes && (next.is(CALL) || next.is(MAYBE_CALL) || next.is(AROUND));
        let by_other = tags::all(text, tag.end).find(closed);
        let until = another.unwrap_or(text.len());
        match by_other {
            Some(next) if next.start < until => (text.get(tag.end..next.start).unwrap_or_default(), next.end),
            _ => (text.get(tag.end..until).unwrap_or_default(), until),
        }
    }

    /// The calls that a body writes: JSON, tags, or a name before JSON. Empty: it can't be read.
    fn of_body(&self, name: Option<&str>, body: &str, depth: usize) -> Vec<Call> {
        let body = body.trim();
        if depth > DEEPEST {
            return Vec::new();
        }
        if body.starts_with(['{', '[']) {
            return json::read(body).map(|value| self.of_json(name, value)).unwrap_or_default();
        }
        let children = children(body);
        if !children.is_empty() {
            return self.of_children(name, children, depth).into_iter().collect();
        }
        if body.is_empty() {
            return name.map(|name| call(name, Value::Object(Map::new()))).into_iter().collect();
        }
        // `callers {"name": "А.Б"}`, `callers({"name": "А.Б"})`.
        if let Some(brace) = body.find('{')
            && let Some(before) = body.get(..brace)
            && let Some(value) = json::read(body.get(brace..).unwrap_or_default())
        {
            let word = before.trim().trim_end_matches(['(', ':']).trim();
            let name = self.known(word).or(name.map(str::to_owned));
            return self.of_json(name.as_deref(), value);
        }
        self.known(body).map(|name| call(&name, Value::Object(Map::new()))).into_iter().collect()
    }

    /// The calls that a JSON value writes.
    fn of_json(&self, name: Option<&str>, value: Value) -> Vec<Call> {
        let map = match value {
            Value::Array(items) => return items.into_iter().flat_map(|item| self.of_json(name, item)).collect(),
            Value::Object(map) => map,
            _ => return Vec::new(),
        };
        let mut map = map;
        // `{"type": "function", "function": {"name": …}}`.
        if let Some(inner @ Value::Object(_)) = map.get("function") {
            return self.of_json(name, inner.clone());
        }
        let name = match name {
            Some(name) => name.to_owned(),
            None => {
                let text = |key: &&&str| map.get(**key).is_some_and(Value::is_string);
                let tool =
                    |key: &&&str| map.get(**key).and_then(Value::as_str).is_some_and(|name| self.known(name).is_some());
                let Some(key) = NAME_KEYS.iter().find(tool).or_else(|| NAME_KEYS.iter().find(text)) else {
                    return Vec::new();
                };
                match map.remove(*key) {
                    Some(Value::String(name)) => name,
                    _ => return Vec::new(),
                }
            }
        };
        let name = self.known(&name).unwrap_or(name);
        let holds_arguments = |key: &&&str| match map.get(**key) {
            Some(Value::Object(_)) => true,
            Some(Value::String(text)) => text.trim_start().starts_with('{'),
            Some(Value::Null) => true,
            _ => false,
        };
        match ARGUMENT_KEYS.iter().find(holds_arguments).and_then(|key| map.remove(*key)) {
            Some(Value::String(text)) => match json::read(&text) {
                Some(value @ Value::Object(_)) => vec![call(&name, value)],
                _ => vec![broken(&name, &text)],
            },
            Some(Value::Null) | None => vec![call(&name, Value::Object(map))],
            Some(value) => vec![call(&name, value)],
        }
    }

    /// The call that child tags write.
    fn of_children(&self, name: Option<&str>, children: Vec<(String, String)>, depth: usize) -> Option<Call> {
        let is = |key: &str, of: &[&str]| of.iter().any(|one| one.eq_ignore_ascii_case(key));
        let named = match name {
            Some(_) => None,
            None => {
                let names = |(key, _): &(String, String)| is(key, NAME_KEYS);
                let tool = |child: &(String, String)| names(child) && self.known(&child.1).is_some();
                children.iter().position(tool).or_else(|| children.iter().position(names))
            }
        };
        let found = named.and_then(|place| children.get(place)).map(|(_, text)| text.trim().to_owned());
        let name = name.map(str::to_owned).or(found)?;
        let mut map = Map::new();
        for (place, (key, text)) in children.into_iter().enumerate() {
            if Some(place) == named {
                continue;
            }
            if is(&key, ARGUMENT_KEYS) {
                match self.of_body(Some(&name), without_fence(&text), depth + 1).pop().map(|call| call.arguments) {
                    Some(Arguments::Object(Value::Object(inner))) => map.extend(inner),
                    _ => return Some(broken(&name, &text)),
                }
                continue;
            }
            let value = of_text(&text);
            // The same tag again: a list.
            match map.get_mut(&key) {
                Some(Value::Array(items)) => items.push(value),
                Some(first) => *first = Value::Array(vec![first.take(), value]),
                None => {
                    map.insert(key, value);
                }
            }
        }
        let name = self.known(&name).unwrap_or(name);
        Some(call(&name, Value::Object(map)))
    }

    /// Calls of models that use no tags: a block of JSON, `Action: …`, a line that is a call. Only what names a known tool is
    /// one: an answer may show JSON.
    fn without_tags(&self, parsed: &mut Parsed) {
        let text = parsed.text.clone();
        let is_call = |call: &Call| self.known(&call.name).is_some();
        let mut take = |calls: Vec<Call>, from: usize, to: usize| {
            let all = !calls.is_empty() && calls.iter().all(is_call);
            if all {
                parsed.calls = calls;
                parsed.text = format!("{}{}", text.get(..from).unwrap_or_default(), text.get(to..).unwrap_or_default());
            }
            all
        };
        // `Action: callers`, `Action Input: {…}`.
        if let Some(at) = text.find("Action:")
            && let Some((name, rest)) = text.get(at + 7..).and_then(|rest| rest.split_once('\n'))
            && let Some(name) = self.known(name.trim().trim_matches(['`', '*']))
            && let Some(input) = rest.trim_start().strip_prefix("Action Input:")
            && let Some(value) = json::read(input)
            && take(self.of_json(Some(&name), value), at, text.len())
        {
            return;
        }
        // The first bracket after which a call stands: in a fence, behind a mark such as [TOOL_CALLS], or bare.
        let brackets = text.match_indices(['{', '[']).map(|(at, _)| at).take(50);
        for at in brackets {
            let Some((value, rest)) = text.get(at..).and_then(json::read_with_rest) else { continue };
            let before = text.get(..at).unwrap_or_default();
            let line = before.rsplit('\n').next().unwrap_or_default();
            let word = line.trim().trim_end_matches(['(', ':', '`']).trim();
            let name = self.known(word.rsplit([' ', '`']).next().unwrap_or_default());
            let from = if name.is_some() { at - line.len() } else { at };
            let to = text.len() - rest.trim_start_matches([')', ';']).len();
            if take(self.of_json(name.as_deref(), value), from, to) {
                return;
            }
        }
    }
}

fn call(name: &str, arguments: Value) -> Call {
    Call { id: String::new(), name: name.trim().to_owned(), arguments: Arguments::Object(arguments) }
}

fn broken(name: &str, text: &str) -> Call {
    let arguments = Arguments::Broken { text: text.trim().to_owned(), problem: UNREADABLE.to_owned() };
    Call { id: String::new(), name: name.trim().to_owned(), arguments }
}

/// Children of a body: `<name>А.Б</name>`, `<parameter name="name">А.Б</parameter>`, `<parameter=name>А.Б`. An unclosed one
/// ends where the next begins.
fn children(body: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut at = 0;
    while found.len() < MOST
        && let Some(tag) = tags::next(body, at)
    {
        at = tag.end;
        if tag.closes {
            continue;
        }
        let key = match tag.value.or_else(|| tag.attribute(&["name", "key"])) {
            Some(key) if tag.is(ARGUMENT_TAGS) => key,
            _ => tag.name,
        };
        if tag.is_empty {
            if let Some(value) = tag.attribute(&["value"]) {
                found.push((key.to_owned(), unescaped(value)));
            }
            continue;
        }
        let mut rest = tags::all(body, tag.end);
        let closing = rest.find(|next| next.closes && next.name.eq_ignore_ascii_case(tag.name));
        let end = closing.as_ref().map_or_else(
            || tags::all(body, tag.end).next().map_or(body.len(), |next| next.start),
            |closing| closing.start,
        );
        found.push((key.to_owned(), unescaped(body.get(tag.end..end).unwrap_or_default())));
        at = closing.map_or(end, |closing| closing.end);
    }
    found
}

/// The value of an argument that was written as text. A name stays a text, though it looks like a number with zeros before it.
fn of_text(whole: &str) -> Value {
    let text = whole.trim();
    if text.starts_with(['{', '['])
        && let Some(value) = json::read(text)
    {
        return value;
    }
    let is_number = text.parse::<i64>().is_ok_and(|number| number.to_string() == text);
    if is_number || matches!(text, "true" | "false" | "True" | "False") {
        return json::literal(text);
    }
    Value::String(if text.contains('\n') { whole } else { text }.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    const TOOLS: &[&str] = &["callers", "propose_patch"];

    /// Text, then a call a line.
    fn read(reply: &str) -> String {
        let parsed = parse(reply, TOOLS);
        let calls = parsed.calls.iter().map(|call| match &call.arguments {
            Arguments::Object(value) => format!("|{} {value}", call.name),
            Arguments::Broken { text, .. } => format!("|{} broken {text}", call.name),
        });
        parsed.text.clone() + &calls.collect::<String>()
    }

    #[test]
    fn a_patch_keeps_its_text() {
        let patch = "<tool_call name=\"propose_patch\">\n<path>a.bsl</path>\n<patch><![CDATA[<<<<<<< SEARCH\nЕсли А < Б И В > Г\n=======\n\
            Если А <= Б\n>>>>>>> REPLACE]]></patch>\n</tool_call>";
        let parsed = parse(patch, TOOLS);
        let [call] = parsed.calls.as_slice() else { panic!("{parsed:?}") };
        let text = "<<<<<<< SEARCH\nЕсли А < Б И В > Г\n=======\nЕсли А <= Б\n>>>>>>> REPLACE";
        assert_eq!(call.arguments, Arguments::Object(json!({"path": "a.bsl", "patch": text})));
    }

    #[test]
    fn odd_forms() {
        for (reply, expected) in [
            // Another closing tag, and none at all with a call behind.
            ("<tool_call>{\"name\":\"callers\"}</tool>", "|callers {}"),
            ("<callers>\n<name>А</name>", "|callers {\"name\":\"А\"}"),
            (
                "<tool_call name=\"callers\">{\"n\":1}\n<tool_call name=\"callers\">{\"n\":2}</tool_call>",
                "|callers {\"n\":1}|callers {\"n\":2}",
            ),
            // A list, an argument twice, one that is no JSON, a number that is a name.
            ("<callers><channels>[\"direct\"]</channels></callers>", "|callers {\"channels\":[\"direct\"]}"),
            ("<callers><c>раз</c><c>два</c></callers>", "|callers {\"c\":[\"раз\",\"два\"]}"),
            ("<callers><name>007</name></callers>", "|callers {\"name\":\"007\"}"),
            // OpenAI's own form as text.
            (
                "<tool_call>{\"type\":\"function\",\"function\":{\"name\":\"callers\",\"arguments\":\"{\\\"n\\\":1}\"}}</tool_call>",
                "|callers {\"n\":1}",
            ),
            (
                "<tool_call>[{\"name\":\"callers\",\"arguments\":{}},{\"name\":\"callers\",\"arguments\":{\"n\":2}}]</tool_call>",
                "|callers {}|callers {\"n\":2}",
            ),
            ("<tool_call>callers\n{\"n\": 1}</tool_call>", "|callers {\"n\":1}"),
            // The other name of a tool's own argument.
            (
                "<tool_call name=\"callers\">{\"name\": \"А\", \"parameters\": null}</tool_call>",
                "|callers {\"name\":\"А\"}",
            ),
            // Nothing that can be called.
            ("<tool_call></tool_call>", "| broken "),
            ("Тег <action> в XML и <function> тоже", "Тег <action> в XML и <function> тоже"),
            ("```json\n{\"name\": \"Товары\"}\n```", "```json\n{\"name\": \"Товары\"}\n```"),
            ("нет</think>Ответ", "Ответ"),
            (
                "<think>думаю, и нет конца <callers><name>А</name></callers>",
                "думаю, и нет конца|callers {\"name\":\"А\"}",
            ),
        ] {
            assert_eq!(read(reply), expected, "{reply}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

        /// Whatever stands in a reply, it is read, and a call in the right form before it is found.
        #[test]
        fn anything_is_read(pieces in prop::collection::vec(prop::sample::select(vec![
            "<tool_call>", "</tool_call>", "<tool_call name=\"callers\">", "<callers", " name=\"", "\"", ">", "/>", "{\"a\":", "}", "[", "]", "'",
            "<think>", "</think>", "```json\n", "```", "Action: callers\n", "Action Input:", "<function=callers>", "<parameter=", "<arguments>", "а б",
            "<![CDATA[", "&lt;", "\n", "<", "\\", "=", ":", ",",
        ]), 0..40)) {
            let tail = pieces.concat();
            let parsed = parse(&tail, TOOLS);
            prop_assert!(parsed.calls.len() <= MOST);
            let parsed = parse(&format!("<tool_call name=\"callers\">{{\"n\":1}}</tool_call>\n{tail}"), TOOLS);
            let first = parsed.calls.first().map(|call| call.arguments.clone());
            // What was thought before the end of a thought is dropped.
            let right = Some(Arguments::Object(json!({"n": 1})));
            prop_assert!(tail.contains("</think>") || first == right);
        }
    }
}
