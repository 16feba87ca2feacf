//! What is recorded of each question: turns, calls, tokens.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use serde::Serialize;

use crate::message::Usage;
use crate::mode::Mode;
use crate::price::Cost;
use crate::run::Outcome;

/// A question as it is recorded.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Record {
    /// Seconds since 1970.
    pub at: u64,
    /// The model, as people see it.
    pub model: String,
    /// What the agent might do.
    pub mode: &'static str,
    /// The question, its first 500 characters.
    pub question: String,
    /// `answered`, `turn_limit`, `cancelled`, `failed`; `killed`: its program ended in the middle of it.
    pub status: &'static str,
    /// Turns that were begun.
    pub turns: u32,
    /// Tools that were called.
    pub calls: u32,
    /// Tokens.
    pub usage: Usage,
    /// What they cost, if prices are known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<Cost>,
    /// Names in the answer that the index does not know.
    pub unresolved: usize,
    /// Milliseconds it took.
    pub took: u64,
}

impl Record {
    /// Of a question that has just ended.
    pub fn new(model: &str, mode: Mode, question: &str, outcome: &Outcome, took: Duration) -> Self {
        let status = outcome.status.word();
        Self {
            calls: outcome.calls,
            usage: outcome.usage,
            cost: outcome.cost.clone(),
            unresolved: outcome.unresolved.len(),
            ..Self::of(model, mode, question, status, outcome.turns, took)
        }
    }

    /// Of a question whose program was killed in the middle of it: what it had called and used is not known.
    pub fn killed(model: &str, mode: Mode, question: &str, turns: u32, took: Duration) -> Self {
        Self::of(model, mode, question, "killed", turns, took)
    }

    fn of(model: &str, mode: Mode, question: &str, status: &'static str, turns: u32, took: Duration) -> Self {
        Self {
            at: SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs(),
            model: model.to_owned(),
            mode: mode.word(),
            question: question.chars().take(500).collect(),
            status,
            turns,
            calls: 0,
            usage: Usage::default(),
            cost: None,
            unresolved: 0,
            took: u64::try_from(took.as_millis()).unwrap_or(u64::MAX),
        }
    }

    /// What was done beyond an earlier record of the same question: of a continuation, whose outcome counts from the question on. So
    /// the records of a question add up.
    #[must_use]
    pub fn beyond(self, earlier: &Self) -> Self {
        let (now, before) = (self.usage, earlier.usage);
        let usage = Usage {
            prompt: now.prompt.saturating_sub(before.prompt),
            cached: now.cached.saturating_sub(before.cached),
            completion: now.completion.saturating_sub(before.completion),
        };
        let spent = earlier.cost.as_ref().map_or(0.0, |cost| cost.total);
        let cost = self.cost.map(|cost| Cost { total: (cost.total - spent).max(0.0), ..cost });
        let (turns, calls) = (self.turns.saturating_sub(earlier.turns), self.calls.saturating_sub(earlier.calls));
        Self { turns, calls, usage, cost, ..self }
    }

    /// Where the questions about an index are recorded: beside it.
    pub fn path_beside(pointer: &Path) -> PathBuf {
        pointer.with_extension("questions.jsonl")
    }

    /// Appends it to a file, one JSON value a line.
    ///
    /// # Errors
    /// If the file can't be written.
    pub fn append(&self, path: &Path) -> std::io::Result<()> {
        tools::audit::append(path, self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::Status;
    use serde_json::Value;

    #[test]
    fn the_records_of_a_question_and_its_continuation_add_up() {
        let cost = |total| Some(Cost { turn: 0.1, total, currency: "RUB".into() });
        let outcome = Outcome {
            status: Status::TurnLimit,
            answer: String::new(),
            unresolved: Vec::new(),
            for_person: Vec::new(),
            turns: 6,
            calls: 4,
            usage: Usage { prompt: 100, cached: 40, completion: 10 },
            cost: cost(0.5),
            balance: None,
            messages: Vec::new(),
        };
        let record = |outcome: &Outcome| Record::new("m", Mode::Agent, "Кто?", outcome, Duration::from_millis(1));
        let first = record(&outcome);
        let usage = Usage { prompt: 150, cached: 90, completion: 12 };
        let whole = Outcome { status: Status::Answered, turns: 8, calls: 5, usage, cost: cost(0.75), ..outcome };
        let second = record(&whole).beyond(&first);
        assert_eq!((second.status, second.turns, second.calls), ("answered", 2, 1));
        assert_eq!(second.usage, Usage { prompt: 50, cached: 50, completion: 2 });
        assert_eq!(second.cost.map(|cost| cost.total), Some(0.25));
    }

    #[test]
    fn questions_stand_a_line_each_beside_the_index() {
        let folder = tempfile::tempdir().unwrap();
        let path = Record::path_beside(&folder.path().join("index.db"));
        assert_eq!(path, folder.path().join("index.questions.jsonl"));
        let outcome = Outcome {
            status: Status::TurnLimit,
            answer: "нет".into(),
            unresolved: Vec::new(),
            for_person: Vec::new(),
            turns: 30,
            calls: 41,
            usage: Usage { prompt: 5, cached: 1, completion: 2 },
            cost: None,
            balance: None,
            messages: Vec::new(),
        };
        for question in ["Кто?", "Где?"] {
            let record = Record::new("offline", Mode::Plan, question, &outcome, Duration::from_millis(7));
            record.append(&path).unwrap();
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(lines.len(), 2);
        assert_eq!((&lines[1]["question"], &lines[1]["status"]), (&"Где?".into(), &"turn_limit".into()));
        assert_eq!((&lines[1]["turns"], &lines[1]["calls"], &lines[1]["took"]), (&30.into(), &41.into(), &7.into()));
    }
}
