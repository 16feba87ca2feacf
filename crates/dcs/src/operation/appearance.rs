//! Conditional appearance of a variant or a group: add, modify, remove.

use super::draft::{Draft, shown};
use super::filter::new_items;
use super::refusal::{Refusal, Say};
use super::shorthand::{Flag, Names, Texts, split};
use super::spot::{ForUser, Spot, add_to, by_number, items, list, on_off, set, set_use, spot};
use super::target::{Fields, named, required};
use super::values::{APPEARANCES, element_of, item, known};
use super::{At, applies, options};
use crate::document::Element;
use crate::edit::{New, Place};
use crate::formal::name;

options! {
    /// Adds conditional appearance: `ЦветТекста = #FF0000; Формат = "ЧДЦ=2" @where(Сумма < 0) @fields(Сумма)`.
    AddAppearance {
        /// What it does: parameters with their values, `;` between them.
        appearance: String,
        /// The condition under which it holds; always if left out.
        r#where: String,
        /// Fields that it concerns; all if left out.
        fields: Names,
        /// The variant; may be left out if there is one only.
        variant: String,
        /// The item of the structure; the whole variant if left out.
        at: String,
        /// What the user sees.
        presentation: Option<Texts>,
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
applies!(AddAppearance, add);

/// Items of an appearance.
fn looks(text: &str, around: Element<'_>) -> Result<Vec<New>, Refusal> {
    let mut new = Vec::new();
    for part in split(text, ';')? {
        let Some((parameter, value)) = part.split_once('=') else {
            return Err(Refusal::new(
                format!("Оформление — ПАРАМЕТР = ЗНАЧЕНИЕ, а не «{part}»"),
                format!("An appearance is PARAMETER = VALUE, not \"{part}\""),
            ));
        };
        let (parameter, takes) = known(APPEARANCES, parameter, ("параметр оформления", "parameter of appearance"))?;
        new.push(item(parameter, element_of(name("cor:value"), takes, value, around)?, false, Vec::new()));
    }
    Ok(new)
}

fn field(path: &str) -> New {
    New::with(set("item"), [New::text(set("field"), path)])
}

fn add<'d>(this: &AddAppearance, at: &mut At<'d>, draft: &mut Draft<'d>) -> Result<Say, Refusal> {
    let text = required(&this.appearance, "appearance", "оформление", "the appearance")?;
    let spot = spot(at.schema, &this.variant, &this.at)?;
    let fields = Fields::in_settings(at.schema, spot.element);
    for field in &this.fields.0 {
        fields.require(field)?;
    }
    let conditions = match this.r#where.trim() {
        "" => Vec::new(),
        text => new_items(at.schema, spot.element, text, |_, parts| Ok(parts))?,
    };
    let mut parts = Vec::new();
    if this.off.is_on() {
        parts.push(New::text(set("use"), "false"));
    }
    parts.push(New::with(set("selection"), this.fields.0.iter().map(|path| field(path))));
    parts.push(New::with(set("filter"), conditions));
    parts.push(New::with(set("appearance"), looks(text, spot.element)?));
    parts.extend(this.presentation.as_ref().map(|shown| shown.element(set("presentation"))));
    let user = ForUser { user: this.user, view: &this.view, title: this.title.as_ref() };
    parts.extend(user.elements(spot.element.document(), spot.element.range().start)?);
    add_to(draft, spot, "conditionalAppearance", vec![New::with(set("item"), parts)], Place::InOrder)?;
    Ok(Say::new(format!("Добавлено оформление: {text}"), format!("Added an appearance: {text}")))
}

/// The item of a number, or of what the user sees.
fn find<'d>(spot: Spot<'d>, wanted: &str) -> Result<Element<'d>, Refusal> {
    let all = items(list(spot, "conditionalAppearance"));
    if wanted.trim_start().starts_with('#') {
        return by_number(&all, wanted);
    }
    let called = |item: &Element<'d>| (shown(item.child("presentation")), *item);
    named(all.iter().map(called), wanted, ("оформление", "appearance"))
}

