//! Reading an index: typed answers for the command line, the tools and the window.
//!
//! Everything is fast from process start: an answer reads the rows that it needs, nothing is loaded beforehand. An
//! [`Index`] belongs to one thread; another thread opens one of its own, which costs a millisecond.

mod absent;
mod access;
mod answer;
mod communities;
mod compact;
mod dead;
mod describe;
mod effective;
mod entries;
mod export;
mod file;
mod form;
mod graph;
mod grounds;
mod honest;
mod impact;
mod list;
mod look;
mod movements;
mod name;
mod naming;
mod notifications;
mod outline;
mod overview;
mod passport;
mod picture;
mod place;
mod references;
mod relations;
mod roots;
mod source;
mod stamps;
mod status;
mod tables;
mod tree;
mod trouble;
mod views;
mod walk;
mod world;

pub use absent::AbsentModule;
pub use access::{AccessRow, ConditionRow, RestrictionRow};
pub use answer::{Answer, Reason, State};
pub use dead::DeadMethod;
pub use describe::{Described, TemplateRow};
pub use effective::EffectiveStep;
pub use entries::Entry;
pub use export::for_each_edge;
pub use file::ProjectFile;
pub use form::{FormAttributeRow, FormCommandRow, FormItemRow, FormStructure};
pub(crate) use graph::{ALL_EDGES, RawEdge};
pub use graph::{EdgeRow, Walk};
pub use grounds::Grounds;
pub use impact::{Break, GroupCount, Impact, ImpactQuery, ImpactTarget, OrderStep};
pub use list::ObjectFilter;
pub use look::{CodePlace, Evidence, Inferred, InferredType, VariableFlow, VariablePlace};
pub use movements::MovementPlace;
pub use name::{Named, Resolution};
pub use naming::NamingPlace;
pub use notifications::{NotificationEnd, NotificationFilter, NotificationFlow};
pub use outline::{Arrival, MethodRow, ModuleOutline, RegionRow};
pub use overview::{Community, EntryCount, Hub, KindCount, ModuleSize, Overview, SubsystemNode};
pub use passport::{
    AttributeRow, FormRow, HandlerRow, MethodPassport, ObjectPassport, ObjectRow, ParamRow, RightRow, SubscriptionRow,
    TypeRow, types_text,
};
pub use picture::{PictureLine, PictureNode};
pub use place::Definition;
pub use references::{ReferenceQuery, ReferenceRow};
pub use relations::{Relation, RelationStep};
pub use roots::Roots;
pub use source::{SourceText, Sources};
pub use status::{LayerRow, ProblemRow, Status};
pub use tables::Tables;
pub use tree::{NodeKey, TreeNode};
pub use trouble::{ErrorPlace, MessageSource};
pub use views::ViewRow;

use crate::build::wal_of;
use crate::error::sqlite_no_room;
use crate::location::Location;
use crate::schema;
use crate::{Error, Result};
use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension};
use std::cell::RefCell;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// The number of a full name in the index. Numbers of different generations are not the same.
pub type NameId = u32;

/// An open index.
pub struct Index {
    pub(crate) connection: Connection,
    path: PathBuf,
    words: RefCell<HashMap<i64, Rc<str>>>,
    compact: compact::Compact,
}

impl Index {
    /// Opens the current generation of an index.
    ///
    /// # Errors
    /// [`Error::NoIndex`] if there is none; [`Error::Format`] if another version of the program wrote it.
    pub fn open(location: &Location) -> Result<Self> {
        // A build may remove the generation between the look at the pointer and the opening: look again then.
        for _ in 0..3 {
            let Some(path) = location.current()? else { break };
            match Self::open_file(&path) {
                Err(Error::Sqlite(_)) if !path.exists() => {}
                other => return other,
            }
        }
        Err(Error::NoIndex { path: location.pointer().to_path_buf() })
    }

    /// Opens one database file.
    ///
    /// # Errors
    /// [`Error::Format`] if it isn't an index of this version.
    pub fn open_file(path: &Path) -> Result<Self> {
        let connection = open_read_only(path)?;
        // All that is read of it is of one state, whatever an update does meanwhile.
        connection.execute_batch("BEGIN")?;
        let format = format_of(&connection)?;
        if format.as_deref() != Some(&schema::FORMAT.to_string()) {
            let found = format.unwrap_or_else(|| "unknown".to_owned());
            return Err(Error::Format { found, expected: schema::FORMAT });
        }
        let (words, compact) = (RefCell::default(), compact::Compact::default());
        Ok(Self { connection, path: path.to_path_buf(), words, compact })
    }

    /// The file that is read.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A value of the view `meta`.
    ///
    /// # Errors
    /// If the file can't be read.
    pub fn meta(&self, key: &str) -> Result<Option<String>> {
        let mut statement = self.connection.prepare_cached("SELECT value FROM meta WHERE key = ?1")?;
        Ok(statement.query_row([key], |row| row.get(0)).optional()?)
    }

