//! What lies in a folder: finds the dump that a user means, and says what it is.

use crate::binary;
use crate::layers::{self, External};
use crate::model::configuration::{Format, LayerKind};
use crate::model::problem::Language;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

/// A dump that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Detected {
    /// Its folder: the one that holds `Configuration.xml` (Designer) or `src` (EDT).
    pub root: PathBuf,
    /// Format.
    pub format: Format,
    /// Main configuration, extension or external processor.
    pub kind: LayerKind,
    /// Which external processor or report of the folder; None for configurations.
    pub external: Option<External>,
}

/// A path that can't be read as a dump.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// Nothing is there.
    #[error("{0}: no such folder. Give the folder of a configuration dumped to files")]
    Missing(PathBuf),
    /// It can't be listed.
    #[error("{path}: {source}")]
    Unreadable {
        /// The folder.
        path: PathBuf,
        /// The system's error.
        source: std::io::Error,
    },
    /// A file of the platform, not a dump.
    #[error("{path} is a file of the platform, not a dump. Dump it to files first: {command}")]
    Binary {
        /// The file.
        path: PathBuf,
        /// The platform's commands that dump it.
        command: String,
    },
    /// No dump below it.
    #[error(
        "{path}: no configuration dump here or up to three folders below (found: {found}). Give the folder that holds \
         Configuration.xml (the Designer makes it with «Configuration > Dump configuration to files»), a project of 1C:EDT \
         (it holds src/Configuration/Configuration.mdo), or the XML file of an external processor"
    )]
    NoDump {
        /// The folder.
        path: PathBuf,
        /// What is in it.
        found: String,
    },
    /// Several dumps below it, none of which is the one main configuration.
    #[error("{path}: several dumps here, name one of them: {}", list(.found, Language::English))]
    Several {
        /// The folder.
        path: PathBuf,
        /// The dumps.
        found: Vec<Detected>,
    },
}

impl ReadError {
    /// The message in the user's language. `Display` is English.
    #[must_use]
    pub fn message(&self, language: Language) -> String {
        if language == Language::English {
            return self.to_string();
        }
        match self {
            Self::Missing(path) => {
                format!("{}: такой папки нет. Укажите папку конфигурации, выгруженной в файлы", path.display())
            }
            Self::Unreadable { path, source } => format!("{}: {source}", path.display()),
            Self::Binary { path, command } => {
                format!("{} — файл платформы, а не выгрузка. Сначала выгрузите его в файлы: {command}", path.display())
            }
            Self::NoDump { path, found } => format!(
                "{}: ни здесь, ни в трёх папках ниже нет выгрузки конфигурации (найдено: {found}). Укажите папку, в которой лежит \
                 Configuration.xml (её делает Конфигуратор: «Конфигурация > Выгрузить конфигурацию в файлы»), проект 1C:EDT \
                 (в нём лежит src/Configuration/Configuration.mdo) или XML-файл внешней обработки",
                path.display()
            ),
            Self::Several { path, found } => {
                format!("{}: здесь несколько выгрузок, назовите одну из них: {}", path.display(), list(found, language))
            }
        }
    }
}

fn list(found: &[Detected], language: Language) -> String {
    let all: Vec<String> = found.iter().map(|d| format!("{} ({})", d.root.display(), d.describe(language))).collect();
    all.join(", ")
}

impl Detected {
    /// What it is, in a few words: `1C:EDT, extension`.
    #[must_use]
    pub fn describe(&self, language: Language) -> String {
        let is_russian = language == Language::Russian;
        let format = match self.format {
            Format::Designer if is_russian => "Конфигуратор",
            Format::Designer => "Designer",
            Format::Edt => "1C:EDT",
        };
        let kind = match (self.kind, is_russian) {
            (LayerKind::Main, true) => "конфигурация",
            (LayerKind::Main, false) => "configuration",
            (LayerKind::Extension, true) => "расширение",
            (LayerKind::Extension, false) => "extension",
            (LayerKind::External, true) => "внешняя обработка или отчёт",
            (LayerKind::External, false) => "external data processor or report",
        };
        format!("{format}, {kind}")
    }
}

/// Folders are looked into this deep.
const DEPTH: usize = 3;
/// More folders than this are not looked into.
const MOST_FOLDERS: usize = 4_000;

