//! XML as it stands in the file: a tree of numbered nodes over the bytes.
//!
//! Every byte of the text belongs to exactly one node or to a tag of one. Reading never fails: what is wrong is listed, and
//! the tree shows the rest. Time is linear in the length of the text, and nesting costs no stack.

mod escape;
mod names;
mod parse;
mod problem;
mod tree;

pub use escape::{escape_attribute, escape_text, unescape};
pub(crate) use escape::{is_allowed, written_at};
pub use names::{KNOWN, NsId, ns};
pub(crate) use parse::parse;
pub use problem::{XmlProblem, XmlProblemKind};
pub(crate) use tree::ElementData;
pub use tree::{Attribute, NodeId, NodeKind, Tree};
