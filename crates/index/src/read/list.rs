//! Objects by what is known of them.

use super::{Index, NameId, ObjectRow};
use crate::Result;
use rustc_hash::FxHashSet;

/// Which objects are wanted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ObjectFilter {
    /// Kind (`Catalog`, `Form`); empty: every kind of the top level.
    pub kind: String,
    /// Only the content of a subsystem, and of those within it.
    pub subsystem: Option<NameId>,
    /// A part of the name or synonym, in any case; several words must all be there.
    pub part: String,
    /// Name of the layer; `main` is the main configuration; empty: all.
    pub layer: String,
    /// State of support (`locked`, `editable`, `removed`, `own`); empty: all.
    pub support: String,
}

impl Index {
    /// Objects that pass a filter, by kind and name.
    ///
    /// # Errors
    /// If the index can't be read.
    pub fn objects_where(&self, filter: &ObjectFilter) -> Result<Vec<ObjectRow>> {
        let content = filter.subsystem.map(|subsystem| self.content_of(subsystem)).transpose()?;
        let words: Vec<String> = filter.part.split_whitespace().map(bsl::fold).collect();
        let layer = bsl::fold(&filter.layer);
        let mut rows = self.objects(&filter.kind)?;
        rows.retain(|row| {
            let text = format!("{} {}", bsl::fold(&row.name), bsl::fold(&row.synonym));
            let own_layer = row.full_name.split_once("::").map_or("main", |(layer, _)| layer);
            words.iter().all(|word| text.contains(word.as_str()))
                && (layer.is_empty() || bsl::fold(own_layer) == layer)
                && (filter.support.is_empty() || row.support == filter.support)
                && content.as_ref().is_none_or(|content| content.contains(&row.id))
        });
        rows.sort_by(|a, b| (&a.kind, &a.full_name).cmp(&(&b.kind, &b.full_name)));
        Ok(rows)
    }

    /// Numbers of what a subsystem, and those within it, hold.
    fn content_of(&self, subsystem: NameId) -> Result<FxHashSet<NameId>> {
        let rows = self.rows(
            "WITH RECURSIVE s(id) AS (
               SELECT ?1 UNION SELECT o.id FROM object o JOIN s ON o.parent = s.id
               WHERE o.kind = (SELECT id FROM words WHERE word = 'Subsystem'))
             SELECT l.target FROM link l JOIN s ON s.id = l.owner
             WHERE l.property = (SELECT id FROM words WHERE word = 'Content')
             UNION SELECT id FROM s WHERE id <> ?1",
            [subsystem],
            |row| row.get(0),
        )?;
        Ok(rows.into_iter().collect())
    }
}
