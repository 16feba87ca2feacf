//! Rows of texts in the query language: the text, the tables that it reads, the fields that it names.

use super::names::Name;
use super::rows::{Cell, Rows, Table};
use bsl::query::{FieldUse, QueryFacts, Span, TableKind, TableUse, TextKind};
use metadata::{DynamicList, Form, Text};
use rustc_hash::FxHashSet;

/// Rows of the texts of one module or form.
pub(crate) struct QueryRows {
    queries: Rows,
    tables: Rows,
    fields: Rows,
}

impl QueryRows {
    pub fn new() -> Self {
        Self {
            queries: Rows::new(Table::Query),
            tables: Rows::new(Table::QueryTables),
            fields: Rows::new(Table::QueryFields),
        }
    }

    /// Adds a text that begins on `line` of the owner's file; `line_of` gives the line of a place in the text.
    pub fn add(&mut self, owner: Name, line: u32, text: &str, facts: &QueryFacts, line_of: impl Fn(Span) -> u32) {
        self.queries.push([owner.into(), line.into(), Cell::shared(text)]);
        for table in &facts.tables {
            if let Some((name, kind)) = name_of(table) {
                let place = line_of(table.span).into();
                self.tables.push([owner.into(), place, word(&name), Cell::Known(kind), line.into()]);
            }
        }
        let mut seen = FxHashSet::default();
        for field in &facts.fields {
            let place = line_of(field.span);
            for (table, path) in paths_of(field, facts) {
                if seen.insert((place, table.clone(), path.clone())) {
                    let table = table.map_or(Cell::Null, |table| word(&table));
                    self.fields.push([owner.into(), place.into(), table, word(&path), line.into()]);
                }
            }
        }
    }

    pub fn finish(self) -> [Rows; 3] {
        [self.queries, self.tables, self.fields]
    }
}

/// A name or a path; a part that the code computes is `…`.
fn word(text: &str) -> Cell {
    Cell::word(&Text::from(text.replace(bsl::queries::UNKNOWN_PART, "…")))
}

/// A table's name and kind; `None` for nested queries and for what has no name.
fn name_of(table: &TableUse) -> Option<(String, &'static str)> {
    let kind = match table.kind {
        TableKind::Physical => "physical",
        TableKind::TabularSection => "tabular_section",
        TableKind::Virtual => "virtual",
        TableKind::Temporary => "temporary",
        TableKind::Parameter => "parameter",
        TableKind::Unknown => "unknown",
        TableKind::Nested | TableKind::Current => return None,
    };
    let written = || match table.kind {
        TableKind::Parameter => format!("&{}", table.parts.join(".")),
        _ => table.parts.join("."),
    };
    let name = if table.name.is_empty() { written() } else { table.name.to_string() };
    (!name.is_empty()).then_some((name, kind))
}

/// The fields of metadata that a path stands for, each with its table. If there are none: the path with the table as
/// written, without one if the text doesn't say which it is. Nothing for a computed column of a nested query or a
/// temporary table: it is no field.
fn paths_of(field: &FieldUse, facts: &QueryFacts) -> Vec<(Option<String>, String)> {
    if !field.origins.is_empty() {
        let origins = field.origins.iter();
        return origins.map(|origin| (Some(origin.table.to_string()), origin.path.to_string())).collect();
    }
    let path = field.parts.get(field.table_parts as usize..).unwrap_or(&[]).join(".");
    if field.column.is_some() || path.is_empty() {
        return Vec::new();
    }
    let table = field.table.and_then(|table| facts.tables.get(table as usize));
    vec![(table.and_then(name_of).map(|(name, _)| name), path)]
}

/// The queries of a form's dynamic lists, read.
pub(crate) fn of_form(form: &Form) -> Vec<(&DynamicList, QueryFacts)> {
    let lists = form.attributes.iter().filter_map(|attribute| attribute.dynamic_list.as_ref());
    let written = lists.filter(|list| !list.query.is_empty());
    written.map(|list| (list, bsl::query::read(&list.query, TextKind::Query))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows of a text that begins on line 10, as text.
    fn rows(text: &str) -> Vec<String> {
        let mut rows = QueryRows::new();
        let facts = bsl::query::read(text, TextKind::Query);
        rows.add(Name(7), 10, text, &facts, |place| place.line + 9);
        let [queries, tables, fields] = rows.finish();
        assert_eq!(queries.len(), 1);
        let cell = |cell: &Cell| match cell {
            Cell::Int(number) => number.to_string(),
            Cell::Word(word) => word.to_string(),
            Cell::Known(word) => (*word).to_owned(),
            _ => "-".to_owned(),
        };
        let row = |row: &[Cell]| row.iter().skip(1).map(cell).collect::<Vec<_>>().join(" ");
        tables.chunks().chain(fields.chunks()).map(row).collect()
    }

    #[test]
    fn tables_and_fields_of_a_batch() {
        let text = "ВЫБРАТЬ Т.Товар, Т.Товар, СУММА(Т.Цена) КАК Всего ПОМЕСТИТЬ ВТ\nИЗ Документ.Счет.Товары КАК Т;\n\
                    ВЫБРАТЬ ВТ.Товар.Код, ВТ.Всего, Другая.А ИЗ ВТ, Другая, &П КАК П, (ВЫБРАТЬ 1 КАК Б) КАК Н";
        let expected = [
            "11 Document.Счет.TabularSection.Товары tabular_section 10",
            "12 ВТ temporary 10",
            "12 Другая temporary 10",
            "12 &П parameter 10",
            "10 Document.Счет.TabularSection.Товары Товар 10",
            "10 Document.Счет.TabularSection.Товары Цена 10",
            "12 Document.Счет.TabularSection.Товары Товар.Код 10",
            "12 Другая А 10",
        ];
        assert_eq!(rows(text), expected);
    }

    #[test]
    fn fields_whose_table_is_not_known_have_none() {
        let expected = [
            "10 Catalog.А physical 10",
            "10 Catalog.Б physical 10",
            "10 - Код 10",
            "10 Document.Счет Дата 10",
            "10 Catalog.А Док 10",
        ];
        assert_eq!(
            rows("ВЫБРАТЬ Код, ВЫРАЗИТЬ(А.Док КАК Документ.Счет).Дата ИЗ Справочник.А КАК А, Справочник.Б КАК Б"),
            expected
        );
    }
}
