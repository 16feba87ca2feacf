//! The real configurations themselves: every archive unpacks, and the library is the one that the figures speak of.

use std::path::Path;
use support::Corpus;

#[test]
#[ignore = "corpus"]
fn every_archive_unpacks_into_files() {
    let corpus = Corpus::find().expect("a folder of real configurations");
    let archives = corpus.archives();
    assert!(!archives.is_empty(), "{} holds no archive", corpus.folder().display());
    for name in archives {
        let root = corpus.unpacked(&name).unwrap();
        assert!(count(&root, "") > 0, "{name} is empty");
    }
}

#[test]
#[ignore = "corpus"]
fn the_library_is_whole() {
    let root = support::require_corpus("ssl_3_1").join("src/cf");
    assert!(root.join("Configuration.xml").is_file());
    assert_eq!(count(&root, ".bsl"), 2197);
}

/// Files whose name ends so.
fn count(dir: &Path, ending: &str) -> usize {
    let entries = std::fs::read_dir(dir).expect("a readable folder").map(|entry| entry.expect("a readable entry"));
    let files = entries.map(|entry| match entry.file_type() {
        Ok(kind) if kind.is_dir() => count(&entry.path(), ending),
        _ => usize::from(entry.file_name().to_string_lossy().ends_with(ending)),
    });
    files.sum()
}
