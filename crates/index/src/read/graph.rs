//! Callers and callees.

use super::walk::Adjacency;
use super::{Answer, Index, NameId, Reason};
use crate::Result;
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};

/// An edge as answers show it; the keys are the contract's.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EdgeRow {
    /// Who calls, or holds the link.
    pub source: String,
    /// What is reached.
    pub target: String,
    /// Channel.
    pub channel: String,
    /// Confidence.
    pub confidence: String,
    /// File that proves it, relative to the root of the dump.
    pub file: String,
    /// 1-based line; 0 where a whole file is the proof.
    pub line: u32,
    /// Distance from what was asked for, from 1.
    pub depth: u32,
}

/// How far and along what to walk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Walk {
    /// How many edges deep; 1 gives direct callers only.
    pub depth: u32,
    /// Channels to follow; empty: all.
    pub channels: Vec<String>,
    /// Most rows.
    pub limit: usize,
}

impl Default for Walk {
    fn default() -> Self {
        Self { depth: 1, channels: Vec::new(), limit: 1000 }
    }
}

/// Which way to walk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Direction {
    /// From targets to sources.
    Callers,
    /// From sources to targets.
    Callees,
}

/// An edge in numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct RawEdge {
    pub source: NameId,
    pub target: NameId,
    pub channel: i64,
    pub confidence: i64,
    pub file: u32,
    pub line: u32,
}

const BY_TARGET: &str = "\
    SELECT source, target, channel, confidence, file, line FROM edge WHERE target = ?1
    UNION ALL
    SELECT a.node, b.node, a.channel, max(a.confidence, b.confidence), a.file, a.line
    FROM half b JOIN half a ON a.channel = b.channel AND a.hub = b.hub AND a.side = 0
    WHERE b.node = ?1 AND b.side = 1";
const BY_SOURCE: &str = "\
    SELECT source, target, channel, confidence, file, line FROM edge WHERE source = ?1
    UNION ALL
    SELECT a.node, b.node, a.channel, max(a.confidence, b.confidence), a.file, a.line
    FROM half a JOIN half b ON b.channel = a.channel AND b.hub = a.hub AND b.side = 1
    WHERE a.node = ?1 AND a.side = 0";
/// Every edge, for walks that touch most of the graph.
pub(crate) const ALL_EDGES: &str = "\
    SELECT source, target, channel, confidence, file, line FROM edge
    UNION ALL
    SELECT a.node, b.node, a.channel, max(a.confidence, b.confidence), a.file, a.line
    FROM half a JOIN half b ON b.channel = a.channel AND b.hub = a.hub AND b.side = 1
    WHERE a.side = 0";

impl Index {
    /// Who calls a thing, or is linked to it. Of a module or an object: who calls its methods from outside.
    ///
    /// # Errors
    /// If the file can't be read.
    pub fn callers(&self, of: NameId, walk: &Walk) -> Result<Answer<EdgeRow>> {
        self.walk(of, walk, Direction::Callers)
    }

    /// What a thing calls, or is linked to. Of a module or an object: what its methods call outside.
    ///
    /// # Errors
    /// If the file can't be read.
    pub fn callees(&self, of: NameId, walk: &Walk) -> Result<Answer<EdgeRow>> {
        self.walk(of, walk, Direction::Callees)
    }

    fn walk(&self, of: NameId, walk: &Walk, direction: Direction) -> Result<Answer<EdgeRow>> {
        let start = self.with_parts(of)?;
        // A deep walk touches most of the graph: loading it at once is cheaper than a query a node.
        let whole = match walk.depth > 2 {
            true => Some(Adjacency::load(self, direction == Direction::Callers)?),
            false => None,
        };
        let mut seen: FxHashSet<NameId> = start.iter().copied().collect();
        let outside = start.len() > 1;
        let mut frontier = start;
        let mut rows = Vec::new();
        let (mut more, mut deeper) = (false, false);
        for depth in 1..=walk.depth.max(1) {
            let mut next = Vec::new();
            for node in frontier {
                let edges = match &whole {
                    Some(whole) => whole.at(node).to_vec(),
                    None => self.edges_of(node, direction)?,
                };
                for edge in edges {
                    let other = if direction == Direction::Callers { edge.source } else { edge.target };
                    let inside = outside && depth == 1 && seen.contains(&other);
                    if inside || !self.follows(walk, edge.channel)? {
                        continue;
                    }
                    if rows.len() == walk.limit {
                        more = true;
                        break;
                    }
                    rows.push(self.edge_row(edge, depth)?);
                    if seen.insert(other) {
                        next.push(other);
                    }
                }
            }
            frontier = next;
            if frontier.is_empty() || more {
                break;
            }
            if depth == walk.depth.max(1) && walk.depth > 1 {
                deeper = self.any_edge(&frontier, direction)?;
            }
        }
        let mut reasons = Vec::new();
        if more {
            reasons.push(Reason::LimitReached { limit: walk.limit });
        }
        if deeper {
            reasons.push(Reason::DepthReached { depth: walk.depth });
        }
        if direction == Direction::Callers {
            reasons.extend(self.hidden_callers(of, rows.is_empty())?);
        } else {
            reasons.extend(self.hidden_callees(of)?);
        }
        Ok(Answer::new(rows, reasons))
    }

