//! Rights of roles and restrictions at record level.

use super::{Place, Push, Thing};
use crate::refs::fields::Fields;
use crate::refs::texts::{asked_roles, full_name, role_names};
use crate::refs::{lines_before, paths, queries};
use crate::world::layers::without_layer;
use bsl::query::{FieldUse, QueryFacts, TableKind, TextKind};
use bsl::restriction::{Effective, Limits, Templates, alternatives};
use metadata::{Configuration, FileId, Kind, RestrictionTemplate, Role, Text};
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use std::hash::{Hash, Hasher};

/// A piece of metadata that a restriction names: which one, in the text of which template (None: of the condition), and how
/// many lines below the text's first one.
type Named = (u32, Option<u32>, u32);

/// Texts of restrictions, each read once: a library repeats its templates, and its conditions, in every role.
#[derive(Default)]
struct Known {
    templates: FxHashMap<Text, Vec<Named>>,
    /// By condition, restricted object, and the templates that it may call.
    conditions: FxHashMap<(Text, Text, u64), Vec<Named>>,
}

pub(super) fn all(fields: Fields<'_>, configuration: &Configuration, push: &mut Push<'_>) {
    let mut known = Known::default();
    let english = is_english(configuration);
    let bases = BaseRoles::of(configuration);
    for role in &configuration.roles {
        of_role(fields, role, &bases.templates(role), english, &mut known, push);
    }
}

/// Whether names of metadata in texts are English.
pub fn is_english(configuration: &Configuration) -> bool {
    &*configuration.properties.script_variant == "English"
}

/// The name of an object's table as queries write it: `Справочник.Валюты`.
pub fn table_name(object: &str, english: bool) -> String {
    let name = without_layer(object);
    let (kind, own) = name.split_once('.').unwrap_or((name, ""));
    match Kind::named(kind).filter(|_| !english) {
        Some(kind) => format!("{}.{own}", kind.ru()),
        None => name.to_owned(),
    }
}

/// The roles of the main configuration, for those that extensions adopted.
#[derive(Default)]
pub struct BaseRoles<'c> {
    /// By folded name.
    roles: FxHashMap<String, &'c Role>,
}

/// The templates that restrictions of a role may call, each with the role that has it.
#[derive(Default)]
pub struct Callable<'c>(Vec<(&'c Role, &'c RestrictionTemplate)>);

impl<'c> BaseRoles<'c> {
    /// Those that stand behind roles of extensions.
    pub fn of(configuration: &'c Configuration) -> Self {
        let is_of_layer = |role: &Role| without_layer(&role.full_name).len() < role.full_name.len();
        if !configuration.roles.iter().any(is_of_layer) {
            return Self::default();
        }
        let main = configuration.roles.iter().filter(|role| !is_of_layer(role));
        Self { roles: main.map(|role| (bsl::fold(&role.full_name), role)).collect() }
    }

    /// The templates of a role, and behind them those of the role that it adopts: both are one role at run time, and what the
    /// extension says comes first.
    pub fn templates(&self, role: &'c Role) -> Callable<'c> {
        let name = without_layer(&role.full_name);
        let is_adopted = name.len() < role.full_name.len();
        let base = self.roles.get(&bsl::fold(name)).copied().filter(|_| is_adopted);
        let of = |role: &'c Role| role.templates.iter().map(move |template| (role, template));
        Callable(of(role).chain(base.into_iter().flat_map(of)).collect())
    }
}

impl<'c> Callable<'c> {
    /// Reads them.
    pub fn read(&self) -> Templates<'c> {
        Templates::read(self.0.iter().map(|(_, template)| (&*template.name, &*template.condition)))
    }

    /// The same for the same texts.
    fn key(&self) -> u64 {
        let mut hasher = FxHasher::default();
        self.0.iter().for_each(|(_, template)| (&*template.name, &*template.condition).hash(&mut hasher));
        hasher.finish()
    }
}

