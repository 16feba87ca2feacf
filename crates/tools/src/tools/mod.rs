//! The tools, one a file.

use crate::tool::Tool;

mod attribute_references;
mod call_path;
mod callees;
mod callers;
mod configuration_overview;
mod dcs_outline;
mod dcs_read;
mod dcs_validate;
mod entry_points;
mod enum_values;
mod event_subscriptions;
mod extension_overrides;
mod form_structure;
mod hidden_links;
mod hybrid_search;
mod impact_analysis;
mod literal_search;
mod method_passport;
mod notification_flow;
mod object_passport;
mod object_references;
mod platform_reference;
mod predefined_items;
mod query_tables;
mod read_method;
mod register_movements;
mod relation_path;
mod resolve_entity;
mod rls_restrictions;
mod role_rights;
mod scheduled_jobs;
mod sql_select;
mod subsystem_tree;
mod type_usage;
mod web_search;

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
    &hidden_links::TOOL,
    &entry_points::TOOL,
    &notification_flow::TOOL,
    &event_subscriptions::TOOL,
    &scheduled_jobs::TOOL,
    &object_references::TOOL,
    &attribute_references::TOOL,
    &type_usage::TOOL,
    &relation_path::TOOL,
    &register_movements::TOOL,
    &enum_values::TOOL,
    &predefined_items::TOOL,
    &role_rights::TOOL,
    &rls_restrictions::TOOL,
    &form_structure::TOOL,
    &subsystem_tree::TOOL,
    &impact_analysis::TOOL,
    &extension_overrides::TOOL,
    &query_tables::TOOL,
    &dcs_outline::TOOL,
    &dcs_read::TOOL,
    &dcs_validate::TOOL,
    &platform_reference::TOOL,
    &web_search::TOOL,
];
