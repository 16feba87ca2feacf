//! Texts drawn in areas: the column that stands under one.
//!
//! A cell with a plain text is a title if parameters stand in its column: in rows below it, in the areas of the group whose header
//! it belongs to, or in those of the groups inside of that one. Cells that are merged count as one.

use bsl::fold;

use crate::document::Element;
use crate::formal::{Formal, TypeId};
use crate::view::{Schema, StructureItem, Template};
use crate::xml::ns;

/// A text drawn in an area.
pub(super) struct Header<'d> {
    /// The text, in each language that it has.
    pub(super) texts: Vec<String>,
    /// Its element.
    pub(super) cell: Element<'d>,
    /// Name of the area.
    pub(super) template: String,
    /// The parameters that stand in its column.
    pub(super) parameters: Vec<Element<'d>>,
}

/// What is drawn in a cell.
#[derive(Default)]
struct Cell<'d> {
    texts: Vec<Element<'d>>,
    /// Names of parameters.
    parameters: Vec<String>,
    /// It belongs to the cell on its left.
    is_merged: bool,
}

type Row<'d> = Vec<Cell<'d>>;

fn rows<'d>(template: Template<'d>, parameter: Option<TypeId>) -> Vec<Row<'d>> {
    let row = |row: Element<'d>| row.all("tableCell").map(|cell| self::cell(cell, parameter)).collect();
    template.area().into_iter().flat_map(|area| area.all("item")).map(row).collect()
}

fn cell(element: Element<'_>, parameter: Option<TypeId>) -> Cell<'_> {
    let mut cell = Cell::default();
    for value in element.all("item").filter_map(|item| item.child("value")) {
        if Some(value.type_id()) == parameter {
            cell.parameters.push(value.text().trim().to_owned());
        } else {
            cell.texts.push(value);
        }
    }
    cell.is_merged = element.child("appearance").into_iter().flat_map(|all| all.all("item")).any(|item| {
        let name = fold(&item.text_of("parameter"));
        (name == "объединятьпогоризонтали" || name == "horizontalmerge") && &*item.text_of("value") == "true"
    });
    cell
}

/// The columns that a cell covers.
fn span(row: &[Cell<'_>], mut column: usize) -> std::ops::Range<usize> {
    while column > 0 && row.get(column).is_some_and(|cell| cell.is_merged) {
        column -= 1;
    }
    let merged = row.iter().skip(column + 1).take_while(|cell| cell.is_merged).count();
    column..column + 1 + merged
}

/// Names of the parameters that a row has in some columns.
fn parameters_at(row: &[Cell<'_>], columns: std::ops::Range<usize>) -> Vec<String> {
    let mut found = Vec::new();
    let mut at = columns.start;
    while at < columns.end.min(row.len()) {
        let span = span(row, at);
        if let Some(cell) = row.get(span.start) {
            found.extend(cell.parameters.iter().cloned());
        }
        at = span.end.max(at + 1);
    }
    found
}

/// Folded names of groups, those inside of each too.
fn inner_groups(schema: Schema<'_>, group: &str) -> Vec<String> {
    let mut names = vec![fold(group)];
    for (_, settings) in schema.all_settings() {
        let mut open: Vec<StructureItem<'_>> = settings
            .all_structure()
            .into_iter()
            .map(|(_, item)| item)
            .filter(|item| bsl::same_name(&item.name(), group))
            .collect();
        while let Some(item) = open.pop() {
            let name = fold(&item.name());
            if !name.is_empty() && !names.contains(&name) {
                names.push(name);
            }
            open.extend(item.inner());
        }
    }
    names
}

/// All plain texts of a schema's areas.
pub(super) fn headers<'d>(schema: Schema<'d>) -> Vec<Header<'d>> {
    let parameter = Formal::get().find(ns::CORE, "Parameter");
    let areas: Vec<(Template<'d>, Vec<Row<'d>>)> =
        schema.templates().map(|template| (template, rows(template, parameter))).collect();
    let bound: Vec<_> = schema.group_templates().chain(schema.group_header_templates()).collect();
    let mut found = Vec::new();
    for (template, rows) in &areas {
        let own = template.name();
        // The areas of the groups that this one is bound to.
        let mut others: Vec<usize> = Vec::new();
        for binding in bound.iter().filter(|binding| bsl::same_name(&binding.template(), &own)) {
            if binding.group().is_empty() {
                continue;
            }
            let groups = inner_groups(schema, &binding.group());
            let of_group = |name: &str| {
                bound
                    .iter()
                    .any(|other| bsl::same_name(&other.template(), name) && groups.contains(&fold(&other.group())))
            };
            others.extend((0..areas.len()).filter(|&at| areas[at].0 != *template && of_group(&areas[at].0.name())));
        }
        others.sort_unstable();
        others.dedup();
        for (number, row) in rows.iter().enumerate() {
            for (column, cell) in row.iter().enumerate() {
                let [text] = &cell.texts[..] else { continue };
                let texts = super::names::titles(Some(*text));
                let says = texts.iter().any(|text| text.chars().any(char::is_alphanumeric));
                if !cell.parameters.is_empty() || !says {
                    continue;
                }
                let columns = span(row, column);
                let mut parameters: Vec<Element<'d>> = Vec::new();
                let below = rows.iter().skip(number + 1).map(|row| (*template, row));
                let beside = others.iter().flat_map(|&at| areas[at].1.iter().map(move |row| (at, row)));
                let beside = beside.map(|(at, row)| (areas[at].0, row));
                for (of, row) in below.chain(beside) {
                    for name in parameters_at(row, columns.clone()) {
                        let found = of.parameters().find(|parameter| {
                            bsl::same_name(&parameter.name(), &name) && !parameter.expression().is_empty()
                        });
                        let new = found.map(|parameter| parameter.element());
                        parameters.extend(new.filter(|new| !parameters.contains(new)));
                    }
                }
                found.push(Header { texts, cell: *text, template: own.to_string(), parameters });
            }
        }
    }
    found
}
