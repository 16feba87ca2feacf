//! Links that lead through what methods hand on to each other: which methods compare the name of an event that a form's handler
//! was told, which forms a method that sets actions was given.

use metadata::{Configuration, ModuleKind};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};

use super::forms::FormEvent;
use super::handed::{Exact, Place, backwards};
use super::reads::{List, Marks, Set, Table, part};
use super::returns::{Reader, Returned};
use super::{MethodId, ModuleId, World};
use crate::names::{Ident, folded_hash};
use crate::settings::Runs;
use crate::summary::{ModuleSummary, Recipe};
use crate::uses::{Given, Part};
use crate::value::{TextRef, Value, Values};

/// How many calls deep the name of an event is followed.
const DEEPEST: usize = 6;
/// How many parameters one handler's event, or one action, is followed through.
pub(super) const MOST: usize = 4000;

/// A method that compares the name of an event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Listener {
    /// The method.
    pub method: MethodId,
    /// Whether it is itself the handler of a form; else a handler hands the name on to it.
    pub is_handler: bool,
    /// Which names it tells apart.
    pub event: EventPattern,
    /// The file that shows it, as a number in the configuration's list.
    pub file: u32,
    /// 1-based line in it; 0 where a whole file is the proof.
    pub line: u32,
}

/// Names of events that a listener tells apart.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct EventPattern {
    /// Which part of the name is compared.
    pub part: Part,
    /// With what, folded.
    pub text: String,
}

impl EventPattern {
    /// Whether a folded name is one of them.
    pub fn matches(&self, name: &str) -> bool {
        match self.part {
            Part::Whole => self.text == name,
            Part::Start => name.starts_with(&self.text),
            Part::End => name.ends_with(&self.text),
            Part::Any => name.contains(&self.text),
        }
    }

    /// What senders and listeners meet in: the name, with `*` for the part that isn't compared.
    pub fn hub(&self) -> String {
        match self.part {
            Part::Whole => self.text.clone(),
            Part::Start => format!("{}*", self.text),
            Part::End => format!("*{}", self.text),
            Part::Any => format!("*{}*", self.text),
        }
    }
}

/// What was found.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Chains {
    listeners: List<{ part::LISTENERS }, Listener>,
    /// Names, folded, that some listener compares as a whole.
    names: Set<{ part::HEARD }, String>,
    /// Patterns of listeners that compare a part of the name, each once.
    patterns: List<{ part::PATTERNS }, EventPattern>,
    /// Procedures of forms that a method sets as actions of that name.
    actions: Table<{ part::ACTIONS }, (MethodId, Ident), Vec<MethodId>>,
    /// Names that are set as actions: a procedure of a form that bears it, and how many forms have one.
    procedures: Table<{ part::PROCEDURES }, Ident, (MethodId, u32)>,
    /// Forms that hand themselves to a parameter, through however many calls.
    pub(super) handed: Table<{ part::HANDED }, (MethodId, u16), Vec<ModuleId>>,
    /// Forms that a module keeps under a key of a structure or in a property.
    pub(super) handed_under: Table<{ part::HANDED_UNDER }, (ModuleId, Ident), Vec<ModuleId>>,
}

impl Chains {
    pub(super) fn mark(&self, marks: &mut Marks<'_>) {
        let Self { listeners, names, patterns, actions, procedures, handed, handed_under } = self;
        marks.list(listeners);
        marks.table(names);
        marks.list(patterns);
        marks.table(actions);
        marks.table(procedures);
        marks.table(handed);
        marks.table(handed_under);
    }
}

