//! BSL, the language of 1C:Enterprise modules: text -> tree -> facts.
//!
//! The one entry point is [`read_module`]: bytes of a module in, [`ModuleFacts`] out. It does no I/O, never fails as a
//! whole, and keeps nothing of the tree: what later stages need is lowered into a small intermediate form
//! ([`Code`]) from which call sites, strings and data flow are read.

#![forbid(unsafe_code)]

pub mod catalog;
pub mod code;
pub mod control;
pub mod doc;
mod dump;
pub mod facts;
mod floor;
pub mod fold;
mod graft;
pub mod highlight;
pub mod identifier;
mod nearest;
mod places;
pub mod queries;
pub mod query;
pub mod query_parts;
mod read;
pub mod restriction;
pub mod shape;
pub mod symbols;
mod words;

pub use catalog::{Catalog, Names, Spelling};
pub use code::{Code, Expr, ExprId, Node, Statement, StatementKind};
pub use doc::{Doc, DocParam, DocType};
pub use facts::{
    Annotation, AnnotationKind, Condition, Context, Contexts, DefaultValue, Method, MethodKind, ModuleFacts, Param,
    Problem, Region, Variable,
};
pub use floor::parse_alone;
pub use fold::{FoldedHash, fold, folded_hash, same_name};
pub use highlight::{Highlight, HighlightKind, highlight};
pub use identifier::split_identifier;
pub use nearest::{distance, nearest};
pub use queries::{QueryText, TextPart, query_texts};
pub use query_parts::{QueryFamily, QueryPart, query_families};
pub use read::{Engine, ReadStats, read_module, read_module_with};
pub use symbols::{Symbol, SymbolTable};
