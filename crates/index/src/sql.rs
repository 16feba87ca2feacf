//! Read-only SQL for people, scripts and the agent.
//!
//! Seven fences, since each alone was passed by some attack: a connection that can only read, `query_only`, an authorizer
//! that knows only reading, limits of SQLite on length and depth, a ceiling on its memory, a progress handler that stops
//! what runs too long, and `sqlite3_stmt_readonly` (the only one that stops `VACUUM INTO`).

use crate::location::Location;
use crate::read::open_read_only;
use crate::schema::all_views;
use crate::{Error, Result};
use bsl::distance;
use rusqlite::functions::FunctionFlags;
use rusqlite::hooks::{AuthAction, AuthContext, Authorization};
use rusqlite::limits::Limit;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, ErrorCode};
use serde::Serialize;
use serde_json::{Map, Value};
use std::path::Path;
use std::time::{Duration, Instant};

/// Functions that could read or write beyond the database, or make huge values.
const FORBIDDEN: &[&str] = &[
    "load_extension",
    "fts3_tokenizer",
    "fts5",
    "fts5_source_id",
    "readfile",
    "writefile",
    "edit",
    "zeroblob",
    "randomblob",
];
/// Most memory that SQLite may take in this process, in bytes.
const HEAP: i64 = 1 << 30;
/// Virtual-machine steps between two looks at the clock.
const STEPS: i32 = 1000;

/// Limits of a query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SqlLimits {
    /// Most rows.
    pub rows: usize,
    /// Most bytes of all values together.
    pub bytes: usize,
    /// Longest time.
    pub time: Duration,
}

impl Default for SqlLimits {
    fn default() -> Self {
        Self { rows: 1000, bytes: 16 << 20, time: Duration::from_secs(10) }
    }
}

/// What a query gave.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SqlAnswer {
    /// Names of the columns; the same name twice gets a number (`name`, `name_2`).
    pub columns: Vec<String>,
    /// Values by row, in the order of the columns.
    pub rows: Vec<Vec<Value>>,
    /// True if there is more than the limits let through.
    pub truncated: bool,
    /// True if time ran out: the rows are those that were found by then.
    pub timed_out: bool,
}

impl SqlAnswer {
    /// The rows as objects keyed by column.
    #[must_use]
    pub fn objects(&self) -> Vec<Map<String, Value>> {
        let object = |row: &Vec<Value>| self.columns.iter().cloned().zip(row.iter().cloned()).collect();
        self.rows.iter().map(object).collect()
    }
}

/// Runs one `SELECT` (or `VALUES`, or `WITH … SELECT`) over a database file.
///
/// Beside SQLite's own functions there is `fold(text)`: lower case in Unicode, for comparing names
/// (`WHERE fold(name) LIKE '%валют%'`); SQLite's `lower` and `LIKE` know Latin letters only.
///
/// # Errors
/// [`Error::Sql`] with a hint: what is refused, what is unknown and what was perhaps meant, which limit was reached.
pub fn select(path: &Path, sql: &str, limits: SqlLimits) -> Result<SqlAnswer> {
    let mut file = path.to_path_buf();
    for _ in 0..3 {
        match select_in(&file, sql, limits) {
            // A build removed this generation after the caller had opened it: the one that took its place answers.
            Err(_) if !file.exists() => match Location::of_generation(&file).and_then(|index| index.current().ok()?) {
                Some(current) => file = current,
                None => break,
            },
            answer => return answer,
        }
    }
    Err(Error::NoIndex { path: file })
}

fn select_in(path: &Path, sql: &str, limits: SqlLimits) -> Result<SqlAnswer> {
    let connection = guarded(path, limits.time)?;
    let fail = |error: rusqlite::Error| explain(sql, limits, &error);
    let mut statement = connection.prepare(sql).map_err(fail)?;
    if !statement.readonly() || statement.column_count() == 0 {
        return Err(refused("only SELECT is allowed here"));
    }
    let columns = distinct(statement.column_names());
    let mut answer = SqlAnswer { columns, rows: Vec::new(), truncated: false, timed_out: false };
    let mut bytes = 0;
    let mut rows = statement.query([]).map_err(fail)?;
    loop {
        let row = match rows.next() {
            Ok(Some(row)) => row,
            Ok(None) => break,
            // What was found so far is an answer; nothing at all is none.
            Err(error) if is_late(&error) && !answer.rows.is_empty() => {
                (answer.truncated, answer.timed_out) = (true, true);
                break;
            }
            Err(error) => return Err(fail(error)),
        };
        if answer.rows.len() == limits.rows {
            answer.truncated = true;
            break;
        }
        let mut values = Vec::with_capacity(answer.columns.len());
        for column in 0..answer.columns.len() {
            let (value, size) = json(row.get_ref(column).map_err(fail)?);
            bytes += size;
            values.push(value);
        }
        if bytes > limits.bytes {
            answer.truncated = true;
            break;
        }
        answer.rows.push(values);
    }
    Ok(answer)
}

/// Whether a query was stopped by the clock.
fn is_late(error: &rusqlite::Error) -> bool {
    error.sqlite_error_code() == Some(ErrorCode::OperationInterrupted)
}

