//! Selected fields of a variant or a group: fields, folders, those that the composition chooses; add, modify, remove.

use super::draft::{Draft, shown};
use super::refusal::{Refusal, Say};
use super::shorthand::{Flag, Names, Texts};
use super::spot::{Spot, add_to, by_number, items, list, on_off, set, set_use, spot};
use super::target::{Fields, named, place, required};
use super::words::{FOLDER_PLACEMENTS, word};
use super::{At, applies, options};
use crate::document::Element;
use crate::edit::{New, Place};

options! {
    /// Selects fields: `Склад, Товар @variant(Основной)`; with `auto` those that the composition chooses.
    AddSelection {
        /// Paths of the fields.
        fields: Names,
        /// The variant; may be left out if there is one only.
        variant: String,
        /// The item of the structure; the whole variant if left out.
        at: String,
        /// The title of the column.
        title: Option<Texts>,
        /// The folder to stand in: its title.
        inside: String,
        /// A folder with this title is made for the fields.
        folder: Option<Texts>,
        /// How the folder puts its fields: auto, horizontally, vertically, together, special column.
        placement: String,
        /// Those that the composition chooses.
        auto: Flag,
        /// Switched off.
        off: Flag,
        /// The field to stand before.
        before: String,
        /// The field to stand behind.
        after: String,
    }
}
applies!(AddSelection, add);

fn item(field: &str, title: Option<&Texts>, off: Flag) -> New {
    let mut parts = Vec::new();
    if off.is_on() {
        parts.push(New::text(set("use"), "false"));
    }
    parts.push(New::text(set("field"), field));
    // The platform writes no type for this one, as its type is declared.
    parts.extend(title.map(|title| New { of: None, ..title.element(set("lwsTitle")) }));
    New::with(set("item"), parts).typed(set("SelectedItemField"))
}

/// All items of a selection, those in folders too.
fn all<'d>(list: Option<Element<'d>>) -> Vec<Element<'d>> {
    let mut found = Vec::new();
    let mut open = items(list);
    open.reverse();
    while let Some(item) = open.pop() {
        found.push(item);
        let start = open.len();
        open.extend(item.all("item"));
        open[start..].reverse();
    }
    found
}

fn called(item: Element<'_>) -> String {
    let field = item.text_of("field");
    if !field.is_empty() {
        return field.into_owned();
    }
    if item.is_of("SelectedItemAuto") {
        return "авто".to_owned();
    }
    let title = shown(item.child("lwsTitle"));
    if title.is_empty() { item.text_of("title").into_owned() } else { title }
}

fn find<'d>(spot: Spot<'d>, wanted: &str) -> Result<Element<'d>, Refusal> {
    let all = all(list(spot, "selection"));
    if wanted.starts_with('#') {
        return by_number(&all, wanted);
    }
    named(all.into_iter().map(|item| (called(item), item)), wanted, ("выбранное поле", "selected field"))
}

fn add<'d>(this: &AddSelection, at: &mut At<'d>, draft: &mut Draft<'d>) -> Result<Say, Refusal> {
    let spot = spot(at.schema, &this.variant, &this.at)?;
    let known = Fields::in_settings(at.schema, spot.element);
    let mut new = Vec::new();
    for field in &this.fields.0 {
        known.require(field)?;
        new.push(item(field, this.title.as_ref(), this.off));
    }
    if this.auto.is_on() {
        new.push(New::empty(set("item")).typed(set("SelectedItemAuto")));
    }
    if let Some(folder) = &this.folder {
        let placement = match this.placement.trim() {
            "" => "Auto",
            text => word(FOLDER_PLACEMENTS, text, ("расположение", "placement"))?,
        };
        let mut parts = vec![New { of: None, ..folder.element(set("lwsTitle")) }];
        parts.append(&mut new);
        parts.push(New::text(set("placement"), placement));
        new = vec![New::with(set("item"), parts).typed(set("SelectedItemFolder"))];
    }
    if new.is_empty() {
        return Err(Refusal::missing("fields", "поля", "the fields"));
    }
    let place = place(&this.before, &this.after, |other| find(spot, other))?;
    let around = match (this.inside.trim(), place) {
        ("", Place::Before(other) | Place::After(other)) => other.parent(),
        ("", Place::InOrder) => None,
        (folder, _) => Some(find(spot, folder)?).filter(|found| found.is_of("SelectedItemFolder")),
    };
    if !this.inside.trim().is_empty() && around.is_none() {
        return Err(Refusal::new(format!("«{}» — не папка", this.inside), format!("\"{}\" is no folder", this.inside)));
    }
    match around {
        Some(around) => {
            for new in new {
                draft.insert_at(around, new, place)?;
            }
        }
        None => add_to(draft, spot, "selection", new, place)?,
    }
    let fields = this.fields.0.join(", ");
    Ok(Say::new(format!("Выбраны поля: {fields}"), format!("Selected fields: {fields}")))
}

