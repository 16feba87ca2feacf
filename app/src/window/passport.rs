//! The panel of the passport: what an object or a method is, with links to what belongs to it.

use index::{AttributeRow, Index, MethodPassport, NameId, ObjectPassport};
use metadata::Language;

use super::labels::{self, Pick as _};
use super::prose;
use super::terms;
use super::ui::FactRow;

/// Rows of one list that are shown.
const MOST: usize = 60;

/// Collects rows.
struct Facts {
    rows: Vec<FactRow>,
    language: Language,
    /// Whom the passport is of: what belongs to it is called by the rest of its name.
    subject: String,
}

impl Facts {
    fn push(&mut self, kind: i32, name: &str, value: &str, target: &str) {
        self.rows.push(FactRow { kind, name: name.into(), value: value.into(), target: target.into() });
    }

    fn title(&mut self, text: &str) {
        self.push(0, text, "", "");
    }

    fn heading(&mut self, ru: &str, en: &str, count: usize) {
        let text = self.language.pick(ru, en);
        let text = if count > 0 { format!("{text}: {count}") } else { text.to_owned() };
        self.push(1, &text, "", "");
    }

    fn pair(&mut self, ru: &str, en: &str, value: &str) {
        if !value.is_empty() {
            self.push(2, self.language.pick(ru, en), value, "");
        }
    }

    fn link(&mut self, full_name: &str, value: &str) {
        let spoken = labels::spoken(full_name, self.language);
        let own = full_name.strip_prefix(self.subject.as_str()).is_some_and(|rest| rest.starts_with('.'));
        let parts = self.subject.split('.').count();
        let shown = if own { spoken.splitn(parts + 1, '.').last().unwrap_or(&spoken) } else { &spoken };
        self.push(3, shown, value, full_name);
    }

    fn text(&mut self, text: &str) {
        self.push(4, text, "", "");
    }

    /// A list of links with its heading; nothing for an empty one.
    fn list<'row>(&mut self, ru: &str, en: &str, rows: impl ExactSizeIterator<Item = (&'row str, String)>) {
        let count = rows.len();
        if count == 0 {
            return;
        }
        self.heading(ru, en, count);
        for (name, value) in rows.take(MOST) {
            self.link(name, &value);
        }
        if count > MOST {
            let more = format!("{} {}", self.language.pick("… и ещё", "… and more:"), count - MOST);
            self.text(&more);
        }
    }
}

/// Rows of an object; empty if the number is no object's.
pub fn of_object(index: &Index, id: NameId, language: Language) -> index::Result<Vec<FactRow>> {
    let Some(passport) = index.object_passport(id)? else { return Ok(Vec::new()) };
    let mut facts = Facts { rows: Vec::new(), language, subject: passport.object.full_name.clone() };
    object(&mut facts, &passport);
    Ok(facts.rows)
}

fn object(facts: &mut Facts, passport: &ObjectPassport) {
    let object = &passport.object;
    let language = facts.language;
    facts.title(&format!("{} {}", labels::singular(&object.kind, language), object.name));
    facts.pair("Синоним", "Synonym", &object.synonym);
    facts.pair("Комментарий", "Comment", &object.comment);
    facts.pair("Типы", "Types", &terms::types(&passport.types.join(", "), language));
    let mut kinds: Vec<&str> = Vec::new();
    for attribute in &passport.attributes {
        if attribute.section.is_empty() && !kinds.contains(&attribute.kind.as_str()) {
            kinds.push(&attribute.kind);
        }
    }
    for kind in kinds {
        let own = |a: &&AttributeRow| a.section.is_empty() && a.kind == kind;
        let rows: Vec<&AttributeRow> = passport.attributes.iter().filter(own).collect();
        attributes(facts, &object.kind, &labels::plural(kind, language), &rows);
    }
    let mut sections: Vec<&str> =
        passport.attributes.iter().map(|a| a.section.as_str()).filter(|s| !s.is_empty()).collect();
    sections.dedup();
    for section in sections {
        let rows: Vec<&AttributeRow> = passport.attributes.iter().filter(|a| a.section == section).collect();
        attributes(
            facts,
            "TabularSection",
            &format!("{} {section}", labels::singular("TabularSection", language)),
            &rows,
        );
    }
    facts.list("Модули", "Modules", passport.modules.iter().map(|name| (name.as_str(), String::new())));
    facts.list("Формы", "Forms", passport.forms.iter().map(|form| (form.form.as_str(), String::new())));
    let children = passport.children.iter().map(|child| (child.full_name.as_str(), child.synonym.clone()));
    facts.list("Состав", "Parts", children);
    let subscriptions =
        passport.subscriptions.iter().map(|row| (row.handler.as_str(), terms::event(&row.event, language).to_owned()));
    facts.list("Подписки на события", "Event subscriptions", subscriptions);
    facts.list("Движения", "Movements", passport.movements.iter().map(|name| (name.as_str(), String::new())));
    facts.list("Подсистемы", "Subsystems", passport.subsystems.iter().map(|name| (name.as_str(), String::new())));
    facts.list(
        "Ссылается на",
        "Refers to",
        passport.links.iter().map(|(property, name)| (name.as_str(), property.clone())),
    );
    let from = passport.linked_from.iter().map(|(name, property)| (name.as_str(), property.clone()));
    facts.list("На него ссылаются", "Referred to by", from);
    let used = passport.used_as_type.iter().map(|name| (name.as_str(), String::new()));
    facts.list("Его тип имеют", "Used as a type by", used);
    let rights = passport.rights.iter().map(|row| (row.role.as_str(), row.rights.join(", ")));
    facts.list("Права", "Rights", rights);
    if !passport.predefined.is_empty() {
        facts.heading("Предопределённые", "Predefined", passport.predefined.len());
        facts.text(&passport.predefined.iter().take(MOST).map(String::as_str).collect::<Vec<_>>().join(", "));
    }
    if !passport.properties.is_empty() {
        facts.heading("Свойства", "Properties", 0);
        for (name, value) in &passport.properties {
            facts.push(2, name, value, "");
        }
    }
    facts.pair("Файл", "File", &object.file);
}

