//! What extends what: objects that extensions adopted, and modules that extend others.
//!
//! At run time an extension's module and the one that it extends are one: what the extension adds is called by the module's
//! name, and its code sees what the extended module declares.

use rustc_hash::{FxHashMap, FxHasher};
use serde::{Deserialize, Serialize};
use std::hash::Hasher;

use super::ModuleId;
use super::reads::{Key, Mark, Marks, note, part};
use crate::names::Names;

/// What stands between a layer's name and the name of a thing of it.
const MARK: &str = "::";

/// A full name without its layer: that of the thing of the main configuration which an extension's thing stands for.
pub fn without_layer(full_name: &str) -> &str {
    full_name.split_once(MARK).map_or(full_name, |(_, name)| name)
}

/// The full name of a thing of a layer; the main configuration has no name.
pub fn with_layer(layer: &str, name: &str) -> String {
    if layer.is_empty() { name.to_owned() } else { format!("{layer}{MARK}{name}") }
}

/// Things of the main configuration before those of other layers, otherwise in their order.
pub(crate) fn main_first<T>(things: &[T], name: impl Fn(&T) -> &str + Copy) -> impl Iterator<Item = &T> {
    let of = move |main: bool| things.iter().filter(move |thing| name(thing).contains(MARK) != main);
    of(true).chain(of(false))
}

/// What extends what.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Layers {
    /// Node of an extension's thing -> node of the one of the main configuration that it extends.
    bases: FxHashMap<u32, u32>,
    /// The other way round, in the order of the nodes.
    adopting: FxHashMap<u32, Vec<u32>>,
    /// Extending module -> extended module.
    extended: FxHashMap<ModuleId, ModuleId>,
    /// The other way round, in the order of the layers.
    extending: FxHashMap<ModuleId, Vec<ModuleId>>,
}

impl Layers {
    /// Of names that are numbered: objects, forms, commands.
    pub(super) fn new(names: &Names) -> Self {
        let mut layers = Self::default();
        for (node, name) in (0..).zip(names.iter()) {
            if let Some((_, name)) = name.split_once(MARK)
                && let Some(base) = names.find(name)
            {
                layers.bases.insert(node, base);
                layers.adopting.entry(base).or_default().push(node);
            }
        }
        layers
    }

    /// Notes that a module extends another one, or does what that one would do if it were there.
    pub(super) fn extend(&mut self, extended: ModuleId, extending: ModuleId) {
        if extended != extending {
            self.extended.insert(extending, extended);
            self.extending.entry(extended).or_default().push(extending);
        }
    }

    pub(super) fn mark(&self, marks: &mut Marks<'_>) {
        let Self { bases, adopting: _, extended, extending: _ } = self;
        let world = marks.world;
        let mut all = 0_u64;
        let mut add = |one: &dyn Fn(&mut FxHasher)| {
            let mut hasher = FxHasher::default();
            one(&mut hasher);
            // In any order.
            all = all.wrapping_add(hasher.finish());
        };
        for (extending, base) in bases {
            add(&|hasher| [extending, base].iter().for_each(|node| node.mark(world, hasher)));
        }
        for (extending, base) in extended {
            add(&|hasher| [extending, base].iter().for_each(|module| module.mark(world, hasher)));
        }
        marks.add(part::LAYERS, 0, all);
    }

    /// The thing of the main configuration that an extension's thing stands for.
    pub fn base(&self, node: u32) -> Option<u32> {
        note(part::LAYERS, Key::All);
        self.bases.get(&node).copied()
    }

    /// The things of extensions that stand for a thing of the main configuration.
    pub fn adopting(&self, node: u32) -> impl Iterator<Item = u32> {
        note(part::LAYERS, Key::All);
        self.adopting.get(&node).into_iter().flatten().copied()
    }

    /// The module that an extension's module extends.
    pub fn extended(&self, module: ModuleId) -> Option<ModuleId> {
        note(part::LAYERS, Key::All);
        self.extended.get(&module).copied()
    }

    /// Every module that extends another one, and that one.
    pub(super) fn extending(&self) -> Vec<(ModuleId, ModuleId)> {
        let mut all: Vec<_> = self.extended.iter().map(|(extending, extended)| (*extending, *extended)).collect();
        all.sort_unstable();
        all
    }

    /// The modules that a module is one with at run time: the extended one, then those that extend it.
    pub fn one_with(&self, module: ModuleId) -> impl Iterator<Item = ModuleId> {
        let extended = self.extended(module);
        let extending = self.extending.get(&extended.unwrap_or(module)).into_iter().flatten().copied();
        extended.into_iter().chain(extending.filter(move |other| *other != module))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_for_what() {
        let mut names = Names::default();
        for name in ["Catalog.А", "Р::Catalog.А", "Р::Catalog.Б", "С::catalog.а"] {
            names.intern(name);
        }
        let mut layers = Layers::new(&names);
        assert_eq!((layers.base(1), layers.base(2), layers.base(3)), (Some(0), None, Some(0)));
        assert_eq!(layers.adopting(0).collect::<Vec<_>>(), [1, 3]);
        for extending in [1, 2] {
            layers.extend(ModuleId(0), ModuleId(extending));
        }
        let one_with = |module| layers.one_with(ModuleId(module)).map(|module| module.0).collect::<Vec<_>>();
        assert_eq!((one_with(0), one_with(1), one_with(5)), (vec![1, 2], vec![0, 2], vec![]));
    }

    #[test]
    fn names_of_layers() {
        assert_eq!(without_layer("Р::CommonModule.М"), "CommonModule.М");
        assert_eq!((with_layer("Р", "Configuration"), with_layer("", "А")), ("Р::Configuration".into(), "А".into()));
        let names = ["Р::А", "Б", "Р::В", "Г"];
        assert_eq!(main_first(&names, |name| name).collect::<Vec<_>>(), [&"Б", &"Г", &"Р::А", &"Р::В"]);
    }
}
