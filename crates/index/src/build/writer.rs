//! The one writer: one connection, one transaction, rows in the order they come.

use super::code::dynamic_rows;
use super::names::NameRow;
use super::rows::{Cell, Rows, Table};
use super::{Made, fixed_meta, now};
use crate::read::{ProblemRow, RawEdge};
use crate::schema::{self, VIEWS};
use crate::text::Document;
use crate::{Error, Result};
use graph::{Channel, Confidence, Edges, Side};
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
    Objects(Vec<(u32, Document)>),
    /// All names.
    Names(Vec<NameRow>),
    /// Edges from metadata.
    Edges(Edges),
    /// A module's rows and edges; `methods` are the numbers of its methods in source order.
    Module { number: usize, methods: Vec<u32>, rows: Vec<Rows>, edges: Edges },
}

/// Confidences by their numbers, which start at 1: the surest first, so that the larger of two is the weaker.
const CONFIDENCES: [Confidence; 5] =
    [Confidence::Exact, Confidence::Typed, Confidence::String, Confidence::Convention, Confidence::Candidate];

fn confidence_id(confidence: Confidence) -> i64 {
    CONFIDENCES.iter().position(|&known| known == confidence).map_or(5, |place| place as i64 + 1)
}

pub(crate) struct Writer {
    connection: Connection,
    path: PathBuf,
    interner: Interner,
    channels: FxHashMap<Channel, i64>,
    /// Number of the first full-text row of each module.
    bases: FxHashMap<usize, i64>,
    next_doc: i64,
    edges: Vec<RawEdge>,
    halves: Vec<HalfRow>,
}

#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct HalfRow {
    channel: i64,
    hub: String,
    side: i64,
    node: u32,
    line: u32,
    file: u32,
    confidence: i64,
}

/// Words and texts that have a number.
#[derive(Default)]
struct Interner {
    words: FxHashMap<Box<str>, i64>,
    /// By hash: the texts themselves are in the file, a second copy of them all would not fit the memory bound.
    texts: FxHashMap<u64, i64>,
}

impl Interner {
    fn word(&mut self, connection: &Connection, word: &str) -> Result<i64> {
        if let Some(&id) = self.words.get(word) {
            return Ok(id);
        }
        let id = i64::try_from(self.words.len()).unwrap_or(i64::MAX) + 1;
        connection.prepare_cached("INSERT INTO words VALUES (?1, ?2)")?.execute(params![id, word])?;
        self.words.insert(word.into(), id);
        Ok(id)
    }

    fn text(&mut self, connection: &Connection, text: &str) -> Result<i64> {
        let key = crate::names::hash64(text.as_bytes());
        if let Some(&id) = self.texts.get(&key) {
            return Ok(id);
        }
        let id = i64::try_from(self.texts.len()).unwrap_or(i64::MAX) + 1;
        connection.prepare_cached("INSERT INTO texts VALUES (?1, ?2)")?.execute(params![id, text])?;
        self.texts.insert(key, id);
        Ok(id)
    }
}

impl Writer {
    pub fn create(path: &Path) -> Result<Self> {
        let connection = Connection::open(path)?;
        connection.execute_batch(PRAGMAS)?;
        connection.set_prepared_statement_cache_capacity(128);
        connection.execute_batch("BEGIN")?;
        schema::create(&connection)?;
        connection.execute("INSERT INTO fulltext (fulltext, rank) VALUES ('hashsize', ?1)", [FULLTEXT_BUFFER])?;
        connection.execute_batch("INSERT INTO fulltext (fulltext, rank) VALUES ('automerge', 0)")?;
        let mut interner = Interner::default();
        for confidence in CONFIDENCES {
            interner.word(&connection, confidence.as_str())?;
        }
        Ok(Self {
            connection,
            path: path.to_path_buf(),
            interner,
            channels: FxHashMap::default(),
            bases: FxHashMap::default(),
            next_doc: 1,
            edges: Vec::new(),
            halves: Vec::new(),
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
                for (node, text) in &objects {
                    let doc = self.document(text)?;
                    docs.push([Cell::Int(doc), (*node).into(), true.into()]);
                }
                self.insert(&docs)
            }
            Message::Names(names) => {
                let mut statement = self.connection.prepare_cached("INSERT INTO names VALUES (?1, ?2, ?3, ?4)")?;
                for row in &names {
                    statement.execute(params![row.id, row.name, row.key, row.trigrams])?;
                }
                Ok(())
            }
            Message::Edges(edges) => {
                self.insert(&dynamic_rows(&edges))?;
                self.keep(edges)
            }
            Message::Module { number, methods, rows, edges } => {
                rows.iter().try_for_each(|rows| self.insert(rows))?;
                let base = self.bases.get(&number).copied().unwrap_or(0);
                let mut docs = Rows::new(Table::Doc);
                for (doc, node) in (base..).zip(methods) {
                    docs.push([Cell::Int(doc), node.into(), false.into()]);
                }
                self.insert(&docs)?;
                self.keep(edges)
            }
        }
    }

    /// Adds a full-text row and gives its number.
    fn document(&mut self, text: &Document) -> Result<i64> {
        let id = self.next_doc;
        self.next_doc += 1;
        let mut statement = self
            .connection
            .prepare_cached("INSERT INTO fulltext (rowid, name, owner, doc, body) VALUES (?1, ?2, ?3, ?4, ?5)")?;
        statement.execute(params![id, text.name, text.owner, text.doc, text.body])?;
        Ok(id)
    }

