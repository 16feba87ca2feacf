//! Parameters: add, modify, rename, reorder, remove.

use super::draft::Draft;
use super::field::clear;
use super::refusal::{Refusal, Say};
use super::shorthand::{Flag, Names, Texts, ValuePlace, is_path, split, titled, type_description, value};
use super::target::{leads_from, parameter, place, required, same};
use super::uses::{Named, rewrite, uses};
use super::{At, applies, needs, options};
use crate::document::Element;
use crate::edit::{New, Place};
use crate::formal::name;
use crate::view::Parameter;

options! {
    /// Adds a parameter: `Период: СтандартныйПериод "Период" @даты = ЭтотМесяц`.
    AddParameter {
        /// Its name.
        name: String,
        /// Its type.
        r#type: String,
        /// Its title.
        title: Option<Texts>,
        /// Its value; several with `,` between them if it is a list.
        value: String,
        /// The expression that gives the value.
        expression: String,
        /// It takes a list of values.
        list: Flag,
        /// Values to choose from, with `,` between them, each with a title in quotes behind it: `1 "Один"`.
        available: String,
        /// Parameters for the beginning and the end of the period too.
        dates: Flag,
        /// The user doesn't see it.
        hidden: Flag,
        /// It is used even if the user switched it off.
        always: Flag,
        /// Incomplete values are refused.
        complete: Flag,
        /// It can be used as a field.
        field: Flag,
        /// The parameter to stand before.
        before: String,
        /// The parameter to stand behind.
        after: String,
    }
}
applies!(AddParameter, add);

/// Elements of values in shorthand.
fn values(text: &str) -> Result<Vec<New>, Refusal> {
    split(text, ',')?.iter().map(|text| value(name("sch:value"), text, ValuePlace::Constant)).collect()
}

/// Elements of values to choose from.
fn available(text: &str) -> Result<Vec<New>, Refusal> {
    let mut all = Vec::new();
    for item in split(text, ',')? {
        let (of, shown) = titled(&item);
        let mut parts = vec![value(name("sch:value"), of, ValuePlace::Constant)?];
        parts.extend(shown.map(|shown| New::localized(name("sch:presentation"), [("ru", shown.as_str())])));
        all.push(New::with(name("sch:availableValue"), parts));
    }
    Ok(all)
}

fn on(flag: Flag) -> Option<&'static str> {
    flag.0.map(|flag| if flag { "true" } else { "false" })
}

fn check_name(new: &str) -> Result<(), Refusal> {
    if is_path(new) && !new.contains('.') {
        return Ok(());
    }
    Err(Refusal::new(
        format!("«{new}» не может быть именем параметра: буквы, цифры и подчёркивание"),
        format!("\"{new}\" can't be a parameter's name: letters, digits and underscore"),
    ))
}

