//! Computed vectors, kept outside the index by (model, text): a rebuilt index, or another configuration with the same
//! library in it, finds its vectors here.
//!
//! One SQLite file a model. A vector is stored as 384 half floats (768 bytes): the loss is far below the model's own noise.

use std::path::{Path, PathBuf};
use std::time::Duration;

use half::f16;
use rusqlite::{Connection, OpenFlags, OptionalExtension, params};
use rustc_hash::FxHashSet;
use sha2::{Digest, Sha256};

/// First 16 bytes of the SHA-256 of a text.
pub type TextHash = [u8; 16];

/// The hash by which a text's vector is kept.
pub fn text_hash(text: &str) -> TextHash {
    let digest = Sha256::digest(text.as_bytes());
    let mut hash = [0; 16];
    hash.iter_mut().zip(digest.iter()).for_each(|(to, from)| *to = *from);
    hash
}

/// Why the cache cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum CacheError {
    /// SQLite's own error.
    #[error("the cache of vectors {path}: {source}")]
    Sqlite {
        /// The cache's file.
        path: PathBuf,
        /// What SQLite said.
        source: rusqlite::Error,
    },
    /// Its folder cannot be made.
    #[error("cannot make {path}: {source}")]
    Folder {
        /// The folder.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
}

/// An open cache of one model. Several processes may read and write it at once.
pub struct Cache {
    connection: Connection,
    path: PathBuf,
}

impl Cache {
    /// Where the cache of a model lies in a cache directory.
    pub fn path(cache_dir: &Path, model_id: &str) -> PathBuf {
        let safe: String =
            model_id.chars().map(|c| if c.is_ascii_alphanumeric() || "-_@.".contains(c) { c } else { '_' }).collect();
        cache_dir.join("vectors").join(format!("{safe}.sqlite"))
    }

    /// Opens, and makes if there is none, the cache of a model.
    ///
    /// # Errors
    /// The folder cannot be made, or the file is no database.
    pub fn open(cache_dir: &Path, model_id: &str) -> Result<Self, CacheError> {
        let path = Self::path(cache_dir, model_id);
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)
                .map_err(|source| CacheError::Folder { path: folder.to_path_buf(), source })?;
        }
        Self::prepare(&path)
            .map(|connection| Self { connection, path: path.clone() })
            .map_err(|source| CacheError::Sqlite { path, source })
    }

    fn prepare(path: &Path) -> rusqlite::Result<Connection> {
        let connection = Connection::open_with_flags(path, OpenFlags::default())?;
        connection.busy_timeout(Duration::from_secs(10))?;
        connection.pragma_update(None, "journal_mode", "WAL")?;
        connection.pragma_update(None, "synchronous", "NORMAL")?;
        connection.execute_batch(
            "CREATE TABLE IF NOT EXISTS vectors (hash BLOB NOT NULL UNIQUE, vector BLOB NOT NULL) STRICT",
        )?;
        Ok(connection)
    }

    fn fail(&self, source: rusqlite::Error) -> CacheError {
        CacheError::Sqlite { path: self.path.clone(), source }
    }

    /// The hashes of all texts whose vectors are known.
    ///
    /// # Errors
    /// SQLite's.
    pub fn known(&self) -> Result<FxHashSet<TextHash>, CacheError> {
        let read = || -> rusqlite::Result<FxHashSet<TextHash>> {
            let mut statement = self.connection.prepare("SELECT hash FROM vectors")?;
            statement.query_map([], |row| row.get::<_, TextHash>(0))?.collect()
        };
        read().map_err(|source| self.fail(source))
    }

    /// The vector of a text, as half floats.
    ///
    /// # Errors
    /// SQLite's.
    pub fn get(&self, hash: &TextHash) -> Result<Option<Vec<f16>>, CacheError> {
        let read = || {
            let mut statement = self.connection.prepare_cached("SELECT vector FROM vectors WHERE hash = ?1")?;
            statement.query_row(params![hash], |row| Ok(halves(row.get_ref(0)?.as_blob()?))).optional()
        };
        read().map_err(|source| self.fail(source))
    }

    /// Keeps vectors, in one transaction. What is known stays as it is.
    ///
    /// # Errors
    /// SQLite's; nothing of the batch is kept then.
    pub fn put(&mut self, vectors: &[(TextHash, Vec<f32>)]) -> Result<(), CacheError> {
        let mut write = || {
            let transaction = self.connection.transaction()?;
            {
                let mut statement =
                    transaction.prepare_cached("INSERT OR IGNORE INTO vectors (hash, vector) VALUES (?1, ?2)")?;
                for (hash, vector) in vectors {
                    let bytes: Vec<u8> = vector.iter().flat_map(|x| f16::from_f32(*x).to_le_bytes()).collect();
                    statement.execute(params![hash, bytes])?;
                }
            }
            transaction.commit()
        };
        write().map_err(|source| CacheError::Sqlite { path: self.path.clone(), source })
    }
}

fn halves(bytes: &[u8]) -> Vec<f16> {
    bytes.as_chunks::<2>().0.iter().map(|pair| f16::from_le_bytes(*pair)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_are_found_again_by_another_opening() {
        let dir = tempfile::tempdir().unwrap();
        let hash = text_hash("проверка срока оплаты");
        let mut cache = Cache::open(dir.path(), "model@1").unwrap();
        assert_eq!(cache.get(&hash).unwrap(), None);
        cache.put(&[(hash, vec![0.25, -0.5])]).unwrap();
        cache.put(&[(hash, vec![9.0, 9.0])]).unwrap();

        let again = Cache::open(dir.path(), "model@1").unwrap();
        assert_eq!(again.get(&hash).unwrap(), Some(vec![f16::from_f32(0.25), f16::from_f32(-0.5)]));
        assert_eq!(again.known().unwrap().len(), 1);
        assert_eq!(Cache::open(dir.path(), "model@2").unwrap().known().unwrap().len(), 0);
    }

    #[test]
    fn a_model_id_is_no_path() {
        let path = Cache::path(Path::new("cache"), "../../etc/x");
        assert_eq!(path, Path::new("cache").join("vectors").join(".._.._etc_x.sqlite"));
    }
}
