//! Texts of modules and templates, whether they are files or stand in a container.
//!
//! Whoever reads source text goes through here, so that nobody else knows which files hold it how.

use crate::container::{Container, ContainerError, Document, is_container};
use crate::model::problem::Language;
use std::borrow::Cow;
use std::path::Path;
use std::{fs, io};

/// Bytes that tell whether a file is a text.
const HEAD: usize = 512;
/// Containers within containers are looked into this deep.
const DEPTH: usize = 3;
/// Most bytes that are read from a container, in search of a text.
const MOST_READ: usize = 256 << 20;

/// Why there is no text.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    /// The file can't be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It is a damaged container.
    #[error(transparent)]
    Container(#[from] ContainerError),
    /// It holds a module without its source: a protected one.
    #[error("a protected module: it has no source text")]
    Protected,
}

impl SourceError {
    /// The message in the user's language. `Display` is English.
    #[must_use]
    pub fn message(&self, language: Language) -> String {
        match (self, language) {
            (Self::Io(error), _) => error.to_string(),
            (Self::Container(error), language) => error.message(language),
            (Self::Protected, Language::English) => self.to_string(),
            (Self::Protected, Language::Russian) => "защищённый модуль: исходного текста в нём нет".to_owned(),
        }
    }
}

/// True if modules of a file of that name are stored without source, whatever it holds: `Module.bin`; in the flat layout
/// `CommonModule.X.Module`.
pub(crate) fn is_compiled(file: &str) -> bool {
    file.strip_suffix(".bin").unwrap_or(file).ends_with("Module")
}

/// True if a file of that name is the container of an ordinary form: `Form.bin`, `Form.oform` of EDT; in the flat layout
/// `CommonForm.X.Form`.
fn is_form(file: &str) -> bool {
    let stem = file.strip_suffix(".bin").or_else(|| file.strip_suffix(".oform")).unwrap_or(file);
    stem == "Form" || stem.ends_with(".Form")
}

fn name_of(path: &Path) -> Cow<'_, str> {
    path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default()
}

/// The text of the module at a path: of a `.bsl` file, or of the container of an ordinary form. UTF-8, a byte order mark may
/// precede it.
///
/// # Errors
/// If the file can't be read, is a damaged container, or holds a module without source.
pub fn module_text(path: &Path) -> Result<Vec<u8>, SourceError> {
    let name = name_of(path);
    if is_compiled(&name) {
        return Err(SourceError::Protected);
    }
    text_of_module(&name, fs::read(path)?)
}

/// The text of a module in the bytes of a file of that name.
pub(crate) fn text_of_module(name: &str, bytes: Vec<u8>) -> Result<Vec<u8>, SourceError> {
    if is_form(name) {
        let module = Container::open(&bytes)?.entry(Document::Module.name())?;
        return module.ok_or(SourceError::Container(ContainerError::Missing(Document::Module)));
    }
    // No text holds a zero; what the platform compiled holds many.
    let is_binary = is_container(&bytes) || memchr::memchr(0, bytes.get(..HEAD).unwrap_or(&bytes)).is_some();
    if is_binary { Err(SourceError::Protected) } else { Ok(bytes) }
}

/// The text that a person looks at who opens a file of a dump: what it holds, or the module or template in it.
///
/// # Errors
/// As [`module_text`].
pub fn shown_text(path: &Path) -> Result<Vec<u8>, SourceError> {
    let name = name_of(path);
    let is_module = is_form(&name) || is_compiled(&name) || name.ends_with(".bsl");
    if is_module { module_text(path) } else { template_content(path) }
}

/// The content of a template at a path: the file's bytes, or the text that a container holds instead of them.
///
/// # Errors
/// If the file can't be read, or is a damaged container.
pub fn template_content(path: &Path) -> Result<Vec<u8>, SourceError> {
    uncover(fs::read(path)?)
}

/// The first XML that a container holds, in it or in containers within it; everything else as it is.
pub(crate) fn uncover(bytes: Vec<u8>) -> Result<Vec<u8>, SourceError> {
    if !is_container(&bytes) {
        return Ok(bytes);
    }
    let mut containers = vec![(0, bytes.clone())];
    let mut read = 0;
    while let Some((depth, bytes)) = containers.pop() {
        let container = Container::open(&bytes)?;
        for name in container.names() {
            let document = container.entry(name)?.unwrap_or_default();
            // Entries may share their pages: a small file can hold any number of documents.
            read += document.len();
            if read > MOST_READ {
                return Err(ContainerError::TooLarge { at: 0, size: read as u64 }.into());
            }
            if is_container(&document) && depth < DEPTH {
                containers.push((depth + 1, document));
            } else if is_xml(&document) {
                return Ok(document);
            }
        }
    }
    Ok(bytes)
}

fn is_xml(document: &[u8]) -> bool {
    let text = document.strip_prefix(b"\xef\xbb\xbf").unwrap_or(document);
    text.trim_ascii_start().starts_with(b"<")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;
    use support::container::{narrow, packed};

    fn put(name: &str, bytes: &[u8]) -> (tempfile::TempDir, PathBuf) {
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join(name);
        fs::write(&path, bytes).expect("a file");
        (dir, path)
    }

    fn module(name: &str, bytes: &[u8]) -> Result<Vec<u8>, SourceError> {
        let (_dir, path) = put(name, bytes);
        module_text(&path)
    }

    #[test]
    fn a_text_and_a_module_in_a_container() {
        assert_eq!(module("Module.bsl", "Перем А;".as_bytes()).expect("a text"), "Перем А;".as_bytes());
        let form = narrow(&[("form", b"{1}"), ("module", b"A = 1;")]);
        assert_eq!(module("Form.bin", &form).expect("a text"), b"A = 1;");
        let form = narrow(&[("form", b"{1}")]);
        let error = module("Form.bin", &form).expect_err("no module");
        assert!(matches!(error, SourceError::Container(ContainerError::Missing(Document::Module))));
        assert!(error.message(Language::Russian).contains("module"));
    }

    #[test]
    fn protected_modules_are_no_text() {
        let compiled = narrow(&[("info", b"{3,1}"), ("image", &[0, 1, 2])]);
        for (name, bytes) in [("Module.bsl", &*compiled), ("ObjectModule.bsl", b"ab\0\x01"), ("Module.bin", b"text")] {
            assert!(matches!(module(name, bytes), Err(SourceError::Protected)), "{name}");
        }
        assert!(matches!(module_text(Path::new("nowhere/Module.bsl")), Err(SourceError::Io(_))));
    }

    #[test]
    fn a_template_within_containers() {
        let schema = "\u{feff}<?xml version=\"1.0\"?><DataCompositionSchema/>".as_bytes();
        let inner = narrow(&[("head", b"{1}"), ("body", &packed(schema))]);
        for bytes in [schema.to_vec(), inner.clone(), narrow(&[("inner", &inner)])] {
            let (_dir, path) = put("Template.bin", &bytes);
            assert_eq!(template_content(&path).expect("a text"), schema);
        }
        let other = narrow(&[("data", b"{1}")]);
        let (_dir, path) = put("Template.bin", &other);
        assert_eq!(template_content(&path).expect("bytes"), other);
        let (_dir, path) = put("Template.bin", other.get(..40).unwrap_or_default());
        assert!(matches!(template_content(&path), Err(SourceError::Container(ContainerError::Cut { .. }))));
    }
}
