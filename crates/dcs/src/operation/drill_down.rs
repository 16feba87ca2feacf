//! What a click on cells of a drawn area opens.

use super::draft::Draft;
use super::refusal::{Refusal, Say};
use super::shorthand::split;
use super::target::{Fields, named, required, same};
use super::template::template;
use super::words::{ACTIONS, word};
use super::{At, applies, options};
use crate::document::Element;
use crate::edit::New;
use crate::formal::name;

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
