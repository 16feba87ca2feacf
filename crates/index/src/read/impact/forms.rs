//! Data paths of forms: which fields of metadata an item shows.

use super::Direct;
use super::references::reference;
use super::subject::Subject;
use crate::Result;
use crate::read::{Index, NameId};
use graph::impact::mentions::in_query;
use graph::paths::rank;
use rustc_hash::{FxHashMap, FxHashSet};

/// Longest path that is followed, in steps.
const LONGEST: usize = 16;

/// A form's attribute as paths begin with it.
struct Root {
    types: String,
    table: Option<NameId>,
    query: String,
}

/// Where a step of a path stands: an object or a tabular section.
type Holder = NameId;

impl Index {
    /// Forms whose items show the thing, or whose dynamic lists read it.
    pub(super) fn by_forms(&self, subject: &Subject, found: &mut Vec<Direct>) -> Result<()> {
        if subject.is_object() || subject.wanted.is_empty() {
            return self.by_buttons(subject, found);
        }
        let mut names: FxHashSet<&str> = FxHashSet::default();
        for part in subject.wanted.iter().filter_map(|wanted| wanted.part.as_ref()) {
            names.insert(&part.name);
            names.extend(part.name_en.as_deref());
        }
        let mut roots: FxHashMap<NameId, FxHashMap<String, Root>> = FxHashMap::default();
        for name in names {
            let rows = self.rows(
                "SELECT i.form, i.name, i.line, t.text, f.file FROM form_item i JOIN form f ON f.id = i.form
                 JOIN texts t ON t.id = i.data_path WHERE instr(t.text, ?1) > 0",
                [format!(".{name}")],
                |row| {
                    let (line, file) = (row.get::<_, Option<u32>>(2)?, row.get::<_, Option<u32>>(4)?);
                    let text = (row.get::<_, String>(1)?, row.get::<_, String>(3)?);
                    Ok((row.get::<_, NameId>(0)?, text, line.unwrap_or(0), file.unwrap_or(0)))
                },
            )?;
            for (form, (item, path), line, file) in rows {
                let roots = match roots.entry(form) {
                    std::collections::hash_map::Entry::Occupied(known) => known.into_mut(),
                    std::collections::hash_map::Entry::Vacant(free) => free.insert(self.roots(form)?),
                };
                let Some((target, rank)) = self.path_hits(form, &path, roots, subject)? else { continue };
                let note = format!("{item}: {path}");
                found.push(Direct { note, rank, ..reference(form, target, "form_data_path", file, line) });
            }
        }
        self.by_list_queries(subject, found)?;
        self.by_buttons(subject, found)
    }

    fn roots(&self, form: NameId) -> Result<FxHashMap<String, Root>> {
        let rows = self.rows(
            "SELECT a.name, t.text, a.main_table, q.text FROM form_attribute a LEFT JOIN texts t ON t.id = a.types
             LEFT JOIN texts q ON q.id = a.query WHERE a.form = ?1",
            [form],
            |row| {
                let text = |column| row.get::<_, Option<String>>(column).map(Option::unwrap_or_default);
                Ok((bsl::fold(&text(0)?), Root { types: text(1)?, table: row.get(2)?, query: text(3)? }))
            },
        )?;
        Ok(rows.into_iter().collect())
    }

    /// Which part of the subject a path leads to or through, and how sure that is.
    fn path_hits(
        &self,
        form: NameId,
        path: &str,
        roots: &FxHashMap<String, Root>,
        subject: &Subject,
    ) -> Result<Option<(NameId, u8)>> {
        let mut steps: Vec<String> = path.trim_start_matches('~').split('.').map(str::to_owned).collect();
        // `Items.Список.CurrentData.Поле` goes on from what the item shows.
        if steps.len() > 3 && steps.first().is_some_and(|word| word == "Items") {
            let item = steps.get(1).cloned().unwrap_or_default();
            let shown = self.rows(
                "SELECT t.text FROM form_item i JOIN texts t ON t.id = i.data_path WHERE i.form = ?1 AND i.name = ?2",
                (form, &item),
                |row| row.get::<_, String>(0),
            )?;
            let shown = shown.into_iter().next().unwrap_or_default();
            let rest = steps.split_off(3);
            steps = shown.split('.').map(str::to_owned).chain(rest).collect();
        }
        let mut steps = steps.into_iter().take(LONGEST);
        let Some(root) = steps.next().and_then(|word| roots.get(&bsl::fold(&word))) else { return Ok(None) };
        let mut holders: Vec<Holder> = match root.table {
            Some(table) => vec![table],
            None => self.objects_of_types(&root.types)?,
        };
        let listed = root.table.is_none() && !root.query.is_empty();
        for step in steps {
            let mut next = Vec::new();
            for &holder in &holders {
                for id in self.fields_named(holder, &step)? {
                    if subject.inside.contains(&id) {
                        return Ok(Some((id, 1)));
                    }
                    next.extend(self.after_field(id)?);
                }
            }
            if listed {
                // Fields of a list with a query of its own bear the query's names.
                let named = subject.wanted.iter().zip(&subject.wanted_ids).find(|(wanted, _)| {
                    wanted.part.as_ref().is_some_and(|part| bsl::same_name(&part.name, &step))
                        && !in_query(&root.query, wanted, false).is_empty()
                });
                if let Some((_, &id)) = named {
                    return Ok(Some((id, rank(graph::Confidence::Typed))));
                }
            }
            next.sort_unstable();
            next.dedup();
            holders = next;
        }
        Ok(None)
    }

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

    /// Dynamic lists whose query reads a field.
    fn by_list_queries(&self, subject: &Subject, found: &mut Vec<Direct>) -> Result<()> {
        let rows = self.rows(
            "SELECT a.form, a.name, q.text, f.file FROM form_attribute a JOIN form f ON f.id = a.form
             JOIN texts q ON q.id = a.query",
            [],
            |row| {
                let file = row.get::<_, Option<u32>>(3)?.unwrap_or(0);
                Ok((row.get::<_, NameId>(0)?, row.get::<_, String>(1)?, row.get::<_, String>(2)?, file))
            },
        )?;
        for (form, attribute, query, file) in rows {
            for (wanted, &target) in subject.wanted.iter().zip(&subject.wanted_ids) {
                let Some((_, confidence)) = in_query(&query, wanted, false).into_iter().min_by_key(|(_, c)| *c) else {
                    continue;
                };
                let one = reference(form, target, "form_dynamic_list_query", file, 0);
                found.push(Direct { note: attribute.clone(), rank: rank(confidence), ..one });
            }
        }
        Ok(())
    }

    /// Buttons of forms that run a command.
    fn by_buttons(&self, subject: &Subject, found: &mut Vec<Direct>) -> Result<()> {
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