fn add<'d>(this: &AddParameter, at: &mut At<'d>, draft: &mut Draft<'d>) -> Result<Say, Refusal> {
    let own = required(&this.name, "name", "имя параметра", "the parameter's name")?.trim_start_matches('&');
    check_name(own)?;
    let refuse_twice = |own: &str| match at.schema.parameters().any(|other| same(&other.name(), own)) {
        true => Err(Refusal::exists(("параметр", "parameter"), own)),
        false => Ok(()),
    };
    refuse_twice(own)?;
    let mut parts = vec![New::text(name("sch:name"), own)];
    parts.extend(this.title.as_ref().map(|title| title.element(name("sch:title"))));
    if !this.r#type.trim().is_empty() {
        parts.push(type_description(name("sch:valueType"), &this.r#type)?);
    }
    if this.value.trim().is_empty() {
        if !this.list.is_on() {
            parts.push(New::nil(name("sch:value")));
        }
    } else {
        let all = values(&this.value)?;
        if all.len() > 1 && !this.list.is_on() {
            return Err(Refusal::new(
                "Несколько значений может быть только у списка (@список)",
                "Only a list has several values (@list)",
            ));
        }
        parts.extend(all);
    }
    parts.push(New::text(name("sch:useRestriction"), if this.hidden.is_on() { "true" } else { "false" }));
    if !this.expression.trim().is_empty() {
        super::target::Fields::of(at.schema, &|_| false).require_all(at.schema, &this.expression)?;
        parts.push(New::text(name("sch:expression"), this.expression.trim()));
    }
    parts.extend(available(&this.available)?);
    if this.list.is_on() {
        parts.push(New::text(name("sch:valueListAllowed"), "true"));
    }
    parts.extend(on(this.field).map(|text| New::text(name("sch:availableAsField"), text)));
    parts.extend(on(this.complete).map(|text| New::text(name("sch:denyIncompleteValues"), text)));
    if this.always.is_on() {
        parts.push(New::text(name("sch:use"), "Always"));
    }
    let place = place(&this.before, &this.after, |other| parameter(at.schema, other).map(Parameter::element))?;
    draft.insert_at(at.schema.element(), New::with(name("sch:parameter"), parts), place)?;
    if this.dates.is_on() {
        let suffix = own.strip_prefix("Период").unwrap_or("");
        for (first, title, attribute) in
            [("НачалоПериода", "Начало периода", "ДатаНачала"), ("КонецПериода", "Конец периода", "ДатаОкончания")]
        {
            let other = format!("{first}{suffix}");
            refuse_twice(&other)?;
            let parts = [
                New::text(name("sch:name"), other),
                New::localized(name("sch:title"), [("ru", title)]),
                type_description(name("sch:valueType"), "ДатаВремя")?,
                New::text(name("sch:value"), "0001-01-01T00:00:00").typed(name("xs:dateTime")),
                New::text(name("sch:useRestriction"), "true"),
                New::text(name("sch:expression"), format!("&{own}.{attribute}")),
                New::text(name("sch:availableAsField"), "false"),
            ];
            draft.insert_at(at.schema.element(), New::with(name("sch:parameter"), parts), place)?;
        }
    }
    Ok(Say::new(format!("Добавлен параметр «{own}»"), format!("Added the parameter \"{own}\"")))
}

options! {
    /// Changes a parameter: what is given.
    ModifyParameter {
        /// Its name.
        name: String,
        /// Its type.
        r#type: Option<String>,
        /// Its title.
        title: Option<Texts>,
        /// Its value; several with `,` between them if it is a list.
        value: Option<String>,
        /// The expression that gives the value.
        expression: Option<String>,
        /// It takes a list of values.
        list: Flag,
        /// Values to choose from, in place of those that it has.
        available: Option<String>,
        /// The user doesn't see it.
        hidden: Flag,
        /// It is used even if the user switched it off.
        always: Flag,
        /// Incomplete values are refused.
        complete: Flag,
        /// It can be used as a field.
        field: Flag,
        /// What to take away: title, type, value, expression, available.
        clear: Names,
    }
}
applies!(ModifyParameter, modify);

/// Puts elements in place of all those of their name.
fn put_all<'d>(draft: &mut Draft<'d>, parent: Element<'d>, local: &str, new: Vec<New>) -> Result<(), Refusal> {
    let old: Vec<Element<'d>> = parent.children().filter(|child| child.is(local)).collect();
    let count = new.len();
    let last = old.last().copied();
    for (number, new) in new.into_iter().enumerate() {
        match (old.get(number), last) {
            (Some(element), _) => draft.replace(*element, new)?,
            (None, Some(last)) => draft.insert_at(parent, new, Place::After(last))?,
            (None, None) => draft.insert(parent, new)?,
        }
    }
    for element in old.into_iter().skip(count) {
        draft.remove(element)?;
    }
    Ok(())
}

