//! What metadata says of values: types of attributes of objects and forms, and who subscribes to an object's events.

use metadata::names::Expander;
use metadata::{Configuration, Details, Types};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::layers::main_first;
use super::reads::{Marks, Table, part};
use super::{MethodId, World};
use crate::names::Ident;
use crate::value::{Aspect, Origin, Value, Values};

/// Types of attributes by owner, and subscribers by object.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Attributes {
    /// Owner (node of an object or form) and name -> what it may hold. Only what a call can be resolved by.
    values: FxHashMap<(u32, Ident), Box<Values>>,
    /// Node of an object -> events (English) and handlers of subscriptions.
    subscribers: Table<{ part::SUBSCRIBERS }, u32, Vec<(metadata::Text, MethodId)>>,
}

impl Attributes {
    pub(super) fn new(world: &mut World, configuration: &Configuration) -> Self {
        let mut attributes = Self::default();
        let expander = Expander::new(configuration);
        for object in main_first(&configuration.objects, |object| &object.full_name) {
            let Some(node) = world.find(&object.full_name) else { continue };
            for item in object.items.iter().filter(|item| item.parent.is_none()) {
                let Some(values) = values_of(world, &expander, &item.types) else { continue };
                for name in std::iter::once(&item.name).chain(&item.name_ru) {
                    attributes.add(world, node, name, values);
                }
            }
        }
        for form in main_first(&configuration.forms, |form| &form.full_name) {
            let Some(node) = world.find(&form.full_name) else { continue };
            for attribute in &form.attributes {
                if let Some(values) = values_of(world, &expander, &attribute.types) {
                    attributes.add(world, node, &attribute.name, values);
                }
            }
        }
        attributes.subscribe(world, configuration, &expander);
        attributes
    }

    fn add(&mut self, world: &mut World, owner: u32, name: &str, values: Values) {
        let ident = Ident(world.idents.intern(name));
        // An attribute that an extension adds is one of the object that it extends.
        if let Some(base) = world.layers().base(owner) {
            self.values.entry((base, ident)).or_insert_with(|| Box::new(values));
        }
        self.values.insert((owner, ident), Box::new(values));
    }

    fn subscribe(&mut self, world: &World, configuration: &Configuration, expander: &Expander<'_>) {
        for object in &configuration.objects {
            let Details::EventSubscription { event, handler, .. } = &object.details else { continue };
            let Some(handler) = handler_of(world, handler) else { continue };
            for source in expander.objects(&object.types) {
                if let Some(node) = world.find(&source.full_name) {
                    self.subscribers.entry(node).or_default().push((event.clone(), handler));
                }
            }
        }
    }

    /// What summaries decide on.
    pub(super) fn mark(&self, marks: &mut Marks<'_>) {
        let Self { values: _, subscribers } = self;
        marks.table(subscribers);
    }

    pub(super) fn get(&self, owner: u32, name: Ident) -> Option<Values> {
        self.values.get(&(owner, name)).map(|values| **values)
    }

    pub(super) fn subscribers(&self, object: u32, event: &str) -> impl Iterator<Item = MethodId> {
        let all = self.subscribers.get(&object).map_or(&[][..], Vec::as_slice);
        all.iter().filter(move |(known, _)| **known == *event).map(|(_, handler)| *handler)
    }
}

/// `CommonModule.X.Method` -> the method.
fn handler_of(world: &World, full_name: &str) -> Option<MethodId> {
    let (module, method) = full_name.rsplit_once('.')?;
    let module = world.common_module(world.ident(module.rsplit('.').next()?)?)?;
    world.own_method(module, world.ident(method)?)
}

/// What types stand for, as far as calls can be resolved by it: objects of the configuration.
fn values_of(world: &World, expander: &Expander<'_>, types: &Types) -> Option<Values> {
    let mut values = Values::default();
    for t in types.iter() {
        match world.value_of_type(&t.name) {
            Some(value @ (Value::Instance { .. } | Value::Manager { .. })) => values.add(value),
            Some(_) => values.open = true,
            None => {
                // A defined type, a characteristic, a whole kind: references to each.
                let objects = expander.objects(&Types(vec![t.clone()]));
                values.open |= objects.is_empty();
                for object in objects {
                    if object.kind.type_ending("Ref").is_none() {
                        values.open = true;
                        continue;
                    }
                    match world.find(&object.full_name) {
                        Some(object) => {
                            values.add(Value::Instance { object, aspect: Aspect::Ref, origin: Origin::Inferred })
                        }
                        None => values.open = true,
                    }
                    if values.is_full() {
                        break;
                    }
                }
            }
        }
    }
    let followed = values.iter().any(|value| matches!(value, Value::Instance { .. } | Value::Manager { .. }));
    // One of very many is as good as unknown.
    (followed && !(values.is_full() && values.open)).then_some(values)
}
