//! What an update starts from: kept by every build, so that neither metadata nor all modules need be read again.

use super::insert::EdgeRows;
use super::numbers::Numbers;
use super::pack::{self, pack, unpack};
use super::stored_world;
use crate::{Error, Result};
use graph::{Edges, Fingerprint, ModuleSummary, Settings, World};
use metadata::Configuration;
use rayon::prelude::*;
use rusqlite::{Connection, OptionalExtension, params};
use rustc_hash::FxHashMap;
use std::path::Path;

/// The part of the configuration that edges are derived from: [`graph::sight`]. Its forms are half of it, and stand beside it.
const CONFIGURATION: [&str; 2] = ["configuration", "forms"];
/// The mark of the world that the rows are of.
pub(crate) const WORLD: &str = "world";
/// The edges that it shows, as rows, by the keys of names.
pub(crate) const METADATA_EDGES: &str = "metadata_edges";
/// What errors of summaries name.
const SUMMARIES: &str = "summaries";
/// An error of something that could not be packed, or is damaged.
pub(crate) fn damaged(what: &str) -> impl Fn(String) -> Error + '_ {
    move |message| Error::Facts { module: what.to_owned(), message }
}

/// Writes an input.
pub(crate) fn write(connection: &Connection, name: &str, data: &[u8]) -> Result<()> {
    connection.prepare_cached("INSERT OR REPLACE INTO input VALUES (?1, ?2)")?.execute(params![name, data])?;
    Ok(())
}

/// Packs a configuration, which is the same afterwards: inputs by name.
pub(crate) fn pack_configuration(sight: &mut Configuration) -> Result<[(&'static str, Vec<u8>); 2]> {
    let [name, forms_name] = CONFIGURATION;
    let forms = std::mem::take(&mut sight.forms);
    let (rest, packed) = rayon::join(|| pack(&*sight), || pack(&forms));
    sight.forms = forms;
    Ok([(name, rest.map_err(damaged(name))?), (forms_name, packed.map_err(damaged(forms_name))?)])
}

/// Packs edges of metadata.
pub(crate) fn pack_edges(rows: &EdgeRows<i64>) -> Result<Vec<u8>> {
    pack(rows).map_err(damaged(METADATA_EDGES))
}

/// What was kept.
pub(crate) struct Kept {
    pub configuration: Configuration,
    /// The edges that metadata showed: in order, each once.
    pub edges: EdgeRows<i64>,
}

/// Reads the configuration and its edges, and does something `beside`; None if they are not there, or damaged.
pub(crate) fn read<T: Send>(connection: &Connection, beside: impl FnOnce() -> T + Send) -> Result<Option<(Kept, T)>> {
    let blobs = [CONFIGURATION[0], CONFIGURATION[1], METADATA_EDGES].map(|name| blob(connection, name));
    let [Some(rest), Some(forms), Some(edges)] = blobs.map(Result::transpose) else { return Ok(None) };
    let (rest, forms, edges) = (rest?, forms?, edges?);
    let ((rest, forms), (done, edges)) = rayon::join(
        || rayon::join(|| unpack::<Configuration>(&rest), || unpack(&forms)),
        || (beside(), unpack(&edges)),
    );
    let (Ok(rest), Ok(forms), Ok(edges)) = (rest, forms, edges) else { return Ok(None) };
    Ok(Some((Kept { configuration: Configuration { forms, ..rest }, edges }, done)))
}

/// The configuration, without its list of files; None if it is not there, or damaged.
pub(crate) fn configuration(connection: &Connection) -> Result<Option<Configuration>> {
    Ok(read(connection, || ())?.map(|(kept, ())| kept.configuration))
}

/// The world that the rows of an index file are of, if it is [stored](stored_world) and is made of so many modules; None otherwise.
pub(crate) fn stored(
    connection: &Connection,
    file: &Path,
    modules: usize,
    settings: &Settings,
) -> Result<Option<World>> {
    let mark = blob(connection, WORLD)?.unwrap_or_default();
    Ok(stored_world::read(file, &mark, modules, settings))
}

/// The same made of the summaries that are kept; None if one is missing.
pub(crate) fn made(
    connection: &Connection,
    configuration: &Configuration,
    settings: &Settings,
) -> Result<Option<World>> {
    let mut packed = packed_summaries(connection)?;
    let in_order = configuration.modules.iter().map(|module| packed.remove(&module.file.0));
    let Some(packed) = in_order.collect::<Option<Vec<_>>>() else { return Ok(None) };
    world(configuration, packed.par_iter().map(Vec::as_slice), settings).map(Some)
}

/// The summaries of all modules, packed, by their files.
pub(crate) fn packed_summaries(connection: &Connection) -> Result<FxHashMap<u32, Vec<u8>>> {
    let mut statement = connection.prepare("SELECT file, summary FROM module_input")?;
    Ok(statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect::<rusqlite::Result<_>>()?)
}

/// What every module tells others, read from its packed summary; the world is made of it.
pub(crate) fn world<'a>(
    configuration: &Configuration,
    packed: impl IndexedParallelIterator<Item = &'a [u8]>,
    settings: &Settings,
) -> Result<World> {
    // Half a million words: they stay where they are unpacked.
    let plain = |packed| pack::plain(packed).map_err(damaged(SUMMARIES));
    let (world, plain) =
        rayon::join(|| World::of_metadata(configuration, settings), || packed.map(plain).collect::<Result<Vec<_>>>());
    let plain = plain?;
    let read = |plain| pack::read::<ModuleSummary<'_>>(plain).map_err(damaged(SUMMARIES));
    let summaries = plain.par_iter().map(|plain| read(plain)).collect::<Result<Vec<_>>>()?;
    let world = world.with_modules(configuration, &summaries);
    // Half a million small things.
    summaries.into_par_iter().for_each(drop);
    Ok(world)
}

