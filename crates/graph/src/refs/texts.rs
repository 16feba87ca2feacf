//! Pieces of metadata that a literal names: full names, types, values of enumerations, roles, session parameters.

use super::areas::template_of;
use super::fields::Fields;
use super::{lines_before, paths};
use crate::names::{folded, same};
use crate::types::lines;
use metadata::Kind;
use std::sync::LazyLock;

/// Longest literal that is looked at, in bytes; what is longer is data.
const LONGEST: usize = 256 << 10;
/// Functions that ask for a role, in restrictions that code puts together.
const ASKS_FOR_ROLE: [&str; 2] = ["рольдоступна", "isinrole"];

/// Rights of the platform that code names in text.
static RIGHTS: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
    let names = lines(include_str!("../../data/platform_rights.tsv")).flat_map(|line| line.split('\t'));
    names.filter(|name| !name.is_empty()).collect()
});

/// A piece of metadata that a literal names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Named {
    pub target: u32,
    pub kind: &'static str,
    /// Lines below the literal's first one.
    pub below: u32,
    /// It is a path in the text, which says more if the text is a query.
    pub in_text: bool,
    /// It is a bare name: a key of a structure may be called so, too.
    pub bare: bool,
    /// A right of the platform or a form has the same name: only what is given to something that speaks of roles counts.
    pub other: bool,
}

/// What a literal names.
pub(super) fn read(fields: Fields<'_>, text: &str) -> Vec<Named> {
    let mut found = Vec::new();
    if text.len() > LONGEST || text.len() < 3 {
        return found;
    }
    let dotted = text.contains('.');
    if dotted {
        for (at, path) in paths(text) {
            if path.contains('.') {
                full_name(fields, path, |target, kind| {
                    found.push(Named {
                        target,
                        kind,
                        below: lines_before(text, at),
                        in_text: true,
                        bare: false,
                        other: false,
                    });
                });
            }
        }
    }
    if let Some(items) = list(text) {
        for (at, item) in items {
            if let Some((target, kind)) = own_name(fields, item) {
                let other = RIGHTS.iter().any(|name| same(name, item)) || is_form_name(fields, item);
                found.push(Named { target, kind, below: lines_before(text, at), in_text: false, bare: true, other });
            }
        }
    } else if text.contains('(') {
        restriction(fields, text, &mut found);
    }
    found
}

/// Everything that a dotted path names: an object and a part of it.
pub(super) fn full_name(fields: Fields<'_>, path: &str, mut push: impl FnMut(u32, &'static str)) {
    let mut words = path.split('.');
    let (Some(first), Some(own)) = (words.next(), words.next()) else { return };
    let of_type = Kind::from_type(first).map(|(kind, _)| kind);
    let Some(kind) = of_type.or_else(|| Kind::from_word(first).filter(|kind| kind.is_top())) else { return };
    let Some(object) = fields.object(kind, own) else {
        return nested_subsystem(fields, path, kind, push);
    };
    let rest: Vec<&str> = words.collect();
    if kind.is("Subsystem") && !rest.is_empty() {
        push(object, "bsl_string");
        return nested_subsystem(fields, path, kind, push);
    }
    let word = if of_type.is_some() && !kind.is("DefinedType") { "bsl_type_string" } else { "bsl_string" };
    match rest.as_slice() {
        [] => push(object, word),
        [item] if fields.value(object, item).is_some() => {
            push(object, "bsl_predefined_value");
            push(fields.value(object, item).unwrap_or(object), "bsl_predefined_value");
        }
        // `Документ.Счет.Накладная`, `Справочник.Товары.ФормаСписка`: how functions are told a template or a form.
        [item] if template_of(fields, object, item).or_else(|| fields.world.default_form(object, item)).is_some() => {
            push(object, word);
            if let Some(part) = template_of(fields, object, item).or_else(|| fields.world.default_form(object, item)) {
                push(part, "bsl_string");
            }
        }
        [..] => {
            push(object, word);
            if let Some(part) = longest(fields, path, object) {
                push(part, "bsl_string");
            }
        }
    }
}

