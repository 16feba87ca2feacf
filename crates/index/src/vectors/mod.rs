//! Vectors: search by meaning.

mod words;

pub mod background;
pub mod cache;
pub mod corpus;
pub mod file;
pub mod model;
pub mod supervise;
pub mod texts;
pub mod worker;

pub use words::split_name;

use std::path::{Path, PathBuf};

/// Where the vectors of an index lie, given the file of one of its generations: `index.7.db` -> `index.vectors`. All
/// generations share them: rows are found by full name, texts by hash.
#[must_use]
pub fn path_beside(generation: &Path) -> PathBuf {
    let stem = generation.file_stem().unwrap_or_default().to_string_lossy();
    let name = match stem.rsplit_once('.') {
        Some((name, number)) if !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()) => name,
        _ => stem.as_ref(),
    };
    generation.with_file_name(format!("{name}.vectors"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generations_share_their_vectors() {
        for file in ["a/index.db", "a/index.7.db", "a/index.120.db"] {
            assert_eq!(path_beside(Path::new(file)), Path::new("a").join("index.vectors"), "{file}");
        }
        assert_eq!(path_beside(Path::new("проект.v2.db")), Path::new("проект.v2.vectors"));
    }
}