    /// The thing itself; of a module also its methods and statements, of an object those of all its modules.
    pub(crate) fn with_parts(&self, of: NameId) -> Result<Vec<NameId>> {
        let mut all = vec![of];
        all.extend(self.rows(
            "SELECT id FROM method WHERE module = ?1
             UNION SELECT m.id FROM method m JOIN module x ON x.id = m.module WHERE x.object = ?1
             UNION SELECT id FROM module WHERE object = ?1 AND id <> ?1
             UNION SELECT body FROM module WHERE (id = ?1 OR object = ?1) AND body IS NOT NULL",
            [of],
            |row| row.get::<_, NameId>(0),
        )?);
        Ok(all)
    }

    pub(crate) fn edges_of(&self, node: NameId, direction: Direction) -> Result<Vec<RawEdge>> {
        let sql = if direction == Direction::Callers { BY_TARGET } else { BY_SOURCE };
        let mut edges = self.rows(sql, [node], read_raw)?;
        edges.sort_unstable();
        Ok(edges)
    }

    fn any_edge(&self, nodes: &[NameId], direction: Direction) -> Result<bool> {
        for &node in nodes {
            if !self.edges_of(node, direction)?.is_empty() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn follows(&self, walk: &Walk, channel: i64) -> Result<bool> {
        if walk.channels.is_empty() {
            return Ok(true);
        }
        let word = self.word(channel)?;
        Ok(walk.channels.iter().any(|wanted| **wanted == *word))
    }

    pub(crate) fn edge_row(&self, edge: RawEdge, depth: u32) -> Result<EdgeRow> {
        Ok(EdgeRow {
            source: self.full_name(edge.source)?,
            target: self.full_name(edge.target)?,
            channel: self.word(edge.channel)?.to_string(),
            confidence: self.word(edge.confidence)?.to_string(),
            file: self.file(edge.file)?,
            line: edge.line,
            depth,
        })
    }

    /// What could hide callers of a thing.
    pub(crate) fn hidden_callers(&self, of: NameId, empty: bool) -> Result<Vec<Reason>> {
        let mut reasons = self.unread()?;
        if !empty {
            return Ok(reasons);
        }
        let missing = self.meta("unfilled_channels")?.unwrap_or_default();
        if !missing.is_empty() {
            reasons.push(Reason::ChannelsNotBuilt { channels: missing.split(' ').map(str::to_owned).collect() });
        }
        let name = self.full_name(of)?;
        if let Some(reason) = self.named_in_strings(crate::names::last_part(&name))? {
            reasons.push(reason);
        }
        reasons.extend(self.dynamic_sites("SELECT count(*) FROM dynamic_site", [])?);
        Ok(reasons)
    }

    fn hidden_callees(&self, of: NameId) -> Result<Vec<Reason>> {
        self.dynamic_sites("SELECT count(*) FROM dynamic_site WHERE method = ?1", [of])
    }

    fn dynamic_sites(&self, sql: &str, params: impl rusqlite::Params) -> Result<Vec<Reason>> {
        let counts = self.rows(sql, params, |row| super::count(row, 0))?;
        let some = counts.into_iter().filter(|&count| count > 0);
        Ok(some.map(|count| Reason::DynamicSites { count: usize::try_from(count).unwrap_or(usize::MAX) }).collect())
    }

    pub(crate) fn unread(&self) -> Result<Vec<Reason>> {
        let count = self.meta("unread_files")?.and_then(|count| count.parse().ok()).unwrap_or(0);
        Ok(if count == 0 { Vec::new() } else { vec![Reason::UnreadFiles { count }] })
    }

    /// Places whose string literal holds a name as a whole word.
    fn named_in_strings(&self, name: &str) -> Result<Option<Reason>> {
        let folded = bsl::fold(name);
        if folded.chars().count() < 3 {
            return Ok(None);
        }
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        let mut texts = Vec::new();
        let mut statement = self.connection.prepare_cached("SELECT id, text FROM texts")?;
        let mut rows = statement.query([])?;
        let first_letters = (name.chars().next(), folded.chars().next());
        while let Some(row) = rows.next()? {
            let text = row.get_ref(1)?.as_str().unwrap_or("");
            // Folding every text would cost more than the search: most don't even hold the first letter.
            if text.len() < name.len() || !text.contains(|c| Some(c) == first_letters.0 || Some(c) == first_letters.1) {
                continue;
            }
            let text = bsl::fold(text);
            let whole = text
                .match_indices(&folded)
                .any(|(at, found)| !text[..at].ends_with(is_part) && !text[at + found.len()..].starts_with(is_part));
            if whole {
                texts.push(row.get::<_, i64>(0)?);
            }
        }
        let (mut places, mut count) = (Vec::new(), 0);
        for text in texts {
            let found = self.rows(
                "SELECT f.path, s.line FROM string s JOIN method m ON m.id = s.method JOIN module x ON x.id = m.module
                 JOIN file f ON f.id = x.file WHERE s.value = ?1",
                [text],
                |row| Ok(format!("{}:{}", row.get::<_, String>(0)?, row.get::<_, u32>(1)?)),
            )?;
            count += found.len();
            places.extend(found);
        }
        places.truncate(3);
        Ok((count > 0).then_some(Reason::NamedInStrings { places, count }))
    }
}

pub(crate) fn read_raw(row: &rusqlite::Row<'_>) -> rusqlite::Result<RawEdge> {
    Ok(RawEdge {
        source: row.get(0)?,
        target: row.get(1)?,
        channel: row.get(2)?,
        confidence: row.get(3)?,
        file: row.get(4)?,
        line: row.get(5)?,
    })
}
