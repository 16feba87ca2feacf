//! The tools, one a file.

use crate::tool::Tool;

mod attribute_references;
mod call_path;
mod callees;
mod callers;
mod check_grounding;
mod check_query;
mod check_syntax;
mod configuration_overview;
mod dcs_add_calculated_field;
mod dcs_add_field;
mod dcs_add_parameter;
mod dcs_add_total;
mod dcs_add_variant;
mod dcs_edit_query;
mod dcs_edit_settings;
mod dcs_edit_structure;
mod dcs_outline;
mod dcs_read;
mod dcs_rename_or_remove;
mod dcs_validate;
mod discard_edit;
mod entry_points;
mod enum_values;
mod event_subscriptions;
mod extension_overrides;
mod find_definition;
mod find_usages;
mod form_structure;
mod fulltext_search;
mod hidden_links;
mod hybrid_search;
mod impact_analysis;
mod infer_type;
mod list_objects;
mod literal_search;
mod method_passport;
mod module_outline;
mod notification_flow;
mod object_passport;
mod object_references;
mod pending_edits;
mod platform_reference;
mod predefined_items;
mod preview_diff;
mod propose_insert;
mod propose_new_method;
mod propose_patch;
mod propose_rename;
mod propose_replace_lines;
mod propose_split_method;
mod query_tables;
mod read_metadata;
mod read_method;
mod read_module;
mod regex_search;
mod register_movements;
mod relation_path;
mod resolve_entity;
mod rls_restrictions;
mod role_rights;
mod scan_code;
mod scheduled_jobs;
mod schema_edit;
mod semantic_search;
mod similar_code;
mod sql_schema;
mod sql_select;
mod subsystem_tree;
mod type_usage;
mod variable_flow;
mod vector_search;
mod web_search;

/// All of them, in the order of `data/tools.tsv`.
pub const ALL: &[&Tool] = &[
    &semantic_search::TOOL,
    &similar_code::TOOL,
    &literal_search::TOOL,
    &regex_search::TOOL,
    &hybrid_search::TOOL,
    &find_definition::TOOL,
    &find_usages::TOOL,
    &resolve_entity::TOOL,
    &list_objects::TOOL,
    &object_passport::TOOL,
    &module_outline::TOOL,
    &method_passport::TOOL,
    &infer_type::TOOL,
    &variable_flow::TOOL,
    &read_method::TOOL,
    &read_module::TOOL,
    &read_metadata::TOOL,
    &configuration_overview::TOOL,
    &sql_select::TOOL,
    &sql_schema::TOOL,
    &fulltext_search::TOOL,
    &vector_search::TOOL,
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
    &propose_patch::TOOL,
    &propose_insert::TOOL,
    &propose_replace_lines::TOOL,
    &propose_new_method::TOOL,
    &propose_split_method::TOOL,
    &propose_rename::TOOL,
    &pending_edits::TOOL,
    &preview_diff::TOOL,
    &discard_edit::TOOL,
    &check_syntax::TOOL,
    &check_grounding::TOOL,
    &scan_code::TOOL,
    &query_tables::TOOL,
    &check_query::TOOL,
    &dcs_outline::TOOL,
    &dcs_read::TOOL,
    &dcs_add_field::TOOL,
    &dcs_add_calculated_field::TOOL,
    &dcs_add_total::TOOL,
    &dcs_add_parameter::TOOL,
    &dcs_add_variant::TOOL,
    &dcs_edit_structure::TOOL,
    &dcs_edit_settings::TOOL,
    &dcs_edit_query::TOOL,
    &dcs_rename_or_remove::TOOL,
    &dcs_validate::TOOL,
    &platform_reference::TOOL,
    &web_search::TOOL,
];
