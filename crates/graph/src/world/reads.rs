//! What deriving the edges of a module asked of the world, and what a world answers. Who asked for nothing that changed gives the
//! same edges as before.
//!
//! Everything that summaries or the configuration decide on stands in a [`Table`] or a [`List`], which note what is looked up in
//! them while a module is [watched](World::watch). What the settings and the program alone decide on needs no note: others make
//! another index.
//! Notes and marks are hashes of names, since numbers hold for one world only: a hash that two things share derives a module
//! without need, and nothing worse.

use rayon::slice::ParallelSliceMut;
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::collections::hash_map::Entry;
use std::hash::{Hash, Hasher};

use metadata::{Kind, ModuleKind};

use super::parts::{Part, PartName};
use super::{EventPattern, FormEvent, Listener, MethodId, ModuleId, World};
use crate::names::{Ident, folded_hash};
use crate::settings::Runs;
use crate::value::{TextRef, Value, Values};
use crate::world::returns::Returned;

/// Numbers of what is noted; written into indexes.
pub(crate) mod part {
    pub const NAME: u8 = 1;
    pub const IDENT: u8 = 2;
    pub const SPELLING: u8 = 3;
    pub const METHODS_OF: u8 = 4;
    pub const METHOD: u8 = 5;
    pub const GLOBAL: u8 = 6;
    pub const RETURNS: u8 = 7;
    pub const GIVEN: u8 = 8;
    pub const KEPT: u8 = 9;
    pub const SUBSCRIBERS: u8 = 10;
    pub const REGISTERED: u8 = 11;
    pub const MANAGERS: u8 = 12;
    pub const EXPORTED: u8 = 13;
    pub const BORNE: u8 = 14;
    pub const RUNNERS: u8 = 15;
    pub const RUNNER_NAMES: u8 = 16;
    pub const FORM_HANDLERS: u8 = 17;
    pub const ITEM_CHOICE: u8 = 18;
    pub const ITEMS_HANDLED: u8 = 19;
    pub const LISTENERS: u8 = 20;
    pub const HEARD: u8 = 21;
    pub const PATTERNS: u8 = 22;
    pub const ACTIONS: u8 = 23;
    pub const PROCEDURES: u8 = 24;
    pub const COMMON_MODULES: u8 = 25;
    pub const OWNED: u8 = 26;
    pub const OBJECTS: u8 = 27;
    pub const HIDDEN: u8 = 28;
    pub const ATTRIBUTES: u8 = 29;
    pub const SHOWN: u8 = 30;
    pub const HANDLED: u8 = 31;
    pub const DEFAULT_FORMS: u8 = 32;
    pub const PART_NAME: u8 = 33;
    pub const PARTS: u8 = 34;
    pub const TEMPLATE_PARTS: u8 = 35;
    pub const SECTIONS: u8 = 36;
    pub const LAYERS: u8 = 37;
    pub const NAMED_FIELDS: u8 = 38;
    pub const JOBS: u8 = 39;
    pub const HANDED: u8 = 40;
    pub const HANDED_UNDER: u8 = 41;
    pub const FORM_NAMES: u8 = 42;
}

thread_local! {
    /// What was asked for since the module of this thread is watched; None: no module is.
    static NOTED: RefCell<Option<FxHashSet<(u8, Key)>>> = const { RefCell::new(None) };
}

/// Notes that something was looked up.
pub(crate) fn note(part: u8, key: Key) {
    NOTED.with_borrow_mut(|noted| {
        if let Some(noted) = noted {
            noted.insert((part, key));
        }
    });
}

/// What is looked up, in numbers of one world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Key {
    /// All that is there.
    All,
    /// A text, by its hash.
    Text(u64),
    Ident(Ident),
    Module(ModuleId),
    Method(MethodId),
    Own(ModuleId, Ident),
    Param(MethodId, u16),
    Named(MethodId, Ident),
    Node(u32),
    OfNode(u32, u64),
    /// Something of a node by its name among the identifiers.
    Attribute(u32, Ident),
    Object(Kind, Ident),
    PartName(PartName),
    Part(u32, PartName),
}

