//! The layers of a project: a main configuration, its extensions, external processors and reports.
//!
//! An external processor is dumped as one description, `X.xml`, with a folder `X` beside it; a folder may hold several.
//! Its files stand where those of a kind of the top level would: `X/Ext/ObjectModule.bsl` is read as
//! `ExternalDataProcessors/<Name>/Ext/ObjectModule.bsl`, since the file may bear another name than the processor.

use crate::detect::{Detected, ReadError, detect, head};
use crate::kinds::Kind;
use crate::listing::{Known, Listing, list, list_files, list_folder};
use crate::model::Text;
use crate::model::configuration::{ConfigurationProperties, Format, Layer, LayerKind, SourceFile};
use crate::model::problem::Problem;
use crate::place::{Part, Place};
use std::borrow::Cow;
use std::path::{Path, PathBuf};

/// Which external processor or report a dump is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct External {
    /// `ExternalDataProcessor` or `ExternalReport`.
    pub kind: Kind,
    /// Path of its folder, relative to the root: the name of the description without `.xml`; in a project of EDT
    /// `src/ExternalDataProcessors/X`.
    pub stem: String,
    /// Own name.
    pub name: Text,
    /// What the names of its files begin with if they lie beside the description, in the flat layout (`X.Form.Ф.xml`).
    pub prefix: Option<String>,
}

/// Kinds of external processors.
const KINDS: [&str; 2] = ["ExternalDataProcessor", "ExternalReport"];

impl External {
    /// The external processor of that [`stem`](Self::stem) in a folder; None if it isn't there.
    #[must_use]
    pub fn at(root: &Path, format: Format, stem: &str) -> Option<Self> {
        let file = match format {
            Format::Designer => format!("{stem}.xml"),
            Format::Edt => format!("{stem}/{}.mdo", stem.rsplit('/').next().unwrap_or(stem)),
        };
        external_in(&root.join(file))?.external
    }

    /// The path that a file beside the description has in the flat layout of a configuration; None if it belongs to something else.
    fn flat<'a>(&self, prefix: &str, path: &'a str) -> Option<Cow<'a, str>> {
        let rest = path.strip_prefix(prefix)?.strip_prefix('.')?;
        let path = format!("{}.{}.{rest}", self.kind, self.name);
        let place = Place::of(&path)?;
        // The description has a name of its own, and there is no other one.
        let is_own = place.owner.len() > 1 || place.part != Part::Description;
        is_own.then(|| path.into())
    }

    /// Finds out whether its files lie beside the description. No document says how the platform names them; what is known of
    /// dumps that people published, and of the flat layout of configurations, counts.
    fn find_prefix(&self, root: &Path) -> Option<String> {
        if root.join(&self.stem).is_dir() {
            return None;
        }
        let mut prefixes = vec![format!("{}.{}", self.kind, self.name), self.name.to_string(), self.stem.clone()];
        prefixes.dedup();
        let entries = std::fs::read_dir(root).ok()?.flatten();
        let names: Vec<String> = entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        prefixes.into_iter().find(|prefix| names.iter().any(|name| self.flat(prefix, name).is_some()))
    }
}

/// Folders are looked into this deep for external processors.
const DEPTH: usize = 6;
/// More descriptions than this are not looked at.
const MOST_FILES: usize = 20_000;

/// The layers that paths lead to: the dump of `base`, extensions in the order in which they apply (fixes, then adaptations,
/// then additions; within a purpose as given), and the external processors at or below each path of `external`. A `base`
/// that holds external processors and no configuration stands for all of them.
///
/// # Errors
/// [`ReadError`] of the first path that leads to no dump.
pub fn detect_layers(base: &Path, extensions: &[PathBuf], external: &[PathBuf]) -> Result<Vec<Detected>, ReadError> {
    let first = detect(base)?;
    let mut layers = match first.kind {
        LayerKind::External if base.is_dir() => externals(base),
        _ => vec![first],
    };
    let mut more = extensions.iter().map(|path| detect(path)).collect::<Result<Vec<_>, _>>()?;
    more.sort_by_cached_key(|extension| rank(&purpose_in(extension)));
    layers.extend(more);
    for path in external {
        let found = if path.is_dir() { externals(path) } else { Vec::new() };
        if found.is_empty() { layers.push(detect(path)?) } else { layers.extend(found) }
    }
    let mut seen = Vec::new();
    layers.retain(|layer| {
        let key = (layer.root.clone(), layer.external.as_ref().map(|external| external.stem.clone()));
        let new = !seen.contains(&key);
        seen.push(key);
        new
    });
    Ok(layers)
}

/// When extensions of a purpose apply: what applies later stands around what applied before.
fn rank(purpose: &str) -> u8 {
    match purpose {
        "Patch" => 0,
        "Customization" => 1,
        _ => 2,
    }
}

