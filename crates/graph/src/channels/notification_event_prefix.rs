//! `notification_event_prefix`: the site that sends an event -> every `ОбработкаОповещения` that compares a part of its name.
//!
//! `СтрНачинаетсяС(ИмяСобытия, "Запись_")`, `Лев(ИмяСобытия, 7) = "Запись_"`, `Найти(ИмяСобытия, "Запись_") = 1`, and what
//! looks at the end or anywhere in it. The halves meet in the compared part (`запись_*`): the senders know which parts handlers
//! of this configuration compare.

use super::{MetadataContext, Rule, Site, notification_event};
use crate::edge::{Channel, Edges};
use crate::flow::Flow;
use crate::uses::Part;

/// The channel.
pub const CHANNEL: Channel = Channel("notification_event_prefix");

/// The rule.
pub(super) struct NotificationEventPrefix;

impl Rule for NotificationEventPrefix {
    fn channel(&self) -> Channel {
        CHANNEL
    }

    fn metadata(&self, cx: &MetadataContext<'_>, out: &mut Edges) {
        let of_channel = |listener: &crate::world::Listener| listener.is_handler && listener.event.part != Part::Whole;
        notification_event::listeners(cx, CHANNEL, of_channel, out);
    }

    fn call(&self, flow: &Flow<'_>, site: &Site<'_>, out: &mut Edges) {
        let Some(names) = notification_event::sent(flow, site) else { return };
        for name in names.iter().flatten() {
            for pattern in flow.cx.module.world.event_patterns().iter().filter(|pattern| pattern.matches(name)) {
                out.halves.push(notification_event::source(flow, CHANNEL, pattern.hub(), names.len() == 1, site));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::channels::testing::*;

    fn with(comparison: &str) -> Demo {
        let text = format!(
            "Процедура ОбработкаОповещения(ИмяСобытия, П, И)\n\tЕсли {comparison} Тогда\n\tКонецЕсли;\nКонецПроцедуры"
        );
        demo()
            .module(
                "CommonModule.Х",
                "Процедура А()\n\tОповестить(\"Запись_Заказ\");\n\tNotify(\"Отмена\");\nКонецПроцедуры",
            )
            .module("CommonForm.Ф", &text)
            .form_with("CommonForm.Ф", |form| {
                form.events.push(handler("NotificationProcessing", "ОбработкаОповещения", 4));
            })
    }

    #[test]
    fn the_start_of_the_name() {
        for comparison in [
            "СтрНачинаетсяС(ИмяСобытия, \"Запись_\")",
            "Не StrStartsWith(ВРег(ИмяСобытия), ВРег(\"Запись_\"))",
            "Лев(ИмяСобытия, 7) = \"Запись_\"",
            "\"Запись_\" = Left(ИмяСобытия, 7)",
            "Найти(ИмяСобытия, \"Запись_\") = 1",
            "StrFind(ИмяСобытия, \"пись\") > 0",
            "СтрЗаканчиваетсяНа(ИмяСобытия, \"Заказ\")",
        ] {
            let demo = with(comparison);
            assert_eq!(
                demo.edges("notification_event_prefix"),
                ["CommonModule.Х.А -> CommonForm.Ф.ОбработкаОповещения string :2"],
                "{comparison}"
            );
            assert!(demo.edges("notification_event").is_empty());
        }
    }

    #[test]
    fn nothing_else() {
        for comparison in [
            "СтрНачинаетсяС(ИмяСобытия, \"Записан\")",
            "СтрНачинаетсяС(П, \"Запись_\")",
            "Лев(ИмяСобытия, 7) > \"Запись_\"",
        ] {
            assert!(with(comparison).edges("notification_event_prefix").is_empty(), "{comparison}");
        }
    }
}