impl Key {
    /// The same in words.
    fn hash(self, world: &World) -> u64 {
        let node = |node: u32| world.names.hash(node);
        let method = |id: MethodId| world.methods.get(id.0 as usize).map_or(0, |method| node(method.node));
        let module = |id: ModuleId| world.modules.get(id.0 as usize).map_or(0, |module| node(module.node));
        match self {
            Self::All => 0,
            Self::Text(hash) => hash,
            Self::Ident(ident) => world.idents.hash(ident.0),
            Self::Module(id) => module(id),
            Self::Method(id) => method(id),
            Self::Own(id, ident) => mix(module(id), world.idents.hash(ident.0)),
            Self::Param(id, param) => mix(method(id), param.into()),
            Self::Named(id, ident) => mix(method(id), world.idents.hash(ident.0)),
            Self::Node(number) => node(number),
            Self::OfNode(number, rest) => mix(node(number), rest),
            Self::Attribute(number, ident) => mix(node(number), world.idents.hash(ident.0)),
            Self::Object(kind, ident) => mix(exact(kind.en()), world.idents.hash(ident.0)),
            Self::PartName(name) => world.parts.name_hash(name),
            Self::Part(number, name) => mix(node(number), world.parts.name_hash(name)),
        }
    }
}

fn mix(a: u64, b: u64) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write_u64(a);
    hasher.write_u64(b);
    hasher.finish()
}

/// What indexes keep of a key.
fn short(part: u8, hash: u64) -> u32 {
    (mix(hash, part.into()) >> 32) as u32
}

/// What a [`Table`] is looked up by.
pub(crate) trait AsKey: Eq + Hash {
    /// The key to note.
    fn as_key(&self) -> Key;
}

macro_rules! keys {
    ($($of:ty => |$key:ident| $made:expr;)*) => {
        $(impl AsKey for $of {
            fn as_key(&self) -> Key {
                let $key = self;
                $made
            }
        })*
    };
}

keys! {
    Ident => |key| Key::Ident(*key);
    MethodId => |key| Key::Method(*key);
    u32 => |key| Key::Node(*key);
    String => |key| Key::Text(folded_hash(key));
    (ModuleId, Ident) => |key| Key::Own(key.0, key.1);
    (MethodId, u16) => |key| Key::Param(key.0, key.1);
    (MethodId, Ident) => |key| Key::Named(key.0, key.1);
    (u32, FormEvent) => |key| Key::OfNode(key.0, key.1 as u64);
    (u32, ModuleKind) => |key| Key::OfNode(key.0, exact(key.1.as_str()));
    (u32, u16) => |key| Key::OfNode(key.0, key.1.into());
    (u32, usize) => |key| Key::OfNode(key.0, key.1 as u64);
    (u32, Ident) => |key| Key::Attribute(key.0, key.1);
    (u32, PartName) => |key| Key::Part(key.0, key.1);
    (Kind, Ident) => |key| Key::Object(key.0, key.1);
    ModuleId => |key| Key::Module(*key);
    PartName => |key| Key::PartName(*key);
    (u32, String) => |key| Key::OfNode(key.0, folded_hash(&key.1));
}

/// A table whose look-ups are noted.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound(deserialize = "K: Eq + Hash + Deserialize<'de>, V: Deserialize<'de>"))]
pub(crate) struct Table<const PART: u8, K, V>(FxHashMap<K, V>);

impl<const PART: u8, K, V> Default for Table<PART, K, V> {
    fn default() -> Self {
        Self(FxHashMap::default())
    }
}

impl<const PART: u8, K, V> From<FxHashMap<K, V>> for Table<PART, K, V> {
    fn from(rows: FxHashMap<K, V>) -> Self {
        Self(rows)
    }
}

impl<const PART: u8, K: AsKey, V> Table<PART, K, V> {
    pub fn get(&self, key: &K) -> Option<&V> {
        note(PART, key.as_key());
        self.0.get(key)
    }

    pub fn contains(&self, key: &K) -> bool {
        self.get(key).is_some()
    }

    pub fn iter(&self) -> impl Iterator<Item = (&K, &V)> {
        note(PART, Key::All);
        self.0.iter()
    }

    pub fn insert(&mut self, key: K, value: V) {
        self.0.insert(key, value);
    }

    pub fn entry(&mut self, key: K) -> Entry<'_, K, V> {
        self.0.entry(key)
    }

    pub fn reserve(&mut self, count: usize) {
        self.0.reserve(count);
    }

    /// The rows themselves, for who makes or measures the world.
    pub fn unnoted(&self) -> &FxHashMap<K, V> {
        &self.0
    }

    /// Takes the rows out.
    pub fn take(&mut self) -> FxHashMap<K, V> {
        std::mem::take(&mut self.0)
    }
}

