//! The platform's global context, and the names of all members that types of the platform have: what a bare name, or a member of
//! something that nothing is known of, may mean. Lists, not all of it: `data/platform_global.tsv`, `data/platform_types.tsv`.

use std::sync::LazyLock;

use bsl::{Contexts, fold};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::types::lines;

/// Something of the global context.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Global {
    /// What it is.
    pub kind: GlobalKind,
    /// Name in Russian.
    pub ru: &'static str,
    /// Name in English.
    pub en: &'static str,
    /// The least number of arguments, if it is known.
    pub least: Option<u16>,
    /// The most, if it is known.
    pub most: Option<u16>,
    /// Where it is there, if that is known.
    pub contexts: Option<Contexts>,
}

/// Kinds of [`Global`]s.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GlobalKind {
    /// A function or procedure.
    Function,
    /// A property.
    Property,
    /// A system enumeration, or a set of values.
    Enumeration,
}

/// Contexts by the bits of the table.
const CONTEXTS: [Contexts; 10] = [
    Contexts::THIN_CLIENT,
    Contexts::WEB_CLIENT,
    Contexts::MOBILE_CLIENT,
    Contexts::SERVER,
    Contexts::THICK_CLIENT_MANAGED.union(Contexts::THICK_CLIENT_ORDINARY),
    Contexts::EXTERNAL_CONNECTION,
    Contexts::MOBILE_CLIENT,
    Contexts::MOBILE_SERVER,
    Contexts::MOBILE_SERVER,
    Contexts::empty(),
];

static GLOBALS: LazyLock<Vec<Global>> = LazyLock::new(|| {
    let row = |line: &'static str| {
        let mut cells = line.split('\t');
        let kind = match cells.next()? {
            "function" => GlobalKind::Function,
            "property" => GlobalKind::Property,
            "enum" => GlobalKind::Enumeration,
            _ => return None,
        };
        let (ru, en) = (cells.next()?, cells.next()?);
        let mut number = || cells.next().and_then(|cell| cell.parse::<u16>().ok());
        let (least, most, mask) = (number(), number(), number());
        let contexts = mask.map(|mask| {
            let set = CONTEXTS.iter().enumerate().filter(|(bit, _)| mask >> bit & 1 == 1);
            set.fold(Contexts::empty(), |all, (_, context)| all | *context)
        });
        Some(Global { kind, ru, en, least, most, contexts })
    };
    lines(include_str!("../data/platform_global.tsv")).filter_map(row).collect()
});

static BY_NAME: LazyLock<FxHashMap<String, usize>> = LazyLock::new(|| {
    let mut by_name = FxHashMap::default();
    for (place, global) in GLOBALS.iter().enumerate() {
        for name in [global.ru, global.en].into_iter().filter(|name| !name.is_empty()) {
            by_name.entry(fold(name)).or_insert(place);
        }
    }
    by_name
});

/// Members by name: whether some type has a method, or a property, of it.
static MEMBERS: LazyLock<[FxHashSet<String>; 2]> = LazyLock::new(|| {
    let mut members = [FxHashSet::default(), FxHashSet::default()];
    let mut add = |is_property: bool, names: [&str; 2]| {
        members[usize::from(is_property)].extend(names.into_iter().filter(|name| !name.is_empty()).map(fold));
    };
    for line in lines(include_str!("../data/platform_types.tsv")) {
        let cells: Vec<&str> = line.split('\t').collect();
        if let [_, _, kind, ru, en, ..] = cells[..]
            && kind != "type"
        {
            add(kind == "property", [ru, en]);
        }
    }
    for line in lines(include_str!("../data/platform_members.tsv")) {
        let cells: Vec<&str> = line.split('\t').collect();
        if let [kind, ru, en, ..] = cells[..] {
            add(kind == "property", [ru, en]);
        }
    }
    members
});

/// Everything of the global context.
pub fn globals() -> &'static [Global] {
    &GLOBALS
}

/// What of the global context bears a name, in either language.
pub fn global(name: &str) -> Option<&'static Global> {
    BY_NAME.get(&fold(name)).and_then(|place| GLOBALS.get(*place))
}

/// Whether some type of the platform has a method of that name.
pub fn is_method(name: &str) -> bool {
    MEMBERS[0].contains(&fold(name))
}

/// Whether some type of the platform has a property of that name.
pub fn is_property(name: &str) -> bool {
    MEMBERS[1].contains(&fold(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_read() {
        assert_eq!(GLOBALS.len(), lines(include_str!("../data/platform_global.tsv")).count());
        let find = global("стрнайти").unwrap();
        assert_eq!((find.kind, find.en, find.least, find.most), (GlobalKind::Function, "StrFind", Some(2), Some(5)));
        assert!(global("СтрНайдёмся").is_none() && global("catalogs").is_some());
        let catalogs = global("Справочники").unwrap().contexts.unwrap();
        assert!(catalogs.contains(Contexts::SERVER) && !catalogs.contains(Contexts::THIN_CLIENT));
        assert!(GLOBALS.iter().all(|global| global.least <= global.most || global.most.is_none()));
    }

    #[test]
    fn members_of_types() {
        assert!(is_method("найтиСтроки") && is_method("Unload") && !is_method("Колонки"));
        assert!(is_property("Колонки") && is_property("columns") && !is_property("НетТакого"));
    }
}
