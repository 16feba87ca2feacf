//! A file of the dump: where it is, and whose it is.

use super::Index;
use crate::Result;
use serde::Serialize;
use std::path::PathBuf;

/// A file of the dump.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ProjectFile {
    /// Its path as the views show it.
    pub path: String,
    /// Where it is on this machine.
    pub full_path: PathBuf,
    /// Full name of the module, form, template or object that it is of; the configuration's if nothing else claims it.
    pub owner: String,
    /// Support of the owner: locked, editable, removed, own; empty if nothing is known.
    pub support: String,
}

impl Index {
    /// A file of the dump by its path as the views show it; None for every other path, so that none leads out of the dump.
    ///
    /// # Errors
    /// If the index can't be read.
    pub fn project_file(&self, path: &str) -> Result<Option<ProjectFile>> {
        let known = self.rows("SELECT id FROM file WHERE path = ?1", [path], |row| row.get::<_, i64>(0))?;
        let Some(&file) = known.first() else { return Ok(None) };
        let owner = self.owner_of(file, path)?;
        let support = self.support_of(&owner)?;
        let full_path = self.layer_roots()?.path(path);
        Ok(Some(ProjectFile { path: path.to_owned(), full_path, owner, support }))
    }

    fn owner_of(&self, file: i64, path: &str) -> Result<String> {
        let named = self.rows(
            "SELECT n.name FROM (
               SELECT object AS id FROM module WHERE file = ?1 UNION ALL SELECT id FROM form WHERE file = ?1
               UNION ALL SELECT id FROM template WHERE file = ?1 UNION ALL SELECT id FROM object WHERE file = ?1 AND parent IS NULL
               UNION ALL SELECT owner FROM help_page WHERE file = ?1 UNION ALL SELECT id FROM object WHERE file = ?1
             ) x JOIN names n ON n.id = x.id LIMIT 1",
            [file],
            |row| row.get::<_, String>(0),
        )?;
        if let Some(name) = named.into_iter().next() {
            return Ok(name);
        }
        // What lies in the folder of an object belongs to it: pictures, rights, what else no view knows.
        let mut folder = path;
        while let Some((above, _)) = folder.rsplit_once('/') {
            let name = above.rsplit(['/', ':']).next().unwrap_or(above);
            let descriptions = [format!("{above}.xml"), format!("{above}/{name}.mdo")];
            let found = self.rows(
                "SELECT n.name FROM file f JOIN object o ON o.file = f.id JOIN names n ON n.id = o.id
                 WHERE f.path IN (?1, ?2) ORDER BY o.line LIMIT 1",
                descriptions,
                |row| row.get::<_, String>(0),
            )?;
            if let Some(name) = found.into_iter().next() {
                return Ok(name);
            }
            folder = above;
        }
        Ok(match path.split_once("::") {
            Some((layer, _)) => format!("{layer}::Configuration"),
            None => "Configuration".to_owned(),
        })
    }
}
