//! Every place that refers to a piece of metadata: which piece, from where, and how (the kinds of reference of `CONTRACT.md`).
//!
//! - [`code`]: managers, properties by the types of what stands before the dot, descriptions of metadata, common modules;
//! - [`texts`]: full names, types, roles and session parameters in literals;
//! - [`names`]: names of objects that are given to functions which take such names;
//! - [`lists`]: names of attributes that are given to functions which take such names;
//! - [`locks`]: fields of data locks;
//! - [`own_texts`]: what literals say of the module's own object;
//! - [`areas`]: areas and parameters of printed forms;
//! - [`code_queries`]: the module's queries, and what is put into them;
//! - [`queries`]: tables, fields and values of parsed queries;
//! - [`described`]: paths through `Метаданные`;
//! - [`metadata`]: what metadata, forms, roles and templates say.
//!
//! A place counts if what is written there, or the type of what stands before the dot, says which piece it is. The same name
//! on something else, or on something that nothing is known of, is no reference: `impact` offers those as candidates.

mod areas;
mod code;
mod code_queries;
mod collections;
mod described;
mod fields;
mod lists;
mod locks;
pub mod metadata;
mod names;
mod own_texts;
mod queries;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
mod texts;

pub(crate) use code::{CodeContext, ModuleReferences};
pub(crate) use described::collection as described_collection;
pub use fields::Fields;
pub use lists::NamesAttributes;
pub use names::{NamesObjects, Written};

/// A place that refers to a piece of metadata.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Reference {
    /// What is referred to.
    pub target: u32,
    /// Who refers to it.
    pub source: u32,
    /// Kind of reference (`bsl_query`, `form_data_path` …).
    pub kind: &'static str,
    /// The file, as a number in the configuration's list.
    pub file: u32,
    /// 1-based line; 0 where the file as a whole is meant.
    pub line: u32,
}

/// The dotted names of a text, each with its byte offset.
pub(crate) fn paths(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
    let mut at = 0;
    text.split(move |c| !is_part(c)).filter_map(move |run| {
        let from = at;
        // What ends a run is one character; its length is found at the next run's start.
        at += run.len() + text.get(at + run.len()..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
        let trimmed = run.trim_matches('.');
        (!trimmed.is_empty()).then_some((from, trimmed))
    })
}

/// How many line ends stand before a place.
pub(crate) fn lines_before(text: &str, at: usize) -> u32 {
    let before = text.as_bytes().get(..at.min(text.len())).unwrap_or(&[]);
    u32::try_from(before.iter().filter(|byte| **byte == b'\n').count()).unwrap_or(0)
}
