//! The kinds of messages: one file each, and this list.

use super::Kind;

macro_rules! kinds {
    ($($file:ident),* $(,)?) => {
        $(mod $file;)*

        /// All kinds.
        pub const KINDS: &[Kind] = &[$($file::KIND),*];
    };
}

kinds![
    field_not_found,
    field_ambiguous,
    alias_repeated,
    table_not_found,
    data_set_not_found,
    parameter,
    wrong_arguments,
    syntax,
    union_columns,
    not_in_group,
];
