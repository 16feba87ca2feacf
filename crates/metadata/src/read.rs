//! Reading a dump: lists its files, reads them in parallel, puts the pieces together.

use crate::assemble::assemble;
use crate::container::is_container;
use crate::designer::{
    Context, description, exchange_plan, flowchart, form, interface, ordinary_form, predefined, rights, schedule,
    schema, spreadsheet, template,
};
use crate::detect::{Detected, ReadError};
use crate::edt;
use crate::intern::Texts;
use crate::join::join;
use crate::layers::detect_layers;
use crate::listing::{Known, Listing};
use crate::model::configuration::{Configuration, Format};
use crate::model::form::Form;
use crate::model::module::ModuleKind;
use crate::model::object::{
    ExchangePlanContent, Flowchart, InterfaceLink, Link, Object, Predefined, SchemaExpression, TemplateKind,
    TemplatePart,
};
use crate::model::problem::{Problem, ProblemKind};
use crate::model::role::Role;
use crate::model::support::Support;
use crate::model::{FileId, Text};
use crate::place::{Layout, Part, Place};
use crate::source::{SourceError, uncover};
use crate::support;
use rayon::prelude::*;
use std::fs;
use std::io::Read;
use std::path::Path;

/// Reads the dump at a path: see [`detect`](crate::detect()) for the paths that are understood.
///
/// # Errors
/// Only if no dump is found. What can't be read within a dump stands in [`Configuration::problems`].
pub fn read(path: &Path) -> Result<Configuration, ReadError> {
    read_layers(detect_layers(path, &[], &[])?)
}

/// Reads several dumps and joins them: see [`detect_layers`].
///
/// # Errors
/// If the folder of one of them can't be listed.
pub fn read_layers(layers: Vec<Detected>) -> Result<Configuration, ReadError> {
    layers.into_iter().map(read_dump).collect::<Result<Vec<_>, _>>().map(join)
}

/// Reads one dump, whose names have no layer yet.
fn read_dump(detected: Detected) -> Result<Configuration, ReadError> {
    let Listing { files, folders, problems } = detected.files(&Known::default())?;
    let texts = Texts::default();
    let layout = match &detected.external {
        Some(external) if external.prefix.is_none() => Layout::Hierarchical,
        Some(_) => Layout::Other,
        None => Layout::of(files.iter().map(|file| &*file.path)),
    };
    let pieces: Vec<Piece> = files
        .par_iter()
        .enumerate()
        .map(|(i, file)| {
            let id = FileId(u32::try_from(i).unwrap_or(u32::MAX));
            let bytes = Bytes::Below(&detected.root);
            read_file(
                detected.format,
                layout,
                &detected.place_path(&file.path),
                &bytes,
                context(&texts, id, &file.path),
            )
        })
        .collect();
    Ok(Configuration { folders, ..assemble(detected, files, problems, pieces) })
}

/// What one file gives.
#[derive(Debug, Default)]
pub(crate) struct Piece {
    pub contents: Vec<Content>,
    pub problems: Vec<Problem>,
}

/// What one file gives, by its format.
#[derive(Debug, Default)]
pub(crate) enum Content {
    /// Nothing for the model.
    #[default]
    None,
    /// A description, and the full name of what it describes.
    Description(Text, Box<description::Description>),
    /// A form's content.
    Form(Box<Form>),
    /// References of the form of that full name that stand in that file beside it.
    FormLinks(Text, FileId, Vec<Link>),
    /// An ordinary form's content, and the name of its module if it holds one.
    OrdinaryForm(Box<Form>, Option<Text>),
    /// Rights of a role.
    Role(Box<Role>),
    /// Predefined items.
    Predefined(Vec<Predefined>),
    /// Route of a business process.
    Flowchart(Flowchart),
    /// Content of an exchange plan.
    ExchangePlan(Vec<ExchangePlanContent>),
    /// Schedule of the job of that full name.
    Schedule(Text, Text),
    /// References of a command interface.
    Interface(Vec<InterfaceLink>),
    /// Content of the template of that full name.
    Template(Text, TemplateContent),
    /// A module: its name, owner and kind.
    Module(Text, Text, ModuleKind, FileId),
    /// Support by vendors.
    Support(Box<Support>),
    /// A page of help: owner and language.
    Help(Text, Text, FileId),
}

/// Content of a template.
#[derive(Debug)]
pub(crate) struct TemplateContent {
    /// What its root element tells.
    pub kind: Option<TemplateKind>,
    /// Expressions of a report schema.
    pub expressions: Vec<SchemaExpression>,
    /// Areas and parameters of a spreadsheet document.
    pub parts: Vec<TemplatePart>,
    /// The file.
    pub file: FileId,
}

