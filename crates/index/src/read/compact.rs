//! The compact graph: read once an index, and only where an answer walks.

use super::graph::{ALL_EDGES, EdgeRow};
use super::{Index, NameId};
use crate::Result;
use bsl::Contexts;
use graph::contexts;
use graph::paths::{Arc, Direction, Graph};
use rustc_hash::FxHashMap;
use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

/// What was read of the compact graph so far.
#[derive(Default)]
pub(crate) struct Compact {
    callers: OnceCell<Rc<Graph>>,
    callees: OnceCell<Rc<Graph>>,
    /// Words of the channels, by their numbers in the graph.
    channels: OnceCell<Rc<[Rc<str>]>>,
}

impl Index {
    /// The graph for walks of a direction.
    pub(crate) fn graph(&self, direction: Direction) -> Result<Rc<Graph>> {
        let cell = match direction {
            Direction::Callers => &self.compact.callers,
            Direction::Callees => &self.compact.callees,
        };
        if let Some(graph) = cell.get() {
            return Ok(Rc::clone(graph));
        }
        let graph = match direction {
            Direction::Callees => self.graph(Direction::Callers)?.reversed(),
            Direction::Callers => match self.stored_graph()? {
                Some(graph) => graph,
                None => self.graph_of_rows()?,
            },
        };
        Ok(Rc::clone(cell.get_or_init(|| Rc::new(graph))))
    }

    fn stored_graph(&self) -> Result<Option<Graph>> {
        let read = |row: &rusqlite::Row<'_>| Ok(row.get_ref(0)?.as_blob().ok().and_then(Graph::from_bytes));
        let found = self.rows("SELECT data FROM compact WHERE name = 'edges'", [], read)?;
        Ok(found.into_iter().next().flatten())
    }

    /// The same from the rows themselves, without what calls cross: where the stored bytes are damaged.
    fn graph_of_rows(&self) -> Result<Graph> {
        let words = self.channel_words()?;
        let mut numbers: FxHashMap<i64, u16> = FxHashMap::default();
        for (number, word) in (0_u16..).zip(words.iter()) {
            let ids = self.rows("SELECT id FROM words WHERE word = ?1", [&**word], |row| row.get(0))?;
            numbers.extend(ids.into_iter().map(|id| (id, number)));
        }
        let arcs = self.rows(ALL_EDGES, [], |row| {
            let channel = numbers.get(&row.get::<_, i64>(2)?).copied().unwrap_or(u16::MAX);
            let (file, line) = (row.get(4)?, row.get(5)?);
            let (source, target, confidence) = (row.get(0)?, row.get(1)?, row.get(3)?);
            Ok(Arc { source, target, channel, confidence, file, line, ..Arc::default() })
        })?;
        Ok(Graph::new(arcs, Direction::Callers))
    }

    /// Words of the channels, by their numbers in the compact graph.
    pub(crate) fn channel_words(&self) -> Result<Rc<[Rc<str>]>> {
        if let Some(words) = self.compact.channels.get() {
            return Ok(Rc::clone(words));
        }
        let blobs: Vec<Vec<u8>> =
            self.rows("SELECT data FROM compact WHERE name = 'channels'", [], |row| row.get(0))?;
        let ids = blobs.iter().flat_map(|blob| blob.chunks_exact(8)).map(|eight| {
            let mut bytes = [0; 8];
            bytes.copy_from_slice(eight);
            i64::from_le_bytes(bytes)
        });
        let words: Rc<[Rc<str>]> = ids.map(|id| self.word(id)).collect::<Result<Vec<_>>>()?.into();
        Ok(Rc::clone(self.compact.channels.get_or_init(|| words)))
    }

    /// Whether an edge's channel is one of some words.
    pub(crate) fn channel_filter(&self, wanted: &[impl AsRef<str>]) -> Result<Vec<bool>> {
        let words = self.channel_words()?;
        Ok(words.iter().map(|word| wanted.iter().any(|one| one.as_ref() == &**word)).collect())
    }
}

/// Turns edges into rows; a name that comes again is looked up once.
pub(crate) struct Rows<'a> {
    index: &'a Index,
    channels: Rc<[Rc<str>]>,
    confidences: RefCell<FxHashMap<u8, Rc<str>>>,
    names: RefCell<FxHashMap<NameId, Rc<str>>>,
    files: RefCell<FxHashMap<u32, Rc<str>>>,
}

impl<'a> Rows<'a> {
    pub fn new(index: &'a Index) -> Result<Self> {
        let (confidences, names, files) = Default::default();
        Ok(Self { index, channels: index.channel_words()?, confidences, names, files })
    }

    pub fn name(&self, id: NameId) -> Result<Rc<str>> {
        remember(&self.names, id, || self.index.full_name(id).map(Into::into))
    }

    pub fn file(&self, id: u32) -> Result<Rc<str>> {
        remember(&self.files, id, || self.index.file(id).map(Into::into))
    }

    pub fn channel(&self, arc: &Arc) -> &str {
        self.channels.get(usize::from(arc.channel)).map_or("", |word| word)
    }

    pub fn confidence(&self, rank: u8) -> Result<Rc<str>> {
        // Confidences are the first words of every index, the surest first.
        remember(&self.confidences, rank, || self.index.word(rank.into()))
    }

    pub fn edge(&self, arc: &Arc, depth: u32) -> Result<EdgeRow> {
        let missing = Contexts::from_bits_truncate(arc.crossing.missing.into());
        Ok(EdgeRow {
            source: self.name(arc.source)?.to_string(),
            target: self.name(arc.target)?.to_string(),
            channel: self.channel(arc).to_owned(),
            confidence: self.confidence(arc.confidence)?.to_string(),
            file: self.file(arc.file)?.to_string(),
            line: arc.line,
            depth,
            cycle: false,
            crosses: arc.crossing.to_server,
            missing_in: contexts::words(missing).into_iter().map(str::to_owned).collect(),
            impossible: arc.crossing.impossible,
        })
    }
}

fn remember<K: std::hash::Hash + Eq + Copy>(
    known: &RefCell<FxHashMap<K, Rc<str>>>,
    key: K,
    find: impl FnOnce() -> Result<Rc<str>>,
) -> Result<Rc<str>> {
    if let Some(text) = known.borrow().get(&key) {
        return Ok(Rc::clone(text));
    }
    let text = find()?;
    known.borrow_mut().insert(key, Rc::clone(&text));
    Ok(text)
}
