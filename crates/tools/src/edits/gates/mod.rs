//! The gates, one a file.

use super::gate::Gate;

mod code;
mod decodable;
mod in_project;
mod schema;
mod support;

/// All of them, in the order in which they look: whether the file may be touched comes before what is in it.
pub const ALL: &[&dyn Gate] =
    &[&in_project::InProject, &support::Support, &decodable::Decodable, &code::Code, &schema::Schema];
