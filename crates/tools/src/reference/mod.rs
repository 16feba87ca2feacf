//! What tools know of the platform without any configuration: short texts of our own, and the members of its built-in language.

mod members;
mod texts;

pub use members::{Availability, Kind, Member, members_of, named, nearest_names, with_part};
pub use texts::{ReferenceText, TEXTS, text_for, texts_of};
