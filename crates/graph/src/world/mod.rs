//! The names of a configuration as numbers, and what its modules offer to each other.

mod attributes;
mod build;
mod chains;
mod computed;
mod forms;
mod handed;
pub mod layers;
mod members;
pub(crate) mod parts;
mod reads;
mod returns;
mod templates;

pub(crate) use attributes::DEFINED;
pub(crate) use build::is_caller;
pub use chains::{EventPattern, Listener};
pub use forms::FormEvent;
pub use reads::{Fingerprint, Reads};

use bsl::ModuleFacts;
use metadata::{Configuration, Kind, ModuleKind};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use crate::channels::object_event::Raised;
use crate::channels::{self, MetadataContext};
use crate::edge::Edges;
use crate::names::{Ident, Names, folded_hash};
use crate::settings::{Gives, Settings};
use crate::summary::ModuleSummary;
use crate::types::{PlatformTypes, TypeForm, aspect_of_type};
use crate::value::{Origin, Value, Values};
use crate::words::{Word, Words};
use crate::{scope, walk};
use reads::{Key, Table, note, part};

/// A module: its place in [`Configuration::modules`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ModuleId(pub u32);

/// A method: its place in [`World::methods`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct MethodId(pub u32);

/// Every full name that an edge may start or end at, numbered once, and the modules behind them.
///
/// Numbers (*nodes*) hold for one world: they depend on the configuration and on the summaries it was made from.
///
/// A world can be stored, beside its [names](Self::stored_names); what the program and the settings alone decide on is left out.
/// All of it is there again when it was [restored](Self::restored).
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct World {
    #[serde(skip)]
    names: Names,
    #[serde(skip)]
    idents: Names,
    #[serde(skip)]
    words: Words,
    modules: Vec<WorldModule>,
    methods: Vec<WorldMethod>,
    by_ident: Table<{ part::METHOD }, (ModuleId, Ident), MethodId>,
    common_modules: Table<{ part::COMMON_MODULES }, Ident, ModuleId>,
    /// Exported methods of global common modules.
    global_methods: Table<{ part::GLOBAL }, Ident, MethodId>,
    /// Modules of an owner, by its node.
    owned: Table<{ part::OWNED }, (u32, ModuleKind), ModuleId>,
    /// `Справочники`, `Catalogs` …
    collections: FxHashMap<Ident, Kind>,
    /// Objects by kind and own name.
    objects: Table<{ part::OBJECTS }, (Kind, Ident), u32>,
    /// Scheduled jobs -> their methods, as code writes them: `Модуль.Метод`.
    jobs: Table<{ part::JOBS }, u32, String>,
    /// Names that hide a common module or a collection in a module: attributes of its form or object.
    hidden: Table<{ part::HIDDEN }, ModuleId, Vec<Ident>>,
    /// Texts that functions give back.
    texts: Names,
    returns: Table<{ part::RETURNS }, MethodId, Vec<returns::Returned>>,
    #[serde(skip)]
    types: PlatformTypes,
    attributes: attributes::Attributes,
    pub(crate) parts: parts::Parts,
    #[serde(skip)]
    raised: FxHashMap<Ident, Vec<Raised>>,
    computed: computed::Computed,
    /// What calls of all modules give to parameters.
    given: Table<{ part::GIVEN }, (MethodId, u16), Values>,
    /// What is kept under keys and properties of a name.
    kept: Table<{ part::KEPT }, Ident, Values>,
    #[serde(skip)]
    settings: Settings,
    forms: forms::Forms,
    chains: chains::Chains,
    /// What extends what.
    layers: layers::Layers,
}

/// Whether anything here asks for the links of an object that a property of that name holds.
pub(crate) fn reads_link(property: &str) -> bool {
    property == parts::CONTENT || forms::names_default_form(property)
}

/// Whether anything here asks for a simple property of that name of an object.
pub(crate) fn reads_property(property: &str) -> bool {
    property == parts::AUTO_USE
}

