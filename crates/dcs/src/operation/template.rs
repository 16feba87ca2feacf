//! Drawn areas: which field or group they are bound to, and what a click on a cell opens.

use super::draft::Draft;
use super::refusal::{Refusal, Say};
use super::shorthand::split;
use super::target::{Fields, named, required, same};
use super::words::{ACTIONS, TEMPLATE_PARTS, word};
use super::{At, applies, needs, options};
use crate::document::Element;
use crate::edit::New;
use crate::formal::name;
use crate::view::{Schema, Template};

options! {
    /// Binds a drawn area: `Макет1 @field(Сумма)`, `Макет1 @group(Склад) @part(заголовок)`.
    BindTemplate {
        /// The area.
        name: String,
        /// The field that it shows.
        field: String,
        /// The name of the group that it shows.
        group: String,
        /// Which part of the group: header, footer, overall header …; `header` if left out.
        part: String,
    }
}
applies!(BindTemplate, bind);

fn template<'d>(schema: Schema<'d>, wanted: &str) -> Result<Template<'d>, Refusal> {
    let all = schema.templates().map(|template| (template.name().into_owned(), template.element()));
    named(all, wanted, ("макет", "template")).map(Template)
}

/// Names of groups in all variants.
fn group_names(schema: Schema<'_>) -> Vec<String> {
    let all = schema.all_settings().into_iter().flat_map(|(_, settings)| settings.all_structure());
    let mut names: Vec<String> =
        all.map(|(_, item)| item.name().into_owned()).filter(|name| !name.is_empty()).collect();
    names.sort_unstable();
    names.dedup();
    names
}

fn part_of(text: &str) -> Result<&'static str, Refusal> {
    match text.trim() {
        "" => Ok("Header"),
        text => word(TEMPLATE_PARTS, text, ("часть группировки", "part of the group")),
    }
}

fn bind<'d>(this: &BindTemplate, at: &mut At<'d>, draft: &mut Draft<'d>) -> Result<Say, Refusal> {
    let own = template(at.schema, required(&this.name, "name", "макет", "the template")?)?.name();
    let new = match (this.field.trim(), this.group.trim()) {
        ("", "") => return Err(Refusal::missing("group", "поле или группировка", "a field or a group")),
        (field, "") => {
            Fields::of(at.schema, &|_| false).require(field)?;
            if at.schema.field_templates().any(|bound| same(&bound.field(), field)) {
                return Err(Refusal::exists(("макет поля", "template of the field"), field));
            }
            New::with(
                name("sch:fieldTemplate"),
                [New::text(name("sch:field"), field), New::text(name("sch:template"), own)],
            )
        }
        (_, group) => {
            let names = group_names(at.schema);
            let Some(group) = names.iter().find(|other| same(other, group)) else {
                return Err(Refusal::unknown(
                    ("именованная группировка", "named group"),
                    group,
                    names.iter().map(String::as_str),
                ));
            };
            let part = part_of(&this.part)?;
            if at.schema.group_templates().any(|bound| same(&bound.group(), group) && bound.kind() == part) {
                return Err(Refusal::exists(("макет группировки", "template of the group"), group));
            }
            New::with(
                name("sch:groupTemplate"),
                [
                    New::text(name("sch:groupName"), group.as_str()),
                    New::text(name("sch:templateType"), part),
                    New::text(name("sch:template"), own),
                ],
            )
        }
    };
    draft.insert(at.schema.element(), new)?;
    Ok(Say::new(format!("Привязан макет «{}»", this.name), format!("Bound the template \"{}\"", this.name)))
}

options! {
    /// Unbinds a field's or a group's drawn area: `@field(Сумма)`, `@group(Склад) @part(заголовок)`.
    UnbindTemplate {
        /// The area, if only its bindings are meant.
        name: String,
        /// The field that it shows.
        field: String,
        /// The name of the group that it shows.
        group: String,
        /// Which part of the group; all if left out.
        part: String,
    }
}
applies!(UnbindTemplate, unbind);

fn unbind<'d>(this: &UnbindTemplate, at: &mut At<'d>, draft: &mut Draft<'d>) -> Result<Say, Refusal> {
    let (own, field, group) = (this.name.trim(), this.field.trim(), this.group.trim());
    if [own, field, group].iter().all(|text| text.is_empty()) {
        return Err(Refusal::missing("name", "макет, поле или группировка", "a template, a field or a group"));
    }
    let part = match this.part.trim() {
        "" => None,
        text => Some(part_of(text)?),
    };
    let is_own = |template: &str| own.is_empty() || same(template, own);
    let mut found: Vec<Element<'d>> = Vec::new();
    if group.is_empty() && part.is_none() {
        let bound = at.schema.field_templates();
        let bound =
            bound.filter(|bound| is_own(&bound.template()) && (field.is_empty() || same(&bound.field(), field)));
        found.extend(bound.map(|bound| bound.element()));
    }
    if field.is_empty() {
        let all = at.schema.group_templates().chain(at.schema.group_header_templates());
        let bound = all.filter(|bound| {
            is_own(&bound.template())
                && (group.is_empty() || same(&bound.group(), group))
                && part.is_none_or(|part| bound.kind() == part)
        });
        found.extend(bound.map(|bound| bound.element()));
        if group.is_empty() && part.is_none() {
            let totals = at.schema.total_templates().filter(|bound| is_own(&bound.template()));
            found.extend(totals.map(|bound| bound.element()));
        }
    }
    if found.is_empty() {
        let mut there: Vec<String> = at.schema.field_templates().map(|bound| bound.field().into_owned()).collect();
        there.extend(at.schema.group_templates().map(|bound| bound.group().into_owned()));
        there.extend(at.schema.group_header_templates().map(|bound| bound.group().into_owned()));
        there.sort_unstable();
        there.dedup();
        let wanted = [field, group, own].into_iter().find(|text| !text.is_empty()).unwrap_or("");
        return Err(Refusal::unknown(
            ("привязка макета", "binding of a template"),
            wanted,
            there.iter().map(String::as_str),
        ));
    }
    needs::remove(at, draft, &found)?;
    Ok(Say::new(format!("Убрано привязок макета: {}", found.len()), format!("Removed {} bindings", found.len())))
}

