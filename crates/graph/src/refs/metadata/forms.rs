//! Forms: types of attributes, main tables and queries of lists, data paths, commands, functional options.

use super::objects::types;
use super::{Place, Push, Thing, is_full_name, with_object};
use crate::impact::rules::link_kind;
use crate::names::same;
use crate::refs::fields::{Fields, objects_of};
use crate::refs::queries;
use crate::refs::texts::full_name;
use bsl::query::{QueryFacts, TextKind};
use metadata::{Form, FormAttribute};

/// Longest data path that is followed, in steps.
const LONGEST: usize = 16;

/// A form's attribute as paths begin with it.
struct Root<'f> {
    attribute: &'f FormAttribute,
    query: Option<QueryFacts>,
}

struct Reader<'f, 'p, 'q> {
    fields: Fields<'f>,
    form: &'f Form,
    node: Option<u32>,
    roots: Vec<Root<'f>>,
    push: &'p mut Push<'q>,
}

pub(super) fn form(fields: Fields<'_>, form: &Form, push: &mut Push<'_>) {
    let read = |attribute: &FormAttribute| {
        let list = attribute.dynamic_list.as_ref().filter(|list| !list.query.is_empty());
        list.map(|list| bsl::query::read(&list.query, TextKind::Query))
    };
    let roots = form.attributes.iter().map(|attribute| Root { attribute, query: read(attribute) }).collect();
    let node = fields.world.find(&form.full_name);
    let mut reader = Reader { fields, form, node, roots, push };
    reader.attributes();
    reader.commands();
    reader.items();
    reader.links();
}

