//! Rows of everything beside objects: files, problems, forms, roles, predefined items, subscriptions, jobs, templates.

use super::names::{Name, NameTable};
use super::objects::{language, types_text};
use super::queries::{self, QueryRows};
use super::rows::{Cell, Rows, Table};
use super::sources::{format_word, kind_word};
use super::writer::Message;
use crate::Result;
use bsl::query::QueryFacts;
use bsl::restriction::{Effective, Limits, Verdict, expand};
use graph::refs::metadata::{BaseRoles, is_english, table_name};
use graph::world::layers::without_layer;
use metadata::names::Expander;
use metadata::{
    Configuration, Details, DynamicList, Form, Handler, Language, LayerId, LayerKind, Object, ObjectRights,
    ProblemKind, Right, Role,
};
use rayon::prelude::*;

/// Sends the rows.
pub(crate) fn write(
    configuration: &Configuration,
    names: &mut NameTable<'_>,
    send: &mut dyn FnMut(Message) -> Result<()>,
) -> Result<()> {
    send(Message::Rows(files(configuration)))?;
    let language = language(configuration);
    let queries: Vec<_> = configuration.forms.par_iter().map(queries::of_form).collect();
    for (form, queries) in configuration.forms.iter().zip(queries) {
        let layer = configuration.layer_of(form.file);
        let mut rows = form_rows(form, layer, language, names);
        rows.extend(query_rows(names.id(&form.full_name), queries));
        send(Message::Rows(rows))?;
    }
    let english = is_english(configuration);
    let bases = BaseRoles::of(configuration);
    let restrictions: Vec<_> = configuration.roles.par_iter().map(|role| effective(role, &bases, english)).collect();
    for (role, restrictions) in configuration.roles.iter().zip(restrictions) {
        send(Message::Rows(role_rows(role, restrictions, names)))?;
    }
    send(Message::Rows(vec![
        predefined(configuration, names),
        templates(configuration, names),
        help_pages(configuration, names),
    ]))?;
    send(Message::Rows(details(configuration, names)))
}

fn files(configuration: &Configuration) -> Vec<Rows> {
    let text = |text: &str| Cell::Text(text.to_owned());
    let mut layers = Rows::new(Table::Layer);
    for (id, layer) in (0_u32..).zip(&configuration.layers) {
        let number = LayerId(u16::try_from(id).unwrap_or(u16::MAX));
        let stem = (layer.kind == LayerKind::External).then(|| stem(configuration, number)).flatten();
        layers.push([
            id.into(),
            text(&layer.name),
            text(kind_word(layer.kind)),
            text(&layer.root.to_string_lossy()),
            text(format_word(layer.format)),
            text(&layer.purpose),
            stem.map_or(Cell::Null, text),
        ]);
    }
    let mut files = Rows::new(Table::File);
    for (id, file) in (0_u32..).zip(&configuration.files).filter(|(_, file)| !file.path.is_empty()) {
        let size = Cell::Int(i64::try_from(file.size).unwrap_or(i64::MAX));
        files.push([id.into(), text(&file.path), size, Cell::Int(file.modified)]);
    }
    let mut problems = Rows::new(Table::Problem);
    for problem in &configuration.problems {
        let message = |language| text(&problem.kind.message(language));
        let (ru, en) = (message(Language::Russian), message(Language::English));
        problems.push([text(&problem.path), problem.line.into(), text(word_of(&problem.kind)), ru, en]);
    }
    vec![layers, files, problems]
}

