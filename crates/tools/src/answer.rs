//! What a tool gives, and how it is cut to a ceiling at a border that makes sense.

use index::{Reason, State};
use metadata::Language;
use serde::Serialize;
use serde_json::{Value, json};

/// What a tool gives: fields, lists and at most one long text, each of which may be cut.
#[derive(Debug, Default)]
pub struct Answer {
    empty: bool,
    complete: bool,
    outcome: &'static str,
    reasons: Vec<String>,
    fields: Vec<(&'static str, String)>,
    lists: Vec<List>,
    text: Option<Text>,
}

/// Entries of which some may be left out, with the call that fetches the rest.
#[derive(Debug)]
pub struct List {
    key: &'static str,
    rows: Vec<String>,
    /// How many there are beyond `rows`; `None`: some, and nobody counted.
    beyond: Option<usize>,
    next: Next,
}

/// The call that fetches what was left out.
#[derive(Debug)]
pub enum Next {
    /// This tool again from the first entry that was left out: given the number of entries that were shown.
    Page {
        /// The tool.
        tool: &'static str,
        /// Its arguments; `offset` is put in.
        arguments: Value,
        /// Entries before the first of the list.
        offset: usize,
    },
    /// Another call.
    Call {
        /// The tool.
        tool: &'static str,
        /// Its arguments.
        arguments: Value,
    },
    /// The same query from its first row that was left out.
    Sql {
        /// The query, without limits of its own or with them.
        sql: String,
        /// Rows of a page.
        limit: usize,
    },
    /// Nothing fetches it.
    None,
}

/// Source text, cut at the end of a statement.
#[derive(Debug)]
struct Text {
    text: String,
    line: u32,
    tool: &'static str,
    arguments: Value,
}

/// A result as it goes out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rendered {
    /// JSON.
    pub content: String,
    /// One line for people.
    pub summary: String,
    /// Entries and lines that were left out for the ceiling.
    pub omitted: usize,
}

impl Answer {
    /// An answer that hides nothing.
    pub fn complete() -> Self {
        Self { complete: true, outcome: "found", ..Self::default() }
    }

    /// An answer that may hide something, as the index says.
    pub fn of_state(state: &State, language: Language) -> Self {
        let reasons = state.reasons.iter().map(|reason| reason.message(language)).collect();
        Self { complete: state.complete, outcome: "found", reasons, ..Self::default() }
    }

    /// Says that there are several to choose from.
    #[must_use]
    pub fn ambiguous(mut self) -> Self {
        self.outcome = "ambiguous";
        self
    }

    /// Says that nothing was found, and why that is so or not proven.
    #[must_use]
    pub fn empty(mut self, reason: impl Into<String>) -> Self {
        self.outcome = "empty";
        self.empty = true;
        self.reasons.insert(0, reason.into());
        self
    }

    /// Whether nothing was found.
    pub fn is_empty(&self) -> bool {
        self.empty
    }

    /// Takes back that nothing was found: what follows was found in another way. The reason stays.
    #[must_use]
    pub fn after_all(mut self) -> Self {
        (self.empty, self.outcome) = (false, "found");
        self
    }

    /// Adds a reason for which there may be more.
    #[must_use]
    pub fn incomplete(mut self, reason: impl Into<String>) -> Self {
        self.complete = false;
        self.reasons.push(reason.into());
        self
    }

    /// Adds a remark that does not touch completeness.
    #[must_use]
    pub fn remark(mut self, remark: impl Into<String>) -> Self {
        self.reasons.push(remark.into());
        self
    }

    /// Adds a field; empty texts and lists are left out.
    #[must_use]
    pub fn field(mut self, key: &'static str, value: impl Serialize) -> Self {
        let json = to_json(&value);
        if !matches!(json.as_str(), "\"\"" | "[]" | "null" | "{}") {
            self.fields.push((key, json));
        }
        self
    }

