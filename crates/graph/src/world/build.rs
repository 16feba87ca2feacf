//! Numbers the names of a configuration.

use metadata::{Configuration, Details, Kind, Module, ModuleKind};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::attributes::Attributes;
use super::computed::Computed;
use super::reads::Table;
use super::{MethodId, ModuleId, World, WorldMethod, WorldModule, chains, forms, layers, parts, returns};
use crate::channels::by_convention;
use crate::channels::object_event::{self, Raised};
use crate::names::{FoldedHash, Ident, Names, folded_hash};
use crate::settings::Settings;
use crate::summary::ModuleSummary;
use crate::types::PlatformTypes;
use crate::words::Words;

/// What metadata alone decides on.
pub(super) fn of_metadata(configuration: &Configuration, settings: &Settings) -> World {
    let mut idents = Names::default();
    let Platform { words, types, raised } = Platform::new(&mut idents);
    // Names of methods of the platform that run others: calls of them must be seen.
    for runner in &settings.runners {
        idents.intern(runner.function.rsplit('.').next().unwrap_or(""));
    }
    let mut world = World {
        names: Names::default(),
        idents,
        words,
        modules: Vec::with_capacity(configuration.modules.len()),
        methods: Vec::new(),
        by_ident: Table::default(),
        common_modules: Table::default(),
        global_methods: Table::default(),
        owned: Table::default(),
        collections: FxHashMap::default(),
        objects: Table::default(),
        jobs: Table::default(),
        hidden: Table::default(),
        texts: Names::default(),
        returns: Table::default(),
        types,
        attributes: Attributes::default(),
        parts: parts::Parts::default(),
        raised,
        computed: Computed::default(),
        given: Table::default(),
        kept: Table::default(),
        settings: settings.clone(),
        forms: forms::Forms::default(),
        chains: chains::Chains::default(),
        layers: layers::Layers::default(),
    };
    make_room_for_metadata(&mut world, configuration);
    number_collections(&mut world);
    number_metadata(&mut world, configuration);
    world.layers = layers::Layers::new(&world.names);
    parts::number(&mut world, configuration);
    world.attributes = Attributes::of_metadata(&mut world, configuration);
    for convention in &settings.conventions {
        world.names.intern(&by_convention::source(&convention.name));
    }
    world
}

