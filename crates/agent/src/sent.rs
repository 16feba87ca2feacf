//! The log of what was sent to models: exactly what, to whom, when.
//!
//! One JSON value a line, written before the request goes out; a request that can't be written down isn't sent. Two files, the newer one
//! bounded: when it is full it takes the place of the older.

use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Size of one of the two files, in bytes.
pub const BOUND: u64 = 16 << 20;

/// What stands beside the body of a request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SentHead {
    /// Milliseconds since 1970.
    pub at: u64,
    /// The model, as the provider knows it.
    pub model: String,
    /// The address.
    pub to: String,
    /// Code of the region.
    pub region: String,
    /// Which attempt, from 1.
    pub attempt: u32,
    /// Bytes of the body.
    pub bytes: usize,
}

impl SentHead {
    /// The time as people read it, in GMT.
    pub fn when(&self) -> String {
        httpdate::fmt_http_date(SystemTime::UNIX_EPOCH + Duration::from_millis(self.at))
    }
}

/// A request that was sent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sent {
    /// When, to whom.
    #[serde(flatten)]
    pub head: SentHead,
    /// The body.
    pub body: Value,
}

impl Sent {
    /// Its messages, in order: who speaks, and the text with its calls; of what is no text, the kind.
    pub fn messages(&self) -> impl Iterator<Item = (&str, String)> {
        let messages = self.body["messages"].as_array().into_iter().flatten();
        messages.map(|message| (message["role"].as_str().unwrap_or("?"), text_of(message)))
    }

    /// Names of the tools whose schemas went along.
    pub fn tools(&self) -> impl Iterator<Item = &str> {
        let tools = self.body["tools"].as_array().into_iter().flatten();
        tools.map(|tool| tool["function"]["name"].as_str().unwrap_or("?"))
    }
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

/// The log.
#[derive(Debug)]
pub struct SentLog {
    path: PathBuf,
    bound: u64,
    writing: Mutex<()>,
}

impl SentLog {
    /// A log in that file and one beside it (`sent.jsonl`, `sent.old.jsonl`).
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self::bounded(path, BOUND)
    }

    /// With another bound of a file.
    pub fn bounded(path: impl Into<PathBuf>, bound: u64) -> Self {
        Self { path: path.into(), bound, writing: Mutex::new(()) }
    }

    /// The newer file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn older(&self) -> PathBuf {
        self.path.with_extension("old.jsonl")
    }

    /// Writes a request down; `body` is JSON on one line.
    ///
    /// # Errors
    /// If the file can't be written.
    pub fn record(&self, head: &SentHead, body: &str) -> std::io::Result<()> {
        let head = serde_json::to_string(head)?;
        // The body as it goes out, not read and written again.
        let line = format!("{},\"body\":{body}}}\n", head.strip_suffix('}').unwrap_or(&head));
        let _one_at_a_time = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(folder) = self.path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        let size = std::fs::metadata(&self.path).map_or(0, |data| data.len());
        if size > 0 && size + line.len() as u64 > self.bound {
            std::fs::rename(&self.path, self.older())?;
        }
        // One write a line: those of several processes don't mix.
        File::options().create(true).append(true).open(&self.path)?.write_all(line.as_bytes())
    }

    /// The last requests, the newest last. Lines that can't be read (cut off by a full disk) are left out.
    ///
    /// # Errors
    /// If a file is there and can't be read.
    pub fn last(&self, count: usize) -> std::io::Result<Vec<Sent>> {
        let mut lines: std::collections::VecDeque<String> = std::collections::VecDeque::new();
        for path in [self.older(), self.path.clone()] {
            let file = match File::open(path) {
                Ok(file) => file,
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => continue,
                Err(error) => return Err(error),
            };
            for line in BufReader::new(file).lines() {
                lines.push_back(line?);
                if lines.len() > count {
                    lines.pop_front();
                }
            }
        }
        Ok(lines.iter().filter_map(|line| serde_json::from_str(line).ok()).collect())
    }
}

/// Milliseconds since 1970.
pub(crate) fn now() -> u64 {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    u64::try_from(now.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn head(attempt: u32) -> SentHead {
        let to = "https://h/v1/chat/completions".to_owned();
        SentHead { at: now(), model: "m".into(), to, region: "RU".into(), attempt, bytes: 2 }
    }

    #[test]
    fn a_request_is_told_with_its_calls_images_and_tools() {
        let body = json!({
            "messages": [
                { "role": "user", "content": [{"type": "text", "text": "что\nэто"}, {"type": "image_url"}] },
                { "role": "assistant", "content": null, "tool_calls": [{"function": {"name": "refs", "arguments": "{}"}}] },
            ],
            "tools": [{ "type": "function", "function": { "name": "refs" } }],
        });
        let sent = Sent { head: head(1), body };
        let expected = [("user", "что\nэто [image_url]".to_owned()), ("assistant", "→ refs {}".to_owned())];
        assert_eq!(sent.messages().collect::<Vec<_>>(), expected);
        assert_eq!(sent.tools().collect::<Vec<_>>(), ["refs"]);
        assert_eq!(Sent { body: Value::Null, ..sent }.messages().count(), 0);
    }

    #[test]
    fn what_was_sent_is_read_back_and_the_size_is_bounded() {
        let folder = tempfile::tempdir().unwrap();
        let log = SentLog::bounded(folder.path().join("a").join("sent.jsonl"), 4000);
        assert_eq!(log.last(5).unwrap(), []);
        for number in 1..=60 {
            log.record(&head(number), &json!({"text": "я".repeat(100), "n": number}).to_string()).unwrap();
        }
        let last = log.last(3).unwrap();
        let attempts: Vec<u32> = last.iter().map(|sent| sent.head.attempt).collect();
        assert_eq!((attempts.as_slice(), &last[2].body["n"]), ([58, 59, 60].as_slice(), &json!(60)));
        let sizes: Vec<u64> = std::fs::read_dir(log.path().parent().unwrap())
            .unwrap()
            .map(|entry| entry.unwrap().metadata().unwrap().len())
            .collect();
        assert!(sizes.len() == 2 && sizes.iter().all(|size| *size <= 4000), "{sizes:?}");
    }

    #[test]
    fn a_line_that_was_cut_off_hides_no_other() {
        let folder = tempfile::tempdir().unwrap();
        let log = SentLog::new(folder.path().join("sent.jsonl"));
        log.record(&head(1), "{}").unwrap();
        File::options().append(true).open(log.path()).unwrap().write_all(b"{\"at\":1,\n").unwrap();
        log.record(&head(2), "{}").unwrap();
        assert_eq!(log.last(9).unwrap().len(), 2);
        let nowhere = SentLog::new(log.path().join("below a file").join("sent.jsonl"));
        assert!(nowhere.record(&head(1), "{}").is_err());
    }
}
