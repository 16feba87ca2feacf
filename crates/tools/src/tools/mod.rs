//! The tools, one a file.

use crate::tool::Tool;

mod call_path;
mod callees;
mod callers;
mod configuration_overview;
mod entry_points;
mod hybrid_search;
mod impact_analysis;
mod literal_search;
mod method_passport;
mod notification_flow;
mod object_passport;
mod object_references;
mod read_method;
mod relation_path;
mod resolve_entity;
mod sql_select;

/// All of them, in the order of `data/tools.tsv`.
pub const ALL: &[&Tool] = &[
    &literal_search::TOOL,
    &hybrid_search::TOOL,
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
    &relation_path::TOOL,
    &impact_analysis::TOOL,
];