/// The whole of it: with the modules and what they do.
pub(super) fn with_modules(mut world: World, configuration: &Configuration, summaries: &[ModuleSummary<'_>]) -> World {
    make_room(&mut world, configuration, summaries);
    number_modules(&mut world, configuration, summaries);
    hide_names(&mut world, configuration);
    // Functions give forms back by their names.
    world.forms = forms::read(&world, configuration);
    let read = &world;
    let ((known, texts), (handlers, computed)) = rayon::join(
        || returns::resolve(read, summaries),
        || (read.attributes.handlers(read, configuration), Computed::new(read, summaries)),
    );
    world.attributes.set_handlers(handlers);
    world.computed = computed;
    (world.returns, world.texts) = (known.into(), texts);
    world.chains = chains::resolve(&mut world, configuration, summaries);
    world
}

/// What the program knows of the platform, by the identifiers of a world.
struct Platform {
    words: Words,
    types: PlatformTypes,
    raised: FxHashMap<Ident, Vec<Raised>>,
}

impl Platform {
    /// Its names are the first ones of a world, always in the same order.
    fn new(idents: &mut Names) -> Self {
        let (words, types) = (Words::new(idents), PlatformTypes::new(idents));
        let mut raised: FxHashMap<Ident, Vec<_>> = FxHashMap::default();
        for (names, row) in object_event::table() {
            for name in names {
                raised.entry(Ident(idents.intern(name))).or_default().push(row);
            }
        }
        Self { words, types, raised }
    }
}

/// Puts into a world what is not stored with it.
pub(super) fn restore(world: &mut World, settings: &Settings) {
    let Platform { words, types, raised } = Platform::new(&mut Names::default());
    (world.words, world.types, world.raised, world.settings) = (words, types, raised, settings.clone());
}

fn number_collections(world: &mut World) {
    for kind in Kind::all().filter(|kind| kind.is_top()) {
        for plural in [kind.info().ru_plural, kind.info().en_plural] {
            if !plural.is_empty() {
                world.collections.insert(Ident(world.idents.intern(plural)), kind);
            }
        }
    }
}

fn number_metadata(world: &mut World, configuration: &Configuration) {
    for layer in &configuration.layers {
        world.names.intern(&layers::with_layer(&layer.name, "Configuration"));
    }
    if configuration.layers.is_empty() {
        world.names.intern("Configuration");
    }
    for object in layers::main_first(&configuration.objects, |object| &object.full_name) {
        let node = world.names.intern(&object.full_name);
        if object.parent.is_none() {
            // What an extension adopted is the object that it extends.
            world.objects.entry((object.kind, Ident(world.idents.intern(&object.name)))).or_insert(node);
        }
        if let Details::ScheduledJob { method, .. } = &object.details
            && let Some((module, method)) = method.rsplit_once('.')
        {
            let module = module.rsplit('.').next().unwrap_or(module);
            world.jobs.insert(node, format!("{module}.{method}"));
        }
        for item in &object.items {
            if is_caller(item.kind) {
                world.names.intern(&item.full_name);
            }
        }
    }
    for template in &configuration.templates {
        world.names.intern(&template.full_name);
    }
    for command in &configuration.commands {
        world.names.intern(&command.full_name);
    }
    for form in &configuration.forms {
        let form_name = &form.full_name;
        world.names.intern(form_name);
        for item in form.items.iter().filter(|item| !item.events.is_empty()) {
            world.names.intern(&format!("{form_name}.Item.{}", item.name));
        }
        for command in &form.commands {
            world.names.intern(&format!("{form_name}.Command.{}", command.name));
        }
    }
}

/// Kinds of parts of objects that call methods.
const CALLERS: [&str; 3] = ["Method", "Operation", "IntegrationServiceChannel"];

/// Whether parts of that kind call methods.
pub(crate) fn is_caller(kind: Kind) -> bool {
    CALLERS.contains(&kind.en())
}

/// Makes room for the names of metadata at once: growing step by step touches twice as much memory.
fn make_room_for_metadata(world: &mut World, configuration: &Configuration) {
    let objects = configuration.objects.iter().flat_map(|object| {
        std::iter::once(&object.full_name).chain(object.items.iter().map(|item| &item.full_name)).map(|name| name.len())
    });
    let forms = configuration.forms.iter().flat_map(|form| {
        let parts = form.items.iter().filter(|item| !item.events.is_empty()).map(|item| &item.name);
        let parts = parts.chain(form.commands.iter().map(|command| &command.name));
        let own = form.full_name.len();
        std::iter::once(own).chain(parts.map(move |name| own + ".Command.".len() + name.len()))
    });
    let predefined = configuration.predefined.iter().map(|item| item.owner.len() + 1 + item.name.len());
    let templates = configuration.templates.iter().flat_map(|template| {
        let own = template.full_name.len();
        std::iter::once(own).chain(template.parts.iter().map(move |part| own + ".Parameter.".len() + part.name.len()))
    });
    let (count, bytes) = objects
        .chain(forms)
        .chain(predefined)
        .chain(templates)
        .fold((0, 0), |(count, bytes), one| (count + 1, bytes + one));
    world.names.reserve(count, bytes);
}

/// Makes room for the methods of all modules at once.
fn make_room(world: &mut World, configuration: &Configuration, summaries: &[ModuleSummary<'_>]) {
    let (mut count, mut bytes) = (0, 0);
    for (module, summary) in configuration.modules.iter().zip(summaries) {
        count += summary.methods.len();
        bytes += summary.methods.iter().map(|method| module.full_name.len() + method.name.len() + 1).sum::<usize>();
    }
    world.names.reserve(count + configuration.modules.len() * 2, bytes);
    world.methods.reserve(count);
    world.by_ident.reserve(count);
}

/// Of each method of a module: the hashes of its name and of its full name.
type Hashes = Vec<(u64, u64)>;

fn hashes(module: &Module, summary: Option<&ModuleSummary<'_>>) -> Hashes {
    let beginning = FoldedHash::of(&format!("{}.", module.full_name));
    let methods = summary.map_or(&[][..], |summary| &summary.methods);
    methods.iter().map(|method| (folded_hash(method.name), beginning.then(method.name))).collect()
}

/// Nodes of a module.
struct Nodes {
    node: u32,
    holder: u32,
    body: u32,
    methods: Vec<u32>,
}

/// Numbers modules and methods. Full names and identifiers are numbered side by side.
fn number_modules(world: &mut World, configuration: &Configuration, summaries: &[ModuleSummary<'_>]) {
    let modules = configuration.modules.par_iter().enumerate();
    let hashes: Vec<Hashes> = modules.map(|(place, module)| hashes(module, summaries.get(place))).collect();
    let (names, idents) = (&mut world.names, &mut world.idents);
    let methods_of = |place: usize| summaries.get(place).map_or(&[][..], |summary| &summary.methods);
    let number_names = || {
        let number = |((place, module), hashes): ((usize, &Module), &Hashes)| {
            let mut text = format!("{}.$body", module.full_name);
            let holder = names.intern(&module.owner);
            let (node, body) = (names.intern(&module.full_name), names.intern(&text));
            text.truncate(module.full_name.len() + 1);
            let stem = text.len();
            let methods = methods_of(place).iter().zip(hashes).map(|(method, &(_, whole))| {
                text.truncate(stem);
                text.push_str(method.name);
                names.intern_hashed(whole, &text)
            });
            let methods = methods.collect();
            Nodes { node, holder, body, methods }
        };
        configuration.modules.iter().enumerate().zip(&hashes).map(number).collect::<Vec<_>>()
    };
    let number_idents = || {
        // Keys of structures: members of that name may hold what is kept there.
        for uses in summaries.iter().flat_map(|summary| &summary.uses.methods) {
            for (key, _) in &uses.1.keeps {
                idents.intern(key);
            }
        }
        let number = |((place, module), hashes): ((usize, &Module), &Hashes)| {
            let own_name = module.full_name.rsplit('.').next().unwrap_or("");
            let own = module.flags.is_some().then(|| Ident(idents.intern(own_name)));
            let methods = methods_of(place).iter().zip(hashes);
            (own, methods.map(|(method, &(own, _))| Ident(idents.intern_hashed(own, method.name))).collect::<Vec<_>>())
        };
        configuration.modules.iter().enumerate().zip(&hashes).map(number).collect::<Vec<_>>()
    };
    let (nodes, idents) = rayon::join(number_names, number_idents);
    for (((id, module), nodes), idents) in (0..).map(ModuleId).zip(&configuration.modules).zip(nodes).zip(idents) {
        add_module(world, module, id, summaries.get(id.0 as usize), nodes, idents);
    }
}

/// Adds a module whose names are numbered.
fn add_module(
    world: &mut World,
    module: &Module,
    id: ModuleId,
    summary: Option<&ModuleSummary<'_>>,
    nodes: Nodes,
    (own, idents): (Option<Ident>, Vec<Ident>),
) {
    let Nodes { node, holder, body, methods: nodes } = nodes;
    let methods = summary.map_or(&[][..], |summary| &summary.methods);
    let info = WorldModule {
        node,
        owner: world.layers.base(holder).unwrap_or(holder),
        holder,
        kind: module.kind,
        file: module.file.0,
        body,
        common: module.flags.is_some(),
        global: module.flags.is_some_and(|flags| flags.global),
        first: world.methods.len() as u32,
        count: methods.len() as u32,
    };
    world.modules.push(info);
    world.owned.insert((info.holder, info.kind), id);
    if let Some(own) = own {
        world.common_modules.entry(own).or_insert(id);
    }
    if info.owner != info.holder {
        // The module of an object of the main configuration, which stands before it; or the object had none.
        let extended = *world.owned.entry((info.owner, info.kind)).or_insert(id);
        world.layers.extend(extended, id);
    }
    for ((method, node), ident) in methods.iter().zip(nodes).zip(idents) {
        let number = MethodId(world.methods.len() as u32);
        world.methods.push(WorldMethod {
            node,
            ident,
            module: id,
            export: method.export,
            function: method.function,
            params: method.params,
        });
        // Two methods of one name stand under different conditions of the preprocessor; an exported one speaks for both.
        let first = *world.by_ident.entry((id, ident)).or_insert(number);
        if method.export && !world.methods[first.0 as usize].export {
            world.by_ident.insert((id, ident), number);
        }
        if info.global && method.export {
            world.global_methods.entry(ident).or_insert(number);
        }
    }
}

/// Adds an empty module, the last one of the configuration, to a world that was made without it.
pub(super) fn add_empty(world: &mut World, configuration: &Configuration) {
    let Some((place, module)) = configuration.modules.iter().enumerate().next_back() else { return };
    if world.modules.len() != place {
        return;
    }
    let nodes = Nodes {
        holder: world.names.intern(&module.owner),
        node: world.names.intern(&module.full_name),
        body: world.names.intern(&format!("{}.$body", module.full_name)),
        methods: Vec::new(),
    };
    let own = module.flags.and(module.full_name.rsplit('.').next()).map(|own| Ident(world.idents.intern(own)));
    add_module(world, module, ModuleId(place as u32), None, nodes, (own, Vec::new()));
    hide_names(world, configuration);
}

/// Attributes of a form or an object hide common modules and collections of the same name in its module.
fn hide_names(world: &mut World, configuration: &Configuration) {
    let matters = |world: &World, name: &str| {
        world.ident(name).filter(|name| world.common_module(*name).is_some() || world.collection(*name).is_some())
    };
    let mut hide = |owner: &str, kind: ModuleKind, names: &mut dyn Iterator<Item = &str>| {
        let Some(module) = world.find(owner).and_then(|node| world.owned.get(&(node, kind)).copied()) else {
            return;
        };
        let hidden: Vec<Ident> = names.filter_map(|name| matters(world, name)).collect();
        if !hidden.is_empty() {
            world.hidden.insert(module, hidden);
        }
    };
    for form in &configuration.forms {
        hide(&form.full_name, ModuleKind::FormModule, &mut form.attributes.iter().map(|a| &*a.name));
    }
    for object in &configuration.objects {
        let items = object.items.iter().filter(|item| item.parent.is_none());
        let names = items.flat_map(|item| [Some(&item.name), item.name_ru.as_ref()]).flatten();
        hide(&object.full_name, ModuleKind::ObjectModule, &mut names.map(|name| &**name));
    }
    // An extension's module sees the attributes of what it extends.
    for (extending, extended) in world.layers.extending() {
        if let Some(hidden) = world.hidden.get(&extended).cloned() {
            world.hidden.entry(extending).or_default().extend(hidden);
        }
    }
}
