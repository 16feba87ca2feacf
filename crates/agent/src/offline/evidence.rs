//! How answers show what proves them.

use std::fmt::Write as _;

use serde_json::Value;

use super::Speech;
use super::case::Case;

/// The most evidence lines of one list.
pub(super) const LINES: usize = 40;
/// The longest text of an answer beside its evidence, in characters.
const TEXT: usize = 1500;
/// The most lines of evidence of an answer.
const EVIDENCE: usize = 120;
/// Room for the line that says that something was left out.
const LEFT_OUT: usize = 70;
/// The longest notes on what an answer may lack, in characters.
const NOTES: usize = 600;
/// The least of a line that is shown where it is cut.
const PART: usize = 80;

/// Whether a line is evidence: it names a file, and mostly the line in it.
pub(super) fn is_evidence(line: &str) -> bool {
    line.starts_with("- ") && line.split_whitespace().any(is_place)
}

/// `Module.bsl:12`, `Catalogs/Товары.xml`.
fn is_place(word: &str) -> bool {
    let word = word.trim_matches(|c| matches!(c, '(' | ')' | ',' | ';' | '.' | '`'));
    let (path, is_line) = match word.rsplit_once(':') {
        Some((path, number)) if number.bytes().all(|c| c.is_ascii_digit()) && !number.is_empty() => (path, true),
        _ => (word, false),
    };
    let ends = |(name, ending): (&str, &str)| {
        !name.is_empty() && (1..=6).contains(&ending.len()) && ending.bytes().all(|c| c.is_ascii_alphanumeric())
    };
    (is_line || path.contains('/')) && path.rsplit_once('.').is_some_and(ends)
}

/// An answer within its bounds: text beside the evidence, and lines of evidence. What has no room is left out, which is said;
/// `notes` stand at the end and have room before everything else.
pub(super) fn fitted(case: &Case, answer: &str, notes: &str) -> String {
    let text = |line: &str| line.chars().count() + 1;
    let notes: String = notes.chars().take(NOTES).collect();
    let total: usize = answer.lines().filter(|line| !is_evidence(line)).map(text).sum();
    let lines = answer.lines().filter(|line| is_evidence(line)).count();
    if total + text(&notes) <= TEXT && lines <= EVIDENCE {
        return format!("{}\n{notes}", answer.trim_end()).trim_end().to_owned();
    }
    let (mut room, mut evidence, mut left_out) = (TEXT - LEFT_OUT - text(&notes), EVIDENCE, 0);
    let longest = fair_length(room, answer.lines().filter(|line| !is_evidence(line)).map(text).collect());
    let mut out = String::new();
    for line in answer.lines() {
        let (line, is_whole) = match is_evidence(line) || text(line) <= longest {
            true => (line.to_owned(), true),
            false => (cut(line, longest - 2), false),
        };
        // What is left of a line may be its heading alone.
        let bare = line.trim_matches(|c: char| !c.is_alphanumeric());
        let says_nothing = !is_whole && (line.ends_with(":…") || bare.is_empty());
        let has_room = if is_evidence(&line) { evidence > 0 } else { text(&line) <= room && !says_nothing };
        left_out += usize::from(!has_room || !is_whole);
        if !has_room {
            continue;
        }
        if is_evidence(&line) {
            evidence -= 1;
        } else {
            room -= text(&line);
        }
        out.push_str(&line);
        out.push('\n');
    }
    let note = case.say(
        &format!("… показано не всё, строк опущено или сокращено: {left_out}\n"),
        &format!("… not all is shown, lines left out or cut: {left_out}\n"),
    );
    format!("{out}{note}{notes}").trim_end().to_owned()
}

/// The beginning of a line. No word is cut in two: half of a name is another one.
fn cut(line: &str, most: usize) -> String {
    let end = line.char_indices().nth(most).map_or(line.len(), |(at, _)| at);
    let mut beginning = line.get(..end).unwrap_or(line);
    if line.get(end..).is_some_and(|rest| rest.starts_with(|c: char| !c.is_whitespace())) {
        beginning = beginning.rfind(char::is_whitespace).and_then(|at| beginning.get(..at)).unwrap_or(beginning);
    }
    if beginning.matches('`').count() % 2 == 1 {
        beginning = beginning.rfind('`').and_then(|at| beginning.get(..at)).unwrap_or(beginning);
    }
    format!("{}…", beginning.trim_end_matches([' ', ',', '(']))
}

/// The length to which lines are cut so that all of them have room: short ones stay whole, long ones share the rest alike.
fn fair_length(room: usize, mut lengths: Vec<usize>) -> usize {
    lengths.sort_unstable();
    let (count, mut left) = (lengths.len(), room);
    for (done, length) in lengths.into_iter().enumerate() {
        let share = left / (count - done);
        if length > share {
            return share.max(PART);
        }
        left -= length;
    }
    room.max(PART)
}

/// A text on one line, cut to that many characters.
pub(super) fn one_line(text: &str, most: usize) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= most {
        return line;
    }
    line.chars().take(most - 1).chain(['…']).collect()
}

/// A text field of a result.
pub(super) fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}

/// A list field of a result.
pub(super) fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value.get(key).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
}

