//! Columns of a query, back to tables.

use std::borrow::Cow;
use std::cell::RefCell;
use std::rc::Rc;

use bsl::query::{ColumnFacts, ColumnKind, FieldUse, QueryFacts, Span, TableUse, TextKind, read};
use bsl::{Catalog, same_name};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{MAX_DEPTH, MAX_STEPS, Step, StepKind};
use crate::document::Element;
use crate::view::DataSet;

/// The queries of a document, each read once.
#[derive(Default)]
pub(super) struct Queries<'d>(RefCell<FxHashMap<u32, Rc<SetQuery<'d>>>>);

impl<'d> Queries<'d> {
    /// The query of a set.
    pub(super) fn of(&self, set: DataSet<'d>) -> Option<Rc<SetQuery<'d>>> {
        let element = set.query_element()?;
        let mut all = self.0.borrow_mut();
        let query = all.entry(element.id().0).or_insert_with(|| {
            let text = element.text();
            let facts = read(&text, TextKind::Query);
            Rc::new(SetQuery { element, text, facts })
        });
        Some(Rc::clone(query))
    }
}

/// A query of a set.
pub(super) struct SetQuery<'d> {
    element: Element<'d>,
    text: Cow<'d, str>,
    facts: QueryFacts,
}

impl SetQuery<'_> {
    /// The select that gives the set's rows: the last one that fills no temporary table.
    fn result(&self) -> Option<u32> {
        let last = self.facts.statements.iter().rev().find(|one| one.select.is_some() && one.temp_table.is_none());
        last.and_then(|statement| statement.select)
    }

    fn first_columns(&self, select: u32) -> &[ColumnFacts] {
        let branch = self.facts.selects.get(select as usize).and_then(|select| select.branches.first());
        branch.map_or(&[], |branch| &branch.columns)
    }

    /// Names of the columns.
    pub(super) fn result_names(&self) -> Vec<String> {
        let columns = self.result().map_or(&[][..], |select| self.first_columns(select));
        columns.iter().map(|column| column.name.to_string()).filter(|name| !name.is_empty()).collect()
    }

    /// The line of the file that a place of the query stands in.
    fn line(&self, span: Span) -> u32 {
        let byte = self.element.byte_of_text(span.start as usize);
        byte.map_or_else(
            || self.element.line() + span.line.saturating_sub(1),
            |byte| self.element.document().tree().line(byte),
        )
    }

    fn step(&self, depth: usize, kind: StepKind, name: &str, text: &str, span: Span) -> Step {
        Step::at(depth, kind, name, text, self.element, self.line(span))
    }

    /// The steps from a column of the result to its tables; `behind` (`.Код`) follows the column.
    pub(super) fn steps(&self, column: &str, behind: &str, depth: usize, catalog: Option<&dyn Catalog>) -> Vec<Step> {
        let mut way = Way { query: self, catalog, steps: Vec::new(), seen: FxHashSet::default() };
        let Some(select) = self.result() else { return Vec::new() };
        let columns = self.first_columns(select);
        if let Some(place) = columns.iter().position(|one| same_name(&one.name, column)) {
            way.column(select, place, behind, depth);
            return way.steps;
        }
        // A column of a nested table: `Товары.Количество`.
        let nested = columns.iter().find_map(|outer| {
            let inner = column.get(outer.name.len()..)?.strip_prefix('.')?;
            let is_outer = column.get(..outer.name.len()).is_some_and(|name| same_name(name, &outer.name));
            is_outer.then(|| outer.nested.iter().find(|one| same_name(&one.name, inner)))?
        });
        if let Some(nested) = nested {
            way.shown(nested, behind, depth);
            return way.steps;
        }
        // All columns of a table.
        for star in columns.iter().filter(|one| matches!(one.kind, ColumnKind::Star | ColumnKind::StarOf(_))) {
            way.star(select, star, column, behind, depth);
        }
        way.steps
    }
}

/// The way from a column to tables.
struct Way<'q, 'd> {
    query: &'q SetQuery<'d>,
    catalog: Option<&'q dyn Catalog>,
    steps: Vec<Step>,
    /// Columns that are followed already: select and place.
    seen: FxHashSet<(u32, usize)>,
}

