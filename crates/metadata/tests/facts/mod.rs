//! What a configuration says, as flat facts without files and lines: two configurations can be compared by them.

use metascope_metadata::{Action, Configuration, Details, Form, Handler, Link, Localized, Object, Property, Types};
use std::collections::BTreeMap;

/// What a fact is about: its kind, the thing, and which of the thing's values (property, language, right …).
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key {
    /// `object`, `attribute`, `type`, `property`, `synonym`, `reference` …
    pub kind: &'static str,
    /// Full name of the thing.
    pub subject: String,
    /// Which of its values; empty if there is but one.
    pub what: String,
}

/// Facts: every key with its values, sorted.
pub type Facts = BTreeMap<Key, Vec<String>>;

#[derive(Default)]
struct Collector(Facts);

impl Collector {
    fn add(&mut self, kind: &'static str, subject: &str, what: &str, value: impl Into<String>) {
        let key = Key { kind, subject: subject.to_owned(), what: what.to_owned() };
        self.0.entry(key).or_default().push(value.into());
    }

    fn localized(&mut self, kind: &'static str, subject: &str, text: &Localized) {
        for (language, text) in text.0.iter().filter(|(_, text)| !text.is_empty()) {
            self.add(kind, subject, language, &**text);
        }
    }

    fn types(&mut self, subject: &str, what: &str, types: &Types) {
        for t in types.iter() {
            let qualifiers = if t.qualifiers.is_empty() { String::new() } else { format!("({})", t.qualifiers) };
            self.add("type", subject, what, format!("{}{qualifiers}", t.name));
        }
    }

    fn properties(&mut self, subject: &str, properties: &[Property]) {
        for p in properties {
            self.add("property", subject, &p.name, &*p.value);
        }
    }

    fn comment(&mut self, subject: &str, comment: &str) {
        if !comment.is_empty() {
            self.add("comment", subject, "", comment);
        }
    }

    fn handlers(&mut self, subject: &str, events: &[Handler]) {
        for e in events {
            self.add("handler", subject, &e.event, format!("{} {}", e.handler, e.call_type));
        }
    }

    fn link(&mut self, subject: &str, link: &Link) {
        self.add("reference", subject, &link.property, format!("{} {}", link.target, link.value));
    }

    fn object(&mut self, object: &Object) {
        let name = &*object.full_name;
        self.add("object", name, "", "");
        self.add("uuid", name, "", &*object.uuid);
        self.localized("synonym", name, &object.synonym);
        self.comment(name, &object.comment);
        self.types(name, "", &object.types);
        self.properties(name, &object.properties);
        if object.details != Details::None {
            let details = format!("{:?}", object.details);
            // Lines are no facts.
            let words = details.split(", ").filter(|w| !w.contains("_line")).collect::<Vec<_>>();
            self.add("details", name, "", words.join(", "));
        }
        for item in &object.items {
            let name = &*item.full_name;
            self.add("attribute", name, "", item.name_ru.as_deref().unwrap_or(""));
            self.add("uuid", name, "", &*item.uuid);
            self.localized("synonym", name, &item.synonym);
            self.comment(name, &item.comment);
            self.types(name, "", &item.types);
            self.properties(name, &item.properties);
            self.add("required", name, "", item.required.to_string());
            self.add("indexing", name, "", &*item.indexing);
            let parent = item.parent.and_then(|p| object.items.get(p as usize)).map_or("", |p| &*p.full_name);
            self.add("holder", name, "", parent);
        }
        // A nested subsystem is an object of its own here.
        for link in object.links.iter().filter(|link| &*link.property != "Subsystems") {
            let item = link.item.and_then(|i| object.items.get(i as usize));
            self.link(item.map_or(name, |i| &*i.full_name), link);
        }
    }

    fn form(&mut self, form: &Form) {
        let name = &*form.full_name;
        self.add("form", name, "", form.kind.as_str());
        self.localized("synonym", name, &form.synonym);
        self.localized("title", name, &form.title);
        self.comment(name, &form.comment);
        self.properties(name, &form.properties);
        self.handlers(name, &form.events);
        for item in &form.items {
            let item_name = format!("{name}.Item.{}", item.name);
            let parent = item.parent.and_then(|p| form.items.get(p as usize)).map_or("", |p| &*p.name);
            self.add("form item", &item_name, "", format!("{} in {parent}", item.kind));
            if !item.data_path.is_empty() {
                self.add("data path", &item_name, "", &*item.data_path);
            }
            if !item.command.is_empty() {
                self.add("button command", &item_name, "", &*item.command);
            }
            self.localized("title", &item_name, &item.title);
            self.handlers(&item_name, &item.events);
        }
        for link in form.links.iter().chain(form.beside.iter().flat_map(|(_, links)| links)) {
            let item = link.item.and_then(|i| form.items.get(i as usize));
            self.link(&item.map_or_else(|| name.to_owned(), |i| format!("{name}.Item.{}", i.name)), link);
        }
        for a in &form.attributes {
            let subject = format!("{name}.Attribute.{}", a.name);
            self.add("form attribute", &subject, "", if a.is_main { "main" } else { "" });
            self.localized("title", &subject, &a.title);
            self.types(&subject, "", &a.types);
            self.types(&subject, "values", &a.value_types);
            for option in &a.functional_options {
                self.add("option", &subject, "", &**option);
            }
            for column in &a.columns {
                let subject = format!("{subject}.{}.{}", column.table, column.name);
                self.add("form attribute", &subject, "", "column");
                self.localized("title", &subject, &column.title);
                self.types(&subject, "", &column.types);
            }
            if let Some(list) = &a.dynamic_list {
                let text = format!("{} {} {}", list.main_table, list.manual_query, list.query);
                self.add("dynamic list", &subject, "", text);
            }
        }
        for command in &form.commands {
            let subject = format!("{name}.Command.{}", command.name);
            self.add("form command", &subject, "", "");
            self.localized("title", &subject, &command.title);
            for Action { handler, call_type, .. } in &command.actions {
                self.add("handler", &subject, "Action", format!("{handler} {call_type}"));
            }
            for option in &command.functional_options {
                self.add("option", &subject, "", &**option);
            }
        }
        for parameter in &form.parameters {
            let subject = format!("{name}.Parameter.{}", parameter.name);
            self.add("form parameter", &subject, "", if parameter.is_key { "key" } else { "" });
            self.types(&subject, "", &parameter.types);
        }
    }