/// The purpose of an extension, from the head of its description.
fn purpose_in(extension: &Detected) -> String {
    let text = match extension.format {
        Format::Designer => head(&extension.root.join("Configuration.xml")),
        Format::Edt => head(&extension.root.join("src").join("Configuration").join("Configuration.mdo")),
    };
    let found = text.split_once("onfigurationExtensionPurpose>").and_then(|(_, rest)| rest.split_once('<'));
    found.map_or_else(String::new, |(purpose, _)| purpose.trim().to_owned())
}

/// The external processors at or below a folder, those that lie highest first, then by path.
pub(crate) fn externals(path: &Path) -> Vec<Detected> {
    let walk = walkdir::WalkDir::new(path).max_depth(DEPTH).sort_by_file_name().into_iter();
    let visible = |entry: &walkdir::DirEntry| {
        let name = entry.file_name().to_string_lossy();
        entry.depth() == 0 || !(name.starts_with('.') || name == "node_modules" || name == "Ext")
    };
    let files = walk.filter_entry(visible).flatten().filter(|entry| entry.file_type().is_file());
    let is_description = |path: &Path| path.extension().is_some_and(|e| e == "xml" || e == "mdo");
    let descriptions = files.filter(|entry| is_description(entry.path())).take(MOST_FILES);
    let mut found: Vec<(usize, Detected)> =
        descriptions.filter_map(|entry| Some((entry.depth(), external_in(entry.path())?))).collect();
    found.sort_by_key(|(depth, _)| *depth);
    found.into_iter().map(|(_, detected)| detected).collect()
}

/// The external processor that a file describes.
pub(crate) fn external_in(file: &Path) -> Option<Detected> {
    let stem = file.file_stem()?.to_string_lossy().into_owned();
    let is_edt = match file.extension()?.to_str()? {
        "xml" => false,
        "mdo" => true,
        _ => return None,
    };
    let text = head(file);
    let kind = Kind::named(KINDS.into_iter().find(|kind| describes(&text, kind, is_edt))?)?;
    let (open, close) = if is_edt { ("<name>", "</name>") } else { ("<Name>", "</Name>") };
    let name = text.split_once(open).and_then(|(_, rest)| rest.split_once(close)).map(|(name, _)| name.trim());
    let name = name.filter(|name| !name.is_empty()).unwrap_or(&stem).into();
    let (root, format, external) = if is_edt {
        // A project: `src/ExternalDataProcessors/X/X.mdo`.
        let file = std::path::absolute(file).ok()?;
        let (own, folder) = (file.parent()?, file.parent()?.parent()?);
        let source = folder.parent()?;
        let is_project = own.file_name()?.to_str() == Some(&stem)
            && folder.file_name()?.to_str() == Some(kind.info().folder)
            && source.file_name()?.to_str() == Some("src");
        if !is_project {
            return None;
        }
        let stem = format!("src/{}/{stem}", kind.info().folder);
        (source.parent()?.to_path_buf(), Format::Edt, External { kind, stem, name, prefix: None })
    } else {
        (file.parent()?.to_path_buf(), Format::Designer, External { kind, stem, name, prefix: None })
    };
    let prefix = if is_edt { None } else { external.find_prefix(&root) };
    Some(Detected { root, format, kind: LayerKind::External, external: Some(External { prefix, ..external }) })
}

/// Whether a description is one of that kind.
fn describes(text: &str, kind: &str, is_edt: bool) -> bool {
    let after = |rest: &str| {
        let name = rest.strip_prefix(kind);
        name.is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
    };
    if is_edt {
        let tag = text.match_indices('<').find(|(at, _)| !text.get(at + 1..).unwrap_or("").starts_with(['?', '!']));
        let tag = tag.and_then(|(at, _)| text.get(at + 1..)).unwrap_or("");
        let name = tag.split([' ', '>', '/', '\r', '\n', '\t']).next().unwrap_or("");
        return after(name.rsplit_once(':').map_or(tag, |(prefix, _)| tag.get(prefix.len() + 1..).unwrap_or("")));
    }
    let tag = text.find("<MetaDataObject").and_then(|start| text.get(start..)?.split_once('>'));
    tag.is_some_and(|(_, rest)| rest.trim_start().strip_prefix('<').is_some_and(after))
}

impl Detected {
    /// Its files, with what is `known` of them.
    ///
    /// # Errors
    /// If the folder itself can't be listed.
    pub fn files(&self, known: &Known<'_>) -> Result<Listing, ReadError> {
        match &self.external {
            None => list(&self.root, known),
            Some(external) => {
                let (files, problems) = self.external_files(external)?;
                Ok(Listing { files, problems, folders: Vec::new() })
            }
        }
    }