/// Attributes of an object, or of a tabular section: the kind knows the names of the standard ones.
fn attributes(facts: &mut Facts, object_kind: &str, heading: &str, rows: &[&AttributeRow]) {
    facts.push(1, &format!("{heading}: {}", rows.len()), "", "");
    for row in rows.iter().take(MOST) {
        let standard = row.kind == "StandardAttribute";
        let name = if standard { terms::standard_attribute(object_kind, &row.name, facts.language) } else { &row.name };
        let types = terms::types(&row.types, facts.language);
        facts.push(2, name, if types.is_empty() { "—" } else { &types }, "");
    }
    if rows.len() > MOST {
        let more = format!("{} {}", facts.language.pick("… и ещё", "… and more:"), rows.len() - MOST);
        facts.text(&more);
    }
}

/// Rows of a method.
pub fn of_method(passport: &MethodPassport, language: Language) -> Vec<FactRow> {
    let mut facts = Facts { rows: Vec::new(), language, subject: String::new() };
    facts.title(&passport.signature);
    if !passport.doc.is_empty() {
        facts.text(&prose::comment(&passport.doc));
    }
    facts.link(&passport.module, "");
    facts.pair("Директива", "Directive", &passport.method.context);
    let contexts: Vec<String> = passport.contexts.iter().map(|name| terms::context(name, language)).collect();
    facts.pair("Контексты", "Contexts", &contexts.join(", "));
    facts.pair("Область", "Region", &passport.method.region);
    facts.pair("Строки", "Lines", &format!("{}–{}", passport.method.line, passport.method.end_line));
    if !passport.params.is_empty() {
        facts.heading("Параметры", "Parameters", passport.params.len());
        for param in &passport.params {
            let by_value = if param.by_value { language.pick("Знач", "by value") } else { "" };
            let default = param.default.as_ref().map_or_else(String::new, |value| format!("= {value}"));
            let value =
                [by_value, default.as_str()].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ");
            let types = index::types_text(&param.types, language == Language::Russian);
            let value = [types, value].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("; ");
            facts.push(2, &param.name, if value.is_empty() { "—" } else { &value }, "");
        }
    }
    facts.pair("Возвращает", "Returns", &index::types_text(&passport.returns, language == Language::Russian));
    let count = |rows: usize, complete: bool| if complete { rows.to_string() } else { format!("{rows}+") };
    facts.heading("Связи", "Links", 0);
    facts.pair("Вызывают", "Callers", &count(passport.callers.rows.len(), passport.callers.state.complete));
    facts.pair("Вызывает", "Callees", &count(passport.callees.rows.len(), passport.callees.state.complete));
    if !passport.queries.is_empty() {
        facts.heading("Запросы", "Queries", passport.queries.len());
        for (line, text) in passport.queries.iter().take(5) {
            facts.push(
                3,
                &format!("{} {line}", language.pick("строка", "line")),
                "",
                &format!("{}:{line}", passport.file),
            );
            facts.text(text.trim());
        }
    }
    facts.rows
}
