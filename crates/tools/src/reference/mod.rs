//! What tools know of the platform without any configuration: short texts of our own, and the members of its built-in language.

mod help;
mod members;
mod texts;

pub use help::Source;
pub use members::{Availability, Kind, Member, Members};
pub use texts::{ReferenceText, TEXTS, text_for, texts_of};
