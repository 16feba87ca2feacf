//! The checks: one file each, and this list.

use super::check::Check;

macro_rules! checks {
    ($($file:ident),* $(,)?) => {
        $(mod $file;)*

        /// All checks, by level.
        pub const CHECKS: &[Check] = &[$($file::CHECK),*];
    };
}

checks![
    // Level 1: the text.
    well_formed,
    root,
    sections_order,
    // Level 2: the formal model.
    order,
    unknown_element,
    repeated_element,
    missing_element,
    unknown_type,
    wrong_type,
    type_missing,
    unknown_value,
    bad_value,
    unknown_attribute,
    missing_attribute,
    stray_text,
    not_nillable,
    unusual_type,
    // Level 3: references inside the schema.
    data_source_unknown,
    data_source_repeated,
    data_set_repeated,
    link_set_unknown,
    link_empty,
    link_parameter_unknown,
    template_unknown,
    template_repeated,
    template_parameter_unknown,
    template_parameter_repeated,
    template_unused,
    group_template_group_unknown,
    parameter_repeated,
    parameter_undeclared,
    parameter_unused,
    settings_parameter_unknown,
    variant_repeated,
    name_empty,
    total_field_unknown,
    expression_field_unknown,
    link_field_unknown,
    settings_field_unknown,
    nested_object_unknown,
    hierarchy_set_unknown,
    calculated_shadows_field,
    calculated_repeated,
    calculated_empty,
    total_repeated,
    query_empty,
    union_empty,
    language_repeated,
    field_source_unknown,
    // Level 4: queries.
    query_syntax,
    query_alias_repeated,
    query_union_columns,
    query_no_result,
    query_column_unknown,
    query_field_ambiguous,
    query_virtual_table_unknown,
    query_table_unknown,
    query_attribute_unknown,
    query_section_through_reference,
    query_rows_multiplied,
];
