//! Puts together what the files gave: contents join their descriptions, what its owner doesn't list is left out,
//! standard attributes follow from the whole.

use crate::designer::description::{Attached, Description};
use crate::designer::template;
use crate::detect::Detected;
use crate::kinds::fold;
use crate::model::configuration::{Configuration, ConfigurationProperties, SourceFile};
use crate::model::form::{Form, FormKind};
use crate::model::module::{Module, ModuleKind};
use crate::model::object::{Details, HelpPage, Link, ModuleFlags};
use crate::model::problem::{Problem, ProblemKind};
use crate::model::support::Support;
use crate::model::{FileId, Text};
use crate::read::{Content, Piece, TemplateContent};
use crate::standard::{self, Described};
use rustc_hash::{FxHashMap, FxHashSet};

/// Builds the configuration.
pub(crate) fn assemble(
    detected: Detected,
    files: Vec<SourceFile>,
    mut problems: Vec<Problem>,
    pieces: Vec<Piece>,
) -> Configuration {
    let mut contents = Vec::with_capacity(pieces.len());
    for (file, piece) in pieces.into_iter().enumerate() {
        problems.extend(piece.problems);
        contents.extend(piece.contents.into_iter().map(|content| (file, content)));
    }
    let excluded = Excluded::find(&contents, &files, &mut problems);
    let mut builder = Builder::default();
    for (_, content) in contents {
        builder.add(content, &excluded);
    }
    let mut configuration = builder.finish(detected, files, problems);
    configuration.problems.sort_by(|a, b| (&a.path, a.line).cmp(&(&b.path, b.line)));
    configuration
}

/// Full names (folded) that have a description which no owner lists: the platform doesn't load them.
struct Excluded(FxHashSet<String>);

impl Excluded {
    fn find(contents: &[(usize, Content)], files: &[SourceFile], problems: &mut Vec<Problem>) -> Self {
        let broken: FxHashSet<&str> =
            problems.iter().filter(|p| matches!(p.kind, ProblemKind::Malformed(_))).map(|p| &*p.path).collect();
        let path = |file: usize| files.get(file).map_or("", |f| &*f.path);
        let mut listed: FxHashMap<String, (usize, u32, &Text)> = FxHashMap::default();
        let mut described: FxHashMap<String, (usize, &Text)> = FxHashMap::default();
        let mut whole: FxHashSet<String> = FxHashSet::default();
        for (file, content) in contents {
            let file = *file;
            let Content::Description(name, description) = content else { continue };
            described.insert(fold(name), (file, name));
            if !broken.contains(path(file)) {
                whole.insert(fold(name));
            }
            let own = description.configuration.as_ref().map_or(&description.listed, |c| &c.listed);
            for (child, line) in own {
                listed.insert(fold(child), (file, *line, child));
            }
        }
        let mut new = Vec::new();
        let mut excluded = FxHashSet::default();
        for (key, (file, name)) in &described {
            let owner = owner_of(key).unwrap_or("configuration");
            if key != "configuration" && !listed.contains_key(key) && whole.contains(owner) {
                let kind = ProblemKind::Unlisted((*name).clone());
                new.push(Problem { path: path(*file).into(), line: 0, kind });
                excluded.insert(key.clone());
            }
        }
        for (key, (file, line, name)) in &listed {
            if !described.contains_key(key) {
                let kind = ProblemKind::MissingFile((*name).clone());
                new.push(Problem { path: path(*file).into(), line: *line, kind });
            }
        }
        problems.extend(new);
        Self(excluded)
    }

    /// True if the thing of that full name, or one that holds it, is left out.
    fn holds(&self, full_name: &str) -> bool {
        if self.0.is_empty() {
            return false;
        }
        let folded = fold(full_name);
        let mut name = Some(folded.as_str());
        while let Some(current) = name {
            if self.0.contains(current) {
                return true;
            }
            name = owner_of(current);
        }
        false
    }
}

/// The full name of what holds the thing of that full name (two words less); None at the top.
fn owner_of(full_name: &str) -> Option<&str> {
    let (rest, _) = full_name.rsplit_once('.')?;
    let (owner, _) = rest.rsplit_once('.')?;
    owner.contains('.').then_some(owner)
}

