//! What a step of the agent points at: names of the configuration, places in its files, changes that wait.

use agent::Event;
use index::{Index, Location, Resolution};
use metadata::Language;
use serde_json::Value;
use tools::edits::EditId;
use tools::edits::gate::Finding;
use tools::{Class, Registry};

use super::super::labels;

/// Links shown below a step.
const LINKS: usize = 6;
/// Links shown below an answer.
const ANSWER_LINKS: usize = 16;
/// Words of a text that are tried as names.
const TRIED: usize = 200;
/// Remarks of gates shown below a step.
const REMARKS: usize = 10;

/// What a step points at: names of the configuration and places in its files.
pub(super) fn links_of(event: &Event, location: &Location, language: Language) -> Vec<(String, String)> {
    let (text, most) = match event {
        Event::ToolResult { content, ok: true, .. } => (content, LINKS),
        Event::Answer { text, .. } => (text, ANSWER_LINKS),
        _ => return Vec::new(),
    };
    let Ok(index) = Index::open(location) else { return Vec::new() };
    let mut links: Vec<(String, String)> = Vec::new();
    for word in candidates(text).into_iter().take(TRIED) {
        if links.len() == most {
            break;
        }
        let link = if is_place(&word) {
            Some((labels::short_path(&word), word))
        } else {
            match index.resolve(&word) {
                Ok(Resolution::Found(found)) => Some((labels::spoken(&found.full_name, language), found.full_name)),
                _ => None,
            }
        };
        if let Some(link) = link.filter(|link| !links.contains(link)) {
            links.push(link);
        }
    }
    links
}

/// Words that look like a full name or a place in a file, in order, each once.
fn candidates(text: &str) -> Vec<String> {
    let part = |c: char| c.is_alphanumeric() || "_.$:/-".contains(c);
    let mut found: Vec<String> = Vec::new();
    for word in text.split(|c: char| !part(c)) {
        let word = word.trim_matches(|c: char| ".:-/".contains(c));
        let name = || word.contains('.') && metadata::names::is_full_name(word);
        if (is_place(word) || name()) && !found.iter().any(|known| known == word) {
            found.push(word.to_owned());
        }
    }
    found
}

/// `Catalogs/X/Ext/ObjectModule.bsl:12`.
fn is_place(word: &str) -> bool {
    word.rsplit_once(':').is_some_and(|(file, line)| {
        line.parse::<u32>().is_ok()
            && file.contains('/')
            && [".bsl", ".xml", ".mdo", ".form"].iter().any(|end| file.ends_with(end))
    })
}

/// The change that a tool proposed.
pub(super) fn proposed(event: &Event) -> Option<EditId> {
    let Event::ToolResult { name, content, ok: true, repeated: false, .. } = event else { return None };
    let writes = Registry::default().get(name).is_ok_and(|tool| tool.class == Class::Write);
    let value: Value = serde_json::from_str(content).ok().filter(|_| writes)?;
    // Of a change that was dropped the number comes too.
    let id = value.get("edit").filter(|_| value["status"] == "pending")?;
    EditId::try_from(id.as_u64()?).ok()
}

/// What the gates said of a change: a line each, what blocks first.
pub(super) fn remarks(event: &Event, language: Language) -> Vec<String> {
    let Event::ToolResult { content, .. } = event else { return Vec::new() };
    let Ok(value) = serde_json::from_str::<Value>(content) else { return Vec::new() };
    let mut found: Vec<Finding> = serde_json::from_value(value["error"]["findings"].clone()).unwrap_or_default();
    found.sort_by_key(|one| !one.blocking);
    let refused = found.iter().map(|one| {
        let sign = if one.blocking { "✗" } else { "!" };
        format!("{sign} {}", one.line_of_text(language))
    });
    let advisory = value["advisory"].as_array().into_iter().flatten().filter_map(Value::as_str);
    refused.chain(advisory.map(|text| format!("! {text}"))).take(REMARKS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_places_are_taken_out_of_text_and_json() {
        let text = "Вызывает CommonModule.Обмен.Выгрузить (CommonModules/Обмен/Ext/Module.bsl:12), и т.д. \
                    {\"source\":\"Catalog.Валюты\",\"file\":\"Catalogs/Валюты.xml:3\"} Catalog.Валюты.";
        let expected = [
            "CommonModule.Обмен.Выгрузить",
            "CommonModules/Обмен/Ext/Module.bsl:12",
            "Catalog.Валюты",
            "Catalogs/Валюты.xml:3",
        ];
        assert_eq!(candidates(text), expected);
    }

    #[test]
    fn a_place_has_a_file_of_the_dump_and_a_line() {
        assert!(is_place("a/b.bsl:1"));
        assert!(!is_place("a/b.bsl"));
        assert!(!is_place("b.bsl:x"));
        assert!(!is_place("http://x:80"));
    }

    fn result(name: &str, ok: bool, content: &str) -> Event {
        Event::ToolResult {
            id: "1".to_owned(),
            name: name.to_owned(),
            ok,
            summary: String::new(),
            content: content.to_owned(),
            took: std::time::Duration::ZERO,
            repeated: false,
        }
    }

    #[test]
    fn a_change_is_known_by_the_tool_that_proposed_it() {
        let content = r#"{"edit": 4, "status": "pending"}"#;
        assert_eq!(proposed(&result("propose_patch", true, content)), Some(4));
        assert_eq!(proposed(&result("propose_patch", false, content)), None);
        assert_eq!(proposed(&result("preview_diff", true, content)), None);
        assert_eq!(proposed(&result("discard_edit", true, r#"{"edit": 4, "status": "discarded"}"#)), None);
    }

    #[test]
    fn what_gates_said_is_read_whether_they_refused_or_not() {
        let finding = |blocking| {
            format!(
                r#"{{"gate":"syntax","blocking":{blocking},"path":"А.bsl","line":3,"ru":"Нет конца","en":"No end"}}"#
            )
        };
        let refused =
            format!(r#"{{"error": {{"code": "blocked", "findings": [{}, {}]}}}}"#, finding(false), finding(true));
        let lines = remarks(&result("propose_patch", false, &refused), Language::Russian);
        assert_eq!(lines, ["✗ А.bsl:3: Нет конца [syntax]", "! А.bsl:3: Нет конца [syntax]"]);
        let kept = r#"{"edit": 1, "advisory": ["А.bsl:3: No end [syntax]"]}"#;
        assert_eq!(remarks(&result("propose_patch", true, kept), Language::English), ["! А.bsl:3: No end [syntax]"]);
        assert!(remarks(&result("callers", true, "[]"), Language::English).is_empty());
    }
}
