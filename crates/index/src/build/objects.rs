//! Objects and what they consist of: rows, and their full text.

use super::names::{Name, NameTable};
use super::rows::{Cell, Rows, Table};
use super::writer::Message;
use crate::Result;
use crate::text::{Document, Splitter};
use graph::world::layers::{with_layer, without_layer};
use metadata::names::may_be_platforms;
use metadata::{
    Configuration, ConfigurationProperties, FileId, Item, LayerKind, Link, Localized, Object, Property, SupportState,
    Text, Types,
};
use rustc_hash::FxHashMap;

/// Kinds of parts that are rows of the view `attributes`; parts of other kinds are objects with a parent.
const ATTRIBUTES: &[&str] = &[
    "Attribute",
    "Dimension",
    "Resource",
    "StandardAttribute",
    "EnumValue",
    "AddressingAttribute",
    "AccountingFlag",
    "ExtDimensionAccountingFlag",
    "Column",
    "Field",
];
/// Longest text of help that goes into the full text of one object, in bytes.
const LONGEST_HELP: usize = 64 << 10;

/// The language that texts are shown in: the configuration's default one.
pub(crate) fn language(configuration: &Configuration) -> &str {
    let default = crate::names::last_part(&configuration.properties.default_language);
    let code = configuration.properties.languages.iter().find(|(name, _)| &**name == default).map(|(_, code)| &**code);
    code.unwrap_or("ru")
}

/// Sends rows of objects, attributes, types, properties and links.
pub(crate) fn write(
    configuration: &Configuration,
    names: &mut NameTable<'_>,
    splitter: &mut Splitter,
    send: &mut dyn FnMut(Message) -> Result<()>,
) -> Result<()> {
    let mut rows = ObjectRows {
        configuration,
        language: language(configuration),
        subsystems: subsystems(configuration),
        names,
        objects: Rows::new(Table::Object),
        attributes: Rows::new(Table::Attribute),
        types: Rows::new(Table::TypeOf),
        properties: Rows::new(Table::Property),
        links: Rows::new(Table::Link),
    };
    rows.configurations(configuration);
    for object in &configuration.objects {
        rows.object(object);
    }
    rows.forms_and_the_like(configuration);
    for content in &configuration.exchange_plan_content {
        let value = Cell::Known(if content.auto_record { "Allow" } else { "Deny" });
        let (owner, target) = (rows.names.id(&content.plan), rows.names.id(&content.object));
        let property = Cell::Known("ExchangePlanContent");
        rows.links.push([owner.into(), property, target.into(), value, content.file.0.into(), content.line.into()]);
    }
    let ObjectRows { objects, attributes, types, properties, links, .. } = rows;
    send(Message::Rows(vec![objects, attributes, types, properties, links]))?;
    send(Message::Objects(texts(configuration, names, splitter)))
}

/// The innermost subsystem that holds each object; of several, the first by name.
fn subsystems(configuration: &Configuration) -> FxHashMap<&str, &str> {
    let mut found: FxHashMap<&str, &str> = FxHashMap::default();
    for subsystem in configuration.objects.iter().filter(|object| object.kind.is("Subsystem")) {
        for link in subsystem.linked("Content") {
            let deeper = |known: &&str| known.matches('.').count() >= subsystem.full_name.matches('.').count();
            if !found.get(&*link.target).is_some_and(deeper) {
                found.insert(&link.target, &subsystem.full_name);
            }
        }
    }
    found
}

struct ObjectRows<'a, 'n, 'w> {
    configuration: &'a Configuration,
    language: &'a str,
    subsystems: FxHashMap<&'a str, &'a str>,
    names: &'n mut NameTable<'w>,
    objects: Rows,
    attributes: Rows,
    types: Rows,
    properties: Rows,
    links: Rows,
}

/// A row of the table `object`, before its names are numbers.
struct Row<'a> {
    full_name: &'a str,
    kind: &'static str,
    name: &'a str,
    synonym: &'a Localized,
    comment: &'a str,
    parent: Option<&'a str>,
    uuid: &'a str,
    file: Option<FileId>,
    line: u32,
}

