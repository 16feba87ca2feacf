//! Small configurations for the tests of channels, made in memory.

use metadata::{
    Action, Command, Configuration, ConfigurationProperties, Details, FileId, Flowchart, Form, FormAttribute, FormItem,
    FormKind, Format, Handler, Item, Kind, Layer, LayerKind, Localized, Module, ModuleFlags, ModuleKind, Object,
    Property, RoutePoint, TypeRef, Types,
};

use crate::edge::{Edges, Side};
use crate::settings::{Dispatcher, Gives, Settings};
use crate::summary::ModuleSummary;
use crate::world::World;

/// A configuration and the texts of its modules.
#[derive(Clone)]
pub struct Demo {
    configuration: Configuration,
    texts: Vec<String>,
    dispatchers: Vec<Dispatcher>,
    /// What names of things that are added next begin with.
    prefix: String,
}

fn layer(kind: LayerKind, name: &str) -> Layer {
    Layer {
        kind,
        name: name.into(),
        root: Default::default(),
        format: Format::Designer,
        purpose: "".into(),
        properties: ConfigurationProperties::default(),
    }
}

pub fn demo() -> Demo {
    let configuration = Configuration { layers: vec![layer(LayerKind::Main, "")], ..Configuration::empty() };
    Demo { configuration, texts: Vec::new(), dispatchers: Vec::new(), prefix: String::new() }
}

impl Demo {
    /// A module by its full name, its owner with it. The module is 1-based line numbered as written.
    pub fn module(mut self, full_name: &str, text: &str) -> Self {
        let is_common = full_name.starts_with("CommonModule.");
        let full_name = &*format!("{}{full_name}", self.prefix);
        let last = full_name.rsplit('.').next().unwrap();
        let (kind, owner) = match ModuleKind::ALL.into_iter().find(|kind| kind.as_str() == last) {
            Some(kind) => (kind, full_name.strip_suffix(last).unwrap().trim_end_matches('.')),
            None if is_common => (ModuleKind::Module, full_name),
            None => (ModuleKind::FormModule, full_name),
        };
        let flags = is_common.then(ModuleFlags::default);
        match kind {
            ModuleKind::FormModule if self.configuration.forms.iter().all(|form| *form.full_name != *full_name) => {
                self.form_mut(full_name);
            }
            ModuleKind::CommandModule => self.configuration.commands.push(command(owner)),
            _ if !owner.ends_with("Configuration") => {
                self.object_mut(owner);
            }
            _ => {}
        }
        let file = FileId(self.texts.len() as u32);
        let (full_name, owner) = (full_name.into(), owner.into());
        self.configuration.modules.push(Module { full_name, owner, kind, file, flags });
        self.texts.push(text.to_owned());
        self
    }

    pub fn global_module(mut self, name: &str, text: &str) -> Self {
        self = self.module(&format!("CommonModule.{name}"), text);
        let flags = ModuleFlags { global: true, ..ModuleFlags::default() };
        self.configuration.modules.last_mut().unwrap().flags = Some(flags);
        self
    }

    pub fn object(mut self, full_name: &str) -> Self {
        self.object_mut(full_name);
        self
    }

    pub fn attribute(self, object: &str, name: &str) -> Self {
        self.part(object, &format!("Attribute.{name}"), "", "")
    }

    /// A part of an object by its path, with one property in line 12.
    pub fn part(mut self, object: &str, path: &str, property: &str, value: &str) -> Self {
        let full_name = format!("{object}.{path}");
        let mut words = path.rsplit('.');
        let name = words.next().unwrap().into();
        let kind = Kind::named(words.next().unwrap()).unwrap();
        let properties = vec![Property { name: property.into(), value: value.into(), line: 12 }];
        self.object_mut(object).items.push(Item {
            kind,
            name,
            name_ru: None,
            full_name: full_name.into(),
            parent: None,
            uuid: "".into(),
            synonym: Localized::default(),
            comment: "".into(),
            types: Types::default(),
            required: false,
            indexing: "".into(),
            properties,
            line: 11,
            file: None,
        });
        self
    }

    /// A part of an object with a type; a part of a tabular section belongs to it.
    pub fn typed_part(self, object: &str, path: &str, type_name: &str) -> Self {
        let mut demo = self.part(object, path, "", "");
        let items = &mut demo.object_mut(object).items;
        let holder = path.rsplitn(3, '.').nth(2).map(|holder| format!("{object}.{holder}"));
        let parent = items.iter().position(|item| holder.as_deref() == Some(&*item.full_name));
        if let Some(item) = items.last_mut() {
            (item.types, item.parent) = (types(&[type_name]), parent.map(|at| at as u32));
        }
        demo
    }

