//! `form_element_event`: an item of a form -> the procedures of the form's module that handle its events.
//!
//! `<form>.Item.I` -> method; every item counts, context menus, command bars and tooltips among them.

use super::{MetadataContext, Rule, form_handlers};
use crate::edge::{Channel, Edges};

/// The channel.
pub const CHANNEL: Channel = Channel("form_element_event");

/// The rule.
pub(super) struct FormElementEvent;

impl Rule for FormElementEvent {
    fn channel(&self) -> Channel {
        CHANNEL
    }

    fn is_from_outside(&self) -> bool {
        true
    }

    fn metadata(&self, cx: &MetadataContext<'_>, out: &mut Edges) {
        form_handlers::edges(
            cx,
            CHANNEL,
            |form, named| form.items.iter().for_each(|item| named(Some(("Item", &item.name)), &item.events)),
            out,
        );
    }
}

#[cfg(test)]
mod tests {
    use crate::channels::testing::*;

    #[test]
    fn a_handler_of_the_forms_module() {
        let demo = demo()
            .form_with("Catalog.Товары.Form.Ф", |form| {
                form.items.push(item("Цена", vec![handler("OnChange", "ЦенаПриИзменении", 20)]));
                form.items.push(item("Надпись", vec![handler("Click", "НетТакой", 30)]));
            })
            .module("Catalog.Товары.Form.Ф", "Процедура ЦенаПриИзменении(Элемент)\nКонецПроцедуры");
        assert_eq!(
            demo.edges("form_element_event"),
            ["Catalog.Товары.Form.Ф.Item.Цена -> Catalog.Товары.Form.Ф.ЦенаПриИзменении exact :20"]
        );
    }
}
