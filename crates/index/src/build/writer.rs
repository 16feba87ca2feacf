//! The one writer of a whole build: one connection, one transaction, rows in the order they come.

use super::code::Derived;
use super::full::Made;
use super::input::{self, METADATA_EDGES};
use super::insert::{EdgeRows, document, insert};
use super::names::{Name, NameRow};
use super::numbers::{CONFIDENCES, Fresh, Numbers};
use super::replace::put_folders;
use super::rows::{Cell, Rows, Table};
use super::sources::Sources;
use super::{fixed_meta, now, overrides};
use crate::read::ProblemRow;
use crate::schema;
use crate::text::Document;
use crate::{Error, Result};
use graph::{DynamicSite, Edges, Fingerprint};
use metadata::{Language, SourceError, SourceFolder};
use rusqlite::{Connection, params};
use rustc_hash::FxHashMap;
use std::path::{Path, PathBuf};

/// Settings for filling a file that nobody reads yet: a crash costs the file, which is not published then.
const PRAGMAS: &str = "\
    PRAGMA page_size = 8192;
    PRAGMA journal_mode = OFF;
    PRAGMA synchronous = OFF;
    PRAGMA locking_mode = EXCLUSIVE;
    PRAGMA cache_size = -48000;
    PRAGMA temp_store = MEMORY;
    PRAGMA threads = 2;";
/// Bytes that the full-text table gathers before it writes a segment.
const FULLTEXT_BUFFER: i64 = 48 << 20;

/// What readers send.
pub(crate) enum Message {
    /// Rows of tables.
    Rows(Vec<Rows>),
    /// Full text of a module's methods, in source order.
    Texts { module: usize, texts: Vec<Document> },
    /// Full text of objects, by number.
    Objects(Vec<(Name, Document)>),
    /// All names.
    Names(Vec<NameRow>),
    /// Edges from metadata, and the keys of what they link.
    Edges(Edges, FxHashMap<u32, i64>),
    /// A module's rows and edges.
    Module(Derived),
    /// Something that updates start from.
    Input(&'static str, Vec<u8>),
    /// What the world answers, as hashes.
    Fingerprint(Fingerprint),
    /// The folders of the first layer.
    Folders(Vec<SourceFolder>),
}

pub(crate) struct Writer {
    connection: Connection,
    path: PathBuf,
    numbers: Fresh,
    /// Number of the first full-text row of each module.
    bases: FxHashMap<usize, i64>,
    next_doc: i64,
    /// Kept until the end: sorted, they fill their tables from left to right.
    edges: EdgeRows,
}

impl Writer {
    pub fn create(path: &Path) -> Result<Self> {
        // The log of a file of the same name that is gone would be taken for this one's.
        for suffix in ["-journal", "-wal", "-shm"] {
            let mut other = path.to_path_buf().into_os_string();
            other.push(suffix);
            let _ = std::fs::remove_file(PathBuf::from(other));
        }
        let connection = Connection::open(path)?;
        connection.execute_batch(PRAGMAS)?;
        connection.set_prepared_statement_cache_capacity(128);
        connection.execute_batch("BEGIN")?;
        schema::create(&connection)?;
        connection.execute("INSERT INTO fulltext (fulltext, rank) VALUES ('hashsize', ?1)", [FULLTEXT_BUFFER])?;
        connection.execute_batch("INSERT INTO fulltext (fulltext, rank) VALUES ('automerge', 0)")?;
        let mut numbers = Fresh::default();
        for confidence in CONFIDENCES {
            numbers.word(&connection, confidence.as_str())?;
        }
        Ok(Self {
            connection,
            path: path.to_path_buf(),
            numbers,
            bases: FxHashMap::default(),
            next_doc: 1,
            edges: EdgeRows::default(),
        })
    }

    pub fn take(&mut self, message: Message) -> Result<()> {
        match message {
            Message::Rows(rows) => rows.iter().try_for_each(|rows| self.insert(rows)),
            Message::Texts { module, texts } => {
                self.bases.insert(module, self.next_doc);
                texts.iter().try_for_each(|text| self.document(text).map(drop))
            }
            Message::Objects(objects) => {
                let mut docs = Rows::new(Table::Doc);
                for (name, text) in &objects {
                    let doc = self.document(text)?;
                    docs.push([Cell::Int(doc), (*name).into(), true.into(), Cell::Int(text.hash())]);
                }
                self.insert(&docs)
            }
            Message::Names(names) => {
                let mut statement = self.connection.prepare_cached("INSERT INTO names VALUES (?1, ?2, ?3, ?4, ?5)")?;
                for row in &names {
                    statement.execute(params![row.id, row.name, row.key, row.trigrams, row.ghost])?;
                }
                Ok(())
            }
            Message::Edges(mut edges, keys) => {
                let key = |node| keys.get(&node).copied().unwrap_or(0);
                let rows = input::keyed(&self.connection, &mut self.numbers, &edges, key)?;
                input::write(&self.connection, METADATA_EDGES, &input::pack_edges(&rows)?)?;
                edges.dynamic.sort_unstable_by(|a, b| order(a).cmp(&order(b)));
                edges.dynamic.dedup();
                self.edges.add(&self.connection, &mut self.numbers, &edges)
            }
            Message::Input(name, data) => input::write(&self.connection, name, &data),
            Message::Folders(folders) => put_folders(&self.connection, &folders),
            Message::Fingerprint(new) => input::put_fingerprint(&self.connection, &new).map(drop),
            Message::Module(Derived { number, methods, rows, edges, .. }) => {
                rows.iter().try_for_each(|rows| self.insert(rows))?;
                let base = self.bases.get(&number).copied().unwrap_or(0);
                let mut docs = Rows::new(Table::Doc);
                for (doc, node) in (base..).zip(methods) {
                    docs.push([Cell::Int(doc), Cell::Node(node), false.into(), Cell::Null]);
                }
                self.insert(&docs)?;
                self.edges.add(&self.connection, &mut self.numbers, &edges)
            }
        }
    }