/// A set whose look-ups are noted.
pub(crate) type Set<const PART: u8, K> = Table<PART, K, ()>;

impl<const PART: u8, K: AsKey> Extend<K> for Set<PART, K> {
    fn extend<I: IntoIterator<Item = K>>(&mut self, keys: I) {
        self.0.extend(keys.into_iter().map(|key| (key, ())));
    }
}

/// A list that is only looked at as a whole.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct List<const PART: u8, T>(Vec<T>);

impl<const PART: u8, T> Default for List<PART, T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<const PART: u8, T> List<PART, T> {
    pub fn all(&self) -> &[T] {
        note(PART, Key::All);
        &self.0
    }

    pub fn push(&mut self, item: T) {
        self.0.push(item);
    }
}

/// What deriving one module asked of the world.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reads(Vec<u32>);

impl Reads {
    /// Whether any of that was asked for; sorted, as [`Fingerprint::changed`] gives it.
    pub fn meet(&self, changed: &[u32]) -> bool {
        changed.iter().any(|key| self.0.binary_search(key).is_ok())
    }

    /// Four bytes each, in order.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.0.iter().flat_map(|key| key.to_le_bytes()).collect()
    }

    /// Whether any of that stands in [bytes](Self::to_bytes): without a copy.
    pub fn bytes_meet(bytes: &[u8], changed: &[u32]) -> bool {
        let at = |place: usize| {
            let four = bytes.get(place * 4..place * 4 + 4).and_then(|four| four.try_into().ok());
            four.map_or(u32::MAX, u32::from_le_bytes)
        };
        changed.iter().any(|key| {
            let (mut from, mut to) = (0, bytes.len() / 4);
            while from < to {
                let middle = from.midpoint(to);
                if at(middle) < *key { from = middle + 1 } else { to = middle }
            }
            from < bytes.len() / 4 && at(from) == *key
        })
    }
}

/// All that summaries and the configuration decide on in a world, as hashes: which it is of, and what it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fingerprint(Vec<(u32, u32)>);

impl Fingerprint {
    /// What is not the same in both: new, gone or changed; sorted.
    pub fn changed(&self, other: &Self) -> Vec<u32> {
        let (mut old, mut new) = (self.0.iter().peekable(), other.0.iter().peekable());
        let mut changed = Vec::new();
        loop {
            let key = match (old.peek(), new.peek()) {
                (Some(a), Some(b)) if a.0 == b.0 => {
                    if a.1 != b.1 {
                        changed.push(a.0);
                    }
                    old.next();
                    new.next();
                    continue;
                }
                (Some(a), Some(b)) if a.0 < b.0 => old.next(),
                (Some(_), None) => old.next(),
                (_, Some(_)) => new.next(),
                (None, None) => return changed,
            };
            changed.extend(key.map(|row| row.0));
        }
    }

    /// The same in parts, always as many and cut at the same keys: a small change leaves most of them as they are.
    pub fn parts(&self) -> impl Iterator<Item = Self> {
        (0..=u8::MAX).map(|part| {
            let from = self.0.partition_point(|(key, _)| key.to_be_bytes()[0] < part);
            let to = self.0.partition_point(|(key, _)| key.to_be_bytes()[0] <= part);
            Self(self.0.get(from..to).unwrap_or_default().to_vec())
        })
    }

    /// Eight bytes each.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.0.iter().flat_map(|(key, mark)| [key.to_le_bytes(), mark.to_le_bytes()]).flatten().collect()
    }

    /// Undoes [`to_bytes`](Self::to_bytes); bytes that are left over are left out.
    pub fn from_bytes(bytes: &[u8]) -> Self {
        let number = |four: &[u8]| four.try_into().map_or(0, u32::from_le_bytes);
        let rows = bytes.chunks_exact(8).map(|row| {
            let (key, mark) = row.split_at(4);
            (number(key), number(mark))
        });
        Self(rows.collect())
    }
}