options! {
    /// Changes an item of conditional appearance.
    ModifyAppearance {
        /// `#number`, or what the user sees.
        name: String,
        /// The variant; may be left out if there is one only.
        variant: String,
        /// The item of the structure; the whole variant if left out.
        at: String,
        /// Parameters with their values, `;` between them; others stay.
        appearance: Option<String>,
        /// Another condition in place of the one that it has.
        r#where: Option<String>,
        /// Fields that it concerns, in place of those that it has.
        fields: Option<Names>,
        /// What the user sees.
        presentation: Option<Texts>,
        /// Switched on.
        on: Flag,
        /// Switched off.
        off: Flag,
    }
}
applies!(ModifyAppearance, modify);

fn put_items<'d>(
    draft: &mut Draft<'d>,
    around: Element<'d>,
    local: &'static str,
    new: Vec<New>,
) -> Result<(), Refusal> {
    let new = New::with(set(local), new);
    match around.child(local) {
        Some(list) => draft.replace_items(list, new),
        None => draft.insert(around, new),
    }
}

fn modify<'d>(this: &ModifyAppearance, at: &mut At<'d>, draft: &mut Draft<'d>) -> Result<Say, Refusal> {
    let wanted = required(&this.name, "name", "оформление", "the appearance")?;
    let spot = spot(at.schema, &this.variant, &this.at)?;
    let found = find(spot, wanted)?;
    if let Some(text) = &this.appearance {
        let new = looks(text, spot.element)?;
        match found.child("appearance") {
            Some(list) => {
                for (new, part) in new.into_iter().zip(split(text, ';')?) {
                    let parameter = part.split('=').next().unwrap_or("").trim().to_lowercase();
                    let twin = twin(&parameter);
                    let old = list.all("item").find(|item| {
                        let own = item.text_of("parameter").to_lowercase();
                        own == parameter || Some(own) == twin
                    });
                    match old.and_then(|old| old.child("value").filter(|_| old.child("item").is_none())) {
                        Some(value) => {
                            if let crate::edit::NewContent::Elements(parts) = new.content {
                                for part in parts.into_iter().filter(|part| part.name.local == "value") {
                                    draft.replace(value, part)?;
                                }
                            }
                        }
                        None => draft.insert(list, new)?,
                    }
                }
            }
            None => draft.insert(found, New::with(set("appearance"), new))?,
        }
    }
    if let Some(text) = &this.r#where {
        let new = match text.trim() {
            "" => Vec::new(),
            text => new_items(at.schema, found, text, |_, parts| Ok(parts))?,
        };
        put_items(draft, found, "filter", new)?;
    }
    if let Some(fields) = &this.fields {
        let all = Fields::in_settings(at.schema, found);
        for field in &fields.0 {
            all.require(field)?;
        }
        put_items(draft, found, "selection", fields.0.iter().map(|path| field(path)).collect())?;
    }
    if let Some(texts) = &this.presentation {
        draft.set_localized(found, set("presentation"), &texts.0)?;
    }
    set_use(draft, found, on_off(this.on, this.off))?;
    Ok(Say::new(format!("Изменено оформление {wanted}"), format!("Changed the appearance {wanted}")))
}

/// The name of a parameter in the other language.
fn twin(parameter: &str) -> Option<String> {
    let found = APPEARANCES
        .iter()
        .find(|(russian, english, _)| russian.to_lowercase() == parameter || english.to_lowercase() == parameter)?;
    let (russian, english) = (found.0.to_lowercase(), found.1.to_lowercase());
    Some(if russian == parameter { english } else { russian })
}

options! {
    /// Removes an item of conditional appearance.
    RemoveAppearance {
        /// `#number`, or what the user sees.
        name: String,
        /// The variant; may be left out if there is one only.
        variant: String,
        /// The item of the structure; the whole variant if left out.
        at: String,
    }
}
applies!(RemoveAppearance, remove);

fn remove<'d>(this: &RemoveAppearance, at: &mut At<'d>, draft: &mut Draft<'d>) -> Result<Say, Refusal> {
    let wanted = required(&this.name, "name", "оформление", "the appearance")?;
    let found = find(spot(at.schema, &this.variant, &this.at)?, wanted)?;
    draft.remove(found)?;
    Ok(Say::new(format!("Удалено оформление {wanted}"), format!("Removed the appearance {wanted}")))
}