/// What an external processor is found by: the path of its description without `.xml`, in a project of EDT its folder.
fn stem(configuration: &Configuration, id: LayerId) -> Option<&str> {
    let is_external = |object: &&Object| object.kind.is("ExternalDataProcessor") || object.kind.is("ExternalReport");
    let mut objects = configuration.objects.iter().filter(is_external);
    let described = objects.find(|object| configuration.layer_of(object.file) == id);
    let path = match described {
        Some(object) => without_layer(configuration.path(object.file)),
        // A description that can't be read: in a folder of its own stands everything else.
        None => {
            let files = configuration.files.iter().filter(|file| file.layer == id);
            let paths = files.map(|file| without_layer(&file.path));
            paths.filter(|path| path.ends_with(".mdo") || (path.ends_with(".xml") && !path.contains('/'))).min()?
        }
    };
    match path.strip_suffix(".xml") {
        Some(stem) => Some(stem),
        None => path.rsplit_once('/').map(|(folder, _)| folder),
    }
}

/// Kind of the problem of a module without source.
pub(crate) const PROTECTED: &str = "protected";

fn word_of(kind: &ProblemKind) -> &'static str {
    match kind {
        ProblemKind::Unreadable(_) => "unreadable",
        ProblemKind::Malformed(_) => "malformed",
        ProblemKind::UnexpectedRoot(_) => "unexpected_root",
        ProblemKind::UnknownKind(_) => "unknown_kind",
        ProblemKind::UnknownName(_) => "unknown_name",
        ProblemKind::MissingFile(_) => "missing_file",
        ProblemKind::Unlisted(_) => "unlisted",
        ProblemKind::NotReadYet(_) => "not_read_yet",
        ProblemKind::Container(_) => "container",
        ProblemKind::Protected(_) => PROTECTED,
    }
}

fn form_rows(form: &Form, layer: LayerId, language: &str, names: &mut NameTable<'_>) -> Vec<Rows> {
    let id = names.id(&form.full_name);
    let mut forms = Rows::new(Table::Form);
    let owner = form.owner.as_ref().map(|owner| names.id(owner));
    let file = Cell::from(form.content.unwrap_or(form.file).0);
    let name = Cell::Text(form.name.to_string());
    forms.push([id.into(), Cell::maybe(owner), name, Cell::Known(form.kind.as_str()), Cell::Int(layer.0.into()), file]);

    let mut items = Rows::new(Table::FormItem);
    let mut handlers = Handlers { form: id, rows: Rows::new(Table::FormHandler) };
    handlers.add(None, &form.events);
    for (number, item) in (0_u32..).zip(&form.items) {
        items.push([
            id.into(),
            number.into(),
            Cell::Text(item.name.to_string()),
            Cell::word(&item.kind),
            Cell::maybe(item.parent),
            Cell::shared(&item.data_path),
            Cell::shared(item.title.get(language)),
            Cell::word(&item.command),
            item.line.into(),
        ]);
        handlers.add(Some(&item.name), &item.events);
    }
    let mut attributes = Rows::new(Table::FormAttribute);
    for (number, attribute) in (0_u32..).zip(&form.attributes) {
        let list = attribute.dynamic_list.as_ref();
        let table = list.filter(|list| !list.main_table.is_empty()).map(|list| names.id(&list.main_table));
        attributes.push([
            id.into(),
            number.into(),
            Cell::Text(attribute.name.to_string()),
            Cell::shared(&types_text(&attribute.types)),
            attribute.is_main.into(),
            list.map_or(Cell::Null, |list| Cell::shared(&list.query)),
            Cell::maybe(table),
        ]);
    }
    let mut commands = Rows::new(Table::FormCommand);
    let mut number = 0_u32;
    for command in &form.commands {
        let actions = command.actions.iter().map(Some);
        let none = command.actions.is_empty().then_some(None);
        for action in actions.chain(none) {
            let (name, title) = (Cell::Text(command.name.to_string()), Cell::shared(command.title.get(language)));
            let call_type = action.map_or(Cell::Null, |action| Cell::word(&action.call_type));
            let action = action.map_or(Cell::Null, |action| Cell::Text(action.handler.to_string()));
            commands.push([id.into(), number.into(), name, title, action, call_type]);
            number += 1;
        }
    }
    vec![forms, items, handlers.rows, attributes, commands]
}

