//! Fields of objects by name, and buttons of forms that run a command.

use super::Direct;
use super::references::reference;
use super::subject::Subject;
use crate::Result;
use crate::read::{Index, NameId};

/// Where a step of a path stands: an object or a tabular section.
type Holder = NameId;

impl Index {
    /// Fields and tabular sections of a name, of an object or a section. Standard ones have two names: forms write the
    /// English ones, queries may write either.
    pub(super) fn fields_named(&self, holder: Holder, name: &str) -> Result<Vec<NameId>> {
        let full_name = self.full_name(holder)?;
        let kind = metadata::Kind::named(crate::names::kind_word(&full_name));
        let standard = kind.map_or(&[][..], metadata::standard::of_kind);
        let name = standard.iter().find(|one| bsl::same_name(one.name_ru, name)).map_or(name, |one| one.name);
        self.rows(
            "SELECT id FROM attribute WHERE (object = ?1 AND holder IS NULL OR holder = ?1) AND name = ?2
             UNION ALL SELECT id FROM object WHERE parent = ?1 AND name = ?2
             AND kind = (SELECT id FROM words WHERE word = 'TabularSection')",
            (holder, name),
            |row| row.get(0),
        )
    }

    /// Where a path goes on behind a field: a section's own rows, or the objects that a reference leads to.
    pub(super) fn after_field(&self, field: NameId) -> Result<Vec<Holder>> {
        if !self.rows("SELECT 1 FROM object WHERE id = ?1", [field], |_| Ok(()))?.is_empty() {
            return Ok(vec![field]);
        }
        let types = self.rows(
            "SELECT w.word FROM type_of t JOIN words w ON w.id = t.type WHERE t.owner = ?1",
            [field],
            |row| row.get::<_, String>(0),
        )?;
        self.objects_of_types(&types.join(", "))
    }

    /// Objects that types stand for, defined types resolved once.
    pub(crate) fn objects_of_types(&self, types: &str) -> Result<Vec<NameId>> {
        let mut found = Vec::new();
        let mut names: Vec<String> = types.split(", ").map(str::to_owned).collect();
        for _ in 0..2 {
            let mut nested = Vec::new();
            for name in names.drain(..) {
                let name = name.split('(').next().unwrap_or("");
                let Some((kind, Some(own))) = metadata::names::object_of_type(name) else { continue };
                let Some(named) = self.by_key(&format!("{kind}.{own}"))? else { continue };
                if kind.is("DefinedType") || name.starts_with("Characteristic.") {
                    nested.extend(self.rows(
                        "SELECT w.word FROM type_of t JOIN words w ON w.id = t.type WHERE t.owner = ?1",
                        [named.id],
                        |row| row.get::<_, String>(0),
                    )?);
                } else {
                    found.push(named.id);
                }
            }
            names = nested;
        }
        Ok(found)
    }

    /// The item of a form that a line of its file belongs to, with its data path.
    pub(super) fn item_at(&self, form: NameId, line: u32) -> Result<String> {
        let items = self.rows(
            "SELECT i.name, t.text FROM form_item i JOIN texts t ON t.id = i.data_path WHERE i.form = ?1 AND i.line <= ?2
             ORDER BY i.line DESC LIMIT 1",
            (form, line),
            |row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?)),
        )?;
        Ok(items.into_iter().next().map(|(item, path)| format!("{item}: {path}")).unwrap_or_default())
    }

    /// Buttons of forms that run a command.
    pub(super) fn by_buttons(&self, subject: &Subject, found: &mut Vec<Direct>) -> Result<()> {
        if !matches!(subject.kind.as_str(), "Command" | "CommonCommand") {
            return Ok(());
        }
        let rows = self.rows(
            "SELECT i.form, i.name, i.line, f.file FROM form_item i JOIN form f ON f.id = i.form
             JOIN words w ON w.id = i.command WHERE w.word = ?1",
            [&subject.full_name],
            |row| {
                let (line, file) = (row.get::<_, Option<u32>>(2)?, row.get::<_, Option<u32>>(3)?);
                Ok((row.get::<_, NameId>(0)?, row.get::<_, String>(1)?, line.unwrap_or(0), file.unwrap_or(0)))
            },
        )?;
        found.extend(rows.into_iter().map(|(form, item, line, file)| Direct {
            note: item,
            ..reference(form, subject.id, "form_data_path", file, line)
        }));
        Ok(())
    }
}
