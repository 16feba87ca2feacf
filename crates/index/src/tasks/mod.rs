//! Long work of all programs of a user, in one small table: vectors, an index, a run of the agent.
//!
//! Whoever wants to work claims a task, in one atomic statement, and holds it for a time (a lease) that it prolongs while it
//! works. A task whose holder died is free again once its lease is over: nobody has to find out that the holder is dead. Each
//! claim has a number; what a holder says of a task that another has claimed since counts for nothing.

use std::path::Path;
use std::time::{Duration, SystemTime};

use rusqlite::{Connection, OptionalExtension, Row, params};

use crate::{Error, Result};

/// Claims after which a task that ends with its holder each time counts as failed.
pub const MOST_CLAIMS: u32 = 5;
/// Ended tasks are kept this long.
const KEPT: Duration = Duration::from_secs(30 * 24 * 3600);
/// How long a statement waits for another program's.
const BUSY: Duration = Duration::from_secs(10);

/// The table of tasks.
#[derive(Debug)]
pub struct Tasks {
    connection: Connection,
}

/// A task that this program holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// Its number.
    pub id: i64,
    /// What kind of work: `vectors`, `index`, `agent`.
    pub kind: String,
    /// What it is about: work of one kind on one thing is one task.
    pub key: String,
    /// What the worker must know.
    pub payload: String,
    /// Which claim this is, from 1; more than one: a holder died.
    pub claim: u32,
}

/// Where a task stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TaskState {
    /// Nobody has it.
    Waiting,
    /// Somebody works on it.
    Running,
    /// Its work is done.
    Done,
    /// It could not be done.
    Failed,
}

/// A task as it is listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskRow {
    /// Its number.
    pub id: i64,
    /// What kind of work.
    pub kind: String,
    /// What it is about.
    pub key: String,
    /// Where it stands.
    pub state: TaskState,
    /// How often it was claimed.
    pub claims: u32,
    /// Who holds it, or held it last.
    pub holder: Option<String>,
    /// What came of it.
    pub result: Option<String>,
}