    pub fn defined_type(mut self, name: &str, types: &[&str]) -> Self {
        self.object_mut(&format!("DefinedType.{name}")).types = self::types(types);
        self
    }

    /// A subscription: sources from line 3 on, the handler in line 7.
    pub fn subscription(mut self, name: &str, handler: &str, sources: &[&str]) -> Self {
        let object = self.object_mut(&format!("EventSubscription.{name}"));
        object.types = types(sources);
        object.details =
            Details::EventSubscription { event: "BeforeWrite".into(), handler: handler.into(), handler_line: 7 };
        self
    }

    /// A scheduled job: its method in line 9.
    pub fn job(mut self, name: &str, method: &str) -> Self {
        self.object_mut(&format!("ScheduledJob.{name}")).details = Details::ScheduledJob {
            method: method.into(),
            method_line: 9,
            enabled: false,
            predefined: true,
            key: "".into(),
            schedule: "".into(),
        };
        self
    }

    pub fn form(self, full_name: &str, attributes: &[&str]) -> Self {
        self.form_with(full_name, |form| form.attributes.extend(attributes.iter().map(|name| form_attribute(name))))
    }

    pub fn form_with(mut self, full_name: &str, change: impl FnOnce(&mut Form)) -> Self {
        let full_name = &format!("{}{full_name}", self.prefix);
        change(self.form_mut(full_name));
        self
    }

    /// A route with one point, its events from line 60 on.
    pub fn route(mut self, owner: &str, events: &[(&str, &str)]) -> Self {
        self.object_mut(owner);
        let events = events.iter().zip(60..).map(|((event, name), line)| handler(event, name, line)).collect();
        let points = vec![RoutePoint { name: "Точка".into(), kind: "Activity".into(), events, line: 59 }];
        self.configuration.flowcharts.push(Flowchart {
            owner: owner.into(),
            file: FileId(0),
            points,
            links: Vec::new(),
        });
        self
    }

    /// A report schema: its expressions from line 30 on.
    pub fn schema(mut self, full_name: &str, expressions: &[&str]) -> Self {
        let expressions = expressions.iter().zip(30..);
        let expressions = expressions.map(|(text, line)| metadata::SchemaExpression { text: (*text).into(), line });
        self.configuration.templates.push(metadata::Template {
            full_name: full_name.into(),
            owner: None,
            name: full_name.rsplit('.').next().unwrap().into(),
            uuid: "".into(),
            synonym: Localized::default(),
            kind: metadata::TemplateKind::DataCompositionSchema,
            declared: "".into(),
            file: FileId(0),
            content: None,
            expressions: expressions.collect(),
            parts: Vec::new(),
        });
        self
    }

    /// What is added from here on, modules and forms, stands in an extension of that name; without a main configuration, if
    /// nothing was added before.
    pub fn layer(mut self, name: &str) -> Self {
        if self.texts.is_empty() && self.configuration.objects.is_empty() {
            self.configuration.layers.clear();
        }
        self.configuration.layers.push(layer(LayerKind::Extension, name));
        self.prefix = format!("{name}::");
        self
    }

    /// A property of an object that refers to something (`DefaultListForm`).
    pub fn link(mut self, object: &str, property: &str, target: &str) -> Self {
        self.object_mut(object).links.push(link(property, target));
        self
    }

    /// A property of the configuration that refers to something.
    pub fn configuration_link(mut self, property: &str, target: &str) -> Self {
        self.configuration.properties.links.push(link(property, target));
        self
    }

    pub fn dispatcher(mut self, function: &str, argument: u16) -> Self {
        self.dispatchers.push(Dispatcher { function: function.into(), argument, gives: Gives::Module });
        self
    }

    pub fn manager_dispatcher(mut self, function: &str, argument: u16) -> Self {
        self.dispatchers.push(Dispatcher { function: function.into(), argument, gives: Gives::Manager });
        self
    }

    /// The edges of a channel, `source -> target confidence :line`, halves joined: those of metadata, then module by module.
    pub fn edges(&self, channel: &str) -> Vec<String> {
        let (world, all) = self.resolve();
        show(&world, &all, channel)
    }

