//! `notification_event_delegated`: the site that sends an event -> the method that a form's handler hands the event's name on to
//! and that compares it.
//!
//! `Процедура ОбработкаОповещения(ИмяСобытия, …) … Общий.Обработать(ЭтотОбъект, ИмяСобытия)`: the comparison stands in
//! `Общий.Обработать`, or in what that hands the name on to. A method of a common module, in a variable too, or of the form.
//! An exported method of a common module with a parameter `ИмяСобытия` that it compares counts as well: libraries offer such
//! methods to forms of the configurations that they are built into.

use super::{MetadataContext, Rule, Site, notification_event};
use crate::edge::{Channel, Edges};
use crate::flow::Flow;

/// The channel.
pub const CHANNEL: Channel = Channel("notification_event_delegated");

/// The rule.
pub(super) struct NotificationEventDelegated;

impl Rule for NotificationEventDelegated {
    fn channel(&self) -> Channel {
        CHANNEL
    }

    fn metadata(&self, cx: &MetadataContext<'_>, out: &mut Edges) {
        notification_event::listeners(cx, CHANNEL, |listener| !listener.is_handler, out);
    }

    fn call(&self, flow: &Flow<'_>, site: &Site<'_>, out: &mut Edges) {
        let Some(names) = notification_event::sent(flow, site) else { return };
        for name in names.iter().flatten() {
            let patterns = flow.cx.module.world.event_patterns().iter().filter(|pattern| pattern.matches(name));
            for hub in patterns.map(|pattern| pattern.hub()).chain([name.clone()]) {
                out.halves.push(notification_event::source(flow, CHANNEL, hub, names.len() == 1, site));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::channels::testing::*;

    fn with(handler_text: &str) -> Demo {
        demo()
            .module("CommonModule.Х", "Процедура А()\n\tОповестить(\"Запись_Заказ\");\nКонецПроцедуры")
            .module(
                "CommonModule.Общий",
                "Процедура Обработать(Форма, Имя) Экспорт\n\tЕсли Имя = \"Запись_Заказ\" Тогда\n\tКонецЕсли;\nКонецПроцедуры\n\
                 Процедура Дальше(Имя, Форма) Экспорт\n\tОбработать(Форма, ВРег(Имя));\nКонецПроцедуры\n\
                 Процедура Начало(Имя) Экспорт\n\tЕсли СтрНачинаетсяС(Имя, \"Запись\") Тогда\n\tКонецЕсли;\nКонецПроцедуры",
            )
            .module("CommonForm.Ф", handler_text)
            .form_with("CommonForm.Ф", |form| {
                form.events.push(handler("NotificationProcessing", "ОбработкаОповещения", 4));
            })
            .dispatcher("Общий.Модуль", 1)
    }

    fn calls(call: &str) -> Demo {
        with(&format!("Процедура ОбработкаОповещения(ИмяСобытия, П, И)\n\t{call}\nКонецПроцедуры"))
    }

    #[test]
    fn to_a_common_module() {
        let target = "CommonModule.Х.А -> CommonModule.Общий.Обработать string :2";
        for call in [
            "Общий.Обработать(ЭтотОбъект, ИмяСобытия);",
            "М = Общий; Если М.Обработать(ЭтотОбъект, ИмяСобытия) Тогда КонецЕсли;",
            "Общий.Дальше(ИмяСобытия, П);",
        ] {
            let demo = calls(call);
            assert_eq!(demo.edges("notification_event_delegated"), [target], "{call}");
            assert!(demo.edges("notification_event").is_empty());
        }
        assert_eq!(
            calls("Общий.Начало(ИмяСобытия);").edges("notification_event_delegated"),
            ["CommonModule.Х.А -> CommonModule.Общий.Начало string :2"]
        );
    }

    #[test]
    fn another_argument_is_not_the_name() {
        assert!(calls("Общий.Обработать(ИмяСобытия, П);").edges("notification_event_delegated").is_empty());
    }

    #[test]
    fn a_method_that_is_offered_to_handlers() {
        let demo = calls("").module(
            "CommonModule.Библиотека",
            "Процедура Обработка(Форма, ИмяСобытия) Экспорт\n\tЕсли ИмяСобытия = \"Запись_Заказ\" Тогда\n\tКонецЕсли;\nКонецПроцедуры\n\
             Procedure Told(EventName) Export\n\tIf Lower(EventName) = \"запись_заказ\" Then\n\tEndIf;\nEndProcedure\n\
             Процедура Своя(ИмяСобытия)\n\tЕсли ИмяСобытия = \"Запись_Заказ\" Тогда\n\tКонецЕсли;\nКонецПроцедуры",
        );
        assert_eq!(
            demo.edges("notification_event_delegated"),
            [
                "CommonModule.Х.А -> CommonModule.Библиотека.Обработка string :2",
                "CommonModule.Х.А -> CommonModule.Библиотека.Told string :2"
            ]
        );
    }

    #[test]
    fn to_a_method_of_the_form() {
        let demo = with(
            "Процедура ОбработкаОповещения(ИмяСобытия, П, И)\n\tСвоя(П, ИмяСобытия);\nКонецПроцедуры\n\
             Процедура Своя(П, Имя)\n\tЕсли Имя <> \"Запись_Заказ\" Тогда\n\tКонецЕсли;\nКонецПроцедуры",
        );
        assert_eq!(demo.edges("notification_event_delegated"), ["CommonModule.Х.А -> CommonForm.Ф.Своя string :2"]);
    }
}
