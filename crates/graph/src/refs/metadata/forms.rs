//! Forms: types of attributes, main tables and queries of lists, data paths, commands, functional options.

use super::objects::types;
use super::{Place, Push, Thing, is_full_name, with_object};
use crate::impact::rules::link_kind;
use crate::names::same;
use crate::refs::fields::{Fields, objects_of};
use crate::refs::queries;
use crate::refs::texts::full_name;
use bsl::query::{QueryFacts, TextKind};
use metadata::{FileId, Form, FormAttribute, Kind, Link};

/// Longest data path that is followed, in steps.
const LONGEST: usize = 16;

/// Type of an attribute whose fields are the constants.
const CONSTANTS: &str = "ConstantsSet";

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
    /// The file that is read: the content, or one beside it.
    file: FileId,
}

pub(super) fn form(fields: Fields<'_>, form: &Form, push: &mut Push<'_>) {
    let read = |attribute: &FormAttribute| {
        let list = attribute.dynamic_list.as_ref().filter(|list| !list.query.is_empty());
        list.map(|list| bsl::query::read(&list.query, TextKind::Query))
    };
    let roots = form.attributes.iter().map(|attribute| Root { attribute, query: read(attribute) }).collect();
    let node = fields.world.find(&form.full_name);
    let file = form.content.unwrap_or(form.file);
    let mut reader = Reader { fields, form, node, roots, push, file };
    reader.attributes();
    reader.links();
}

impl Reader<'_, '_, '_> {
    fn push(&mut self, target: Thing<'_>, kind: &'static str, line: u32) {
        let (source, file) = (&*self.form.full_name, self.file);
        with_object(Place { target, source, kind, file, line }, self.push);
    }

    fn push_types(&mut self, of: &metadata::Types, line: u32) {
        types(self.fields, of, &self.form.full_name, self.file, line, "form_attribute_type", self.push);
    }

    fn attributes(&mut self) {
        for attribute in &self.form.attributes {
            self.push_types(&attribute.types, attribute.line);
            self.push_types(&attribute.value_types, attribute.line);
            for column in &attribute.columns {
                self.push_types(&column.types, column.line);
            }
            if let Some(list) = &attribute.dynamic_list {
                self.push_types(&list.types, attribute.line);
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

    /// What properties refer to, and the data paths of the form: of its content and of the files beside it.
    fn links(&mut self) {
        let form = self.form;
        let content = form.content.unwrap_or(form.file);
        for (file, links) in std::iter::once((content, &form.links)).chain(form.beside.iter().map(|(f, l)| (*f, l))) {
            self.file = file;
            links.iter().for_each(|link| self.link(link));
        }
    }

    fn link(&mut self, link: &Link) {
        // `Form.Command.X`: a command of the form itself.
        if let Some(own) = link.target.strip_prefix("Form.").filter(|_| &*link.property == "CommandName") {
            let command = format!("{}.{own}", self.form.full_name);
            return self.push(Thing::Named(&command), link_kind(&link.property, "Form"), link.line);
        }
        if is_full_name(&link.target) {
            self.push(Thing::Named(&link.target), link_kind(&link.property, "Form"), link.line);
            return;
        }
        let kind = match &*link.property {
            "ConditionalAppearance" => "form_conditional_appearance",
            _ => "form_data_path",
        };
        if !self.path(&link.target, kind, link.line) {
            self.value(&link.target, kind, link.line);
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
            // `НаборКонстант.Имя`
            None if root.attribute.types.iter().any(|t| &*t.name == CONSTANTS) => {
                let constant = rest.split('.').next().unwrap_or("");
                found.extend(Kind::named("Constant").and_then(|kind| self.fields.object(kind, constant)));
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
        let mut path = without_places(path.trim_start_matches('~'));
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

/// A path without places of rows: `Объект.Товары[0].Цена`.
fn without_places(path: &str) -> String {
    let mut pieces = path.split('[');
    let first = pieces.next().unwrap_or("").to_owned();
    pieces.fold(first, |path, piece| path + piece.split_once(']').map_or("", |(_, rest)| rest))
}

/// The fields that a column of a list's query names, and those of the path behind it; false if the query has no such column.
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
