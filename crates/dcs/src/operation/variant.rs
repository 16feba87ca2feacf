//! Variants of the settings: add, copy, rename, reorder, remove.

use super::draft::Draft;
use super::refusal::{Refusal, Say};
use super::shorthand::{Flag, Names, Texts};
use super::spot::{auto_lists, set, variant};
use super::structure::group_items;
use super::target::{Fields, move_among, place, required, same};
use super::{At, applies, needs, options};
use crate::document::Element;
use crate::edit::New;
use crate::formal::name;
use crate::view::{Schema, Variant};

options! {
    /// Adds a variant: `ПоМенеджерам "По менеджерам" @поля(Менеджер, Сумма) @группировки(Менеджер)`.
    AddVariant {
        /// Its name.
        name: String,
        /// What the user sees; the name if left out.
        title: Option<Texts>,
        /// Selected fields; those that the composition chooses if left out.
        fields: Names,
        /// Fields to group by, from the outermost group on (with `+` several in one group); detail records stand inside.
        groups: Names,
        /// The variant to stand before.
        before: String,
        /// The variant to stand behind.
        after: String,
    }
}
applies!(AddVariant, add);

fn element_of<'d>(schema: Schema<'d>, name: &str) -> Result<Element<'d>, Refusal> {
    variant(schema, name).map(Variant::element)
}

fn refuse_twice(schema: Schema<'_>, own: &str) -> Result<(), Refusal> {
    match schema.variants().any(|variant| same(&variant.name(), own)) {
        true => Err(Refusal::exists(("вариант", "variant"), own)),
        false => Ok(()),
    }
}

fn add<'d>(this: &AddVariant, at: &mut At<'d>, draft: &mut Draft<'d>) -> Result<Say, Refusal> {
    let own = required(&this.name, "name", "имя варианта", "the variant's name")?;
    refuse_twice(at.schema, own)?;
    let known = Fields::in_new_settings(at.schema);
    for field in &this.fields.0 {
        known.require(field)?;
    }
    let groups: Vec<Vec<New>> =
        this.groups.0.iter().map(|group| group_items(&known, group)).collect::<Result<_, _>>()?;
    let place = place(&this.before, &this.after, |other| element_of(at.schema, other))?;
    draft.insert_at(at.schema.element(), new(own, this.title.as_ref(), &this.fields, groups), place)?;
    Ok(Say::new(format!("Добавлен вариант «{own}»"), format!("Added the variant \"{own}\"")))
}

/// A variant with groups one in another and details in the innermost one.
pub(super) fn new(own: &str, title: Option<&Texts>, fields: &Names, groups: Vec<Vec<New>>) -> New {
    let selected =
        |field: &String| New::with(set("item"), [New::text(set("field"), field)]).typed(set("SelectedItemField"));
    let mut settings = Vec::new();
    if !fields.is_empty() {
        settings.push(New::with(set("selection"), fields.0.iter().map(selected)));
    }
    let mut inner = New::with(set("item"), auto_lists()).typed(set("StructureItemGroup"));
    for group in groups.into_iter().rev() {
        let mut parts = vec![New::with(set("groupItems"), group)];
        parts.extend(auto_lists());
        parts.push(inner);
        inner = New::with(set("item"), parts).typed(set("StructureItemGroup"));
    }
    settings.push(inner);
    let title = match title {
        Some(title) => title.element(set("presentation")),
        None => New::localized(set("presentation"), [("ru", own)]),
    };
    New::with(name("sch:settingsVariant"), [New::text(set("name"), own), title, New::with(set("settings"), settings)])
}

options! {
    /// Copies a variant: `Основной -> ПоСкладам`.
    CopyVariant {
        /// The variant to copy.
        name: String,
        /// The copy's name.
        to: String,
        /// What the user sees of the copy; the new name if left out.
        title: Option<Texts>,
    }
}
applies!(CopyVariant, copy);

fn copy<'d>(this: &CopyVariant, at: &mut At<'d>, draft: &mut Draft<'d>) -> Result<Say, Refusal> {
    let old = required(&this.name, "name", "имя варианта", "the variant's name")?;
    let new = required(&this.to, "to", "новое имя", "the new name")?;
    let element = element_of(at.schema, old)?;
    refuse_twice(at.schema, new)?;
    let title = this.title.clone().unwrap_or_else(|| Texts(vec![("ru".to_owned(), new.to_owned())]));
    draft.copy(element, at.schema.element(), crate::edit::Place::After(element), |inner| {
        inner.set_child(element, set("name"), Some(new))?;
        match element.child("presentation") {
            Some(shown) => inner.replace(shown, title.element(set("presentation"))),
            None => inner.insert(element, title.element(set("presentation"))),
        }
    })?;
    Ok(Say::new(format!("Вариант «{old}» скопирован в «{new}»"), format!("Copied the variant \"{old}\" to \"{new}\"")))
}

options! {
    /// Renames a variant, or changes what the user sees: `Основной -> ПоСкладам @title(По складам)`.
    RenameVariant {
        /// Its name.
        name: String,
        /// The new name; it stays if left out.
        to: String,
        /// What the user sees.
        title: Option<Texts>,
    }
}
applies!(RenameVariant, rename);

fn rename<'d>(this: &RenameVariant, at: &mut At<'d>, draft: &mut Draft<'d>) -> Result<Say, Refusal> {
    let old = required(&this.name, "name", "имя варианта", "the variant's name")?;
    let element = element_of(at.schema, old)?;
    let new = this.to.trim();
    if !new.is_empty() {
        if !same(old, new) {
            refuse_twice(at.schema, new)?;
        }
        draft.set_child(element, set("name"), Some(new))?;
    }
    if let Some(title) = &this.title {
        draft.set_localized(element, set("presentation"), &title.0)?;
    }
    Ok(Say::new(format!("Изменено имя варианта «{old}»"), format!("Renamed the variant \"{old}\"")))
}

options! {
    /// Puts a variant at another place among the variants.
    MoveVariant {
        /// Its name.
        name: String,
        /// The variant to stand before.
        before: String,
        /// The variant to stand behind.
        after: String,
        /// It becomes the first one.
        first: Flag,
    }
}
applies!(MoveVariant, reorder);

fn reorder<'d>(this: &MoveVariant, at: &mut At<'d>, draft: &mut Draft<'d>) -> Result<Say, Refusal> {
    let own = required(&this.name, "name", "имя варианта", "the variant's name")?;
    let element = element_of(at.schema, own)?;
    let all: Vec<Element<'d>> = at.schema.variants().map(Variant::element).collect();
    let place = place(&this.before, &this.after, |other| element_of(at.schema, other))?;
    move_among(draft, element, &all, place, this.first.is_on())?;
    Ok(Say::new(format!("Переставлен вариант «{own}»"), format!("Moved the variant \"{own}\"")))
}

options! {
    /// Removes a variant; the last one stays.
    RemoveVariant {
        /// Its name.
        name: String,
    }
}
applies!(RemoveVariant, remove);

fn remove<'d>(this: &RemoveVariant, at: &mut At<'d>, draft: &mut Draft<'d>) -> Result<Say, Refusal> {
    let own = required(&this.name, "name", "имя варианта", "the variant's name")?;
    let element = element_of(at.schema, own)?;
    if at.schema.variants().count() == 1 {
        return Err(Refusal::new(
            format!("«{own}» — единственный вариант отчёта"),
            format!("\"{own}\" is the report's only variant"),
        ));
    }
    needs::remove(at, draft, &[element])?;
    Ok(Say::new(format!("Удалён вариант «{own}»"), format!("Removed the variant \"{own}\"")))
}