    /// Kinds and known parts of the places that stay open.
    pub fn dynamic(&self) -> Vec<(&'static str, String)> {
        self.resolve().1.into_iter().flat_map(|edges| edges.dynamic).map(|site| (site.kind, site.known)).collect()
    }

    /// The dynamic sites of a kind, `method known :line`.
    pub fn dynamic_sites(&self, kind: &str) -> Vec<String> {
        let (world, all) = self.resolve();
        let sites = all.iter().flat_map(|edges| &edges.dynamic).filter(|site| site.kind == kind);
        sites.map(|site| format!("{} {} :{}", world.name(site.node), site.known, site.line)).collect()
    }

    /// Types of parameters and results of a module: `Метод #n: Тип (source)`.
    pub fn types(&self, module: &str) -> Vec<String> {
        let place = self.configuration.modules.iter().position(|m| *m.full_name == *module).unwrap();
        let (world, facts) = self.world_of(module);
        let show = |(method, facts_of): (&bsl::Method, Vec<crate::TypeFact>)| {
            let name = facts.text(method.name).to_owned();
            facts_of.into_iter().map(move |fact| {
                let param = fact.param.map(|param| format!("#{param}")).unwrap_or_default();
                format!("{name} {param}: {} ({})", fact.name, fact.source.as_str())
            })
        };
        facts.methods.iter().zip(world.type_facts(place, &facts)).flat_map(show).collect()
    }

    /// The world, and the facts of a module.
    pub fn world_of(&self, module: &str) -> (World, bsl::ModuleFacts) {
        let place = self.configuration.modules.iter().position(|m| *m.full_name == *module).unwrap();
        (self.resolve().0, bsl::read_module(self.texts[place].as_bytes()))
    }

    /// The world, and the place of a module.
    pub fn world_and_place(&self, module: &str) -> (World, usize) {
        let place = self.configuration.modules.iter().position(|m| *m.full_name == *module).unwrap();
        (self.resolve().0, place)
    }

    /// The world, and what the module that was added last shows.
    pub fn last_module(&self) -> (World, Edges) {
        let (world, mut all) = self.resolve();
        (world, all.pop().unwrap_or_default())
    }

    fn resolve(&self) -> (World, Vec<Edges>) {
        let mut configuration = self.configuration.clone();
        configuration.objects.sort_by(|a, b| a.full_name.cmp(&b.full_name));
        let facts: Vec<_> = self.texts.iter().map(|text| bsl::read_module(text.as_bytes())).collect();
        let summaries: Vec<_> = facts.iter().map(ModuleSummary::of).collect();
        let world = World::new(&configuration, &summaries, &Settings::with_dispatchers(self.dispatchers.clone()));
        let mut all = vec![world.metadata_edges(&configuration)];
        all.extend(facts.iter().enumerate().map(|(module, facts)| world.module_edges(module, facts)));
        (world, all)
    }

    fn object_mut(&mut self, full_name: &str) -> &mut Object {
        let objects = &mut self.configuration.objects;
        let place = objects.iter().position(|object| *object.full_name == *full_name).unwrap_or_else(|| {
            objects.push(object(full_name));
            objects.len() - 1
        });
        &mut objects[place]
    }

    fn form_mut(&mut self, full_name: &str) -> &mut Form {
        let owner: Vec<_> = full_name.split('.').take(2).collect();
        self.object_mut(&owner.join("."));
        let forms = &mut self.configuration.forms;
        let place = forms.iter().position(|form| *form.full_name == *full_name).unwrap_or_else(|| {
            forms.push(form(full_name));
            forms.len() - 1
        });
        &mut forms[place]
    }
}

fn show(world: &World, all: &[Edges], channel: &str) -> Vec<String> {
    let line = |source, target, confidence: &str, line| {
        format!("{} -> {} {confidence} :{line}", world.name(source), world.name(target))
    };
    let whole = all.iter().flat_map(|edges| &edges.edges).filter(|edge| edge.channel.0 == channel);
    let mut lines: Vec<_> = whole.map(|e| line(e.source, e.target, e.confidence.as_str(), e.line)).collect();
    let halves = || all.iter().flat_map(|edges| &edges.halves).filter(|half| half.channel.0 == channel);
    for source in halves().filter(|half| half.side == Side::Source) {
        for target in halves().filter(|half| half.side == Side::Target && half.hub == source.hub) {
            lines.push(line(source.node, target.node, source.confidence.as_str(), source.line));
        }
    }
    lines
}