impl Reader<'_, '_, '_> {
    fn push(&mut self, target: Thing<'_>, kind: &'static str, line: u32) {
        let (source, file) = (&*self.form.full_name, self.form.content.unwrap_or(self.form.file));
        with_object(Place { target, source, kind, file, line }, self.push);
    }

    fn push_types(&mut self, of: &metadata::Types, line: u32) {
        let file = self.form.content.unwrap_or(self.form.file);
        types(self.fields, of, &self.form.full_name, file, line, "form_attribute_type", self.push);
    }

    fn attributes(&mut self) {
        for attribute in &self.form.attributes {
            self.push_types(&attribute.types, attribute.line);
            self.push_types(&attribute.value_types, attribute.line);
            for column in &attribute.columns {
                self.push_types(&column.types, column.line);
            }
            for option in &attribute.functional_options {
                self.push(Thing::Named(option), "form_functional_option", attribute.line);
            }
            if let Some(list) = attribute.dynamic_list.as_ref().filter(|list| !list.main_table.is_empty()) {
                self.push(Thing::Named(&list.main_table), "form_main_table", attribute.line);
            }
        }
        for parameter in &self.form.parameters {
            self.push_types(&parameter.types, parameter.line);
        }
        let mut found = Vec::new();
        for root in &self.roots {
            if let (Some(facts), Some(list)) = (&root.query, &root.attribute.dynamic_list) {
                let before = list.query_line.saturating_sub(1);
                queries::read(self.fields, facts, |target, place| found.push((target, before + place.line)));
            }
        }
        for (target, line) in found {
            self.push(Thing::Node(target), "form_dynamic_list_query", line);
        }
    }

    fn commands(&mut self) {
        for command in &self.form.commands {
            for option in &command.functional_options {
                self.push(Thing::Named(option), "form_functional_option", command.line);
            }
        }
    }

    fn items(&mut self) {
        // A reader may know the lines of the paths themselves: they are links then.
        let lines = self.form.links.iter().any(|link| &*link.property == "DataPath");
        for item in &self.form.items {
            if !lines && !item.data_path.is_empty() {
                self.path(&item.data_path, "form_data_path", item.line);
            }
            if is_full_name(&item.command) {
                self.push(Thing::Named(&item.command), "command_interface", item.line);
            }
        }
    }

    fn links(&mut self) {
        for link in &self.form.links {
            if is_full_name(&link.target) {
                let kind = match &*link.property {
                    "FunctionalOptions" => "form_functional_option",
                    "ConditionalAppearance" => "form_conditional_appearance",
                    property => link_kind(property, "Form"),
                };
                self.push(Thing::Named(&link.target), kind, link.line);
            } else {
                let kind = match &*link.property {
                    "ConditionalAppearance" => "form_conditional_appearance",
                    _ => "form_data_path",
                };
                if !self.path(&link.target, kind, link.line) {
                    self.value(&link.target, kind, link.line);
                }
            }
        }
    }

    /// A value as settings write it: `Перечисление.Х.Значение`.
    fn value(&mut self, path: &str, kind: &'static str, line: u32) {
        let mut found = Vec::new();
        full_name(self.fields, path, |target, _| found.push(target));
        for target in found {
            self.push(Thing::Node(target), kind, line);
        }
    }

    /// The fields that a data path leads through; false if it doesn't begin with an attribute of the form.
    fn path(&mut self, path: &str, kind: &'static str, line: u32) -> bool {
        let whole = self.whole(path);
        let mut steps = whole.splitn(2, '.');
        let (Some(root), Some(rest)) = (steps.next(), steps.next()) else { return false };
        let Some(root) = self.roots.iter().find(|one| same(&one.attribute.name, root)) else { return false };
        let mut found = Vec::new();
        match root.attribute.dynamic_list.as_ref() {
            Some(list) => {
                let (column, after) = rest.split_once('.').map_or((rest, None), |(first, after)| (first, Some(after)));
                let of_query = root
                    .query
                    .as_ref()
                    .is_some_and(|facts| column_fields(self.fields, facts, column, after, &mut found));
                if !of_query {
                    let table = self.fields.table(&list.main_table).map(|(node, _)| node);
                    self.fields.walk(table.as_slice(), rest, &mut found);
                }
            }
            None => {
                let held = self.node.map(|node| self.fields.held(node, &root.attribute.name)).unwrap_or_default();
                let holders: Vec<u32> = objects_of(&held).collect();
                self.fields.walk(&holders, rest, &mut found);
            }
        }
        for target in found {
            self.push(Thing::Node(target), kind, line);
        }
        true
    }

    /// A path with `Items.Список.CurrentData.Поле` written out: what the item shows, and the rest.
    fn whole(&self, path: &str) -> String {
        let mut path = path.trim_start_matches('~').to_owned();
        for _ in 0..LONGEST {
            let mut steps = path.splitn(4, '.');
            let (Some("Items"), Some(item), Some("CurrentData"), Some(rest)) =
                (steps.next(), steps.next(), steps.next(), steps.next())
            else {
                break;
            };
            let Some(item) = self.form.items.iter().find(|one| same(&one.name, item)) else { break };
            path = format!("{}.{rest}", item.data_path.trim_start_matches('~'));
        }
        path
    }
}

/// The fields that a column of a list's query shows, and those of the path behind it; false if the query has no such column.
fn column_fields(
    fields: Fields<'_>,
    facts: &QueryFacts,
    name: &str,
    after: Option<&str>,
    found: &mut Vec<u32>,
) -> bool {
    let last = facts.statements.iter().rev().find(|one| one.select.is_some() && one.temp_table.is_none());
    let select = last.and_then(|statement| facts.selects.get(statement.select? as usize));
    let Some(branch) = select.and_then(|select| select.branches.first()) else { return false };
    let Some(column) = branch.columns.iter().find(|column| same(&column.name, name)) else { return false };
    for field in column.value.fields.iter().filter_map(|field| facts.fields.get(*field as usize)) {
        for origin in &field.origins {
            let Some((table, _)) = fields.table(&origin.table) else { continue };
            let path = after.map_or_else(|| origin.path.to_string(), |after| format!("{}.{after}", origin.path));
            // A column of another name is none of the field's places.
            let behind = || after.into_iter().flat_map(|after| after.split('.'));
            let is_named = |step: &str| same(step, name) || behind().any(|one| same(one, step));
            fields.walk_named(&[table], &path, &is_named, found);
        }
    }
    true
}
