//! Rights of roles and restrictions at record level.

use super::{Place, Push, Thing};
use crate::refs::fields::Fields;
use crate::refs::texts::{asked_roles, role_names};
use crate::refs::{lines_before, queries};
use bsl::query::{TableKind, TextKind};
use metadata::{Configuration, Role, Text};
use rustc_hash::{FxHashMap, FxHashSet};

/// What a text of a restriction names: targets, each with the line in the text.
type Named = Vec<(u32, u32)>;

/// Texts of restrictions, each read once: a library repeats its templates in every role.
#[derive(Default)]
struct Known(FxHashMap<(Text, Option<u32>), Named>);

pub(super) fn all(fields: Fields<'_>, configuration: &Configuration, push: &mut Push<'_>) {
    let mut known = Known::default();
    for role in &configuration.roles {
        of_role(fields, role, &mut known, push);
    }
}

fn of_role(fields: Fields<'_>, role: &Role, known: &mut Known, push: &mut Push<'_>) {
    let (source, file) = (&*role.full_name, role.file);
    let mut seen = FxHashSet::default();
    let mut restricted = |target: u32, line: u32, push: &mut Push<'_>| {
        if seen.insert((target, line)) {
            push(Place { target: Thing::Node(target), source, kind: "rights_rls", file, line });
        }
    };
    for object in &role.objects {
        let target = Thing::Named(&object.object);
        push(Place { target, source, kind: "rights_object", file, line: object.line });
        let node = fields.world.find(&object.object);
        for restriction in object.rights.iter().flat_map(|right| &right.restrictions) {
            for field in &restriction.fields {
                if let Some(part) = node.and_then(|node| fields.field(node, field)) {
                    restricted(part.node, restriction.line, push);
                }
            }
            for &(target, below) in known.read(fields, &restriction.condition, node) {
                restricted(target, restriction.line + below, push);
            }
        }
    }
    for template in &role.templates {
        for &(target, below) in known.read(fields, &template.condition, None) {
            restricted(target, template.line + below, push);
        }
    }
}

impl Known {
    /// What a text names; `table`: the object whose records it restricts.
    fn read(&mut self, fields: Fields<'_>, text: &Text, table: Option<u32>) -> &Named {
        self.0.entry((text.clone(), table)).or_insert_with(|| read(fields, text, table))
    }
}

fn read(fields: Fields<'_>, text: &str, table: Option<u32>) -> Named {
    let facts = bsl::query::read(text, TextKind::Restriction);
    let mut found = Named::new();
    queries::read(fields, &facts, |target, place| found.push((target, place.line.saturating_sub(1))));
    if let Some(table) = table {
        // Fields of the restricted table itself, and those that a template is given by name.
        for field in facts.fields.iter().filter(|field| field.origins.is_empty() && field.column.is_none()) {
            let of = field.table.and_then(|of| facts.tables.get(of as usize));
            if of.is_none_or(|of| of.kind == TableKind::Current) {
                let path = field.parts.get(field.table_parts as usize..).unwrap_or(&[]).join(".");
                let mut targets = Vec::new();
                fields.walk(&[table], &path, &mut targets);
                found.extend(targets.into_iter().map(|target| (target, field.span.line.saturating_sub(1))));
            }
        }
        for template in &facts.templates {
            for path in template.args.iter().filter(|path| !path.is_empty()) {
                let mut targets = Vec::new();
                fields.walk(&[table], path, &mut targets);
                found.extend(targets.into_iter().map(|target| (target, template.span.line.saturating_sub(1))));
            }
        }
    }
    for (at, role) in asked_roles(text).into_iter().chain(quoted(text)) {
        found.extend(role_names(fields, role).map(|target| (target, lines_before(text, at))));
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
