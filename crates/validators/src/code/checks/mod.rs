//! The checks: one file each, and this list.

use super::check::Check;

macro_rules! checks {
    ($($file:ident),* $(,)?) => {
        $(mod $file;)*

        /// All checks.
        pub const CHECKS: &[Check] = &[$($file::CHECK),*];
    };
}

checks![
    // The text alone.
    syntax,
    blocks,
    query_syntax,
    // Names.
    variable_unknown,
    method_unknown,
    module_method_unknown,
    object_method_unknown,
    metadata_unknown,
    enum_value_unknown,
    predefined_unknown,
    attribute_unknown,
    type_unknown,
    // Calls.
    arity,
    platform_arity,
    context,
    // Queries.
    query_table_unknown,
    query_field_unknown,
    query_value_unknown,
];
