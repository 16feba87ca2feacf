//! What calls of functions give back: recipes of summaries, resolved in bounded rounds.

use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};

use super::{MethodId, ModuleId, World};
use crate::names::{Ident, same};
use crate::settings::{Gives, Settings};
use crate::summary::{LONGEST_NAME, ModuleSummary, Recipe};
use crate::value::{Origin, TextRef, Value};
use crate::words::Word;

/// How many calls deep results are followed.
const ROUNDS: usize = 4;
/// How many results of one function are kept.
const MOST: usize = 8;

/// What a function may give back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Returned {
    /// Always the same.
    Value(Value),
    /// The argument of that number, from 0.
    Param(u16),
    /// What the argument of that number names.
    Named(u16, Gives, Origin),
}

/// Resolves every function's recipes. What a recipe of a function that calls others gives is known a round after theirs.
pub(super) fn resolve(
    world: &mut World,
    summaries: &[ModuleSummary],
    settings: &Settings,
) -> FxHashMap<MethodId, Vec<Returned>> {
    let mut known = dispatchers(world, settings);
    let mut open: Vec<(MethodId, &[Recipe])> = Vec::new();
    let mut number = 0;
    for summary in summaries.iter().take(world.modules.len()) {
        for method in &summary.methods {
            let id = MethodId(number);
            number += 1;
            if !method.returns.is_empty() && !known.contains_key(&id) {
                open.push((id, &method.returns));
            }
        }
    }
    let callees: Vec<Vec<Ident>> = open.iter().map(|(_, recipes)| callees(world, recipes)).collect();
    // Names of functions that became known in the round before; None: the first round.
    let mut news: Option<FxHashSet<Ident>> = None;
    for _ in 0..ROUNDS {
        let mut changed = FxHashSet::default();
        for (&(method, recipes), callees) in open.iter().zip(&callees) {
            if news.as_ref().is_some_and(|news| !callees.iter().any(|name| news.contains(name))) {
                continue;
            }
            let mut found = Vec::new();
            for recipe in recipes {
                let reader = Reader { module: world.method(method).module, known: &known };
                reader.read(world, recipe, &mut found);
            }
            found.truncate(MOST);
            if !found.is_empty() && known.get(&method) != Some(&found) {
                known.insert(method, found);
                changed.insert(world.method(method).ident);
            }
        }
        if changed.is_empty() {
            break;
        }
        news = Some(changed);
    }
    known
}

/// Names of the functions that recipes call.
fn callees(world: &World, recipes: &[Recipe]) -> Vec<Ident> {
    let mut found = Vec::new();
    let mut ahead: Vec<&Recipe> = recipes.iter().collect();
    while let Some(recipe) = ahead.pop() {
        match recipe {
            Recipe::Call { receiver, name, args } => {
                found.extend(world.ident(name));
                ahead.extend(receiver.as_deref());
                ahead.extend(args.iter().flatten());
            }
            Recipe::Member(base, _) | Recipe::Evaluated(base) => ahead.push(base),
            Recipe::Joined(left, right) => ahead.extend([&**left, &**right]),
            Recipe::Text(_) | Recipe::Param(_) | Recipe::Global(_) | Recipe::Typed(_) | Recipe::Notification(..) => {}
        }
    }
    found
}

fn dispatchers(world: &World, settings: &Settings) -> FxHashMap<MethodId, Vec<Returned>> {
    let mut known: FxHashMap<MethodId, Vec<Returned>> = FxHashMap::default();
    for dispatcher in &settings.dispatchers {
        let Some(param) = dispatcher.argument.checked_sub(1) else {
            continue;
        };
        let (module, function) = match dispatcher.function.rsplit_once('.') {
            Some((module, function)) => (Some(module), function),
            None => (None, &*dispatcher.function),
        };
        let Some(ident) = world.ident(function) else {
            continue;
        };
        for (&name, &id) in &world.common_modules {
            if module.is_none_or(|module| same(module, world.idents.text(name.0)))
                && let Some(method) = world.exported_method(id, ident)
            {
                known.insert(method, vec![Returned::Named(param, dispatcher.gives, Origin::Named)]);
            }
        }
    }
    known
}

