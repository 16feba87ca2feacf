//! Numbers of words, texts and names in a file: given out by a build, looked up by an update.

use super::names::NameRow;
use crate::Result;
use graph::{Confidence, World};
use rusqlite::{Connection, OptionalExtension, params};
use rustc_hash::{FxHashMap, FxHashSet};

/// Confidences by their numbers, which start at 1: the surest first, so that the larger of two is the weaker.
pub(crate) const CONFIDENCES: [Confidence; 5] =
    [Confidence::Exact, Confidence::Typed, Confidence::String, Confidence::Convention, Confidence::Candidate];

pub(crate) fn confidence_id(confidence: Confidence) -> i64 {
    CONFIDENCES.iter().position(|&known| known == confidence).map_or(5, |place| place as i64 + 1)
}

/// Gives the numbers under which a file keeps things; new things are added to it.
pub(crate) trait Numbers {
    /// Of a word of the short vocabulary.
    fn word(&mut self, connection: &Connection, word: &str) -> Result<i64>;
    /// Of a text that is stored once.
    fn text(&mut self, connection: &Connection, text: &str) -> Result<i64>;
    /// Of a full name, by its number in the world.
    fn name(&mut self, connection: &Connection, node: u32) -> Result<u32>;
}

/// Numbers of a file that is being filled: names have those of the world.
#[derive(Default)]
pub(crate) struct Fresh {
    words: FxHashMap<Box<str>, i64>,
    /// By hash: the texts themselves are in the file, a second copy of them all would not fit the memory bound.
    texts: FxHashMap<u64, i64>,
}

impl Numbers for Fresh {
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

    fn name(&mut self, _connection: &Connection, node: u32) -> Result<u32> {
        Ok(node)
    }
}

/// Numbers of a file that was filled from another world.
pub(crate) struct Filled<'w> {
    world: &'w World,
    words: FxHashMap<Box<str>, i64>,
    /// Texts by their hashes: those that rows which are replaced refer to. Others are not looked for, they are added again;
    /// the next whole build takes what nobody refers to any more.
    pub texts: FxHashMap<u64, i64>,
    names: FxHashMap<u32, u32>,
    /// Names behind those of the world, and whether each is a ghost.
    more: Vec<(String, bool)>,
    /// All names of the file by their keys, where most of them are asked for.
    known: Option<FxHashMap<i64, Known>>,
}

/// A name of a file.
#[derive(Clone, Copy)]
struct Known {
    id: u32,
    /// Hash of the name as it is written.
    written: u64,
    ghost: bool,
}

impl<'w> Filled<'w> {
    pub fn new(world: &'w World) -> Self {
        let (words, texts, names) = Default::default();
        Self { world, words, texts, names, more: Vec::new(), known: None }
    }

