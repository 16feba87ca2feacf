//! Properties and types of objects, and lists of them.

use super::{Place, Push, Thing, is_full_name, top, with_object};
use crate::impact::rules::link_kind;
use crate::refs::fields::Fields;
use crate::world::layers::with_layer;
use metadata::names::object_of_type;
use metadata::{Configuration, ConfigurationProperties, Details, FileId, Link, Object, Types};

pub(super) fn all(fields: Fields<'_>, configuration: &Configuration, push: &mut Push<'_>) {
    of_configuration(configuration, push);
    for object in &configuration.objects {
        of_object(fields, object, push);
    }
    for command in &configuration.commands {
        types(fields, &command.parameter_types, &command.full_name, command.file, command.line, "metadata_type", push);
        for link in &command.links {
            let kind = link_kind(&link.property, "CommonCommand");
            let (target, source) = (Thing::Named(&link.target), &*command.full_name);
            with_object(Place { target, source, kind, file: command.file, line: link.line }, push);
        }
    }
    for flowchart in &configuration.flowcharts {
        for link in &flowchart.links {
            let kind = link_kind(&link.property, "BusinessProcess");
            let (target, source) = (Thing::Named(&link.target), &*flowchart.owner);
            with_object(Place { target, source, kind, file: flowchart.file, line: link.line }, push);
        }
    }
    for content in &configuration.exchange_plan_content {
        push(Place {
            target: Thing::Named(&content.object),
            source: &content.plan,
            kind: "exchange_plan_content",
            file: content.file,
            line: content.line,
        });
    }
    for item in &configuration.predefined {
        let source = crate::world::parts::predefined_name(&item.owner, &item.name);
        types(fields, &item.types, &source, item.file, item.line, "predefined", push);
        for link in &item.links {
            let target = Thing::Named(&link.target);
            with_object(Place { target, source: &source, kind: "predefined", file: item.file, line: link.line }, push);
        }
    }
    for link in &configuration.interface_links {
        let kind = if &*link.section == "HomePage" { "home_page" } else { "command_interface" };
        let target = Thing::Named(&link.target);
        with_object(Place { target, source: &link.owner, kind, file: link.file, line: link.line }, push);
    }
}

fn of_configuration(configuration: &Configuration, push: &mut Push<'_>) {
    let first = configuration.layers.first().map_or("", |layer| &layer.name);
    let others = configuration.layers.iter().skip(1).map(|layer| (&*layer.name, &layer.properties));
    for (layer, properties) in std::iter::once((first, &configuration.properties)).chain(others) {
        of_layer(configuration, layer, properties, push);
    }
}

fn of_layer(configuration: &Configuration, layer: &str, properties: &ConfigurationProperties, push: &mut Push<'_>) {
    let Some(file) = properties.file else { return };
    let source = &*with_layer(layer, "Configuration");
    for (name, line) in &properties.listed {
        let place =
            |name| Place { target: Thing::Named(name), source, kind: "configuration_childobjects", file, line: *line };
        push(place(name));
        // What an extension adopted is the base's object.
        if let Some(base) = configuration.base_of(name) {
            push(place(&base.full_name));
        }
    }
    for link in &properties.links {
        let kind = link_kind(&link.property, "Configuration");
        with_object(Place { target: Thing::Named(&link.target), source, kind, file, line: link.line }, push);
    }
}

fn of_object(fields: Fields<'_>, object: &Object, push: &mut Push<'_>) {
    let kind = match object.kind.en() {
        "DefinedType" => "defined_type",
        "EventSubscription" => "event_subscription_source",
        _ => "metadata_type",
    };
    types(fields, &object.types, &object.full_name, object.file, object.line, kind, push);
    for item in &object.items {
        // Standard attributes have the types that the platform gives them.
        if !item.kind.is("StandardAttribute") {
            let file = item.file.unwrap_or(object.file);
            types(fields, &item.types, &item.full_name, file, item.line, "metadata_type", push);
        }
    }
    for link in &object.links {
        of_link(object, link, push);
    }
    // The method is an edge of the graph; its module is named, too.
    let handler = match &object.details {
        Details::EventSubscription { handler, handler_line, .. } => Some((handler, *handler_line)),
        Details::ScheduledJob { method, method_line, .. } => Some((method, *method_line)),
        _ => None,
    };
    if let Some((method, line)) = handler.filter(|(method, _)| is_full_name(method)) {
        let (target, source) = (Thing::Named(top(method)), &*object.full_name);
        push(Place { target, source, kind: "metadata_property", file: object.file, line });
    }
}

fn of_link(object: &Object, link: &Link, push: &mut Push<'_>) {
    let item = link.item.and_then(|place| object.items.get(place as usize));
    let source = item.map_or(&*object.full_name, |item| &*item.full_name);
    let file = item.and_then(|item| item.file).unwrap_or(object.file);
    let kind = link_kind(&link.property, object.kind.en());
    let place = Place { target: Thing::Named(&link.target), source, kind, file, line: link.line };
    // Characteristics name the object's own tables and fields, too.
    if top(&link.target) == &*object.full_name && &*link.target != top(&link.target) {
        push(place);
    } else {
        with_object(place, push);
    }
}

/// References by types: `CatalogRef.X` refers to `Catalog.X`. A whole kind refers to nothing.
pub(super) fn types(
    fields: Fields<'_>,
    types: &Types,
    source: &str,
    file: FileId,
    line: u32,
    kind: &'static str,
    push: &mut Push<'_>,
) {
    for t in types.iter() {
        let Some((of, Some(own))) = object_of_type(&t.name) else { continue };
        // Types bear no layer: an extension's own object is found all the same.
        let target =
            fields.object(of, own).map_or_else(|| format!("{of}.{own}"), |node| fields.world.name(node).to_owned());
        let kind = if of.is("DefinedType") && kind == "metadata_type" { "defined_type" } else { kind };
        let line = if t.line > 0 { t.line } else { line };
        push(Place { target: Thing::Named(&target), source, kind, file, line });
    }
}