#[derive(Default)]
struct Builder {
    configuration: Option<ConfigurationProperties>,
    objects: Vec<crate::model::object::Object>,
    standard: FxHashMap<Text, Vec<Described>>,
    attached: Vec<Attached>,
    forms: FxHashMap<Text, Form>,
    form_contents: Vec<Form>,
    form_links: Vec<(Text, FileId, Vec<Link>)>,
    templates: FxHashMap<Text, crate::model::object::Template>,
    template_contents: Vec<(Text, TemplateContent)>,
    commands: Vec<crate::model::object::Command>,
    modules: Vec<Module>,
    roles: Vec<crate::model::role::Role>,
    predefined: Vec<crate::model::object::Predefined>,
    exchange_plan_content: Vec<crate::model::object::ExchangePlanContent>,
    flowcharts: Vec<crate::model::object::Flowchart>,
    schedules: Vec<(Text, Text)>,
    help_pages: Vec<HelpPage>,
    interface_links: Vec<crate::model::object::InterfaceLink>,
    support: Support,
}

impl Builder {
    fn add(&mut self, content: Content, excluded: &Excluded) {
        match content {
            Content::Description(name, description) if !excluded.holds(&name) => self.describe(name, *description),
            Content::Form(form) if !excluded.holds(&form.full_name) => self.form_contents.push(*form),
            Content::FormLinks(name, file, links) => self.form_links.push((name, file, links)),
            Content::OrdinaryForm(form, module) if !excluded.holds(&form.full_name) => {
                let kind = ModuleKind::FormModule;
                let file = form.content.unwrap_or(form.file);
                let owner = form.full_name.clone();
                self.modules.extend(module.map(|full_name| Module { full_name, owner, kind, file, flags: None }));
                self.form_contents.push(*form);
            }
            Content::Role(role) if !excluded.holds(&role.full_name) => self.roles.push(*role),
            Content::Predefined(items) if !items.first().is_some_and(|i| excluded.holds(&i.owner)) => {
                let offset = u32::try_from(self.predefined.len()).unwrap_or(u32::MAX);
                let moved = items.into_iter().map(|mut item| {
                    item.parent = item.parent.map(|p| p.saturating_add(offset));
                    item
                });
                self.predefined.extend(moved);
            }
            Content::Flowchart(flowchart) if !excluded.holds(&flowchart.owner) => self.flowcharts.push(flowchart),
            Content::ExchangePlan(rows) if !rows.first().is_some_and(|r| excluded.holds(&r.plan)) => {
                self.exchange_plan_content.extend(rows);
            }
            Content::Support(support) => self.support = *support,
            Content::Schedule(job, text) => self.schedules.push((job, text)),
            Content::Interface(links) if !links.first().is_some_and(|l| excluded.holds(&l.owner)) => {
                self.interface_links.extend(links);
            }
            Content::Template(name, content) => self.template_contents.push((name, content)),
            Content::Module(full_name, owner, kind, file) if !excluded.holds(&owner) => {
                self.modules.push(Module { full_name, owner, kind, file, flags: None });
            }
            Content::Help(owner, language, file) if !excluded.holds(&owner) => {
                self.help_pages.push(HelpPage { owner, language, file });
            }
            _ => {}
        }
    }

    fn describe(&mut self, name: Text, description: Description) {
        if description.configuration.is_some() {
            self.configuration = description.configuration;
        }
        self.attached.extend(description.attached);
        self.commands.extend(description.commands);
        self.objects.extend(description.object);
        self.forms.extend(description.form.map(|form| (name.clone(), form)));
        self.templates.extend(description.template.map(|template| (name.clone(), template)));
        if !description.standard.is_empty() {
            self.standard.insert(name, description.standard);
        }
    }

    fn finish(mut self, detected: Detected, files: Vec<SourceFile>, mut problems: Vec<Problem>) -> Configuration {
        self.objects.sort_by(|a, b| a.full_name.cmp(&b.full_name));
        self.join_objects();
        self.join_modules(&files);
        let forms = self.join_forms(&files, &mut problems);
        let templates = self.join_templates(&files);
        self.commands.sort_by(|a, b| a.full_name.cmp(&b.full_name));
        self.roles.sort_by(|a, b| a.full_name.cmp(&b.full_name));
        let mut properties = self.configuration.unwrap_or_default();
        properties.languages = self
            .objects
            .iter()
            .filter_map(|o| match &o.details {
                Details::Language { code } => Some((o.name.clone(), code.clone())),
                _ => None,
            })
            .collect();
        let layer = detected.layer(&properties);
        Configuration {
            layers: vec![layer],
            files,
            folders: Vec::new(),
            properties,
            objects: self.objects,
            modules: self.modules,
            forms,
            roles: self.roles,
            commands: self.commands,
            templates,
            predefined: self.predefined,
            exchange_plan_content: self.exchange_plan_content,
            flowcharts: self.flowcharts,
            help_pages: self.help_pages,
            interface_links: self.interface_links,
            support: self.support,
            problems,
        }
    }