/// A module as the resolver sees it.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct WorldModule {
    /// Node of its full name.
    pub node: u32,
    /// Node of its owner: an object, form or command, or `Configuration`. The owner of a module that extends an object of the
    /// main configuration is that object.
    pub owner: u32,
    /// Node of the owner in the module's own layer; for most modules the owner itself.
    pub holder: u32,
    /// Kind.
    pub kind: ModuleKind,
    /// File, as a number in the configuration's list.
    pub file: u32,
    /// Node of `<module>.$body`.
    pub body: u32,
    /// True for a common module.
    pub common: bool,
    /// True for a global common module.
    pub global: bool,
    /// First of its methods in [`World::methods`].
    first: u32,
    /// How many.
    count: u32,
}

/// A method as the resolver sees it.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct WorldMethod {
    /// Node of its full name.
    pub node: u32,
    /// Own name.
    pub ident: Ident,
    /// Module.
    pub module: ModuleId,
    /// `Экспорт`.
    pub export: bool,
    /// True for a function.
    pub function: bool,
    /// Number of parameters. Only who makes the world asks for it: a change of it alone concerns no other module.
    params: u16,
}

impl World {
    /// The world of a configuration. `summaries` are those of [`Configuration::modules`], in that order; a module without one
    /// (not read) counts as empty.
    pub fn new(configuration: &Configuration, summaries: &[ModuleSummary<'_>], settings: &Settings) -> Self {
        Self::of_metadata(configuration, settings).with_modules(configuration, summaries)
    }

    /// The beginning of a [`new`](Self::new) world: what metadata alone decides on.
    pub fn of_metadata(configuration: &Configuration, settings: &Settings) -> Self {
        build::of_metadata(configuration, settings)
    }

    /// The rest of it.
    #[must_use]
    pub fn with_modules(self, configuration: &Configuration, summaries: &[ModuleSummary<'_>]) -> Self {
        build::with_modules(self, configuration, summaries)
    }

    /// Its full names and its identifiers, which take as much room as all the rest: they are stored side by side.
    pub fn stored_names(&self) -> [&Names; 2] {
        [&self.names, &self.idents]
    }

    /// A world that was stored, whole again, with the [names](Self::stored_names) of the same world. The program and the
    /// settings must be those that it was made with.
    #[must_use]
    pub fn restored(mut self, [names, idents]: [Names; 2], settings: &Settings) -> Self {
        (self.names, self.idents) = (names, idents);
        build::restore(&mut self, settings);
        self
    }

    /// The world with one more module, an empty one: the last of the configuration, which is otherwise the one that the world was made
    /// of. For texts that are judged before there is a file of theirs.
    #[must_use]
    pub fn with_empty_module(mut self, configuration: &Configuration) -> Self {
        build::add_empty(&mut self, configuration);
        self
    }

    /// Edges that metadata alone shows. The configuration must be the one that the world was made of.
    pub fn metadata_edges(&self, configuration: &Configuration) -> Edges {
        let mut out = Edges::default();
        let cx = MetadataContext { world: self, configuration };
        for channel in channels::all() {
            channel.metadata(&cx, &mut out);
        }
        out
    }

    /// Edges of one module, the one of that place in [`Configuration::modules`]. Empty for a place that is not there.
    pub fn module_edges(&self, module: usize, facts: &ModuleFacts) -> Edges {
        let module = ModuleId(module as u32);
        match self.modules.get(module.0 as usize) {
            Some(_) => walk::walk(&scope::ModuleContext::new(self, module, facts)),
            None => Edges::default(),
        }
    }

    /// The full name of a node; empty for a number that was not given out.
    pub fn name(&self, node: u32) -> &str {
        self.names.text(node)
    }

    /// [`bsl::folded_hash`] of the full name of a node; 0 for a number that was not given out.
    pub fn name_hash(&self, node: u32) -> u64 {
        self.names.hash(node)
    }

    /// All full names; a node is its place.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.names.iter()
    }

    /// The node of a canonical full name, whatever its case.
    pub fn find(&self, full_name: &str) -> Option<u32> {
        let hash = folded_hash(full_name);
        note(part::NAME, Key::Text(hash));
        self.names.find_hashed(hash, full_name)
    }

    /// Every module, in the order of [`Configuration::modules`].
    pub fn modules(&self) -> &[WorldModule] {
        &self.modules
    }

    /// Every method, module by module.
    pub fn methods(&self) -> &[WorldMethod] {
        &self.methods
    }

    /// Methods of a module, in source order.
    pub fn methods_of(&self, module: ModuleId) -> &[WorldMethod] {
        note(part::METHODS_OF, Key::Module(module));
        let Some(info) = self.modules.get(module.0 as usize) else {
            return &[];
        };
        let first = info.first as usize;
        self.methods.get(first..first + info.count as usize).unwrap_or(&[])
    }

    /// A module.
    pub(crate) fn module(&self, module: ModuleId) -> WorldModule {
        self.modules[module.0 as usize]
    }

    /// A method.
    pub(crate) fn method(&self, method: MethodId) -> WorldMethod {
        self.methods[method.0 as usize]
    }

    /// The method of that place in a module.
    pub(crate) fn method_at(&self, module: ModuleId, place: u32) -> MethodId {
        MethodId(self.module(module).first + place)
    }

    /// The place of a method among those of its module.
    pub(crate) fn place(&self, method: MethodId) -> Option<u32> {
        method.0.checked_sub(self.module(self.method(method).module).first)
    }

    /// The number of an identifier that something of the configuration or the platform bears.
    pub fn ident(&self, name: &str) -> Option<Ident> {
        self.ident_hashed(folded_hash(name), name)
    }

    /// The text of an identifier.
    pub(crate) fn ident_text(&self, ident: Ident) -> &str {
        note(part::SPELLING, Key::Ident(ident));
        self.idents.text(ident.0)
    }

    pub(crate) fn ident_hashed(&self, hash: u64, name: &str) -> Option<Ident> {
        note(part::IDENT, Key::Text(hash));
        self.idents.find_hashed(hash, name).map(Ident)
    }

    pub(crate) fn word(&self, ident: Ident) -> Option<Word> {
        self.words.get(ident)
    }

    /// The method of that name that a module itself declares.
    pub fn declared_method(&self, module: ModuleId, name: Ident) -> Option<MethodId> {
        self.by_ident.get(&(module, name)).copied()
    }

    /// The method of that name in a module: its own, or one of the modules that it is one with at run time, the extended one
    /// and those that extend it.
    pub fn own_method(&self, module: ModuleId, name: Ident) -> Option<MethodId> {
        let declared = self.declared_method(module, name);
        declared.or_else(|| self.layers.one_with(module).find_map(|other| self.declared_method(other, name)))
    }

    /// The exported method of that name in a module, or in one that it is one with.
    pub fn exported_method(&self, module: ModuleId, name: Ident) -> Option<MethodId> {
        self.own_method(module, name).filter(|method| self.method(*method).export)
    }

    /// The node of a method of a common module, by the full name that metadata gives it (`CommonModule.X.M`); an extension of
    /// the module may declare it.
    pub fn common_method(&self, full_name: &str) -> Option<u32> {
        let (module, method) = full_name.rsplit_once('.')?;
        let module = self.common_module(self.ident(module.rsplit('.').next()?)?)?;
        self.own_method(module, self.ident(method)?).map(|method| self.node_of(method))
    }

    /// The node of a method.
    pub fn node_of(&self, method: MethodId) -> u32 {
        self.method(method).node
    }

    /// The module of a method.
    pub fn module_of(&self, method: MethodId) -> ModuleId {
        self.method(method).module
    }

    /// What extends what.
    pub fn layers(&self) -> &layers::Layers {
        &self.layers
    }

    /// The method of the main configuration that an annotation of an extension's module names.
    pub fn extended_method(&self, module: ModuleId, name: &str) -> Option<MethodId> {
        self.declared_method(self.layers.extended(module)?, self.ident(name)?)
    }

    /// The method that an unqualified call finds outside its own module: one of a global common module.
    pub fn global_method(&self, name: Ident) -> Option<MethodId> {
        self.global_methods.get(&name).copied()
    }

    /// The common module of that name.
    pub fn common_module(&self, name: Ident) -> Option<ModuleId> {
        self.common_modules.get(&name).copied()
    }

    /// The module of that kind that belongs to an object, form, command or to `Configuration`.
    pub fn owned_module(&self, owner: u32, kind: ModuleKind) -> Option<ModuleId> {
        self.owned.get(&(owner, kind)).copied()
    }

    /// The module of a form.
    pub fn form_module(&self, form: u32) -> Option<ModuleId> {
        self.owned_module(form, ModuleKind::FormModule)
    }

    /// The kind whose managers a name collects (`Справочники`).
    pub fn collection(&self, name: Ident) -> Option<Kind> {
        self.collections.get(&name).copied()
    }

    /// The object of that kind and name.
    pub fn object(&self, kind: Kind, name: Ident) -> Option<u32> {
        self.objects.get(&(kind, name)).copied()
    }

    /// The objects of a kind.
    pub(crate) fn objects_of_kind(&self, kind: Kind) -> impl Iterator<Item = u32> {
        self.objects.iter().filter(move |((of, _), _)| *of == kind).map(|(_, node)| *node)
    }

    /// The session parameters that a name stands for: one, or with `*` at its end those that start so. Sorted by name.
    pub fn session_parameters(&self, name: &str) -> Vec<u32> {
        let Some(kind) = Kind::named("SessionParameter") else { return Vec::new() };
        let name = name.trim();
        let Some(start) = name.strip_suffix('*').map(bsl::fold) else {
            return self.ident(name).and_then(|name| self.object(kind, name)).into_iter().collect();
        };
        let of_kind = self.objects.iter().filter(|((of, _), _)| *of == kind && !start.is_empty());
        let named = of_kind.filter(|((_, own), _)| bsl::fold(self.idents.text(own.0)).starts_with(&start));
        let mut found: Vec<u32> = named.map(|(_, node)| *node).collect();
        found.sort_unstable_by_key(|node| self.name(*node));
        found
    }

    /// The application modules, the managed one first.
    pub fn application_modules(&self) -> impl Iterator<Item = ModuleId> {
        let configuration = self.find("Configuration");
        [ModuleKind::ManagedApplicationModule, ModuleKind::OrdinaryApplicationModule]
            .into_iter()
            .filter_map(move |kind| self.owned_module(configuration?, kind))
    }

    /// Types of the platform.
    pub(crate) fn types(&self) -> &PlatformTypes {
        &self.types
    }

    /// What an attribute of an object or form may hold, by the types that metadata gives it; None if nothing is followed.
    pub(crate) fn attribute(&self, owner: u32, name: Ident) -> Option<Values> {
        self.attributes.get(owner, name)
    }

    /// What a row is that an item of a form shows; None if that is not known.
    pub(crate) fn shown(&self, form: u32, item: Ident) -> Option<Values> {
        self.attributes.shown(form, item)
    }

    /// What the platform gives to a parameter of a method that handles an event.
    pub(crate) fn handled(&self, method: u32, parameter: u16) -> Option<Values> {
        self.attributes.handled(method, parameter)
    }

    /// Handlers of subscriptions to an event of an object.
    pub(crate) fn subscribers(&self, object: u32, event: &str) -> impl Iterator<Item = MethodId> {
        self.attributes.subscribers(object, event)
    }

    /// The functions of that name that take names of attributes as text.
    pub(crate) fn names_attributes<'w>(
        &'w self,
        module: &'w scope::ModuleContext<'_>,
        name: bsl::Symbol,
    ) -> impl Iterator<Item = &'w crate::refs::NamesAttributes> {
        let called = module.facts.text(name);
        let own = |function: &'w str| function.rsplit('.').next().unwrap_or(function);
        self.settings.names_attributes.iter().filter(move |row| crate::names::same(own(&row.function), called))
    }

    /// The functions of that name that take names of objects as text.
    pub(crate) fn names_objects<'w>(
        &'w self,
        module: &'w scope::ModuleContext<'_>,
        name: bsl::Symbol,
    ) -> impl Iterator<Item = &'w crate::refs::NamesObjects> {
        let called = module.facts.text(name);
        let own = |function: &'w str| function.rsplit('.').next().unwrap_or(function);
        self.settings.names_objects.iter().filter(move |row| crate::names::same(own(&row.function), called))
    }

    /// Settings of the project.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// What the code of a function gives back, its parameters aside.
    pub(crate) fn results(&self, method: MethodId) -> impl Iterator<Item = Value> {
        let returned = self.returns.get(&method).map_or(&[][..], Vec::as_slice);
        returned.iter().filter_map(|returned| match *returned {
            returns::Returned::Value(value) => Some(value),
            returns::Returned::Named(_, gives, _) => Some(Value::some(gives)),
            returns::Returned::Param(_) => None,
        })
    }

    /// What calls of all modules may give to a parameter of a method; others may give something else.
    pub(crate) fn given(&self, method: MethodId, param: u16) -> Option<&Values> {
        self.given.get(&(method, param))
    }

    /// What may be kept under a key or property of that name, wherever it is.
    pub(crate) fn kept(&self, name: Ident) -> Option<&Values> {
        self.kept.get(&name)
    }

    /// What a call of that name makes the platform raise.
    pub(crate) fn raised(&self, name: Ident) -> &[Raised] {
        self.raised.get(&name).map_or(&[], Vec::as_slice)
    }

    /// The method of a scheduled job as code writes it: `Модуль.Метод`.
    pub(crate) fn job_method(&self, job: u32) -> Option<&str> {
        self.jobs.get(&job).map(String::as_str)
    }

    /// The full name of an object as code has it, in Russian: `Справочник.Товары`.
    pub(crate) fn full_name_ru(&self, object: u32) -> Option<String> {
        let (_, own) = layers::without_layer(self.name(object)).split_once('.')?;
        Some(format!("{}.{own}", self.kind_of(object)?.info().ru))
    }

    /// The register of that name, whatever its kind.
    pub(crate) fn register(&self, name: Ident) -> Option<u32> {
        Kind::all()
            .filter(|kind| kind.is_top() && kind.type_ending("RecordSet").is_some())
            .find_map(|kind| self.object(kind, name))
    }

    /// The kind of an object.
    pub fn kind_of(&self, object: u32) -> Option<Kind> {
        Kind::named(layers::without_layer(self.name(object)).split('.').next()?)
    }

    /// What a type's name in either language means: `СправочникОбъект.Х`, `CatalogRef.X`, `ТаблицаЗначений`.
    pub fn value_of_type(&self, name: &str) -> Option<Value> {
        let (word, own) = name.trim().split_once('.').map_or((name.trim(), None), |(word, own)| (word, Some(own)));
        let Some((kind, family)) = Kind::from_type(word) else {
            return self.types.named(self.ident(word)?).map(Value::Platform);
        };
        let object = self.object(kind, self.ident(own?)?)?;
        Some(match aspect_of_type(kind, family)? {
            TypeForm::Manager => Value::Manager { object, origin: Origin::Inferred },
            TypeForm::Instance(aspect) => Value::Instance { object, aspect, origin: Origin::Inferred },
        })
    }

    pub(crate) fn hidden(&self, module: ModuleId) -> &[Ident] {
        self.hidden.get(&module).map_or(&[], Vec::as_slice)
    }

    /// The text of a [`Value::Text`] that stands in the world.
    pub(crate) fn returned_text(&self, number: u32) -> &str {
        self.texts.text(number)
    }

    /// What a text means that stands for a module or a manager.
    pub(crate) fn named(&self, gives: Gives, text: &str, origin: Origin) -> Option<Value> {
        let text = text.trim();
        match text.split_once('.') {
            None if gives != Gives::Manager => {
                let module = self.common_module(self.ident(text)?)?;
                Some(Value::Module { module, origin })
            }
            Some((kind, name)) if gives != Gives::Module => {
                let object = self.object(Kind::from_word(kind)?, self.ident(name)?)?;
                Some(Value::Manager { object, origin })
            }
            _ => None,
        }
    }

    /// The methods that a text names with their module: `Модуль.Метод` of a common module, `Справочники.Х.Метод` of a manager,
    /// `Обработка.Х.МодульОбъекта.Метод` of a module by its kind. Empty for any other text.
    pub fn methods_named(&self, text: &str) -> Vec<MethodId> {
        const LONGEST: usize = 300;
        if text.len() > LONGEST || !text.contains('.') {
            return Vec::new();
        }
        let mut parts = [""; 4];
        let mut count = 0;
        for part in text.trim().split('.') {
            let Some(slot) = parts.get_mut(count) else { return Vec::new() };
            *slot = part;
            count += 1;
        }
        let object = |kind: Option<Kind>| self.object(kind?, self.ident(parts[1])?);
        let module = match count {
            2 => self.ident(parts[0]).and_then(|name| self.common_module(name)),
            3 => object(Kind::from_collection(parts[0]))
                .and_then(|object| self.owned_module(object, ModuleKind::ManagerModule)),
            4 => ModuleKind::from_word(parts[2])
                .and_then(|kind| object(Kind::from_word(parts[0])).and_then(|object| self.owned_module(object, kind))),
            _ => None,
        };
        let method = module.zip(self.ident(parts[count.max(1) - 1]));
        method.and_then(|(module, name)| self.exported_method(module, name)).into_iter().collect()
    }

    /// What a call of a method gives back; `arg` tells what an argument may hold, `text` what a text value says.
    pub(crate) fn call_result(
        &self,
        method: MethodId,
        arg: &mut dyn FnMut(u16) -> Values,
        text: &dyn Fn(Value) -> Option<String>,
    ) -> Values {
        let returned = self.returns.get(&method).map_or(&[][..], Vec::as_slice);
        let mut own = Values::default();
        let mut values = Values::default();
        for returned in returned {
            match *returned {
                returns::Returned::Value(value) => own.add(value),
                returns::Returned::Param(param) => values.join(&arg(param)),
                returns::Returned::Named(param, gives, origin) => {
                    let names = arg(param);
                    if names.open {
                        values.add(Value::some(gives));
                        values.open = true;
                    }
                    for value in names.iter().filter_map(text).filter_map(|t| self.named(gives, &t, origin)) {
                        values.add(value);
                    }
                }
            }
        }
        values.join(&own.chosen().given_back());
        values
    }

    /// Bytes that it takes on the heap, about.
    pub fn heap_size(&self) -> usize {
        let map = |len: usize, entry: usize| len * (entry + 1) * 8 / 7;
        self.names.heap_size()
            + self.idents.heap_size()
            + self.texts.heap_size()
            + self.modules.capacity() * size_of::<WorldModule>()
            + self.methods.capacity() * size_of::<WorldMethod>()
            + map(self.by_ident.unnoted().capacity(), 12)
            + map(self.owned.unnoted().capacity(), 12)
            + map(self.objects.unnoted().capacity(), 12)
            + self.returns.unnoted().values().map(|r| r.capacity() * size_of::<returns::Returned>() + 32).sum::<usize>()
    }
}
