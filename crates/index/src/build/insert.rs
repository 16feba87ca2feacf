//! Rows into tables.

use super::numbers::{Numbers, confidence_id};
use super::rows::{Cell, Rows};
use crate::Result;
use crate::read::RawEdge;
use crate::text::Document;
use graph::{Edges, Side};
use rusqlite::{Connection, params};
use serde::{Deserialize, Serialize};

/// Writes rows, each thing by its number.
pub(crate) fn insert(connection: &Connection, numbers: &mut dyn Numbers, rows: &Rows) -> Result<()> {
    if rows.is_empty() {
        return Ok(());
    }
    let marks = vec!["?"; rows.table.columns()].join(", ");
    let sql = format!("INSERT INTO \"{}\" VALUES ({marks})", rows.table.name());
    let mut statement = connection.prepare_cached(&sql)?;
    for row in rows.chunks() {
        for (column, cell) in (1_usize..).zip(row) {
            match cell {
                Cell::Null => statement.raw_bind_parameter(column, rusqlite::types::Null)?,
                Cell::Int(number) => statement.raw_bind_parameter(column, number)?,
                Cell::Node(node) => statement.raw_bind_parameter(column, numbers.name(connection, *node)?)?,
                Cell::Text(text) => statement.raw_bind_parameter(column, text)?,
                Cell::Blob(blob) => statement.raw_bind_parameter(column, blob)?,
                Cell::Word(word) => statement.raw_bind_parameter(column, numbers.word(connection, word)?)?,
                Cell::Known(word) => statement.raw_bind_parameter(column, numbers.word(connection, word)?)?,
                Cell::Shared(text) => statement.raw_bind_parameter(column, numbers.text(connection, text)?)?,
            }
        }
        statement.raw_execute()?;
    }
    Ok(())
}

/// Writes a row of the full-text table.
pub(crate) fn document(connection: &Connection, id: i64, text: &Document) -> Result<()> {
    let mut statement = connection
        .prepare_cached("INSERT INTO fulltext (rowid, name, owner, doc, body) VALUES (?1, ?2, ?3, ?4, ?5)")?;
    statement.execute(params![id, text.name, text.owner, text.doc, text.body])?;
    Ok(())
}

/// A row of the table `half`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct HalfRow<Name = u32> {
    pub channel: i64,
    pub hub: String,
    pub side: i64,
    pub node: Name,
    pub line: u32,
    pub file: u32,
    pub confidence: i64,
}

impl<Name: Copy> HalfRow<Name> {
    fn place(&self) -> (i64, &str, i64, Name, u32, u32) {
        (self.channel, &self.hub, self.side, self.node, self.line, self.file)
    }
}

/// A row of the table `dynamic_site`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct OpenRow<Name = u32> {
    pub method: Name,
    pub line: u32,
    pub kind: i64,
    pub known: String,
    pub file: u32,
}

/// The key of what an open place is known to call, if that is a whole name.
fn key_of_name(known: &str) -> Option<i64> {
    let is_name = !known.is_empty() && known.chars().all(|c| c.is_alphanumeric() || c == '_');
    is_name.then(|| crate::names::key(known))
}

/// Edges, halves and open places as rows: things by the numbers of a file, or by the keys of their names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct EdgeRows<Name = u32> {
    pub edges: Vec<RawEdge<Name>>,
    pub halves: Vec<HalfRow<Name>>,
    pub open: Vec<OpenRow<Name>>,
}

impl<Name> Default for EdgeRows<Name> {
    fn default() -> Self {
        Self { edges: Vec::new(), halves: Vec::new(), open: Vec::new() }
    }
}

impl EdgeRows<i64> {
    /// Takes edges in; `key` gives the key of a thing's full name.
    pub fn add_keyed(
        &mut self,
        connection: &Connection,
        numbers: &mut dyn Numbers,
        edges: &Edges,
        mut key: impl FnMut(u32) -> i64,
    ) -> Result<()> {
        self.take(edges, &mut |node| Ok(key(node)), &mut |word| numbers.word(connection, word))
    }
}

impl EdgeRows {
    /// Takes edges in.
    pub fn add(&mut self, connection: &Connection, numbers: &mut dyn Numbers, edges: &Edges) -> Result<()> {
        let numbers = std::cell::RefCell::new(numbers);
        self.take(edges, &mut |node| numbers.borrow_mut().name(connection, node), &mut |word| {
            numbers.borrow_mut().word(connection, word)
        })
    }

    /// Writes rows that are [sorted](Self::sort): they fill their tables from left to right.
    pub fn write(&self, connection: &Connection) -> Result<()> {
        let mut statement = connection.prepare_cached(
            "INSERT INTO edge (source, target, channel, line, file, confidence) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        )?;
        for RawEdge { source, target, channel, confidence, file, line } in &self.edges {
            statement.execute(params![source, target, channel, line, file, confidence])?;
        }
        let mut statement = connection.prepare_cached(
            "INSERT INTO half (channel, hub, side, node, line, file, confidence) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        )?;
        for HalfRow { channel, hub, side, node, line, file, confidence } in &self.halves {
            statement.execute(params![channel, hub, side, node, line, file, confidence])?;
        }
        let mut statement = connection.prepare_cached("INSERT INTO dynamic_site VALUES (?1, ?2, ?3, ?4, ?5, ?6)")?;
        for OpenRow { method, line, kind, known, file } in &self.open {
            statement.execute(params![method, line, kind, known, file, key_of_name(known)])?;
        }
        Ok(())
    }
}

impl<Name: Copy + Ord> EdgeRows<Name> {
    fn take(
        &mut self,
        edges: &Edges,
        name: &mut dyn FnMut(u32) -> Result<Name>,
        word: &mut dyn FnMut(&'static str) -> Result<i64>,
    ) -> Result<()> {
        for edge in &edges.edges {
            self.edges.push(RawEdge {
                source: name(edge.source)?,
                target: name(edge.target)?,
                channel: word(edge.channel.0)?,
                line: edge.line,
                file: edge.file,
                confidence: confidence_id(edge.confidence),
            });
        }
        for half in &edges.halves {
            self.halves.push(HalfRow {
                channel: word(half.channel.0)?,
                hub: half.hub.clone(),
                side: i64::from(half.side == Side::Target),
                node: name(half.node)?,
                line: half.line,
                file: half.file,
                confidence: confidence_id(half.confidence),
            });
        }
        for site in &edges.dynamic {
            self.open.push(OpenRow {
                method: name(site.node)?,
                line: site.line,
                kind: word(site.kind)?,
                known: site.known.clone(),
                file: site.file,
            });
        }
        Ok(())
    }

    /// Puts rows in the order of their tables, each once: of the same edge at the same place the surest.
    pub fn sort(&mut self) {
        self.edges.sort_unstable();
        self.edges.dedup_by_key(|edge| RawEdge { confidence: 0, ..*edge });
        self.halves.sort_unstable();
        self.halves.dedup_by(|next, half| next.place() == half.place());
        self.open.sort_unstable();
    }
}
