//! Renaming a field everywhere: its path in the sets, the column of the query, links, totals, expressions, settings of every
//! variant, templates.

use super::draft::Draft;
use super::query::Query;
use super::refusal::{Refusal, Say};
use super::shorthand::is_path;
use super::target::{Fields, leads_from, required, same};
use super::uses::{Named, rewrite, uses};
use super::{At, applies, options};
use crate::document::Element;
use crate::view::DataSetKind;

options! {
    /// Renames a field, or a calculated one, with everything that names it.
    RenameField {
        /// Its path.
        name: String,
        /// The new path.
        to: String,
    }
}
applies!(RenameField, rename);

fn rename<'d>(this: &RenameField, at: &mut At<'d>, draft: &mut Draft<'d>) -> Result<Say, Refusal> {
    let old = required(&this.name, "name", "имя поля", "the field's name")?;
    let new = required(&this.to, "to", "новое имя", "the new name")?;
    if !is_path(new) {
        return Err(Refusal::new(
            format!("«{new}» не может быть именем поля: буквы, цифры, подчёркивание, точки между частями"),
            format!("\"{new}\" can't be a field's name: letters, digits, underscore, dots between its parts"),
        ));
    }
    let schema = at.schema;
    let fields = Fields::of(schema, &|_| false);
    if fields.has_exactly(new) && !same(old, new) {
        return Err(Refusal::exists(("поле", "field"), new));
    }
    let mut found = false;
    // A path, or one that leads on from it.
    let path = |draft: &mut Draft<'d>, element: Element<'d>| -> Result<bool, Refusal> {
        let text = element.text();
        let is = leads_from(&text, old);
        if is {
            draft.patch_text(element, 0..old.len().min(text.len()), new)?;
        }
        Ok(is)
    };
    for set in schema.all_data_sets() {
        for field in set.fields() {
            let Some(element) = field.element().child("dataPath") else { continue };
            if !path(draft, element)? {
                continue;
            }
            found = true;
            let Some(source) = field.element().child("field").filter(|source| same(&source.text(), old)) else {
                continue;
            };
            match set.kind() {
                // The set is handed over by code, which calls its column so.
                DataSetKind::Object | DataSetKind::Unknown => {}
                DataSetKind::Union => draft.set_text(source, new)?,
                DataSetKind::Query => {
                    if rename_column(draft, set, old, new)? {
                        draft.set_text(source, new)?;
                    }
                }
            }
        }
        // A column that is a field by itself.
        let is_described = set.fields().any(|field| same(&field.source(), old) || same(&field.data_path(), old));
        if set.kind() == DataSetKind::Query && set.auto_fill() && !is_described {
            let text = set.query();
            if Query::of(&text).columns().iter().any(|column| same(column, old)) {
                found = true;
                rename_column(draft, set, old, new)?;
            }
        }
    }
    for field in schema.calculated_fields() {
        if let Some(element) = field.element().child("dataPath") {
            found |= path(draft, element)?;
        }
    }
    if !found {
        let mut names: Vec<&str> = fields.names().collect();
        names.sort_unstable();
        return Err(Refusal::unknown(("поле", "field"), old, names));
    }
    for used in uses(schema).into_iter().filter(|used| used.named == Named::Field && leads_from(&used.name, old)) {
        let text = used.element.text();
        // Parts in brackets are written otherwise than the path.
        let start = used.range.start;
        let written = text.get(used.range).unwrap_or("");
        let length = written.char_indices().nth(old.chars().count()).map_or(written.len(), |(at, _)| at);
        if same(&written[..length], old) {
            rewrite(draft, used.element, start..start + length, new)?;
        }
    }
    Ok(Say::new(format!("Поле «{old}» переименовано в «{new}»"), format!("Renamed the field \"{old}\" to \"{new}\"")))
}

/// Renames a column; false if its name must stay.
fn rename_column<'d>(
    draft: &mut Draft<'d>,
    set: crate::view::DataSet<'d>,
    old: &str,
    new: &str,
) -> Result<bool, Refusal> {
    let text = set.query();
    let query = Query::of(&text);
    let is_column = query.columns().iter().any(|column| same(column, old));
    let Some(element) = set.query_element().filter(|_| is_column && !new.contains('.')) else { return Ok(false) };
    for (range, with) in query.rename_column(old, new)? {
        draft.patch_text(element, range, &with)?;
    }
    Ok(true)
}
