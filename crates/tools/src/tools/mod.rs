//! The tools, one a file.

use crate::tool::Tool;

mod call_path;
mod callees;
mod callers;
mod configuration_overview;
mod discard_edit;
mod entry_points;
mod hybrid_search;
mod impact_analysis;
mod literal_search;
mod method_passport;
mod notification_flow;
mod object_passport;
mod object_references;
mod pending_edits;
mod preview_diff;
mod propose_insert;
mod propose_new_method;
mod propose_patch;
mod propose_rename;
mod propose_replace_lines;
mod propose_split_method;
mod read_method;
mod relation_path;
mod resolve_entity;
mod sql_select;

/// All of them, in the order in which they are listed.
pub const ALL: &[&Tool] = &[
    &hybrid_search::TOOL,
    &literal_search::TOOL,
    &resolve_entity::TOOL,
    &object_passport::TOOL,
    &method_passport::TOOL,
    &read_method::TOOL,
    &configuration_overview::TOOL,
    &sql_select::TOOL,
    &callers::TOOL,
    &callees::TOOL,
    &call_path::TOOL,
    &entry_points::TOOL,
    &notification_flow::TOOL,
    &object_references::TOOL,
    &impact_analysis::TOOL,
    &relation_path::TOOL,
    &propose_patch::TOOL,
    &propose_insert::TOOL,
    &propose_replace_lines::TOOL,
    &propose_new_method::TOOL,
    &propose_split_method::TOOL,
    &propose_rename::TOOL,
    &pending_edits::TOOL,
    &preview_diff::TOOL,
    &discard_edit::TOOL,
];