/// Follows what the methods of all modules hand on.
pub(super) fn resolve<'s>(
    world: &mut World,
    configuration: &Configuration,
    summaries: &'s [ModuleSummary<'s>],
) -> Chains {
    let known = world.returns.take();
    let summaries = summaries.get(..world.modules.len()).unwrap_or(summaries);
    let mut chains = Chains::default();
    let callees = by_module(world, &known, summaries, |reader, _, summary| {
        let resolved = summary.uses.callees.iter().map(|callee| match callee {
            Recipe::Call { receiver, name, .. } => reader.callees(receiver.as_deref(), name, &mut Vec::new()),
            _ => Vec::new(),
        });
        resolved.collect::<Vec<_>>()
    });
    let hands = Hands { summaries, callees: &callees, known: &known };
    let read = &*world;
    let ((runners, keepers), (given, handed)) = rayon::join(
        || {
            hands.listen(read, configuration, &mut chains);
            hands.act(read, &mut chains);
            let exact = hands.exact(read);
            (hands.runners(read, &exact), hands.keepers(read, &exact))
        },
        || {
            let (given, opened) = hands.given(read);
            (given, hands.forms(read, opened))
        },
    );
    chains.handed_under = hands.forms_under(read, &handed).into();
    chains.handed = handed.into();
    runners.into_iter().for_each(|runner| world.add_runner(runner, Runs::Method));
    keepers.into_iter().for_each(|keeper| world.add_runner(keeper, Runs::Kept));
    world.given = given.into();
    world.kept = hands.kept(world).into();
    world.returns = known.into();
    chains
}

/// What each module gives, in their order.
fn by_module<'s, T: Send>(
    world: &World,
    known: &FxHashMap<MethodId, Vec<Returned>>,
    summaries: &'s [ModuleSummary<'s>],
    of: impl Fn(&mut Reader<'_, 's>, ModuleId, &'s ModuleSummary<'s>) -> T + Sync,
) -> Vec<T> {
    let of = |reader: &mut Reader<'_, 's>, (place, summary): (usize, &'s ModuleSummary<'s>)| {
        let module = ModuleId(place as u32);
        reader.enter(module);
        of(reader, module, summary)
    };
    summaries.par_iter().enumerate().map_init(|| Reader::new(world, known), of).collect()
}

/// What every method hands on, and to which methods.
pub(super) struct Hands<'a> {
    pub(super) summaries: &'a [ModuleSummary<'a>],
    /// By module: the methods that its callees mean.
    callees: &'a [Vec<Vec<MethodId>>],
    known: &'a FxHashMap<MethodId, Vec<Returned>>,
}

