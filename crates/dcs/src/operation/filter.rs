//! Filters of a variant or a group: conditions and groups of them; add, modify, remove.

use super::draft::Draft;
use super::refusal::{Refusal, Say};
use super::shorthand::{Condition, Flag, Texts, ValuePlace, conditions, value};
use super::spot::{ForUser, Spot, add_to, by_number, items, list, on_off, set, set_use, spot};
use super::target::{Fields, named, parameter, required};
use super::{At, applies, options};
use crate::document::Element;
use crate::edit::{New, NewContent, Place};
use crate::formal::name;
use crate::view::Schema;

options! {
    /// Adds conditions: `Сумма > 100 и (Склад = &Склад или Склад не заполнено) @variant(Основной)`.
    AddFilter {
        /// The condition; those joined by `и` are several.
        condition: String,
        /// The variant; may be left out if there is one only.
        variant: String,
        /// The item of the structure; the whole variant if left out.
        at: String,
        /// The group of conditions to stand in: `#2`, `#2/#1`.
        inside: String,
        /// What is shown instead of the condition.
        presentation: Option<Texts>,
        /// Switched off until the user switches it on.
        off: Flag,
        /// The user may change it.
        user: Flag,
        /// How it is shown to the user: quick, normal, hidden.
        view: String,
        /// Its title for the user.
        title: Option<Texts>,
    }
}
applies!(AddFilter, add);

/// Elements of conditions, to stand in `around`. Fields and parameters that there aren't are refused.
pub(super) fn new_items(
    schema: Schema<'_>,
    around: Element<'_>,
    text: &str,
    mut dress: impl FnMut(usize, Vec<New>) -> Result<Vec<New>, Refusal>,
) -> Result<Vec<New>, Refusal> {
    let known = Fields::in_settings(schema, around);
    let all = conditions(text)?;
    let mut new = Vec::new();
    for (number, condition) in all.iter().enumerate() {
        let mut item = new_item(schema, &known, condition)?;
        if let NewContent::Elements(parts) = item.content {
            item.content = NewContent::Elements(dress(number, parts)?);
        }
        new.push(item);
    }
    Ok(new)
}

fn new_item(schema: Schema<'_>, known: &Fields, condition: &Condition) -> Result<New, Refusal> {
    Ok(match condition {
        Condition::Group(kind, inner) => {
            let mut parts = vec![New::text(set("groupType"), *kind)];
            for condition in inner {
                parts.push(new_item(schema, known, condition)?);
            }
            New::with(set("item"), parts).typed(set("FilterItemGroup"))
        }
        Condition::Comparison { left, comparison, right } => {
            known.require(left)?;
            let mut parts = vec![
                New::text(set("left"), left.as_str()).typed(name("cor:Field")),
                New::text(set("comparisonType"), *comparison),
            ];
            for text in right {
                if let Some(wanted) = text.strip_prefix('&') {
                    parameter(schema, wanted.split('.').next().unwrap_or(""))?;
                }
                let new = value(set("right"), text, ValuePlace::Condition)?;
                if new.of == Some(name("cor:Field")) && !text.starts_with('&') {
                    known.require(text)?;
                }
                parts.push(new);
            }
            New::with(set("item"), parts).typed(set("FilterItemComparison"))
        }
    })
}

/// The item that `#2` or `#2/#1` names, or the one condition on a field.
fn find<'d>(spot: Spot<'d>, wanted: &str) -> Result<Element<'d>, Refusal> {
    let mut level = items(list(spot, "filter"));
    if wanted.trim_start().starts_with('#') {
        let mut found = None;
        for step in wanted.split('/') {
            let item = by_number(&level, step)?;
            level = item.all("item").collect();
            found = Some(item);
        }
        return found.ok_or_else(|| Refusal::missing("name", "условие", "the condition"));
    }
    let mut all = Vec::new();
    while let Some(item) = level.pop() {
        level.extend(item.all("item"));
        if item.is_of("FilterItemComparison") {
            all.push((item.text_of("left").into_owned(), item));
        }
    }
    all.reverse();
    if all.iter().filter(|(field, _)| super::target::same(field, wanted)).count() > 1 {
        return Err(Refusal::new(
            format!("На поле «{wanted}» несколько условий: укажите номер (#1)"),
            format!("There are several conditions on \"{wanted}\": give a number (#1)"),
        ));
    }
    named(all, wanted, ("условие на поле", "condition on the field"))
}