    fn insert(&mut self, rows: &Rows) -> Result<()> {
        if rows.is_empty() {
            return Ok(());
        }
        let marks = vec!["?"; rows.table.columns()].join(", ");
        let sql = format!("INSERT INTO \"{}\" VALUES ({marks})", rows.table.name());
        let mut statement = self.connection.prepare_cached(&sql)?;
        for row in rows.chunks() {
            for (column, cell) in (1_usize..).zip(row) {
                match cell {
                    Cell::Null => statement.raw_bind_parameter(column, rusqlite::types::Null)?,
                    Cell::Int(number) => statement.raw_bind_parameter(column, number)?,
                    Cell::Text(text) => statement.raw_bind_parameter(column, text)?,
                    Cell::Blob(blob) => statement.raw_bind_parameter(column, blob)?,
                    Cell::Word(word) => {
                        statement.raw_bind_parameter(column, self.interner.word(&self.connection, word)?)?;
                    }
                    Cell::Known(word) => {
                        statement.raw_bind_parameter(column, self.interner.word(&self.connection, word)?)?;
                    }
                    Cell::Shared(text) => {
                        statement.raw_bind_parameter(column, self.interner.text(&self.connection, text)?)?;
                    }
                }
            }
            statement.raw_execute()?;
        }
        Ok(())
    }

    /// Keeps edges until the end: sorted, they fill their tables from left to right.
    fn keep(&mut self, edges: Edges) -> Result<()> {
        for edge in edges.edges {
            let channel = self.channel(edge.channel)?;
            self.edges.push(RawEdge {
                source: edge.source,
                target: edge.target,
                channel,
                line: edge.line,
                file: edge.file,
                confidence: confidence_id(edge.confidence),
            });
        }
        for half in edges.halves {
            let channel = self.channel(half.channel)?;
            self.halves.push(HalfRow {
                channel,
                hub: half.hub,
                side: i64::from(half.side == Side::Target),
                node: half.node,
                line: half.line,
                file: half.file,
                confidence: confidence_id(half.confidence),
            });
        }
        Ok(())
    }

    fn channel(&mut self, channel: Channel) -> Result<i64> {
        if let Some(&id) = self.channels.get(&channel) {
            return Ok(id);
        }
        let id = self.interner.word(&self.connection, channel.0)?;
        self.channels.insert(channel, id);
        Ok(id)
    }

    /// Writes what was kept, makes the indexes, and closes the file.
    pub fn finish(mut self, root: &Path, made: &Made) -> Result<()> {
        self.write_edges()?;
        self.write_problems(made)?;
        self.write_meta(root, made)?;
        let Self { connection, path, .. } = self;
        schema::create_indexes(&connection)?;
        super::compact::write(&connection)?;
        connection.execute_batch("COMMIT")?;
        connection.close().map_err(|(_, error)| error)?;
        std::fs::File::open(&path).and_then(|file| file.sync_all()).map_err(Error::io(&path))
    }

    fn write_edges(&mut self) -> Result<()> {
        let mut edges = std::mem::take(&mut self.edges);
        edges.sort_unstable();
        // The surest of the same edge at the same place stands first, and wins.
        edges.dedup_by_key(|edge| RawEdge { confidence: 0, ..*edge });
        let mut statement = self.connection.prepare(
            "INSERT INTO edge (source, target, channel, line, file, confidence) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        )?;
        for edge in &edges {
            statement.execute(params![
                edge.source,
                edge.target,
                edge.channel,
                edge.line,
                edge.file,
                edge.confidence
            ])?;
        }
        let mut halves = std::mem::take(&mut self.halves);
        halves.sort_unstable();
        let mut statement = self.connection.prepare(
            "INSERT OR IGNORE INTO half (channel, hub, side, node, line, file, confidence)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        )?;
        for half in &halves {
            let HalfRow { channel, hub, side, node, line, file, confidence } = half;
            statement.execute(params![channel, hub, side, node, line, file, confidence])?;
        }
        Ok(())
    }

    fn write_problems(&mut self, made: &Made) -> Result<()> {
        let mut rows = Rows::new(Table::Problem);
        for (path, line, message) in &made.code_problems {
            let text = |s: &str| Cell::Text(s.to_owned());
            rows.push([text(path), (*line).into(), text("code"), text(message), text(message)]);
        }
        for ProblemRow { file, line, kind, message_ru, message_en } in made.settings_problems.iter().cloned() {
            rows.push([
                Cell::Text(file),
                line.into(),
                Cell::Text(kind),
                Cell::Text(message_ru),
                Cell::Text(message_en),
            ]);
        }
        self.insert(&rows)
    }

    fn write_meta(&mut self, root: &Path, made: &Made) -> Result<()> {
        let count = |sql: &str| self.connection.query_row(sql, [], |row| row.get::<_, i64>(0));
        let mut meta: Vec<(String, String)> = made.meta.clone();
        meta.extend(fixed_meta().map(|(key, value)| (key.to_owned(), value)));
        for view in VIEWS.iter().filter(|view| view.name != "meta" && !schema::UNFILLED.contains(&view.name)) {
            let rows = count(&format!("SELECT count(*) FROM {}", view.name))?;
            meta.push((format!("count_{}", view.name), rows.to_string()));
        }
        let unfilled = schema::unfilled_channels(graph::channels::all().iter().map(|rule| rule.channel().0));
        for (key, value) in [
            ("root", root.to_string_lossy().into_owned()),
            ("unread_files", made.unread_files.to_string()),
            ("first_ghost", made.first_ghost.to_string()),
            ("problems", count("SELECT count(*) FROM problem")?.to_string()),
            ("unfilled_channels", unfilled.join(" ")),
            ("built_at", now().as_secs().to_string()),
        ] {
            meta.push((key.to_owned(), value));
        }
        let mut statement = self.connection.prepare("INSERT OR REPLACE INTO meta VALUES (?1, ?2)")?;
        for (key, value) in meta {
            statement.execute([key, value])?;
        }
        Ok(())
    }
}
