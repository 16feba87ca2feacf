//! The tools, one a file.

use crate::tool::Tool;

mod call_path;
mod callees;
mod callers;
mod check_grounding;
mod check_query;
mod check_syntax;
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
mod scan_code;
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
    &check_syntax::TOOL,
    &check_grounding::TOOL,
    &scan_code::TOOL,
    &check_query::TOOL,
];
