//! Numbers of full names: the resolver's, then names of things that the resolver doesn't need, then names that are only
//! referred to (*ghosts*: a right on an object that is gone, a standard command).

use graph::World;
use rustc_hash::FxHashMap;

/// A name with its key and trigrams, ready to be stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NameRow {
    pub id: u32,
    pub name: String,
    pub key: i64,
    pub trigrams: i64,
}

impl NameRow {
    pub fn new(id: u32, name: String) -> Self {
        let folded = bsl::fold(&name);
        let key = crate::names::hash64(folded.as_bytes()).cast_signed();
        let trigrams = crate::names::trigrams(&folded).cast_signed();
        Self { id, name, key, trigrams }
    }
}

/// Gives numbers to names.
pub(crate) struct NameTable<'w> {
    world: &'w World,
    first: u32,
    more: Vec<String>,
    numbers: FxHashMap<String, u32>,
    /// Ghosts are numbered last, once everything that exists has its number.
    first_ghost: Option<u32>,
}

impl<'w> NameTable<'w> {
    pub fn new(world: &'w World) -> Self {
        let first = u32::try_from(world.names().len()).unwrap_or(u32::MAX);
        Self { world, first, more: Vec::new(), numbers: FxHashMap::default(), first_ghost: None }
    }

    /// The number of a thing that exists.
    pub fn id(&mut self, full_name: &str) -> u32 {
        debug_assert!(self.first_ghost.is_none(), "a thing after the first ghost: {full_name}");
        self.number(full_name)
    }

    /// The number of what something refers to, whether it exists or not. From the first call on, new names are ghosts.
    pub fn refer(&mut self, full_name: &str) -> u32 {
        self.first_ghost.get_or_insert(self.first + u32::try_from(self.more.len()).unwrap_or(0));
        self.number(full_name)
    }

    fn number(&mut self, full_name: &str) -> u32 {
        if let Some(node) = self.world.find(full_name) {
            return node;
        }
        let folded = bsl::fold(full_name);
        if let Some(&id) = self.numbers.get(&folded) {
            return id;
        }
        let id = self.first + u32::try_from(self.more.len()).unwrap_or(0);
        self.more.push(full_name.to_owned());
        self.numbers.insert(folded, id);
        id
    }

    pub fn first_ghost(&self) -> u32 {
        self.first_ghost.unwrap_or(self.first + u32::try_from(self.more.len()).unwrap_or(0))
    }

    /// All names, by number.
    pub fn finish(self) -> Vec<NameRow> {
        let known = self.world.names().map(str::to_owned);
        (0..).zip(known.chain(self.more)).map(|(id, name)| NameRow::new(id, name)).collect()
    }
}