impl Hands<'_> {
    pub(super) fn callees(&self, module: ModuleId, callee: u32) -> &[MethodId] {
        let of_module = self.callees.get(module.0 as usize);
        of_module.and_then(|callees| callees.get(callee as usize)).map_or(&[], Vec::as_slice)
    }

    pub(super) fn uses(&self, world: &World, method: MethodId) -> Option<&crate::uses::MethodUses<'_>> {
        let module = world.method(method).module;
        self.summaries.get(module.0 as usize)?.uses.method(world.place(method)?)
    }

    fn listen(&self, world: &World, configuration: &Configuration, chains: &mut Chains) {
        let mut seen = FxHashSet::default();
        let mut reader = Reader::new(world, self.known);
        for form in &configuration.forms {
            let Some(node) = world.find(&form.full_name) else { continue };
            let file = form.content.unwrap_or(form.file).0;
            let line = form.events.iter().find(|event| FormEvent::named(&event.event) == Some(FormEvent::Notification));
            for handler in world.form_handlers(node, FormEvent::Notification).to_vec() {
                let told = self.told(world, handler);
                for (method, param) in told {
                    for event in self.compared(world, &mut reader, method, param) {
                        let is_handler = method == handler;
                        if !seen.insert((method, is_handler, event.clone())) {
                            continue;
                        }
                        let (file, line) = match is_handler {
                            true => (file, line.map_or(0, |event| event.line)),
                            false => (world.module(world.method(method).module).file, 0),
                        };
                        chains.listeners.push(Listener { method, is_handler, event, file, line });
                    }
                }
            }
        }
        for (method, param) in self.offered(world) {
            for event in self.compared(world, &mut reader, method, param) {
                if seen.insert((method, false, event.clone())) {
                    let file = world.module(world.method(method).module).file;
                    chains.listeners.push(Listener { method, is_handler: false, event, file, line: 0 });
                }
            }
        }
        for listener in chains.listeners.all() {
            let event = &listener.event;
            if event.part == Part::Whole {
                chains.names.insert(event.text.clone(), ());
            } else if !chains.patterns.all().contains(event) {
                chains.patterns.push(event.clone());
            }
        }
    }

    /// Exported methods of common modules with a parameter that bears the platform's name for an event's name: a library offers
    /// them to handlers of configurations that it is built into, so that none of its own forms need call them.
    fn offered(&self, world: &World) -> Vec<(MethodId, u16)> {
        let mut found = Vec::new();
        for (info, summary) in world.modules.iter().zip(self.summaries).filter(|(info, _)| info.common) {
            let offered = (info.first..).zip(&summary.methods).filter(|(_, method)| method.export);
            found.extend(offered.filter_map(|(place, method)| Some((MethodId(place), method.event_name?))));
        }
        found
    }

    /// The methods that get the name of an event from a handler, and the parameter that holds it; the handler first.
    fn told(&self, world: &World, handler: MethodId) -> Vec<(MethodId, u16)> {
        let mut told = vec![(handler, 0)];
        let mut seen: FxHashSet<(MethodId, u16)> = told.iter().copied().collect();
        let mut from = 0;
        for _ in 1..DEEPEST {
            let to = told.len();
            for place in from..to {
                let Some(&(method, param)) = told.get(place) else { continue };
                let module = world.method(method).module;
                let hands = self.uses(world, method).map_or(&[][..], |uses| &uses.hands);
                for handed in hands.iter().filter(|handed| handed.given == Given::Param(param)) {
                    for &callee in self.callees(module, handed.callee) {
                        let next = (callee, handed.arg);
                        if told.len() < MOST && handed.arg < world.method(callee).params && seen.insert(next) {
                            told.push(next);
                        }
                    }
                }
            }
            from = to;
        }
        told
    }

    /// The texts that a method compares a parameter with.
    fn compared<'a>(
        &'a self,
        world: &World,
        reader: &mut Reader<'_, 'a>,
        method: MethodId,
        param: u16,
    ) -> Vec<EventPattern> {
        reader.enter(world.method(method).module);
        let compares = self.uses(world, method).map_or(&[][..], |uses| &uses.compares);
        let mut found = Vec::new();
        for compared in compares.iter().filter(|compared| compared.param == param) {
            for returned in reader.all(&compared.text) {
                if let Returned::Value(Value::Text(TextRef::World(text))) = returned {
                    let text = bsl::fold(reader.text(text).trim());
                    found.push(EventPattern { part: compared.part, text });
                }
            }
        }
        found
    }

    /// From every method that sets actions back to the forms that hand themselves to it.
    fn act(&self, world: &World, chains: &mut Chains) {
        let back = self.back(world);
        let procedures = self.procedures(world);
        for (module, summary) in (0..).map(ModuleId).zip(self.summaries) {
            for (place, uses) in summary.uses.methods.iter().filter(|(_, uses)| !uses.actions.is_empty()) {
                let method = MethodId(world.module(module).first + place);
                let names: Vec<Ident> = uses.actions.iter().filter_map(|name| world.ident(name)).collect();
                for &name in &names {
                    let named = procedures.get(&name).copied().flatten().unwrap_or((method, 0));
                    chains.procedures.entry(name).or_insert(named);
                }
                for form in givers(&back, method, world.method(method).params) {
                    for &name in &names {
                        if let Some(procedure) = world.own_method(form, name) {
                            chains.actions.entry((method, name)).or_default().push(procedure);
                        }
                    }
                }
            }
        }
    }

    /// Of every name that is set as an action: a procedure of a form that bears it, and how many forms have one.
    fn procedures(&self, world: &World) -> FxHashMap<Ident, Option<(MethodId, u32)>> {
        let names = self.summaries.iter().flat_map(|summary| &summary.uses.methods).flat_map(|(_, uses)| &uses.actions);
        let mut procedures: FxHashMap<Ident, Option<(MethodId, u32)>> =
            names.filter_map(|name| Some((world.ident(name)?, None))).collect();
        for (id, info) in (0..).map(ModuleId).zip(&world.modules).filter(is_form) {
            for (method, ident) in
                (info.first..).map(MethodId).zip(world.methods_of(id).iter().map(|method| method.ident))
            {
                let Some(found) = procedures.get_mut(&ident) else { continue };
                // Of two methods of a name the module has one.
                if world.own_method(id, ident) == Some(method) {
                    found.get_or_insert((method, 0)).1 += 1;
                }
            }
        }
        procedures
    }

    /// What calls give to parameters, through however many methods that hand them on; and forms that were opened and are given to
    /// one directly: a parameter may get more of them than a set of values holds.
    fn given(&self, world: &World) -> (FxHashMap<Place, Values>, Vec<(Place, ModuleId)>) {
        let gifts = by_module(world, self.known, self.summaries, |reader, module, summary| {
            let mut gifts = Vec::new();
            for gift in summary.uses.methods.iter().flat_map(|(_, uses)| &uses.gives) {
                let callees = self.callees(module, gift.callee);
                if callees.is_empty() {
                    continue;
                }
                for returned in reader.all(&gift.value) {
                    let Returned::Value(value) = returned else { continue };
                    let followed = callees.iter().filter(|_| is_followed(value) || matches!(value, Value::Form(_)));
                    gifts.extend(followed.map(|callee| ((*callee, gift.arg), value.inferred())));
                }
            }
            gifts
        });
        let mut given: FxHashMap<Place, Values> = FxHashMap::default();
        let (mut ahead, mut opened) = (Vec::new(), Vec::new());
        for (param, value) in gifts.into_iter().flatten() {
            if let Value::Form(form) = value {
                opened.push((param, form));
            } else if given.entry(param).or_default().insert(value) {
                ahead.push(param);
            }
        }
        // Sets only grow, and none beyond what they hold: the walk ends.
        while let Some((method, param)) = ahead.pop() {
            let module = world.method(method).module;
            let Some(&values) = given.get(&(method, param)) else { continue };
            let hands = self.uses(world, method).map_or(&[][..], |uses| &uses.hands);
            for handed in hands.iter().filter(|handed| handed.given == Given::Param(param)) {
                for &callee in self.callees(module, handed.callee) {
                    let to = given.entry((callee, handed.arg)).or_default();
                    if values.iter().filter(|value| to.insert(*value)).count() > 0 {
                        ahead.push((callee, handed.arg));
                    }
                }
            }
        }
        (given, opened)
    }

    /// What is kept under each name, as a key of a structure or a property, in the whole configuration. A name under which more
    /// is kept than a set holds says nothing.
    fn kept(&self, world: &World) -> FxHashMap<Ident, Values> {
        let all = by_module(world, self.known, self.summaries, |reader, module, summary| {
            let mut all = Vec::new();
            let first = world.module(module).first;
            for (place, uses) in &summary.uses.methods {
                for (key, value) in &uses.keeps {
                    let values = match value {
                        Recipe::Param(param) => match world.given.get(&(MethodId(first + place), *param)) {
                            Some(values) => *values,
                            None => continue,
                        },
                        value => {
                            let mut values = Values::default();
                            for returned in reader.all(value) {
                                if let Returned::Value(value) = returned {
                                    values.add(value.inferred());
                                }
                            }
                            values
                        }
                    };
                    let Some(key) = world.ident(key) else { continue };
                    all.extend(values.iter().filter(|value| is_followed(*value)).map(|value| (key, value)));
                }
            }
            all
        });
        let mut kept: FxHashMap<Ident, Values> = FxHashMap::default();
        for (key, value) in all.into_iter().flatten() {
            kept.entry(key).or_default().add(value);
        }
        kept.retain(|_, values| !values.open);
        kept
    }

    /// The methods that run one which they are given the name of, those that hand it on to a runner among them; and the parameter.
    fn runners(&self, world: &World, exact: &Exact) -> Vec<Place> {
        let functions = world.settings.runners.iter().filter_map(|runner| runner.function.split_once('.'));
        let objects: FxHashSet<u64> = functions.map(|(object, _)| folded_hash(object)).collect();
        let mut ahead: Vec<Place> = Vec::new();
        for (module, summary) in (0..).map(ModuleId).zip(self.summaries) {
            let first = world.module(module).first;
            for (place, uses) in &summary.uses.methods {
                let method = MethodId(first + place);
                for handed in &uses.hands {
                    let Given::Param(param) = handed.given else { continue };
                    let runs = match summary.uses.callees.get(handed.callee as usize) {
                        Some(Recipe::Call { receiver: Some(receiver), name, .. }) => match &**receiver {
                            Recipe::Global(object) if objects.contains(&folded_hash(object)) => {
                                world.platform_runner(object, name)
                            }
                            _ => None,
                        },
                        _ => None,
                    };
                    if runs == Some((handed.arg, Runs::Method)) {
                        ahead.push((method, param));
                    }
                }
            }
        }
        ahead.extend(world.all_runners());
        backwards(exact, ahead)
    }

    /// By parameter: who hands something on to it.
    fn back(&self, world: &World) -> FxHashMap<(MethodId, u16), Vec<Giver>> {
        let mut back: FxHashMap<(MethodId, u16), Vec<Giver>> = FxHashMap::default();
        for (module, summary) in (0..).map(ModuleId).zip(self.summaries) {
            let info = world.module(module);
            for (place, uses) in &summary.uses.methods {
                let method = MethodId(info.first + place);
                for handed in &uses.hands {
                    let giver = match handed.given {
                        Given::Param(param) | Given::PartOf(param) => Giver::Param(method, param),
                        Given::This if info.kind == ModuleKind::FormModule => Giver::Form(module),
                        Given::This => continue,
                    };
                    for &callee in self.callees(module, handed.callee) {
                        back.entry((callee, handed.arg)).or_default().push(giver);
                    }
                }
            }
        }
        back
    }
}