/// Where the bytes of the file that is read are.
pub(crate) enum Bytes<'a> {
    /// Below that folder.
    Below(&'a Path),
    /// Here.
    Here(&'a [u8]),
}

/// What a reader of that file needs.
pub(crate) fn context<'a>(texts: &'a Texts, file: FileId, path: &Text) -> Context<'a> {
    Context { texts, file, path: path.clone(), problems: Vec::new() }
}

/// Reads the context's file; `path` is its path in a dump of that format and layout.
pub(crate) fn read_file(
    format: Format,
    layout: Layout,
    path: &str,
    bytes: &Bytes<'_>,
    mut context: Context<'_>,
) -> Piece {
    let place = match format {
        Format::Designer => Place::within(layout, path),
        Format::Edt => Place::of_edt(path),
    };
    let Some(place) = place else { return Piece::default() };
    let contents = match &place.part {
        Part::Description => read_description(format, &place, bytes, &mut context),
        Part::Content(path) => vec![read_content(format, &place, path, bytes, &mut context)],
    };
    let mut contents = contents;
    contents.iter_mut().for_each(Content::fit);
    Piece { contents, problems: context.problems }
}

impl Content {
    /// Gives back what lists have room for and don't need: there are hundreds of thousands of them.
    fn fit(&mut self) {
        match self {
            Self::Description(_, description) => description.object.iter_mut().for_each(Object::fit),
            Self::Form(form) | Self::OrdinaryForm(form, _) => form.fit(),
            _ => {}
        }
    }
}

fn read_description(format: Format, place: &Place<'_>, bytes: &Bytes<'_>, context: &mut Context<'_>) -> Vec<Content> {
    let Some(source) = source(bytes, context) else { return Vec::new() };
    if format == Format::Edt {
        return edt::describe(context, &source, place);
    }
    let name = context.text(&place.full_name());
    vec![Content::Description(name, Box::new(description::read(context, &source, place)))]
}

/// Reads a file beside a description; `path` is its name in a Designer dump.
fn read_content(
    format: Format,
    place: &Place<'_>,
    path: &str,
    bytes: &Bytes<'_>,
    context: &mut Context<'_>,
) -> Content {
    let file = context.file;
    let name = context.text(&place.full_name());
    let kind = place.kind().map_or("", |kind| kind.en());
    if let Some(module) = place.module() {
        let module_name = context.text(&place.module_name().unwrap_or_default());
        if crate::source::is_compiled(path) {
            context.problem(0, ProblemKind::Protected(module_name.clone()));
        }
        return Content::Module(module_name, name, module, file);
    }
    if let Some(page) = path.strip_prefix("Help/").and_then(|p| p.strip_suffix(".html")) {
        return if page.contains('/') { Content::None } else { Content::Help(name, context.text(page), file) };
    }
    match (kind, path) {
        ("Form" | "CommonForm", "Form.bin") => {
            let Some(bytes) = all(bytes, context) else { return Content::None };
            let mut form = Form::empty(name.clone(), None, context.text(""), file);
            let has_module = ordinary_form::read(context, &bytes, &mut form);
            form.content = Some(file);
            return Content::OrdinaryForm(Box::new(form), has_module.then_some(name));
        }
        // The same file in both formats.
        ("Configuration", support::FILE) => {
            let Some(source) = source(bytes, context) else { return Content::None };
            return Content::Support(Box::new(support::read(context, &source)));
        }
        ("Template" | "CommonTemplate", path) if path.starts_with("Template.") && !path.contains('/') => {
            let mut head = head(bytes, context);
            let contained = is_container(&head).then(|| contained(bytes, context)).flatten();
            if let Some(contained) = &contained {
                head.clone_from(contained);
            }
            let kind = template::by_root(&head);
            let whole = |context: &mut Context<'_>| match contained {
                Some(contained) => Some(text(contained, context)),
                None => source(bytes, context),
            };
            let mut content = TemplateContent { kind, expressions: Vec::new(), parts: Vec::new(), file };
            match kind {
                Some(TemplateKind::DataCompositionSchema) => {
                    content.expressions = whole(context).map_or_else(Vec::new, |s| schema::read(context, &s));
                }
                Some(TemplateKind::SpreadsheetDocument) => {
                    content.parts = whole(context).map_or_else(Vec::new, |s| spreadsheet::read(context, &s));
                }
                _ => {}
            }
            return Content::Template(name, content);
        }
        _ => {}
    }
    let is_form = kind == "Form" || kind == "CommonForm";
    let interface = interface::FILES.iter().find(|(file, _)| *file == path).filter(|_| !is_form);
    let is_edt = format == Format::Edt;
    let wanted = matches!(
        (kind, path),
        ("Form" | "CommonForm", "Form.xml")
            | ("Role", "Rights.xml")
            | ("BusinessProcess", "Flowchart.xml")
            | ("ScheduledJob", "Schedule.xml")
    ) || (!is_edt && matches!((kind, path), ("ExchangePlan", "Content.xml") | (_, "Predefined.xml")))
        || (is_edt && is_form && edt::is_part_of_form(path))
        || interface.is_some();
    if !wanted {
        return Content::None;
    }
    let Some(source) = source(bytes, context) else { return Content::None };
    if is_edt {
        return edt::content(context, &source, name, path);
    }
    if let Some((_, element)) = interface {
        return Content::Interface(interface::read(context, &source, element, &name));
    }
    match path {
        "Form.xml" => {
            let mut form = Form::empty(name, None, context.text(""), file);
            form::read(context, &source, &mut form);
            form.content = Some(file);
            Content::Form(Box::new(form))
        }
        "Rights.xml" => Content::Role(Box::new(rights::read(context, &source, name))),
        "Flowchart.xml" => Content::Flowchart(flowchart::read(context, &source, name)),
        "Content.xml" => Content::ExchangePlan(exchange_plan::read(context, &source, &name)),
        "Schedule.xml" => Content::Schedule(name, schedule::read(context, &source)),
        _ => Content::Predefined(predefined::read(context, &source, &name)),
    }
}

