//! Calculated fields: add, modify, remove.

use super::draft::Draft;
use super::field::{clear, restriction, set_restriction};
use super::refusal::{Refusal, Say};
use super::shorthand::{Flag, Names, Texts, is_path, type_description};
use super::target::{Fields, named, place, required};
use super::{At, applies, needs, options};
use crate::document::Element;
use crate::edit::New;
use crate::formal::name;
use crate::view::Schema;

options! {
    /// Adds a calculated field: `Маржа: Число(15,2) "Маржа" = Выручка - Себестоимость`.
    AddCalculated {
        /// The field's path.
        name: String,
        /// How it is calculated.
        expression: String,
        /// The type.
        r#type: String,
        /// The title.
        title: Option<Texts>,
        /// The expression that shows it.
        presentation: String,
        /// Where it can't be used: field, condition, group, order.
        restrict: Names,
        /// A total for it too: `Сумма(field)`.
        resource: Flag,
        /// The calculated field to stand before.
        before: String,
        /// The calculated field to stand behind.
        after: String,
    }
}
applies!(AddCalculated, add);

fn calculated<'d>(schema: Schema<'d>, path: &str) -> Result<Element<'d>, Refusal> {
    let all = schema.calculated_fields().map(|field| (field.data_path().into_owned(), field.element()));
    named(all, path, ("вычисляемое поле", "calculated field"))
}

fn add<'d>(this: &AddCalculated, at: &mut At<'d>, draft: &mut Draft<'d>) -> Result<Say, Refusal> {
    let path = required(&this.name, "name", "имя поля", "the field's name")?;
    let expression = required(&this.expression, "expression", "выражение", "the expression")?;
    if !is_path(path) {
        return Err(Refusal::new(
            format!("«{path}» не может быть именем поля"),
            format!("\"{path}\" can't be a field's name"),
        ));
    }
    let fields = Fields::of(at.schema, &|_| false);
    if fields.has_exactly(path) {
        return Err(Refusal::exists(("поле", "field"), path));
    }
    fields.require_all(at.schema, expression)?;
    let mut parts = vec![New::text(name("sch:dataPath"), path), New::text(name("sch:expression"), expression)];
    parts.extend(this.title.as_ref().map(|title| title.element(name("sch:title"))));
    if !this.restrict.is_empty() {
        parts.push(restriction(&this.restrict)?);
    }
    if !this.presentation.trim().is_empty() {
        parts.push(New::text(name("sch:presentationExpression"), this.presentation.trim()));
    }
    if !this.r#type.trim().is_empty() {
        parts.push(type_description(name("sch:valueType"), &this.r#type)?);
    }
    let place = place(&this.before, &this.after, |other| calculated(at.schema, other))?;
    draft.insert_at(at.schema.element(), New::with(name("sch:calculatedField"), parts), place)?;
    if this.resource.is_on() {
        let total =
            [New::text(name("sch:dataPath"), path), New::text(name("sch:expression"), format!("Сумма({path})"))];
        draft.insert(at.schema.element(), New::with(name("sch:totalField"), total))?;
    }
    Ok(Say::new(format!("Добавлено вычисляемое поле «{path}»"), format!("Added the calculated field \"{path}\"")))
}

options! {
    /// Changes a calculated field: what is given.
    ModifyCalculated {
        /// The field's path.
        name: String,
        /// How it is calculated.
        expression: Option<String>,
        /// The type.
        r#type: Option<String>,
        /// The title.
        title: Option<Texts>,
        /// The expression that shows it.
        presentation: Option<String>,
        /// Where it can't be used: field, condition, group, order.
        restrict: Option<Names>,
        /// What to take away: title, type, presentation, restrictions, appearance.
        clear: Names,
    }
}
applies!(ModifyCalculated, modify);

fn modify<'d>(this: &ModifyCalculated, at: &mut At<'d>, draft: &mut Draft<'d>) -> Result<Say, Refusal> {
    let path = required(&this.name, "name", "имя поля", "the field's name")?;
    let field = calculated(at.schema, path)?;
    let fields = Fields::of(at.schema, &|_| false);
    for (text, local) in
        [(&this.expression, name("sch:expression")), (&this.presentation, name("sch:presentationExpression"))]
    {
        if let Some(text) = text {
            fields.require_all(at.schema, text)?;
            draft.set_child(field, local, Some(required(text, "expression", "выражение", "the expression")?))?;
        }
    }
    if let Some(title) = &this.title {
        draft.set_localized(field, name("sch:title"), &title.0)?;
    }
    if let Some(words) = &this.restrict {
        set_restriction(draft, field, name("sch:useRestriction"), words)?;
    }
    if let Some(of) = &this.r#type {
        draft.put_child(field, type_description(name("sch:valueType"), of)?)?;
    }
    clear(draft, field, &this.clear)?;
    Ok(Say::new(format!("Изменено вычисляемое поле «{path}»"), format!("Changed the calculated field \"{path}\"")))
}

options! {
    /// Removes a calculated field.
    RemoveCalculated {
        /// The field's path.
        name: String,
    }
}
applies!(RemoveCalculated, remove);

fn remove<'d>(this: &RemoveCalculated, at: &mut At<'d>, draft: &mut Draft<'d>) -> Result<Say, Refusal> {
    let path = required(&this.name, "name", "имя поля", "the field's name")?;
    let field = calculated(at.schema, path)?;
    needs::remove(at, draft, &[field])?;
    Ok(Say::new(format!("Удалено вычисляемое поле «{path}»"), format!("Removed the calculated field \"{path}\"")))
}
