//! Pieces of metadata that a parsed query names: tables, fields, values and types.
//!
//! A place counts where the text names the piece: a column that was given another name further up is followed to the fields that
//! it shows, but its new name is none of theirs. An alias that is the table's own name names the table.

use super::fields::Fields;
use crate::names::same;
use bsl::query::{FieldUse, PathUse, QueryFacts, Span, TableKind, TableUse};
use metadata::Kind;

/// Most tabular sections that a name of a table may mean whose object the code computes.
const MOST: usize = 6;
/// The table whose fields are constants.
const CONSTANTS: &str = "Constants";

/// Hands every piece of metadata that a query names to `push`, with its place in the text.
pub(crate) fn read(fields: Fields<'_>, facts: &QueryFacts, push: impl FnMut(u32, Span)) {
    read_among(fields, facts, &[], push);
}

/// As [`read`]. Queries that flow into one text lend each other the names of their tables: `others`.
pub(super) fn read_among(
    fields: Fields<'_>,
    facts: &QueryFacts,
    others: &[&QueryFacts],
    mut push: impl FnMut(u32, Span),
) {
    for table in &facts.tables {
        if let Some((node, object)) = fields.table(&table.name) {
            push(node, table.span);
            if let Some(object) = object {
                push(object, table.span);
            }
        }
    }
    for name in &facts.names {
        let Some(object) = fields.world.find(&name.object).filter(|_| !name.object.is_empty()) else { continue };
        push(object, name.span);
        if let Some(value) = fields.value(object, &name.item) {
            push(value, name.span);
        }
    }
    for field in &facts.fields {
        let mut found = Vec::new();
        read_field(fields, facts, field, &mut found);
        if found.is_empty() && field.table.is_none() {
            by_alias(fields, others, &field.parts, &mut found);
        }
        for target in found {
            push(target, field.span);
        }
    }
}

/// Adds what the names of a condition mean that is put into one of some queries: their first part is the name of a table there.
pub(super) fn read_part(fields: Fields<'_>, path: &PathUse, queries: &[&QueryFacts], found: &mut Vec<u32>) {
    if !path.called {
        by_alias(fields, queries, &path.parts, found);
    }
}

/// Fields by the name of their table. The last one of some queries that has such a table is meant.
fn by_alias(fields: Fields<'_>, queries: &[&QueryFacts], parts: &[Box<str>], found: &mut Vec<u32>) {
    let [alias, rest @ ..] = parts else { return };
    if rest.is_empty() {
        return;
    }
    for facts in queries.iter().rev() {
        let named = facts.tables.iter().filter(|table| !table.alias.is_empty() && same(&table.alias, alias));
        let mut is_there = false;
        for table in named {
            is_there = true;
            let before = found.len();
            if let Some((node, _)) = fields.table(&table.name) {
                fields.walk(&[node], &rest.join("."), found);
            } else if &*table.name == CONSTANTS {
                constant(fields, rest, found);
            } else if let Some(select) = table.made_by {
                let column = |name: &str| by_column(fields, facts, select, name);
                found.extend(rest.first().map(|name| column(name)).unwrap_or_default());
            }
            if found.len() > before {
                if let Some((node, _)) = own_name(fields, table) {
                    found.push(node);
                }
                break;
            }
        }
        if is_there {
            return;
        }
    }
}

/// The fields of that name that a column of that name shows.
fn by_column(fields: Fields<'_>, facts: &QueryFacts, select: u32, name: &str) -> Vec<u32> {
    let mut found = Vec::new();
    let branches = facts.selects.get(select as usize).map_or(&[][..], |select| &select.branches);
    let place = branches.first().and_then(|branch| branch.columns.iter().position(|column| same(&column.name, name)));
    for column in branches.iter().filter_map(|branch| branch.columns.get(place?)) {
        for field in column.value.fields.iter().filter_map(|field| facts.fields.get(*field as usize)) {
            for origin in &field.origins {
                if let Some((table, _)) = fields.table(&origin.table) {
                    fields.walk_named(&[table], &origin.path, &|step| same(step, name), &mut found);
                }
            }
        }
    }
    found
}

