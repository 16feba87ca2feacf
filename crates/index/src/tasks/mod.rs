//! Long work on an index, in one small table beside it: its build, its vectors, runs of the agent.
//!
//! Whoever wants to work claims a task, in one atomic statement, and holds it for a time (a lease) that it prolongs while it
//! works. A task whose holder died is free again once its lease is over: nobody has to find out that the holder is dead. Each
//! claim has a number; what a holder says of a task that another has claimed since counts for nothing.
//!
//! [`Work`] is a task that is held: it gives the signs of life, and says how far the work is. Builds and vectors have a lock file
//! besides, which the system frees at once when its holder dies: who gets that lock need not wait for the lease.

mod row;
mod work;

pub use row::{Holder, TaskRow, TaskState, duration, phase};
pub use work::{LEASE, Work};

use std::path::Path;
use std::time::{Duration, SystemTime};

use rusqlite::{Connection, OptionalExtension, Row, params};

use crate::{Error, Location, Result};

/// The build or update of an index.
pub const INDEX: &str = "index";
/// Making the vectors that an index lacks.
pub const VECTORS: &str = "vectors";
/// A question that the agent works on; the key is the run.
pub const AGENT: &str = "agent";
/// The key of work that there is once an index.
pub const ALL: &str = "";

/// Claims after which a task that ends with its holder each time counts as failed.
pub const MOST_CLAIMS: u32 = 5;
/// Ended tasks are kept this long.
const KEPT: Duration = Duration::from_secs(30 * 24 * 3600);
/// How long a statement waits for another program's.
const BUSY: Duration = Duration::from_secs(10);
/// The layout of the table; a table of another one is made anew.
const LAYOUT: i64 = 1;
/// What is read of a task that is listed.
const COLUMNS: &str =
    "id, kind, key, payload, state, claims, holder, process, leased_until, started, seen, phase, done, total, result";

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
    /// What kind of work: [`INDEX`], [`VECTORS`], [`AGENT`].
    pub kind: String,
    /// What it is about: work of one kind on one thing is one task.
    pub key: String,
    /// What the worker must know.
    pub payload: String,
    /// Which claim this is, from 1; more than one: a holder died.
    pub claim: u32,
}

/// How far a piece of work is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Step {
    /// The stage, a word for programs.
    pub phase: &'static str,
    /// Steps done in it.
    pub done: usize,
    /// Steps of the stage; 0 if that isn't known.
    pub total: usize,
}

impl Tasks {
    /// The table beside an index; made if there is none.
    ///
    /// # Errors
    /// If the file can't be written.
    pub fn of(location: &Location) -> Result<Self> {
        Self::open(&location.sibling("tasks.db"))
    }

    /// The table beside an index, if there is one.
    ///
    /// # Errors
    /// If the file can't be read.
    pub fn known(location: &Location) -> Result<Option<Self>> {
        let path = location.sibling("tasks.db");
        if path.exists() { Self::open(&path).map(Some) } else { Ok(None) }
    }