impl World {
    /// Derives something of one module, and what of the world it asked for. Watching is no nested affair: the inner one would
    /// take the notes of the outer one.
    pub fn watch<T>(&self, derive: impl FnOnce() -> T) -> (T, Reads) {
        NOTED.set(Some(FxHashSet::default()));
        let made = derive();
        let noted = NOTED.take().unwrap_or_default();
        let mut keys: Vec<u32> = noted.into_iter().map(|(part, key)| short(part, key.hash(self))).collect();
        keys.sort_unstable();
        keys.dedup();
        (made, Reads(keys))
    }

    /// The hashes of all that is asked for.
    pub fn fingerprint(&self) -> Fingerprint {
        // Every field is named: a new one must be put where it belongs.
        let Self {
            names,
            idents,
            methods: _,
            modules,
            by_ident,
            common_modules,
            global_methods,
            owned,
            objects,
            hidden,
            parts,
            layers,
            returns,
            attributes,
            computed,
            given,
            kept,
            forms,
            chains,
            jobs,
            // What stands in `returns`.
            texts: _,
            // Of the settings and the program alone.
            words: _,
            collections: _,
            types: _,
            raised: _,
            settings: _,
        } = self;
        let of_names = || {
            let mut marks = Marks { world: self, rows: Vec::with_capacity(names.len() + idents.len() * 2) };
            for (number, name) in (0..).zip(names.iter()) {
                marks.add(part::NAME, names.hash(number), exact(name));
            }
            for (number, ident) in (0..).zip(idents.iter()) {
                marks.add(part::IDENT, idents.hash(number), 1);
                marks.add(part::SPELLING, idents.hash(number), exact(ident));
            }
            marks
        };
        let of_tables = || {
            let mut marks = Marks { world: self, rows: Vec::with_capacity(by_ident.0.len() * 2) };
            for module in (0..modules.len() as u32).map(ModuleId) {
                let mut hasher = FxHasher::default();
                for place in 0..self.module(module).count {
                    self.method_at(module, place).mark(self, &mut hasher);
                }
                marks.add(part::METHODS_OF, Key::Module(module).hash(self), hasher.finish());
            }
            marks.table(by_ident);
            marks.table(common_modules);
            marks.table(global_methods);
            marks.table(returns);
            marks.table(given);
            marks.table(kept);
            marks.table(owned);
            marks.table(objects);
            marks.table(hidden);
            marks.table(jobs);
            parts.mark(&mut marks);
            layers.mark(&mut marks);
            attributes.mark(&mut marks);
            computed.mark(&mut marks);
            forms.mark(&mut marks);
            chains.mark(&mut marks);
            marks
        };
        let (mut marks, others) = rayon::join(of_names, of_tables);
        marks.rows.extend(others.rows);
        marks.finish()
    }
}

/// The hash of a text with its case.
fn exact(text: &str) -> u64 {
    let mut hasher = FxHasher::default();
    text.hash(&mut hasher);
    hasher.finish()
}

/// A [`Fingerprint`] being made.
pub(crate) struct Marks<'a> {
    pub world: &'a World,
    rows: Vec<(u32, u32)>,
}

impl Marks<'_> {
    pub fn add(&mut self, part: u8, key: u64, mark: u64) {
        self.rows.push((short(part, key), (mix(key, mark) >> 32) as u32));
    }

    /// A table: each row, and all of them together.
    pub fn table<const PART: u8, K: AsKey, V: Mark>(&mut self, table: &Table<PART, K, V>) {
        let mut all = 0_u64;
        for (key, value) in &table.0 {
            let mut hasher = FxHasher::default();
            value.mark(self.world, &mut hasher);
            let (key, mark) = (key.as_key().hash(self.world), hasher.finish());
            // In any order.
            all = all.wrapping_add(mix(key, mark));
            self.add(PART, key, mark);
        }
        self.add(PART, Key::All.hash(self.world), all);
    }

    /// A list.
    pub fn list<const PART: u8, T: Mark>(&mut self, list: &List<PART, T>) {
        let mut hasher = FxHasher::default();
        list.0.mark(self.world, &mut hasher);
        self.add(PART, Key::All.hash(self.world), hasher.finish());
    }

    /// Rows of one key become one.
    fn finish(mut self) -> Fingerprint {
        self.rows.par_sort_unstable();
        self.rows.dedup_by(|next, row| {
            let same = next.0 == row.0;
            if same {
                row.1 = row.1.rotate_left(5) ^ next.1;
            }
            same
        });
        Fingerprint(self.rows)
    }
}