/// Finds the dump at a path: a folder of a dump, a project's root, `src`, `src/cf`, or a folder above. With several
/// dumps below, the only main configuration is meant.
///
/// # Errors
/// [`ReadError`] says what was found instead, and how to mend it.
pub fn detect(path: &Path) -> Result<Detected, ReadError> {
    let meta = fs::metadata(path).map_err(|_| ReadError::Missing(path.to_path_buf()))?;
    if meta.is_file() {
        return detect_file(path);
    }
    if let Some(found) = dump_in(path) {
        return Ok(found);
    }
    let found = below(path)?;
    let mains: Vec<&Detected> = found.iter().filter(|d| d.kind == LayerKind::Main).collect();
    match (mains.as_slice(), found.as_slice()) {
        ([one], _) => Ok((*one).clone()),
        ([], [one]) => Ok(one.clone()),
        // No configuration: an external processor, the first of those that lie highest.
        ([], []) => layers::externals(path).into_iter().next().ok_or_else(|| nothing_in(path)),
        _ => Err(ReadError::Several { path: path.to_path_buf(), found }),
    }
}

fn detect_file(path: &Path) -> Result<Detected, ReadError> {
    if let Some(binary) = binary::of(path) {
        return Err(ReadError::Binary { path: path.to_path_buf(), command: binary.command() });
    }
    let known = path.file_name().is_some_and(|n| n == "Configuration.xml" || n == "Configuration.mdo");
    let parent = path.parent().filter(|_| known);
    let configuration = parent.and_then(|p| dump_in(p).or_else(|| p.ancestors().nth(2).and_then(dump_in)));
    let found = configuration.or_else(|| layers::external_in(path));
    found.ok_or_else(|| ReadError::NoDump { path: path.to_path_buf(), found: "a file".to_owned() })
}

/// The dump whose root is exactly this folder.
fn dump_in(folder: &Path) -> Option<Detected> {
    let root = folder.to_path_buf();
    let xml = folder.join("Configuration.xml");
    if xml.is_file() {
        let extension = head(&xml).contains("<ConfigurationExtensionPurpose>");
        let kind = if extension { LayerKind::Extension } else { LayerKind::Main };
        return Some(Detected { root, format: Format::Designer, kind, external: None });
    }
    let mdo = folder.join("src").join("Configuration").join("Configuration.mdo");
    if mdo.is_file() {
        let extension = head(&mdo).contains("<configurationExtensionPurpose>");
        let kind = if extension { LayerKind::Extension } else { LayerKind::Main };
        return Some(Detected { root, format: Format::Edt, kind, external: None });
    }
    None
}