    /// Adds a list of all entries; an empty one is left out unless it is the first.
    #[must_use]
    pub fn list<T: Serialize>(self, key: &'static str, rows: &[T], next: Next) -> Self {
        self.list_of_more(key, rows, Some(0), next)
    }

    /// Adds a list beyond which there are more.
    #[must_use]
    pub fn list_of_more<T: Serialize>(
        mut self,
        key: &'static str,
        rows: &[T],
        beyond: Option<usize>,
        next: Next,
    ) -> Self {
        if !rows.is_empty() || self.lists.is_empty() {
            self.lists.push(List { key, rows: rows.iter().map(to_json).collect(), beyond, next });
        }
        self
    }

    /// Adds source text that begins at a line; `tool` with `arguments` and `from_line` fetches the rest.
    #[must_use]
    pub fn source(mut self, text: String, line: u32, tool: &'static str, arguments: Value) -> Self {
        self.text = Some(Text { text, line, tool, arguments });
        self
    }

    /// The result in at most `ceiling` characters.
    pub fn render(&self, ceiling: usize, language: Language) -> Rendered {
        let mut parts: Vec<String> = vec![format!("\"state\":{}", self.state())];
        parts.extend(self.fields.iter().map(|(key, json)| format!("\"{key}\":{json}")));
        let mut used: usize = parts.iter().map(|part| part.chars().count() + 1).sum::<usize>() + 2;
        let mut omitted = 0;
        let room = ceiling.saturating_sub(used) / (1 + usize::from(self.text.is_some()));
        let rooms = fair_rooms(room, &self.lists.iter().map(List::length).collect::<Vec<_>>());
        for (list, room) in self.lists.iter().zip(rooms) {
            let (part, left_out) = list.render(room, self.lists.len() == 1, language);
            used += part.chars().count() + 1;
            omitted += left_out;
            parts.push(part);
        }
        if let Some(text) = &self.text {
            let (part, left_out) = text.render(ceiling.saturating_sub(used), language);
            omitted += left_out;
            parts.push(part);
        }
        Rendered { content: format!("{{{}}}", parts.join(",")), summary: self.summary(language), omitted }
    }

    fn state(&self) -> String {
        let mut state = format!("{{\"complete\":{},\"outcome\":\"{}\"", self.complete, self.outcome);
        if !self.reasons.is_empty() {
            state.push_str(&format!(",\"reasons\":{}", to_json(&self.reasons)));
        }
        state.push('}');
        state
    }

    fn summary(&self, language: Language) -> String {
        let ru = language == Language::Russian;
        let counted = self.lists.iter().map(|list| {
            let more = if list.beyond == Some(0) { "" } else { "+" };
            format!("{}: {}{more}", list.key, list.rows.len())
        });
        let mut parts: Vec<String> = self
            .fields
            .iter()
            .filter(|(key, _)| *key == "full_name")
            .map(|(_, json)| json.trim_matches('"').to_owned())
            .collect();
        if self.empty {
            parts.push(self.reasons.first().cloned().unwrap_or_default());
        } else {
            parts.extend(counted);
        }
        if let Some(text) = &self.text {
            parts.push(format!("{}: {}", if ru { "строк" } else { "lines" }, text.text.lines().count()));
        }
        if !self.complete && !self.empty {
            parts.push(if ru { "ответ неполный" } else { "incomplete" }.to_owned());
        }
        parts.join("; ")
    }
}

/// Room for the note on what a list leaves out, at least.
const LIST_NOTE: usize = 260;
/// Room for such a note beside the call in it that goes on.
const LIST_NOTE_WORDS: usize = 80;

