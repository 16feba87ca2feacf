//! What two configurations are compared by: views, the columns that name a row, and those that say what it is.

/// An area of comparison.
#[derive(Debug)]
pub struct Area {
    /// Its name in answers.
    pub name: &'static str,
    /// What its rows are read by: the columns that name a row, then those that are compared.
    pub sql: &'static str,
    /// Number of the columns that name a row; they are joined by blanks.
    pub keys: usize,
    /// Names of the compared columns.
    pub values: &'static [&'static str],
}

const fn area(name: &'static str, keys: usize, values: &'static [&'static str], sql: &'static str) -> Area {
    Area { name, sql, keys, values }
}

/// All areas, in the order of answers. Code is compared beside them, by its tokens.
pub const AREAS: &[Area] = &[
    area(
        "objects",
        1,
        &["synonym", "comment", "subsystem"],
        "SELECT full_name, synonym, comment, subsystem FROM objects",
    ),
    area("properties", 2, &["value"], "SELECT owner, name, value FROM properties"),
    area(
        "attributes",
        1,
        &["synonym", "types", "required", "indexing"],
        "SELECT full_name, synonym, types, required, indexing FROM attributes WHERE kind <> 'StandardAttribute'",
    ),
    area("predefined", 2, &["code", "description"], "SELECT owner, name, code, description FROM predefined"),
    area(
        "modules",
        1,
        &["server", "server_call", "client", "external_connection", "ordinary", "privileged", "global", "reuse"],
        "SELECT full_name, server, server_call, client, external_connection, ordinary, privileged, \"global\", \
         return_values_reuse FROM modules",
    ),
    area(
        "methods",
        1,
        &["function", "export", "context", "parameters"],
        "SELECT full_name, is_function, is_export, context, params FROM methods",
    ),
    area("forms", 1, &["kind"], "SELECT form, kind FROM forms"),
    area(
        "form_attributes",
        2,
        &["types", "main", "query"],
        "SELECT form, name, types, is_main, query FROM form_attributes",
    ),
    area(
        "form_items",
        2,
        &["kind", "parent", "data_path", "title"],
        "SELECT form, name, kind, parent, data_path, title FROM form_items",
    ),
    area("form_commands", 3, &["title"], "SELECT form, name, action, title FROM form_commands"),
    area("form_handlers", 4, &[], "SELECT form, element, event, handler FROM form_handlers"),
    area("templates", 1, &["kind"], "SELECT full_name, kind FROM templates"),
    area("dcs_datasets", 2, &["kind", "parent", "query"], "SELECT schema, name, kind, parent, query FROM dcs_datasets"),
    area(
        "dcs_fields",
        3,
        &["field", "title", "types"],
        "SELECT schema, dataset, path, field, title, types FROM dcs_fields",
    ),
    area(
        "dcs_parameters",
        2,
        &["title", "types", "value"],
        "SELECT schema, name, title, types, value FROM dcs_parameters",
    ),
    area("dcs_variants", 2, &["title"], "SELECT schema, name, title FROM dcs_variants"),
    area("role_rights", 3, &["value"], "SELECT role, object, right, value FROM role_rights"),
    area("rls", 4, &["condition"], "SELECT role, object, right, field, condition FROM rls"),
    area("event_subscriptions", 3, &["handler"], "SELECT name, event, source_object, handler FROM event_subscriptions"),
    area(
        "scheduled_jobs",
        1,
        &["method", "enabled", "schedule"],
        "SELECT name, method, enabled, schedule FROM scheduled_jobs",
    ),
    area("subsystem_content", 2, &[], "SELECT owner, item FROM subsystem_content"),
    area("functional_options", 2, &["location"], "SELECT owner, item, location FROM functional_options"),
    area("defined_types", 2, &["qualifiers"], "SELECT owner, item, qualifiers FROM defined_types"),
    area("exchange_plan_content", 2, &["auto_record"], "SELECT owner, item, auto_record FROM exchange_plan_content"),
    area("register_movements", 2, &[], "SELECT document, register FROM register_movements"),
    area("edges", 3, &[], "SELECT DISTINCT source, target, channel FROM edges"),
];