    /// Opens the table in that file, or makes it. Tasks that ended long ago are forgotten. A file that a power cut damaged is
    /// made anew: who held a task then is gone.
    ///
    /// # Errors
    /// If the file can't be written.
    pub fn open(path: &Path) -> Result<Self> {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(Error::io(folder))?;
        }
        match Self::prepare(path) {
            Err(rusqlite::Error::SqliteFailure(error, _))
                if matches!(error.code, rusqlite::ErrorCode::NotADatabase | rusqlite::ErrorCode::DatabaseCorrupt) =>
            {
                std::fs::remove_file(path).map_err(Error::io(path))?;
                Ok(Self { connection: Self::prepare(path)? })
            }
            connection => Ok(Self { connection: connection? }),
        }
    }

    fn prepare(path: &Path) -> rusqlite::Result<Connection> {
        let mut connection = Connection::open(path)?;
        connection.busy_timeout(BUSY)?;
        // Nothing in it is worth waiting for the disk: a power cut ends every holder.
        connection.pragma_update(None, "synchronous", "OFF")?;
        if Self::layout(&connection)? != LAYOUT {
            connection.pragma_update_and_check(None, "journal_mode", "WAL", |_| Ok(()))?;
            let transaction = connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
            // Another program may have made it meanwhile.
            if Self::layout(&transaction)? != LAYOUT {
                transaction.execute_batch("DROP TABLE IF EXISTS tasks")?;
                transaction.execute_batch(include_str!("tables.sql"))?;
                transaction.pragma_update(None, "user_version", LAYOUT)?;
            }
            transaction.commit()?;
        }
        let before = now().saturating_sub(milliseconds(KEPT));
        // Writes only if there is one.
        let old =
            connection.query_row("SELECT EXISTS (SELECT 1 FROM tasks WHERE ended < ?1)", [before], |row| row.get(0))?;
        if old {
            connection.execute("DELETE FROM tasks WHERE ended < ?1", [before])?;
        }
        Ok(connection)
    }

    fn layout(connection: &Connection) -> rusqlite::Result<i64> {
        connection.pragma_query_value(None, "user_version", |row| row.get(0))
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

    /// Wants work to be done on what there is now. True: somebody works on it already, and is told by [`Tasks::end_unless_asked`]
    /// that it was asked for again; else it waits.
    ///
    /// # Errors
    /// If the file can't be written.
    pub fn ask(&self, kind: &str, key: &str) -> Result<bool> {
        let sql = "INSERT INTO tasks (kind, key, payload, state, created) VALUES (?1, ?2, '', 'waiting', ?3)
                   ON CONFLICT (kind, key) WHERE state IN ('waiting', 'running') DO UPDATE SET asked = asked + 1
                   RETURNING state = 'running'";
        Ok(self.connection.prepare_cached(sql)?.query_row(params![kind, key, now()], |row| row.get(0))?)
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
        let sql =
            "UPDATE tasks SET state = 'running', claims = claims + 1, holder = ?2, leased_until = ?3, process = ?6,
                                    started = ?4, seen = ?4, asked = 0, phase = '', done = 0, total = 0
                   WHERE id = (SELECT id FROM tasks
                               WHERE kind = ?1 AND claims < ?5
                                 AND (state = 'waiting' OR (state = 'running' AND leased_until < ?4))
                               ORDER BY id LIMIT 1)
                   RETURNING id, kind, key, payload, claims";
        let until = now.saturating_add(milliseconds(lease));
        let process = std::process::id();
        let mut statement = self.connection.prepare_cached(sql)?;
        let task = statement.query_row(params![kind, holder, until, now, MOST_CLAIMS, process], task).optional()?;
        if task.is_none() {
            // What has killed every holder would kill the next one too.
            let sql = "UPDATE tasks SET state = 'failed', ended = ?2, result = 'every holder died'
                       WHERE kind = ?1 AND state = 'running' AND leased_until < ?2 AND claims >= ?3";
            self.connection.prepare_cached(sql)?.execute(params![kind, now, MOST_CLAIMS])?;
        }
        Ok(task)
    }

    /// Claims a certain task, which is added if it isn't there. `None`: another holds it. `free`: whoever held it is known to be
    /// dead, so that its lease counts for nothing.
    ///
    /// # Errors
    /// If the file can't be written.
    pub fn begin(&self, wanted: &Wanted<'_>, free: bool, lease: Duration) -> Result<Option<Task>> {
        self.begin_at(wanted, free, lease, now())
    }

    fn begin_at(&self, wanted: &Wanted<'_>, free: bool, lease: Duration, now: i64) -> Result<Option<Task>> {
        let sql = "INSERT INTO tasks (kind, key, payload, state, created, claims, holder, process, leased_until, started, seen)
                   VALUES (?1, ?2, ?3, 'running', ?4, 1, ?5, ?6, ?7, ?4, ?4)
                   ON CONFLICT (kind, key) WHERE state IN ('waiting', 'running') DO UPDATE
                   SET state = 'running', claims = claims + 1, holder = ?5, process = ?6, leased_until = ?7, started = ?4,
                       seen = ?4, asked = 0, phase = '', done = 0, total = 0
                   WHERE state = 'waiting' OR leased_until < ?4 OR ?8
                   RETURNING id, kind, key, payload, claims";
        let until = now.saturating_add(milliseconds(lease));
        let Wanted { kind, key, payload, holder } = *wanted;
        let values = params![kind, key, payload, now, holder, std::process::id(), until, free];
        Ok(self.connection.prepare_cached(sql)?.query_row(values, task).optional()?)
    }

    /// Prolongs the lease, and says how far the work is. False: the task is another's by now, and the work on it must stop.
    ///
    /// # Errors
    /// If the file can't be written.
    pub fn renew(&self, task: &Task, lease: Duration, step: Step) -> Result<bool> {
        let sql = "UPDATE tasks SET leased_until = ?3, seen = ?4, phase = ?5, done = ?6, total = ?7
                   WHERE id = ?1 AND claims = ?2 AND state = 'running'";
        let now = now();
        let until = now.saturating_add(milliseconds(lease));
        let Step { phase, done, total } = step;
        let values = params![task.id, task.claim, until, now, phase, done as i64, total as i64];
        Ok(self.connection.prepare_cached(sql)?.execute(values)? == 1)
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

    /// Ends a task as done, unless it was asked for again since it was claimed. False: it was, and is still held, or it is
    /// another's by now ([`Tasks::renew`] tells which).
    ///
    /// # Errors
    /// If the file can't be written.
    pub fn end_unless_asked(&self, task: &Task, result: &str) -> Result<bool> {
        let sql = "UPDATE tasks SET state = CASE asked WHEN 0 THEN 'done' ELSE state END,
                                    result = CASE asked WHEN 0 THEN ?3 END,
                                    ended = CASE asked WHEN 0 THEN ?4 END, asked = 0
                   WHERE id = ?1 AND claims = ?2 AND state = 'running'
                   RETURNING state = 'done'";
        let mut statement = self.connection.prepare_cached(sql)?;
        let ended = statement.query_row(params![task.id, task.claim, result, now()], |row| row.get(0)).optional()?;
        Ok(ended.unwrap_or(false))
    }

    /// Gives a task back, as if it had not been claimed: the holder was stopped. False: it is another's by now.
    ///
    /// # Errors
    /// If the file can't be written.
    pub fn give_back(&self, task: &Task) -> Result<bool> {
        let sql = "UPDATE tasks SET state = 'waiting', claims = claims - 1, holder = NULL, process = NULL, leased_until = NULL
                   WHERE id = ?1 AND claims = ?2 AND state = 'running'";
        Ok(self.connection.prepare_cached(sql)?.execute(params![task.id, task.claim])? == 1)
    }

    /// Ends the tasks of a kind whose holders died, and gives them: each to one caller, once.
    ///
    /// # Errors
    /// If the file can't be written.
    pub fn bury(&self, kind: &str) -> Result<Vec<TaskRow>> {
        let sql = format!(
            "UPDATE tasks SET state = 'failed', ended = ?2, result = 'its holder died'
             WHERE kind = ?1 AND state = 'running' AND leased_until < ?2 RETURNING {COLUMNS}"
        );
        let now = now();
        let mut statement = self.connection.prepare_cached(&sql)?;
        let rows = statement.query_map(params![kind, now], |row| row::read(row, now))?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// The newest tasks, the newest first.
    ///
    /// # Errors
    /// If the file can't be read.
    pub fn list(&self, limit: u32) -> Result<Vec<TaskRow>> {
        self.rows(&format!("SELECT {COLUMNS} FROM tasks ORDER BY id DESC LIMIT ?1"), params![limit])
    }

    /// Tasks that wait, run, or whose holder died, the oldest first.
    ///
    /// # Errors
    /// If the file can't be read.
    pub fn open_ones(&self) -> Result<Vec<TaskRow>> {
        let sql = format!("SELECT {COLUMNS} FROM tasks WHERE state IN ('waiting', 'running') ORDER BY id");
        self.rows(&sql, params![])
    }

    /// The task of that kind and key that waits, runs, or lost its holder.
    ///
    /// # Errors
    /// If the file can't be read.
    pub fn open_one(&self, kind: &str, key: &str) -> Result<Option<TaskRow>> {
        let sql =
            format!("SELECT {COLUMNS} FROM tasks WHERE kind = ?1 AND key = ?2 AND state IN ('waiting', 'running')");
        Ok(self.rows(&sql, params![kind, key])?.pop())
    }

    fn rows(&self, sql: &str, values: &[&dyn rusqlite::ToSql]) -> Result<Vec<TaskRow>> {
        let now = now();
        let mut statement = self.connection.prepare_cached(sql)?;
        let rows = statement.query_map(values, |row| row::read(row, now))?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }
}

/// An error that another program is at it, with what the table says of that one.
pub(crate) fn with_doer(error: Error, location: &Location) -> Error {
    let doer = |kind| {
        let row = Tasks::known(location).ok().flatten()?.open_one(kind, ALL).ok().flatten()?;
        (row.state == TaskState::Running).then(|| Box::new(row))
    };
    let process = |doing: &Option<Box<TaskRow>>| doing.as_ref()?.holder.as_ref()?.process;
    match error {
        Error::Busy { path, holder, doing: None } => {
            let doing = doer(INDEX);
            Error::Busy { path, holder: holder.or_else(|| process(&doing)), doing }
        }
        Error::VectorsBusy { holder, doing: None } => {
            let doing = doer(VECTORS);
            Error::VectorsBusy { holder: holder.or_else(|| process(&doing)), doing }
        }
        error => error,
    }
}

/// A task that is to be claimed for oneself.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'a> {
    /// What kind of work.
    pub kind: &'a str,
    /// What it is about.
    pub key: &'a str,
    /// What others may want to know of it.
    pub payload: &'a str,
    /// Who works, for people: the program.
    pub holder: &'a str,
}

fn task(row: &Row<'_>) -> rusqlite::Result<Task> {
    Ok(Task { id: row.get(0)?, kind: row.get(1)?, key: row.get(2)?, payload: row.get(3)?, claim: row.get(4)? })
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
    const STEP: Step = Step { phase: "names", done: 3, total: 7 };

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
        assert!(tasks.renew(&dead, LEASE * 2, STEP).unwrap());
        assert_eq!(tasks.claim_at("agent", "other", LEASE, begun + 61_000).unwrap(), None, "prolonged");
        let other = tasks.claim_at("agent", "other", LEASE, begun + 600_000).unwrap().unwrap();
        assert_eq!((other.id, other.claim), (dead.id, 2));
        assert!(
            !tasks.renew(&dead, LEASE, STEP).unwrap()
                && !tasks.end(&dead, Ok("late")).unwrap()
                && !tasks.give_back(&dead).unwrap()
        );
        assert!(tasks.end(&other, Err("no model")).unwrap() && !tasks.end(&other, Ok("twice")).unwrap());
        let row = &tasks.list(1).unwrap()[0];
        assert_eq!(
            (row.state, row.holder.as_ref().map(|holder| holder.name.as_str()), row.result.as_deref()),
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

    fn wanted(key: &'static str) -> Wanted<'static> {
        Wanted { kind: INDEX, key, payload: "p", holder: "me" }
    }

    #[test]
    fn a_certain_task_is_begun_by_one_and_taken_over_from_the_dead() {
        let (_folder, tasks) = tasks();
        let begun = now();
        let first = tasks.begin_at(&wanted("a"), false, LEASE, begun).unwrap().unwrap();
        assert_eq!((first.claim, first.payload.as_str()), (1, "p"));
        assert_eq!(tasks.begin_at(&wanted("a"), false, LEASE, begun + 59_000).unwrap(), None, "it is held");
        assert!(tasks.begin_at(&wanted("b"), false, LEASE, begun).unwrap().is_some(), "another thing");
        assert!(tasks.renew(&first, LEASE, STEP).unwrap());
        let row = tasks.open_one(INDEX, "a").unwrap().unwrap();
        assert_eq!((row.state, row.phase.as_str(), row.done, row.total), (TaskState::Running, "names", 3, 7));
        assert_eq!(row.holder.map(|holder| holder.process), Some(Some(std::process::id())));
        // The lease is over; or a lock says that the holder is dead.
        let second = tasks.begin_at(&wanted("a"), false, LEASE, begun + 90_000).unwrap().unwrap();
        let third = tasks.begin_at(&wanted("a"), true, LEASE, begun + 90_000).unwrap().unwrap();
        assert_eq!([second.id, third.id], [first.id; 2]);
        assert_eq!((second.claim, third.claim), (2, 3));
        assert!(!tasks.end(&second, Ok("")).unwrap() && tasks.end(&third, Ok("")).unwrap());
        assert_eq!(tasks.open_one(INDEX, "a").unwrap(), None);
        assert_eq!(tasks.begin_at(&wanted("a"), false, LEASE, begun).unwrap().unwrap().claim, 1, "done: a new one");
    }

    #[test]
    fn what_is_asked_for_while_it_runs_is_not_done_yet() {
        let (_folder, tasks) = tasks();
        assert!(!tasks.ask(INDEX, "a").unwrap(), "it waits");
        let task = tasks.begin(&wanted("a"), false, LEASE).unwrap().unwrap();
        assert!(tasks.ask(INDEX, "a").unwrap() && tasks.ask(INDEX, "a").unwrap(), "it runs");
        assert!(!tasks.end_unless_asked(&task, "1").unwrap());
        assert_eq!(tasks.list(1).unwrap()[0].state, TaskState::Running);
        assert!(tasks.end_unless_asked(&task, "2").unwrap(), "nobody asked since");
        let row = &tasks.list(1).unwrap()[0];
        assert_eq!((row.state, row.result.as_deref()), (TaskState::Done, Some("2")));
        assert!(!tasks.ask(INDEX, "a").unwrap(), "it waits again");
    }

    #[test]
    fn the_dead_are_told_of_once() {
        let (_folder, tasks) = tasks();
        let long_ago = now() - 100_000;
        let task = tasks.begin_at(&wanted("a"), false, LEASE, long_ago).unwrap().unwrap();
        tasks.begin(&wanted("b"), false, LEASE).unwrap().unwrap();
        let states: Vec<TaskState> = tasks.open_ones().unwrap().iter().map(|row| row.state).collect();
        assert_eq!(states, [TaskState::Dead, TaskState::Running]);
        let buried = tasks.bury(INDEX).unwrap();
        assert_eq!((buried.len(), buried[0].id, buried[0].payload.as_str()), (1, task.id, "p"));
        assert!(tasks.bury(INDEX).unwrap().is_empty() && !tasks.end(&task, Ok("")).unwrap());
    }

    #[test]
    fn a_damaged_file_and_one_of_another_layout_are_made_anew() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tasks.db");
        std::fs::write(&path, "this is no database at all, whatever its name says".repeat(99)).unwrap();
        assert!(Tasks::open(&path).unwrap().add(INDEX, "a", "").unwrap());
        let other = Connection::open(&path).unwrap();
        other.execute_batch("DROP TABLE tasks; CREATE TABLE tasks (x); PRAGMA user_version = 7").unwrap();
        drop(other);
        assert!(Tasks::open(&path).unwrap().add(INDEX, "a", "").unwrap());
    }
}
