//! Bytes that wait on disk until their turn comes: what a build read of modules would else be a seventh of its memory.

use crate::{Error, Result};
use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// A file without a name, which goes with whoever holds it.
pub(crate) struct Spool {
    /// The folder that it is in, for messages.
    folder: PathBuf,
    file: Mutex<End>,
}

struct End {
    file: File,
    /// Bytes that were put in.
    length: u64,
}

/// Where something was put.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Place {
    from: u64,
    length: usize,
}

impl Spool {
    /// An empty one in a folder.
    pub fn new(folder: &Path) -> Result<Self> {
        let file = tempfile::tempfile_in(folder).map_err(Error::io(folder))?;
        Ok(Self { folder: folder.to_path_buf(), file: Mutex::new(End { file, length: 0 }) })
    }

    /// Puts bytes in.
    pub fn put(&self, bytes: &[u8]) -> Result<Place> {
        self.locked(|end| {
            end.file.seek(SeekFrom::Start(end.length))?;
            end.file.write_all(bytes)?;
            let place = Place { from: end.length, length: bytes.len() };
            end.length += bytes.len() as u64;
            Ok(place)
        })
    }

    /// The bytes of a place.
    pub fn get(&self, place: Place) -> Result<Vec<u8>> {
        let mut bytes = vec![0; place.length];
        self.locked(|end| {
            end.file.seek(SeekFrom::Start(place.from))?;
            end.file.read_exact(&mut bytes)
        })?;
        Ok(bytes)
    }

    fn locked<T>(&self, act: impl FnOnce(&mut End) -> std::io::Result<T>) -> Result<T> {
        let mut end = self.file.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        act(&mut end).map_err(Error::io(&self.folder))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rayon::prelude::*;

    #[test]
    fn bytes_come_back_in_any_order() {
        let dir = tempfile::tempdir().unwrap();
        let spool = Spool::new(dir.path()).unwrap();
        let bytes = |number: usize| vec![number as u8; number * 37 % 5000];
        let places: Vec<Place> = (0..200).into_par_iter().map(|number| spool.put(&bytes(number)).unwrap()).collect();
        assert!((0..200).into_par_iter().rev().all(|number| spool.get(places[number]).unwrap() == bytes(number)));
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0);
    }
}
