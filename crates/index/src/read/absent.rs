//! Modules that an object of the dump may have and hasn't: where their files would lie.

use super::{Index, ProjectFile};
use crate::Result;
use metadata::names::{canonical, edt_path_of_module, owner_of_module, path_of_module};
use metadata::{Kind, ModuleKind};

/// A module that isn't there, and may be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AbsentModule {
    /// The full name that it would have.
    pub full_name: String,
    /// Which module of its owner it would be.
    pub kind: ModuleKind,
    /// Its file; the owner is the thing that it would be a module of.
    pub file: ProjectFile,
}

impl Index {
    /// The module of that name, in any spelling, if its owner is there, may have such a module and hasn't.
    ///
    /// None where nobody knows where its file would lie: in dumps of the flat layouts, in external processors, for forms whose
    /// content is a container.
    ///
    /// # Errors
    /// If the index can't be read.
    pub fn absent_module(&self, name: &str) -> Result<Option<AbsentModule>> {
        let Some(name) = canonical(name) else { return Ok(None) };
        let (layer, own) = split_layer(&name);
        let Some((owner, kind)) = owner_of_module(own) else { return Ok(None) };
        let Some(owner) = self.by_key(&with_layer(layer, owner))? else { return Ok(None) };
        self.absent_module_of(&owner.full_name, kind)
    }

    /// The module whose file has that path as the views show it, if [`absent_module`](Self::absent_module) knows it. Whether there is
    /// a file by now isn't asked.
    ///
    /// # Errors
    /// If the index can't be read.
    pub fn absent_module_at(&self, path: &str) -> Result<Option<AbsentModule>> {
        let (layer, own) = split_layer(path);
        let Some(name) = metadata::names::module_of_path(own) else { return Ok(None) };
        Ok(self.absent_module(&with_layer(layer, &name))?.filter(|module| module.file.path == path))
    }

    /// All modules that a thing of that full name may have and hasn't.
    ///
    /// # Errors
    /// If the index can't be read.
    pub fn absent_modules(&self, owner: &str) -> Result<Vec<AbsentModule>> {
        let Some(owner) = self.by_key(owner)? else { return Ok(Vec::new()) };
        let mut found = Vec::new();
        for kind in ModuleKind::ALL {
            found.extend(self.absent_module_of(&owner.full_name, kind)?);
        }
        Ok(found)
    }

    /// Paths of files that lie near a module that isn't there, the nearest first: modules of the same object, of the same kind, any others,
    /// and the description of its object.
    ///
    /// # Errors
    /// If the index can't be read.
    pub fn neighbours(&self, absent: &AbsentModule) -> Result<Vec<String>> {
        const FEW: u32 = 5;
        let (layer, own) = split_layer(&absent.file.owner);
        let object: Vec<&str> = own.split('.').take(2).collect();
        let object = with_layer(layer, &object.join("."));
        let mut paths = self.rows(
            "SELECT f.path FROM module m JOIN file f ON f.id = m.file JOIN names n ON n.id = m.id JOIN words k ON k.id = m.kind
             WHERE m.lines > 1 AND f.path LIKE '%.bsl' AND (?4 = '') = (instr(n.name, '::') = 0)
             ORDER BY substr(n.name, 1, length(?1)) = ?1 DESC, k.word = ?2 DESC, m.id LIMIT ?3",
            (format!("{object}."), absent.kind.as_str(), FEW, layer),
            |row| row.get(0),
        )?;
        paths.extend(self.rows(
            "SELECT f.path FROM object o JOIN file f ON f.id = o.file JOIN names n ON n.id = o.id WHERE n.name = ?1",
            [object],
            |row| row.get::<_, String>(0),
        )?);
        Ok(paths)
    }