    /// Takes names that stand behind those of the world, and reads all names of the file.
    pub fn know_names(&mut self, connection: &Connection, more: Vec<(String, bool)>) -> Result<()> {
        self.more = more;
        let mut statement = connection.prepare("SELECT key, id, name, ghost FROM names")?;
        let read = |row: &rusqlite::Row<'_>| {
            let written = crate::names::hash64(row.get_ref(2)?.as_str()?.as_bytes());
            Ok((row.get(0)?, Known { id: row.get(1)?, written, ghost: row.get(3)? }))
        };
        self.known = Some(statement.query_map([], read)?.collect::<rusqlite::Result<_>>()?);
        Ok(())
    }

    /// Reads texts that rows refer to which may be replaced: number and text each.
    pub fn know_texts(&mut self, connection: &Connection, sql: &str) -> Result<()> {
        let mut statement = connection.prepare(sql)?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let key = crate::names::hash64(row.get_ref(1)?.as_str().unwrap_or("").as_bytes());
            self.texts.insert(key, row.get(0)?);
        }
        Ok(())
    }

    /// Puts in every name that something bears now, and makes ghosts of those that nothing does.
    pub fn put_names(&mut self, connection: &Connection) -> Result<()> {
        let all = self.world.names().len() + self.more.len();
        let mut borne = FxHashSet::default();
        for node in 0..u32::try_from(all).unwrap_or(u32::MAX) {
            if !self.named(node).1 {
                borne.insert(self.name(connection, node)?);
            }
        }
        let mut forget = connection.prepare("UPDATE names SET ghost = 1 WHERE id = ?1")?;
        let known = self.known.iter().flat_map(FxHashMap::values);
        for known in known.filter(|known| !known.ghost && !borne.contains(&known.id)) {
            forget.execute([known.id])?;
        }
        Ok(())
    }

    /// A name, and whether it is a ghost.
    fn named(&self, node: u32) -> (&str, bool) {
        let behind = (node as usize).checked_sub(self.world.names().len());
        match behind.and_then(|place| self.more.get(place)) {
            Some((name, ghost)) => (name, *ghost),
            None => (self.world.name(node), false),
        }
    }

    /// The name of that key in the file.
    fn find(&self, connection: &Connection, key: i64, name: &str) -> Result<Option<Known>> {
        if let Some(known) = &self.known {
            return Ok(known.get(&key).copied());
        }
        let mut find = connection.prepare_cached("SELECT id, name, ghost FROM names WHERE key = ?1")?;
        let mut rows = find.query([key])?;
        while let Some(row) = rows.next()? {
            let text = row.get_ref(1)?.as_str().unwrap_or("");
            if bsl::same_name(text, name) {
                let written = crate::names::hash64(text.as_bytes());
                return Ok(Some(Known { id: row.get(0)?, written, ghost: row.get(2)? }));
            }
        }
        Ok(None)
    }
}

impl Numbers for Filled<'_> {
    fn word(&mut self, connection: &Connection, word: &str) -> Result<i64> {
        if let Some(&id) = self.words.get(word) {
            return Ok(id);
        }
        let mut find = connection.prepare_cached("SELECT id FROM words WHERE word = ?1")?;
        let id = match find.query_row([word], |row| row.get(0)).optional()? {
            Some(id) => id,
            None => {
                connection.prepare_cached("INSERT INTO words (word) VALUES (?1)")?.execute([word])?;
                connection.last_insert_rowid()
            }
        };
        self.words.insert(word.into(), id);
        Ok(id)
    }

    fn text(&mut self, connection: &Connection, text: &str) -> Result<i64> {
        let key = crate::names::hash64(text.as_bytes());
        if let Some(&id) = self.texts.get(&key) {
            return Ok(id);
        }
        connection.prepare_cached("INSERT INTO texts (text) VALUES (?1)")?.execute([text])?;
        let id = connection.last_insert_rowid();
        self.texts.insert(key, id);
        Ok(id)
    }

    fn name(&mut self, connection: &Connection, node: u32) -> Result<u32> {
        if let Some(&id) = self.names.get(&node) {
            return Ok(id);
        }
        let (name, ghost) = self.named(node);
        let key = crate::names::key(name);
        let id = match self.find(connection, key, name)? {
            Some(known) => {
                // Only referred to so far, or only by now, or written in another case.
                if known.ghost != ghost || known.written != crate::names::hash64(name.as_bytes()) {
                    let sql = "UPDATE names SET name = ?2, ghost = ?3 WHERE id = ?1";
                    connection.prepare_cached(sql)?.execute(params![known.id, name, ghost])?;
                }
                known.id
            }
            None => {
                let row = NameRow::new(0, name.to_owned());
                let sql = "INSERT INTO names (name, key, trigrams, ghost) VALUES (?1, ?2, ?3, ?4)";
                connection.prepare_cached(sql)?.execute(params![row.name, row.key, row.trigrams, ghost])?;
                u32::try_from(connection.last_insert_rowid()).unwrap_or(u32::MAX)
            }
        };
        self.names.insert(node, id);
        Ok(id)
    }
}