/// Whether something can be called on a value, or it can be executed. Forms are followed by themselves: see [`super::handed`].
fn is_followed(value: Value) -> bool {
    !matches!(value, Value::Text(_) | Value::Platform(_) | Value::Undefined | Value::This | Value::Form(_))
}

/// Who hands something on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Giver {
    /// A method, one of its own parameters.
    Param(MethodId, u16),
    /// A form, itself.
    Form(ModuleId),
}

fn is_form((_, info): &(ModuleId, &super::WorldModule)) -> bool {
    info.kind == ModuleKind::FormModule
}

/// The forms that hand themselves, through however many calls, to any parameter of a method.
fn givers(back: &FxHashMap<(MethodId, u16), Vec<Giver>>, method: MethodId, params: u16) -> Vec<ModuleId> {
    let mut ahead: Vec<(MethodId, u16)> = (0..params).map(|param| (method, param)).collect();
    let mut seen: FxHashSet<(MethodId, u16)> = ahead.iter().copied().collect();
    let mut forms = Vec::new();
    let mut found = FxHashSet::default();
    while let Some(param) = ahead.pop() {
        for &giver in back.get(&param).map_or(&[][..], Vec::as_slice) {
            match giver {
                Giver::Form(form) => {
                    if found.insert(form) {
                        forms.push(form);
                    }
                }
                Giver::Param(method, param) => {
                    if seen.len() < MOST && seen.insert((method, param)) {
                        ahead.push((method, param));
                    }
                }
            }
        }
    }
    forms.sort_unstable();
    forms
}