/// Divides room among lists of these lengths: what a short one doesn't need goes to the long ones, which share alike.
fn fair_rooms(room: usize, lengths: &[usize]) -> Vec<usize> {
    let mut by_length: Vec<usize> = (0..lengths.len()).collect();
    by_length.sort_by_key(|&place| lengths.get(place).copied().unwrap_or(0));
    let mut rooms = vec![0; lengths.len()];
    let mut left = room;
    for (done, place) in by_length.into_iter().enumerate() {
        let share = left / (lengths.len() - done);
        let given = lengths.get(place).map_or(0, |&length| length.min(share));
        if let Some(room) = rooms.get_mut(place) {
            *room = given;
        }
        left -= given;
    }
    rooms
}

impl List {
    /// Characters of the whole list, with the note if there is more beyond it.
    fn length(&self) -> usize {
        let note = if self.beyond == Some(0) { 0 } else { self.note_room() + self.key.len() };
        self.rows.iter().map(|row| row.chars().count() + 1).sum::<usize>() + self.key.len() + 6 + note
    }

    /// Room for the note: the call that goes on repeats the arguments, which may be long.
    fn note_room(&self) -> usize {
        let call = self.next.call(self.rows.len()).to_string();
        LIST_NOTE.max(call.chars().count() + LIST_NOTE_WORDS)
    }

    fn render(&self, share: usize, at_least_one: bool, language: Language) -> (String, usize) {
        let whole = self.length();
        let fits = if whole <= share && self.beyond == Some(0) {
            self.rows.len()
        } else {
            let mut left = share.saturating_sub(self.note_room() + self.key.len() * 2);
            let fit = self.rows.iter().take_while(|row| {
                let length = row.chars().count() + 1;
                let fits = length <= left;
                left = left.saturating_sub(length);
                fits
            });
            fit.count().max(usize::from(at_least_one)).min(self.rows.len())
        };
        let shown = match self.rows.get(..fits) {
            Some([only]) if only.chars().count() > share => shorter(only, share.saturating_sub(self.note_room())),
            shown => shown.unwrap_or_default().join(","),
        };
        let mut part = format!("\"{}\":[{shown}]", self.key);
        let cut = self.rows.len() - fits;
        let more = self.beyond.map(|beyond| beyond + cut);
        if more != Some(0) {
            let note = match (language, more) {
                (Language::Russian, Some(count)) => format!("не показано: {count}"),
                (Language::Russian, None) => "есть ещё".to_owned(),
                (Language::English, Some(count)) => format!("{count} more"),
                (Language::English, None) => "there are more".to_owned(),
            };
            part.push_str(&format!(
                ",\"{}_omitted\":{}",
                self.key,
                json!({ "note": note, "next": self.next.call(fits) })
            ));
        }
        (part, cut)
    }
}

/// An entry that alone is longer than all the room: its long texts are cut.
fn shorter(row: &str, room: usize) -> String {
    fn cut(value: &mut Value, limit: usize) {
        match value {
            Value::String(text) => {
                if let Some((end, _)) = text.char_indices().nth(limit) {
                    text.truncate(end);
                    text.push('…');
                }
            }
            Value::Array(items) => items.iter_mut().for_each(|item| cut(item, limit)),
            Value::Object(map) => map.values_mut().for_each(|item| cut(item, limit)),
            _ => {}
        }
    }
    let Ok(whole) = serde_json::from_str::<Value>(row) else { return String::new() };
    // Half as much each time: escapes and many columns count, too.
    let mut limit = room;
    loop {
        let mut value = whole.clone();
        cut(&mut value, limit);
        let text = value.to_string();
        if text.chars().count() <= room || limit < 8 {
            return text;
        }
        limit /= 2;
    }
}

impl Next {
    fn call(&self, shown: usize) -> Value {
        match self {
            Self::Page { tool, arguments, offset } => {
                let mut arguments = arguments.clone();
                if let Some(object) = arguments.as_object_mut() {
                    object.insert("offset".to_owned(), (offset + shown).into());
                }
                call(tool, &arguments)
            }
            Self::Call { tool, arguments } => call(tool, arguments),
            Self::Sql { sql, limit } => {
                let sql = format!("SELECT * FROM ({sql}) LIMIT {limit} OFFSET {shown}");
                call("sql_select", &json!({ "sql": sql, "limit": limit }))
            }
            Self::None => Value::Null,
        }
    }
}