/// Queries of dynamic lists: the form owns them.
fn query_rows(form: Name, read: Vec<(&DynamicList, QueryFacts)>) -> [Rows; 3] {
    let mut rows = QueryRows::new();
    for (list, facts) in read {
        let before = list.query_line.saturating_sub(1);
        rows.add(form, list.query_line, &list.query, &facts, |place| before + place.line);
    }
    rows.finish()
}

struct Handlers {
    form: Name,
    rows: Rows,
}

impl Handlers {
    fn add(&mut self, element: Option<&str>, events: &[Handler]) {
        for event in events {
            let number = u32::try_from(self.rows.len()).unwrap_or(u32::MAX);
            self.rows.push([
                self.form.into(),
                number.into(),
                element.map_or(Cell::Null, |element| Cell::Text(element.to_owned())),
                Cell::word(&event.event),
                Cell::Text(event.handler.to_string()),
                event.line.into(),
                Cell::word(&event.call_type),
            ]);
        }
    }
}

/// The property of a role that has every right that its file doesn't deny.
pub(crate) const SET_FOR_NEW_OBJECTS: &str = "SetForNewObjects";

/// What each restriction of a role comes to, in the order of the file.
fn effective<'c>(role: &'c Role, bases: &BaseRoles<'c>, english: bool) -> Vec<Effective> {
    let templates = bases.templates(role).read();
    let of_object = |object: &ObjectRights| {
        let table = table_name(&object.object, english);
        let of_right = |right: &Right| {
            let limits = Limits { table: &table, right: Some(&right.name), english };
            right.restrictions.iter().map(|one| expand(&one.condition, &templates, limits)).collect::<Vec<_>>()
        };
        object.rights.iter().flat_map(of_right).collect::<Vec<_>>()
    };
    role.objects.iter().flat_map(of_object).collect()
}

fn role_rows(role: &Role, effective: Vec<Effective>, names: &mut NameTable<'_>) -> Vec<Rows> {
    let mut effective = effective.into_iter();
    let id = names.id(&role.full_name);
    let mut rights = Rows::new(Table::RoleRight);
    let mut restrictions = Rows::new(Table::Restriction);
    let mut properties = Rows::new(Table::Property);
    if role.set_for_new_objects {
        // The file lists then what the role may not: all other rights it has.
        properties.push([id.into(), Cell::Known(SET_FOR_NEW_OBJECTS), Cell::shared("true")]);
    }
    let mut seen = rustc_hash::FxHashSet::default();
    for object in &role.objects {
        let target = names.id(&object.object);
        for right in &object.rights {
            // A damaged file may give a right twice: the first one counts.
            if seen.insert((target, &*right.name)) {
                rights.push([id.into(), target.into(), Cell::word(&right.name), right.value.into()]);
            }
            for restriction in &right.restrictions {
                let template = template_of(&restriction.condition);
                let none = restriction.fields.is_empty().then_some("");
                let (text, lets) = effective.next().map_or((Cell::Null, Cell::Null), |one| {
                    let lets = match one.verdict {
                        Verdict::All => "all",
                        Verdict::None => "none",
                        Verdict::Some => "some",
                    };
                    (Cell::Shared(one.text.into()), Cell::Known(lets))
                });
                for field in restriction.fields.iter().map(|field| &**field).chain(none) {
                    restrictions.push([
                        id.into(),
                        target.into(),
                        Cell::word(&right.name),
                        Cell::text(field),
                        Cell::shared(&restriction.condition),
                        Cell::text(template),
                        restriction.line.into(),
                        role.file.0.into(),
                        text.clone(),
                        lets.clone(),
                    ]);
                }
            }
        }
    }
    for template in &role.templates {
        restrictions.push([
            id.into(),
            Cell::Null,
            Cell::Null,
            Cell::Null,
            Cell::shared(&template.condition),
            Cell::Text(template.name.to_string()),
            template.line.into(),
            role.file.0.into(),
            Cell::Null,
            Cell::Null,
        ]);
    }
    vec![rights, restrictions, properties]
}