fn of_role(
    fields: Fields<'_>,
    role: &Role,
    callable: &Callable<'_>,
    english: bool,
    known: &mut Known,
    push: &mut Push<'_>,
) {
    let (source, file) = (&*role.full_name, role.file);
    let mut seen = FxHashSet::default();
    let mut restricted = |target: u32, file: FileId, line: u32, push: &mut Push<'_>| {
        if seen.insert((target, file, line)) {
            push(Place { target: Thing::Node(target), source, kind: "rights_rls", file, line });
        }
    };
    let templates = callable.read();
    let key = callable.key();
    for object in &role.objects {
        let target = Thing::Named(&object.object);
        push(Place { target, source, kind: "rights_object", file, line: object.line });
        let node = fields.world.find(&object.object);
        for restriction in object.rights.iter().flat_map(|right| &right.restrictions) {
            for (field, &line) in restriction.fields.iter().zip(&restriction.field_lines) {
                if let Some(part) = node.and_then(|node| fields.field(node, field)) {
                    restricted(part.node, file, line, push);
                }
            }
            let key = (restriction.condition.clone(), object.object.clone(), key);
            let named = known.conditions.entry(key).or_insert_with(|| {
                let table = table_name(&object.object, english);
                // What only some of the rights come to counts too.
                let limits = Limits { table: &table, right: None, english };
                let mut found = named_in_text(fields, &restriction.condition);
                for text in alternatives(&restriction.condition, &templates, limits) {
                    of_alternative(fields, &text, node, &mut found);
                }
                found.sort_unstable();
                found.dedup();
                found
            });
            for &(target, template, below) in &*named {
                let text = template.and_then(|number| callable.0.get(number as usize));
                let (file, line) = text.map_or((file, restriction.line), |(role, template)| (role.file, template.line));
                restricted(target, file, line + below, push);
            }
        }
    }
    for template in &role.templates {
        let named = known.templates.entry(template.condition.clone()).or_insert_with(|| {
            let facts = bsl::query::read(&template.condition, TextKind::Restriction);
            let mut found = Vec::new();
            queries::read(fields, &facts, |target, place| found.push((target, None, place.line.saturating_sub(1))));
            found.extend(named_in_text(fields, &template.condition));
            found
        });
        for &(target, _, below) in &*named {
            restricted(target, file, template.line + below, push);
        }
    }
}

/// What a restriction names as one session gets it; `table`: the object whose records it restricts.
fn of_alternative(fields: Fields<'_>, effective: &Effective, table: Option<u32>, found: &mut Vec<Named>) {
    let facts = bsl::query::read(&effective.text, TextKind::Restriction);
    // Templates put messages in the place of conditions (`Ошибка: …`), so that the platform stops there.
    if !facts.problems.is_empty() {
        return;
    }
    let mut add = |target: u32, part: std::ops::Range<usize>| {
        let place = effective.written(part);
        found.push((target, place.template, place.line.saturating_sub(1)));
    };
    queries::read(fields, &facts, |target, span| add(target, span.range()));
    for field in facts.fields.iter().filter(|field| field.origins.is_empty() && field.column.is_none()) {
        let path = field.parts.get(field.table_parts as usize..).unwrap_or(&[]).join(".");
        if let Some(table) = table.filter(|_| is_of_restricted(fields, &facts, field, &path)) {
            let mut targets = Vec::new();
            fields.walk(&[table], &path, &mut targets);
            targets.into_iter().for_each(|target| add(target, field.span.range()));
        }
    }
}

/// Whether a field is one of the restricted table: it is written with that table's name, or with none where no table of a
/// nested query has a field of that name.
fn is_of_restricted(fields: Fields<'_>, facts: &QueryFacts, field: &FieldUse, path: &str) -> bool {
    if let Some(table) = field.table.and_then(|table| facts.tables.get(table as usize)) {
        return table.kind == TableKind::Current;
    }
    let select = facts.selects.get(field.select as usize);
    if select.is_none_or(|select| select.parent.is_none()) {
        return true;
    }
    let first = path.split('.').next().unwrap_or("");
    let tables = select.and_then(|select| select.branches.get(field.branch as usize)).into_iter();
    let mut tables = tables.flat_map(|branch| &branch.tables).filter_map(|table| facts.tables.get(*table as usize));
    tables.all(|table| fields.table(&table.name).is_some_and(|(node, _)| fields.field(node, first).is_none()))
}

/// What a text names by full names, and the roles that it names: whichever of its branches a restriction comes to
/// (`#Если`), and in arguments of templates too (`#ПоЗначениям("Справочник.Х", …)`).
fn named_in_text(fields: Fields<'_>, text: &str) -> Vec<Named> {
    let mut found = Vec::new();
    let (mut below, mut counted) = (0, 0);
    let is_comment = |at: usize| {
        let line = text.get(..at).and_then(|before| before.rsplit('\n').next());
        line.is_some_and(|line| line.contains("//"))
    };
    for (at, path) in paths(text).filter(|(at, path)| path.contains('.') && !is_comment(*at)) {
        full_name(fields, path, |target, _| {
            below += lines_before(text.get(counted..at).unwrap_or(""), usize::MAX);
            counted = at;
            found.push((target, None, below));
        });
    }
    for (at, role) in asked_roles(text).into_iter().chain(quoted(text)) {
        found.extend(role_names(fields, role).map(|target| (target, None, lines_before(text, at))));
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// Texts in quotation marks, each with its byte offset.
fn quoted(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    text.split('"').enumerate().filter_map(move |(number, piece)| {
        let from = at;
        at += piece.len() + 1;
        (number % 2 == 1 && !piece.is_empty() && piece.len() < 1000).then_some((from, piece))
    })
}