/// A ready call.
pub fn call(tool: &str, arguments: &Value) -> Value {
    json!({ "tool": tool, "arguments": arguments })
}

impl Text {
    fn render(&self, room: usize, language: Language) -> (String, usize) {
        const NOTE: usize = 220;
        let whole = to_json(&self.text);
        if whole.chars().count() + 10 <= room {
            return (format!("\"text\":{whole}"), 0);
        }
        let lines: Vec<&str> = self.text.split_inclusive('\n').collect();
        let mut left = room.saturating_sub(NOTE);
        let fit = lines.iter().take_while(|line| {
            let length = to_json(line).chars().count() - 2;
            let fits = length <= left;
            left = left.saturating_sub(length);
            fits
        });
        let fits = statement_border(&lines, fit.count().max(1).min(lines.len()));
        let shown: String = lines.get(..fits).unwrap_or_default().concat();
        // A single line longer than the ceiling is cut within.
        let shown: String = shown.chars().take(room.max(NOTE)).collect();
        let cut = lines.len() - fits;
        let mut part = format!("\"text\":{}", to_json(&shown));
        if cut > 0 {
            let mut arguments = self.arguments.clone();
            if let Some(object) = arguments.as_object_mut() {
                let next = self.line + u32::try_from(fits).unwrap_or(u32::MAX);
                object.insert("from_line".to_owned(), next.into());
            }
            let note = match language {
                Language::Russian => format!("не показано строк: {cut}"),
                Language::English => format!("{cut} more lines"),
            };
            part.push_str(&format!(
                ",\"text_omitted\":{}",
                json!({ "note": note, "next": call(self.tool, &arguments) })
            ));
        }
        (part, cut)
    }
}

/// The last line border at or before `most` where a statement ends and no string goes on; `most` itself if the last forty
/// lines hold none.
fn statement_border(lines: &[&str], most: usize) -> usize {
    if most >= lines.len() {
        return most;
    }
    let ends = |line: &str| {
        let code = line.split("//").next().unwrap_or(line).trim_end();
        code.is_empty()
            || code.ends_with(';')
            || code.ends_with("Тогда")
            || code.ends_with("Цикл")
            || code.ends_with(')') && !code.contains('"')
    };
    let goes_on = |line: Option<&&str>| line.is_some_and(|line| line.trim_start().starts_with('|'));
    (most.saturating_sub(40).max(1)..=most)
        .rev()
        .find(|&border| lines.get(border - 1).is_some_and(|line| ends(line)) && !goes_on(lines.get(border)))
        .unwrap_or(most)
}

/// One line that says why an empty answer on edges proves something or not.
pub(crate) fn why_empty(nothing: &str, state: &State, language: Language) -> String {
    let proven = match (state.complete, language) {
        (true, Language::Russian) => {
            "доказано: все каналы построены, все файлы прочитаны, имя не встречается в строках"
        }
        (true, Language::English) => "proven: all channels are derived, all files were read, no string holds the name",
        (false, Language::Russian) => "не доказано, причины ниже",
        (false, Language::English) => "not proven, for the reasons below",
    };
    format!("{nothing} ({proven})")
}

/// Whether a limit of rows was reached.
pub(crate) fn limit_reached(state: &State) -> bool {
    state.reasons.iter().any(|reason| matches!(reason, Reason::LimitReached { .. }))
}