options! {
    /// Changes a selected field or a folder.
    ModifySelection {
        /// The field's path, the folder's title, or `#number`.
        name: String,
        /// The variant; may be left out if there is one only.
        variant: String,
        /// The item of the structure; the whole variant if left out.
        at: String,
        /// The title of the column.
        title: Option<Texts>,
        /// Another field.
        field: Option<String>,
        /// How a folder puts its fields.
        placement: String,
        /// Switched on.
        on: Flag,
        /// Switched off.
        off: Flag,
    }
}
applies!(ModifySelection, modify);

fn modify<'d>(this: &ModifySelection, at: &mut At<'d>, draft: &mut Draft<'d>) -> Result<Say, Refusal> {
    let wanted = required(&this.name, "name", "выбранное поле", "the selected field")?;
    let item = find(spot(at.schema, &this.variant, &this.at)?, wanted)?;
    let is_auto = item.is_of("SelectedItemAuto");
    if let Some(field) = &this.field {
        Fields::in_settings(at.schema, item).require(field)?;
        let element = item.child("field").filter(|_| !is_auto);
        let element = element.ok_or_else(|| Refusal::new("Это не поле", "This is no field"))?;
        draft.set_text(element, field)?;
    }
    if let Some(title) = &this.title {
        if is_auto {
            return Err(Refusal::new("У автополя нет заголовка", "What is chosen automatically has no title"));
        }
        match item.child("lwsTitle") {
            Some(_) => draft.set_localized(item, set("lwsTitle"), &title.0)?,
            None => draft.insert(item, New { of: None, ..title.element(set("lwsTitle")) })?,
        }
    }
    if !this.placement.trim().is_empty() {
        if !item.is_of("SelectedItemFolder") {
            return Err(Refusal::new("Расположение есть только у папки", "Only a folder has a placement"));
        }
        let placement = word(FOLDER_PLACEMENTS, &this.placement, ("расположение", "placement"))?;
        draft.set_child(item, set("placement"), Some(placement))?;
    }
    set_use(draft, item, on_off(this.on, this.off))?;
    Ok(Say::new(format!("Изменено выбранное поле «{wanted}»"), format!("Changed the selected field \"{wanted}\"")))
}

options! {
    /// Removes a selected field, or a folder with what it holds.
    RemoveSelection {
        /// The field's path, the folder's title, `авто`, or `#number`.
        name: String,
        /// The variant; may be left out if there is one only.
        variant: String,
        /// The item of the structure; the whole variant if left out.
        at: String,
    }
}
applies!(RemoveSelection, remove);

fn remove<'d>(this: &RemoveSelection, at: &mut At<'d>, draft: &mut Draft<'d>) -> Result<Say, Refusal> {
    let wanted = required(&this.name, "name", "выбранное поле", "the selected field")?;
    let item = find(spot(at.schema, &this.variant, &this.at)?, wanted)?;
    draft.remove(item)?;
    Ok(Say::new(format!("Поле «{wanted}» больше не выбрано"), format!("The field \"{wanted}\" is no longer selected")))
}