    /// Adds a full-text row and gives its number.
    fn document(&mut self, text: &Document) -> Result<i64> {
        let id = self.next_doc;
        self.next_doc += 1;
        document(&self.connection, id, text)?;
        Ok(id)
    }

    fn insert(&mut self, rows: &Rows) -> Result<()> {
        insert(&self.connection, &mut self.numbers, rows)
    }

    /// Writes what was kept, makes the indexes, and closes the file.
    pub fn finish(mut self, sources: &Sources, made: &Made) -> Result<()> {
        self.edges.sort();
        self.edges.write(&self.connection)?;
        self.edges = EdgeRows::default();
        self.write_problems(made)?;
        overrides::write_problems(&self.connection)?;
        self.write_meta(sources, made)?;
        let Self { connection, path, .. } = self;
        schema::create_indexes(&connection)?;
        super::compact::write(&connection)?;
        connection.execute_batch("COMMIT")?;
        // From now on it changes beside its readers, in transactions.
        connection.execute_batch("PRAGMA locking_mode = NORMAL")?;
        connection.pragma_update_and_check(None, "journal_mode", "WAL", |_| Ok(()))?;
        connection.close().map_err(|(_, error)| error)?;
        std::fs::File::open(&path).and_then(|file| file.sync_all()).map_err(Error::io(&path))
    }

    fn write_problems(&mut self, made: &Made) -> Result<()> {
        let settings = made.settings_problems.iter().cloned();
        let code = made.code_problems.iter().cloned();
        let rows = problem_rows(code.chain(settings));
        self.insert(&rows)
    }

    fn write_meta(&mut self, sources: &Sources, made: &Made) -> Result<()> {
        let count = |sql: &str| self.connection.query_row(sql, [], |row| row.get::<_, i64>(0));
        let mut meta: Vec<(String, String)> = made.meta.clone();
        meta.extend(fixed_meta().map(|(key, value)| (key.to_owned(), value)));
        for view in schema::counted_views() {
            let rows = count(&format!("SELECT count(*) FROM {view}"))?;
            meta.push((format!("count_{view}"), rows.to_string()));
        }
        let unfilled = schema::unfilled_channels(graph::channels::all().iter().map(|rule| rule.channel().0));
        for (key, value) in [
            ("root", sources.root().to_string_lossy().into_owned()),
            ("unread_files", made.unread_files.to_string()),
            ("problems", count("SELECT count(*) FROM problem")?.to_string()),
            ("unfilled_channels", unfilled.join(" ")),
            ("built_at", now().as_secs().to_string()),
        ] {
            meta.push((key.to_owned(), value));
        }
        meta.push(sources.meta());
        let mut statement = self.connection.prepare("INSERT OR REPLACE INTO meta VALUES (?1, ?2)")?;
        for (key, value) in meta {
            statement.execute([key, value])?;
        }
        Ok(())
    }
}

/// What open places are sorted by.
fn order(site: &DynamicSite) -> (u32, u32, &str, &str, u32) {
    (site.node, site.line, site.kind, &site.known, site.file)
}

/// A problem of a module.
pub(crate) fn code_problem(path: &str, line: u32, message: String) -> ProblemRow {
    let (file, kind) = (path.to_owned(), "code".to_owned());
    ProblemRow { file, line, kind, message_ru: message.clone(), message_en: message }
}

/// The problem of a module that has no text.
pub(crate) fn unread_problem(path: &str, error: &SourceError) -> ProblemRow {
    let kind = if matches!(error, SourceError::Protected) { super::PROTECTED } else { "code" };
    let (message_ru, message_en) = (error.message(Language::Russian), error.message(Language::English));
    ProblemRow { file: path.to_owned(), line: 0, kind: kind.to_owned(), message_ru, message_en }
}

/// Rows of problems.
pub(crate) fn problem_rows(problems: impl Iterator<Item = ProblemRow>) -> Rows {
    let mut rows = Rows::new(Table::Problem);
    for ProblemRow { file, line, kind, message_ru, message_en } in problems {
        let text = Cell::Text;
        rows.push([text(file), line.into(), text(kind), text(message_ru), text(message_en)]);
    }
    rows
}