fn to_json(value: &(impl Serialize + ?Sized)) -> String {
    // Strings, numbers and structs of them always serialise; anything else shows as null.
    serde_json::to_string(value).unwrap_or_else(|_| "null".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(rendered: &Rendered) -> Value {
        serde_json::from_str(&rendered.content).unwrap()
    }

    #[test]
    fn a_list_is_cut_between_entries_with_the_next_call() {
        let rows: Vec<String> = (0..100).map(|number| format!("строка {number}")).collect();
        let next = Next::Page { tool: "callers", arguments: json!({"name": "М"}), offset: 10 };
        let answer = Answer::complete().field("full_name", "М").list_of_more("edges", &rows, Some(5), next);
        let rendered = answer.render(700, Language::Russian);
        assert!(rendered.content.chars().count() <= 700, "{}", rendered.content.chars().count());
        let value = parsed(&rendered);
        let shown = value["edges"].as_array().unwrap().len();
        assert!((5..100).contains(&shown));
        assert_eq!(value["edges_omitted"]["note"], format!("не показано: {}", 105 - shown));
        assert_eq!(value["edges_omitted"]["next"]["arguments"], json!({"name": "М", "offset": 10 + shown}));
        assert_eq!(rendered.omitted, 100 - shown);
        assert_eq!(rendered.summary, "М; edges: 100+");
    }

    #[test]
    fn a_call_with_long_arguments_has_room_too() {
        let rows: Vec<Value> = (0..200).map(|row| json!({ "n": row, "text": "строка" })).collect();
        let next =
            Next::Page { tool: "fulltext_search", arguments: json!({ "query": "слово ".repeat(100) }), offset: 0 };
        let rendered = Answer::complete().list("hits", &rows, next).render(2000, Language::Russian);
        assert!(rendered.content.chars().count() <= 2000, "{}", rendered.content);
        let value: Value = serde_json::from_str(&rendered.content).expect("JSON");
        assert!(value["hits"].as_array().is_some_and(|hits| hits.len() > 10), "{value}");
    }

    #[test]
    fn a_long_list_leaves_room_for_the_others() {
        let long: Vec<u32> = (0..10_000).collect();
        let answer = Answer::complete().list("a", &long, Next::None).list("b", &["х"], Next::None);
        let value = parsed(&answer.render(2000, Language::English));
        assert_eq!(value["b"], json!(["х"]));
        assert!(value["a_omitted"]["note"].as_str().unwrap().ends_with("more"));
    }

    #[test]
    fn an_entry_longer_than_the_ceiling_is_cut_within() {
        let row = json!({ "a": "х\n".repeat(5000), "b": 1 });
        let rendered = Answer::complete().list("rows", &[row], Next::None).render(1000, Language::English);
        assert!(rendered.content.chars().count() <= 1000);
        let value = parsed(&rendered);
        assert!(value["rows"][0]["a"].as_str().is_some_and(|text| text.ends_with('…')));
        assert_eq!(value["rows"][0]["b"], 1);
    }

    #[test]
    fn source_is_cut_at_the_end_of_a_statement() {
        let text = "А = 1;\nЗапрос.Текст = \"ВЫБРАТЬ\n|\tСсылка\n|ИЗ\n|\tСправочник.Валюты\";\nБ = 2;\n".repeat(20);
        for ceiling in 400..500 {
            let rendered = Answer::complete()
                .source(text.clone(), 100, "read_method", json!({"name": "М"}))
                .render(ceiling, Language::Russian);
            assert!(rendered.content.chars().count() <= ceiling);
            let value = parsed(&rendered);
            let shown = value["text"].as_str().unwrap();
            assert!(shown.ends_with(";\n"), "{shown}");
            let next = &value["text_omitted"]["next"]["arguments"];
            assert_eq!(next["from_line"], 100 + shown.lines().count());
        }
    }

    #[test]
    fn nothing_found_says_so() {
        let rendered = Answer::complete()
            .empty("ничего")
            .list("hits", &Vec::<u8>::new(), Next::None)
            .render(500, Language::Russian);
        assert_eq!(rendered.content, r#"{"state":{"complete":true,"outcome":"empty","reasons":["ничего"]},"hits":[]}"#);
        assert_eq!(rendered.summary, "ничего");
    }
}