fn modify<'d>(this: &ModifyParameter, at: &mut At<'d>, draft: &mut Draft<'d>) -> Result<Say, Refusal> {
    let own = required(&this.name, "name", "имя параметра", "the parameter's name")?;
    let parameter = parameter(at.schema, own)?;
    let element = parameter.element();
    if let Some(title) = &this.title {
        draft.set_localized(element, name("sch:title"), &title.0)?;
    }
    if let Some(of) = &this.r#type {
        draft.put_child(element, type_description(name("sch:valueType"), of)?)?;
    }
    if let Some(text) = &this.value {
        let all = values(text)?;
        if all.len() > 1 && !(this.list.is_on() || parameter.is_list()) {
            return Err(Refusal::new(
                "Несколько значений может быть только у списка (@список)",
                "Only a list has several values (@list)",
            ));
        }
        put_all(draft, element, "value", all)?;
    }
    if let Some(text) = &this.expression {
        super::target::Fields::of(at.schema, &|_| false).require_all(at.schema, text)?;
        draft.set_child(element, name("sch:expression"), Some(text.trim()))?;
    }
    if let Some(text) = &this.available {
        put_all(draft, element, "availableValue", available(text)?)?;
    }
    for (flag, local) in [
        (this.hidden, name("sch:useRestriction")),
        (this.list, name("sch:valueListAllowed")),
        (this.field, name("sch:availableAsField")),
        (this.complete, name("sch:denyIncompleteValues")),
    ] {
        if let Some(text) = on(flag) {
            draft.set_child(element, local, Some(text))?;
        }
    }
    if let Some(always) = this.always.0 {
        draft.set_child(element, name("sch:use"), Some(if always { "Always" } else { "Auto" }))?;
    }
    clear(draft, element, &this.clear)?;
    Ok(Say::new(format!("Изменён параметр «{own}»"), format!("Changed the parameter \"{own}\"")))
}

options! {
    /// Renames a parameter with everything that names it: queries, expressions, links, settings.
    RenameParameter {
        /// Its name.
        name: String,
        /// The new name.
        to: String,
    }
}
applies!(RenameParameter, rename);

fn rename<'d>(this: &RenameParameter, at: &mut At<'d>, draft: &mut Draft<'d>) -> Result<Say, Refusal> {
    let old = required(&this.name, "name", "имя параметра", "the parameter's name")?.trim_start_matches('&');
    let new = required(&this.to, "to", "новое имя", "the new name")?.trim_start_matches('&');
    check_name(new)?;
    let found = parameter(at.schema, old)?;
    let old = found.name();
    let all = uses(at.schema);
    let is_of = |name: &str, other: &str| leads_from(name, other);
    let taken = at.schema.parameters().any(|other| same(&other.name(), new))
        || all.iter().any(|used| used.named == Named::Parameter && is_of(&used.name, new));
    if taken && !same(&old, new) {
        return Err(Refusal::exists(("параметр", "parameter"), new));
    }
    draft.set_child(found.element(), name("sch:name"), Some(new))?;
    for used in all.into_iter().filter(|used| used.named == Named::Parameter && is_of(&used.name, &old)) {
        let start = used.range.start;
        let end = (start + old.len()).min(used.range.end);
        if used.element.text().get(start..end).is_some_and(|written| same(written, &old)) {
            rewrite(draft, used.element, start..end, new)?;
        }
    }
    Ok(Say::new(
        format!("Параметр «{old}» переименован в «{new}»"),
        format!("Renamed the parameter \"{old}\" to \"{new}\""),
    ))
}

options! {
    /// Puts a parameter at another place among the parameters.
    MoveParameter {
        /// Its name.
        name: String,
        /// The parameter to stand before.
        before: String,
        /// The parameter to stand behind.
        after: String,
        /// It becomes the first one.
        first: Flag,
    }
}
applies!(MoveParameter, reorder);

fn reorder<'d>(this: &MoveParameter, at: &mut At<'d>, draft: &mut Draft<'d>) -> Result<Say, Refusal> {
    let own = required(&this.name, "name", "имя параметра", "the parameter's name")?;
    let element = parameter(at.schema, own)?.element();
    let all: Vec<Element<'d>> = at.schema.parameters().map(Parameter::element).collect();
    let place = place(&this.before, &this.after, |other| parameter(at.schema, other).map(Parameter::element))?;
    super::target::move_among(draft, element, &all, place, this.first.is_on())?;
    Ok(Say::new(format!("Переставлен параметр «{own}»"), format!("Moved the parameter \"{own}\"")))
}

options! {
    /// Removes a parameter.
    RemoveParameter {
        /// Its name.
        name: String,
    }
}
applies!(RemoveParameter, remove);

fn remove<'d>(this: &RemoveParameter, at: &mut At<'d>, draft: &mut Draft<'d>) -> Result<Say, Refusal> {
    let own = required(&this.name, "name", "имя параметра", "the parameter's name")?;
    let element = parameter(at.schema, own)?.element();
    needs::remove(at, draft, &[element])?;
    Ok(Say::new(format!("Удалён параметр «{own}»"), format!("Removed the parameter \"{own}\"")))
}
