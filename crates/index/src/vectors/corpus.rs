//! What is to be embedded: every method and object of an index, read through its views and the sources.

use rusqlite::{Connection, Statement};

use crate::Index;
use crate::read::Roots;

use super::texts::{self, MethodSource, ObjectSource};

/// What a row of vectors stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Class {
    /// A method.
    Method = 0,
    /// An object.
    Object = 1,
}

/// A method or object with its texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// Full name as in the contract.
    pub full_name: String,
    /// Method or object.
    pub class: Class,
    /// What it is called.
    pub name_text: String,
    /// What it does: one text of a method with a body, one for each chunk of an object's help.
    pub body_texts: Vec<String>,
}

/// Where the texts come from: an index and the folder that its `file` columns are relative to.
pub struct Corpus<'a> {
    connection: &'a Connection,
    roots: Roots,
}

impl<'a> Corpus<'a> {
    /// The texts of an index.
    ///
    /// # Errors
    /// The index cannot be read.
    pub fn of(index: &'a Index) -> crate::Result<Self> {
        Ok(Self { connection: &index.connection, roots: index.layer_roots()? })
    }

    /// Gives every object, then every method, module by module; stops early when `take` says so (returns false).
    /// A source that cannot be read any more leaves its methods with what the index knows (name, owner, comment).
    ///
    /// # Errors
    /// SQLite's.
    pub fn each(&self, take: &mut dyn FnMut(Item) -> bool) -> rusqlite::Result<()> {
        if self.objects(take)? {
            self.methods(take)?;
        }
        Ok(())
    }

    fn objects(&self, take: &mut dyn FnMut(Item) -> bool) -> rusqlite::Result<bool> {
        let mut attributes = self
            .connection
            .prepare("SELECT name, synonym FROM attributes WHERE object = ?1 AND kind <> 'StandardAttribute'")?;
        let mut objects = self.connection.prepare(
            "SELECT full_name, kind, name, synonym, comment FROM objects
             WHERE kind <> 'Configuration' AND (parent IS NULL OR parent = '' OR parent LIKE 'Configuration%' OR kind = 'Subsystem')",
        )?;
        // The object's own pages, then those of its forms.
        let mut help = self.connection.prepare(
            "SELECT file FROM (
               SELECT 0 AS place, file FROM help_pages WHERE owner = ?1
               UNION ALL SELECT 1, p.file FROM forms f JOIN help_pages p ON p.owner = f.form WHERE f.object = ?1)
             ORDER BY place, file",
        )?;
        let mut rows = objects.query([])?;
        while let Some(row) = rows.next()? {
            let full_name: String = row.get(0)?;
            let kind: String = row.get(1)?;
            let name: String = row.get(2)?;
            let synonym: Option<String> = row.get(3)?;
            let comment: Option<String> = row.get(4)?;
            let attributes: Vec<String> = attributes
                .query_map([&full_name], |row| {
                    let name: String = row.get(0)?;
                    let synonym: Option<String> = row.get(1)?;
                    Ok(synonym.filter(|synonym| !synonym.is_empty()).unwrap_or_else(|| super::words::split_name(&name)))
                })?
                .collect::<rusqlite::Result<_>>()?;
            let source = ObjectSource {
                kind: &kind_words(&kind),
                name: &name,
                synonym: synonym.as_deref().filter(|synonym| !synonym.is_empty()),
                comment: comment.as_deref().filter(|comment| !comment.is_empty()),
                attributes: &attributes,
            };
            let pages = self.help_of(&mut help, &full_name)?;
            let item = Item {
                class: Class::Object,
                name_text: texts::object_text(&source),
                body_texts: texts::help_texts(&source, pages.iter().map(String::as_str)),
                full_name,
            };
            if !take(item) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Texts of the help pages that `query` gives of an object; a page that can't be read any more is left out.
    fn help_of(&self, query: &mut Statement<'_>, object: &str) -> rusqlite::Result<Vec<String>> {
        let files = query.query_map([object], |row| row.get::<_, String>(0))?;
        let mut texts = Vec::new();
        for file in files {
            if let Ok(html) = std::fs::read(self.roots.path(&file?)) {
                texts.push(metadata::help_text(&String::from_utf8_lossy(&html)));
            }
        }
        Ok(texts)
    }

    fn methods(&self, take: &mut dyn FnMut(Item) -> bool) -> rusqlite::Result<()> {
        let mut methods = self
            .connection
            .prepare("SELECT full_name, name, doc, line, end_line FROM methods WHERE module = ?1 ORDER BY line")?;
        let mut modules = self.connection.prepare(
            "SELECT m.full_name, m.file, o.synonym FROM modules m LEFT JOIN objects o ON o.full_name = m.object",
        )?;
        let mut rows = modules.query([])?;
        while let Some(row) = rows.next()? {
            let module: String = row.get(0)?;
            let file: Option<String> = row.get(1)?;
            let synonym: Option<String> = row.get(2)?;
            let source = file.and_then(|file| metadata::module_text(&self.roots.path(&file)).ok()).unwrap_or_default();
            let source = String::from_utf8_lossy(&source);
            let lines = LineIndex::new(&source);
            let mut rows = methods.query([&module])?;
            while let Some(row) = rows.next()? {
                let name: String = row.get(1)?;
                let doc: Option<String> = row.get(2)?;
                let method = MethodSource {
                    name: &name,
                    module: &module,
                    owner_synonym: synonym.as_deref().filter(|synonym| !synonym.is_empty()),
                    doc: doc.as_deref(),
                    source: lines.slice(row.get(3)?, row.get(4)?),
                };
                let item = Item {
                    full_name: row.get(0)?,
                    class: Class::Method,
                    name_text: texts::method_name_text(&method),
                    body_texts: texts::method_body_text(&method).into_iter().collect(),
                };
                if !take(item) {
                    return Ok(());
                }
            }
        }
        Ok(())
    }
}

/// `Catalog` -> `справочник`.
fn kind_words(kind: &str) -> String {
    match metadata::Kind::named(kind) {
        Some(kind) => super::words::split_name(kind.ru()),
        None => super::words::split_name(kind),
    }
}

/// Where the lines of a text start.
struct LineIndex<'a> {
    text: &'a str,
    starts: Vec<usize>,
}

impl<'a> LineIndex<'a> {
    fn new(text: &'a str) -> Self {
        let starts = std::iter::once(0)
            .chain(text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(i, _)| i + 1))
            .collect();
        Self { text, starts }
    }

    /// Lines `first..=last`, counted from 1.
    fn slice(&self, first: u32, last: u32) -> &'a str {
        let start = (first as usize).checked_sub(1).and_then(|line| self.starts.get(line)).copied();
        let end = self.starts.get(last as usize).copied().unwrap_or(self.text.len());
        start.and_then(|start| self.text.get(start..end)).unwrap_or("")
    }
}