/// Reads recipes of one module.
pub(super) struct Reader<'a> {
    pub(super) module: ModuleId,
    pub(super) known: &'a FxHashMap<MethodId, Vec<Returned>>,
}

impl Reader<'_> {
    fn read(&self, world: &mut World, recipe: &Recipe, found: &mut Vec<Returned>) {
        match recipe {
            Recipe::Text(text) => {
                let text = TextRef::World(world.texts.intern(text));
                add(found, Returned::Value(Value::Text(text)));
            }
            Recipe::Param(param) => add(found, Returned::Param(*param)),
            Recipe::Global(name) => {
                let Some(ident) = world.ident(name) else {
                    return;
                };
                if let Some(module) = world.common_module(ident) {
                    add(found, Returned::Value(Value::Module { module, origin: Origin::Written }));
                } else if let Some(kind) = world.collection(ident) {
                    add(found, Returned::Value(Value::Collection(kind)));
                }
            }
            Recipe::Member(base, name) => {
                for base in self.all(world, base) {
                    let (Returned::Value(base), Some(name)) = (base, world.ident(name)) else { continue };
                    for value in world.member_of(base, name).iter() {
                        add(found, Returned::Value(value));
                    }
                }
            }
            // What a comment says counts only where the code shows nothing.
            Recipe::Typed(name) if found.is_empty() => {
                if let Some(value) = world.value_of_type(name) {
                    add(found, Returned::Value(value));
                }
            }
            Recipe::Typed(_) => {}
            Recipe::Notification(procedure, module) => {
                let Some(name) = world.ident(procedure) else { return };
                let procedures: Vec<MethodId> = match module {
                    None => world.own_method(self.module, name).into_iter().collect(),
                    Some(module) => {
                        let modules = self.all(world, module).into_iter();
                        let values = modules.filter_map(|module| match module {
                            Returned::Value(value) => Some(value),
                            _ => None,
                        });
                        values.filter_map(|module| world.method_of(module, name)).collect()
                    }
                };
                for procedure in procedures {
                    add(found, Returned::Value(Value::Procedure(procedure)));
                }
            }
            Recipe::Joined(left, right) => {
                let rights = self.texts(world, right);
                for left in self.texts(world, left) {
                    for right in rights.iter().filter(|right| left.len() + right.len() <= LONGEST_NAME) {
                        let text = TextRef::World(world.texts.intern(&format!("{left}{right}")));
                        add(found, Returned::Value(Value::Text(text)));
                    }
                }
            }
            Recipe::Evaluated(text) => {
                for text in self.all(world, text) {
                    self.name(world, text, Gives::Any, Origin::Evaluated, found);
                }
            }
            Recipe::Call { receiver, name, args } => self.call(world, receiver.as_deref(), name, args, found),
        }
    }

    /// Everything that a recipe gives.
    pub(super) fn all(&self, world: &mut World, recipe: &Recipe) -> Vec<Returned> {
        let mut found = Vec::new();
        self.read(world, recipe, &mut found);
        found
    }

    /// The texts that a recipe gives.
    fn texts(&self, world: &mut World, recipe: &Recipe) -> Vec<String> {
        let all = self.all(world, recipe).into_iter();
        let texts = all.filter_map(|returned| match returned {
            Returned::Value(Value::Text(TextRef::World(text))) => Some(world.texts.text(text).to_owned()),
            _ => None,
        });
        texts.collect()
    }

    /// What a text gives that names a module or a manager.
    fn name(&self, world: &World, text: Returned, gives: Gives, origin: Origin, found: &mut Vec<Returned>) {
        match text {
            Returned::Param(param) => add(found, Returned::Named(param, gives, origin)),
            Returned::Value(Value::Text(TextRef::World(text))) => {
                if let Some(value) = world.named(gives, world.texts.text(text), origin) {
                    add(found, Returned::Value(value));
                }
            }
            _ => {}
        }
    }

    /// The methods that a call means; what the platform gives back to one that means none goes to `given`.
    pub(super) fn callees(
        &self,
        world: &mut World,
        receiver: Option<&Recipe>,
        name: &str,
        given: &mut Vec<Returned>,
    ) -> Vec<MethodId> {
        let Some(name) = world.ident(name) else {
            return Vec::new();
        };
        match receiver {
            None => world.own_method(self.module, name).or_else(|| world.global_method(name)).into_iter().collect(),
            Some(receiver) => {
                let mut methods = Vec::new();
                for receiver in self.all(world, receiver) {
                    let Returned::Value(receiver) = receiver else { continue };
                    match world.method_of(receiver, name) {
                        Some(method) => methods.push(method),
                        None => {
                            if let Some(value) = world.given_by(receiver, name) {
                                add(given, Returned::Value(value));
                            }
                        }
                    }
                }
                methods
            }
        }
    }

    fn call(
        &self,
        world: &mut World,
        receiver: Option<&Recipe>,
        name: &str,
        args: &[Option<Recipe>],
        found: &mut Vec<Returned>,
    ) {
        if self.template(world, receiver, name, args, found) {
            return;
        }
        let callees = self.callees(world, receiver, name, found);
        let before = found.len();
        for callee in callees {
            let Some(results) = self.known.get(&callee) else {
                continue;
            };
            for &result in results {
                match result {
                    Returned::Value(_) => add(found, result),
                    Returned::Param(param) => {
                        if let Some(Some(arg)) = args.get(usize::from(param)) {
                            self.read(world, arg, found);
                        }
                    }
                    Returned::Named(param, gives, origin) => {
                        let texts = match args.get(usize::from(param)) {
                            Some(Some(arg)) => self.all(world, arg),
                            _ => Vec::new(),
                        };
                        if texts.is_empty() {
                            add(found, Returned::Value(Value::some(gives)));
                        } else {
                            for text in texts {
                                self.name(world, text, gives, origin, found);
                            }
                        }
                    }
                }
            }
        }
        if found.len() == before {
            // A function that gives a template by its full name.
            let named = args.iter().flatten().find_map(|arg| match arg {
                Recipe::Text(text) if text.contains('.') => world.template_named(text),
                _ => None,
            });
            named.into_iter().for_each(|template| add(found, Returned::Value(Value::Template(template))));
        }
    }

    /// `Объект.ПолучитьМакет("Имя")`, `Макет.ПолучитьОбласть("Имя")`; false if it is another call, or no template is known.
    fn template(
        &self,
        world: &mut World,
        receiver: Option<&Recipe>,
        name: &str,
        args: &[Option<Recipe>],
        found: &mut Vec<Returned>,
    ) -> bool {
        let Some(word) = world.ident(name).and_then(|name| world.word(name)) else { return false };
        let before = found.len();
        match (word, receiver) {
            (Word::GetArea, Some(receiver)) => {
                for value in self.all(world, receiver) {
                    if matches!(value, Returned::Value(Value::Template(_))) {
                        add(found, value);
                    }
                }
            }
            (Word::GetTemplate, _) => {
                let Some(Some(text)) = args.first() else { return false };
                let texts = self.texts(world, text);
                let receivers: Vec<Option<Value>> = match receiver {
                    Some(receiver) => {
                        let values = self.all(world, receiver).into_iter();
                        let known = values.filter_map(|value| match value {
                            Returned::Value(value) => Some(Some(value)),
                            _ => None,
                        });
                        known.collect()
                    }
                    None => vec![None],
                };
                for text in &texts {
                    for &receiver in &receivers {
                        for template in world.templates_got(self.module, receiver, text).collect::<Vec<_>>() {
                            add(found, Returned::Value(Value::Template(template)));
                        }
                    }
                }
            }
            _ => return false,
        }
        found.len() > before
    }
}

fn add(found: &mut Vec<Returned>, returned: Returned) {
    if found.len() < MOST && !found.contains(&returned) {
        found.push(returned);
    }
}