    fn rest(&mut self, configuration: &Configuration) {
        for module in &configuration.modules {
            let flags = format!("{} {:?}", module.kind.as_str(), module.flags);
            self.add("module", &module.full_name, &module.owner, flags);
        }
        for command in &configuration.commands {
            let name = &*command.full_name;
            self.add("command", name, "", format!("{} {}", command.group, command.parameter_use_mode));
            self.localized("synonym", name, &command.synonym);
            self.types(name, "parameter", &command.parameter_types);
        }
        for template in &configuration.templates {
            let name = &*template.full_name;
            self.add("template", name, "", format!("{} {}", template.kind.as_str(), template.declared));
            self.localized("synonym", name, &template.synonym);
            self.add("content", name, "", template.content.is_some().to_string());
            for e in &template.expressions {
                self.add("expression", name, "", &*e.text);
            }
        }
        for p in &configuration.predefined {
            let name = format!("{}.Predefined.{}", p.owner, p.name);
            let parent = p.parent.and_then(|i| configuration.predefined.get(i as usize)).map_or("", |p| &*p.name);
            self.add("predefined", &name, "", format!("{} {} {} {parent}", p.code, p.description, p.is_folder));
            self.types(&name, "", &p.types);
            self.properties(&name, &p.properties);
        }
        for row in &configuration.exchange_plan_content {
            self.add("exchange", &row.plan, &row.object, row.auto_record.to_string());
        }
        for flowchart in &configuration.flowcharts {
            for point in &flowchart.points {
                let name = format!("{}.{}", flowchart.owner, point.name);
                self.add("route point", &name, "", &*point.kind);
                self.handlers(&name, &point.events);
            }
        }
        for page in &configuration.help_pages {
            self.add("help", &page.owner, &page.language, "");
        }
        for link in &configuration.interface_links {
            self.add("interface", &link.owner, &link.section, &*link.target);
        }
        for role in &configuration.roles {
            let name = &*role.full_name;
            let flags = [
                role.set_for_new_objects,
                role.set_for_attributes_by_default,
                role.independent_rights_of_child_objects,
            ];
            self.add("role", name, "", format!("{flags:?}"));
            for object in &role.objects {
                for right in &object.rights {
                    let restrictions: Vec<_> =
                        right.restrictions.iter().map(|r| format!("{:?} {}", r.fields, r.condition)).collect();
                    let value = format!("{} {restrictions:?}", right.value);
                    self.add("right", name, &format!("{} {}", object.object, right.name), value);
                }
            }
            for template in &role.templates {
                self.add("restriction", name, &template.name, &*template.condition);
            }
        }
    }
}

/// Every fact of a configuration.
pub fn of(configuration: &Configuration) -> Facts {
    let mut all = Collector::default();
    let own = &configuration.properties;
    all.localized("synonym", "Configuration", &own.synonym);
    all.comment("Configuration", &own.comment);
    all.properties("Configuration", &own.all);
    own.links.iter().for_each(|link| all.link("Configuration", link));
    for (name, code) in &own.languages {
        all.add("language", "Configuration", name, &**code);
    }
    configuration.objects.iter().for_each(|object| all.object(object));
    configuration.forms.iter().for_each(|form| all.form(form));
    all.rest(configuration);
    all.0.values_mut().for_each(|values| values.sort());
    all.0
}

/// A key whose values differ: what the first and the second configuration have of them.
pub struct Difference<'f> {
    /// The key.
    pub key: &'f Key,
    /// Values of the first configuration.
    pub first: &'f [String],
    /// Values of the second one.
    pub second: &'f [String],
}

impl std::fmt::Display for Difference<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Key { kind, subject, what } = self.key;
        write!(f, "{kind} {subject} {what}: {:?} and {:?}", self.first, self.second)
    }
}

/// Keys whose values differ.
pub fn differences<'f>(first: &'f Facts, second: &'f Facts) -> Vec<Difference<'f>> {
    let keys: std::collections::BTreeSet<&Key> = first.keys().chain(second.keys()).collect();
    let of = |facts: &'f Facts, key: &Key| facts.get(key).map_or(&[][..], Vec::as_slice);
    let all = keys.into_iter().map(|key| Difference { key, first: of(first, key), second: of(second, key) });
    all.filter(|d| d.first != d.second).collect()
}