/// The part of an object that a path names, whatever goes on behind it.
fn longest(fields: Fields<'_>, path: &str, object: u32) -> Option<u32> {
    let canonical = metadata::names::canonical(path)?;
    let words: Vec<&str> = canonical.split('.').collect();
    let is_part = |word: &&&str| Kind::named(word).is_some_and(|kind| !kind.is_top());
    words.get(2).filter(is_part)?;
    // A field of a tabular section has a longer name. What goes on behind a form is no piece of metadata.
    let lengths: &[usize] = if words.get(2) == Some(&"TabularSection") { &[6, 4] } else { &[4] };
    let named = |length: &usize| fields.world.find(&words.get(..*length)?.join("."));
    lengths.iter().find_map(named).filter(|part| *part != object)
}

/// `Подсистема.А.Подсистема.Б`.
fn nested_subsystem(fields: Fields<'_>, path: &str, kind: Kind, mut push: impl FnMut(u32, &'static str)) {
    if kind.is("Subsystem")
        && let Some(found) = metadata::names::canonical(path).and_then(|name| fields.world.find(&name))
    {
        push(found, "bsl_string");
    }
}

/// The items of a text that is a name or a list of names, each with its byte offset.
fn list(text: &str) -> Option<Vec<(usize, &str)>> {
    let is_name = |item: &str| item.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '*');
    let mut items = Vec::new();
    let mut at = 0;
    for item in text.split([',', ';', '\n']) {
        let name = item.trim();
        if !is_name(name) {
            return None;
        }
        if name.len() > 2 {
            items.push((at, name));
        }
        at += item.len() + 1;
    }
    Some(items)
}

/// A role or a session parameter by its bare name. A name that something else bears too says too little.
fn own_name(fields: Fields<'_>, name: &str) -> Option<(u32, &'static str)> {
    let world = fields.world;
    let (name, many) = name.strip_suffix('*').map_or((name, false), |start| (start, true));
    if many {
        return None;
    }
    let ident = world.ident(name)?;
    let kinds = [("Role", "bsl_role_name_string"), ("SessionParameter", "bsl_session_parameter_name_string")];
    let (kind, word) = kinds.into_iter().find(|(kind, _)| of_kind(fields, kind, ident).is_some())?;
    let object = of_kind(fields, kind, ident)?;
    let others = Kind::all().filter(|other| other.is_top() && !other.is(kind));
    let shared =
        others.filter_map(|other| world.object(other, ident)).next().is_some() || world.parts.name(name).is_some();
    (!shared).then_some((object, word))
}

fn is_form_name(fields: Fields<'_>, name: &str) -> bool {
    fields.world.ident(name).is_some_and(|name| fields.world.is_form_name(name))
}

fn of_kind(fields: Fields<'_>, kind: &str, ident: crate::names::Ident) -> Option<u32> {
    fields.world.object(Kind::named(kind)?, ident)
}

/// The roles that a text is a list of names of.
pub(super) fn role_names<'t>(fields: Fields<'t>, text: &'t str) -> impl Iterator<Item = u32> + 't {
    let items = list(text).unwrap_or_default().into_iter();
    items
        .filter_map(move |(_, name)| own_name(fields, name))
        .filter(|(_, kind)| *kind == "bsl_role_name_string")
        .map(|(role, _)| role)
}

/// Roles that the text of a restriction asks for: `РольДоступна(Имя)`.
fn restriction(fields: Fields<'_>, text: &str, found: &mut Vec<Named>) {
    for (at, role) in asked_roles(text) {
        let target = Kind::named("Role").and_then(|kind| fields.object(kind, role));
        if let Some(target) = target {
            let below = lines_before(text, at);
            found.push(Named { target, kind: "bsl_rls_text", below, in_text: false, bare: false, other: false });
        }
    }
}

/// Names of roles that a text asks for, each with its byte offset.
pub(super) fn asked_roles(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    if !ASKS_FOR_ROLE.iter().any(|word| folded(text).contains(word)) {
        return found;
    }
    let mut asked = false;
    for (at, word) in paths(text) {
        if std::mem::replace(&mut asked, ASKS_FOR_ROLE.iter().any(|name| same(name, word))) {
            found.push((at, word));
        }
    }
    found
}