/// The first 64 KB: the properties of a configuration stand there.
pub(crate) fn head(path: &Path) -> String {
    let mut bytes = Vec::new();
    if let Ok(file) = fs::File::open(path) {
        // An unreadable file is no extension that we could tell; reading it lists the problem.
        let _ = file.take(64 * 1024).read_to_end(&mut bytes);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn below(path: &Path) -> Result<Vec<Detected>, ReadError> {
    let unreadable = |source| ReadError::Unreadable { path: path.to_path_buf(), source };
    fs::read_dir(path).map_err(unreadable)?;
    let mut found: Vec<Detected> = Vec::new();
    let mut looked = 0;
    let mut walk = walkdir::WalkDir::new(path).min_depth(1).max_depth(DEPTH).sort_by_file_name().into_iter();
    while let Some(entry) = walk.next() {
        let Ok(entry) = entry else { continue };
        if !entry.file_type().is_dir() {
            continue;
        }
        looked += 1;
        let name = entry.file_name().to_string_lossy();
        if looked > MOST_FOLDERS {
            break;
        }
        if name.starts_with('.') || name == "node_modules" {
            walk.skip_current_dir();
        } else if let Some(dump) = dump_in(entry.path()) {
            found.push(dump);
            walk.skip_current_dir();
        }
    }
    // Within the `src` of a project of EDT: `project/src/Configuration/Configuration.mdo`.
    if found.is_empty() {
        found.extend(path.ancestors().skip(1).take(2).find_map(dump_in).filter(|d| d.format == Format::Edt));
    }
    Ok(found)
}

/// No dump: if the folder holds but one file of the platform, that is the one meant.
fn nothing_in(path: &Path) -> ReadError {
    let entries = fs::read_dir(path).into_iter().flatten().flatten();
    let mut files = entries.map(|e| e.path()).filter(|p| p.is_file() && binary::of(p).is_some());
    match (files.next(), files.next()) {
        (Some(file), None) => match binary::of(&file) {
            Some(binary) => ReadError::Binary { command: binary.command(), path: file },
            None => ReadError::NoDump { path: path.to_path_buf(), found: contents(path) },
        },
        _ => ReadError::NoDump { path: path.to_path_buf(), found: contents(path) },
    }
}

fn contents(path: &Path) -> String {
    let entries = fs::read_dir(path).into_iter().flatten().flatten();
    let mut names: Vec<String> = entries.map(|e| e.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    if names.is_empty() {
        return "an empty folder".to_owned();
    }
    let more = names.len().saturating_sub(8);
    names.truncate(8);
    let shown = names.join(", ");
    if more == 0 { shown } else { format!("{shown} and {more} more") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put(root: &Path, path: &str, text: &str) {
        let file = root.join(path);
        fs::create_dir_all(file.parent().expect("a parent")).expect("a folder");
        fs::write(file, text).expect("a file");
    }

    #[test]
    fn from_any_folder_around_the_dump() {
        let dir = tempfile::tempdir().expect("a folder");
        put(dir.path(), "src/cf/Configuration.xml", "<MetaDataObject/>");
        for start in ["", "src", "src/cf", "src/cf/Configuration.xml"] {
            let found = detect(&dir.path().join(start)).expect("a dump");
            assert_eq!(found.root, dir.path().join("src/cf"), "{start}");
            assert_eq!((found.format, found.kind), (Format::Designer, LayerKind::Main));
        }
    }

    #[test]
    fn the_main_configuration_among_extensions() {
        let dir = tempfile::tempdir().expect("a folder");
        put(dir.path(), "base/Configuration.xml", "<MetaDataObject/>");
        put(dir.path(), "ext/Configuration.xml", "<ConfigurationExtensionPurpose>Customization");
        assert_eq!(detect(dir.path()).expect("a dump").root, dir.path().join("base"));
        put(dir.path(), "other/Configuration.xml", "<MetaDataObject/>");
        assert!(matches!(detect(dir.path()), Err(ReadError::Several { found, .. }) if found.len() == 3));
    }

    #[test]
    fn projects_of_edt() {
        let dir = tempfile::tempdir().expect("a folder");
        put(dir.path(), "project/src/Configuration/Configuration.mdo", "<mdclass:Configuration/>");
        for start in ["", "project", "project/src"] {
            let found = detect(&dir.path().join(start)).expect("a project");
            assert_eq!((found.root, found.format), (dir.path().join("project"), Format::Edt), "{start}");
        }
    }

    #[test]
    fn a_workspace_with_several_projects() {
        let dir = tempfile::tempdir().expect("a folder");
        put(dir.path(), "a/src/Configuration/Configuration.mdo", "<mdclass:Configuration/>");
        put(dir.path(), "b/src/Configuration/Configuration.mdo", "<configurationExtensionPurpose>AddOn");
        assert_eq!(detect(dir.path()).expect("the configuration").root, dir.path().join("a"));
        put(dir.path(), "c/src/cf/Configuration.xml", "<MetaDataObject/>");
        let error = detect(dir.path()).expect_err("several");
        assert!(matches!(&error, ReadError::Several { found, .. } if found.len() == 3));
        let (english, russian) = (error.to_string(), error.message(Language::Russian));
        for words in ["a (1C:EDT, configuration)", "b (1C:EDT, extension)", "cf (Designer, configuration)"] {
            assert!(english.contains(words), "{english}");
        }
        assert!(russian.contains("b (1C:EDT, расширение)"), "{russian}");
    }

    #[test]
    fn errors_say_what_was_found_and_how_to_mend_it() {
        let dir = tempfile::tempdir().expect("a folder");
        put(dir.path(), "readme.txt", "");
        let message = detect(dir.path()).expect_err("no dump").to_string();
        assert!(message.contains("readme.txt") && message.contains("Configuration.xml"), "{message}");
        assert!(message.contains("Configuration.mdo"), "{message}");
        put(dir.path(), "base.cf", "");
        // The folder that holds but one file of the platform, and the file itself.
        for path in [dir.path().to_path_buf(), dir.path().join("base.cf")] {
            let message = detect(&path).expect_err("a file").to_string();
            assert!(message.contains("/DumpConfigToFiles") && message.contains("base.cf"), "{message}");
        }
        put(dir.path(), "other.dt", "");
        let message = detect(dir.path()).expect_err("no dump").to_string();
        assert!(message.contains("base.cf, other.dt, readme.txt"), "{message}");
        assert!(matches!(detect(&dir.path().join("nothing")), Err(ReadError::Missing(_))));
    }
}