    /// Parts with files of their own, schedules, standard attributes.
    fn join_objects(&mut self) {
        let reverse = standard::reverse(&self.objects);
        let mut schedules: FxHashMap<Text, Text> = std::mem::take(&mut self.schedules).into_iter().collect();
        for object in &mut self.objects {
            if let Details::ScheduledJob { schedule, .. } = &mut object.details {
                *schedule = schedules.remove(&object.full_name).unwrap_or_else(|| schedule.clone());
            }
        }
        let places: FxHashMap<Text, usize> =
            self.objects.iter().enumerate().map(|(i, o)| (o.full_name.clone(), i)).collect();
        for attached in std::mem::take(&mut self.attached) {
            let Some(object) = places.get(&attached.object).and_then(|i| self.objects.get_mut(*i)) else { continue };
            let offset = u32::try_from(object.items.len()).unwrap_or(u32::MAX);
            let holder = object.items.iter().position(|i| i.full_name == attached.parent);
            let holder = holder.and_then(|i| u32::try_from(i).ok());
            object.items.extend(attached.items.into_iter().map(|mut item| {
                item.parent = item.parent.map_or(holder, |p| Some(p.saturating_add(offset)));
                item
            }));
            object.links.extend(attached.links.into_iter().map(|mut link| {
                link.item = link.item.map(|i| i.saturating_add(offset));
                link
            }));
        }
        for object in &mut self.objects {
            let described = self.standard.get(&object.full_name).map_or(&[][..], Vec::as_slice);
            standard::complete(object, described, &reverse);
        }
    }

    fn join_modules(&mut self, files: &[SourceFile]) {
        let flags: FxHashMap<&str, ModuleFlags> = self
            .objects
            .iter()
            .filter_map(|o| match o.details {
                Details::CommonModule(flags) => Some((&*o.full_name, flags)),
                _ => None,
            })
            .collect();
        // A module that is there with and without its source, or in a form's container, too, is the one with its source.
        let source =
            |module: &Module| files.get(module.file.0 as usize).is_some_and(|file| file.path.ends_with(".bsl"));
        self.modules.sort_by(|a, b| (&a.full_name, !source(a)).cmp(&(&b.full_name, !source(b))));
        self.modules.dedup_by(|second, first| second.full_name == first.full_name);
        self.modules.sort_by_key(|module| module.file);
        for module in &mut self.modules {
            module.flags = flags.get(&*module.owner).copied();
        }
    }

    fn join_forms(&mut self, files: &[SourceFile], problems: &mut Vec<Problem>) -> Vec<Form> {
        let mut forms = std::mem::take(&mut self.forms);
        for content in std::mem::take(&mut self.form_contents) {
            let Some(form) = forms.get_mut(&content.full_name) else { continue };
            let described = std::mem::replace(form, content);
            form.owner = described.owner;
            form.name = described.name;
            form.uuid = described.uuid;
            // What the content is, is certain; descriptions of old versions don't say it.
            if form.kind == FormKind::Managed && described.kind == FormKind::Ordinary {
                form.kind = described.kind;
            }
            form.synonym = described.synonym;
            form.comment = described.comment;
            form.file = described.file;
        }
        for (name, file, links) in std::mem::take(&mut self.form_links) {
            if let Some(form) = forms.get_mut(&name) {
                form.beside.push((file, links));
            }
        }
        let mut forms: Vec<Form> = forms.into_values().collect();
        forms.sort_by(|a, b| a.full_name.cmp(&b.full_name));
        for form in &forms {
            if form.content.is_none() {
                let path = files.get(form.file.0 as usize).map_or_else(|| Text::from(""), |f| f.path.clone());
                let content = match (form.kind, path.ends_with(".mdo")) {
                    (FormKind::Ordinary, _) => "Ext/Form.bin",
                    (_, true) => "Form.form",
                    (_, false) => "Ext/Form.xml",
                };
                let kind = ProblemKind::MissingFile(format!("{} ({content})", form.full_name).into());
                problems.push(Problem { path, line: 0, kind });
            }
        }
        forms
    }

    fn join_templates(&mut self, files: &[SourceFile]) -> Vec<crate::model::object::Template> {
        let mut templates = std::mem::take(&mut self.templates);
        for (name, content) in std::mem::take(&mut self.template_contents) {
            let Some(template) = templates.get_mut(&name) else { continue };
            let path = files.get(content.file.0 as usize).map_or("", |f| &*f.path);
            template.kind = template::kind(content.kind, path, &template.declared);
            template.content = Some(content.file);
            template.expressions = content.expressions;
            template.parts = content.parts;
        }
        let mut templates: Vec<_> = templates.into_values().collect();
        for template in templates.iter_mut().filter(|t| t.content.is_none()) {
            template.kind = template::by_word(&template.declared);
        }
        templates.sort_by(|a, b| a.full_name.cmp(&b.full_name));
        templates
    }
}