impl<'a> ObjectRows<'a, '_, '_> {
    fn row(&mut self, row: &Row<'_>) {
        let subsystem = self.subsystems.get(row.full_name).copied();
        let cells = [
            self.names.id(row.full_name).into(),
            Cell::Known(row.kind),
            Cell::Text(row.name.to_owned()),
            Cell::text(row.synonym.get(self.language)),
            Cell::text(row.comment),
            Cell::maybe(row.parent.map(|parent| self.names.id(parent))),
            Cell::maybe(subsystem.map(|subsystem| self.names.id(subsystem))),
            Cell::text(row.uuid),
            self.layer(row.file.unwrap_or(FileId(0))),
            self.support(row),
            Cell::maybe(row.file.map(|file| file.0)),
            row.line.into(),
        ];
        self.objects.push(cells);
    }

    /// Support by a vendor, which only a main configuration has.
    fn support(&self, row: &Row<'_>) -> Cell {
        let layer = self.configuration.layer(self.configuration.layer_of(row.file.unwrap_or(FileId(0))));
        let is_main = layer.is_some_and(|layer| layer.kind == LayerKind::Main);
        let state = if is_main { self.configuration.support.of(row.uuid) } else { SupportState::Own };
        Cell::Known(state.as_str())
    }

    /// The layer of what stands in a file.
    fn layer(&self, file: FileId) -> Cell {
        Cell::Int(self.configuration.layer_of(file).0.into())
    }

    fn configurations(&mut self, configuration: &Configuration) {
        for (place, layer) in configuration.layers.iter().enumerate() {
            let properties = if place == 0 { &configuration.properties } else { &layer.properties };
            if layer.kind != LayerKind::External {
                self.of_configuration(&with_layer(&layer.name, "Configuration"), properties);
            }
        }
    }

    fn of_configuration(&mut self, full_name: &str, properties: &ConfigurationProperties) {
        self.row(&Row {
            full_name,
            kind: "Configuration",
            name: &properties.name,
            synonym: &properties.synonym,
            comment: &properties.comment,
            parent: None,
            uuid: &properties.uuid,
            file: properties.file,
            line: 1,
        });
        let id = self.names.id(full_name);
        self.properties(id, &properties.all);
        for link in &properties.links {
            self.link(id, link, properties.file);
        }
    }

    fn object(&mut self, object: &'a Object) {
        self.row(&Row {
            full_name: &object.full_name,
            kind: object.kind.en(),
            name: &object.name,
            synonym: &object.synonym,
            comment: &object.comment,
            parent: object.parent.as_deref(),
            uuid: &object.uuid,
            file: Some(object.file),
            line: object.line,
        });
        let id = self.names.id(&object.full_name);
        self.types(id, &object.types);
        self.properties(id, &object.properties);
        for item in &object.items {
            self.item(object, id, item);
        }
        for link in &object.links {
            let item = link.item.and_then(|place| object.items.get(place as usize));
            let owner = item.map_or(id, |item| self.names.id(&item.full_name));
            self.link(owner, link, Some(item.and_then(|item| item.file).unwrap_or(object.file)));
        }
    }

    fn item(&mut self, object: &'a Object, object_id: Name, item: &'a Item) {
        let holder = item.parent.and_then(|place| object.items.get(place as usize));
        let id = self.names.id(&item.full_name);
        self.types(id, &item.types);
        if !ATTRIBUTES.contains(&item.kind.en()) {
            self.row(&Row {
                full_name: &item.full_name,
                kind: item.kind.en(),
                name: &item.name,
                synonym: &item.synonym,
                comment: &item.comment,
                parent: Some(holder.map_or(&object.full_name, |holder| &holder.full_name)),
                uuid: &item.uuid,
                file: Some(item.file.unwrap_or(object.file)),
                line: item.line,
            });
            // Templates of addresses, methods and handlers of services … What attributes say has columns of its own.
            self.properties(id, &item.properties);
            return;
        }
        let synonym = match &item.name_ru {
            Some(name) if item.synonym.is_empty() => &**name,
            _ => item.synonym.get(self.language),
        };
        self.attributes.push([
            id.into(),
            object_id.into(),
            Cell::maybe(holder.map(|holder| self.names.id(&holder.full_name))),
            Cell::Known(item.kind.en()),
            Cell::Text(item.name.to_string()),
            Cell::text(synonym),
            Cell::shared(&types_text(&item.types)),
            item.required.into(),
            Cell::word(&item.indexing),
            self.layer(item.file.unwrap_or(object.file)),
            item.line.into(),
        ]);
    }

