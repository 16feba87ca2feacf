//! Values that a call can be resolved by, and sets of them.

use bsl::Symbol;
use metadata::{Kind, ModuleKind};
use serde::{Deserialize, Serialize};

use crate::settings::Gives;
use crate::types::TypeId;
use crate::world::{MethodId, ModuleId};

/// Most values that are told apart; one more makes a set open.
const MOST: usize = 6;

/// A text: a literal of the module, one that a function of another module gives back, or one put together from those.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TextRef {
    /// A literal of the module.
    Symbol(Symbol),
    /// A text of the world.
    World(u32),
    /// A text that the walk put together.
    Built(u32),
}

/// How a module or a manager came into a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Origin {
    /// The code says which: `М = Склад`.
    Written,
    /// A literal names it, given to a function that finds things by name.
    Named,
    /// Code evaluated its name: `Вычислить("Склад")`.
    Evaluated,
    /// The types of metadata, a function's result, a test or a comment say so.
    Inferred,
    /// A function or a caller chose it among several.
    Chosen,
}

impl Origin {
    /// The origin of what stands in no variable, but in a chain of calls.
    #[must_use]
    pub fn of_chain(self) -> Self {
        match self {
            Self::Written | Self::Named => Self::Inferred,
            other => other,
        }
    }
}

/// What of an object of the configuration a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Aspect {
    /// The object itself, read for writing.
    Object,
    /// A reference.
    Ref,
    /// A selection of a manager.
    Selection,
    /// A dynamic or plain list.
    List,
    /// A record set of a register.
    RecordSet,
    /// A record of a record set.
    Record,
    /// A record manager.
    RecordManager,
    /// A record key.
    RecordKey,
    /// A constant's value manager.
    ValueManager,
    /// The record sets of a document: `Движения`.
    Records,
    /// Something with the fields of the thing: a tabular section or a row of it, a table made of it, a filter by its fields.
    Rows,
}

impl Aspect {
    /// By the ending of the platform's English type names; `Records` and `Rows` beside them.
    pub fn parse(word: &str) -> Option<Self> {
        Some(match word {
            "Object" => Self::Object,
            "Ref" => Self::Ref,
            "Selection" => Self::Selection,
            "List" => Self::List,
            "RecordSet" => Self::RecordSet,
            "Record" => Self::Record,
            "RecordManager" => Self::RecordManager,
            "RecordKey" => Self::RecordKey,
            "ValueManager" => Self::ValueManager,
            "Records" => Self::Records,
            "Rows" => Self::Rows,
            _ => return None,
        })
    }

    /// What the elements of such a collection are; None for what is no collection.
    pub fn element(self) -> Option<Self> {
        match self {
            Self::RecordSet => Some(Self::Record),
            Self::Rows => Some(Self::Rows),
            _ => None,
        }
    }

    /// The module in which methods of such a value stand.
    pub fn module(self) -> Option<ModuleKind> {
        match self {
            Self::Object => Some(ModuleKind::ObjectModule),
            Self::RecordSet => Some(ModuleKind::RecordSetModule),
            Self::ValueManager => Some(ModuleKind::ValueManagerModule),
            _ => None,
        }
    }
}

/// What a variable may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Value {
    /// `Неопределено`: nothing can be called on it.
    Undefined,
    /// A known text.
    Text(TextRef),
    /// A common module.
    Module {
        /// Which.
        module: ModuleId,
        /// How it came there.
        origin: Origin,
    },
    /// A collection of managers: `Справочники`.
    Collection(Kind),
    /// A manager.
    Manager {
        /// Node of the object.
        object: u32,
        /// How it came there.
        origin: Origin,
    },
    /// The module's own object or form.
    This,
    /// An object of the configuration, a reference to one, a record set …
    Instance {
        /// Node of the object.
        object: u32,
        /// What of it.
        aspect: Aspect,
        /// How it came there.
        origin: Origin,
    },
    /// A value of a type of the platform.
    Platform(TypeId),
    /// A notification description: the procedure that it calls.
    Procedure(MethodId),
    /// A common module or a manager; which, only run time knows.
    SomeModule,
    /// A manager, of that kind if it is known; which, only run time knows.
    SomeManager(Option<Kind>),
    /// A query of the module's own: its text.
    Query(Symbol),
    /// The result of such a query, a selection or a table of it, or a row.
    Rows(Symbol),
    /// A template of the configuration, or an area of one.
    Template(u32),
    /// A form of the configuration that was opened or got: its module.
    Form(ModuleId),
}

