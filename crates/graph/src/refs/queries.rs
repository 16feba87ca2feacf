//! Pieces of metadata that a parsed query names: tables, fields, values and types.

use super::fields::Fields;
use bsl::query::{FieldUse, QueryFacts, Span, TableKind, TableUse};

/// Most tabular sections that a name of a table may mean whose object the code computes.
const MOST: usize = 6;

/// Hands every piece of metadata that a query names to `push`, with its place in the text.
pub(crate) fn read(fields: Fields<'_>, facts: &QueryFacts, mut push: impl FnMut(u32, Span)) {
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
        for target in found {
            push(target, field.span);
        }
    }
}

fn read_field(fields: Fields<'_>, facts: &QueryFacts, field: &FieldUse, found: &mut Vec<u32>) {
    for origin in &field.origins {
        if let Some((table, _)) = fields.table(&origin.table) {
            fields.walk(&[table], &origin.path, found);
        }
    }
    if !field.origins.is_empty() || field.column.is_some() {
        return;
    }
    let path = field.parts.get(field.table_parts as usize..).unwrap_or(&[]).join(".");
    let first = path.split('.').next().unwrap_or("");
    match field.table.and_then(|table| facts.tables.get(table as usize)) {
        Some(table) => by_section_name(fields, table, first, found),
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

/// A table whose object the code computes (`#Таблица.Товары`, `&Товары КАК Товары`): its name may be that of few tabular sections
/// with such a field.
fn by_section_name(fields: Fields<'_>, table: &TableUse, field: &str, found: &mut Vec<u32>) {
    if !table.name.is_empty() || !matches!(table.kind, TableKind::Unknown | TableKind::Parameter) {
        return;
    }
    let Some(name) = table.parts.last().and_then(|name| fields.world.parts.name(name)) else { return };
    let sections = fields.world.parts.sections(name);
    let named: Vec<u32> = sections.iter().filter_map(|section| fields.field(*section, field)).map(|p| p.node).collect();
    if named.len() <= MOST {
        found.extend(named);
    }
}
