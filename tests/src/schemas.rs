//! Report schemas for tests: those of the demo, and genuine ones of the real configurations.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use crate::{demo, demo_edt, require_corpus};

/// Corpora that hold report schemas, each with the folder in it that is genuine.
const CORPORA: &[(&str, &str)] = &[("dcs", "reference"), ("ssl_3_1", ""), ("ssl_3_1_edt", ""), ("barbershop", "")];

/// A report schema of a test.
#[derive(Clone, Debug)]
pub struct SchemaFile {
    /// Where it lies.
    pub path: PathBuf,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// The schemas of the demo configuration, in both formats.
#[must_use]
pub fn demo_schemas() -> Vec<SchemaFile> {
    let mut found = schemas_in(&demo());
    found.extend(schemas_in(&demo_edt()));
    found
}

/// Genuine schemas, each text once, sorted by path.
///
/// # Panics
/// If a corpus can't be had.
#[must_use]
pub fn genuine_schemas() -> Vec<SchemaFile> {
    let mut found = Vec::new();
    for &(name, folder) in CORPORA {
        let root = require_corpus(name);
        // The archive holds one folder; which one is not ours to say.
        let inside = walkdir::WalkDir::new(&root).max_depth(3).into_iter().flatten().map(walkdir::DirEntry::into_path);
        let root = inside.into_iter().find(|path| !folder.is_empty() && path.ends_with(folder)).unwrap_or(root);
        found.extend(schemas_in(&root));
    }
    let mut seen = HashSet::new();
    found.retain(|file| seen.insert(file.bytes.clone()));
    found
}

/// Files under a folder that are named as templates are and begin as schemas do.
#[must_use]
pub fn schemas_in(root: &Path) -> Vec<SchemaFile> {
    let is_named = |path: &Path| {
        path.extension().is_some_and(|extension| extension == "dcs")
            || path.file_name().is_some_and(|n| n == "Template.xml")
    };
    let entries = walkdir::WalkDir::new(root).sort_by_file_name().into_iter().flatten();
    let files = entries.map(walkdir::DirEntry::into_path).filter(|path| is_named(path));
    let read = files.filter_map(|path| Some(SchemaFile { bytes: std::fs::read(&path).ok()?, path }));
    let is_schema = |file: &SchemaFile| {
        let head = &file.bytes[..file.bytes.len().min(2000)];
        String::from_utf8_lossy(head).contains("<DataCompositionSchema")
    };
    read.filter(is_schema).collect()
}
