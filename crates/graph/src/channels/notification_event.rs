//! `notification_event`: the site that sends an event to open forms -> every `ОбработкаОповещения` that compares its name.
//!
//! `Оповестить("Записан заказ")`; the name may stand in a variable, be put together, be given back by a function or filled in by
//! callers in the module. A handler compares it with a literal or a function's result, equal or not, `ВРег` and `НРег` on either
//! side. Stored as halves that meet in the name. A name that only run time knows leaves a dynamic site `event` with what is
//! known of it (`Запись_*`).

use rustc_hash::FxHashSet;

use super::{MetadataContext, Receiver, Rule, Site};
use crate::edge::{Channel, Confidence, Edges, Half, Side};
use crate::flow::Flow;
use crate::uses::Part;
use crate::words::Word;
use crate::world::Listener;

/// The channel.
pub const CHANNEL: Channel = Channel("notification_event");

/// The rule.
pub(super) struct NotificationEvent;

impl Rule for NotificationEvent {
    fn channel(&self) -> Channel {
        CHANNEL
    }

    fn metadata(&self, cx: &MetadataContext<'_>, out: &mut Edges) {
        listeners(cx, CHANNEL, |listener| listener.is_handler && listener.event.part == Part::Whole, out);
    }

    fn call(&self, flow: &Flow<'_>, site: &Site<'_>, out: &mut Edges) {
        let Some(names) = sent(flow, site) else { return };
        for name in names.iter().flatten() {
            out.halves.push(source(flow, CHANNEL, name.clone(), names.len() == 1, site));
        }
        if names.contains(&None) {
            let known = site.args.first().map_or_else(String::new, |name| flow.pattern(*name));
            out.dynamic.push(flow.cx.dynamic("event", known, site.line));
        }
    }
}

/// The folded names of the events that a call sends; None among them for names that are not known. None for another call.
pub(super) fn sent(flow: &Flow<'_>, site: &Site<'_>) -> Option<Vec<Option<String>>> {
    let module = flow.cx.module;
    if module.world.word(site.name) != Some(Word::Notify)
        || !matches!(site.receiver, Receiver::None)
        || module.own_method(site.name).is_some()
    {
        return None;
    }
    let names = flow.texts(*site.args.first()?);
    Some(names.into_iter().map(|name| name.map(|name| bsl::fold(name.trim()))).collect())
}

/// The sender's half of an edge.
pub(super) fn source(flow: &Flow<'_>, channel: Channel, hub: String, certain: bool, site: &Site<'_>) -> Half {
    let confidence = if certain { Confidence::String } else { Confidence::Candidate };
    let (node, file) = (flow.cx.node, flow.cx.module.info.file);
    Half { hub, side: Side::Source, node, channel, confidence, file, line: site.line }
}

