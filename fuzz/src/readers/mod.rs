//! The readers that are tried. One file a reader; adding one is that file and its line in [`ALL`].

mod bsl;
mod container;
mod designer;
mod edt;
mod grammar;
mod query;

use crate::seeds::Seed;
use metadata::Format;

/// A reader of texts that come from outside.
pub trait Reader: Sync {
    /// Its name on the command line.
    fn name(&self) -> &'static str;

    /// Whether a file of a dump holds texts for it.
    fn wants(&self, format: Format, path: &str) -> bool;

    /// The texts for it in a file.
    fn seeds(&self, format: Format, path: &str, bytes: Vec<u8>) -> Vec<Seed>;

    /// Texts that the demo has none of.
    fn own(&self) -> Vec<Seed> {
        Vec::new()
    }

    /// How many times as long as one plain pass over a text its reading may take.
    fn passes(&self) -> u32 {
        1
    }

    /// Reads an input that was made of a seed; gives the rules that what was read breaks.
    fn read(&self, seed: &Seed, input: &[u8]) -> Vec<String>;
}

/// All of them.
pub const ALL: [&dyn Reader; 6] =
    [&designer::Designer, &edt::Edt, &bsl::Bsl, &grammar::Grammar, &query::Query, &container::Containers];

/// The reader of that name.
#[must_use]
pub fn named(name: &str) -> Option<&'static dyn Reader> {
    ALL.into_iter().find(|reader| reader.name() == name)
}

/// Reads a file of a dump; gives the rules that what was read breaks.
fn read_file(format: Format, path: &str, bytes: &[u8]) -> Vec<String> {
    let trial = metadata::try_file(format, path, bytes);
    trial.map_or_else(Vec::new, |trial| trial.broken.into_iter().map(str::to_owned).collect())
}

/// True if the name of a file ends like that, behind a dot.
fn ends_in(path: &str, extensions: &[&str]) -> bool {
    path.rsplit_once('.').is_some_and(|(_, extension)| extensions.contains(&extension))
}