fn guarded(path: &Path, time: Duration) -> Result<Connection> {
    let mut connection = open_read_only(path)?;
    connection.pragma_update(None, "trusted_schema", false)?;
    // A ceiling for the whole process: it can be set once and only ever falls.
    connection.pragma_update_and_check(None, "hard_heap_limit", HEAP, |_| Ok(()))?;
    for (limit, value) in [
        (Limit::SQLITE_LIMIT_ATTACHED, 0),
        (Limit::SQLITE_LIMIT_SQL_LENGTH, 20_000),
        (Limit::SQLITE_LIMIT_LENGTH, 4_000_000),
        (Limit::SQLITE_LIMIT_EXPR_DEPTH, 200),
        (Limit::SQLITE_LIMIT_COMPOUND_SELECT, 50),
        (Limit::SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1000),
    ] {
        connection.set_limit(limit, value)?;
    }
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC | FunctionFlags::SQLITE_INNOCUOUS;
    connection.create_scalar_function("fold", 1, flags, |context| {
        Ok(context.get::<Option<String>>(0)?.map(|text| bsl::fold(&text)))
    })?;
    connection.authorizer(Some(authorize))?;
    let end = Instant::now() + time;
    connection.progress_handler(STEPS, Some(move || Instant::now() > end))?;
    Ok(connection)
}

fn authorize(context: AuthContext<'_>) -> Authorization {
    match context.action {
        AuthAction::Select | AuthAction::Read { .. } | AuthAction::Recursive => Authorization::Allow,
        AuthAction::Function { function_name }
            if !FORBIDDEN.iter().any(|name| function_name.eq_ignore_ascii_case(name)) =>
        {
            Authorization::Allow
        }
        // The full-text table asks for it by itself.
        AuthAction::Pragma { pragma_name: "data_version", .. } => Authorization::Allow,
        _ => Authorization::Deny,
    }
}

fn refused(message: &str) -> Error {
    Error::Sql {
        message: message.to_owned(),
        hint: "write one SELECT over the views; `meta` and `sqlite_master` list them".to_owned(),
    }
}

pub(crate) fn json(value: ValueRef<'_>) -> (Value, usize) {
    match value {
        ValueRef::Null => (Value::Null, 4),
        ValueRef::Integer(number) => (number.into(), 8),
        ValueRef::Real(number) => (serde_json::Number::from_f64(number).map_or(Value::Null, Value::Number), 8),
        ValueRef::Text(text) => (String::from_utf8_lossy(text).into_owned().into(), text.len()),
        ValueRef::Blob(blob) => (format!("<{} bytes>", blob.len()).into(), 16),
    }
}

/// Names of columns, each once: an object can't hold a key twice.
fn distinct<'a>(names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for name in names {
        let mut unique = name.to_owned();
        let mut number = 2;
        while out.contains(&unique) {
            unique = format!("{name}_{number}");
            number += 1;
        }
        out.push(unique);
    }
    out
}

/// Words of a query that could be names.
fn identifiers(sql: &str) -> impl Iterator<Item = &str> {
    sql.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}

/// SQLite's error in words that help.
fn explain(sql: &str, limits: SqlLimits, error: &rusqlite::Error) -> Error {
    let (code, text) = match error {
        rusqlite::Error::SqliteFailure(failure, text) => {
            (Some(failure.code), text.clone().unwrap_or_else(|| failure.to_string()))
        }
        rusqlite::Error::SqlInputError { error, msg, .. } => (Some(error.code), msg.clone()),
        rusqlite::Error::MultipleStatement => return refused("more than one statement"),
        other => (None, other.to_string()),
    };
    let (message, hint) = match code {
        Some(ErrorCode::OperationInterrupted) => (
            format!("stopped after {} ms", limits.time.as_millis()),
            "narrow it down: a WHERE on full names uses an index, a join without a condition never ends".to_owned(),
        ),
        Some(ErrorCode::OutOfMemory) => ("it needs too much memory".to_owned(), "ask for less at once".to_owned()),
        Some(ErrorCode::TooBig) => ("a value or the query is too long".to_owned(), "ask for less at once".to_owned()),
        Some(ErrorCode::AuthorizationForStatementDenied) => {
            return refused(&format!("only reading is allowed here ({text})"));
        }
        _ => (text.clone(), hint_for(sql, &text)),
    };
    Error::Sql { message, hint }
}

fn hint_for(sql: &str, message: &str) -> String {
    let after = |start: &str| {
        message.split_once(start).map(|(_, name)| name.split([' ', '\n']).next().unwrap_or("").to_owned())
    };
    if let Some(table) = after("no such table: ") {
        return format!("did you mean {}?", near(&table, all_views().map(|view| view.name)).join(", "));
    }
    if let Some(column) = after("no such column: ") {
        let bare = column.rsplit('.').next().unwrap_or(&column).to_owned();
        let used: Vec<_> =
            all_views().filter(|view| identifiers(sql).any(|word| word.eq_ignore_ascii_case(view.name))).collect();
        let lists: Vec<String> =
            used.iter().map(|view| format!("{}({})", view.name, view.columns.join(", "))).collect();
        let columns = used.iter().flat_map(|view| view.columns.iter().copied());
        let nearest =
            near(&bare, columns).into_iter().next().map_or_else(String::new, |n| format!("did you mean {n}? "));
        return format!("{nearest}{}", lists.join("; "));
    }
    if message.contains("no such function: ") {
        return "SQLite's own functions, json_*, bm25 and fold(text) are there".to_owned();
    }
    String::new()
}

/// The names nearest to one, best first, at most three.
fn near<'a>(name: &str, among: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let wanted: Vec<char> = bsl::fold(name).chars().collect();
    let mut scored: Vec<(usize, &str)> = among
        .map(|candidate| {
            let chars: Vec<char> = candidate.chars().collect();
            (distance(&wanted, &chars, usize::MAX / 2).unwrap_or(usize::MAX), candidate)
        })
        .collect();
    scored.sort_unstable();
    scored.dedup();
    scored.into_iter().take(3).map(|(_, candidate)| candidate).collect()
}

#[cfg(test)]
mod tests;
