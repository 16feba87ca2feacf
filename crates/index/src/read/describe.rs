//! What the metadata says of a thing, as it stands there.

use super::{Definition, Index, NameId};
use crate::Result;
use serde::Serialize;

/// A thing of metadata: an object or a part of one.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Described {
    /// Simple properties: (name, value), in the order of the description.
    pub properties: Vec<(String, String)>,
    /// Properties that refer to other things: (property, full name).
    pub links: Vec<(String, String)>,
    /// Types of the thing itself, with qualifiers.
    pub types: Vec<String>,
}

/// A template and its kind.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TemplateRow {
    /// Full name.
    pub full_name: String,
    /// `SpreadsheetDocument`, `DataCompositionSchema` …
    pub kind: String,
}

impl Index {
    /// Properties, links and types of an object, an attribute, a command …
    ///
    /// # Errors
    /// If the index can't be read.
    pub fn described(&self, id: NameId) -> Result<Described> {
        let pair = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?));
        Ok(Described {
            properties: self.rows(
                "SELECT w.word, t.text FROM property p JOIN words w ON w.id = p.name JOIN texts t ON t.id = p.value
                 WHERE p.owner = ?1 ORDER BY p.rowid",
                [id],
                pair,
            )?,
            links: self.rows(
                "SELECT w.word, t.name FROM link l JOIN words w ON w.id = l.property JOIN names t ON t.id = l.target
                 WHERE l.owner = ?1 ORDER BY l.rowid",
                [id],
                pair,
            )?,
            types: self.rows(
                "SELECT w.word || coalesce('(' || q.word || ')', '') FROM type_of t JOIN words w ON w.id = t.type
                 LEFT JOIN words q ON q.id = t.qualifiers WHERE t.owner = ?1",
                [id],
                |row| row.get(0),
            )?,
        })
    }

    /// Every view of the index (and `meta`) with its columns, as the database has them.
    ///
    /// # Errors
    /// If the index can't be read.
    pub fn columns(&self) -> Result<Vec<(String, Vec<String>)>> {
        let names = self.rows(
            "SELECT name FROM sqlite_schema WHERE type = 'view' OR name = 'meta' ORDER BY rowid",
            [],
            |row| row.get::<_, String>(0),
        )?;
        let columns = |name: String| {
            let columns =
                self.rows("SELECT name FROM pragma_table_info(?1) ORDER BY cid", [&name], |row| row.get(0))?;
            Ok((name, columns))
        };
        names.into_iter().map(columns).collect()
    }

    /// Templates of an object, with their kinds.
    ///
    /// # Errors
    /// If the index can't be read.
    pub fn templates_of(&self, object: NameId) -> Result<Vec<TemplateRow>> {
        self.rows(
            "SELECT n.name, k.word FROM template t JOIN names n ON n.id = t.id JOIN words k ON k.id = t.kind
             WHERE t.object = ?1 OR t.id = ?1 ORDER BY n.name",
            [object],
            |row| Ok(TemplateRow { full_name: row.get(0)?, kind: row.get(1)? }),
        )
    }

    /// Attributes and commands of a form, with their types and actions; its items are among [`Index::form_parts`].
    ///
    /// # Errors
    /// If the index can't be read.
    pub fn form_members(&self, form: NameId) -> Result<Vec<Definition>> {
        Ok(self.form_parts(form)?.into_iter().filter(|part| part.kind != "Item").collect())
    }
}