    /// The files of an external processor, among others of its folder.
    fn external_files(&self, external: &External) -> Result<(Vec<SourceFile>, Vec<Problem>), ReadError> {
        let description = format!("{}.xml", external.stem);
        if let Some(prefix) = &external.prefix {
            let (mut files, problems) = list_folder(&self.root)?;
            files.retain(|file| *file.path == description || external.flat(prefix, &file.path).is_some());
            return Ok((files, problems));
        }
        let folder = self.root.join(&external.stem);
        let (below, mut problems) = if folder.is_dir() { list_files(&folder)? } else { Default::default() };
        let inside = |path: &str| Text::from(format!("{}/{path}", external.stem));
        let mut files: Vec<SourceFile> =
            below.into_iter().map(|file| SourceFile { path: inside(&file.path), ..file }).collect();
        problems.iter_mut().for_each(|problem| problem.path = inside(&problem.path));
        if let Ok(meta) = std::fs::metadata(self.root.join(&description))
            && self.format == Format::Designer
        {
            files.push(SourceFile::new(description.into(), &meta));
        }
        files.sort_by(|a, b| a.path.cmp(&b.path));
        Ok((files, problems))
    }

    /// The path that the file of a configuration would have which holds this dump.
    #[must_use]
    pub fn place_path<'a>(&self, path: &'a str) -> Cow<'a, str> {
        let Some(external) = self.external.as_ref().filter(|_| self.format == Format::Designer) else {
            return path.into();
        };
        if let Some(flat) = external.prefix.as_ref().and_then(|prefix| external.flat(prefix, path)) {
            return flat;
        }
        let rest = path.strip_prefix(&*external.stem).unwrap_or(path);
        format!("{}/{}{rest}", external.kind.info().folder, external.name).into()
    }

    /// The layer that it becomes.
    pub(crate) fn layer(&self, properties: &ConfigurationProperties) -> Layer {
        let name = match (self.kind, &self.external) {
            (LayerKind::Main, _) => Text::from(""),
            (_, Some(external)) => external.name.clone(),
            (_, None) => properties.name.clone(),
        };
        let purpose = properties.all.iter().find(|property| &*property.name == "ConfigurationExtensionPurpose");
        Layer {
            kind: self.kind,
            name,
            root: self.root.clone(),
            format: self.format,
            purpose: purpose.map_or_else(|| "".into(), |purpose| purpose.value.clone()),
            properties: ConfigurationProperties::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn put(root: &Path, path: &str, text: &str) {
        let file = root.join(path);
        fs::create_dir_all(file.parent().expect("a parent")).expect("a folder");
        fs::write(file, text).expect("a file");
    }

    const PROCESSOR: &str = "\u{feff}<?xml version=\"1.0\"?>\n<MetaDataObject version=\"2.10\">\n\t<ExternalDataProcessor \
        uuid=\"1\">\n<Properties><Name>Консоль</Name></Properties></ExternalDataProcessor></MetaDataObject>";

    #[test]
    fn external_processors_of_a_folder_and_one_by_its_file() {
        let dir = tempfile::tempdir().expect("a folder");
        put(dir.path(), "tools/Другая.xml", &PROCESSOR.replace("Консоль", "Другая"));
        put(dir.path(), "Файл.xml", PROCESSOR);
        put(dir.path(), "Файл/Ext/ObjectModule.bsl", "");
        put(dir.path(), "Файл/Forms/Ф.xml", "<MetaDataObject><Form/></MetaDataObject>");
        put(dir.path(), "readme.xml", "<ExternalDataProcessor/>");
        let layers = detect_layers(dir.path(), &[], &[]).expect("layers");
        let names: Vec<&str> = layers.iter().filter_map(|l| l.external.as_ref()).map(|e| &*e.name).collect();
        assert_eq!(names, ["Консоль", "Другая"]);
        let one = detect_layers(&dir.path().join("Файл.xml"), &[], &[]).expect("a layer");
        assert_eq!(one, layers[..1]);
        let Listing { files, problems, .. } = one[0].files(&Known::default()).expect("files");
        let paths: Vec<&str> = files.iter().map(|f| &*f.path).collect();
        assert_eq!((paths, problems), (vec!["Файл.xml", "Файл/Ext/ObjectModule.bsl", "Файл/Forms/Ф.xml"], vec![]));
        assert_eq!(one[0].place_path(&files[1].path), "ExternalDataProcessors/Консоль/Ext/ObjectModule.bsl");
        assert_eq!(one[0].place_path(&files[0].path), "ExternalDataProcessors/Консоль.xml");
    }

    #[test]
    fn extensions_apply_by_purpose() {
        let dir = tempfile::tempdir().expect("a folder");
        put(dir.path(), "base/Configuration.xml", "<MetaDataObject/>");
        for (folder, purpose) in [("a", "AddOn"), ("b", "Customization"), ("c", "Patch"), ("d", "Customization")] {
            let text = format!("<ConfigurationExtensionPurpose>{purpose}</ConfigurationExtensionPurpose>");
            put(dir.path(), &format!("{folder}/Configuration.xml"), &text);
        }
        let paths: Vec<PathBuf> = ["a", "b", "c", "d", "b"].map(|folder| dir.path().join(folder)).into();
        let layers = detect_layers(&dir.path().join("base"), &paths, &[]).expect("layers");
        let roots: Vec<_> = layers.iter().filter_map(|l| l.root.file_name()).collect();
        assert_eq!(roots, ["base", "c", "b", "d", "a"]);
    }
}