/// Writes the fingerprint of a world, those of its parts that are not there yet; gives what is different in it from the one that
/// was there: in order.
pub(crate) fn put_fingerprint(connection: &Connection, new: &Fingerprint) -> Result<Vec<u32>> {
    let mut find = connection.prepare_cached("SELECT marks FROM fingerprint WHERE part = ?1")?;
    let mut put = connection.prepare_cached("INSERT OR REPLACE INTO fingerprint VALUES (?1, ?2)")?;
    let mut changed = Vec::new();
    for (number, part) in (0_u32..).zip(new.parts()) {
        let bytes = part.to_bytes();
        let old: Option<Vec<u8>> = find.query_row([number], |row| row.get(0)).optional()?;
        if old.as_ref() != Some(&bytes) {
            changed.extend(part.changed(&Fingerprint::from_bytes(&old.unwrap_or_default())));
            put.execute(params![number, bytes])?;
        }
    }
    Ok(changed)
}

fn blob(connection: &Connection, name: &str) -> Result<Option<Vec<u8>>> {
    let mut statement = connection.prepare("SELECT data FROM input WHERE name = ?1")?;
    Ok(statement.query_row([name], |row| row.get(0)).optional()?)
}

/// The edges that metadata shows, as they are kept: in order, each once. `key` gives the key of a thing's full name.
pub(crate) fn keyed(
    connection: &Connection,
    numbers: &mut dyn Numbers,
    edges: &Edges,
    key: impl FnMut(u32) -> i64,
) -> Result<EdgeRows<i64>> {
    let mut rows = EdgeRows::default();
    rows.add_keyed(connection, numbers, edges, key)?;
    rows.sort();
    rows.open.dedup();
    Ok(rows)
}

/// The keys of the things that edges link.
pub(crate) fn keys(world: &World, edges: &Edges) -> FxHashMap<u32, i64> {
    let ends = edges.edges.iter().flat_map(|edge| [edge.source, edge.target]);
    let nodes = ends.chain(edges.halves.iter().map(|half| half.node)).chain(edges.dynamic.iter().map(|site| site.node));
    nodes.map(|node| (node, key(world, node))).collect()
}

/// The key of the name of a node.
pub(crate) fn key(world: &World, node: u32) -> i64 {
    world.name_hash(node).cast_signed()
}
