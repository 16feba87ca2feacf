//! Numbers of full names: the resolver's, then names of things that the resolver doesn't need, then names that are only
//! referred to (*ghosts*: a right on an object that is gone, a standard command).

use graph::World;
use graph::world::layers::with_layer;
use metadata::Configuration;
use rustc_hash::FxHashMap;

/// A name with its key and trigrams, ready to be stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NameRow {
    pub id: u32,
    pub name: String,
    pub key: i64,
    pub trigrams: i64,
    /// It is only referred to: nothing bears it.
    pub ghost: bool,
}

impl NameRow {
    pub fn new(id: u32, name: String) -> Self {
        let key = crate::names::key(&name);
        let trigrams = crate::names::trigrams(&bsl::fold(&name)).cast_signed();
        Self { id, name, key, trigrams, ghost: false }
    }
}

/// The number of a full name: in the world, or behind it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Name(pub u32);

/// Gives numbers to names.
pub(crate) struct NameTable<'w> {
    world: &'w World,
    first: u32,
    more: Vec<String>,
    numbers: FxHashMap<String, u32>,
    /// Numbers from this one on are ghosts.
    first_ghost: u32,
}

impl<'w> NameTable<'w> {
    /// Numbers everything that exists in a configuration; what is numbered later is a ghost.
    pub fn new(world: &'w World, configuration: &Configuration) -> Self {
        let first = u32::try_from(world.names().len()).unwrap_or(u32::MAX);
        let mut table = Self { world, first, more: Vec::new(), numbers: FxHashMap::default(), first_ghost: 0 };
        for layer in configuration.layers.iter().filter(|layer| layer.kind != metadata::LayerKind::External) {
            table.id(&with_layer(&layer.name, "Configuration"));
        }
        for object in &configuration.objects {
            table.id(&object.full_name);
            for item in &object.items {
                table.id(&item.full_name);
            }
        }
        let forms = configuration.forms.iter().map(|form| &form.full_name);
        let commands = configuration.commands.iter().map(|command| &command.full_name);
        let templates = configuration.templates.iter().map(|template| &template.full_name);
        for name in forms.chain(commands).chain(templates) {
            table.id(name);
        }
        table.first_ghost = table.next();
        table
    }

    /// The number of a full name that was numbered already, in any case.
    pub fn known(&self, full_name: &str) -> Option<Name> {
        self.world.find(full_name).or_else(|| self.numbers.get(&bsl::fold(full_name)).copied()).map(Name)
    }

    /// The number of a full name, in any case.
    pub fn id(&mut self, full_name: &str) -> Name {
        if let Some(id) = self.known(full_name) {
            return id;
        }
        let folded = bsl::fold(full_name);
        let id = self.next();
        self.more.push(full_name.to_owned());
        self.numbers.insert(folded, id);
        Name(id)
    }

    /// The number of a method of a common module: an extension may be what adds it to a module of the base.
    pub fn method(&mut self, full_name: &str) -> Name {
        match self.world.find(full_name).or_else(|| self.world.common_method(full_name)) {
            Some(node) => Name(node),
            None => self.id(full_name),
        }
    }

    /// All names, by number.
    pub fn finish(self) -> Vec<NameRow> {
        let known = self.world.names().map(str::to_owned);
        let row = |(id, name)| NameRow { ghost: id >= self.first_ghost, ..NameRow::new(id, name) };
        (0..).zip(known.chain(self.more)).map(row).collect()
    }

    /// The names behind those of the world, and whether each is a ghost.
    pub fn more(self) -> Vec<(String, bool)> {
        let ghost = |number| number >= self.first_ghost;
        (self.first..).zip(self.more).map(|(number, name)| (name, ghost(number))).collect()
    }

    fn next(&self) -> u32 {
        self.first + u32::try_from(self.more.len()).unwrap_or(0)
    }
}
