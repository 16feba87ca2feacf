//! The graph as walks read it, made from the rows that were written: see [`graph::paths`].
//!
//! A build makes it of all rows, which takes a tenth of a second; an update takes out and puts in what changed.

use crate::read::{ALL_EDGES, RawEdge};
use crate::{Error, Result};
use bsl::Contexts;
use graph::contexts::{Crossing, MethodPlace};
use graph::paths::{Arc, ArcCrossing, Direction, Graph};
use rusqlite::{Connection, OptionalExtension, Row, params};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::hash_map::Entry;

/// Where methods and module bodies stand.
const PLACES: &str = "\
    SELECT m.id, m.module, x.file, m.contexts FROM method m JOIN module x ON x.id = m.module
    UNION ALL SELECT body, id, file, contexts FROM module WHERE body IS NOT NULL";
/// The same of one method.
const PLACE: &str =
    "SELECT m.id, m.module, x.file, m.contexts FROM method m JOIN module x ON x.id = m.module WHERE m.id = ?1";
/// The same of all bodies.
const BODIES: &str = "SELECT body, id, file, contexts FROM module WHERE body IS NOT NULL";

/// Where something with code stands.
#[derive(Clone, Copy)]
struct Place {
    module: u32,
    file: u32,
    method: MethodPlace,
}

impl Place {
    fn read(row: &Row<'_>) -> rusqlite::Result<(u32, Self)> {
        let method = method_place(row.get(3)?);
        Ok((row.get(0)?, Self { module: row.get(1)?, file: row.get(2)?, method }))
    }
}

/// Writes the compact graph of the rows that are there.
pub(crate) fn write(connection: &Connection) -> Result<u64> {
    let mut arcs = Vec::new();
    let mut maker =
        Maker { channels: Vec::new(), places: places(connection, PLACES)?, conditions: conditions(connection)? };
    let mut statement = connection.prepare(ALL_EDGES)?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        arcs.push(maker.arc(connection, &raw(row)?)?);
    }
    store(connection, &Graph::new(arcs, Direction::Callers), &maker.channels)
}

/// The compact graph of an index that is updated.
pub(crate) struct Compact {
    graph: Graph,
    maker: Maker,
}

impl Compact {
    /// Reads it; None if it is damaged.
    pub fn open(connection: &Connection) -> Result<Option<Self>> {
        let mut statement = connection.prepare("SELECT data FROM compact WHERE name = ?1")?;
        let read = |row: &Row<'_>| Ok(row.get_ref(0)?.as_blob().ok().and_then(Graph::from_bytes));
        let graph = statement.query_row(["edges"], read).optional()?.flatten();
        let numbers = statement.query_row(["channels"], |row| row.get::<_, Vec<u8>>(0)).optional()?;
        let Some((graph, numbers)) = graph.zip(numbers) else { return Ok(None) };
        let mut channels = Vec::new();
        for eight in numbers.chunks_exact(8) {
            let word = i64::from_le_bytes(eight.try_into().unwrap_or_default());
            channels.push((word, word_of(connection, word)?));
        }
        let (places, conditions) = Default::default();
        Ok(Some(Self { graph, maker: Maker { channels, places, conditions } }))
    }

    /// The edges that files prove.
    pub fn edges_of(&self, files: &FxHashSet<u32>) -> Vec<RawEdge> {
        let of_files = self.graph.arcs().iter().filter(|arc| files.contains(&arc.file));
        let edge = |arc: &Arc| RawEdge {
            source: arc.source,
            target: arc.target,
            channel: self.maker.channels.get(usize::from(arc.channel)).map_or(-1, |(word, _)| *word),
            line: arc.line,
            file: arc.file,
            confidence: arc.confidence.into(),
        };
        of_files.map(edge).collect()
    }

    /// Takes edges out and puts others in; `moved`: what compiles elsewhere now. The methods that new edges link must be there.
    /// Gives the number of edges.
    pub fn change(
        self,
        connection: &Connection,
        removed: &[RawEdge],
        added: &[RawEdge],
        moved: &FxHashSet<u32>,
    ) -> Result<u64> {
        let Self { graph, mut maker } = self;
        maker.places = places(connection, BODIES)?;
        let out = removed.iter().map(|edge| maker.plain(connection, edge)).collect::<Result<Vec<_>>>()?;
        maker.look_up(connection, added.iter().flat_map(|edge| [edge.source, edge.target]))?;
        let put = added.iter().map(|edge| maker.arc(connection, edge)).collect::<Result<Vec<_>>>()?;
        let mut graph = graph.changed(out, put);
        if !moved.is_empty() {
            let touched = |arc: &Arc| moved.contains(&arc.source) || moved.contains(&arc.target);
            let ends = graph.arcs().iter().filter(|arc| touched(arc)).flat_map(|arc| [arc.source, arc.target]);
            let ends: Vec<u32> = ends.collect();
            maker.look_up(connection, ends.into_iter())?;
            graph.cross_again(|arc| Ok::<_, Error>(touched(arc).then(|| maker.crossing(arc))))?;
        }
        store(connection, &graph, &maker.channels)
    }
}