impl Value {
    /// The same value, known by inference.
    #[must_use]
    pub fn inferred(mut self) -> Self {
        if let Self::Manager { origin, .. } | Self::Instance { origin, .. } = &mut self
            && matches!(origin, Origin::Written | Origin::Named)
        {
            *origin = Origin::Inferred;
        }
        self
    }

    /// What a function that finds things by name gives for a name that is not known.
    pub fn some(gives: Gives) -> Self {
        match gives {
            Gives::Manager => Self::SomeManager(None),
            Gives::Module | Gives::Any => Self::SomeModule,
        }
    }
}

/// The values that may stand at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "StoredValues", into = "StoredValues")]
pub struct Values {
    items: [Value; MOST],
    len: u8,
    /// Whether something else may stand there too.
    pub open: bool,
}

/// The values alone, without the empty places.
#[derive(Serialize, Deserialize)]
struct StoredValues(Vec<Value>, bool);

impl From<Values> for StoredValues {
    fn from(values: Values) -> Self {
        Self(values.iter().collect(), values.open)
    }
}

impl From<StoredValues> for Values {
    fn from(StoredValues(stored, open): StoredValues) -> Self {
        let mut values = Self::with_open(open);
        for (slot, value) in values.items.iter_mut().zip(&stored) {
            (*slot, values.len) = (*value, values.len + 1);
        }
        values
    }
}

impl Default for Values {
    /// No value at all: an unassigned variable.
    fn default() -> Self {
        Self { items: [Value::Undefined; MOST], len: 0, open: false }
    }
}

impl From<Value> for Values {
    fn from(value: Value) -> Self {
        let mut values = Self::default();
        values.add(value);
        values
    }
}

impl Values {
    /// Anything.
    pub fn unknown() -> Self {
        Self::with_open(true)
    }

    /// No known value; `open`: whether anything may stand there.
    pub fn with_open(open: bool) -> Self {
        Self { open, ..Self::default() }
    }

    /// The known values.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Value> + '_ {
        self.items.iter().take(usize::from(self.len)).copied()
    }

    /// Whether no value is known.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Whether one more value would make it open.
    pub fn is_full(&self) -> bool {
        usize::from(self.len) == MOST
    }

    /// Adds a value.
    pub fn add(&mut self, value: Value) {
        if value != Value::Undefined && !self.iter().any(|known| known == value) && !self.insert(value) {
            self.open = true;
        }
    }

    /// Adds a value that is not there yet; false if it is, or if there is no room.
    pub fn insert(&mut self, value: Value) -> bool {
        if self.iter().any(|known| known == value) {
            return false;
        }
        match self.items.get_mut(usize::from(self.len)) {
            Some(slot) => {
                *slot = value;
                self.len += 1;
                true
            }
            None => false,
        }
    }

    /// Adds all values of another set.
    pub fn join(&mut self, other: &Self) {
        for value in other.iter() {
            self.add(value);
        }
        self.open |= other.open;
    }

    /// The same values, marked as chosen elsewhere if there are several or others too.
    #[must_use]
    pub fn chosen(self) -> Self {
        if self.is_certain() { self } else { self.all_chosen() }
    }

    /// The same values, marked as chosen elsewhere: elements of a collection.
    #[must_use]
    pub fn all_chosen(mut self) -> Self {
        for value in self.items.iter_mut().take(usize::from(self.len)) {
            if let Value::Module { origin, .. } | Value::Manager { origin, .. } | Value::Instance { origin, .. } = value
            {
                *origin = Origin::Chosen;
            }
        }
        self
    }

    /// The same values as a function gives them back: objects and managers are known by inference.
    #[must_use]
    pub fn given_back(mut self) -> Self {
        for value in self.items.iter_mut().take(usize::from(self.len)) {
            *value = value.inferred();
        }
        self
    }

    /// Whether exactly one thing can stand there.
    pub fn is_certain(&self) -> bool {
        self.len == 1 && !self.open
    }
}
