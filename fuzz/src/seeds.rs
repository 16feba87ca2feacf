//! Genuine files that inputs are made of.

use crate::readers::Reader;
use crate::rng::Rng;
use crate::syntax::Syntax;
use metadata::ReadError;
use std::path::Path;

/// Longer files are left out: small ones show the same, in less time.
const LONGEST: usize = 96 << 10;
/// So many bytes of seeds are kept, chosen at random.
const MOST: usize = 48 << 20;

/// A genuine text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seed {
    /// Path of its file in a dump.
    pub path: String,
    /// How it is written.
    pub syntax: Syntax,
    /// The file that it is put into to be read, if it is only a part of one.
    pub around: Option<Vec<u8>>,
    /// The text.
    pub bytes: Vec<u8>,
}

impl Seed {
    /// The text of a whole file.
    #[must_use]
    pub fn whole(path: &str, syntax: Syntax, bytes: Vec<u8>) -> Self {
        Self { path: path.to_owned(), syntax, around: None, bytes }
    }
}

/// The seeds of a reader.
#[derive(Debug, Default)]
pub struct Seeds {
    /// In the order of their paths.
    pub all: Vec<Seed>,
}

impl Seeds {
    /// The seeds that a reader finds in dumps: paths of dumps, or of folders around them.
    ///
    /// # Errors
    /// If one of the paths is no dump.
    pub fn of(reader: &dyn Reader, dumps: &[impl AsRef<Path>]) -> Result<Self, ReadError> {
        let mut all = reader.own();
        for path in dumps {
            for dump in metadata::detect_layers(path.as_ref(), &[], &[])? {
                let metadata::Listing { files, .. } = dump.files(&metadata::Known::default())?;
                for file in files.iter().filter(|file| file.size <= (LONGEST as u64) * 4) {
                    let place = dump.place_path(&file.path);
                    if reader.wants(dump.format, &place)
                        && let Ok(bytes) = std::fs::read(dump.root.join(&*file.path))
                    {
                        all.extend(reader.seeds(dump.format, &place, bytes));
                    }
                }
            }
        }
        all.retain(|seed| !seed.bytes.is_empty() && seed.bytes.len() <= LONGEST);
        all.sort_by(|a, b| (&a.path, &a.bytes).cmp(&(&b.path, &b.bytes)));
        all.dedup_by(|a, b| a.bytes == b.bytes && a.syntax == b.syntax);
        let mut rng = Rng::of(0, 0);
        let mut size: usize = all.iter().map(|seed| seed.bytes.len()).sum();
        while size > MOST {
            size -= all.swap_remove(rng.below(all.len())).bytes.len();
        }
        Ok(Self { all })
    }
}