/// The text of the context's file. A file that isn't UTF-8 is read as far as it goes, and listed.
fn source(bytes: &Bytes<'_>, context: &mut Context<'_>) -> Option<String> {
    let bytes = all(bytes, context)?;
    Some(text(bytes, context))
}

/// The bytes of the context's file.
fn all(bytes: &Bytes<'_>, context: &mut Context<'_>) -> Option<Vec<u8>> {
    let read = match bytes {
        Bytes::Below(root) => fs::read(root.join(&*context.path)),
        Bytes::Here(bytes) => Ok(bytes.to_vec()),
    };
    read.map_err(|error| context.problem(0, ProblemKind::Unreadable(error.to_string().into()))).ok()
}

/// Bytes as text, as far as they are UTF-8; that they are not is listed.
fn text(bytes: Vec<u8>, context: &mut Context<'_>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| {
        let valid = error.utf8_error().valid_up_to();
        let before = error.as_bytes().get(..valid).unwrap_or_default();
        let line = memchr::memchr_iter(b'\n', before).count() + 1;
        context.problem(u32::try_from(line).unwrap_or(0), ProblemKind::Malformed("not UTF-8".into()));
        String::from_utf8_lossy(error.as_bytes()).into_owned()
    })
}

/// The content of a template that stands in a container. One that holds something else than XML, or is damaged, is a format
/// that isn't read.
fn contained(bytes: &Bytes<'_>, context: &mut Context<'_>) -> Option<Vec<u8>> {
    match uncover(all(bytes, context)?) {
        Ok(content) if !is_container(&content) => Some(content),
        Ok(_) => {
            context.problem(0, ProblemKind::NotReadYet("container without XML".into()));
            None
        }
        Err(SourceError::Container(error)) => {
            context.problem(0, ProblemKind::Container(error));
            None
        }
        Err(_) => None,
    }
}

/// The first bytes of the context's file.
fn head(bytes: &Bytes<'_>, context: &mut Context<'_>) -> Vec<u8> {
    let root = match bytes {
        Bytes::Below(root) => root,
        Bytes::Here(bytes) => return bytes.get(..template::HEAD).unwrap_or(bytes).to_vec(),
    };
    let limit = u64::try_from(template::HEAD).unwrap_or(u64::MAX);
    let mut head = Vec::new();
    let result = fs::File::open(root.join(&*context.path)).and_then(|f| f.take(limit).read_to_end(&mut head));
    if let Err(error) = result {
        context.problem(0, ProblemKind::Unreadable(error.to_string().into()));
    }
    head
}

/// The text of a page of help; None if its file can't be read.
#[must_use]
pub fn read_help(configuration: &Configuration, page: &crate::model::object::HelpPage) -> Option<String> {
    let bytes = fs::read(configuration.full_path(page.file)).ok()?;
    Some(crate::help::help_text(&String::from_utf8_lossy(&bytes)))
}
