//! Rows of modules, taken out of an index and put in anew: all in the one transaction of an update.

use super::code::Derived;
use super::files::Changes;
use super::insert::{EdgeRows, document, insert};
use super::names::Name;
use super::now;
use super::numbers::Filled;
use super::rows::{Cell, Rows, Table};
use crate::schema::counted_views;
use crate::text::Document;
use crate::{Error, Result};
use metadata::SourceFolder;
use rusqlite::{Connection, OpenFlags, OptionalExtension, params};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::path::Path;

const PRAGMAS: &str = "\
    PRAGMA synchronous = NORMAL;
    PRAGMA cache_size = -48000;
    PRAGMA mmap_size = 536870912;
    PRAGMA temp_store = MEMORY;";
/// What a module's rows are taken out by: its methods and its body, the module itself, its file.
const GONE: &str = "\
    CREATE TEMP TABLE gone (id INTEGER PRIMARY KEY);
    CREATE TEMP TABLE gone_module (id INTEGER PRIMARY KEY);
    CREATE TEMP TABLE gone_file (id INTEGER PRIMARY KEY);";
/// Texts that rows refer to.
const TEXTS: &str = "\
    SELECT id, text FROM texts WHERE id IN (
      SELECT params FROM method WHERE id IN gone UNION SELECT returns FROM method WHERE id IN gone
      UNION SELECT doc FROM method WHERE id IN gone UNION SELECT value FROM string WHERE method IN gone
      UNION SELECT text FROM query WHERE owner IN gone)";
/// Everything that was derived from modules, their edges aside: the view that counts it, and how it is taken out.
const TAKE_OUT: [(&str, &str); 13] = [
    ("", "DELETE FROM module_input WHERE file IN gone_file"),
    ("", "DELETE FROM method_type WHERE method IN gone"),
    ("strings", "DELETE FROM string WHERE method IN gone"),
    ("", "DELETE FROM string_name WHERE method IN gone"),
    ("queries", "DELETE FROM query WHERE owner IN gone"),
    ("query_tables", "DELETE FROM query_table WHERE owner IN gone"),
    ("query_fields", "DELETE FROM query_field WHERE owner IN gone"),
    ("refs", "DELETE FROM reference WHERE file IN gone_file"),
    ("methods", "DELETE FROM method WHERE module IN gone_module"),
    ("", "DELETE FROM condition WHERE module IN gone_module"),
    ("", "DELETE FROM facts WHERE module IN gone_module"),
    ("", "DELETE FROM module_words WHERE module IN gone_module"),
    ("", "DELETE FROM module WHERE id IN gone_module"),
];
/// Where methods and bodies compile.
const CONTEXTS: &str = "\
    SELECT id, contexts FROM method WHERE id IN gone
    UNION ALL SELECT body, contexts FROM module WHERE body IN gone";
/// A module as it stands in an index.
#[derive(Debug, Clone)]
pub(crate) struct Stored {
    pub id: u32,
    body: Option<u32>,
    pub bytes: usize,
    pub hash: i64,
    /// Number and full name of each method.
    pub methods: Vec<(u32, String)>,
}

/// An index that is being changed. Dropped before [`commit`](Self::commit), it stays as it was.
pub(crate) struct Store {
    pub connection: Connection,
    /// By view: rows that were put in, less those that were taken out.
    counts: RefCell<FxHashMap<&'static str, i64>>,
}