fn store(connection: &Connection, graph: &Graph, channels: &[(i64, String)]) -> Result<u64> {
    let numbers: Vec<u8> = channels.iter().flat_map(|(word, _)| word.to_le_bytes()).collect();
    let mut insert = connection.prepare("INSERT OR REPLACE INTO compact VALUES (?1, ?2)")?;
    insert.execute(params!["edges", graph.to_bytes()])?;
    insert.execute(params!["channels", numbers])?;
    Ok(graph.arcs().len() as u64)
}

fn word_of(connection: &Connection, word: i64) -> Result<String> {
    let mut statement = connection.prepare_cached("SELECT word FROM words WHERE id = ?1")?;
    Ok(statement.query_row([word], |row| row.get(0))?)
}

/// An edge of [`ALL_EDGES`].
pub(crate) fn raw(row: &Row<'_>) -> rusqlite::Result<RawEdge> {
    let (source, target, channel) = (row.get(0)?, row.get(1)?, row.get(2)?);
    Ok(RawEdge { source, target, channel, confidence: row.get(3)?, file: row.get(4)?, line: row.get(5)? })
}

/// Makes edges of the compact graph.
struct Maker {
    /// Number among the words, and the word, by number in the graph.
    channels: Vec<(i64, String)>,
    places: FxHashMap<u32, Place>,
    conditions: Conditions,
}

impl Maker {
    /// An edge without what it crosses.
    fn plain(&mut self, connection: &Connection, edge: &RawEdge) -> Result<Arc> {
        let number = match self.channels.iter().position(|(known, _)| *known == edge.channel) {
            Some(number) => number,
            None => {
                self.channels.push((edge.channel, word_of(connection, edge.channel)?));
                self.channels.len() - 1
            }
        };
        Ok(Arc {
            source: edge.source,
            target: edge.target,
            channel: u16::try_from(number).unwrap_or(u16::MAX),
            confidence: u8::try_from(edge.confidence).unwrap_or(u8::MAX),
            file: edge.file,
            line: edge.line,
            crossing: ArcCrossing::default(),
        })
    }

    fn arc(&mut self, connection: &Connection, edge: &RawEdge) -> Result<Arc> {
        let arc = self.plain(connection, edge)?;
        Ok(Arc { crossing: self.crossing(&arc), ..arc })
    }

    /// What a call crosses, by the places that are known of its ends.
    fn crossing(&self, arc: &Arc) -> ArcCrossing {
        let (Some(from), Some(to)) = (self.places.get(&arc.source), self.places.get(&arc.target)) else {
            return ArcCrossing::default();
        };
        let mut contexts = from.method.compiles;
        if arc.file == from.file {
            let around = self.conditions.get(&from.module).into_iter().flatten();
            let around = around.filter(|(first, last, _)| (*first..=*last).contains(&arc.line));
            contexts = around.fold(contexts, |all, (.., some)| all & *some);
        }
        let channel = self.channels.get(usize::from(arc.channel)).map_or("", |(_, word)| word);
        Crossing::of(channel, contexts, &to.method).map_or_else(ArcCrossing::default, |crossing| ArcCrossing {
            missing: crossing.missing.bits() as u8,
            to_server: crossing.crosses(),
            impossible: crossing.impossible,
        })
    }

    /// Gets to know the places of some ends, and the conditions of their modules.
    fn look_up(&mut self, connection: &Connection, ends: impl Iterator<Item = u32>) -> Result<()> {
        let mut place = connection.prepare_cached(PLACE)?;
        let mut lines =
            connection.prepare_cached("SELECT module, line, end_line, contexts FROM condition WHERE module = ?1")?;
        for end in ends {
            if !self.places.contains_key(&end)
                && let Some((_, found)) = place.query_row([end], Place::read).optional()?
            {
                self.places.insert(end, found);
            }
            let Some(module) = self.places.get(&end).map(|place| place.module) else { continue };
            if let Entry::Vacant(conditions) = self.conditions.entry(module) {
                let rows = lines.query_map([module], read_condition)?;
                conditions
                    .insert(rows.map(|row| row.map(|(_, condition)| condition)).collect::<rusqlite::Result<_>>()?);
            }
        }
        Ok(())
    }
}

fn places(connection: &Connection, sql: &str) -> Result<FxHashMap<u32, Place>> {
    let mut statement = connection.prepare(sql)?;
    statement.query_map([], Place::read)?.map(|row| row.map_err(Error::from)).collect()
}

/// Lines under conditions: first, last, and where they compile; by module.
type Conditions = FxHashMap<u32, Vec<(u32, u32, Contexts)>>;

fn conditions(connection: &Connection) -> Result<Conditions> {
    let mut found = Conditions::default();
    let mut statement = connection.prepare("SELECT module, line, end_line, contexts FROM condition")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let (module, condition) = read_condition(row)?;
        found.entry(module).or_default().push(condition);
    }
    Ok(found)
}

fn read_condition(row: &Row<'_>) -> rusqlite::Result<(u32, (u32, u32, Contexts))> {
    Ok((row.get(0)?, (row.get(1)?, row.get(2)?, Contexts::from_bits_truncate(row.get(3)?))))
}

/// A method's place from its column `contexts`.
pub(crate) fn method_place(bits: u32) -> MethodPlace {
    MethodPlace { compiles: Contexts::from_bits_truncate((bits & 0xff) as u16), server_call: bits >> 8 & 1 == 1 }
}
