//! `open_form`: the site that opens a form by a literal -> the form's handlers of its creation and its opening.
//!
//! `ОткрытьФорму("Документ.Заказ.Форма.Список")`, `ПолучитьФорму`, `ОткрытьФормуМодально`; a name of two or three parts
//! (`"Обработка.Импорт"`, `"Документ.Заказ.ФормаСписка"`) means a default form of the object. Of a manager the name alone:
//! `Документы.Заказ.ПолучитьФорму("ФормаСписка")`. Other events of the form are none of the opener's calls.

use bsl::{Expr, ExprId};

use super::{Receiver, Rule, Site};
use crate::edge::{Channel, Confidence, Edges};
use crate::flow::Flow;
use crate::words::Word;
use crate::world::FormEvent;

/// The channel.
pub const CHANNEL: Channel = Channel("open_form");

/// The rule.
pub(super) struct OpenForm;

impl Rule for OpenForm {
    fn channel(&self) -> Channel {
        CHANNEL
    }

    fn call(&self, flow: &Flow<'_>, site: &Site<'_>, out: &mut Edges) {
        if let Some((name, object)) = opened(flow, site)
            && let Expr::String(text) = flow.cx.code.expr(name)
            && let Some(form) = form(flow, object, flow.cx.module.facts.text(text))
        {
            edges(flow, CHANNEL, form, Confidence::String, site.line, out);
        }
    }
}

/// The expression that names the form a call opens, and the object whose manager opens it by the form's own name.
pub(super) fn opened(flow: &Flow<'_>, site: &Site<'_>) -> Option<(ExprId, Option<u32>)> {
    let module = flow.cx.module;
    let object = match (module.world.word(site.name)?, site.receiver) {
        // A method of the module of that name stands before the platform's.
        (Word::OpenForm | Word::GetForm, Receiver::None) if module.own_method(site.name).is_none() => None,
        (Word::GetForm, Receiver::Manager(object)) => Some(object),
        _ => return None,
    };
    Some((*site.args.first()?, object))
}

/// The form of a name.
pub(super) fn form(flow: &Flow<'_>, object: Option<u32>, name: &str) -> Option<u32> {
    let world = flow.cx.module.world;
    match object {
        Some(object) => world.form_got(object, name),
        None => world.form_named(name),
    }
}

/// Edges to what the platform calls when it creates and opens a form.
pub(super) fn edges(flow: &Flow<'_>, channel: Channel, form: u32, confidence: Confidence, line: u32, out: &mut Edges) {
    for event in [FormEvent::Create, FormEvent::Open] {
        for &handler in flow.cx.module.world.form_handlers(form, event) {
            out.edges.push(flow.cx.edge(channel, handler, confidence, line));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::channels::testing::*;

    fn base() -> Demo {
        let form = |form: &mut metadata::Form| {
            form.events.push(handler("OnCreateAtServer", "Создание", 2));
            form.events.push(handler("OnOpen", "Открытие", 3));
            form.events.push(handler("OnClose", "Закрытие", 4));
        };
        let text = "Процедура Создание()\nКонецПроцедуры\nПроцедура Открытие()\nКонецПроцедуры\nПроцедура Закрытие()\nКонецПроцедуры";
        demo()
            .module("Document.Заказ.Form.Список", text)
            .module("CommonForm.Выбор", text)
            .form_with("Document.Заказ.Form.Список", form)
            .form_with("CommonForm.Выбор", form)
            .link("Document.Заказ", "DefaultListForm", "Document.Заказ.Form.Список")
            .link("DataProcessor.Импорт", "DefaultForm", "CommonForm.Выбор")
    }

    #[test]
    fn by_full_name_and_by_default() {
        let demo = base().module(
            "CommonModule.Х",
            "Процедура А()\n\tОткрытьФорму(\"Документ.Заказ.Форма.Список\");\n\tФ = ПолучитьФорму(\"ОбщаяФорма.Выбор\",, Б);\n\
             \tОткрытьФормуМодально(\"Документ.Заказ.ФормаСписка\");\n\tОткрытьФорму(\"Обработка.Импорт\");\n\
             \tФ = Документы.Заказ.ПолучитьФорму(\"Список\");\n\tОткрытьФорму(\"Документ.Заказ.ФормаОбъекта\");\n\
             \tОткрытьФорму(\"Документ.Заказ.Форма.Нет\");\n\tДругое.ОткрытьФорму(\"ОбщаяФорма.Выбор\");\nКонецПроцедуры",
        );
        let found = demo.edges("open_form");
        let of = |line: u32, form: &str| {
            ["Создание", "Открытие"].map(|m| format!("CommonModule.Х.А -> {form}.{m} string :{line}"))
        };
        let (list, choice) = ("Document.Заказ.Form.Список", "CommonForm.Выбор");
        assert_eq!(found, [of(2, list), of(3, choice), of(4, list), of(5, choice), of(6, list)].concat());
        assert!(demo.edges("open_form_var").is_empty());
    }

    #[test]
    fn in_english() {
        let demo = base().module(
            "CommonModule.Х",
            "Procedure A() Export\n\tOpenForm(\"Document.Заказ.ListForm\");\n\tGetForm(\"CommonForm.Выбор\");\n\
             \tDocuments.Заказ.GetForm(\"ListForm\");\nEndProcedure",
        );
        assert_eq!(demo.edges("open_form").len(), 6);
    }

    #[test]
    fn a_report_falls_back_on_the_form_of_the_configuration() {
        let demo = base()
            .object("Report.Продажи")
            .object("DataProcessor.Экспорт")
            .configuration_link("DefaultReportForm", "CommonForm.Выбор")
            .module(
                "CommonModule.Х",
                "Процедура А()\n\tОткрытьФорму(\"Отчет.Продажи.Форма\");\n\tОткрытьФорму(\"Обработка.Экспорт.Форма\");\nКонецПроцедуры",
            );
        assert_eq!(
            demo.edges("open_form"),
            [
                "CommonModule.Х.А -> CommonForm.Выбор.Создание string :2",
                "CommonModule.Х.А -> CommonForm.Выбор.Открытие string :2"
            ]
        );
    }
}