impl<'q> Way<'q, '_> {
    fn is_full(&self, depth: usize) -> bool {
        depth > MAX_DEPTH || self.steps.len() >= MAX_STEPS
    }

    /// A column of a select, in each branch.
    fn column(&mut self, select: u32, place: usize, behind: &str, depth: usize) {
        if self.is_full(depth) || !self.seen.insert((select, place)) {
            return;
        }
        let query = self.query;
        let branches = query.facts.selects.get(select as usize).map_or(&[][..], |select| &select.branches);
        for column in branches.iter().filter_map(|branch| branch.columns.get(place)) {
            self.shown(column, behind, depth);
        }
    }

    /// A column, and the fields in its expression.
    fn shown(&mut self, column: &ColumnFacts, behind: &str, depth: usize) {
        let query = self.query;
        let expression = without_alias(column.span.of(&query.text), &column.name, column.explicit);
        self.steps.push(query.step(depth, StepKind::Column, &column.name, expression, column.span));
        let fields = query.facts.fields.get(column.fields.range()).unwrap_or(&[]);
        let mut seen: Vec<&FieldUse> = Vec::new();
        // What follows the column follows the field only if the column is just that field.
        let is_plain = fields.len() == 1 && fields[0].span.of(&query.text).trim() == expression.trim();
        for field in fields {
            if !seen.iter().any(|other| other.parts == field.parts && other.table == field.table) {
                seen.push(field);
                self.field(field, if is_plain { behind } else { "" }, depth + 1);
            }
        }
    }

    fn field(&mut self, field: &FieldUse, behind: &str, depth: usize) {
        if self.is_full(depth) {
            return;
        }
        let query = self.query;
        if let Some((select, place)) = field.column {
            // Behind the column stands what the text adds to it: `ВТ.Товар.Код`.
            let rest = field.parts.get(field.table_parts as usize + 1..).unwrap_or(&[]).join(".");
            let rest = if rest.is_empty() { behind.to_owned() } else { format!(".{rest}{behind}") };
            return self.column(select, place as usize, &rest, depth);
        }
        let table = field.table.and_then(|table| query.facts.tables.get(table as usize));
        for origin in &field.origins {
            let used = table.filter(|table| table.name == origin.table);
            let name = used.map_or_else(|| origin.table.to_string(), |table| table.parts.join("."));
            let attribute = format!("{}{behind}", origin.path);
            let span = used.map_or(field.span, |table| table.span);
            let mut step = query.step(depth, StepKind::Table, &name, &attribute, span);
            step.object = origin.table.to_string();
            self.steps.push(step);
        }
        if field.origins.is_empty() {
            let written = field.parts.join(".");
            let branch =
                query.facts.selects.get(field.select as usize).and_then(|one| one.branches.get(field.branch as usize));
            let tables = branch.filter(|_| field.table_parts == 0).map_or(&[][..], |branch| &branch.tables);
            match field.parts.first().and_then(|first| self.only_table(tables, first)) {
                Some(table) => {
                    let path = format!("{written}{behind}");
                    let mut step = query.step(depth, StepKind::Table, &table.parts.join("."), &path, table.span);
                    step.object = table.name.to_string();
                    self.steps.push(step);
                }
                None => self.steps.push(query.step(depth, StepKind::Open, &written, &written, field.span)),
            }
        }
    }

    /// The only one of some tables that has a field, as the configuration knows.
    fn only_table(&self, tables: &[u32], field: &str) -> Option<&'q TableUse> {
        let catalog = self.catalog?;
        let mut found = None;
        for table in tables.iter().filter_map(|&table| self.query.facts.tables.get(table as usize)) {
            let is_there = match table.made_by {
                Some(made_by) => self.query.first_columns(made_by).iter().any(|one| same_name(&one.name, field)),
                None => catalog.has_field(&table.name, field)?,
            };
            if is_there && (table.made_by.is_some() || found.replace(table).is_some()) {
                return None;
            }
        }
        found
    }

    /// A column that `*` gives: of one table, or of the only one.
    fn star(&mut self, select: u32, star: &ColumnFacts, column: &str, behind: &str, depth: usize) {
        let query = self.query;
        let branch = query.facts.selects.get(select as usize).and_then(|select| select.branches.first());
        let tables: Vec<u32> = match star.kind {
            ColumnKind::StarOf(table) => vec![table],
            _ => branch.map(|branch| branch.tables.clone()).unwrap_or_default(),
        };
        self.steps.push(query.step(depth, StepKind::Column, column, star.span.of(&query.text), star.span));
        for table in tables.iter().filter_map(|&table| query.facts.tables.get(table as usize)) {
            if let Some(made_by) = table.made_by {
                let place = query.first_columns(made_by).iter().position(|one| same_name(&one.name, column));
                if let Some(place) = place {
                    self.column(made_by, place, behind, depth + 1);
                }
                continue;
            }
            // With several tables it may be any of them.
            let only = self.only_table(&tables, column);
            if only.is_some_and(|only| !std::ptr::eq(only, table)) {
                continue;
            }
            let is_known = (tables.len() == 1 && !table.name.is_empty()) || only.is_some();
            let kind = if is_known { StepKind::Table } else { StepKind::Open };
            let mut step =
                query.step(depth + 1, kind, &table.parts.join("."), &format!("{column}{behind}"), table.span);
            step.object = table.name.to_string();
            self.steps.push(step);
        }
    }
}

/// The expression of a column without `КАК Имя`.
fn without_alias<'t>(text: &'t str, name: &str, explicit: bool) -> &'t str {
    if !explicit {
        return text;
    }
    let Some(before) = text.trim_end().get(..text.trim_end().len().saturating_sub(name.len())) else { return text };
    let before = before.trim_end();
    for word in ["КАК", "AS"] {
        let cut = before.char_indices().rev().nth(word.chars().count() - 1).map(|(at, _)| at);
        if let Some(cut) = cut.filter(|&cut| same_name(&before[cut..], word)) {
            return before[..cut].trim_end();
        }
    }
    before
}
