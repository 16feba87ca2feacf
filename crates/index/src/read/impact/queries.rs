//! Parsed queries: the tables that they read, the fields that they name, through references too.

use super::Direct;
use super::references::reference;
use super::subject::Subject;
use crate::Result;
use crate::read::{Index, NameId};
use rustc_hash::{FxHashMap, FxHashSet};

/// Longest path of a field that is followed, in steps.
const LONGEST: usize = 12;

/// What a field of a query is.
#[derive(Clone, Copy)]
enum Meaning {
    /// It is, or leads through, this part of the subject.
    Ours(NameId),
    /// It belongs to a table of the configuration, and is not the subject's.
    Other,
    /// Its table is not known.
    Unknown,
}

/// Where queries name a field that bears the name of a part of a subject: by whom, and in which line.
#[derive(Debug, Default)]
struct NamedFields {
    /// It is that part, or leads through it: this one.
    ours: Vec<(NameId, u32, NameId)>,
    /// It is another table's.
    others: FxHashSet<(NameId, u32)>,
    /// Its table is put in at run time (`&Таблица`, `#Таблица`).
    open: FxHashSet<(NameId, u32)>,
}

impl Index {
    /// Queries that read the table, or name the field. What a parsed query says of a line overrules what its text looked
    /// like: a candidate there goes if the field is another table's.
    pub(super) fn by_queries(&self, subject: &Subject, found: &mut Vec<Direct>) -> Result<()> {
        if subject.is_method() {
            return Ok(());
        }
        if subject.is_object() || subject.kind == "TabularSection" {
            self.by_query_tables(subject, found)?;
        }
        if subject.wanted.iter().any(|wanted| wanted.part.is_some()) {
            let NamedFields { ours, others, .. } = self.fields_of_queries(subject)?;
            for (owner, line, target) in ours {
                self.push_query(subject, owner, target, line, found)?;
            }
            found.retain(|one| {
                let text_only = &*one.kind == "bsl_query" && one.rank > 1;
                !(text_only && one.node.is_some_and(|node| others.contains(&(node, one.line))))
            });
        }
        Ok(())
    }

    fn by_query_tables(&self, subject: &Subject, found: &mut Vec<Direct>) -> Result<()> {
        let inner = format!("{}.", subject.full_name);
        let rows = self.rows(
            "SELECT DISTINCT q.owner, q.line FROM words w JOIN query_table q ON q.\"table\" = w.id
             WHERE w.word = ?1 OR substr(w.word, 1, length(?2)) = ?2",
            [&subject.full_name, &inner],
            |row| Ok((row.get::<_, NameId>(0)?, row.get::<_, u32>(1)?)),
        )?;
        for (owner, line) in rows {
            self.push_query(subject, owner, subject.id, line, found)?;
        }
        Ok(())
    }

    /// Files and lines of queries with a field of the subject's name whose table is put in at run time.
    pub(crate) fn open_fields(&self, subject: &Subject) -> Result<Vec<(u32, u32)>> {
        let NamedFields { open, .. } = self.fields_of_queries(subject)?;
        open.into_iter().map(|(owner, line)| Ok((self.query_file(owner)?.1, line))).collect()
    }