/// What is hashed in words, so that it is the same in another world.
pub(crate) trait Mark {
    /// Feeds a hasher.
    fn mark(&self, world: &World, hasher: &mut FxHasher);
}

impl Mark for MethodId {
    fn mark(&self, world: &World, hasher: &mut FxHasher) {
        if let Some(method) = world.methods.get(self.0 as usize) {
            // How many parameters it has is asked for only while the world is made.
            world.names.text(method.node).hash(hasher);
            (method.export, method.function).hash(hasher);
        }
    }
}

impl Mark for ModuleId {
    fn mark(&self, world: &World, hasher: &mut FxHasher) {
        Key::Module(*self).hash(world).hash(hasher);
    }
}

/// A node.
impl Mark for u32 {
    fn mark(&self, world: &World, hasher: &mut FxHasher) {
        world.names.hash(*self).hash(hasher);
    }
}

impl Mark for Ident {
    fn mark(&self, world: &World, hasher: &mut FxHasher) {
        world.idents.hash(self.0).hash(hasher);
    }
}

impl Mark for Part {
    fn mark(&self, world: &World, hasher: &mut FxHasher) {
        self.node.mark(world, hasher);
        self.role.hash(hasher);
    }
}

impl<T: Mark> Mark for Box<T> {
    fn mark(&self, world: &World, hasher: &mut FxHasher) {
        (**self).mark(world, hasher);
    }
}

impl Mark for Value {
    fn mark(&self, world: &World, hasher: &mut FxHasher) {
        std::mem::discriminant(self).hash(hasher);
        match *self {
            Self::Undefined | Self::This | Self::SomeModule => {}
            Self::Text(TextRef::World(number)) => world.texts.text(number).hash(hasher),
            Self::Text(TextRef::Symbol(symbol)) | Self::Query(symbol) | Self::Rows(symbol) => symbol.hash(hasher),
            Self::Text(TextRef::Built(number)) => number.hash(hasher),
            Self::Module { module, origin } => {
                module.mark(world, hasher);
                (origin as u8).hash(hasher);
            }
            Self::Collection(kind) => kind.hash(hasher),
            Self::Manager { object, origin } => (world.names.hash(object), origin as u8).hash(hasher),
            Self::Instance { object, aspect, origin } => {
                (world.names.hash(object), aspect, origin as u8).hash(hasher);
            }
            Self::Platform(of) => of.hash(hasher),
            Self::Procedure(method) => method.mark(world, hasher),
            Self::Form(module) => module.mark(world, hasher),
            Self::SomeManager(kind) => kind.hash(hasher),
            Self::Template(template) => world.names.hash(template).hash(hasher),
        }
    }
}

impl Mark for Values {
    fn mark(&self, world: &World, hasher: &mut FxHasher) {
        self.iter().for_each(|value| value.mark(world, hasher));
        self.open.hash(hasher);
    }
}

impl Mark for Returned {
    fn mark(&self, world: &World, hasher: &mut FxHasher) {
        match *self {
            Self::Value(value) => value.mark(world, hasher),
            Self::Param(param) => (1_u8, param).hash(hasher),
            Self::Named(param, gives, origin) => (2_u8, param, gives, origin as u8).hash(hasher),
        }
    }
}

impl Mark for Listener {
    fn mark(&self, world: &World, hasher: &mut FxHasher) {
        self.method.mark(world, hasher);
        (self.is_handler, &self.event, self.file, self.line).hash(hasher);
    }
}

impl Mark for (metadata::Text, MethodId) {
    fn mark(&self, world: &World, hasher: &mut FxHasher) {
        self.0.hash(hasher);
        self.1.mark(world, hasher);
    }
}

impl Mark for (MethodId, u32) {
    fn mark(&self, world: &World, hasher: &mut FxHasher) {
        self.0.mark(world, hasher);
        self.1.hash(hasher);
    }
}

impl<T: Mark> Mark for Vec<T> {
    fn mark(&self, world: &World, hasher: &mut FxHasher) {
        self.len().hash(hasher);
        self.iter().for_each(|item| item.mark(world, hasher));
    }
}

macro_rules! plain {
    ($($of:ty),*) => {
        $(impl Mark for $of {
            fn mark(&self, _world: &World, hasher: &mut FxHasher) {
                self.hash(hasher);
            }
        })*
    };
}

plain!((), String, (u16, Runs), EventPattern);
