//! What a schema means after changes of its tree.

use super::draft::{Changes, Insertion, Piece};
use crate::document::{Document, Element};
use crate::edit::{New, NewContent};
use crate::formal::{Content, Formal, Member, Simple, Type};
use crate::meaning::{MAX_DEPTH, Nil, Thing, Value, attributes, thing};
use crate::xml::{KNOWN, ns};

/// The meaning of a document after changes.
pub(super) fn expected(document: &Document, changes: &Changes) -> Option<Thing> {
    document.root().map(|root| of_element(root, changes, 0))
}

fn of_element(element: Element<'_>, changes: &Changes, depth: usize) -> Thing {
    if !changes.touched.contains(&element.id()) || depth >= MAX_DEPTH {
        return thing(element, depth);
    }
    if let Some(new) = changes.replaced.get(&element.id()) {
        return of_new(new, element.member(), depth);
    }
    let head = thing(element, MAX_DEPTH);
    let mut made = Thing::plain(head.name, head.value);
    made.of = head.of;
    made.parts = attributes(element);
    let mut children = Vec::new();
    let mut order: Vec<&Insertion> =
        changes.inserted.get(&element.id()).map(|all| all.iter().collect()).unwrap_or_default();
    order.sort_by_key(|insertion| (insertion.behind, insertion.position));
    let pieces = |behind, children: &mut Vec<Thing>| {
        for insertion in order.iter().filter(|insertion| insertion.behind == behind) {
            match &insertion.piece {
                Piece::New(new) => {
                    let member = element.of().and_then(|of| member_of(of, new));
                    if !is_default(new, member) {
                        children.push(of_new(new, member, depth + 1));
                    }
                }
                Piece::Copy(id, inner) => {
                    if let Some(copied) = element.document().element(*id) {
                        children.push(of_element(copied, inner, depth + 1));
                    }
                }
            }
        }
    };
    pieces(None, &mut children);
    for child in element.children() {
        let text = changes.texts.get(&child.id()).cloned().unwrap_or_else(|| child.text().into_owned());
        let default = child.member().and_then(|member| member.default);
        let is_default = match changes.replaced.get(&child.id()) {
            Some(new) => is_default(new, child.member()),
            None => default.is_some_and(|default| text == default),
        };
        if !changes.removed.contains(&child.id()) && !is_default {
            children.push(of_element(child, changes, depth + 1));
        }
        pieces(Some(child.id()), &mut children);
    }
    if let Some(text) = changes.texts.get(&element.id()) {
        made.value = if text.is_empty() { Value::None } else { Value::Text(text.as_str().into()) };
    }
    if let Some(of) = element.of() {
        finish(&mut made, of, children);
    } else {
        made.parts.extend(children);
    }
    made.seal();
    made
}

/// Puts the parts into a thing: of a text in several languages they are its value. Works out its key.
fn finish(made: &mut Thing, of: &Type, children: Vec<Thing>) {
    if is_localized(of) {
        if !matches!(made.value, Value::Nil(_)) {
            made.value = Value::Localized(
                children.iter().map(|item| (item.text("lang").into(), item.text("content").into())).collect(),
            );
        }
        return;
    }
    made.parts.extend(children);
    let mut key = String::new();
    for part in &of.key {
        for found in made.parts.iter().filter(|other| *other.name == **part) {
            let text = match &found.value {
                Value::Text(text) => text.to_string(),
                Value::Localized(texts) => {
                    let russian = texts.iter().find(|(language, _)| &**language == "ru").or_else(|| texts.first());
                    russian.map(|(_, text)| text.to_string()).unwrap_or_default()
                }
                Value::None | Value::Nil(_) => String::new(),
            };
            if !text.is_empty() {
                if !key.is_empty() {
                    key.push(' ');
                }
                key.push_str(&text);
            }
        }
    }
    made.key = key.into();
}

fn is_localized(of: &Type) -> bool {
    of.name.ns == ns::DATA && of.name.local == "LocalStringType"
}

fn member_of<'t>(of: &'t Type, new: &New) -> Option<&'t Member> {
    of.position(new.name.ns, new.name.local).map(|at| &of.children[at])
}

fn text_of(new: &New) -> &str {
    match &new.content {
        NewContent::Text(text) => text,
        _ => "",
    }
}

fn is_default(new: &New, member: Option<&Member>) -> bool {
    let is_text = matches!(new.content, NewContent::Text(_) | NewContent::Empty);
    is_text && member.and_then(|member| member.default).is_some_and(|default| text_of(new) == default)
}

/// What a new element means.
fn of_new(new: &New, member: Option<&Member>, depth: usize) -> Thing {
    let formal = Formal::get();
    let type_id = match new.of {
        Some(of) => formal.find(of.ns, of.local),
        None => member.map(|member| member.of),
    };
    let of = type_id.and_then(|id| formal.of(id));
    let mut made = Thing::plain(new.name.local.into(), Value::None);
    made.of = new.of.map(|of| of.to_string().into());
    for (name, value) in &new.attributes {
        let mut part = Thing::plain(format!("@{name}").into(), Value::Text(value.as_str().into()));
        part.seal();
        made.parts.push(part);
    }
    let mut children = Vec::new();
    match &new.content {
        NewContent::Empty | NewContent::Written(_) => {}
        NewContent::Nil => made.value = Value::Nil(Nil::Nil),
        NewContent::Text(text) if !text.is_empty() && of.is_none_or(|of| of.content != Content::Elements) => {
            made.value = Value::Text(text.as_str().into());
        }
        NewContent::Text(_) => {}
        NewContent::TypeName { uri, local } => {
            let known = KNOWN.iter().find(|known| known.1 == uri);
            let name = match known {
                Some((prefix, _)) => format!("{prefix}:{local}"),
                None => format!("{{{uri}}}{local}"),
            };
            let is_name = of.is_some_and(|of| of.content == Content::Simple(Simple::QName));
            made.value = Value::Text(if is_name { name } else { local.clone() }.into());
        }
        NewContent::Elements(elements) if depth < MAX_DEPTH => {
            for element in elements {
                let member = of.and_then(|of| member_of(of, element));
                if !is_default(element, member) {
                    children.push(of_new(element, member, depth + 1));
                }
            }
        }
        NewContent::Elements(_) => {}
    }
    match of {
        Some(of) => finish(&mut made, of, children),
        None => made.parts.extend(children),
    }
    made.seal();
    made
}
