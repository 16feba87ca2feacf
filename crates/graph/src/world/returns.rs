//! What calls of functions give back: recipes of summaries, resolved in bounded rounds.

use metadata::{Kind, ModuleKind};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};

use super::{MethodId, ModuleId, World};
use crate::names::{Ident, Names, same};
use crate::settings::Gives;
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

/// Resolves every function's recipes, and numbers the texts that they give. What a recipe of a function that calls others gives is
/// known a round after theirs.
pub(super) fn resolve<'s>(
    world: &World,
    summaries: &'s [ModuleSummary<'s>],
) -> (FxHashMap<MethodId, Vec<Returned>>, Names) {
    let mut known = dispatchers(world);
    let mut open: Vec<(MethodId, &[Recipe<'s>])> = Vec::new();
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
    let (nothing, mut texts, mut recent) = (Names::default(), Names::default(), Recent::new());
    let callees: Vec<Vec<Ident>> = open.par_iter().map(|(_, recipes)| callees(world, recipes)).collect();
    // Names of functions that became known in the round before; None: the first round.
    let mut news: Option<FxHashSet<Ident>> = None;
    for _ in 0..ROUNDS {
        let mut changed = FxHashSet::default();
        for (&(method, recipes), callees) in open.iter().zip(&callees) {
            if news.as_ref().is_some_and(|news| !callees.iter().any(|name| news.contains(name))) {
                continue;
            }
            let mut found = Vec::new();
            let module = world.method(method).module;
            let texts_so_far = Texts { stored: &nothing, more: texts };
            let mut reader = Reader { world, module, known: &known, texts: texts_so_far, recent };
            for recipe in recipes {
                reader.read(recipe, &mut found);
            }
            (texts, recent) = (reader.texts.more, reader.recent);
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
    (known, texts)
}

/// Names of the functions that recipes call.
fn callees(world: &World, recipes: &[Recipe<'_>]) -> Vec<Ident> {
    let mut found = Vec::new();
    let mut ahead: Vec<&Recipe<'_>> = recipes.iter().collect();
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

fn dispatchers(world: &World) -> FxHashMap<MethodId, Vec<Returned>> {
    let mut known: FxHashMap<MethodId, Vec<Returned>> = FxHashMap::default();
    for dispatcher in &world.settings.dispatchers {
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
        for (&name, &id) in world.common_modules.unnoted() {
            if module.is_none_or(|module| same(module, world.idents.text(name.0)))
                && let Some(method) = world.exported_method(id, ident)
            {
                known.insert(method, vec![Returned::Named(param, dispatcher.gives, Origin::Named)]);
            }
        }
    }
    known
}

/// Texts by number: those of a world, and others behind them.
struct Texts<'a> {
    stored: &'a Names,
    more: Names,
}

impl Texts<'_> {
    fn number(&mut self, text: &str) -> u32 {
        self.stored.find(text).unwrap_or_else(|| self.stored.len() as u32 + self.more.intern(text))
    }

    fn text(&self, number: u32) -> &str {
        match number.checked_sub(self.stored.len() as u32) {
            Some(behind) => self.more.text(behind),
            None => self.stored.text(number),
        }
    }
}

/// Numbers of identifiers that were asked for last: modules name the same few things over and over, and finding one among all takes
/// longer than everything else that a recipe asks for.
struct Recent<'s>(Vec<(&'s str, Option<Ident>)>);

impl<'s> Recent<'s> {
    /// So many are kept: a power of two.
    const PLACES: usize = 2048;

    fn new() -> Self {
        Self(vec![("", None); Self::PLACES])
    }

    fn ident(&mut self, world: &World, name: &'s str) -> Option<Ident> {
        let Some(kept) = self.0.get_mut(Self::place(name)) else { return world.ident(name) };
        if kept.0 != name || name.is_empty() {
            *kept = (name, world.ident(name));
        }
        kept.1
    }

    /// By the length and the last eight bytes: beginnings are much the same.
    fn place(name: &str) -> usize {
        let end = match name.as_bytes() {
            [.., a, b, c, d, e, f, g, h] => u64::from_le_bytes([*a, *b, *c, *d, *e, *f, *g, *h]),
            short => short.iter().fold(0, |end, byte| end << 8 | u64::from(*byte)),
        };
        let mixed = (end ^ (name.len() as u64) << 56).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed >> 48) as usize % Self::PLACES
    }
}

/// Reads recipes of modules, of one at a time.
pub(super) struct Reader<'a, 's> {
    world: &'a World,
    module: ModuleId,
    known: &'a FxHashMap<MethodId, Vec<Returned>>,
    texts: Texts<'a>,
    recent: Recent<'s>,
}

impl<'a, 's> Reader<'a, 's> {
    /// A reader of recipes of the first module, whose new texts are known to itself alone.
    pub(super) fn new(world: &'a World, known: &'a FxHashMap<MethodId, Vec<Returned>>) -> Self {
        let texts = Texts { stored: &world.texts, more: Names::default() };
        Self { world, module: ModuleId(0), known, texts, recent: Recent::new() }
    }

    /// From here on it reads recipes of that module.
    pub(super) fn enter(&mut self, module: ModuleId) {
        self.module = module;
    }

    /// A text that a recipe gave.
    pub(super) fn text(&self, number: u32) -> &str {
        self.texts.text(number)
    }

    fn read(&mut self, recipe: &Recipe<'s>, found: &mut Vec<Returned>) {
        let world = self.world;
        match recipe {
            Recipe::Text(text) => {
                let text = TextRef::World(self.texts.number(text));
                add(found, Returned::Value(Value::Text(text)));
            }
            Recipe::Param(param) => add(found, Returned::Param(*param)),
            Recipe::Global(name) => {
                let Some(ident) = self.recent.ident(world, name) else {
                    return;
                };
                if let Some(module) = world.common_module(ident) {
                    add(found, Returned::Value(Value::Module { module, origin: Origin::Written }));
                } else if let Some(kind) = world.collection(ident) {
                    add(found, Returned::Value(Value::Collection(kind)));
                } else if world.word(ident) == Some(Word::This)
                    && world.module(self.module).kind == ModuleKind::FormModule
                {
                    add(found, Returned::Value(Value::Form(self.module)));
                }
            }
            Recipe::Member(job, name) if let Some(text) = self.job_method(job, name) => {
                let text = TextRef::World(self.texts.number(text));
                add(found, Returned::Value(Value::Text(text)));
            }
            Recipe::Member(base, name) => {
                for base in self.all(base) {
                    let (Returned::Value(base), Some(name)) = (base, self.recent.ident(world, name)) else { continue };
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
                let Some(name) = self.recent.ident(world, procedure) else { return };
                let procedures: Vec<MethodId> = match module {
                    None => world.own_method(self.module, name).into_iter().collect(),
                    Some(module) => {
                        let modules = self.all(module).into_iter();
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
                let rights = self.texts_of(right);
                for left in self.texts_of(left) {
                    for right in rights.iter().filter(|right| left.len() + right.len() <= LONGEST_NAME) {
                        let text = TextRef::World(self.texts.number(&format!("{left}{right}")));
                        add(found, Returned::Value(Value::Text(text)));
                    }
                }
            }
            Recipe::Evaluated(text) => {
                for text in self.all(text) {
                    self.name(text, Gives::Any, Origin::Evaluated, found);
                }
            }
            Recipe::Call { receiver, name, args } => self.call(receiver.as_deref(), name, args, found),
        }
    }

    /// Everything that a recipe gives.
    pub(super) fn all(&mut self, recipe: &Recipe<'s>) -> Vec<Returned> {
        let mut found = Vec::new();
        self.read(recipe, &mut found);
        found
    }

    /// The texts that a recipe gives.
    fn texts_of(&mut self, recipe: &Recipe<'s>) -> Vec<String> {
        let all = self.all(recipe).into_iter();
        let texts = all.filter_map(|returned| match returned {
            Returned::Value(Value::Text(TextRef::World(text))) => Some(self.text(text).to_owned()),
            _ => None,
        });
        texts.collect()
    }

    /// What a text gives that names a module or a manager.
    fn name(&self, text: Returned, gives: Gives, origin: Origin, found: &mut Vec<Returned>) {
        match text {
            Returned::Param(param) => add(found, Returned::Named(param, gives, origin)),
            Returned::Value(Value::Text(TextRef::World(text))) => {
                if let Some(value) = self.world.named(gives, self.text(text), origin) {
                    add(found, Returned::Value(value));
                }
            }
            _ => {}
        }
    }

    /// The methods that a call means; what the platform gives back to one that means none goes to `given`.
    pub(super) fn callees(
        &mut self,
        receiver: Option<&Recipe<'s>>,
        name: &'s str,
        given: &mut Vec<Returned>,
    ) -> Vec<MethodId> {
        let world = self.world;
        let Some(name) = self.recent.ident(world, name) else {
            return Vec::new();
        };
        match receiver {
            None => world.own_method(self.module, name).or_else(|| world.global_method(name)).into_iter().collect(),
            Some(receiver) => {
                let mut methods = Vec::new();
                for receiver in self.all(receiver) {
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
        &mut self,
        receiver: Option<&Recipe<'s>>,
        name: &'s str,
        args: &[Option<Recipe<'s>>],
        found: &mut Vec<Returned>,
    ) {
        if self.template(receiver, name, args, found) || self.form(receiver, name, args, found) {
            return;
        }
        let callees = self.callees(receiver, name, found);
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
                            self.read(arg, found);
                        }
                    }
                    Returned::Named(param, gives, origin) => {
                        let texts = match args.get(usize::from(param)) {
                            Some(Some(arg)) => self.all(arg),
                            _ => Vec::new(),
                        };
                        if texts.is_empty() {
                            add(found, Returned::Value(Value::some(gives)));
                        } else {
                            for text in texts {
                                self.name(text, gives, origin, found);
                            }
                        }
                    }
                }
            }
        }
        if found.len() == before {
            // A function that gives a template by its full name.
            let named = args.iter().flatten().find_map(|arg| match arg {
                Recipe::Text(text) if text.contains('.') => self.world.template_named(text),
                _ => None,
            });
            named.into_iter().for_each(|template| add(found, Returned::Value(Value::Template(template))));
        }
    }

    /// `ОткрытьФорму("Документ.Заказ.ФормаСписка")`, `Документы.Заказ.ПолучитьФорму("ФормаСписка")`,
    /// `РеквизитФормыВЗначение("Объект")`; false if it is another call, or nothing is known of what it names.
    fn form(
        &mut self,
        receiver: Option<&Recipe<'s>>,
        name: &'s str,
        args: &[Option<Recipe<'s>>],
        found: &mut Vec<Returned>,
    ) -> bool {
        let (world, module) = (self.world, self.module);
        let Some((name, word)) = self.recent.ident(world, name).and_then(|name| Some((name, world.word(name)?))) else {
            return false;
        };
        let is_own = || world.own_method(module, name).is_some();
        if !matches!(word, Word::OpenForm | Word::GetForm | Word::FormAttributeToValue)
            || receiver.is_none() && is_own()
        {
            return false;
        }
        let Some(Some(text)) = args.first() else { return false };
        let (texts, before) = (self.texts_of(text), found.len());
        let forms: Vec<u32> = match (word, receiver) {
            (Word::FormAttributeToValue, None) => {
                let owner = world.module(module).owner;
                let values = texts.iter().filter_map(|text| world.attribute(owner, world.ident(text)?));
                values.for_each(|values| values.iter().for_each(|value| add(found, Returned::Value(value))));
                Vec::new()
            }
            (_, None) => texts.iter().filter_map(|text| world.form_named(text)).collect(),
            (Word::GetForm, Some(receiver)) => {
                let managers = self.all(receiver).into_iter().filter_map(|manager| match manager {
                    Returned::Value(Value::Manager { object, .. }) => Some(object),
                    _ => None,
                });
                managers.flat_map(|object| texts.iter().filter_map(move |text| world.form_got(object, text))).collect()
            }
            _ => Vec::new(),
        };
        let modules = forms.into_iter().filter_map(|form| world.form_module(form));
        modules.for_each(|module| add(found, Returned::Value(Value::Form(module))));
        found.len() > before
    }

    /// The method's name that `Метаданные.РегламентныеЗадания.Х.ИмяМетода` gives.
    fn job_method(&mut self, job: &Recipe<'s>, name: &'s str) -> Option<&'a str> {
        let world = self.world;
        self.recent.ident(world, name).filter(|name| world.word(*name) == Some(Word::MethodName))?;
        let Recipe::Member(jobs, job) = job else { return None };
        let Recipe::Member(root, jobs) = &**jobs else { return None };
        let Recipe::Global(root) = **root else { return None };
        self.recent.ident(world, root).filter(|root| world.word(*root) == Some(Word::Metadata))?;
        let kind: Kind = world.collection(self.recent.ident(world, jobs)?)?;
        world.job_method(world.object(kind, self.recent.ident(world, job)?)?)
    }

    /// `Объект.ПолучитьМакет("Имя")`, `Макет.ПолучитьОбласть("Имя")`; false if it is another call, or no template is known.
    fn template(
        &mut self,
        receiver: Option<&Recipe<'s>>,
        name: &'s str,
        args: &[Option<Recipe<'s>>],
        found: &mut Vec<Returned>,
    ) -> bool {
        let world = self.world;
        let Some(word) = self.recent.ident(world, name).and_then(|name| world.word(name)) else { return false };
        let before = found.len();
        match (word, receiver) {
            (Word::GetArea, Some(receiver)) => {
                for value in self.all(receiver) {
                    if matches!(value, Returned::Value(Value::Template(_))) {
                        add(found, value);
                    }
                }
            }
            (Word::GetTemplate, _) => {
                let Some(Some(text)) = args.first() else { return false };
                let texts = self.texts_of(text);
                let receivers: Vec<Option<Value>> = match receiver {
                    Some(receiver) => {
                        let values = self.all(receiver).into_iter();
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
                        for template in world.templates_got(self.module, receiver, text) {
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