/// The template that a condition calls (`#Name(…)`), empty if none.
fn template_of(condition: &str) -> &str {
    let Some((_, rest)) = condition.split_once('#') else { return "" };
    let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
    let name = &rest[..end];
    // Directives of the preprocessor begin in the same way.
    if bsl::query::is_directive(name) { template_of(&rest[end..]) } else { name }
}

fn predefined(configuration: &Configuration, names: &mut NameTable<'_>) -> Rows {
    let mut rows = Rows::new(Table::PredefinedItem);
    let mut last = (None, 0);
    for item in &configuration.predefined {
        let owner = names.id(&item.owner);
        last = (Some(owner), if last.0 == Some(owner) { last.1 + 1 } else { 1_u32 });
        let parent = item.parent.and_then(|place| configuration.predefined.get(place as usize));
        rows.push([
            owner.into(),
            Cell::Text(item.name.to_string()),
            Cell::text(&item.code),
            Cell::text(&item.description),
            last.1.into(),
            parent.map_or(Cell::Null, |parent| Cell::Text(parent.name.to_string())),
        ]);
    }
    rows
}

fn templates(configuration: &Configuration, names: &mut NameTable<'_>) -> Rows {
    let mut rows = Rows::new(Table::Template);
    for template in &configuration.templates {
        let owner = template.owner.as_ref().map(|owner| names.id(owner));
        let file = template.content.unwrap_or(template.file).0;
        let id = names.id(&template.full_name);
        rows.push([id.into(), Cell::maybe(owner), Cell::Known(template.kind.as_str()), file.into()]);
    }
    rows
}

fn help_pages(configuration: &Configuration, names: &mut NameTable<'_>) -> Rows {
    let mut rows = Rows::new(Table::HelpPage);
    for page in &configuration.help_pages {
        rows.push([names.id(&page.owner).into(), Cell::Word(page.language.clone()), page.file.0.into()]);
    }
    rows
}

/// Subscriptions with their sources, jobs, movements of documents.
fn details(configuration: &Configuration, names: &mut NameTable<'_>) -> Vec<Rows> {
    let mut subscriptions = Rows::new(Table::Subscription);
    let mut sources = Rows::new(Table::SubscriptionSource);
    let mut jobs = Rows::new(Table::Job);
    let mut movements = Rows::new(Table::Movement);
    let expander = Expander::new(configuration);
    for object in &configuration.objects {
        let id = names.id(&object.full_name);
        let mut method = |name: &str| Cell::maybe((!name.is_empty()).then(|| names.method(name)));
        match &object.details {
            Details::EventSubscription { event, handler, .. } => {
                subscriptions.push([id.into(), Cell::word(event), method(handler)]);
                for source in expander.objects(&object.types) {
                    sources.push([id.into(), names.id(&source.full_name).into()]);
                }
            }
            Details::ScheduledJob { method: name, enabled, predefined, schedule, .. } => {
                jobs.push([id.into(), method(name), (*enabled).into(), (*predefined).into(), Cell::text(schedule)]);
            }
            _ => {}
        }
        if object.kind.is("Document") {
            for link in object.linked("RegisterRecords") {
                movements.push([id.into(), names.id(&link.target).into(), Cell::Known("metadata")]);
            }
        }
    }
    vec![subscriptions, sources, jobs, movements]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_template_of_a_restriction() {
        assert_eq!(template_of("#ДляОбъекта(\"Владелец\")"), "ДляОбъекта");
        assert_eq!(template_of("#Если &А #Тогда\n#ПоЗначениям(\"\", \"\")\n#КонецЕсли"), "ПоЗначениям");
        assert_eq!(template_of("ГДЕ ИСТИНА"), "");
    }
}