impl Tasks {
    /// Opens the table in that file, or makes it. Tasks that ended long ago are forgotten.
    ///
    /// # Errors
    /// If the file can't be written.
    pub fn open(path: &Path) -> Result<Self> {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(Error::io(folder))?;
        }
        let connection = Connection::open(path)?;
        connection.busy_timeout(BUSY)?;
        connection.pragma_update_and_check(None, "journal_mode", "WAL", |_| Ok(()))?;
        connection.execute_batch(include_str!("tables.sql"))?;
        let before = now().saturating_sub(milliseconds(KEPT));
        connection.execute("DELETE FROM tasks WHERE ended < ?1", [before])?;
        Ok(Self { connection })
    }

    /// Adds a task, unless the same waits or runs already. True: it was added.
    ///
    /// # Errors
    /// If the file can't be written.
    pub fn add(&self, kind: &str, key: &str, payload: &str) -> Result<bool> {
        let sql = "INSERT INTO tasks (kind, key, payload, state, created) VALUES (?1, ?2, ?3, 'waiting', ?4)
                   ON CONFLICT DO NOTHING";
        Ok(self.connection.prepare_cached(sql)?.execute(params![kind, key, payload, now()])? == 1)
    }

    /// Claims the oldest task of a kind that nobody holds, or whose holder let its lease run out.
    ///
    /// # Errors
    /// If the file can't be written.
    pub fn claim(&self, kind: &str, holder: &str, lease: Duration) -> Result<Option<Task>> {
        self.claim_at(kind, holder, lease, now())
    }

    fn claim_at(&self, kind: &str, holder: &str, lease: Duration, now: i64) -> Result<Option<Task>> {
        // One statement: SQLite lets one writer in at a time, so no two programs see the same task free.
        let sql = "UPDATE tasks SET state = 'running', claims = claims + 1, holder = ?2, leased_until = ?3
                   WHERE id = (SELECT id FROM tasks
                               WHERE kind = ?1 AND claims < ?5
                                 AND (state = 'waiting' OR (state = 'running' AND leased_until < ?4))
                               ORDER BY id LIMIT 1)
                   RETURNING id, kind, key, payload, claims";
        let until = now.saturating_add(milliseconds(lease));
        let mut statement = self.connection.prepare_cached(sql)?;
        let task = statement.query_row(params![kind, holder, until, now, MOST_CLAIMS], task).optional()?;
        if task.is_none() {
            // What has killed every holder would kill the next one too.
            let sql = "UPDATE tasks SET state = 'failed', ended = ?2, result = 'every holder died'
                       WHERE kind = ?1 AND state = 'running' AND leased_until < ?2 AND claims >= ?3";
            self.connection.prepare_cached(sql)?.execute(params![kind, now, MOST_CLAIMS])?;
        }
        Ok(task)
    }

    /// Prolongs the lease. False: the task is another's by now, and the work on it must stop.
    ///
    /// # Errors
    /// If the file can't be written.
    pub fn renew(&self, task: &Task, lease: Duration) -> Result<bool> {
        let sql = "UPDATE tasks SET leased_until = ?3 WHERE id = ?1 AND claims = ?2 AND state = 'running'";
        let until = now().saturating_add(milliseconds(lease));
        Ok(self.connection.prepare_cached(sql)?.execute(params![task.id, task.claim, until])? == 1)
    }

    /// Ends a task with what came of it. False: it is another's by now, and nothing was changed.
    ///
    /// # Errors
    /// If the file can't be written.
    pub fn end(&self, task: &Task, result: std::result::Result<&str, &str>) -> Result<bool> {
        let (state, text) = match result {
            Ok(text) => ("done", text),
            Err(text) => ("failed", text),
        };
        let sql = "UPDATE tasks SET state = ?3, result = ?4, ended = ?5, leased_until = NULL
                   WHERE id = ?1 AND claims = ?2 AND state = 'running'";
        Ok(self.connection.prepare_cached(sql)?.execute(params![task.id, task.claim, state, text, now()])? == 1)
    }

    /// Gives a task back, as if it had not been claimed: the holder was stopped. False: it is another's by now.
    ///
    /// # Errors
    /// If the file can't be written.
    pub fn give_back(&self, task: &Task) -> Result<bool> {
        let sql = "UPDATE tasks SET state = 'waiting', claims = claims - 1, holder = NULL, leased_until = NULL
                   WHERE id = ?1 AND claims = ?2 AND state = 'running'";
        Ok(self.connection.prepare_cached(sql)?.execute(params![task.id, task.claim])? == 1)
    }

    /// The newest tasks, the newest first.
    ///
    /// # Errors
    /// If the file can't be read.
    pub fn list(&self, limit: u32) -> Result<Vec<TaskRow>> {
        let sql = "SELECT id, kind, key, state, claims, holder, result FROM tasks ORDER BY id DESC LIMIT ?1";
        let mut statement = self.connection.prepare_cached(sql)?;
        let rows = statement.query_map([limit], |row| {
            Ok(TaskRow {
                id: row.get(0)?,
                kind: row.get(1)?,
                key: row.get(2)?,
                state: state(row.get_ref(3)?.as_str()?),
                claims: row.get(4)?,
                holder: row.get(5)?,
                result: row.get(6)?,
            })
        })?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }
}

fn task(row: &Row<'_>) -> rusqlite::Result<Task> {
    Ok(Task { id: row.get(0)?, kind: row.get(1)?, key: row.get(2)?, payload: row.get(3)?, claim: row.get(4)? })
}

/// The column's own check lets no other word in.
fn state(word: &str) -> TaskState {
    match word {
        "waiting" => TaskState::Waiting,
        "running" => TaskState::Running,
        "done" => TaskState::Done,
        _ => TaskState::Failed,
    }
}

/// Milliseconds since 1970: the clock that all programs of this machine share.
fn now() -> i64 {
    milliseconds(SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default())
}

