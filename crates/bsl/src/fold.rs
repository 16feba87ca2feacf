//! Comparing identifiers: without case, in Unicode. `ё` and `е` stay different letters, as they are to the platform.

/// The key under which a name is compared and stored: lower case by Unicode's simple rules.
///
/// ```
/// assert_eq!(metascope_bsl::fold("ОбщийМодуль"), "общиймодуль");
/// ```
pub fn fold(name: &str) -> String {
    name.to_lowercase()
}

/// Whether two names are the same to the platform.
pub fn same_name(a: &str, b: &str) -> bool {
    a == b || a.chars().flat_map(char::to_lowercase).eq(b.chars().flat_map(char::to_lowercase))
}
