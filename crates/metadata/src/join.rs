//! Joins dumps into one configuration: files get numbers and paths of their own, full names of extensions and external
//! processors get their layer, and what they refer to gets the name of what is meant.
//!
//! A name `N` in an extension means, in this order: `N` of the main configuration; what the extension itself adds; what
//! another layer adds; a part of an object of the main configuration that isn't there; a part of what the extension adopted
//! (its base is absent). So an adopted object is the base's object, and a row of the extension's own.

use crate::kinds::fold;
use crate::model::Text;
use crate::model::configuration::{Configuration, ConfigurationProperties, Layer, LayerId, LayerKind};
use crate::model::object::{Details, Link, Object};
use rustc_hash::{FxHashMap, FxHashSet};

/// Joins dumps that were read each for itself, in the order of the layers. There is at least one.
pub(crate) fn join(dumps: Vec<Configuration>) -> Configuration {
    let names: Vec<Text> = layer_names(&dumps);
    let alone = dumps.len() == 1 && names.iter().all(|name| name.is_empty());
    let known = if alone { Known::default() } else { Known::of(&dumps, &names) };
    let mut joined: Option<Configuration> = None;
    for (place, mut dump) in dumps.into_iter().enumerate() {
        let id = LayerId(u16::try_from(place).unwrap_or(u16::MAX));
        let name = names.get(place).cloned().unwrap_or_else(|| "".into());
        if !name.is_empty() {
            let own = known.layers.get(place);
            Qualifier { known: &known, own, prefix: format!("{name}::"), done: FxHashMap::default() }
                .qualify(&mut dump);
        }
        match &mut joined {
            None => {
                dump.layers.iter_mut().for_each(|layer| layer.name = name.clone());
                joined = Some(dump);
            }
            Some(joined) => add(joined, dump, id, &name),
        }
    }
    let mut joined = joined.unwrap_or_else(Configuration::empty);
    if !alone {
        sort(&mut joined);
        flags(&mut joined);
    }
    joined
}

/// The name of each layer; of several that bear the same one, the later ones get a number.
fn layer_names(dumps: &[Configuration]) -> Vec<Text> {
    let mut names: Vec<Text> = Vec::new();
    for layer in dumps.iter().filter_map(|dump| dump.layers.first()) {
        let mut name = layer.name.clone();
        if name.is_empty() && layer.kind != LayerKind::Main {
            // A dump that could not be read far enough to know its name.
            name = layer.root.file_name().map_or_else(|| "layer".into(), |folder| folder.to_string_lossy().into());
        }
        let mut number = 2;
        let taken = |name: &Text| names.iter().any(|known| fold(known) == fold(name));
        let mut unique = name.clone();
        while layer.kind != LayerKind::Main && taken(&unique) {
            unique = format!("{name}_{number}").into();
            number += 1;
        }
        names.push(unique);
    }
    names
}

/// What the layers hold, by folded names without layer.
#[derive(Default)]
struct Known {
    /// Everything of the main configuration.
    main: FxHashSet<String>,
    /// What each layer describes, its adopted things among them.
    layers: Vec<FxHashSet<String>>,
    /// What a layer adds, and that layer's name: the first one counts.
    added: FxHashMap<String, Text>,
}

impl Known {
    fn of(dumps: &[Configuration], names: &[Text]) -> Self {
        let mut known = Self::default();
        for (dump, name) in dumps.iter().zip(names) {
            let is_main = dump.layers.first().is_some_and(|layer| layer.kind == LayerKind::Main);
            let mut all = FxHashSet::default();
            for object in &dump.objects {
                let folded = fold(&object.full_name);
                if !is_main && !is_adopted(object) {
                    known.added.entry(folded.clone()).or_insert_with(|| name.clone());
                }
                all.insert(folded);
                all.extend(object.items.iter().map(|item| fold(&item.full_name)));
            }
            all.extend(dump.forms.iter().map(|form| fold(&form.full_name)));
            all.extend(dump.templates.iter().map(|template| fold(&template.full_name)));
            all.extend(dump.commands.iter().map(|command| fold(&command.full_name)));
            if is_main {
                known.main.extend(all.iter().cloned());
            }
            known.layers.push(all);
        }
        known
    }
}

/// Whether an object of an extension is one of what it extends.
fn is_adopted(object: &Object) -> bool {
    object.property("ObjectBelonging") == Some("Adopted")
}

/// Gives the names of one dump their layer.
struct Qualifier<'a> {
    known: &'a Known,
    /// What the dump describes.
    own: Option<&'a FxHashSet<String>>,
    prefix: String,
    /// Names that were looked up.
    done: FxHashMap<Text, Text>,
}

