//! What the user may change of settings, and clearing of lists.

use super::draft::Draft;
use super::refusal::{Refusal, Say};
use super::shorthand::{Flag, Texts};
use super::spot::{ForUser, by_number, items, list, on_off, set_use, spot};
use super::target::named;
use super::words::{LISTS, word};
use super::{At, applies, needs, options};
use crate::document::Element;
use crate::view::StructureItem;

options! {
    /// Says what the user may change: a list (`отбор`), an item of a list (`отбор @item(#2)`), or an item of the structure.
    UserSettings {
        /// The list: selection, filter, order, appearance, output, parameters; the item of the structure itself if left out.
        of: String,
        /// The item of the list: `#number`, its field or its parameter.
        item: String,
        /// The variant; may be left out if there is one only.
        variant: String,
        /// The item of the structure.
        at: String,
        /// The user may change it.
        user: Flag,
        /// How it is shown to the user: quick, normal, hidden.
        view: String,
        /// Its title for the user.
        title: Option<Texts>,
        /// Switched on.
        on: Flag,
        /// Switched off.
        off: Flag,
    }
}
applies!(UserSettings, settings);

/// What an item of a list is called.
fn called(item: Element<'_>) -> String {
    for part in ["field", "left", "parameter"] {
        let text = item.text_of(part);
        if !text.is_empty() {
            return text.into_owned();
        }
    }
    super::draft::shown(item.child("presentation"))
}

fn settings<'d>(this: &UserSettings, at: &mut At<'d>, draft: &mut Draft<'d>) -> Result<Say, Refusal> {
    let spot = spot(at.schema, &this.variant, &this.at)?;
    let element = match this.of.trim() {
        "" if spot.is_settings => return Err(Refusal::missing("of", "список настроек", "the list of settings")),
        "" => spot.element,
        of => {
            let local = word(LISTS, of, ("список настроек", "list of settings"))?;
            let found = list(spot, local).filter(|_| local != "item").ok_or_else(|| {
                Refusal::new(format!("Здесь нет списка «{of}»"), format!("There is no list \"{of}\" here"))
            })?;
            match this.item.trim() {
                "" => found,
                wanted if wanted.starts_with('#') => by_number(&items(Some(found)), wanted)?,
                wanted => {
                    let all = items(Some(found)).into_iter().map(|item| (called(item), item));
                    named(all, wanted, ("элемент списка", "item of the list"))?
                }
            }
        }
    };
    set_use(draft, element, on_off(this.on, this.off))?;
    ForUser { user: this.user, view: &this.view, title: this.title.as_ref() }.set(draft, element)?;
    let path = element.path();
    Ok(Say::new(format!("Настройка для пользователя: {path}"), format!("Set for the user: {path}")))
}

options! {
    /// Clears a list: `отбор @variant(Основной)`; `структура` removes all items of the structure.
    ClearSettings {
        /// The list: selection, filter, order, appearance, output, parameters, structure.
        of: String,
        /// The variant; may be left out if there is one only.
        variant: String,
        /// The item of the structure; the whole variant if left out.
        at: String,
    }
}
applies!(ClearSettings, clear);

fn clear<'d>(this: &ClearSettings, at: &mut At<'d>, draft: &mut Draft<'d>) -> Result<Say, Refusal> {
    let local = word(LISTS, &this.of, ("список настроек", "list of settings"))?;
    let spot = spot(at.schema, &this.variant, &this.at)?;
    let all: Vec<Element<'d>> = if local == "item" {
        StructureItem(spot.element).inner().map(|item| item.element()).collect()
    } else {
        items(list(spot, local))
    };
    needs::remove(at, draft, &all)?;
    Ok(Say::new(format!("Очищено: {}", this.of), format!("Cleared: {}", this.of)))
}