/// A list of texts.
pub(super) fn texts<'a>(value: &'a Value, key: &str) -> Vec<&'a str> {
    list(value, key).iter().filter_map(Value::as_str).collect()
}

/// One line an edge: the thing at `end`, channel, confidence, place.
pub(super) fn edges(rows: &[Value], end: &str, most: usize) -> String {
    let mut out = String::new();
    for edge in rows.iter().take(most) {
        let _ = write!(out, "- `{}` — {}, {}", text(edge, end), text(edge, "channel"), text(edge, "confidence"));
        let _ = writeln!(out, "{}", place(edge, " — "));
    }
    out
}

/// `file:line`, with something before it; nothing if there is no file.
pub(super) fn place(value: &Value, before: &str) -> String {
    match (text(value, "file"), value.get("line").and_then(Value::as_u64)) {
        ("", _) => String::new(),
        (file, None | Some(0)) => format!("{before}{file}"),
        (file, Some(line)) => format!("{before}{file}:{line}"),
    }
}

/// Why an answer may not be all; empty if it is.
pub(super) fn incompleteness(case: &Case, value: &Value) -> String {
    let Some(state) = value.get("state") else { return String::new() };
    let reasons = texts(state, "reasons");
    if state.get("complete").and_then(Value::as_bool) == Some(true) || reasons.is_empty() {
        return String::new();
    }
    let head = case.say("Ответ может быть неполным", "The answer may not be complete");
    format!("{head}: {}.", reasons.join("; "))
}

/// What is said of a name that isn't there.
pub(super) fn not_there(case: &Case, value: &Value) -> String {
    let mut out = case.say(
        &format!("В конфигурации нет ничего с именем «{}».", case.subject),
        &format!("Nothing in the configuration is named “{}”.", case.subject),
    );
    let mut near = texts(value, "nearest");
    if near.is_empty() {
        near = value.get("error").map(|error| texts(error, "nearest")).unwrap_or_default();
    }
    if !near.is_empty() {
        out.push('\n');
        out.push_str(&case.say("Ближайшие имена:", "Nearest names:"));
        for name in near {
            let _ = write!(out, "\n- `{name}`");
        }
    }
    out
}

/// An error of a tool, for the reader.
pub(super) fn error(case: &Case, value: &Value) -> Option<String> {
    let error = value.get("error")?;
    let head = case.say("Не получилось", "It did not work");
    let hint = text(error, "hint");
    let hint = if hint.is_empty() { String::new() } else { format!(" ({hint})") };
    Some(format!("{head}: {}{hint}", text(error, "message")))
}

/// A number with its noun: Russian has three forms.
pub(super) fn counted(speech: Speech, count: usize, ru: [&str; 3], en: [&str; 2]) -> String {
    let form = match (speech, count % 10, count % 100) {
        (Speech::English, _, _) => en[usize::from(count != 1)],
        (Speech::Russian, 1, tens) if tens != 11 => ru[0],
        (Speech::Russian, 2..=4, tens) if !(12..=14).contains(&tens) => ru[1],
        (Speech::Russian, _, _) => ru[2],
    };
    format!("{count} {form}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evidence_names_a_file() {
        for line in [
            "- `А` — direct — CommonModules/А/Ext/Module.bsl:47",
            "- а (src/Б/Б.mdo:3), б",
            "- x — Configuration.xml:1",
        ] {
            assert!(is_evidence(line), "{line}");
        }
        for line in ["`А` — CommonModules/А/Ext/Module.bsl:47", "- `Document.А.Б` — 3", "- и/или", "- v1.0", "- 12:30"]
        {
            assert!(!is_evidence(line), "{line}");
        }
    }

    #[test]
    fn answers_keep_their_bounds() {
        let case = Case::read(&[crate::message::Message::user("Что такое А.Б?")]);
        let long = format!("{}\n- `А` — а/Module.bsl:1\n{}\n{}\n", "х".repeat(900), "у".repeat(900), "z".repeat(900));
        let cut = fitted(&case, &long, "");
        let text: usize = cut.lines().filter(|line| !is_evidence(line)).map(|line| line.chars().count() + 1).sum();
        assert!(text <= TEXT + 1 && text > 1300, "{text}");
        assert!(cut.contains("- `А` — а/Module.bsl:1") && cut.ends_with("строк опущено или сокращено: 3"), "{cut}");
        let many: String = (0..200).map(|line| format!("- `А` — а/Module.bsl:{line}\n")).collect();
        assert_eq!(fitted(&case, &many, "а").lines().count(), EVIDENCE + 2);
        assert_eq!(fitted(&case, "короткий\n", ""), "короткий");
        assert_eq!(one_line("а\n  б", 10), "а б");
        assert_eq!(one_line("абвгд", 3), "аб…");
    }

    #[test]
    fn russian_numbers() {
        let say = |count| counted(Speech::Russian, count, ["вызов", "вызова", "вызовов"], ["call", "calls"]);
        assert_eq!(
            [1, 3, 5, 11, 12, 21, 112].map(say).join(", "),
            "1 вызов, 3 вызова, 5 вызовов, 11 вызовов, 12 вызовов, 21 вызов, 112 вызовов"
        );
        assert_eq!(counted(Speech::English, 1, [""; 3], ["call", "calls"]), "1 call");
    }
}
