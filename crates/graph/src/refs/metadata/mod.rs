//! References that metadata shows: properties and types, forms, roles, command interfaces. What stands in files of its own
//! (help, templates) is handed in as text.

mod forms;
mod objects;
mod rights;
mod texts;

pub use rights::{BaseRoles, Callable, is_english, table_name};
pub use texts::{help, schema, text};

use crate::world::World;
use crate::world::layers::without_layer;
use metadata::names::may_be_platforms;
use metadata::{Configuration, FileId};

/// A thing at one end of a reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Thing<'a> {
    /// By its node in the world.
    Node(u32),
    /// By its full name: a thing that the world doesn't number, or that is not there.
    Named(&'a str),
}

/// A place in metadata that refers to a piece of metadata.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place<'a> {
    /// What is referred to.
    pub target: Thing<'a>,
    /// Full name of who refers to it.
    pub source: &'a str,
    /// Kind of reference.
    pub kind: &'static str,
    /// The file.
    pub file: FileId,
    /// 1-based line; 0 where the file as a whole is meant.
    pub line: u32,
}

/// Where references are put.
pub type Push<'p> = dyn FnMut(Place<'_>) + 'p;

/// Hands every reference that metadata shows to `push`. The configuration is the one that the world was made of.
pub fn all(world: &World, configuration: &Configuration, push: &mut Push<'_>) {
    let fields = super::Fields::new(world);
    let push = &mut |place: Place<'_>| {
        if is_there(world, place.target) {
            push(place);
        }
    };
    objects::all(fields, configuration, push);
    for form in &configuration.forms {
        forms::form(fields, form, push);
    }
    rights::all(fields, configuration, push);
}

/// False for what is no thing of the configuration, though it looks like one.
fn is_there(world: &World, target: Thing<'_>) -> bool {
    match target {
        Thing::Named(name) => !may_be_platforms(without_layer(name)) || world.find(name).is_some(),
        Thing::Node(_) => true,
    }
}

/// Whether a text is a full name, of whatever layer.
pub(super) fn is_full_name(text: &str) -> bool {
    metadata::names::is_full_name(without_layer(text))
}

/// The beginning of a full name that names an object of the top level (`Catalog.X`).
pub(super) fn top(full_name: &str) -> &str {
    let end = full_name.match_indices('.').nth(1).map_or(full_name.len(), |(at, _)| at);
    full_name.get(..end).unwrap_or(full_name)
}

/// Hands over a reference to a thing, and one to its object if it is a part of another object than the source's.
pub(super) fn with_object(place: Place<'_>, push: &mut Push<'_>) {
    let Thing::Named(target) = place.target else { return push(place) };
    let object = top(target);
    let part = target.get(object.len()..).unwrap_or("");
    let nested = without_layer(target).starts_with("Subsystem.");
    // `Catalog.X.EmptyRef`, `Catalog.X.StandardCommand.OpenList` are no things of their own: they are the object's.
    let is_thing = part.is_empty() || part != ".EmptyRef" && !part.starts_with(".StandardCommand.");
    if is_thing {
        push(place);
    }
    if !is_thing || !part.is_empty() && !nested && top(place.source) != object {
        push(Place { target: Thing::Named(object), ..place });
    }
}
