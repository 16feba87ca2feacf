//! What members of typed values give.

use super::{MethodId, World};
use crate::names::Ident;
use crate::types::{Holder, TypeId};
use crate::value::{Aspect, Origin, Value, Values};
use metadata::ModuleKind;

impl World {
    /// Whether a type of the platform is that of queries.
    pub(crate) fn is_query(&self, of: TypeId) -> bool {
        self.types.is_query(of)
    }

    /// Whether a type of the platform is that of sets of constants.
    pub(crate) fn is_constants_set(&self, of: TypeId) -> bool {
        self.types.is_constants_set(of)
    }

    /// What a property of a value may hold: a manager of a collection, an attribute of an object, a property of a type.
    pub(crate) fn member_of(&self, base: Value, name: Ident) -> Values {
        let known = match base {
            Value::Collection(kind) => {
                self.object(kind, name).map(|object| Value::Manager { object, origin: Origin::Written })
            }
            Value::Instance { aspect: Aspect::Records, origin, .. } => {
                self.register(name).map(|object| Value::Instance { object, aspect: Aspect::RecordSet, origin })
            }
            Value::Instance { object, aspect, origin } => match self.attribute(object, name) {
                Some(values) => return values,
                None => self.types.gives(Holder::Instance(aspect), name).map(|aspect| Value::Instance {
                    object,
                    aspect,
                    origin,
                }),
            },
            Value::Platform(of) => self.types.member(of, name).map(Value::Platform),
            _ => None,
        };
        known.map_or_else(Values::unknown, Values::from)
    }

    /// The method of the configuration that a call on a value means.
    pub(crate) fn method_of(&self, receiver: Value, name: Ident) -> Option<MethodId> {
        let module = match receiver {
            Value::Module { module, .. } | Value::Form(module) => Some(module),
            Value::Manager { object, .. } => self.owned_module(object, ModuleKind::ManagerModule),
            Value::Instance { object, aspect, .. } => aspect.module().and_then(|kind| self.owned_module(object, kind)),
            _ => None,
        };
        self.exported_method(module?, name)
    }

    /// What a method of the platform gives, called on a value.
    pub(crate) fn given_by(&self, receiver: Value, name: Ident) -> Option<Value> {
        let of = |object, holder, origin| {
            self.types.gives(holder, name).map(|aspect| Value::Instance { object, aspect, origin })
        };
        match receiver {
            Value::Manager { object, origin } => of(object, Holder::Manager, origin),
            Value::Instance { object, aspect, origin } => of(object, Holder::Instance(aspect), origin),
            Value::Platform(t) => self.types.member(t, name).map(Value::Platform),
            Value::Collection(kind) => {
                self.types.of_collection(kind).and_then(|t| self.types.member(t, name)).map(Value::Platform)
            }
            _ => None,
        }
    }
}