/// The object that an alias names: it is the object's, or the section's, own name.
fn own_name(fields: Fields<'_>, table: &TableUse) -> Option<(u32, Option<u32>)> {
    let node = fields.table(&table.name)?;
    let own = match node.1 {
        Some(_) => table.name.rsplit('.').next(),
        None => table.name.split('.').nth(1),
    };
    own.is_some_and(|own| same(own, &table.alias)).then_some(node)
}

fn read_field(fields: Fields<'_>, facts: &QueryFacts, field: &FieldUse, found: &mut Vec<u32>) {
    let written = field.parts.get(field.table_parts as usize..).unwrap_or(&[]);
    let table = field.table.and_then(|table| facts.tables.get(table as usize));
    if let Some((node, _)) = table.filter(|_| field.table_parts == 1).and_then(|table| own_name(fields, table)) {
        found.push(node);
    }
    for origin in &field.origins {
        if &*origin.table == CONSTANTS {
            let path: Vec<Box<str>> = origin.path.split('.').map(Box::from).collect();
            if path.first().is_some_and(|name| written.iter().any(|one| same(one, name))) {
                constant(fields, &path, found);
            }
        } else if let Some((table, _)) = fields.table(&origin.table) {
            match field.column {
                Some(_) => {
                    let is_written = |step: &str| written.iter().any(|one| same(one, step));
                    fields.walk_named(&[table], &origin.path, &is_written, found);
                }
                None => fields.walk(&[table], &origin.path, found),
            }
        }
    }
    if !field.origins.is_empty() || field.column.is_some() {
        return;
    }
    let path = written.join(".");
    let first = written.first().map_or("", |first| first);
    match table {
        Some(table) => of_computed(fields, table, first, found),
        // A field without its table: the one table of the branch that has such a field.
        None => {
            let branch =
                facts.selects.get(field.select as usize).and_then(|select| select.branches.get(field.branch as usize));
            let tables = branch.into_iter().flat_map(|branch| &branch.tables);
            let tables = tables.filter_map(|table| facts.tables.get(*table as usize));
            let mut holders: Vec<u32> = tables
                .filter_map(|table| fields.table(&table.name))
                .map(|(node, _)| node)
                .filter(|node| fields.field(*node, first).is_some())
                .collect();
            holders.dedup();
            if let [holder] = holders.as_slice() {
                fields.walk(&[*holder], &path, found);
            }
        }
    }
}

/// A field of the table of constants, and what it leads to.
fn constant(fields: Fields<'_>, path: &[Box<str>], found: &mut Vec<u32>) {
    let [name, ..] = path else { return };
    found.extend(Kind::named("Constant").and_then(|kind| fields.object(kind, name)));
}

/// A table whose object the code computes (`#Таблица.Товары`, `&Товары КАК Товары`): its name may be that of few tabular sections
/// with such a field; else there may be one field of that name only in the whole configuration.
fn of_computed(fields: Fields<'_>, table: &TableUse, field: &str, found: &mut Vec<u32>) {
    if !table.name.is_empty() || !matches!(table.kind, TableKind::Unknown | TableKind::Parameter) {
        return;
    }
    let parts = &fields.world.parts;
    let sections = table.parts.last().and_then(|name| parts.name(name)).map_or(&[][..], |name| parts.sections(name));
    let named: Vec<u32> = sections.iter().filter_map(|section| fields.field(*section, field)).map(|p| p.node).collect();
    if named.len() <= MOST {
        found.extend(&named);
    }
    // A table of values stands alone: what is joined as a parameter is replaced by the name of a table.
    let computed = table.kind == TableKind::Unknown && !table.parts.is_empty() || table.join.is_some();
    if let Some([only]) = parts.name(field).filter(|_| named.is_empty() && computed).map(|name| parts.fields(name)) {
        found.push(*only);
    }
}
