//! What an update starts from: kept by every build, so that neither metadata nor all modules need be read again.

use super::insert::EdgeRows;
use super::numbers::Numbers;
use super::pack::{pack, unpack};
use crate::{Error, Result};
use graph::{Edges, Fingerprint, ModuleSummary, World};
use metadata::Configuration;
use rayon::prelude::*;
use rusqlite::{Connection, OptionalExtension, params};
use rustc_hash::FxHashMap;

/// The part of the configuration that edges are derived from: [`graph::sight`].
pub(crate) const CONFIGURATION: &str = "configuration";
/// The edges that it shows, as rows, by the keys of names.
pub(crate) const METADATA_EDGES: &str = "metadata_edges";
/// What summaries decided on in the world that the rows are of.
pub(crate) const FINGERPRINT: &str = "fingerprint";

/// An error of something that could not be packed, or is damaged.
pub(crate) fn damaged(what: &str) -> impl Fn(String) -> Error + '_ {
    move |message| Error::Facts { module: what.to_owned(), message }
}

/// Writes an input.
pub(crate) fn write(connection: &Connection, name: &str, data: &[u8]) -> Result<()> {
    connection.prepare_cached("INSERT OR REPLACE INTO input VALUES (?1, ?2)")?.execute(params![name, data])?;
    Ok(())
}

/// Packs a configuration.
pub(crate) fn pack_configuration(sight: &Configuration) -> Result<Vec<u8>> {
    pack(sight).map_err(damaged(CONFIGURATION))
}

/// Packs edges of metadata.
pub(crate) fn pack_edges(rows: &EdgeRows<i64>) -> Result<Vec<u8>> {
    pack(rows).map_err(damaged(METADATA_EDGES))
}

/// What was kept.
pub(crate) struct Kept {
    pub configuration: Configuration,
    /// By module, packed: what is not another's is compared, not unpacked.
    pub packed: Vec<Vec<u8>>,
    pub summaries: Vec<ModuleSummary>,
}

/// Reads the configuration and the summaries; None if they are not there, or not whole.
pub(crate) fn read(connection: &Connection) -> Result<Option<Kept>> {
    let Some(configuration) = blob(connection, CONFIGURATION)? else { return Ok(None) };
    let mut statement = connection.prepare("SELECT summary FROM module_input ORDER BY module")?;
    let packed: Vec<Vec<u8>> = statement.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
    let (configuration, summaries) = rayon::join(
        || unpack::<Configuration>(&configuration),
        || packed.par_iter().map(|packed| unpack::<ModuleSummary>(packed)).collect::<std::result::Result<Vec<_>, _>>(),
    );
    let (Ok(configuration), Ok(summaries)) = (configuration, summaries) else { return Ok(None) };
    let whole = configuration.modules.len() == summaries.len();
    Ok(whole.then_some(Kept { configuration, packed, summaries }))
}

/// The edges of metadata as they were written; None if they are damaged.
pub(crate) fn edges(connection: &Connection) -> Result<Option<EdgeRows<i64>>> {
    Ok(blob(connection, METADATA_EDGES)?.and_then(|packed| unpack(&packed).ok()))
}

/// The fingerprint of the world that the rows are of.
pub(crate) fn fingerprint(connection: &Connection) -> Result<Fingerprint> {
    Ok(Fingerprint::from_bytes(&blob(connection, FINGERPRINT)?.unwrap_or_default()))
}

fn blob(connection: &Connection, name: &str) -> Result<Option<Vec<u8>>> {
    let mut statement = connection.prepare("SELECT data FROM input WHERE name = ?1")?;
    Ok(statement.query_row([name], |row| row.get(0)).optional()?)
}

/// The edges that metadata shows, as they are kept: in order, each once.
pub(crate) fn keyed(
    connection: &Connection,
    numbers: &mut dyn Numbers,
    edges: &Edges,
    keys: &FxHashMap<u32, i64>,
) -> Result<EdgeRows<i64>> {
    let mut rows = EdgeRows::default();
    rows.add_keyed(connection, numbers, edges, |node| keys.get(&node).copied().unwrap_or(0))?;
    rows.sort();
    rows.open.dedup();
    Ok(rows)
}

/// The keys of the things that edges link.
pub(crate) fn keys(world: &World, edges: &Edges) -> FxHashMap<u32, i64> {
    let ends = edges.edges.iter().flat_map(|edge| [edge.source, edge.target]);
    let nodes = ends.chain(edges.halves.iter().map(|half| half.node)).chain(edges.dynamic.iter().map(|site| site.node));
    let mut keys = FxHashMap::default();
    for node in nodes {
        keys.entry(node).or_insert_with(|| crate::names::key(world.name(node)));
    }
    keys
}
