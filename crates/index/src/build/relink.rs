//! Edges of an index that is updated: in their tables, and in the compact graph.

use super::compact::{self, Compact};
use super::input::damaged;
use super::insert::{EdgeRows, HalfRow, OpenRow};
use super::replace::Store;
use crate::Result;
use crate::read::RawEdge;
use rusqlite::{OptionalExtension, params};
use rustc_hash::FxHashSet;

const TAKE_EDGE: &str =
    "DELETE FROM edge WHERE source = ?1 AND target = ?2 AND channel = ?3 AND line = ?4 AND file = ?5";
const TAKE_HALF: &str =
    "DELETE FROM half WHERE channel = ?1 AND hub = ?2 AND side = ?3 AND node = ?4 AND line = ?5 AND file = ?6";
const TAKE_OPEN: &str =
    "DELETE FROM dynamic_site WHERE method = ?1 AND line = ?2 AND kind = ?3 AND known = ?4 AND file = ?5";
/// Halves of the files of modules.
const HALVES: &str = "SELECT channel, hub, side, node, line, file, confidence FROM half WHERE file IN gone_file";
/// The edges of a hub.
const JOINED: &str = "\
    SELECT a.node, b.node, a.channel, max(a.confidence, b.confidence), a.file, a.line
    FROM half a JOIN half b ON b.channel = a.channel AND b.hub = a.hub AND b.side = 1
    WHERE a.side = 0 AND a.channel = ?1 AND a.hub = ?2";

/// Edges that metadata shows.
#[derive(Clone, Copy)]
pub(crate) struct EdgesOfMetadata<'a> {
    /// As they were, in order.
    pub old: &'a EdgeRows<i64>,
    /// As they are now, in order.
    pub new: &'a EdgeRows<i64>,
    /// Files of the modules that are replaced.
    pub files: &'a FxHashSet<u32>,
}

/// Whether a row is not in a list that is sorted.
fn is_missing<T: Ord>(row: &T, list: &[T]) -> bool {
    list.binary_search(row).is_err()
}

impl EdgeRows<i64> {
    /// The rows that another set doesn't have, and all of some files.
    fn difference(&self, other: &Self, all_of: impl Fn(u32) -> bool) -> Self {
        let edges = self.edges.iter().filter(|row| all_of(row.file) || is_missing(*row, &other.edges));
        let halves = self.halves.iter().filter(|row| all_of(row.file) || is_missing(*row, &other.halves));
        let open = self.open.iter().filter(|row| all_of(row.file) || is_missing(*row, &other.open));
        Self { edges: edges.copied().collect(), halves: halves.cloned().collect(), open: open.cloned().collect() }
    }

    /// The files of the rows that only one of two sets has.
    pub fn differing_files(&self, other: &Self) -> FxHashSet<u32> {
        let mut files = FxHashSet::default();
        for rows in [self.difference(other, |_| false), other.difference(self, |_| false)] {
            files.extend(rows.edges.iter().map(|row| row.file));
            files.extend(rows.halves.iter().map(|row| row.file));
            files.extend(rows.open.iter().map(|row| row.file));
        }
        files
    }
}

