//! The graph as walks read it, made from the rows that were written: see [`graph::paths`].
//!
//! Whoever changes rows of edges, methods or conditions writes it anew; it takes a tenth of a second.

use crate::read::ALL_EDGES;
use crate::{Error, Result};
use bsl::Contexts;
use graph::contexts::{Crossing, MethodPlace};
use graph::paths::{Arc, ArcCrossing, Direction, Graph};
use rusqlite::Connection;
use rustc_hash::FxHashMap;

/// Where something with code stands.
#[derive(Clone, Copy)]
struct Place {
    module: u32,
    file: u32,
    method: MethodPlace,
}

/// Writes the compact graph of the rows that are there.
pub(crate) fn write(connection: &Connection) -> Result<()> {
    let places = places(connection)?;
    let conditions = conditions(connection)?;
    let mut channels: Vec<(i64, String)> = Vec::new();
    let mut statement = connection.prepare(ALL_EDGES)?;
    let mut words = connection.prepare("SELECT word FROM words WHERE id = ?1")?;
    let mut rows = statement.query([])?;
    let mut arcs = Vec::new();
    while let Some(row) = rows.next()? {
        let word: i64 = row.get(2)?;
        let number = match channels.iter().position(|(known, _)| *known == word) {
            Some(number) => number,
            None => {
                channels.push((word, words.query_row([word], |row| row.get(0))?));
                channels.len() - 1
            }
        };
        let mut arc = Arc {
            source: row.get(0)?,
            target: row.get(1)?,
            channel: u16::try_from(number).unwrap_or(u16::MAX),
            confidence: row.get(3)?,
            file: row.get(4)?,
            line: row.get(5)?,
            crossing: ArcCrossing::default(),
        };
        if let (Some(from), Some(to)) = (places.get(&arc.source), places.get(&arc.target)) {
            let mut contexts = from.method.compiles;
            if arc.file == from.file {
                let around = conditions.get(&from.module).into_iter().flatten();
                let around = around.filter(|(first, last, _)| (*first..=*last).contains(&arc.line));
                contexts = around.fold(contexts, |all, (.., some)| all & *some);
            }
            let channel = channels.get(number).map_or("", |(_, word)| word);
            if let Some(crossing) = Crossing::of(channel, contexts, &to.method) {
                arc.crossing = ArcCrossing {
                    missing: crossing.missing.bits() as u8,
                    to_server: crossing.crosses(),
                    impossible: crossing.impossible,
                };
            }
        }
        arcs.push(arc);
    }
    let graph = Graph::new(arcs, Direction::Callers);
    let numbers: Vec<u8> = channels.iter().flat_map(|(word, _)| word.to_le_bytes()).collect();
    let mut insert = connection.prepare("INSERT OR REPLACE INTO compact VALUES (?1, ?2)")?;
    insert.execute(rusqlite::params!["edges", graph.to_bytes()])?;
    insert.execute(rusqlite::params!["channels", numbers])?;
    Ok(())
}

/// Methods and module bodies.
fn places(connection: &Connection) -> Result<FxHashMap<u32, Place>> {
    let mut statement = connection.prepare(
        "SELECT m.id, m.module, x.file, m.contexts FROM method m JOIN module x ON x.id = m.module
         UNION ALL SELECT body, id, file, contexts FROM module WHERE body IS NOT NULL",
    )?;
    let place = |row: &rusqlite::Row<'_>| {
        let method = method_place(row.get(3)?);
        Ok((row.get(0)?, Place { module: row.get(1)?, file: row.get(2)?, method }))
    };
    statement.query_map([], place)?.map(|row| row.map_err(Error::from)).collect()
}

/// Lines under conditions: first, last, and where they compile; by module.
type Conditions = FxHashMap<u32, Vec<(u32, u32, Contexts)>>;

fn conditions(connection: &Connection) -> Result<Conditions> {
    let mut found = Conditions::default();
    let mut statement = connection.prepare("SELECT module, line, end_line, contexts FROM condition")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let contexts = Contexts::from_bits_truncate(row.get(3)?);
        found.entry(row.get(0)?).or_default().push((row.get(1)?, row.get(2)?, contexts));
    }
    Ok(found)
}

/// A method's place from its column `contexts`.
pub(crate) fn method_place(bits: u32) -> MethodPlace {
    MethodPlace { compiles: Contexts::from_bits_truncate((bits & 0xff) as u16), server_call: bits >> 8 & 1 == 1 }
}
