//! Where a thing is defined.

use super::{Index, NameId, Named};
use crate::Result;
use serde::Serialize;

/// The place of a thing.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Definition {
    /// Full name; of what has none its own name behind that of what holds it.
    pub full_name: String,
    /// Kind: as of [`Named`]; `module_variable`, `form_attribute`, `form_command`, `Item`.
    pub kind: String,
    /// File, relative to the root of the dump.
    pub file: String,
    /// 1-based line; 0 where the file as a whole is meant.
    pub line: u32,
    /// 1-based last line; 0 where there is none.
    #[serde(skip_serializing_if = "is_zero")]
    pub end_line: u32,
    /// What it is in a few words: a signature, types, a synonym, a title.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub about: String,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference")]
fn is_zero(line: &u32) -> bool {
    *line == 0
}

impl Index {
    /// Where a thing is defined.
    ///
    /// # Errors
    /// If the index can't be read.
    pub fn definition(&self, of: &Named) -> Result<Definition> {
        let base = Definition { full_name: of.full_name.clone(), kind: of.kind.clone(), ..Definition::default() };
        if let Some(method) = self.method(of.id)? {
            let files = self.rows(
                "SELECT f.path FROM method m JOIN module x ON x.id = m.module JOIN file f ON f.id = x.file WHERE m.id = ?1",
                [of.id],
                |row| row.get::<_, String>(0),
            )?;
            let file = files.into_iter().next().unwrap_or_default();
            let export = if method.is_export { " Экспорт" } else { "" };
            let about = format!("{}({}){export}", method.name, method.params);
            return Ok(Definition { file, line: method.line, end_line: method.end_line, about, ..base });
        }
        let mut others = self.rows(
            "SELECT f.path, o.line, 0, o.synonym FROM object o LEFT JOIN file f ON f.id = o.file WHERE o.id = ?1
             UNION ALL SELECT f.path, a.line, 0, t.text FROM attribute a JOIN object o ON o.id = a.object
             LEFT JOIN file f ON f.id = o.file LEFT JOIN texts t ON t.id = a.types WHERE a.id = ?1
             UNION ALL SELECT f.path, 1, m.lines, k.word FROM module m JOIN file f ON f.id = m.file JOIN words k ON k.id = m.kind
             WHERE m.id = ?1 OR m.body = ?1",
            [of.id],
            |row| {
                let text = |column| row.get::<_, Option<String>>(column).map(Option::unwrap_or_default);
                let (line, end_line) = (row.get::<_, Option<u32>>(1)?.unwrap_or(0), row.get::<_, u32>(2)?);
                Ok(Definition { file: text(0)?, line, end_line, about: text(3)?, ..base.clone() })
            },
        )?;
        // A common module is its text; its description has a file of its own.
        if of.kind == "CommonModule" {
            others.reverse();
        }
        if let Some(found) = others.into_iter().next() {
            return Ok(found);
        }
        // What stands in the file of its owner: an item or command of a form, a predefined item.
        let mut owner = of.full_name.as_str();
        while let Some((shorter, last)) = owner.rsplit_once('.') {
            if let Some(form) = self.by_key(shorter)? {
                let own = of.full_name.rsplit('.').next().unwrap_or(last);
                let parts = self.form_parts(form.id)?;
                let part = parts.into_iter().find(|part| bsl::same_name(own_name(&part.full_name), own));
                if let Some(part) = part {
                    return Ok(Definition { full_name: of.full_name.clone(), ..part });
                }
                let file = self.definition(&form)?.file;
                return Ok(Definition { file, ..base });
            }
            owner = shorter;
        }
        Ok(base)
    }

