//! The order of a variant or a group: add, modify, remove.

use super::draft::Draft;
use super::refusal::{Refusal, Say};
use super::shorthand::{Flag, Names};
use super::spot::{Spot, add_to, by_number, items, list, on_off, set, set_use, spot};
use super::target::{Fields, named, place, required};
use super::words::{DIRECTIONS, word};
use super::{At, applies, options};
use crate::document::Element;
use crate::edit::New;

options! {
    /// Orders by fields: `Сумма убыв, Товар`; with `auto` by what the composition chooses.
    AddOrder {
        /// Paths of the fields, each with a direction behind it if it isn't ascending.
        fields: Names,
        /// The variant; may be left out if there is one only.
        variant: String,
        /// The item of the structure; the whole variant if left out.
        at: String,
        /// What the composition chooses.
        auto: Flag,
        /// Switched off.
        off: Flag,
        /// The field to stand before.
        before: String,
        /// The field to stand behind.
        after: String,
    }
}
applies!(AddOrder, add);

fn called(item: Element<'_>) -> String {
    if item.is_of("OrderItemAuto") { "авто".to_owned() } else { item.text_of("field").into_owned() }
}

fn find<'d>(spot: Spot<'d>, wanted: &str) -> Result<Element<'d>, Refusal> {
    let all = items(list(spot, "order"));
    if wanted.starts_with('#') {
        return by_number(&all, wanted);
    }
    named(all.into_iter().map(|item| (called(item), item)), wanted, ("поле порядка", "field of the order"))
}

fn add<'d>(this: &AddOrder, at: &mut At<'d>, draft: &mut Draft<'d>) -> Result<Say, Refusal> {
    let spot = spot(at.schema, &this.variant, &this.at)?;
    let known = Fields::in_settings(at.schema, spot.element);
    let mut new = Vec::new();
    for text in &this.fields.0 {
        let (field, direction) = match text.split_once(char::is_whitespace) {
            Some((field, direction)) => (field, word(DIRECTIONS, direction, ("направление", "direction"))?),
            None => (text.as_str(), "Asc"),
        };
        known.require(field)?;
        let mut parts = Vec::new();
        if this.off.is_on() {
            parts.push(New::text(set("use"), "false"));
        }
        parts.extend([New::text(set("field"), field), New::text(set("orderType"), direction)]);
        new.push(New::with(set("item"), parts).typed(set("OrderItemField")));
    }
    if this.auto.is_on() {
        new.push(New::empty(set("item")).typed(set("OrderItemAuto")));
    }
    if new.is_empty() {
        return Err(Refusal::missing("fields", "поля", "the fields"));
    }
    let place = place(&this.before, &this.after, |other| find(spot, other))?;
    add_to(draft, spot, "order", new, place)?;
    let fields = this.fields.0.join(", ");
    Ok(Say::new(format!("Добавлен порядок: {fields}"), format!("Added an order: {fields}")))
}

options! {
    /// Changes a field of the order.
    ModifyOrder {
        /// The field's path, or `#number`.
        name: String,
        /// The variant; may be left out if there is one only.
        variant: String,
        /// The item of the structure; the whole variant if left out.
        at: String,
        /// Another field.
        field: Option<String>,
        /// Descending, or (`нет`) ascending.
        descending: Flag,
        /// Switched on.
        on: Flag,
        /// Switched off.
        off: Flag,
    }
}
applies!(ModifyOrder, modify);

fn modify<'d>(this: &ModifyOrder, at: &mut At<'d>, draft: &mut Draft<'d>) -> Result<Say, Refusal> {
    let wanted = required(&this.name, "name", "поле порядка", "the field of the order")?;
    let item = find(spot(at.schema, &this.variant, &this.at)?, wanted)?;
    if (this.field.is_some() || this.descending.0.is_some()) && !item.is_of("OrderItemField") {
        return Err(Refusal::new("Это не поле", "This is no field"));
    }
    if let Some(field) = &this.field {
        Fields::in_settings(at.schema, item).require(field)?;
        draft.set_child(item, set("field"), Some(field))?;
    }
    if let Some(descending) = this.descending.0 {
        draft.set_child(item, set("orderType"), Some(if descending { "Desc" } else { "Asc" }))?;
    }
    set_use(draft, item, on_off(this.on, this.off))?;
    Ok(Say::new(format!("Изменён порядок «{wanted}»"), format!("Changed the order \"{wanted}\"")))
}

options! {
    /// Removes a field from the order.
    RemoveOrder {
        /// The field's path, `авто`, or `#number`.
        name: String,
        /// The variant; may be left out if there is one only.
        variant: String,
        /// The item of the structure; the whole variant if left out.
        at: String,
    }
}
applies!(RemoveOrder, remove);

fn remove<'d>(this: &RemoveOrder, at: &mut At<'d>, draft: &mut Draft<'d>) -> Result<Say, Refusal> {
    let wanted = required(&this.name, "name", "поле порядка", "the field of the order")?;
    let item = find(spot(at.schema, &this.variant, &this.at)?, wanted)?;
    draft.remove(item)?;
    Ok(Say::new(format!("Удалён порядок «{wanted}»"), format!("Removed the order \"{wanted}\"")))
}
