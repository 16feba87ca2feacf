//! What metadata says of values: types of attributes of objects and forms, and who subscribes to an object's events.

use metadata::names::Expander;
use metadata::{Configuration, Details, Form, FormAttribute, Types};
use serde::{Deserialize, Serialize};
use std::sync::LazyLock;

use super::layers::main_first;
use super::reads::{Marks, Table, part};
use super::{MethodId, World};
use crate::names::{Ident, same};
use crate::types::lines;
use crate::value::{Aspect, Origin, Value, Values};

/// Events of a form whose handler is given the form's object, and which parameter it is.
static OBJECT_PARAMETERS: LazyLock<Vec<(&'static str, u16)>> = LazyLock::new(|| {
    let row = |line: &'static str| {
        let (event, parameter) = line.split_once('\t')?;
        Some((event, parameter.parse().ok()?))
    };
    lines(include_str!("../../data/form_object_parameters.tsv")).filter_map(row).collect()
});

/// Types of attributes by owner, and subscribers by object.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Attributes {
    /// Owner (node of an object, a tabular section or a form) and name -> what it may hold. Only what a call or a property can
    /// be resolved by.
    values: Table<{ part::ATTRIBUTES }, (u32, Ident), Box<Values>>,
    /// Form and name of an item that shows rows -> what a row is.
    shown: Table<{ part::SHOWN }, (u32, Ident), Box<Values>>,
    handlers: Handlers,
}

/// Methods that handle events.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Handlers {
    /// Node of a method that handles an event, and number of a parameter -> what the platform gives it.
    handled: Table<{ part::HANDLED }, (u32, u16), Box<Values>>,
    /// Node of an object -> events (English) and handlers of subscriptions.
    subscribers: Table<{ part::SUBSCRIBERS }, u32, Vec<(metadata::Text, MethodId)>>,
}

/// The name under which what a defined type stands for is kept.
pub(crate) const DEFINED: &str = "Type";
/// The field of a tabular section that holds its object.
const REF: [&str; 2] = ["Ссылка", "Ref"];

impl Attributes {
    /// What they hold: metadata alone decides on that.
    pub(super) fn of_metadata(world: &mut World, configuration: &Configuration) -> Self {
        let mut attributes = Self::default();
        let expander = Expander::new(configuration);
        for object in main_first(&configuration.objects, |object| &object.full_name) {
            let Some(node) = world.find(&object.full_name) else { continue };
            if object.kind.is("DefinedType")
                && let Some(values) = values_of(world, &expander, &object.types)
            {
                attributes.add(world, node, DEFINED, values);
            }
            for item in &object.items {
                let holder = match item.parent.and_then(|parent| object.items.get(parent as usize)) {
                    Some(section) => world.find(&section.full_name),
                    None => Some(node),
                };
                let values = match item.kind.is("TabularSection") {
                    true => world.find(&item.full_name).map(rows_of),
                    false => values_of(world, &expander, &item.types),
                };
                if item.kind.is("TabularSection")
                    && object.kind.type_ending("Ref").is_some()
                    && let Some(section) = world.find(&item.full_name)
                {
                    // A query reaches the section's object by it.
                    let owner = Value::Instance { object: node, aspect: Aspect::Ref, origin: Origin::Inferred };
                    REF.into_iter().for_each(|name| attributes.add(world, section, name, owner.into()));
                }
                let Some((holder, values)) = holder.zip(values) else { continue };
                for name in std::iter::once(&item.name).chain(&item.name_ru) {
                    attributes.add(world, holder, name, values);
                }
            }
        }
        for form in main_first(&configuration.forms, |form| &form.full_name) {
            let Some(node) = world.find(&form.full_name) else { continue };
            for attribute in &form.attributes {
                if let Some(values) = values_of(world, &expander, &attribute.types) {
                    attributes.add(world, node, &attribute.name, values);
                }
                attributes.add_columns(world, &expander, node, form, attribute);
            }
            attributes.add_shown(world, node, form);
        }
        attributes
    }

    /// The methods that handle events, and what the platform gives them.
    pub(super) fn handlers(&self, world: &World, configuration: &Configuration) -> Handlers {
        let mut handlers = Handlers::default();
        for form in main_first(&configuration.forms, |form| &form.full_name) {
            if let Some(node) = world.find(&form.full_name) {
                handlers.add(self, world, node, form);
            }
        }
        handlers.subscribe(world, configuration, &Expander::new(configuration));
        handlers
    }

    /// Puts them in.
    pub(super) fn set_handlers(&mut self, handlers: Handlers) {
        self.handlers = handlers;
    }

    fn add(&mut self, world: &mut World, owner: u32, name: &str, values: Values) {
        let ident = Ident(world.idents.intern(name));
        // An attribute that an extension adds is one of the object that it extends.
        if let Some(base) = world.layers().base(owner) {
            self.values.entry((base, ident)).or_insert_with(|| Box::new(values));
        }
        self.values.insert((owner, ident), Box::new(values));
    }

