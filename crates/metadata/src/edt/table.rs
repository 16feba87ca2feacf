//! The tables: properties of each kind with their defaults, properties of forms.

use rustc_hash::FxHashMap;
use std::sync::LazyLock;

/// A property of a kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Property {
    /// Name in a Designer dump.
    pub name: &'static str,
    /// What it is where EDT leaves it out; empty: nothing, or not known.
    pub default: &'static str,
    /// It holds elements, even if there is one.
    pub list: bool,
}

/// A property of a form itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FormProperty {
    /// Element of EDT that holds it (`xsi:type` of `extInfo`); empty: the form.
    pub holder: &'static str,
    /// Name in EDT.
    pub edt: &'static str,
    /// Name in a Designer dump.
    pub designer: &'static str,
    /// Its value where EDT leaves it out.
    pub absent: &'static str,
    /// The value that the Designer leaves out.
    pub omitted: &'static str,
}

static PROPERTIES: LazyLock<FxHashMap<&'static str, Vec<Property>>> = LazyLock::new(|| {
    let rows = rows(include_str!("../../data/edt_properties.tsv")).filter_map(|line| line.split_once('\t'));
    rows.map(|(path, properties)| (path, properties.split(' ').map(property).collect())).collect()
});

static FORM: LazyLock<Vec<FormProperty>> = LazyLock::new(|| {
    let read = |line: &'static str| {
        let mut cells = line.split('\t');
        let mut cell = || cells.next().unwrap_or("");
        FormProperty { holder: cell(), edt: cell(), designer: cell(), absent: cell(), omitted: cell() }
    };
    rows(include_str!("../../data/edt_form_properties.tsv")).map(read).collect()
});

/// The rows of a table, without comments and heading.
fn rows(text: &'static str) -> impl Iterator<Item = &'static str> {
    text.lines().filter(|line| !line.starts_with('#')).skip(1)
}

fn property(word: &'static str) -> Property {
    let (name, default) = word.split_once('=').unwrap_or((word, ""));
    match name.strip_suffix(":list") {
        Some(name) => Property { name, default, list: true },
        None => Property { name, default, list: false },
    }
}

/// The properties of a kind (`Catalog`), or of a part of one (`Catalog.TabularSection.Attribute`), in the Designer's order.
pub fn properties(path: &str) -> &'static [Property] {
    PROPERTIES.get(path).map_or(&[], Vec::as_slice)
}

/// The properties of forms that need the table, in the Designer's order.
pub fn form_properties() -> &'static [FormProperty] {
    &FORM
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kinds::Kind;

    #[test]
    fn every_path_is_made_of_kinds_and_names_no_property_twice() {
        assert!(PROPERTIES.len() > 90);
        for (path, properties) in PROPERTIES.iter() {
            assert!(path.split('.').all(|kind| Kind::named(kind).is_some()), "{path}");
            for (i, property) in properties.iter().enumerate() {
                assert!(properties.iter().skip(i + 1).all(|p| p.name != property.name), "{path}: {}", property.name);
            }
        }
    }

    #[test]
    fn defaults_and_lists() {
        let catalog = properties("Catalog");
        let of = |name: &str| catalog.iter().find(|p| p.name == name).map(|p| (p.default, p.list));
        assert_eq!(of("CodeType"), Some(("Number", false)));
        assert_eq!(of("Owners"), Some(("", true)));
        assert_eq!(of("DefaultListForm"), Some(("", false)));
        assert!(form_properties().iter().any(|p| p.edt == "autoUrl" && p.designer == "AutoURL" && p.omitted == "true"));
    }
}