    fn types(&mut self, owner: Name, types: &Types) {
        for t in types.iter() {
            self.types.push([owner.into(), Cell::word(&t.name), Cell::word(&t.qualifiers)]);
        }
    }

    fn properties(&mut self, owner: Name, properties: &[Property]) {
        for property in properties.iter().filter(|property| !property.value.is_empty()) {
            self.properties.push([owner.into(), Cell::word(&property.name), Cell::shared(&property.value)]);
        }
    }

    fn link(&mut self, owner: Name, link: &Link, file: Option<FileId>) {
        let target = match may_be_platforms(without_layer(&link.target)) {
            true => self.names.known(&link.target),
            false => Some(self.names.id(&link.target)),
        };
        let Some(target) = target else { return };
        self.links.push([
            owner.into(),
            Cell::word(&link.property),
            target.into(),
            Cell::word(&link.value),
            Cell::maybe(file.map(|file| file.0)),
            link.line.into(),
        ]);
    }

    /// Forms, commands and templates of objects; common ones are objects of the top level.
    fn forms_and_the_like(&mut self, configuration: &'a Configuration) {
        for form in &configuration.forms {
            self.part(
                "Form",
                &form.full_name,
                form.owner.as_ref(),
                &form.name,
                &form.uuid,
                &form.synonym,
                &form.comment,
                form.file,
            );
        }
        for command in &configuration.commands {
            let (name, owner) = (&command.full_name, command.owner.as_ref());
            self.part("Command", name, owner, &command.name, &command.uuid, &command.synonym, "", command.file);
        }
        for template in &configuration.templates {
            let (name, owner) = (&template.full_name, template.owner.as_ref());
            self.part("Template", name, owner, &template.name, &template.uuid, &template.synonym, "", template.file);
        }
    }

    #[expect(clippy::too_many_arguments, reason = "three kinds of parts share these fields and no type")]
    fn part(
        &mut self,
        kind: &'static str,
        full_name: &str,
        owner: Option<&Text>,
        name: &str,
        uuid: &str,
        synonym: &Localized,
        comment: &str,
        file: FileId,
    ) {
        if let Some(owner) = owner {
            let parent = Some(&**owner);
            self.row(&Row { full_name, kind, name, synonym, comment, parent, uuid, file: Some(file), line: 0 });
        }
    }
}

/// Types with their qualifiers, as people read them: `String(50), CatalogRef.X`.
pub(crate) fn types_text(types: &Types) -> String {
    let one = |t: &metadata::TypeRef| match t.qualifiers.is_empty() {
        true => t.name.to_string(),
        false => format!("{}({})", t.name, t.qualifiers),
    };
    types.iter().map(one).collect::<Vec<_>>().join(", ")
}

/// Full text of the objects of the top level: name; subsystem; synonym, comment, explanation; parts and help.
fn texts(configuration: &Configuration, names: &mut NameTable<'_>, splitter: &mut Splitter) -> Vec<(Name, Document)> {
    let language = language(configuration);
    let subsystems = subsystems(configuration);
    let mut help: FxHashMap<&str, Vec<&metadata::HelpPage>> = FxHashMap::default();
    for page in configuration.help_pages.iter().filter(|page| &*page.language == language) {
        help.entry(&page.owner).or_default().push(page);
    }
    let mut texts = Vec::new();
    for object in &configuration.objects {
        let mut document = Document::default();
        splitter.short(&object.name, &mut document.name);
        let subsystem = subsystems.get(&*object.full_name).copied().unwrap_or("");
        splitter.short(crate::names::last_part(subsystem), &mut document.owner);
        for text in [object.synonym.get(language), &object.comment, object.property("Explanation").unwrap_or("")] {
            splitter.short(text, &mut document.doc);
        }
        let mut body = String::new();
        for item in &object.items {
            body.push_str(&item.name);
            body.push(' ');
            body.push_str(item.synonym.get(language));
            body.push('\n');
        }
        for page in help.get(&*object.full_name).into_iter().flatten() {
            let text = metadata::read_help(configuration, page).unwrap_or_default();
            let end = (0..=LONGEST_HELP.min(text.len())).rev().find(|&end| text.is_char_boundary(end));
            body.push_str(text.get(..end.unwrap_or(0)).unwrap_or(""));
        }
        splitter.long(&body, &mut document.body);
        texts.push((names.id(&object.full_name), document));
    }
    texts
}
