//! The world that the rows of an index are of, in a file beside it: `index.7.db-world`.
//!
//! An update reads it whole, and writes it whole if it made another one. In the database it would be written twice, to the log and
//! from there; here it costs a tenth of that. The database holds the mark of the file that belongs to its rows: a file of another
//! mark, or one that is damaged, is none, and the next update makes the world.
//!
//! ```text
//! mark                      16 bytes
//! length, checksum, bytes   u64, u32 for each of: the world, its names, its identifiers
//! ```

use super::input::damaged;
use super::pack;
use crate::{Error, Result};
use graph::names::Names;
use graph::{Settings, World};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

/// What is added to the name of an index file, and to that of one that is being written.
pub(crate) const SUFFIXES: [&str; 2] = ["-world", "-world-new"];
/// Bytes of a mark.
const MARK: usize = 16;

/// What tells a file from those of other times.
pub(crate) type Mark = [u8; MARK];

/// A world that was written, and is not the index's yet: dropped before it is [published](Self::publish), it goes.
#[must_use]
pub(crate) struct Written {
    new: PathBuf,
    file: PathBuf,
    /// What the database must hold.
    pub mark: Mark,
}

impl Written {
    /// Makes it the one of the index.
    pub fn publish(&self) -> Result<()> {
        fs::rename(&self.new, &self.file).map_err(Error::io(&self.file))
    }
}

impl Drop for Written {
    fn drop(&mut self) {
        // It is not there if it was published.
        let _ = fs::remove_file(&self.new);
    }
}

/// Writes a world beside the index file that it belongs to.
pub(crate) fn write(index: &Path, world: &World) -> Result<Written> {
    let [names, idents] = world.stored_names();
    let checked = |bytes: Vec<u8>| (crc32fast::hash(&bytes), bytes);
    let (world, (names, idents)) = rayon::join(
        || postcard::to_allocvec(world).map(checked),
        || (checked(names.to_bytes()), checked(idents.to_bytes())),
    );
    let world = world.map_err(|error| damaged("world")(error.to_string()))?;
    let mark = super::now().as_nanos().to_le_bytes();
    let [file, new] = SUFFIXES.map(|suffix| beside(index, suffix));
    let written = Written { new, file, mark };
    let write = || {
        let mut file = fs::File::create(&written.new)?;
        file.write_all(&mark)?;
        for (checksum, bytes) in [world, names, idents] {
            file.write_all(&(bytes.len() as u64).to_le_bytes())?;
            file.write_all(&checksum.to_le_bytes())?;
            file.write_all(&bytes)?;
        }
        Ok(())
    };
    write().map_err(Error::io(&written.new))?;
    Ok(written)
}

/// The world of an index file, if it is of that mark and made of so many modules; None if it is not there, or damaged.
pub(crate) fn read(index: &Path, mark: &[u8], modules: usize, settings: &Settings) -> Option<World> {
    let [file, _] = SUFFIXES.map(|suffix| beside(index, suffix));
    let bytes = fs::read(file).ok()?;
    let mut rest = bytes.strip_prefix(mark).filter(|_| mark.len() == MARK)?;
    let mut next = || {
        let (length, more) = rest.split_first_chunk()?;
        let (checksum, more) = more.split_first_chunk()?;
        let (part, more) = more.split_at_checked(usize::try_from(u64::from_le_bytes(*length)).ok()?)?;
        rest = more;
        Some((u32::from_le_bytes(*checksum), part))
    };
    let checked = |(checksum, bytes)| (crc32fast::hash(bytes) == checksum).then_some(bytes);
    let (world, names, idents) = (next()?, next()?, next()?);
    let names_of = |part| Names::from_bytes(checked(part)?);
    let (world, (names, idents)) =
        rayon::join(|| pack::read::<World>(checked(world)?).ok(), || (names_of(names), names_of(idents)));
    let (world, names, idents) = (world?, names?, idents?);
    (world.modules().len() == modules).then(|| world.restored([names, idents], settings))
}

fn beside(index: &Path, suffix: &str) -> PathBuf {
    let mut name = index.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_world_comes_back_and_one_that_is_damaged_or_of_another_time_is_none() {
        let dir = tempfile::tempdir().unwrap();
        let index = dir.path().join("index.1.db");
        let configuration = metadata::read(&support::demo()).unwrap();
        let settings = Settings::default();
        let world = World::new(&configuration, &[], &settings);
        let written = write(&index, &world).unwrap();
        let modules = configuration.modules.len();
        assert!(read(&index, &written.mark, modules, &settings).is_none(), "it is not published yet");
        written.publish().unwrap();
        let back = read(&index, &written.mark, modules, &settings).unwrap();
        assert!(back.names().eq(world.names()));
        assert!(read(&index, &[7; MARK], modules, &settings).is_none());
        assert!(read(&index, &[], modules, &settings).is_none());
        assert!(read(&index, &written.mark, modules + 1, &settings).is_none());
        let [file, _] = SUFFIXES.map(|suffix| beside(&index, suffix));
        let bytes = fs::read(&file).unwrap();
        for length in (0..bytes.len()).step_by(101) {
            fs::write(&file, &bytes[..length]).unwrap();
            assert!(read(&index, &written.mark, modules, &settings).is_none(), "{length}");
        }
        for place in (MARK..bytes.len()).step_by(97) {
            let mut other = bytes.clone();
            other[place] ^= 0x55;
            fs::write(&file, &other).unwrap();
            // A few bits tell how to unpack, and several of their values do.
            let same = |back: World| back.names().eq(world.names()) && back.fingerprint() == world.fingerprint();
            assert!(read(&index, &written.mark, modules, &settings).is_none_or(same), "{place}");
        }
    }
}