fn link(property: &str, target: &str) -> metadata::Link {
    metadata::Link { item: None, property: property.into(), target: target.into(), value: "".into(), line: 5 }
}

fn object(full_name: &str) -> Object {
    let (kind, name) = crate::world::layers::without_layer(full_name).split_once('.').unwrap();
    Object {
        kind: Kind::named(kind).unwrap(),
        name: name.into(),
        full_name: full_name.into(),
        parent: None,
        uuid: "".into(),
        synonym: Localized::default(),
        comment: "".into(),
        file: FileId(0),
        line: 1,
        types: Types::default(),
        properties: Vec::new(),
        items: Vec::new(),
        links: Vec::new(),
        details: Details::None,
    }
}

fn command(full_name: &str) -> Command {
    Command {
        full_name: full_name.into(),
        owner: None,
        name: full_name.rsplit('.').next().unwrap().into(),
        uuid: "".into(),
        synonym: Localized::default(),
        group: "".into(),
        parameter_types: Types::default(),
        parameter_use_mode: "".into(),
        links: Vec::new(),
        file: FileId(0),
        line: 1,
    }
}

fn form(full_name: &str) -> Form {
    Form {
        full_name: full_name.into(),
        owner: None,
        name: full_name.rsplit('.').next().unwrap().into(),
        kind: FormKind::Managed,
        uuid: "".into(),
        synonym: Localized::default(),
        comment: "".into(),
        file: FileId(0),
        content: None,
        title: Localized::default(),
        properties: Vec::new(),
        items: Vec::new(),
        attributes: Vec::new(),
        commands: Vec::new(),
        parameters: Vec::new(),
        events: Vec::new(),
        links: Vec::new(),
        beside: Vec::new(),
    }
}

/// An attribute of a form that is a dynamic list on a table.
pub fn list(name: &str, table: &str) -> FormAttribute {
    let query = "".into();
    let list = metadata::DynamicList {
        main_table: table.into(),
        query,
        manual_query: false,
        query_line: 0,
        ..Default::default()
    };
    FormAttribute { dynamic_list: Some(list), ..form_attribute(name) }
}

/// An attribute of a form of one type.
pub fn typed(name: &str, type_name: &str) -> FormAttribute {
    FormAttribute { types: types(&[type_name]), ..form_attribute(name) }
}

/// An attribute of a form that is a table with columns of one type each.
pub fn form_table(name: &str, columns: &[(&str, &str)]) -> FormAttribute {
    let column = |(name, type_name): &(&str, &str)| metadata::FormColumn {
        name: (*name).into(),
        table: "".into(),
        title: Localized::default(),
        types: types(&[type_name]),
        line: 1,
    };
    FormAttribute { columns: columns.iter().map(column).collect(), ..typed(name, "ValueTable") }
}

pub(crate) fn form_attribute(name: &str) -> FormAttribute {
    FormAttribute {
        name: name.into(),
        title: Localized::default(),
        types: Types::default(),
        value_types: Types::default(),
        is_main: false,
        columns: Vec::new(),
        dynamic_list: None,
        functional_options: Vec::new(),
        line: 1,
    }
}

pub fn types(names: &[&str]) -> Types {
    let types = names.iter().zip(3..).map(|(name, line)| TypeRef { name: (*name).into(), qualifiers: "".into(), line });
    Types(types.collect())
}

pub fn handler(event: &str, handler: &str, line: u32) -> Handler {
    Handler { event: event.into(), handler: handler.into(), call_type: "".into(), line }
}

pub fn item(name: &str, events: Vec<Handler>) -> FormItem {
    FormItem {
        name: name.into(),
        kind: "InputField".into(),
        parent: None,
        data_path: "".into(),
        command: "".into(),
        title: Localized::default(),
        events,
        line: 1,
    }
}

/// A form command: its actions from line 50 on.
pub fn form_command(name: &str, actions: &[&str]) -> metadata::FormCommand {
    let actions = actions.iter().zip(50..).map(|(handler, line)| Action {
        handler: (*handler).into(),
        call_type: "".into(),
        line,
    });
    metadata::FormCommand {
        name: name.into(),
        title: Localized::default(),
        actions: actions.collect(),
        functional_options: Vec::new(),
        line: 49,
    }
}