    /// A table or a tree of a form: what its own columns may hold. One with nothing to follow in them stays unknown.
    fn add_columns(
        &mut self,
        world: &mut World,
        expander: &Expander<'_>,
        node: u32,
        form: &Form,
        attribute: &FormAttribute,
    ) {
        let own = attribute.columns.iter().filter(|column| column.table.is_empty());
        let held: Vec<_> =
            own.filter_map(|column| Some((column, values_of(world, expander, &column.types)?))).collect();
        if held.is_empty() {
            return;
        }
        let table = world.names.intern(&format!("{}.Attribute.{}", form.full_name, attribute.name));
        self.add(world, node, &attribute.name, rows_of(table));
        for (column, values) in held {
            self.add(world, table, &column.name, values);
        }
    }

    /// What the rows are that tables of a form show: of tabular sections, of the main tables of dynamic lists.
    fn add_shown(&mut self, world: &mut World, node: u32, form: &Form) {
        for item in form.items.iter().filter(|item| &*item.kind == "Table") {
            let mut path = item.data_path.split('.');
            let Some(root) = path.next().filter(|root| !root.is_empty()) else { continue };
            let Some(attribute) = form.attributes.iter().find(|one| same(&one.name, root)) else { continue };
            let listed = attribute.dynamic_list.as_ref().filter(|list| !list.main_table.is_empty());
            let first = match listed {
                Some(list) => world.find(&list.main_table).map(rows_of),
                None => world.ident(root).and_then(|root| self.get(node, root)),
            };
            let mut rows = first.unwrap_or_default();
            for step in path {
                let mut next = Values::default();
                for value in rows.iter() {
                    let Value::Instance { object, .. } = value else { continue };
                    if let Some(values) = world.ident(step).and_then(|step| self.get(object, step)) {
                        next.join(&values);
                    }
                }
                rows = next;
            }
            if listed.is_some() || rows.iter().any(|row| matches!(row, Value::Instance { aspect: Aspect::Rows, .. })) {
                let name = Ident(world.idents.intern(&item.name));
                self.shown.insert((node, name), Box::new(rows));
            }
        }
    }

    pub(super) fn mark(&self, marks: &mut Marks<'_>) {
        let Self { values, shown, handlers: Handlers { handled, subscribers } } = self;
        marks.table(values);
        marks.table(shown);
        marks.table(handled);
        marks.table(subscribers);
    }

    pub(super) fn get(&self, owner: u32, name: Ident) -> Option<Values> {
        self.values.get(&(owner, name)).map(|values| **values)
    }

    /// What a row is that an item of a form shows.
    pub(super) fn shown(&self, form: u32, item: Ident) -> Option<Values> {
        self.shown.get(&(form, item)).map(|values| **values)
    }

    /// What the platform gives to a parameter of a method that handles an event.
    pub(super) fn handled(&self, method: u32, parameter: u16) -> Option<Values> {
        self.handlers.handled.get(&(method, parameter)).map(|values| **values)
    }

    pub(super) fn subscribers(&self, object: u32, event: &str) -> impl Iterator<Item = MethodId> {
        let all = self.handlers.subscribers.get(&object).map_or(&[][..], Vec::as_slice);
        all.iter().filter(move |(known, _)| **known == *event).map(|(_, handler)| *handler)
    }
}

impl Handlers {
    /// The object that the platform gives to handlers of a form's events.
    fn add(&mut self, attributes: &Attributes, world: &World, node: u32, form: &Form) {
        let Some(module) = world.form_module(node) else { return };
        let main = form.main_attribute().and_then(|main| attributes.get(node, world.ident(&main.name)?));
        let Some(values) = main else { return };
        for event in &form.events {
            let Some(&(_, parameter)) = OBJECT_PARAMETERS.iter().find(|(name, _)| *name == &*event.event) else {
                continue;
            };
            let method = world.ident(&event.handler).and_then(|name| world.own_method(module, name));
            if let Some(method) = method {
                self.handled.insert((world.method(method).node, parameter), Box::new(values));
            }
        }
    }

    fn subscribe(&mut self, world: &World, configuration: &Configuration, expander: &Expander<'_>) {
        for object in &configuration.objects {
            let Details::EventSubscription { event, handler, .. } = &object.details else { continue };
            let Some(handler) = handler_of(world, handler) else { continue };
            // The first parameter is the source.
            if let Some(values) = values_of(world, expander, &object.types).filter(|values| !values.open) {
                self.handled.insert((world.method(handler).node, 0), Box::new(values));
            }
            for source in expander.objects(&object.types) {
                if let Some(node) = world.find(&source.full_name) {
                    self.subscribers.entry(node).or_default().push((event.clone(), handler));
                }
            }
        }
    }
}

/// A thing with the fields of a tabular section or of an object.
fn rows_of(object: u32) -> Values {
    Value::Instance { object, aspect: Aspect::Rows, origin: Origin::Inferred }.into()
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
            Some(value @ Value::Platform(of)) if world.is_constants_set(of) => values.add(value),
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
    let followed = values.iter().any(|value| !matches!(value, Value::Undefined));
    // One of very many is as good as unknown.
    (followed && !(values.is_full() && values.open)).then_some(values)
}
