//! Types of the platform and what members of typed values give: `data/platform_types.tsv`, `data/members.tsv`.

use metadata::Kind;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use crate::names::{Ident, Names};
use crate::value::Aspect;

/// A type of the platform, as a number in [`PlatformTypes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct TypeId(pub u16);

/// Whose member it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Holder {
    /// A manager of an object.
    Manager,
    /// An object, reference, record set …
    Instance(Aspect),
}

/// Types, and the members of typed values, by identifiers of a world.
#[derive(Clone, Debug, Default)]
pub(crate) struct PlatformTypes {
    /// Russian and English names.
    names: Vec<[&'static str; 2]>,
    by_name: FxHashMap<Ident, TypeId>,
    /// Members of a type of the platform, and the type that each gives, if that is known.
    members: FxHashMap<(TypeId, Ident), Option<TypeId>>,
    /// What a member of an object of the configuration gives of the same object.
    gives: FxHashMap<(Holder, Ident), Aspect>,
}

impl PlatformTypes {
    pub(crate) fn new(idents: &mut Names) -> Self {
        let mut types = Self::default();
        let rows: Vec<[&'static str; 6]> = rows(include_str!("../data/platform_types.tsv")).collect();
        for [ru, en, ..] in &rows {
            let ident = Ident(idents.intern(ru));
            let next = TypeId(types.names.len() as u16);
            let number = *types.by_name.entry(ident).or_insert(next);
            if number == next {
                types.names.push([*ru, *en]);
            }
            if !en.is_empty() {
                types.by_name.entry(Ident(idents.intern(en))).or_insert(number);
            }
        }
        for [ru, _, _, member, member_en, gives] in rows {
            let (Some(holder), gives) = (types.find(idents, ru), types.find(idents, gives)) else { continue };
            for name in [member, member_en] {
                if !name.is_empty() {
                    types.members.insert((holder, Ident(idents.intern(name))), gives);
                }
            }
        }
        for [of, ru, en, gives] in rows4(include_str!("../data/members.tsv")) {
            let holder = match of {
                "Manager" => Holder::Manager,
                other => match Aspect::parse(other) {
                    Some(aspect) => Holder::Instance(aspect),
                    None => continue,
                },
            };
            let Some(gives) = Aspect::parse(gives) else { continue };
            for name in [ru, en] {
                types.gives.insert((holder, Ident(idents.intern(name))), gives);
            }
        }
        types
    }

    fn find(&self, idents: &Names, name: &str) -> Option<TypeId> {
        self.by_name.get(&Ident(idents.find(name)?)).copied()
    }

    /// The type of a name in either language.
    pub(crate) fn named(&self, name: Ident) -> Option<TypeId> {
        self.by_name.get(&name).copied()
    }

    /// Whether it is the type of queries.
    pub(crate) fn is_query(&self, of: TypeId) -> bool {
        self.name(of) == "Запрос"
    }

    /// Whether it is the type of sets of constants.
    pub(crate) fn is_constants_set(&self, of: TypeId) -> bool {
        self.name(of) == "КонстантыНабор"
    }

    /// The Russian name of a type.
    pub(crate) fn name(&self, of: TypeId) -> &'static str {
        self.names.get(usize::from(of.0)).map_or("", |names| names[0])
    }

    /// The English name of a type; the Russian one if it has none.
    pub(crate) fn english(&self, of: TypeId) -> &'static str {
        match self.names.get(usize::from(of.0)) {
            Some([ru, ""]) => ru,
            Some([_, en]) => en,
            None => "",
        }
    }

    /// The type of a collection of managers: `СправочникиМенеджер`.
    pub(crate) fn of_collection(&self, kind: Kind) -> Option<TypeId> {
        let plural = kind.info().ru_plural;
        let is_it = |names: &[&str; 2]| names[0].strip_suffix("Менеджер") == Some(plural);
        self.names.iter().position(is_it).map(|at| TypeId(at as u16))
    }

    /// The type that a member of a type gives.
    pub(crate) fn member(&self, of: TypeId, name: Ident) -> Option<TypeId> {
        self.members.get(&(of, name)).copied().flatten()
    }

    /// What a member of an object of the configuration gives of the same object.
    pub(crate) fn gives(&self, of: Holder, name: Ident) -> Option<Aspect> {
        self.gives.get(&(of, name)).copied()
    }
}

/// What kind of thing a type of the configuration is: `CatalogRef` -> a reference. None for what channels don't follow.
pub(crate) fn aspect_of_type(kind: Kind, family: &str) -> Option<TypeForm> {
    let ending = family.strip_prefix(kind.en()).unwrap_or(family);
    match ending {
        "Manager" => Some(TypeForm::Manager),
        other => Aspect::parse(other).map(TypeForm::Instance),
    }
}

/// See [`aspect_of_type`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TypeForm {
    /// A manager.
    Manager,
    /// An object, reference, record set …
    Instance(Aspect),
}

fn rows(table: &'static str) -> impl Iterator<Item = [&'static str; 6]> {
    lines(table).map(|line| {
        let mut cells = line.split('\t');
        std::array::from_fn(|_| cells.next().unwrap_or(""))
    })
}

/// Rows of a table of four columns, its head left out.
pub(crate) fn rows4(table: &'static str) -> impl Iterator<Item = [&'static str; 4]> {
    lines(table).map(|line| {
        let mut cells = line.split('\t');
        std::array::from_fn(|_| cells.next().unwrap_or(""))
    })
}

/// Lines of a table without comments and its head.
pub(crate) fn lines(table: &'static str) -> impl Iterator<Item = &'static str> {
    table.lines().filter(|line| !line.starts_with('#') && !line.is_empty()).skip(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_read() {
        let mut idents = Names::default();
        let types = PlatformTypes::new(&mut idents);
        let ident = |name: &str| Ident(idents.find(name).unwrap());
        let query = types.named(ident("Query")).unwrap();
        assert_eq!(types.named(ident("запрос")), Some(query));
        let result = types.member(query, ident("Выполнить")).unwrap();
        assert_eq!(types.name(result), "РезультатЗапроса");
        for [of, _, _, gives] in rows4(include_str!("../data/members.tsv")) {
            assert!(of == "Manager" || Aspect::parse(of).is_some(), "{of}");
            assert!(Aspect::parse(gives).is_some(), "{gives}");
        }
        let object = types.gives(Holder::Instance(Aspect::Ref), ident("GetObject"));
        assert_eq!(object, Some(Aspect::Object));
    }
}
