//! Rows of references that metadata shows. Those of code come with their modules.

use super::names::{Name, NameTable};
use super::rows::{Cell, Rows, Table};
use super::writer::Message;
use crate::Result;
use graph::World;
use graph::refs::metadata::{Place, Thing, all, help, schema, text};
use graph::world::layers::with_layer;
use metadata::{Configuration, FileId, TemplateKind};
use rayon::prelude::*;
use std::borrow::Cow;
use std::path::PathBuf;

/// Longest template or page that is looked through, in bytes; what is longer is data.
const LONGEST: u64 = 32 << 20;

/// A reference on its way between threads.
struct Owned {
    target: Target,
    source: String,
    kind: &'static str,
    file: u32,
    line: u32,
}

enum Target {
    Node(u32),
    Named(String),
}

impl From<Place<'_>> for Owned {
    fn from(place: Place<'_>) -> Self {
        let target = match place.target {
            Thing::Node(node) => Target::Node(node),
            Thing::Named(name) => Target::Named(name.to_owned()),
        };
        let Place { source, kind, file, line, .. } = place;
        Self { target, source: source.to_owned(), kind, file: file.0, line }
    }
}

/// Sends the rows: each place once.
pub(crate) fn write(
    configuration: &Configuration,
    world: &World,
    names: &mut NameTable<'_>,
    send: &mut dyn FnMut(Message) -> Result<()>,
) -> Result<()> {
    let mut found: Vec<(Name, Name, &'static str, u32, u32)> = Vec::new();
    {
        let mut add = |place: Place<'_>| {
            let target = match place.target {
                Thing::Node(node) => Name(node),
                Thing::Named(name) => named(configuration, names, name, place.file.0),
            };
            found.push((target, names.id(place.source), place.kind, place.file.0, place.line));
        };
        all(world, configuration, &mut add);
    }
    let of_files = pages(configuration).into_iter().chain(templates(configuration, world));
    for one in of_files {
        let target = match one.target {
            Target::Node(node) => Name(node),
            Target::Named(name) => named(configuration, names, &name, one.file),
        };
        found.push((target, names.id(&one.source), one.kind, one.file, one.line));
    }
    found.sort_unstable();
    found.dedup();
    let mut rows = Rows::new(Table::Reference);
    for (target, source, kind, file, line) in found {
        rows.push([target.into(), source.into(), Cell::Known(kind), file.into(), line.into()]);
    }
    send(Message::Rows(vec![rows]))
}

/// The number of a name as a file writes it: of the main configuration, or of the file's own layer.
fn named(configuration: &Configuration, names: &mut NameTable<'_>, name: &str, file: u32) -> Name {
    let layer = configuration.layer(configuration.layer_of(FileId(file))).map_or("", |layer| &layer.name);
    let own = || names.known(&with_layer(layer, name));
    match names.known(name).or_else(own) {
        Some(id) => id,
        None => names.id(name),
    }
}

/// References of pages of help.
fn pages(configuration: &Configuration) -> Vec<Owned> {
    let of = |page: &metadata::HelpPage| {
        let mut found = Vec::new();
        let html = listed(configuration, page.file).and_then(|path| std::fs::read(path).ok());
        if let Some(html) = html {
            help(&page.owner, page.file, &String::from_utf8_lossy(&html), &mut |place| found.push(place.into()));
        }
        found
    };
    configuration.help_pages.par_iter().flat_map_iter(of).collect()
}

/// References of templates.
fn templates(configuration: &Configuration, world: &World) -> Vec<Owned> {
    let of = |template: &metadata::Template| {
        let mut found = Vec::new();
        let read = |file: FileId| Some((file, metadata::template_content(&listed(configuration, file)?).ok()?));
        let looked_at = matches!(
            template.kind,
            TemplateKind::DataCompositionSchema
                | TemplateKind::TextDocument
                | TemplateKind::SpreadsheetDocument
                | TemplateKind::AppearanceTemplate
                | TemplateKind::GraphicalSchema
        );
        let Some((file, bytes)) = template.content.filter(|_| looked_at).and_then(read) else { return found };
        let content: Cow<'_, str> = String::from_utf8_lossy(&bytes);
        let mut push = |place: Place<'_>| found.push(place.into());
        match template.kind {
            TemplateKind::DataCompositionSchema => schema(world, &template.full_name, file, &content, &mut push),
            _ => text(world, &template.full_name, file, &content, &mut push),
        }
        found
    };
    configuration.templates.par_iter().flat_map_iter(of).collect()
}

/// Where a file of the dump is; None if it is too long: then it is data. What can't be read is listed as a problem elsewhere.
fn listed(configuration: &Configuration, file: FileId) -> Option<PathBuf> {
    let listed = configuration.files.get(file.0 as usize)?;
    (listed.size <= LONGEST).then(|| configuration.full_path(file))
}