    /// Everything in the view `meta`, by key.
    ///
    /// # Errors
    /// If the file can't be read.
    pub fn metas(&self) -> Result<Vec<(String, String)>> {
        let mut statement = self.connection.prepare_cached("SELECT key, value FROM meta ORDER BY key")?;
        let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// What tells this state of the index from every other one: a build makes a new file, an update counts itself.
    ///
    /// # Errors
    /// If the file can't be read.
    pub fn version(&self) -> Result<String> {
        let updates = self.meta("updates")?.unwrap_or_default();
        Ok(format!("{} {} {updates}", self.path.display(), self.meta("built_at")?.unwrap_or_default()))
    }

    /// The folder of the dump.
    ///
    /// # Errors
    /// If the file can't be read.
    pub fn root(&self) -> Result<PathBuf> {
        Ok(PathBuf::from(self.meta("root")?.unwrap_or_default()))
    }

    /// The word of a number in the short vocabulary.
    pub(crate) fn word(&self, id: i64) -> Result<Rc<str>> {
        if let Some(word) = self.words.borrow().get(&id) {
            return Ok(Rc::clone(word));
        }
        let mut statement = self.connection.prepare_cached("SELECT word FROM words WHERE id = ?1")?;
        let word: Option<String> = statement.query_row([id], |row| row.get(0)).optional()?;
        let word: Rc<str> = word.unwrap_or_default().into();
        self.words.borrow_mut().insert(id, Rc::clone(&word));
        Ok(word)
    }

    /// The full name of a number; empty for one that is not in this index.
    ///
    /// # Errors
    /// If the file can't be read.
    pub fn full_name(&self, id: NameId) -> Result<String> {
        let mut statement = self.connection.prepare_cached("SELECT name FROM names WHERE id = ?1")?;
        Ok(statement.query_row([id], |row| row.get(0)).optional()?.unwrap_or_default())
    }

    /// The path of a file of the dump, relative to its root; empty for an unknown number.
    pub(crate) fn file(&self, id: u32) -> Result<String> {
        let mut statement = self.connection.prepare_cached("SELECT path FROM file WHERE id = ?1")?;
        Ok(statement.query_row([id], |row| row.get(0)).optional()?.unwrap_or_default())
    }

    /// Runs a query of ours and reads its rows.
    pub(crate) fn rows<T>(
        &self,
        sql: &str,
        params: impl rusqlite::Params,
        read: impl FnMut(&rusqlite::Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>> {
        rows(&self.connection, sql, params, read)
    }
}

/// Runs a query of ours and reads its rows.
fn rows<T>(
    connection: &Connection,
    sql: &str,
    params: impl rusqlite::Params,
    read: impl FnMut(&rusqlite::Row<'_>) -> rusqlite::Result<T>,
) -> Result<Vec<T>> {
    let mut statement = connection.prepare_cached(sql)?;
    let rows = statement.query_map(params, read)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// A count. SQLite knows signed numbers only; a negative count can't be.
pub(crate) fn count(row: &rusqlite::Row<'_>, column: usize) -> rusqlite::Result<u64> {
    Ok(u64::try_from(row.get::<_, i64>(column)?).unwrap_or(0))
}

/// The format version of a file; None if it is no index of ours.
pub(crate) fn format_of(connection: &Connection) -> Result<Option<String>> {
    let application: i32 = connection.pragma_query_value(None, "application_id", |row| row.get(0))?;
    if application != schema::APPLICATION_ID {
        return Ok(None);
    }
    let version: u32 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    Ok(Some(version.to_string()))
}

/// Opens a file for reading only.
pub(crate) fn open_read_only(path: &Path) -> Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(BUSY)?;
    // Readers of a file that changes need a small file beside it. Where none can be made, nothing changes the index either.
    if let Err(error) = connection.pragma_query_value(None, "schema_version", |_| Ok(()))
        && (matches!(error.sqlite_error_code(), Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly))
            || sqlite_no_room(&error))
    {
        drop(connection);
        connection = open_alone(path)?;
    }
    connection.pragma_update(None, "query_only", true)?;
    connection.pragma_update(None, "mmap_size", 512 << 20)?;
    connection.set_prepared_statement_cache_capacity(128);
    Ok(connection)
}

/// How long a reader waits for a writer that keeps it out.
const BUSY: std::time::Duration = std::time::Duration::from_secs(5);

/// Opens a file without the small file that readers share.
fn open_alone(path: &Path) -> Result<Connection> {
    let has_log = std::fs::metadata(wal_of(path)).is_ok_and(|log| log.len() > 0);
    if !has_log {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_URI;
        return Ok(Connection::open_with_flags(immutable(path), flags)?);
    }
    // What stands in the log belongs to the index: who holds the file alone can read it with a table of its own memory.
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(BUSY)?;
    connection.pragma_update(None, "locking_mode", "EXCLUSIVE")?;
    Ok(connection)
}

/// The URI of a file that nobody changes.
fn immutable(path: &Path) -> String {
    let mut path = path.to_string_lossy().into_owned();
    if cfg!(windows) {
        path = format!("/{}", path.replace('\\', "/"));
    }
    let path = path.replace('%', "%25").replace('?', "%3f").replace('#', "%23");
    format!("file:{path}?immutable=1")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_nobody_changes_is_opened_by_any_name() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("а?b#c%20.db");
        Connection::open(&path).unwrap().execute_batch("CREATE TABLE t (a)").unwrap();
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
        let connection = Connection::open_with_flags(immutable(&path), flags).unwrap();
        assert!(connection.table_exists(None, "t").unwrap());
    }
}