fn add<'d>(this: &AddFilter, at: &mut At<'d>, draft: &mut Draft<'d>) -> Result<Say, Refusal> {
    let text = required(&this.condition, "condition", "условие", "the condition")?;
    let spot = spot(at.schema, &this.variant, &this.at)?;
    let user = ForUser { user: this.user, view: &this.view, title: this.title.as_ref() };
    let document = spot.element.document();
    let new = new_items(at.schema, spot.element, text, |number, mut parts| {
        if this.off.is_on() {
            parts.insert(0, New::text(set("use"), "false"));
        }
        parts.extend(this.presentation.as_ref().map(|shown| shown.element(set("presentation"))));
        parts.extend(user.elements(document, spot.element.range().start + number)?);
        Ok(parts)
    })?;
    match this.inside.trim() {
        "" => add_to(draft, spot, "filter", new, Place::InOrder)?,
        inside => {
            let group = find(spot, inside)?;
            if !group.is_of("FilterItemGroup") {
                return Err(Refusal::new(
                    format!("{inside} — не группа условий"),
                    format!("{inside} is no group of conditions"),
                ));
            }
            for new in new {
                draft.insert(group, new)?;
            }
        }
    }
    Ok(Say::new(format!("Добавлен отбор: {text}"), format!("Added a filter: {text}")))
}

options! {
    /// Changes a condition of a filter.
    ModifyFilter {
        /// The field it is on, or `#number` (in a group `#2/#1`).
        name: String,
        /// The variant; may be left out if there is one only.
        variant: String,
        /// The item of the structure; the whole variant if left out.
        at: String,
        /// Another condition in its place; what the user sees of it stays.
        condition: Option<String>,
        /// Switched on.
        on: Flag,
        /// Switched off.
        off: Flag,
        /// The user may change it.
        user: Flag,
        /// How it is shown to the user: quick, normal, hidden.
        view: String,
        /// Its title for the user.
        title: Option<Texts>,
    }
}
applies!(ModifyFilter, modify);

fn modify<'d>(this: &ModifyFilter, at: &mut At<'d>, draft: &mut Draft<'d>) -> Result<Say, Refusal> {
    let wanted = required(&this.name, "name", "условие", "the condition")?;
    let item = find(spot(at.schema, &this.variant, &this.at)?, wanted)?;
    if let Some(text) = &this.condition {
        let mut new = new_items(at.schema, item, text, |_, parts| Ok(parts))?;
        let (Some(new), true) = (new.pop().filter(|new| new.of == Some(set("FilterItemComparison"))), new.is_empty())
        else {
            return Err(Refusal::new(
                "Здесь нужно одно сравнение, без «и» и «или»",
                "One comparison is wanted here, without \"and\" and \"or\"",
            ));
        };
        if !item.is_of("FilterItemComparison") {
            return Err(Refusal::new("Это группа условий", "This is a group of conditions"));
        }
        replace_comparison(draft, item, new)?;
    }
    set_use(draft, item, on_off(this.on, this.off))?;
    ForUser { user: this.user, view: &this.view, title: this.title.as_ref() }.set(draft, item)?;
    Ok(Say::new(format!("Изменён отбор «{wanted}»"), format!("Changed the filter \"{wanted}\"")))
}

/// Puts field, comparison and values in place of those of an item.
fn replace_comparison<'d>(draft: &mut Draft<'d>, item: Element<'d>, new: New) -> Result<(), Refusal> {
    let NewContent::Elements(parts) = new.content else { return Ok(()) };
    let old: Vec<Element<'d>> = item.all("right").collect();
    let mut rights = 0;
    for part in parts {
        match part.name.local {
            "comparisonType" => {
                if let (Some(element), NewContent::Text(text)) = (item.child("comparisonType"), &part.content) {
                    draft.set_text(element, text)?;
                }
            }
            "right" => {
                match old.get(rights) {
                    Some(element) => draft.replace(*element, part)?,
                    None => draft.insert(item, part)?,
                }
                rights += 1;
            }
            _ => match (item.child("left"), &part.content) {
                (Some(element), NewContent::Text(text)) if element.is_of("Field") => draft.set_text(element, text)?,
                _ => draft.put_child(item, part)?,
            },
        }
    }
    for element in old.into_iter().skip(rights) {
        draft.remove(element)?;
    }
    Ok(())
}

options! {
    /// Removes a condition, or a group of conditions with what it holds.
    RemoveFilter {
        /// The field it is on, or `#number` (in a group `#2/#1`).
        name: String,
        /// The variant; may be left out if there is one only.
        variant: String,
        /// The item of the structure; the whole variant if left out.
        at: String,
    }
}
applies!(RemoveFilter, remove);

fn remove<'d>(this: &RemoveFilter, at: &mut At<'d>, draft: &mut Draft<'d>) -> Result<Say, Refusal> {
    let wanted = required(&this.name, "name", "условие", "the condition")?;
    let item = find(spot(at.schema, &this.variant, &this.at)?, wanted)?;
    draft.remove(item)?;
    Ok(Say::new(format!("Удалён отбор «{wanted}»"), format!("Removed the filter \"{wanted}\"")))
}