impl Store {
    /// Replaces the edges of the modules that were taken out by `edges`, those of metadata by what they are now, and both in the
    /// compact graph; `moved`: what compiles elsewhere now. Gives the number of edges.
    pub fn put_edges(
        &self,
        mut edges: EdgeRows,
        metadata: &EdgesOfMetadata<'_>,
        moved: &FxHashSet<u32>,
    ) -> Result<u64> {
        let EdgesOfMetadata { old, new, files } = *metadata;
        let replaced = |file: u32| files.contains(&file);
        // Edges of metadata that stand in the files of modules are taken out with theirs.
        let mut gone = self.numbered(&old.difference(new, |_| false))?;
        gone.edges.retain(|row| !replaced(row.file));
        gone.halves.retain(|row| !replaced(row.file));
        gone.open.retain(|row| !replaced(row.file));
        let come = self.numbered(&new.difference(old, replaced))?;
        edges.edges.extend(come.edges);
        edges.halves.extend(come.halves);
        edges.open.extend(come.open);
        edges.sort();

        gone.halves.extend(self.rows(HALVES, [], |row| {
            let (channel, hub, side, node) = (row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?);
            Ok(HalfRow { channel, hub, side, node, line: row.get(4)?, file: row.get(5)?, confidence: row.get(6)? })
        })?);
        let hub = |half: &HalfRow| (half.channel, half.hub.clone());
        let hubs: FxHashSet<(i64, String)> = gone.halves.iter().chain(&edges.halves).map(hub).collect();
        let mut removed = self.joined(&hubs)?;
        removed.retain(|edge| !replaced(edge.file));
        removed.extend(&gone.edges);

        self.connection.execute("DELETE FROM dynamic_site WHERE file IN gone_file", [])?;
        let compact = Compact::open(&self.connection)?;
        match &compact {
            // The graph tells the edges of a file sooner than their table.
            Some(compact) => gone.edges.extend(compact.edges_of(files)),
            None => drop(self.connection.execute("DELETE FROM edge WHERE file IN gone_file", [])?),
        }
        self.take_out_rows(&gone)?;
        edges.write(&self.connection)?;
        let Some(compact) = compact else { return compact::write(&self.connection) };
        removed.extend(gone.edges.iter().filter(|edge| replaced(edge.file)));
        let mut added = self.joined(&hubs)?;
        added.extend(edges.edges);
        compact.change(&self.connection, &removed, &added, moved)
    }

    fn take_out_rows(&self, gone: &EdgeRows) -> Result<()> {
        let mut edge = self.connection.prepare(TAKE_EDGE)?;
        for row in &gone.edges {
            edge.execute(params![row.source, row.target, row.channel, row.line, row.file])?;
        }
        let mut half = self.connection.prepare(TAKE_HALF)?;
        for row in &gone.halves {
            half.execute(params![row.channel, row.hub, row.side, row.node, row.line, row.file])?;
        }
        let mut open = self.connection.prepare(TAKE_OPEN)?;
        for row in &gone.open {
            open.execute(params![row.method, row.line, row.kind, row.known, row.file])?;
        }
        Ok(())
    }

    /// The edges that lead through hubs.
    fn joined(&self, hubs: &FxHashSet<(i64, String)>) -> Result<Vec<RawEdge>> {
        let mut found = Vec::new();
        for (channel, hub) in hubs {
            found.extend(self.rows(JOINED, params![channel, hub], compact::raw)?);
        }
        Ok(found)
    }

    /// Rows by the numbers of the file instead of keys.
    fn numbered(&self, rows: &EdgeRows<i64>) -> Result<EdgeRows> {
        let mut find = self.connection.prepare_cached("SELECT id FROM names WHERE key = ?1")?;
        let mut id = |key: i64| {
            let id = find.query_row([key], |row| row.get::<_, u32>(0)).optional()?;
            id.ok_or_else(|| damaged("names")("a name is missing".to_owned()))
        };
        let mut numbered = EdgeRows::default();
        for &RawEdge { source, target, channel, line, file, confidence } in &rows.edges {
            let (source, target) = (id(source)?, id(target)?);
            numbered.edges.push(RawEdge { source, target, channel, line, file, confidence });
        }
        for HalfRow { channel, hub, side, node, line, file, confidence } in rows.halves.iter().cloned() {
            numbered.halves.push(HalfRow { channel, hub, side, node: id(node)?, line, file, confidence });
        }
        for OpenRow { method, line, kind, known, file } in rows.open.iter().cloned() {
            numbered.open.push(OpenRow { method: id(method)?, line, kind, known, file });
        }
        Ok(numbered)
    }
}