    fn absent_module_of(&self, owner: &str, kind: ModuleKind) -> Result<Option<AbsentModule>> {
        let (layer, own) = split_layer(owner);
        let may_have = kind_of(own).is_some_and(|of| of.info().modules.contains(&kind.as_str()));
        if !may_have || kind == ModuleKind::FormModule && !self.is_managed(owner)? {
            return Ok(None);
        }
        let full_name = metadata::names::name_of_module(own, kind);
        let is_edt = self.is_edt(layer)?;
        let path = if is_edt { edt_path_of_module(&full_name) } else { path_of_module(&full_name) };
        let Some(path) = path else { return Ok(None) };
        let path = with_layer(layer, &path);
        if self.project_file(&path)?.is_some() || !self.lies_as_expected(layer, own, is_edt)? {
            return Ok(None);
        }
        let full_path = self.layer_roots()?.path(&path);
        let support = self.support_of(owner)?;
        let file = ProjectFile { path, full_path, owner: owner.to_owned(), support };
        Ok(Some(AbsentModule { full_name: with_layer(layer, &full_name), kind, file }))
    }

    fn is_managed(&self, form: &str) -> Result<bool> {
        let Some(form) = self.by_key(form)? else { return Ok(false) };
        let kinds =
            self.rows("SELECT k.word FROM form f JOIN words k ON k.id = f.kind WHERE f.id = ?1", [form.id], |row| {
                row.get::<_, String>(0)
            })?;
        Ok(kinds.first().is_some_and(|kind| kind == metadata::FormKind::Managed.as_str()))
    }

    fn is_edt(&self, layer: &str) -> Result<bool> {
        let formats = self.rows(
            "SELECT format FROM layer WHERE CASE WHEN ?1 = '' THEN id = (SELECT min(id) FROM layer) ELSE name = ?1 END",
            [layer],
            |row| row.get::<_, String>(0),
        )?;
        Ok(formats.first().is_some_and(|format| format == "edt"))
    }

    /// Whether the description of the top object lies where its layout has it: it is neither of the flat layouts, nor one that stands
    /// for itself.
    fn lies_as_expected(&self, layer: &str, owner: &str, is_edt: bool) -> Result<bool> {
        let mut words = owner.split('.');
        let kind = words.next().and_then(Kind::named);
        let (Some(kind), name) = (kind, words.next()) else { return Ok(false) };
        let folder = kind.info().folder;
        let description = match (name, is_edt) {
            (Some(name), true) => format!("src/{folder}/{name}/{name}.mdo"),
            (Some(name), false) => format!("{folder}/{name}.xml"),
            (None, true) => "src/Configuration/Configuration.mdo".to_owned(),
            // All layouts have this one; the hierarchical one has folders in the plural beside it.
            (None, false) => return Ok(self.is_hierarchical(layer)? && self.has_file(layer, "Configuration.xml")?),
        };
        self.has_file(layer, &description)
    }

    fn has_file(&self, layer: &str, path: &str) -> Result<bool> {
        let found = self.rows("SELECT 1 FROM file WHERE path = ?1", [with_layer(layer, path)], |_| Ok(()))?;
        Ok(!found.is_empty())
    }

    fn is_hierarchical(&self, layer: &str) -> Result<bool> {
        let prefix = with_layer(layer, "Languages/");
        let found = self.rows(
            "SELECT 1 FROM file WHERE substr(path, 1, length(?1)) = ?1 AND path LIKE '%.xml' LIMIT 1",
            [prefix],
            |_| Ok(()),
        )?;
        Ok(!found.is_empty())
    }
}

/// The kind of a thing by its full name without its layer.
fn kind_of(full_name: &str) -> Option<Kind> {
    let mut words = full_name.rsplit('.');
    let last = words.next()?;
    Kind::named(words.next().unwrap_or(last))
}

fn split_layer(name: &str) -> (&str, &str) {
    name.split_once("::").unwrap_or(("", name))
}

fn with_layer(layer: &str, name: &str) -> String {
    if layer.is_empty() { name.to_owned() } else { format!("{layer}::{name}") }
}