fn milliseconds(time: Duration) -> i64 {
    i64::try_from(time.as_millis()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEASE: Duration = Duration::from_secs(60);

    fn tasks() -> (tempfile::TempDir, Tasks) {
        let folder = tempfile::tempdir().unwrap();
        let tasks = Tasks::open(&folder.path().join("deep").join("tasks.db")).unwrap();
        (folder, tasks)
    }

    #[test]
    fn the_same_work_waits_once_and_the_oldest_goes_first() {
        let (_folder, tasks) = tasks();
        assert!(tasks.add("vectors", "a", "{}").unwrap() && !tasks.add("vectors", "a", "{}").unwrap());
        assert!(tasks.add("index", "a", "").unwrap() && tasks.add("vectors", "b", "").unwrap());
        let claim = || tasks.claim("vectors", "me", LEASE).unwrap();
        let first = claim().unwrap();
        assert_eq!((first.key.as_str(), first.payload.as_str(), first.claim), ("a", "{}", 1));
        assert!(!tasks.add("vectors", "a", "{}").unwrap(), "it runs");
        assert_eq!(claim().unwrap().key, "b");
        assert_eq!(claim(), None);
        assert!(tasks.end(&first, Ok("7 vectors")).unwrap() && tasks.add("vectors", "a", "{}").unwrap());
        let rows = tasks.list(10).unwrap();
        let states: Vec<TaskState> = rows.iter().map(|row| row.state).collect();
        assert_eq!(states, [TaskState::Waiting, TaskState::Running, TaskState::Waiting, TaskState::Done]);
        assert_eq!(rows[3].result.as_deref(), Some("7 vectors"));
    }

    #[test]
    fn a_dead_holders_task_is_free_when_its_lease_is_over_and_its_word_counts_no_more() {
        let (_folder, tasks) = tasks();
        tasks.add("agent", "q", "").unwrap();
        let begun = now();
        let dead = tasks.claim_at("agent", "dead", LEASE, begun).unwrap().unwrap();
        assert_eq!(tasks.claim_at("agent", "other", LEASE, begun + 59_000).unwrap(), None);
        assert!(tasks.renew(&dead, LEASE * 2).unwrap());
        assert_eq!(tasks.claim_at("agent", "other", LEASE, begun + 61_000).unwrap(), None, "prolonged");
        let other = tasks.claim_at("agent", "other", LEASE, begun + 600_000).unwrap().unwrap();
        assert_eq!((other.id, other.claim), (dead.id, 2));
        assert!(
            !tasks.renew(&dead, LEASE).unwrap()
                && !tasks.end(&dead, Ok("late")).unwrap()
                && !tasks.give_back(&dead).unwrap()
        );
        assert!(tasks.end(&other, Err("no model")).unwrap() && !tasks.end(&other, Ok("twice")).unwrap());
        let row = &tasks.list(1).unwrap()[0];
        assert_eq!(
            (row.state, row.holder.as_deref(), row.result.as_deref()),
            (TaskState::Failed, Some("other"), Some("no model"))
        );
    }

    #[test]
    fn what_kills_every_holder_fails_and_what_is_given_back_does_not() {
        let (_folder, tasks) = tasks();
        tasks.add("index", "bad", "").unwrap();
        let mut time = now();
        for _ in 0..10 {
            let task = tasks.claim_at("index", "stopped", LEASE, time).unwrap().unwrap();
            assert!(tasks.give_back(&task).unwrap());
        }
        for claim in 1..=MOST_CLAIMS {
            assert_eq!(tasks.claim_at("index", "dies", LEASE, time).unwrap().unwrap().claim, claim);
            time += 61_000;
        }
        assert_eq!(tasks.claim_at("index", "dies", LEASE, time).unwrap(), None);
        assert_eq!(tasks.list(1).unwrap()[0].state, TaskState::Failed);
    }

    #[test]
    fn tasks_that_ended_long_ago_are_forgotten() {
        let (folder, tasks) = tasks();
        tasks.add("index", "old", "").unwrap();
        let task = tasks.claim("index", "me", LEASE).unwrap().unwrap();
        tasks.end(&task, Ok("")).unwrap();
        tasks.connection.execute("UPDATE tasks SET ended = ended - 31 * 86400000", []).unwrap();
        tasks.add("index", "new", "").unwrap();
        drop(tasks);
        let again = Tasks::open(&folder.path().join("deep").join("tasks.db")).unwrap();
        assert_eq!(again.list(9).unwrap().iter().map(|row| row.key.as_str()).collect::<Vec<_>>(), ["new"]);
    }
}
