//! Paths of fields against the configuration: which part isn't there.
//!
//! A path is followed from the tables of metadata that its value comes from, through nested queries and temporary tables.

use bsl::Catalog;
use bsl::catalog::{Followed, follow};
use bsl::query::{Clause, FieldUse, QueryFacts, TableUse, ValueType};

use super::subject::{SetQuery, Subject, columns_of, has_name};
use super::words;

/// The tables of metadata that a field's value may come from are listed up to this many: of more, some may be missing.
const MAX_ORIGINS: usize = 16;
/// How many nested queries and temporary tables are looked through.
const MAX_DEPTH: usize = 32;

/// What is known of the path of a field.
pub(crate) enum Verdict {
    /// All of it is there.
    There,
    /// A part isn't.
    Wrong(WrongPart),
    /// It can't be said.
    Unknown,
}

/// A part of a field's path that isn't there.
pub(crate) struct WrongPart {
    /// Which of the parts as written, the table's name among them.
    pub(crate) number: usize,
    /// The tables that lack it; none if the part before is no reference.
    pub(crate) tables: Vec<Box<str>>,
    /// What may be offered.
    pub(crate) names: Vec<Box<str>>,
}

/// What the configuration says of a field of a query.
pub(crate) fn verdict(subject: &Subject<'_>, query: &SetQuery<'_>, field: &FieldUse) -> Verdict {
    match subject.catalog.filter(|_| query.is_certain()) {
        Some(catalog) => verdict_on(catalog, query.facts(), field),
        None => Verdict::Unknown,
    }
}

/// The same of a query that could be read, and of which no parts are replaced.
pub(crate) fn verdict_on(catalog: &dyn Catalog, facts: &QueryFacts, field: &FieldUse) -> Verdict {
    if field.origins.is_empty() {
        return among_tables(catalog, facts, field);
    }
    let is_bare = field.table_parts == 0 && field.table.is_some() && field.column.is_none();
    if is_bare && !is_of_tables(facts, field) {
        return Verdict::Unknown;
    }
    let tail = field.parts.len().saturating_sub(field.table_parts as usize + usize::from(field.column.is_some()));
    if field.column.is_some() && !(field.origins.len() < MAX_ORIGINS && is_closed(facts, field, MAX_DEPTH)) {
        return Verdict::Unknown;
    }
    let mut wrong: Option<WrongPart> = None;
    let mut is_known = true;
    for origin in &field.origins {
        let path: Vec<&str> = origin.path.split('.').collect();
        match follow(catalog, &origin.table, &path) {
            Followed::Whole => return Verdict::There,
            Followed::Unknown => is_known = false,
            // What a nested query takes is wrong there, not here.
            Followed::Missing(number, _) if number + tail < path.len() => is_known = false,
            Followed::Missing(number, tables) => {
                // In the condition of a virtual table, names of the register's own table may count.
                if field.clause == Clause::TableParameter && in_own_table(catalog, &tables, path[number]) {
                    return Verdict::Unknown;
                }
                let at = field.parts.len() - (path.len() - number);
                let known =
                    wrong.get_or_insert_with(|| WrongPart { number: at, tables: Vec::new(), names: Vec::new() });
                // The path that leads furthest tells most.
                if at > known.number {
                    *known = WrongPart { number: at, tables: Vec::new(), names: Vec::new() };
                }
                if at == known.number {
                    known.tables.extend(tables);
                }
            }
        }
    }
    match wrong.filter(|_| is_known) {
        Some(mut wrong) => {
            wrong.tables.sort_unstable();
            wrong.tables.dedup();
            wrong.names = words::offered_fields(catalog, &wrong.tables, &field.parts[wrong.number]);
            Verdict::Wrong(wrong)
        }
        None => Verdict::Unknown,
    }
}

/// A name without a table, of which the text doesn't tell whose it is: it is wrong if no table of the branch has it.
fn among_tables(catalog: &dyn Catalog, facts: &QueryFacts, field: &FieldUse) -> Verdict {
    let branch = facts.selects.get(field.select as usize).and_then(|one| one.branches.get(field.branch as usize));
    let (Some(branch), Some(first)) = (branch, field.parts.first()) else { return Verdict::Unknown };
    if field.table.is_some() || field.column.is_some() || branch.tables.is_empty() || !is_of_tables(facts, field) {
        return Verdict::Unknown;
    }
    let mut wrong = WrongPart { number: 0, tables: Vec::new(), names: Vec::new() };
    for table in branch.tables.iter().filter_map(|&table| facts.tables.get(table as usize)) {
        match has_field(catalog, facts, table, first) {
            Some(true) => return Verdict::There,
            Some(false) => {}
            None => return Verdict::Unknown,
        }
        match columns_of(facts, table) {
            Some(columns) => wrong.names.extend(columns.into_iter().map(Box::from)),
            None => {
                wrong.names.extend(words::offered_fields(catalog, &[&*table.name], first));
                wrong.tables.push(table.name.clone());
            }
        }
    }
    Verdict::Wrong(wrong)
}

/// Whether a table of a query has a field, by the text or by the configuration.
fn has_field(catalog: &dyn Catalog, facts: &QueryFacts, table: &TableUse, name: &str) -> Option<bool> {
    match columns_of(facts, table) {
        Some(columns) => Some(has_name(&columns, name)),
        None if table.name.is_empty() || table.made_by.is_some() => None,
        None => catalog.has_field(&table.name, name),
    }
}

/// Whether a name without a table can only be that of a field of its branch's tables: not of a table around them, of a column of
/// the result, of a field of the composition.
fn is_of_tables(facts: &QueryFacts, field: &FieldUse) -> bool {
    let is_closed = |select: u32| {
        let parent = facts.selects.get(select as usize).and_then(|select| select.parent);
        // In a condition, tables around the query count, too.
        parent.is_none() || facts.tables.iter().any(|table| table.made_by == Some(select))
    };
    match field.clause {
        Clause::TableParameter => true,
        Clause::Select | Clause::Join | Clause::Where | Clause::Group => is_closed(field.select),
        _ => false,
    }
}

/// Whether the values of a column come from fields of metadata alone: not from parameters, or from named values and types.
fn is_closed(facts: &QueryFacts, field: &FieldUse, depth: usize) -> bool {
    let Some((select, column)) = field.column else { return !field.origins.is_empty() };
    let Some(select) = facts.selects.get(select as usize).filter(|_| depth > 0) else { return false };
    select.branches.iter().all(|branch| {
        let Some(column) = branch.columns.get(column as usize) else { return false };
        let value = &column.value;
        let is_plain = value.types.iter().all(|one| !matches!(one, ValueType::Named(_)));
        let mut fields = value.fields.iter().map(|&field| facts.fields.get(field as usize));
        !value.open && is_plain && fields.all(|field| field.is_some_and(|field| is_closed(facts, field, depth - 1)))
    })
}

/// Whether the table that a virtual one is made of has a field.
fn in_own_table(catalog: &dyn Catalog, tables: &[Box<str>], name: &str) -> bool {
    let own = |table: &str| table.rsplit_once('.').filter(|(own, _)| own.contains('.')).map(|(own, _)| own.to_owned());
    tables.iter().filter_map(|table| own(table)).any(|own| catalog.has_field(&own, name) != Some(false))
}