    /// Things of that name within another one: methods and variables of the modules of an object, form or module, its attributes
    /// and parts, items, attributes and commands of a form. Names compare without case.
    ///
    /// # Errors
    /// If the index can't be read.
    pub fn defined_within(&self, owner: &Named, name: &str) -> Result<Vec<Definition>> {
        let same = |other: &str| bsl::same_name(other, name);
        let mut found = Vec::new();
        // A method or attribute is given: what stands beside it counts.
        let owner = match self.rows("SELECT module FROM method WHERE id = ?1", [owner.id], |row| row.get(0))?.first() {
            Some(&module) => self.named(module)?,
            None => owner.clone(),
        };
        let modules = self.rows(
            "SELECT m.id, n.name, f.path FROM module m JOIN names n ON n.id = m.id JOIN file f ON f.id = m.file
             WHERE m.id = ?1 OR m.object = ?1 ORDER BY n.name",
            [owner.id],
            |row| Ok((row.get::<_, NameId>(0)?, row.get::<_, String>(1)?, row.get::<_, String>(2)?)),
        )?;
        for (module, full_name, file) in modules {
            for method in self.methods_of(module)?.iter().filter(|method| same(&method.name)) {
                found.push(self.definition(&self.named(method.id)?)?);
            }
            let Some(facts) = self.facts(module)? else { continue };
            for variable in facts.variables.iter().filter(|variable| same(facts.text(variable.name))) {
                found.push(Definition {
                    full_name: format!("{full_name}.{}", facts.text(variable.name)),
                    kind: "module_variable".to_owned(),
                    file: file.clone(),
                    line: variable.line,
                    end_line: 0,
                    about: if variable.export { "Экспорт".to_owned() } else { String::new() },
                });
            }
        }
        for attribute in self.attributes(owner.id)? {
            if same(&attribute.name)
                && let Some(named) = self.by_key(&attribute.full_name)?
            {
                found.push(self.definition(&named)?);
            }
        }
        if let Some(standard) = self.attribute_named(&owner.full_name, name)?
            && found.iter().all(|known| known.full_name != standard.full_name)
            && let Some(named) = self.by_key(&standard.full_name)?
        {
            found.push(self.definition(&named)?);
        }
        for child in self.children(owner.id)?.iter().filter(|child| same(&child.name)) {
            found.push(self.definition(&self.named(child.id)?)?);
        }
        found.extend(self.form_parts(owner.id)?.into_iter().filter(|part| same(own_name(&part.full_name))));
        Ok(found)
    }

    /// Items, attributes and commands of a form, with their places; none if it is no form.
    ///
    /// # Errors
    /// If the index can't be read.
    pub fn form_parts(&self, form: NameId) -> Result<Vec<Definition>> {
        self.rows(
            "SELECT n.name || '.Item.' || i.name, 'Item', f.path, i.line, k.word || coalesce(': ' || d.text, '')
             FROM form_item i JOIN form x ON x.id = i.form JOIN names n ON n.id = x.id LEFT JOIN file f ON f.id = x.file
             JOIN words k ON k.id = i.kind LEFT JOIN texts d ON d.id = i.data_path WHERE i.form = ?1
             UNION ALL SELECT n.name || '.' || a.name, 'form_attribute', f.path, 0, t.text
             FROM form_attribute a JOIN form x ON x.id = a.form JOIN names n ON n.id = x.id LEFT JOIN file f ON f.id = x.file
             LEFT JOIN texts t ON t.id = a.types WHERE a.form = ?1
             UNION ALL SELECT n.name || '.Command.' || c.name, 'form_command', f.path, 0, c.action
             FROM form_command c JOIN form x ON x.id = c.form JOIN names n ON n.id = x.id LEFT JOIN file f ON f.id = x.file
             WHERE c.form = ?1",
            [form],
            |row| {
                let text = |column| row.get::<_, Option<String>>(column).map(Option::unwrap_or_default);
                Ok(Definition {
                    full_name: row.get(0)?,
                    kind: row.get(1)?,
                    file: text(2)?,
                    line: row.get::<_, Option<u32>>(3)?.unwrap_or(0),
                    end_line: 0,
                    about: text(4)?,
                })
            },
        )
    }
}

fn own_name(full_name: &str) -> &str {
    full_name.rsplit('.').next().unwrap_or(full_name)
}
