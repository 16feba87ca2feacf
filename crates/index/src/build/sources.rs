//! Which dumps an index is made of: the main one, extensions, external processors. An index remembers them.

use crate::read::{Index, open_read_only};
use crate::{Error, Result};
use metadata::{Detected, External, Format, Kind, Known, Layer, LayerId, LayerKind, Listing, SourceFile};
use rusqlite::{Connection, OptionalExtension};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// Key of the remembered paths in `meta`.
const REMEMBERED: &str = "layer_paths";

/// What is indexed beside the dump that is named first.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LayerPaths {
    /// Extensions, in the order in which they were added.
    pub extensions: Vec<PathBuf>,
    /// External processors and reports: a description, or a folder with some.
    pub external: Vec<PathBuf>,
}

impl LayerPaths {
    fn absolute(self) -> Result<Self> {
        let all = |paths: Vec<PathBuf>| paths.iter().map(|path| absolute(path)).collect::<Result<Vec<_>>>();
        Ok(Self { extensions: all(self.extensions)?, external: all(self.external)? })
    }
}

fn absolute(path: &Path) -> Result<PathBuf> {
    std::path::absolute(path).map_err(Error::io(path))
}

/// The layers of an index, and the paths that lead to them.
pub(crate) struct Sources {
    pub layers: Vec<Detected>,
    pub paths: LayerPaths,
}

impl Sources {
    /// Looks where paths lead to. Without `paths`, those that the index `current` remembers count.
    pub fn find(project: &Path, paths: Option<&LayerPaths>, current: Option<&Path>) -> Result<Self> {
        let remembered = || current.and_then(|file| remembered(&open_read_only(file).ok()?));
        let paths = paths.cloned().or_else(remembered).unwrap_or_default().absolute()?;
        let mut layers = metadata::detect_layers(project, &paths.extensions, &paths.external)?;
        for layer in &mut layers {
            // The same dump may be named from another folder next time.
            layer.root = absolute(&layer.root)?;
        }
        Ok(Self { layers, paths })
    }

    /// The folder of the first layer.
    pub fn root(&self) -> &Path {
        self.layers.first().map_or(Path::new(""), |layer| &layer.root)
    }

    /// What stands in `meta` for the next time.
    pub fn meta(&self) -> (String, String) {
        (REMEMBERED.to_owned(), serde_json::to_string(&self.paths).unwrap_or_default())
    }

    /// The layers of an index, and their names.
    pub fn of(index: &Index) -> Result<Vec<(String, Detected)>> {
        let sql = "SELECT name, kind, root, format, stem FROM layer ORDER BY id";
        index.rows(sql, [], |row| {
            let kind = match &*row.get::<_, String>(1)? {
                "extension" => LayerKind::Extension,
                "external" => LayerKind::External,
                _ => LayerKind::Main,
            };
            let format = if row.get::<_, String>(3)? == "edt" { Format::Edt } else { Format::Designer };
            let name: String = row.get(0)?;
            let root = PathBuf::from(row.get::<_, String>(2)?);
            let external = row.get::<_, Option<String>>(4)?.and_then(|stem| {
                // One whose description is gone has no files that could be the same.
                let gone = |kind| External { kind, stem: stem.clone(), name: name.as_str().into(), prefix: None };
                External::at(&root, format, &stem).or_else(|| Kind::named("ExternalDataProcessor").map(gone))
            });
            Ok((name, Detected { root, format, kind, external }))
        })
    }

    /// Whether an index is made of these layers.
    pub fn are_of(&self, known: &[(String, Detected)]) -> bool {
        let key = |layer: &Detected| {
            (layer.root.clone(), layer.format, layer.kind, layer.external.as_ref().map(|e| e.stem.clone()))
        };
        self.layers.iter().map(key).eq(known.iter().map(|(_, layer)| key(layer)))
    }
}

fn remembered(connection: &Connection) -> Option<LayerPaths> {
    let mut statement = connection.prepare("SELECT value FROM meta WHERE key = ?1").ok()?;
    let text: Option<String> = statement.query_row([REMEMBERED], |row| row.get(0)).optional().ok()?;
    serde_json::from_str(&text?).ok()
}

/// The files of layers as a configuration lists them; of the first layer with what is `known` of it.
pub(crate) fn files(layers: &[(String, Detected)], known: &Known<'_>) -> Result<Listing> {
    let mut all = Listing::default();
    let nothing = Known::default();
    for (place, (name, layer)) in (0_u16..).zip(layers) {
        let Listing { files, folders, problems } = layer.files(if place == 0 { known } else { &nothing })?;
        let layer = LayerId(place);
        let shown = |path: &str| Layer::shown_path(name, layer, path);
        all.files.extend(files.into_iter().map(|file| SourceFile { path: shown(&file.path).into(), layer, ..file }));
        all.problems.extend(problems);
        if place == 0 {
            all.folders = folders;
        }
    }
    Ok(all)
}

/// The word of a kind of layer.
pub(crate) fn kind_word(kind: LayerKind) -> &'static str {
    match kind {
        LayerKind::Main => "main",
        LayerKind::Extension => "extension",
        LayerKind::External => "external",
    }
}

/// The word of a format.
pub(crate) fn format_word(format: Format) -> &'static str {
    match format {
        Format::Designer => "designer",
        Format::Edt => "edt",
    }
}
