//! Numbers of words, texts and names in a file: given out by a build, looked up by an update.

use super::names::NameRow;
use crate::Result;
use graph::{Confidence, World};
use rusqlite::{Connection, OptionalExtension, params};
use rustc_hash::FxHashMap;

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
}

impl<'w> Filled<'w> {
    pub fn new(world: &'w World) -> Self {
        Self { world, words: FxHashMap::default(), texts: FxHashMap::default(), names: FxHashMap::default() }
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
        let name = self.world.name(node);
        let row = NameRow::new(0, name.to_owned());
        let mut find = connection.prepare_cached("SELECT id, name, ghost FROM names WHERE key = ?1")?;
        let mut found = None;
        let mut rows = find.query([row.key])?;
        while let Some(known) = rows.next()? {
            let text = known.get_ref(1)?.as_str().unwrap_or("");
            if bsl::same_name(text, name) {
                found = Some((known.get::<_, u32>(0)?, text == name && !known.get::<_, bool>(2)?));
                break;
            }
        }
        let id = match found {
            Some((id, true)) => id,
            // Only referred to so far, or written in another case.
            Some((id, false)) => {
                let sql = "UPDATE names SET name = ?2, ghost = 0 WHERE id = ?1";
                connection.prepare_cached(sql)?.execute(params![id, name])?;
                id
            }
            None => {
                let sql = "INSERT INTO names (name, key, trigrams, ghost) VALUES (?1, ?2, ?3, 0)";
                connection.prepare_cached(sql)?.execute(params![row.name, row.key, row.trigrams])?;
                u32::try_from(connection.last_insert_rowid()).unwrap_or(u32::MAX)
            }
        };
        self.names.insert(node, id);
        Ok(id)
    }
}