impl Qualifier<'_> {
    fn own(&self, name: &mut Text) {
        *name = format!("{}{name}", self.prefix).into();
    }

    /// What a name means that refers to something.
    fn refer(&mut self, name: &mut Text) {
        if name.is_empty() || !name.contains('.') {
            return;
        }
        if let Some(known) = self.done.get(name) {
            *name = known.clone();
            return;
        }
        let meant: Text = match self.layer_of(name) {
            Some(layer) => format!("{layer}{name}").into(),
            None => name.clone(),
        };
        self.done.insert(name.clone(), meant.clone());
        *name = meant;
    }

    /// The prefix of what a name means; None: it has none.
    fn layer_of(&self, name: &str) -> Option<String> {
        let folded = fold(name);
        let head = folded.match_indices('.').nth(1).and_then(|(end, _)| folded.get(..end)).unwrap_or(&folded);
        let in_own = |name: &str| self.own.is_some_and(|own| own.contains(name));
        if self.known.main.contains(&folded) {
            return None;
        }
        if in_own(&folded) {
            return Some(self.prefix.clone());
        }
        if let Some(layer) = self.known.added.get(head) {
            return Some(format!("{layer}::"));
        }
        (!self.known.main.contains(head) && in_own(head)).then(|| self.prefix.clone())
    }

    fn links(&mut self, links: &mut [Link]) {
        links.iter_mut().for_each(|link| self.refer(&mut link.target));
    }

    fn qualify(&mut self, dump: &mut Configuration) {
        self.properties(&mut dump.properties);
        for object in &mut dump.objects {
            self.object(object);
        }
        for module in &mut dump.modules {
            self.own(&mut module.full_name);
            self.own(&mut module.owner);
        }
        for form in &mut dump.forms {
            self.own(&mut form.full_name);
            form.owner.iter_mut().for_each(|owner| self.own(owner));
            self.links(&mut form.links);
            form.beside.iter_mut().for_each(|(_, links)| self.links(links));
            for attribute in &mut form.attributes {
                attribute.functional_options.iter_mut().for_each(|option| self.refer(option));
                attribute.dynamic_list.iter_mut().for_each(|list| self.refer(&mut list.main_table));
            }
            for command in &mut form.commands {
                command.functional_options.iter_mut().for_each(|option| self.refer(option));
            }
        }
        for role in &mut dump.roles {
            self.own(&mut role.full_name);
            role.objects.iter_mut().for_each(|rights| self.refer(&mut rights.object));
        }
        for command in &mut dump.commands {
            self.own(&mut command.full_name);
            command.owner.iter_mut().for_each(|owner| self.own(owner));
            self.refer(&mut command.group);
            self.links(&mut command.links);
        }
        for template in &mut dump.templates {
            self.own(&mut template.full_name);
            template.owner.iter_mut().for_each(|owner| self.own(owner));
        }
        for item in &mut dump.predefined {
            self.own(&mut item.owner);
            self.links(&mut item.links);
        }
        for content in &mut dump.exchange_plan_content {
            self.own(&mut content.plan);
            self.refer(&mut content.object);
        }
        for flowchart in &mut dump.flowcharts {
            self.own(&mut flowchart.owner);
            self.links(&mut flowchart.links);
        }
        dump.help_pages.iter_mut().for_each(|page| self.own(&mut page.owner));
        for link in &mut dump.interface_links {
            self.own(&mut link.owner);
            self.refer(&mut link.target);
        }
    }

    fn object(&mut self, object: &mut Object) {
        self.own(&mut object.full_name);
        object.parent.iter_mut().for_each(|parent| self.own(parent));
        object.items.iter_mut().for_each(|item| self.own(&mut item.full_name));
        self.links(&mut object.links);
        match &mut object.details {
            Details::EventSubscription { handler, .. } => self.refer(handler),
            Details::ScheduledJob { method, .. } => self.refer(method),
            _ => {}
        }
    }

    fn properties(&mut self, properties: &mut ConfigurationProperties) {
        self.links(&mut properties.links);
        properties.default_roles.iter_mut().for_each(|role| self.refer(role));
        properties.listed.iter_mut().for_each(|(name, _)| self.own(name));
    }
}

/// Adds a dump, whose names have their layer, to what was joined before.
fn add(joined: &mut Configuration, mut dump: Configuration, id: LayerId, name: &Text) {
    let offset = u32::try_from(joined.files.len()).unwrap_or(u32::MAX);
    dump.each_file(|file| file.0 = file.0.saturating_add(offset));
    for file in &mut dump.files {
        file.layer = id;
        file.path = Layer::shown_path(name, id, &file.path).into();
    }
    for problem in &mut dump.problems {
        problem.path = Layer::shown_path(name, id, &problem.path).into();
    }
    let predefined = u32::try_from(joined.predefined.len()).unwrap_or(u32::MAX);
    for item in &mut dump.predefined {
        item.parent = item.parent.map(|parent| parent.saturating_add(predefined));
    }
    for mut layer in dump.layers {
        layer.name = name.clone();
        layer.properties = std::mem::take(&mut dump.properties);
        joined.layers.push(layer);
    }
    joined.files.extend(dump.files);
    joined.objects.extend(dump.objects);
    joined.modules.extend(dump.modules);
    joined.forms.extend(dump.forms);
    joined.roles.extend(dump.roles);
    joined.commands.extend(dump.commands);
    joined.templates.extend(dump.templates);
    joined.predefined.extend(dump.predefined);
    joined.exchange_plan_content.extend(dump.exchange_plan_content);
    joined.flowcharts.extend(dump.flowcharts);
    joined.help_pages.extend(dump.help_pages);
    joined.interface_links.extend(dump.interface_links);
    joined.problems.extend(dump.problems);
}

fn sort(joined: &mut Configuration) {
    joined.objects.sort_by(|a, b| a.full_name.cmp(&b.full_name));
    joined.forms.sort_by(|a, b| a.full_name.cmp(&b.full_name));
    joined.roles.sort_by(|a, b| a.full_name.cmp(&b.full_name));
    joined.commands.sort_by(|a, b| a.full_name.cmp(&b.full_name));
    joined.templates.sort_by(|a, b| a.full_name.cmp(&b.full_name));
}

/// A common module that an extension adopted compiles where the base's does.
fn flags(joined: &mut Configuration) {
    let main: FxHashMap<Text, _> = joined
        .modules
        .iter()
        .filter(|module| !module.full_name.contains("::"))
        .filter_map(|module| Some((module.full_name.clone(), module.flags?)))
        .collect();
    for module in joined.modules.iter_mut().filter(|module| module.flags.is_some()) {
        if let Some((_, base)) = module.full_name.split_once("::") {
            module.flags = main.get(base).copied().or(module.flags);
        }
    }
}