impl World {
    /// The methods that compare names of events which forms are told.
    pub fn listeners(&self) -> &[Listener] {
        self.chains.listeners.all()
    }

    /// The patterns of those that compare only a part of the name.
    pub fn event_patterns(&self) -> &[EventPattern] {
        self.chains.patterns.all()
    }

    /// Whether some listener tells an event of that name apart.
    pub fn is_heard(&self, name: &str) -> bool {
        let name = bsl::fold(name.trim());
        self.chains.names.contains(&name) || self.chains.patterns.all().iter().any(|pattern| pattern.matches(&name))
    }

    /// The procedures of forms that hand themselves to a method which sets actions of that name.
    pub fn actions(&self, setter: MethodId, name: Ident) -> &[MethodId] {
        self.chains.actions.get(&(setter, name)).map_or(&[], Vec::as_slice)
    }

    /// Every method that sets actions of forms, the name, and the procedures that it means.
    pub fn all_actions(&self) -> impl Iterator<Item = (MethodId, Ident, &[MethodId])> {
        self.chains.actions.iter().map(|((setter, name), procedures)| (*setter, *name, procedures.as_slice()))
    }

    /// Of a name that is set as an action: a procedure of a form that bears it, and how many forms have one.
    pub fn procedures_named(&self, name: Ident) -> Option<(MethodId, u32)> {
        self.chains.procedures.get(&name).copied().filter(|(_, count)| *count > 0)
    }
}
