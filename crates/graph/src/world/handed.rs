//! What calls hand over whose receivers do something by its name: forms that hand themselves on, names of methods that are kept.

use metadata::ModuleKind;
use rustc_hash::{FxHashMap, FxHashSet};

use super::chains::{Hands, MOST};
use super::{MethodId, ModuleId, World};
use crate::names::Ident;
use crate::settings::Kept;
use crate::summary::Recipe;
use crate::uses::Given;

/// A method, and one of its parameters.
pub(super) type Place = (MethodId, u16);

/// By parameter: the parameters that are handed on to it as they are.
pub(super) type Exact = FxHashMap<Place, Vec<Place>>;

/// Parameters, and those that are handed on to one of them.
pub(super) fn backwards(exact: &Exact, mut ahead: Vec<Place>) -> Vec<Place> {
    let mut seen: FxHashSet<Place> = ahead.iter().copied().collect();
    let mut found = Vec::new();
    while let Some(place) = ahead.pop() {
        found.push(place);
        for &giver in exact.get(&place).map_or(&[][..], Vec::as_slice) {
            if seen.len() < MOST && seen.insert(giver) {
                ahead.push(giver);
            }
        }
    }
    found
}

/// A set of forms: a bit each.
#[derive(Clone, Default)]
struct Forms(Vec<u64>);

impl Forms {
    /// Adds a form; false if it is there.
    fn insert(&mut self, form: usize) -> bool {
        let (word, bit) = (form / 64, 1 << (form % 64));
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        self.0.get_mut(word).is_some_and(|word| {
            let new = *word & bit == 0;
            *word |= bit;
            new
        })
    }

    /// Adds all of another set; false if they are there.
    fn join(&mut self, other: &Self) -> bool {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        let mut grown = false;
        for (own, other) in self.0.iter_mut().zip(&other.0) {
            grown |= *own | other != *own;
            *own |= other;
        }
        grown
    }

    fn iter(&self) -> impl Iterator<Item = usize> {
        (0..self.0.len() * 64).filter(|form| self.0.get(form / 64).is_some_and(|word| word >> (form % 64) & 1 == 1))
    }
}

impl Hands<'_> {
    /// Of each parameter the forms that hand themselves to it, or that were opened and are given to it, through however many calls;
    /// sorted.
    pub(super) fn forms(&self, world: &World, opened: Vec<(Place, ModuleId)>) -> FxHashMap<Place, Vec<ModuleId>> {
        let forms = (0..).map(ModuleId).zip(&world.modules).filter(|(_, info)| info.kind == ModuleKind::FormModule);
        let forms: Vec<ModuleId> = forms.map(|(form, _)| form).collect();
        let mut handed: FxHashMap<Place, Forms> = FxHashMap::default();
        for (number, &form) in forms.iter().enumerate() {
            let uses = self.summaries.get(form.0 as usize).into_iter().flat_map(|summary| &summary.uses.methods);
            for given in uses.flat_map(|(_, uses)| &uses.hands).filter(|handed| handed.given == Given::This) {
                for &callee in self.callees(form, given.callee) {
                    if given.arg < world.method(callee).params {
                        handed.entry((callee, given.arg)).or_default().insert(number);
                    }
                }
            }
        }
        for (place, form) in opened {
            if let Ok(number) = forms.binary_search(&form) {
                handed.entry(place).or_default().insert(number);
            }
        }
        let mut ahead: Vec<Place> = handed.keys().copied().collect();
        let mut waiting: FxHashSet<Place> = ahead.iter().copied().collect();
        // Sets only grow, and none beyond all forms: the walk ends.
        while let Some(place) = ahead.pop() {
            waiting.remove(&place);
            let (method, param) = place;
            let Some(set) = handed.get(&place).cloned() else { continue };
            let module = world.method(method).module;
            let hands = self.uses(world, method).map_or(&[][..], |uses| &uses.hands);
            for given in hands.iter().filter(|handed| handed.given == Given::Param(param)) {
                for &callee in self.callees(module, given.callee) {
                    let to = (callee, given.arg);
                    let fits = given.arg < world.method(callee).params;
                    if fits && handed.entry(to).or_default().join(&set) && waiting.insert(to) {
                        ahead.push(to);
                    }
                }
            }
        }
        let listed = |set: &Forms| set.iter().filter_map(|form| forms.get(form).copied()).collect();
        handed.iter().map(|(place, set)| (*place, listed(set))).collect()
    }

    /// The forms that each module keeps under a key of a structure or in a property, once they were handed to it; sorted.
    pub(super) fn forms_under(
        &self,
        world: &World,
        handed: &FxHashMap<Place, Vec<ModuleId>>,
    ) -> FxHashMap<(ModuleId, Ident), Vec<ModuleId>> {
        let mut under: FxHashMap<(ModuleId, Ident), Vec<ModuleId>> = FxHashMap::default();
        for (module, summary) in (0..).map(ModuleId).zip(self.summaries) {
            let first = world.module(module).first;
            for (place, uses) in &summary.uses.methods {
                for (key, value) in &uses.keeps {
                    let Recipe::Param(param) = value else { continue };
                    let Some(forms) = handed.get(&(MethodId(first + place), *param)) else { continue };
                    let Some(key) = world.ident(key) else { continue };
                    under.entry((module, key)).or_default().extend(forms);
                }
            }
        }
        for forms in under.values_mut() {
            forms.sort_unstable();
            forms.dedup();
        }
        under
    }

    /// By parameter: the parameters that are handed on to it as they are.
    pub(super) fn exact(&self, world: &World) -> Exact {
        let mut exact = Exact::default();
        for (module, summary) in (0..).map(ModuleId).zip(self.summaries) {
            let first = world.module(module).first;
            for (place, uses) in &summary.uses.methods {
                let method = MethodId(first + place);
                for handed in &uses.hands {
                    let Given::Param(param) = handed.given else { continue };
                    for &callee in self.callees(module, handed.callee) {
                        exact.entry((callee, handed.arg)).or_default().push((method, param));
                    }
                }
            }
        }
        exact
    }

    /// The methods that keep a parameter where the name of a handler stands (`Строка.ИмяОбработчика = Имя`), or hand it on to one that
    /// does; and the parameter.
    pub(super) fn keepers(&self, world: &World, exact: &Exact) -> Vec<Place> {
        let mut known: FxHashMap<&str, bool> = FxHashMap::default();
        let mut keepers = Vec::new();
        for (module, summary) in (0..).map(ModuleId).zip(self.summaries) {
            let first = world.module(module).first;
            for (place, uses) in &summary.uses.methods {
                for (key, value) in &uses.keeps {
                    let Recipe::Param(param) = value else { continue };
                    if *known.entry(key).or_insert_with(|| world.settings.keeps(Kept::Handler, key)) {
                        keepers.push((MethodId(first + place), *param));
                    }
                }
            }
        }
        backwards(exact, keepers)
    }
}

impl World {
    /// The forms that hand themselves to a parameter of a method, through however many calls; others may, too.
    pub(crate) fn handed(&self, method: MethodId, param: u16) -> &[ModuleId] {
        self.chains.handed.get(&(method, param)).map_or(&[], Vec::as_slice)
    }

    /// The forms that a module keeps under a key of a structure or in a property, once they were handed to it.
    pub(crate) fn handed_under(&self, module: ModuleId, key: Ident) -> &[ModuleId] {
        self.chains.handed_under.get(&(module, key)).map_or(&[], Vec::as_slice)
    }
}