/// The listeners' halves.
pub(super) fn listeners(
    cx: &MetadataContext<'_>,
    channel: Channel,
    is_of_channel: impl Fn(&Listener) -> bool,
    out: &mut Edges,
) {
    let mut seen = FxHashSet::default();
    for listener in cx.world.listeners().iter().filter(|listener| is_of_channel(listener)) {
        let (hub, node) = (listener.event.hub(), cx.world.method(listener.method).node);
        if seen.insert((hub.clone(), node)) {
            let (side, confidence) = (Side::Target, Confidence::String);
            out.halves.push(Half { hub, side, node, channel, confidence, file: listener.file, line: listener.line });
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::channels::testing::*;

    fn with_handler(demo: Demo, form: &str, text: &str) -> Demo {
        let name = if text.contains("Procedure") { "Told" } else { "ОбработкаОповещения" };
        demo.module(form, text).form_with(form, |form| form.events.push(handler("NotificationProcessing", name, 4)))
    }

    fn sender(text: &str) -> Demo {
        demo()
            .module("CommonModule.Имена", "Функция Запись() Экспорт\n\tВозврат \"Запись_Заказ\";\nКонецФункции")
            .module("CommonModule.Х", text)
    }

    #[test]
    fn literals_variables_and_functions() {
        let demo = sender(
            "Процедура А(Б)\n\tОповестить(\"Запись_Заказ\", Б);\n\tЕсли Б Тогда\n\t\tИмя = \"Запись_Заказ\";\n\tИначе\n\t\tИмя = \"Отмена\";\n\
             \tКонецЕсли;\n\tОповестить(Имя);\n\tОповестить(Имена.Запись());\n\tОповестить(\"Запись_\" + \"Заказ\");\n\
             \tДругое.Оповестить(\"Отмена\");\nКонецПроцедуры",
        );
        let demo = with_handler(
            demo,
            "CommonForm.Ф",
            "Процедура ОбработкаОповещения(ИмяСобытия, П, И)\n\tЕсли ИмяСобытия = \"Запись_Заказ\" Тогда\n\tКонецЕсли;\nКонецПроцедуры",
        );
        let demo = with_handler(
            demo,
            "CommonForm.Г",
            "Процедура ОбработкаОповещения(ИмяСобытия, П, И)\n\tЕсли \"Отмена\" <> ИмяСобытия Тогда\n\tКонецЕсли;\nКонецПроцедуры",
        );
        assert_eq!(
            demo.edges("notification_event"),
            [
                "CommonModule.Х.А -> CommonForm.Ф.ОбработкаОповещения string :2",
                "CommonModule.Х.А -> CommonForm.Ф.ОбработкаОповещения candidate :8",
                "CommonModule.Х.А -> CommonForm.Г.ОбработкаОповещения candidate :8",
                "CommonModule.Х.А -> CommonForm.Ф.ОбработкаОповещения string :9",
                "CommonModule.Х.А -> CommonForm.Ф.ОбработкаОповещения string :10",
            ]
        );
        assert!(demo.dynamic_sites("event").is_empty());
    }

    #[test]
    fn the_handlers_comparisons() {
        for (comparison, found) in [
            ("ВРег(ИмяСобытия) = ВРег(\"запись_Заказ\")", 1),
            ("Нрег(ИмяСобытия) = \"запись_заказ\"", 1),
            ("ИмяСобытия = Имена.Запись()", 1),
            ("П И (Б Или Не СокрЛП(ИмяСобытия) <> \"Запись_Заказ\")", 1),
            ("П = \"Запись_Заказ\"", 0),
            ("ИмяСобытия = \"Запись_Заказ2\"", 0),
            ("ИмяСобытия = П", 0),
        ] {
            let demo = sender("Процедура А()\n\tОповестить(\"Запись_Заказ\");\nКонецПроцедуры");
            let text = format!(
                "Процедура ОбработкаОповещения(ИмяСобытия, П, И)\n\tЕсли {comparison} Тогда\n\tКонецЕсли;\nКонецПроцедуры"
            );
            assert_eq!(
                with_handler(demo, "CommonForm.Ф", &text).edges("notification_event").len(),
                found,
                "{comparison}"
            );
        }
    }

    #[test]
    fn the_name_in_another_variable() {
        let demo = sender("Процедура А()\n\tОповестить(\"Запись_Заказ\");\nКонецПроцедуры");
        let demo = with_handler(
            demo,
            "CommonForm.Ф",
            "Процедура ОбработкаОповещения(ИмяСобытия, П, И)\n\tСобытие = ВРег(ИмяСобытия);\n\tНужное = Имена.Запись();\n\
             \tЕсли Событие = ВРег(Нужное) Тогда\n\tКонецЕсли;\nКонецПроцедуры",
        );
        assert_eq!(demo.edges("notification_event").len(), 1);
    }

    #[test]
    fn a_name_that_callers_in_the_module_fill_in() {
        let demo = sender(
            "Процедура А()\n\tБ(\"Запись_Заказ\");\n\tБ(\"Никому\");\nКонецПроцедуры\nПроцедура Б(Имя)\n\tОповестить(Имя);\nКонецПроцедуры",
        );
        let demo = with_handler(
            demo,
            "CommonForm.Ф",
            "Процедура ОбработкаОповещения(ИмяСобытия, П, И)\n\tЕсли ИмяСобытия = \"Запись_Заказ\" Тогда\n\tКонецЕсли;\nКонецПроцедуры",
        );
        assert_eq!(
            demo.edges("notification_event"),
            ["CommonModule.Х.Б -> CommonForm.Ф.ОбработкаОповещения candidate :6"]
        );
    }

    #[test]
    fn in_english() {
        let demo = sender("Procedure A() Export\n\tNotify(\"Order written\");\nEndProcedure");
        let demo = with_handler(
            demo,
            "CommonForm.F",
            "Procedure Told(EventName, Parameter, Source)\n\tIf Upper(EventName) = Upper(\"Order written\") Then\n\tEndIf;\nEndProcedure",
        );
        assert_eq!(demo.edges("notification_event"), ["CommonModule.Х.A -> CommonForm.F.Told string :2"]);
    }

    #[test]
    fn only_the_handler_of_the_event_counts() {
        let demo = sender("Процедура А()\n\tОповестить(\"Запись_Заказ\");\nКонецПроцедуры").module(
            "CommonForm.Ф",
            "Процедура ОбработкаОповещения(ИмяСобытия, П, И)\n\tЕсли ИмяСобытия = \"Запись_Заказ\" Тогда\n\tКонецЕсли;\nКонецПроцедуры",
        );
        assert!(demo.edges("notification_event").is_empty());
    }

    #[test]
    fn what_only_run_time_knows() {
        let demo =
            sender("Процедура А(Имя) Экспорт\n\tОповестить(\"Запись_\" + Имя);\n\tОповестить(Имя);\nКонецПроцедуры");
        assert_eq!(demo.dynamic_sites("event"), ["CommonModule.Х.А Запись_* :2", "CommonModule.Х.А * :3"]);
    }
}