    fn fields_of_queries(&self, subject: &Subject) -> Result<NamedFields> {
        let parts = subject.wanted.iter().zip(&subject.wanted_ids);
        let names: Vec<String> = parts
            .filter_map(|(wanted, _)| wanted.part.as_ref())
            .flat_map(|part| std::iter::once(&part.name).chain(&part.name_en))
            .map(|name| bsl::fold(name))
            .collect();
        // Totals put an ending behind the name of a resource.
        let endings = subject.object().is_some_and(|(kind, _)| kind.en().ends_with("Register"));
        let named = |path: &str| {
            let folded = bsl::fold(path);
            folded
                .split('.')
                .any(|step| names.iter().any(|name| step == name || endings && step.starts_with(name.as_str())))
        };
        let paths = self.rows("SELECT id, word FROM words WHERE id IN (SELECT field FROM query_field)", [], |row| {
            Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?))
        })?;
        let paths: FxHashMap<i64, String> = paths.into_iter().filter(|(_, path)| named(path)).collect();
        let fields = self.rows(
            "SELECT q.owner, q.line, w.word, q.field FROM query_field q JOIN words w ON w.id = q.\"table\"",
            [],
            |row| {
                Ok((row.get::<_, NameId>(0)?, row.get::<_, u32>(1)?, row.get::<_, String>(2)?, row.get::<_, i64>(3)?))
            },
        )?;
        let mut known: FxHashMap<(String, i64), Meaning> = FxHashMap::default();
        let mut found = NamedFields::default();
        for (owner, line, table, field) in fields {
            let Some(path) = paths.get(&field) else { continue };
            let hit = match known.get(&(table.clone(), field)) {
                Some(&hit) => hit,
                None => {
                    let hit = self.query_path(&table, path, subject, endings)?;
                    known.insert((table.clone(), field), hit);
                    hit
                }
            };
            let is_open = || !table.starts_with(|first: char| first.is_alphabetic() || first == '_');
            match hit {
                Meaning::Ours(target) => found.ours.push((owner, line, target)),
                Meaning::Other => drop(found.others.insert((owner, line))),
                Meaning::Unknown if is_open() => drop(found.open.insert((owner, line))),
                Meaning::Unknown => {}
            }
        }
        let ours: FxHashSet<(NameId, u32)> = found.ours.iter().map(|(owner, line, _)| (*owner, *line)).collect();
        found.others.retain(|place| !ours.contains(place));
        Ok(found)
    }

    /// Which part of the subject a path of fields leads to or through.
    fn query_path(&self, table: &str, path: &str, subject: &Subject, endings: bool) -> Result<Meaning> {
        // A table whose name is computed, or a temporary one: what its fields are is not known.
        // A virtual table has the fields of its register.
        let plain: String = table.split('.').take(2).collect::<Vec<_>>().join(".");
        let Some(named) = self.by_key(table)?.map_or_else(|| self.by_key(&plain), |named| Ok(Some(named)))? else {
            return Ok(Meaning::Unknown);
        };
        let mut holders = vec![named.id];
        for step in path.split('.').take(LONGEST) {
            let mut next = Vec::new();
            for &holder in &holders {
                let mut fields = self.fields_named(holder, step)?;
                if fields.is_empty() && endings {
                    fields = self.with_ending(subject, holder, step);
                }
                for field in fields {
                    if subject.inside.contains(&field) {
                        return Ok(Meaning::Ours(field));
                    }
                    next.extend(self.after_field(field)?);
                }
            }
            next.sort_unstable();
            next.dedup();
            holders = next;
        }
        Ok(Meaning::Other)
    }

    /// The subject's own resource, if the step is its name with an ending.
    fn with_ending(&self, subject: &Subject, holder: NameId, step: &str) -> Vec<NameId> {
        let top = self.by_key(&subject.top).ok().flatten();
        if top.is_none_or(|top| top.id != holder) {
            return Vec::new();
        }
        let step = bsl::fold(step);
        let parts = subject.wanted.iter().zip(&subject.wanted_ids);
        let fits = parts
            .filter(|(wanted, _)| wanted.part.as_ref().is_some_and(|part| step.starts_with(&bsl::fold(&part.name))));
        fits.map(|(_, id)| *id).collect()
    }

    fn push_query(
        &self,
        subject: &Subject,
        owner: NameId,
        target: NameId,
        line: u32,
        found: &mut Vec<Direct>,
    ) -> Result<()> {
        if subject.inside.contains(&owner) {
            return Ok(());
        }
        let (kind, file) = self.query_file(owner)?;
        found.push(reference(owner, target, kind, file, line));
        Ok(())
    }

    /// What kind of reference a query of that owner makes, and the file that it stands in.
    fn query_file(&self, owner: NameId) -> Result<(&'static str, u32)> {
        let kind = match self.named(owner)?.kind.as_str() {
            "Form" | "CommonForm" => "form_dynamic_list_query",
            "Template" | "CommonTemplate" => "template_or_skd",
            _ => "bsl_query",
        };
        // A form's module bears the form's name: its list stands in the form's own file.
        let file = match kind {
            "form_dynamic_list_query" => {
                let files =
                    self.rows("SELECT file FROM form WHERE id = ?1", [owner], |row| row.get::<_, Option<u32>>(0))?;
                files.into_iter().flatten().next().unwrap_or(0)
            }
            _ => self.file_of(owner)?,
        };
        Ok((kind, file))
    }
}
