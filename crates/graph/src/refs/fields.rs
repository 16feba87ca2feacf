//! Steps of a path from an object to a field, to a field of what that refers to, and so on.

use crate::names::folded;
use crate::value::{Value, Values};
use crate::world::World;
use crate::world::parts::{Part, PartRole};
use metadata::Kind;

/// Longest path that is followed, in steps.
const LONGEST: usize = 16;
/// Endings that virtual tables of registers put behind the name of a resource.
const ENDINGS: [&str; 30] = [
    "развернутыйостатокдт",
    "развернутыйостатоккт",
    "начальныйостатокдт",
    "начальныйостатоккт",
    "конечныйостатокдт",
    "конечныйостатоккт",
    "начальныйостаток",
    "конечныйостаток",
    "остатокдт",
    "остатоккт",
    "оборотдт",
    "обороткт",
    "остаток",
    "оборот",
    "приход",
    "расход",
    "дт",
    "кт",
    "openingbalance",
    "closingbalance",
    "turnoverdr",
    "turnovercr",
    "balancedr",
    "balancecr",
    "turnover",
    "balance",
    "receipt",
    "expense",
    "dr",
    "cr",
];

/// Fields of objects by name, and where they lead.
#[derive(Clone, Copy)]
pub struct Fields<'w> {
    /// The configuration.
    pub world: &'w World,
}

impl<'w> Fields<'w> {
    /// Fields of the configuration.
    pub fn new(world: &'w World) -> Self {
        Self { world }
    }

    /// The field or section of that name of an object or section.
    pub(crate) fn field(self, holder: u32, name: &str) -> Option<Part> {
        let part = self.world.part(holder, self.world.parts.name(name)?)?;
        part.role.is_field().then_some(part)
    }

    /// The field that a column of a virtual table of a register shows: `КоличествоОстаток` shows `Количество`.
    fn shown_by(self, register: u32, column: &str) -> Option<Part> {
        let column = folded(column);
        ENDINGS.iter().filter_map(|ending| column.strip_suffix(ending)).find_map(|name| self.field(register, name))
    }

    /// What a field may hold: objects whose fields a path goes on with.
    pub(crate) fn held(self, holder: u32, name: &str) -> Values {
        self.world.ident(name).and_then(|name| self.world.attribute(holder, name)).unwrap_or_default()
    }

    /// Every field that a path names, from one of some holders on: each step and what it leads to.
    pub(crate) fn walk(self, holders: &[u32], path: &str, found: &mut Vec<u32>) {
        self.walk_named(holders, path, &|_| true, found);
    }

    /// As [`Self::walk`], of those steps that a place names.
    pub(crate) fn walk_named(self, holders: &[u32], path: &str, named: &dyn Fn(&str) -> bool, found: &mut Vec<u32>) {
        let mut holders = holders.to_vec();
        for step in path.split('.').take(LONGEST) {
            let mut next = Values::default();
            for &holder in &holders {
                let known = self.field(holder, step).or_else(|| {
                    let register = self.world.kind_of(holder).is_some_and(|kind| kind.en().ends_with("Register"));
                    register.then(|| self.shown_by(holder, step)).flatten()
                });
                if let Some(part) = known {
                    found.extend(named(step).then_some(part.node));
                }
                next.join(&self.held(holder, step));
            }
            holders = objects_of(&next).collect();
            if holders.is_empty() {
                return;
            }
        }
    }

    /// The object or section that a table of a query is of: `Document.X.TabularSection.Y`, `AccumulationRegister.R.Balance`.
    /// With the table's own node the object's, if it is another one.
    pub(crate) fn table(self, name: &str) -> Option<(u32, Option<u32>)> {
        let mut dots = name.match_indices('.').map(|(at, _)| at);
        let end = dots.nth(1).unwrap_or(name.len());
        let object = self.world.find(name.get(..end)?)?;
        let section = name.get(end..).filter(|rest| rest.starts_with(".TabularSection."));
        match section {
            Some(_) => Some((self.world.find(name)?, Some(object))),
            None => Some((object, None)),
        }
    }

    /// The object of a kind and a name.
    pub(crate) fn object(self, kind: Kind, name: &str) -> Option<u32> {
        self.world.object(kind, self.world.ident(name)?)
    }

    /// The value of an enumeration, or the predefined item, of that name.
    pub(crate) fn value(self, object: u32, name: &str) -> Option<u32> {
        let part = self.world.part(object, self.world.parts.name(name)?)?;
        (part.role == PartRole::Value).then_some(part.node)
    }
}

/// The objects that values are of.
pub(crate) fn objects_of(values: &Values) -> impl Iterator<Item = u32> + '_ {
    values.iter().filter_map(|value| match value {
        Value::Instance { object, .. } => Some(object),
        _ => None,
    })
}