impl Store {
    /// Opens an index and begins the transaction.
    pub fn open(file: &Path) -> Result<Self> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(file, flags)?;
        connection.busy_timeout(std::time::Duration::from_secs(5))?;
        connection.set_prepared_statement_cache_capacity(128);
        connection.execute_batch(PRAGMAS)?;
        connection.pragma_update_and_check(None, "journal_mode", "WAL", |_| Ok(()))?;
        connection.execute_batch("BEGIN IMMEDIATE")?;
        connection.execute_batch(GONE)?;
        Ok(Self { connection, counts: RefCell::default() })
    }

    /// The module of a file.
    pub fn module_of(&self, file: u32) -> Result<Option<Stored>> {
        let mut statement = self.connection.prepare_cached(
            "SELECT m.id, m.body, m.bytes, f.text_hash FROM module m JOIN facts f ON f.module = m.id WHERE m.file = ?1",
        )?;
        let read = |row: &rusqlite::Row<'_>| {
            let bytes = usize::try_from(row.get::<_, i64>(2)?).unwrap_or(0);
            Ok(Stored { id: row.get(0)?, body: row.get(1)?, bytes, hash: row.get(3)?, methods: Vec::new() })
        };
        let Some(mut stored) = statement.query_row([file], read).optional()? else { return Ok(None) };
        let mut statement = self
            .connection
            .prepare_cached("SELECT m.id, n.name FROM method m JOIN names n ON n.id = m.id WHERE m.module = ?1")?;
        let methods = statement.query_map([stored.id], |row| Ok((row.get(0)?, row.get(1)?)))?;
        stored.methods = methods.collect::<rusqlite::Result<_>>()?;
        Ok(Some(stored))
    }

    /// The packed facts of a module.
    pub fn facts(&self, module: u32) -> Result<Vec<u8>> {
        let mut statement = self.connection.prepare_cached("SELECT facts FROM facts WHERE module = ?1")?;
        Ok(statement.query_row([module], |row| row.get(0))?)
    }

    /// Files of the modules that asked for any of this when they were derived.
    pub fn readers(&self, changed: &[u32]) -> Result<Vec<u32>> {
        let mut statement = self.connection.prepare("SELECT file, reads FROM module_input")?;
        let mut rows = statement.query([])?;
        let mut found = Vec::new();
        while let Some(row) = rows.next()? {
            if graph::Reads::bytes_meet(row.get_ref(1)?.as_blob().unwrap_or(&[]), changed) {
                found.push(row.get(0)?);
            }
        }
        Ok(found)
    }

    /// Whether metadata names a method as a handler.
    pub fn is_named_in_metadata(&self, method: u32) -> Result<bool> {
        let mut statement = self.connection.prepare_cached(
            "SELECT 1 FROM subscription WHERE handler = ?1 UNION ALL SELECT 1 FROM job WHERE method = ?1 LIMIT 1",
        )?;
        Ok(statement.exists([method])?)
    }

    /// The summary of the module of a file, packed.
    pub fn summary(&self, file: u32) -> Result<Vec<u8>> {
        let sql = "SELECT summary FROM module_input WHERE file = ?1";
        Ok(self.connection.prepare_cached(sql)?.query_row([file], |row| row.get(0))?)
    }

    /// Files of modules that could not be read.
    pub fn unread_modules(&self) -> Result<Vec<String>> {
        let sql = "SELECT file FROM problem WHERE kind IN ('code', ?1) AND line = 0";
        self.rows(sql, [super::PROTECTED], |row| row.get(0))
    }

    /// Whether some text of a file could not be read when it was indexed.
    pub fn was_unread(&self, path: &str) -> Result<bool> {
        let mut statement = self
            .connection
            .prepare_cached("SELECT 1 FROM problem WHERE file = ?1 AND kind IN ('code', ?2) AND line = 0")?;
        Ok(statement.exists([path, super::PROTECTED])?)
    }

    /// Takes out what was derived from the modules of files, those that stand there, their edges aside. Notes the texts that it
    /// referred to; gives where methods and bodies compiled.
    pub fn take_out(
        &self,
        modules: &[(u32, Option<&Stored>)],
        numbers: &mut Filled<'_>,
    ) -> Result<FxHashMap<u32, i64>> {
        let mut gone = self.connection.prepare("INSERT INTO gone VALUES (?1)")?;
        let mut gone_module = self.connection.prepare("INSERT INTO gone_module VALUES (?1)")?;
        let mut gone_file = self.connection.prepare("INSERT INTO gone_file VALUES (?1)")?;
        for (file, stored) in modules {
            gone_file.execute([file])?;
            let Some(stored) = stored else { continue };
            for id in stored.methods.iter().map(|(id, _)| *id).chain(stored.body) {
                gone.execute([id])?;
            }
            gone_module.execute([stored.id])?;
        }
        numbers.know_texts(&self.connection, TEXTS)?;
        let contexts = self.contexts()?;
        for (view, sql) in TAKE_OUT {
            let rows = self.connection.execute(sql, [])?;
            self.count(view, -(rows as i64));
        }
        Ok(contexts)
    }

    /// Where what is replaced compiles.
    pub fn contexts(&self) -> Result<FxHashMap<u32, i64>> {
        let mut statement = self.connection.prepare(CONTEXTS)?;
        Ok(statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect::<rusqlite::Result<_>>()?)
    }

    /// Puts rows of a module in; its edges are gathered.
    pub fn put_in(&self, derived: Derived, numbers: &mut Filled<'_>, edges: &mut EdgeRows) -> Result<()> {
        for rows in &derived.rows {
            insert(&self.connection, numbers, rows)?;
            self.count(view_of(rows.table), rows.len() as i64);
        }
        edges.add(&self.connection, numbers, &derived.edges)
    }

    fn count(&self, view: &'static str, rows: i64) {
        if !view.is_empty() {
            *self.counts.borrow_mut().entry(view).or_default() += rows;
        }
    }

    /// Takes out the full text of a module's methods.
    pub fn take_out_texts(&self, stored: &Stored) -> Result<()> {
        let mut find = self.connection.prepare_cached("SELECT id FROM doc WHERE name = ?1 AND NOT is_object")?;
        for (method, _) in &stored.methods {
            let docs: Vec<i64> = find.query_map([method], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
            docs.into_iter().try_for_each(|doc| self.take_out_text(doc))?;
        }
        Ok(())
    }

    /// Puts the full text of a module's methods in.
    pub fn put_texts(&self, methods: &[u32], texts: &[Document], numbers: &mut Filled<'_>) -> Result<()> {
        let mut docs = Rows::new(Table::Doc);
        for ((id, node), text) in (self.last_text()? + 1..).zip(methods).zip(texts) {
            document(&self.connection, id, text)?;
            docs.push([Cell::Int(id), Cell::Node(*node), false.into(), Cell::Null]);
        }
        insert(&self.connection, numbers, &docs)
    }

    /// Makes the full text of objects what it is now.
    pub fn put_objects(&self, texts: &[(Name, Document)], numbers: &mut Filled<'_>) -> Result<()> {
        use super::numbers::Numbers;
        let known = self.rows("SELECT name, id, hash FROM doc WHERE is_object", [], |row| {
            Ok((row.get(0)?, (row.get(1)?, row.get(2)?)))
        })?;
        let mut known: FxHashMap<u32, (i64, i64)> = known.into_iter().collect();
        let mut docs = Rows::new(Table::Doc);
        let mut next = self.last_text()? + 1;
        for (name, text) in texts {
            let (id, hash) = (numbers.name(&self.connection, name.0)?, text.hash());
            match known.remove(&id) {
                Some((_, same)) if same == hash => continue,
                Some((other, _)) => self.take_out_text(other)?,
                None => {}
            }
            document(&self.connection, next, text)?;
            docs.push([Cell::Int(next), (*name).into(), true.into(), Cell::Int(hash)]);
            next += 1;
        }
        known.into_values().try_for_each(|(gone, _)| self.take_out_text(gone))?;
        insert(&self.connection, numbers, &docs)
    }

    fn take_out_text(&self, doc: i64) -> Result<()> {
        self.connection.prepare_cached("DELETE FROM fulltext WHERE rowid = ?1")?.execute([doc])?;
        self.connection.prepare_cached("DELETE FROM doc WHERE id = ?1")?.execute([doc])?;
        Ok(())
    }

    fn last_text(&self) -> Result<i64> {
        Ok(self.connection.query_row("SELECT coalesce(max(id), 0) FROM doc", [], |row| row.get(0))?)
    }

    /// Marks names that no method bears any more: they stay, so that numbers keep their meaning.
    pub fn forget_names(&self, stored: &Stored) -> Result<()> {
        let mut forget = self.connection.prepare_cached(
            "UPDATE names SET ghost = 1 WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM method WHERE method.id = ?1)",
        )?;
        for (method, _) in &stored.methods {
            forget.execute([method])?;
        }
        Ok(())
    }

    /// Replaces the problems of one sort of a file; of all files for None.
    pub fn put_problems(
        &self,
        file: Option<&str>,
        kind: &str,
        problems: &Rows,
        numbers: &mut Filled<'_>,
    ) -> Result<()> {
        let mut drop_old =
            self.connection.prepare_cached("DELETE FROM problem WHERE kind = ?1 AND (?2 IS NULL OR file = ?2)")?;
        drop_old.execute(params![kind, file])?;
        insert(&self.connection, numbers, problems)
    }

    /// Runs a query of ours and reads its rows.
    pub fn rows<T>(
        &self,
        sql: &str,
        params: impl rusqlite::Params,
        read: impl FnMut(&rusqlite::Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>> {
        let mut statement = self.connection.prepare_cached(sql)?;
        Ok(statement.query_map(params, read)?.collect::<rusqlite::Result<_>>()?)
    }

    /// Notes files as they are now.
    pub fn put_files(&self, changes: &Changes) -> Result<()> {
        let mut statement = self.connection.prepare("UPDATE file SET size = ?2, modified = ?3 WHERE id = ?1")?;
        for id in &changes.changed {
            if let Some(file) = changes.files.get(*id as usize) {
                statement.execute(params![id, i64::try_from(file.size).unwrap_or(i64::MAX), file.modified])?;
            }
        }
        let (changed, gone) = &changes.folders;
        let mut forget = self.connection.prepare("DELETE FROM folder WHERE path = ?1")?;
        gone.iter().try_for_each(|path| forget.execute([path]).map(drop))?;
        put_folders(&self.connection, changed)
    }

    /// Counts the rows of every view but those that are counted as they change.
    pub fn count_again(&self) -> Result<()> {
        let mut put = self.connection.prepare("INSERT OR REPLACE INTO meta VALUES (?1, ?2)")?;
        for view in counted_views().filter(|view| *view != "edges") {
            let rows: i64 = self.connection.query_row(&format!("SELECT count(*) FROM {view}"), [], |row| row.get(0))?;
            put.execute(params![format!("count_{view}"), rows.to_string()])?;
        }
        self.counts.borrow_mut().clear();
        Ok(())
    }

    /// Writes values of `meta`.
    pub fn put_meta<'a>(&self, values: impl IntoIterator<Item = (&'a str, String)>) -> Result<()> {
        let mut put = self.connection.prepare("INSERT OR REPLACE INTO meta VALUES (?1, ?2)")?;
        for (key, value) in values {
            put.execute([key, &value])?;
        }
        Ok(())
    }

    /// Writes what is counted.
    pub fn put_counts(&self, edges: u64) -> Result<()> {
        let mut put = self.connection.prepare("INSERT OR REPLACE INTO meta VALUES (?1, ?2)")?;
        put.execute(["count_edges", &edges.to_string()])?;
        let problems = self.connection.query_row("SELECT count(*) FROM problem", [], |row| row.get::<_, i64>(0))?;
        put.execute(["problems", &problems.to_string()])?;
        let mut add = self
            .connection
            .prepare("UPDATE meta SET value = CAST(value AS INTEGER) + ?2 WHERE key = 'count_' || ?1")?;
        for (view, rows) in self.counts.borrow().iter() {
            add.execute(params![view, rows])?;
        }
        Ok(())
    }

    /// Makes it all the state that readers see from now on.
    pub fn commit(self) -> Result<()> {
        let mut put = self.connection.prepare("INSERT OR REPLACE INTO meta VALUES (?1, ?2)")?;
        put.execute(["built_at", &now().as_secs().to_string()])?;
        drop(put);
        self.connection.execute_batch(
            "INSERT INTO meta VALUES ('updates', '1') ON CONFLICT (key) DO UPDATE SET value = CAST(value AS INTEGER) + 1;
             COMMIT",
        )?;
        // Without readers this takes the log into the file.
        self.connection.close().map_err(|(_, error)| Error::from(error))
    }
}

/// Notes the times of folders.
pub(crate) fn put_folders(connection: &Connection, folders: &[SourceFolder]) -> Result<()> {
    let mut statement = connection.prepare("INSERT OR REPLACE INTO folder VALUES (?1, ?2)")?;
    folders.iter().try_for_each(|folder| statement.execute(params![&*folder.path, folder.changed]).map(drop))?;
    Ok(())
}

/// The view that counts the rows of a table; empty for none, or if updates don't change their number.
fn view_of(table: Table) -> &'static str {
    match table {
        Table::Method => "methods",
        Table::Strings => "strings",
        Table::Query => "queries",
        Table::QueryTables => "query_tables",
        Table::QueryFields => "query_fields",
        Table::Reference => "refs",
        _ => "",
    }
}
