//! Texts drawn in areas: the column that stands under one.
//!
//! A cell with a plain text is a title if parameters stand in its column: in rows below it, in the areas of the group whose header
//! it belongs to, or in those of the groups inside of that one. Cells that are merged count as one. Where none stands in its column,
//! the text is the label of the parameter that its row goes on with. A text in the cell of a parameter belongs to that one, and in the
//! area of a field to the field.

use bsl::{fold, same_name};

use crate::document::Element;
use crate::formal::{Formal, TypeId};
use crate::view::{GroupTemplate, Schema, StructureItem, Template};
use crate::xml::ns;

/// A text drawn in an area.
pub(super) struct Header<'d> {
    /// The text, in each language that it has.
    pub(super) texts: Vec<String>,
    /// Its element.
    pub(super) cell: Element<'d>,
    /// Name of the area.
    pub(super) template: String,
    /// The parameters that stand in its column, or that it is the label of.
    pub(super) parameters: Vec<Element<'d>>,
    /// The fields that the area as a whole shows.
    pub(super) fields: Vec<String>,
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

/// Names of the parameters of the first cell behind some columns that shows anything.
fn parameters_behind<'r>(row: &'r [Cell<'_>], end: usize) -> &'r [String] {
    let next = row.iter().skip(end).find(|cell| !cell.texts.is_empty() || !cell.parameters.is_empty());
    next.filter(|cell| cell.texts.is_empty()).map_or(&[], |cell| &cell.parameters)
}

/// Whether a binding is one of this group: by its name, or by its fields if that is how it names its group.
fn is_of(binding: GroupTemplate<'_>, item: StructureItem<'_>) -> bool {
    let name = binding.group();
    if !name.is_empty() {
        return same_name(&name, &item.name());
    }
    let fields: Vec<_> = binding.fields().collect();
    let grouped: Vec<_> = item.group_fields().map(|field| field.field()).collect();
    !fields.is_empty()
        && fields.len() == grouped.len()
        && fields.iter().all(|field| grouped.iter().any(|other| same_name(field, other)))
}

/// Whether two bindings name their group in the same way.
fn name_one_group(one: GroupTemplate<'_>, other: GroupTemplate<'_>) -> bool {
    let fields = |binding: GroupTemplate<'_>| binding.fields().map(|field| fold(&field)).collect::<Vec<_>>();
    let is_named = !one.group().is_empty() || one.fields().next().is_some();
    is_named && same_name(&one.group(), &other.group()) && fields(one) == fields(other)
}

/// An area with its rows.
type Area<'d> = (Template<'d>, Vec<Row<'d>>);

/// The areas of a schema, and what they are bound to.
struct Areas<'d> {
    all: Vec<Area<'d>>,
    bound: Vec<GroupTemplate<'d>>,
    structure: Vec<StructureItem<'d>>,
    /// Field and area.
    of_fields: Vec<(String, String)>,
}

impl<'d> Areas<'d> {
    fn of(schema: Schema<'d>) -> Self {
        let parameter = Formal::get().find(ns::CORE, "Parameter");
        let settings = schema.all_settings().into_iter();
        let of_fields =
            schema.field_templates().map(|bound| (bound.field().into_owned(), bound.template().into_owned()));
        Self {
            all: schema.templates().map(|template| (template, rows(template, parameter))).collect(),
            bound: schema.group_templates().chain(schema.group_header_templates()).collect(),
            structure: settings.flat_map(|(_, settings)| settings.all_structure()).map(|(_, item)| item).collect(),
            of_fields: of_fields.collect(),
        }
    }

    /// The other areas of the groups that an area is bound to, and of those inside of them.
    fn beside(&self, template: Template<'d>) -> Vec<&Area<'d>> {
        let own = template.name();
        let mut found = Vec::new();
        for binding in self.bound.iter().filter(|binding| same_name(&binding.template(), &own)) {
            let mut open: Vec<StructureItem<'_>> =
                self.structure.iter().copied().filter(|item| is_of(*binding, *item)).collect();
            let mut groups = Vec::new();
            while let Some(item) = open.pop() {
                open.extend(item.inner());
                groups.push(item);
            }
            let is_of_group = |other: &GroupTemplate<'d>| {
                name_one_group(*binding, *other) || groups.iter().any(|item| is_of(*other, *item))
            };
            let names: Vec<_> =
                self.bound.iter().filter(|other| is_of_group(other)).map(|other| other.template()).collect();
            let is_beside = |number: &usize| {
                let (other, _) = &self.all[*number];
                *other != template && names.iter().any(|name| same_name(name, &other.name()))
            };
            found.extend((0..self.all.len()).filter(is_beside));
        }
        found.sort_unstable();
        found.dedup();
        found.into_iter().filter_map(|number| self.all.get(number)).collect()
    }

    /// The fields that an area shows.
    fn fields_of(&self, template: Template<'d>) -> Vec<String> {
        let own = template.name();
        let of = |(field, area): &(String, String)| same_name(area, &own).then(|| field.clone());
        self.of_fields.iter().filter_map(of).collect()
    }
}

/// The parameters of these names that show something, each once.
fn add<'d>(found: &mut Vec<Element<'d>>, template: Template<'d>, names: &[String]) {
    for name in names {
        let is_it = |parameter: &crate::view::TemplateParameter<'_>| {
            same_name(&parameter.name(), name) && !parameter.expression().is_empty()
        };
        let new = template.parameters().find(is_it).map(|parameter| parameter.element());
        found.extend(new.filter(|new| !found.contains(new)).into_iter().collect::<Vec<_>>());
    }
}

/// All plain texts of a schema's areas.
pub(super) fn headers<'d>(schema: Schema<'d>) -> Vec<Header<'d>> {
    let areas = Areas::of(schema);
    let mut found = Vec::new();
    for (template, rows) in &areas.all {
        let (beside, fields) = (areas.beside(*template), areas.fields_of(*template));
        for (number, row) in rows.iter().enumerate() {
            for (column, cell) in row.iter().enumerate() {
                let texts = match &cell.texts[..] {
                    [_] => &cell.texts[..],
                    all if !cell.parameters.is_empty() => all,
                    _ => continue,
                };
                let mut parameters = Vec::new();
                add(&mut parameters, *template, &cell.parameters);
                let columns = span(row, column);
                if cell.parameters.is_empty() {
                    let below = rows.iter().skip(number + 1).map(|row| (*template, row));
                    let others = beside.iter().flat_map(|(of, rows)| rows.iter().map(|row| (*of, row)));
                    for (of, row) in below.chain(others) {
                        add(&mut parameters, of, &parameters_at(row, columns.clone()));
                    }
                }
                if parameters.is_empty() {
                    add(&mut parameters, *template, parameters_behind(row, columns.end));
                }
                for text in texts {
                    let said = super::names::titles(Some(*text));
                    if said.iter().any(|text| text.chars().any(char::is_alphanumeric)) {
                        found.push(Header {
                            texts: said,
                            cell: *text,
                            template: template.name().into_owned(),
                            parameters: parameters.clone(),
                            fields: fields.clone(),
                        });
                    }
                }
            }
        }
    }
    found
}