options! {
    /// Removes a drawn area.
    RemoveTemplate {
        /// The area.
        name: String,
    }
}
applies!(RemoveTemplate, remove);

fn remove<'d>(this: &RemoveTemplate, at: &mut At<'d>, draft: &mut Draft<'d>) -> Result<Say, Refusal> {
    let wanted = required(&this.name, "name", "макет", "the template")?;
    let found = template(at.schema, wanted)?.element();
    needs::remove(at, draft, &[found])?;
    Ok(Say::new(format!("Удалён макет «{wanted}»"), format!("Removed the template \"{wanted}\"")))
}

options! {
    /// What a click on cells of a drawn area opens: `Макет1 @parameter(Документ) @fields(Ссылка = Документ) @action(открыть)`.
    DrillDown {
        /// The area.
        name: String,
        /// The parameter that the cells show.
        parameter: String,
        /// Fields that are handed over, with their expressions: `Поле = Выражение; …`.
        fields: String,
        /// What happens: open, drill down, filter …; the user chooses if left out.
        action: String,
        /// The name of the parameter that is made; `Расшифровка` and the shown parameter's name if left out.
        to: String,
    }
}
applies!(DrillDown, drill_down);

fn drill_down<'d>(this: &DrillDown, at: &mut At<'d>, draft: &mut Draft<'d>) -> Result<Say, Refusal> {
    let template = template(at.schema, required(&this.name, "name", "макет", "the template")?)?;
    let wanted = required(&this.parameter, "parameter", "параметр макета", "the template's parameter")?;
    let own = match this.to.trim() {
        "" => format!("Расшифровка{wanted}"),
        own => own.to_owned(),
    };
    let all = || template.parameters().map(|parameter| (parameter.name().into_owned(), parameter.element()));
    let shown = named(all(), wanted, ("параметр макета", "parameter of the template"))?;
    let shown_name = shown.text_of("name");
    if all().any(|(other, _)| same(&other, &own)) {
        return Err(Refusal::exists(("параметр макета", "parameter of the template"), &own));
    }
    let known = Fields::of(at.schema, &|_| false);
    let mut parts = vec![New::text(name("area:name"), own.as_str())];
    let mut fields = 0;
    for pair in split(&this.fields, ';')? {
        let (field, expression) = pair.split_once('=').unwrap_or((&pair, &pair));
        let (field, expression) = (field.trim(), expression.trim());
        known.require_all(at.schema, expression)?;
        let parts_of = [New::text(name("area:field"), field), New::text(name("area:expression"), expression)];
        parts.push(New::with(name("area:fieldExpression"), parts_of));
        fields += 1;
    }
    if fields == 0 {
        return Err(Refusal::missing("fields", "поля расшифровки", "the fields"));
    }
    if !this.action.trim().is_empty() {
        let action = word(ACTIONS, &this.action, ("действие", "action"))?;
        parts.push(New::text(name("area:mainAction"), action));
    }
    draft.insert(
        template.element(),
        New::with(name("sch:parameter"), parts).typed(name("area:DetailsAreaTemplateParameter")),
    )?;
    // Cells that show the parameter name the new one in their appearance.
    let mut cells: Vec<Element<'d>> = template
        .used_parameters()
        .filter(|value| same(&value.text(), &shown_name))
        .filter(|value| value.parent().is_some_and(|item| item.is_of("Field")))
        .filter_map(|value| value.parent()?.parent())
        .collect();
    cells.dedup();
    if cells.is_empty() {
        return Err(Refusal::new(
            format!("Ни одна ячейка макета не показывает «{shown_name}»"),
            format!("No cell of the template shows \"{shown_name}\""),
        ));
    }
    for cell in cells {
        let value = New::text(name("cor:value"), own.as_str()).typed(name("cor:Parameter"));
        let item = New::with(name("cor:item"), [New::text(name("cor:parameter"), "Расшифровка"), value.clone()]);
        match cell.child("appearance") {
            Some(appearance) => {
                let old = appearance.all("item").find(|item| {
                    let parameter = item.text_of("parameter");
                    same(&parameter, "Расшифровка") || same(&parameter, "Details")
                });
                match old.and_then(|old| old.child("value")) {
                    Some(old) => draft.replace(old, value)?,
                    None => draft.insert(appearance, item)?,
                }
            }
            None => draft.insert(cell, New::with(name("area:appearance"), [item]))?,
        }
    }
    Ok(Say::new(format!("Добавлена расшифровка «{own}»"), format!("Added the drill-down \"{own}\"")))
}
