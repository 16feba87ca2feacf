//! A record of each call.

use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use serde::Serialize;

use crate::tool::Class;

/// What was called, by whom, and what it gave.
#[derive(Clone, Debug, Serialize)]
pub struct AuditRecord {
    /// Milliseconds since 1970.
    pub at: u64,
    /// Front end: `agent`, `cli`, `window`, `mcp` …
    pub caller: &'static str,
    /// The tool as it was called.
    pub tool: String,
    /// Its class; `None` for an unknown tool.
    pub class: Option<Class>,
    /// Arguments as JSON, cut to 2,000 characters.
    pub arguments: String,
    /// Code of the error, if it failed.
    pub error: Option<&'static str>,
    /// Length of the result in characters.
    pub characters: usize,
    /// Entries and lines left out for the ceiling.
    pub omitted: usize,
    /// Milliseconds it took.
    pub took: u64,
}

/// Takes records.
pub trait Audit: Send + Sync {
    /// Takes one. Must not fail: what can't be written is lost, the call is not.
    fn record(&self, record: &AuditRecord);
}

/// Keeps no records.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoAudit;

impl Audit for NoAudit {
    fn record(&self, _record: &AuditRecord) {}
}

/// Keeps records in memory, for tests and for a window that shows them.
#[derive(Debug, Default)]
pub struct MemoryAudit(Mutex<Vec<AuditRecord>>);

impl MemoryAudit {
    /// The records so far.
    pub fn records(&self) -> Vec<AuditRecord> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Audit for MemoryAudit {
    fn record(&self, record: &AuditRecord) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(record.clone());
    }
}

/// Appends records to a file, one JSON value a line.
#[derive(Debug)]
pub struct FileAudit(Mutex<File>);

impl FileAudit {
    /// Opens the file, or makes it.
    ///
    /// # Errors
    /// If it can't be written.
    pub fn open(path: &Path) -> std::io::Result<Self> {
        Ok(Self(Mutex::new(File::options().create(true).append(true).open(path)?)))
    }
}

/// Appends one JSON value to a file as a line, and makes the file if there is none.
///
/// # Errors
/// If it can't be written.
pub fn append(path: &Path, value: &impl Serialize) -> std::io::Result<()> {
    let line = serde_json::to_string(value)?;
    File::options().create(true).append(true).open(path)?.write_all(format!("{line}\n").as_bytes())
}

impl Audit for FileAudit {
    fn record(&self, record: &AuditRecord) {
        if let Ok(line) = serde_json::to_string(record) {
            // One write a record: lines of several processes don't mix.
            let _ = self.0.lock().unwrap_or_else(PoisonError::into_inner).write_all(format!("{line}\n").as_bytes());
        }
    }
}

impl AuditRecord {
    pub(crate) fn new(caller: &'static str, tool: &str, class: Option<Class>, arguments: &str) -> Self {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        Self {
            at: milliseconds(now),
            caller,
            tool: tool.chars().take(100).collect(),
            class,
            arguments: arguments.chars().take(2000).collect(),
            error: None,
            characters: 0,
            omitted: 0,
            took: 0,
        }
    }
}

pub(crate) fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
