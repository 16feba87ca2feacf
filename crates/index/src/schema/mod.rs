//! The schema: tables, indexes and the views of the contract, as SQL files.

use rusqlite::Connection;

/// Version of the format. An index of another version is rebuilt.
pub const FORMAT: u32 = 12;

/// Marks the file as ours (`application_id`): "MSCP".
pub(crate) const APPLICATION_ID: i32 = 0x4d53_4350;

/// A view of the contract: what stands here keeps its meaning, in every index.
#[derive(Debug, Clone, Copy)]
pub struct View {
    /// Name.
    pub name: &'static str,
    /// Its columns, in order.
    pub columns: &'static [&'static str],
}

/// The contract's views with their columns (`meta` is a table, readable like a view).
pub const VIEWS: &[View] = &[
    view(
        "objects",
        &["full_name", "kind", "name", "synonym", "comment", "parent", "subsystem", "uuid", "layer", "support", "file"],
    ),
    view(
        "attributes",
        &["full_name", "object", "section", "kind", "name", "synonym", "types", "required", "indexing", "layer"],
    ),
    view("attribute_types", &["attribute", "type", "qualifiers"]),
    view(
        "modules",
        &[
            "full_name",
            "object",
            "kind",
            "file",
            "lines",
            "bytes",
            "layer",
            "server",
            "server_call",
            "client",
            "external_connection",
            "ordinary",
            "privileged",
            "global",
            "return_values_reuse",
        ],
    ),
    view(
        "methods",
        &[
            "full_name",
            "module",
            "name",
            "is_function",
            "is_export",
            "is_async",
            "context",
            "params",
            "returns",
            "doc",
            "line",
            "end_line",
            "override_of",
            "override_kind",
            "layer",
        ],
    ),
    view("edges", &["source", "target", "channel", "confidence", "file", "line"]),
    view("refs", &["target", "source", "kind", "file", "line"]),
    view("forms", &["form", "object", "name", "kind", "layer", "file"]),
    view("form_items", &["form", "name", "kind", "parent", "data_path", "title"]),
    view("form_attributes", &["form", "name", "types", "is_main", "query"]),
    view("form_commands", &["form", "name", "title", "action", "call_type"]),
    view("form_handlers", &["form", "element", "event", "handler", "call_type"]),
    view("register_movements", &["document", "register", "evidence"]),
    view("role_rights", &["role", "object", "right", "value"]),
    view("rls", &["role", "object", "right", "field", "condition", "template"]),
    view("enum_values", &["owner", "name", "synonym", "position", "parent"]),
    view("predefined", &["owner", "name", "code", "description", "position", "parent"]),
    view("event_subscriptions", &["name", "event", "handler", "source_object"]),
    view("scheduled_jobs", &["name", "method", "enabled", "predefined", "schedule"]),
    view("subsystem_content", &["owner", "item"]),
    view("functional_options", &["owner", "item", "location"]),
    view("defined_types", &["owner", "item", "qualifiers"]),
    view("exchange_plan_content", &["owner", "item", "auto_record"]),
    view("dcs_schemas", &["schema", "object", "file"]),
    view("dcs_datasets", &["schema", "name", "kind", "parent", "query"]),
    view("dcs_fields", &["schema", "dataset", "path", "field", "title", "types"]),
    view("dcs_parameters", &["schema", "name", "title", "types", "value"]),
    view("dcs_variants", &["schema", "name", "title"]),
    view("queries", &["owner", "line", "text"]),
    view("query_tables", &["owner", "line", "table", "kind", "query_line"]),
    view("query_fields", &["owner", "line", "table", "field", "query_line"]),
    view("strings", &["method", "line", "value"]),
    view("meta", &["key", "value"]),
];

/// Views beyond the contract, that hints may offer as well.
pub const MORE_VIEWS: &[View] = &[
    view("templates", &["full_name", "object", "kind", "file"]),
    view("rls_effective", &["role", "object", "right", "field", "condition", "lets", "template", "file", "line"]),
    view("properties", &["owner", "name", "value"]),
    view("links", &["owner", "property", "target", "value", "file", "line"]),
    view("help_pages", &["owner", "language", "file"]),
    view("method_types", &["method", "param", "type", "source"]),
    view("dynamic_sites", &["method", "line", "kind", "known", "file"]),
    view("notifications", &["event", "role", "method", "channel", "confidence", "file", "line"]),
    view("problems", &["file", "line", "kind", "message_ru", "message_en"]),
    view("files", &["path", "size", "modified"]),
];

/// Names of the views whose rows `meta` counts.
pub(crate) fn counted_views() -> impl Iterator<Item = &'static str> {
    VIEWS.iter().map(|view| view.name).filter(|view| *view != "meta")
}

/// The channels of the contract that are not among those that are derived.
pub(crate) fn unfilled_channels<'a>(derived: impl Iterator<Item = &'a str>) -> Vec<&'static str> {
    let derived: Vec<&str> = derived.collect();
    channels().filter(|channel| !derived.contains(channel)).collect()
}

/// The channels of the contract.
pub fn channels() -> impl Iterator<Item = &'static str> {
    include_str!("channels.txt").lines()
}

const fn view(name: &'static str, columns: &'static [&'static str]) -> View {
    View { name, columns }
}

/// All views, the contract's first.
pub fn all_views() -> impl Iterator<Item = &'static View> {
    VIEWS.iter().chain(MORE_VIEWS)
}

/// Makes the tables and views of an empty index.
pub(crate) fn create(connection: &Connection) -> rusqlite::Result<()> {
    connection.execute_batch(include_str!("tables.sql"))?;
    connection.execute_batch(include_str!("views.sql"))?;
    connection.pragma_update(None, "application_id", APPLICATION_ID)?;
    connection.pragma_update(None, "user_version", FORMAT)
}

/// Makes the indexes, once the rows are there.
pub(crate) fn create_indexes(connection: &Connection) -> rusqlite::Result<()> {
    connection.execute_batch(include_str!("indexes.sql"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_view_has_exactly_the_columns_it_promises() {
        let connection = Connection::open_in_memory().unwrap();
        create(&connection).unwrap();
        create_indexes(&connection).unwrap();
        for view in all_views() {
            let statement = connection.prepare(&format!("SELECT * FROM \"{}\"", view.name)).unwrap();
            assert_eq!(statement.column_names().collect::<Vec<_>>(), view.columns, "{}", view.name);
        }
    }
}
