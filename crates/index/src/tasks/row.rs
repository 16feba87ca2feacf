//! Tasks as they are listed, and told to people.

use metadata::Language;
use rusqlite::Row;
use serde::Serialize;

/// Where a task stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum TaskState {
    /// Nobody has it.
    Waiting,
    /// Somebody works on it.
    Running,
    /// Somebody worked on it, and gives no sign of life any more.
    Dead,
    /// Its work is done.
    Done,
    /// It could not be done.
    Failed,
}

/// Who holds a task, or held it last.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Holder {
    /// The program.
    pub name: String,
    /// Its number as a process.
    pub process: Option<u32>,
    /// Milliseconds since it claimed the task.
    pub since: u64,
    /// Milliseconds since its last sign of life.
    pub silent: u64,
}

/// A task as it is listed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TaskRow {
    /// Its number.
    pub id: i64,
    /// What kind of work.
    pub kind: String,
    /// What it is about.
    pub key: String,
    /// What who added it said of it.
    pub payload: String,
    /// Where it stands.
    pub state: TaskState,
    /// How often it was claimed.
    pub claims: u32,
    /// Who holds it, or held it last.
    pub holder: Option<Holder>,
    /// The stage of the work, a word for programs; empty if nothing was said.
    pub phase: String,
    /// Steps done in it.
    pub done: i64,
    /// Steps of the stage; 0 if that isn't known.
    pub total: i64,
    /// What came of it.
    pub result: Option<String>,
}

impl TaskRow {
    /// Since when it runs, and how far it is: `12 s, modules 300 of 2000`. For people; empty if nobody holds it.
    #[must_use]
    pub fn progress(&self, language: Language) -> String {
        let say = |ru: &'static str, en: &'static str| if language == Language::Russian { ru } else { en };
        let Some(holder) = &self.holder else { return String::new() };
        let mut text = duration(holder.since, language);
        if self.total > 0 || !self.phase.is_empty() {
            text.push_str(", ");
            text.push_str(phase(&self.phase, language));
        }
        if self.total > 0 {
            text.push_str(&format!(" {} {} {}", self.done, say("из", "of"), self.total));
        }
        text
    }
}

/// A time, as exactly as people want to know it.
#[must_use]
pub fn duration(milliseconds: u64, language: Language) -> String {
    let seconds = milliseconds / 1000;
    let (value, ru, en) = match seconds {
        0..120 => (seconds, "с", "s"),
        120..7200 => (seconds / 60, "мин", "min"),
        7200..172_800 => (seconds / 3600, "ч", "h"),
        _ => (seconds / 86_400, "дн.", "days"),
    };
    format!("{value} {}", if language == Language::Russian { ru } else { en })
}

/// The stages of all kinds of work: the word for programs, what people read.
const PHASES: &[(&str, &str, &str)] = &[
    ("files", "сверка файлов", "comparing files"),
    ("metadata", "чтение метаданных", "reading metadata"),
    ("kept", "чтение сохранённого", "reading what was kept"),
    ("modules", "чтение модулей", "reading modules"),
    ("world", "сведение модулей", "putting modules together"),
    ("edges", "построение связей", "deriving edges"),
    ("finish", "завершение", "finishing"),
    ("names", "имена", "names"),
    ("bodies", "тексты", "bodies"),
    ("turn", "ход", "turn"),
];

/// A stage as people read it; a word that isn't known stays.
#[must_use]
pub fn phase(word: &str, language: Language) -> &str {
    match PHASES.iter().find(|(known, _, _)| *known == word) {
        Some((_, ru, _)) if language == Language::Russian => ru,
        Some((_, _, en)) => en,
        None => word,
    }
}

/// A row of [`super::COLUMNS`], as it is at a time.
pub(super) fn read(row: &Row<'_>, now: i64) -> rusqlite::Result<TaskRow> {
    let since = |then: Option<i64>| then.map_or(0, |then| u64::try_from(now.saturating_sub(then)).unwrap_or(0));
    let (name, process): (Option<String>, Option<u32>) = (row.get(6)?, row.get(7)?);
    let (started, seen) = (since(row.get(9)?), since(row.get(10)?));
    let is_over = row.get::<_, Option<i64>>(8)?.is_some_and(|until| until < now);
    Ok(TaskRow {
        id: row.get(0)?,
        kind: row.get(1)?,
        key: row.get(2)?,
        payload: row.get(3)?,
        // The column's own check lets no other word in.
        state: match row.get_ref(4)?.as_str()? {
            "waiting" => TaskState::Waiting,
            "running" if is_over => TaskState::Dead,
            "running" => TaskState::Running,
            "done" => TaskState::Done,
            _ => TaskState::Failed,
        },
        claims: row.get(5)?,
        holder: name.map(|name| Holder { name, process, since: started, silent: seen }),
        phase: row.get(11)?,
        done: row.get(12)?,
        total: row.get(13)?,
        result: row.get(14)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::Phase;

    #[test]
    fn how_far_it_is_for_people() {
        let holder = Holder { name: "metascope".to_owned(), process: Some(7), since: 12_900, silent: 100 };
        let mut row = TaskRow {
            id: 1,
            kind: "index".to_owned(),
            key: String::new(),
            payload: String::new(),
            state: TaskState::Running,
            claims: 1,
            holder: Some(holder),
            phase: "modules".to_owned(),
            done: 300,
            total: 2000,
            result: None,
        };
        assert_eq!(row.progress(Language::English), "12 s, reading modules 300 of 2000");
        assert_eq!(row.progress(Language::Russian), "12 с, чтение модулей 300 из 2000");
        (row.phase, row.total) = (String::new(), 0);
        assert_eq!(row.progress(Language::Russian), "12 с");
        row.holder = None;
        assert_eq!(row.progress(Language::Russian), "");
        let times = [119_999, 120_000, 7_200_000, 172_800_000].map(|time| duration(time, Language::English));
        assert_eq!(times, ["119 s", "2 min", "2 h", "2 days"]);
    }

    #[test]
    fn every_stage_of_a_build_has_its_text() {
        for stage in Phase::ALL {
            assert_ne!(phase(stage.word(), Language::Russian), stage.word(), "{stage:?}");
            assert_eq!(serde_json::json!(stage), stage.word());
        }
    }
}
