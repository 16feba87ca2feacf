//! Forms whose name is computed: `dynamic_dispatch` from the site that opens one to the form's handlers of its creation and its
//! opening.
//!
//! The name is given back by a function, put together, or filled in by callers in the module:
//! `ОткрытьФорму(Имена.ФормаВыбора())`, `ОткрытьФорму(Таблица + ".ФормаОбъекта")`. A name that only run time knows leaves a
//! dynamic site `form` with what is known of it (`*.ФормаСписка`).

use bsl::Expr;

use super::{Rule, Site, dynamic_dispatch, open_form, open_form_var};
use crate::edge::{Channel, Confidence, Edges};
use crate::flow::Flow;
use crate::value::{TextRef, Value};

/// The rule.
pub(super) struct OpenFormComputed;

impl Rule for OpenFormComputed {
    fn channel(&self) -> Channel {
        dynamic_dispatch::CHANNEL
    }

    fn call(&self, flow: &Flow<'_>, site: &Site<'_>, out: &mut Edges) {
        let Some((name, object)) = open_form::opened(flow, site) else { return };
        if matches!(flow.cx.code.expr(name), Expr::String(_)) {
            return;
        }
        let variable = open_form_var::is_variable(flow, name);
        let values = flow.eval(name);
        for value in values.iter() {
            // A literal in a variable is of the channel `open_form_var`.
            if variable && matches!(value, Value::Text(TextRef::Symbol(_))) {
                continue;
            }
            if let Some(text) = flow.text(value)
                && let Some(form) = open_form::form(flow, object, &text)
            {
                open_form::edges(flow, self.channel(), form, Confidence::Candidate, site.line, out);
            }
        }
        if values.open || values.is_empty() {
            out.dynamic.push(flow.cx.dynamic("form", flow.pattern(name), site.line));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::channels::testing::*;

    fn base() -> Demo {
        demo()
            .module("CommonForm.Первая", "Процедура Создание()\nКонецПроцедуры")
            .module("CommonForm.Вторая", "Процедура Создание()\nКонецПроцедуры")
            .form_with("CommonForm.Первая", |form| form.events.push(handler("OnCreateAtServer", "Создание", 2)))
            .form_with("CommonForm.Вторая", |form| form.events.push(handler("OnCreateAtServer", "Создание", 2)))
            .module("CommonModule.Имена", "Функция Вторая() Экспорт\n\tВозврат \"ОбщаяФорма.Вторая\";\nКонецФункции")
    }

    #[test]
    fn functions_concatenations_and_parameters() {
        let demo = base().module(
            "CommonForm.Ф",
            "Процедура А()\n\tИмя = Имена.Вторая();\n\tОткрытьФорму(Имя);\n\tПолучитьФорму(\"ОбщаяФорма.\" + \"Первая\");\n\
             \tB(\"CommonForm.Вторая\");\nКонецПроцедуры\nProcedure B(Name)\n\tOpenForm(Name);\nEndProcedure",
        );
        assert_eq!(
            demo.edges("dynamic_dispatch"),
            [
                "CommonForm.Ф.А -> CommonForm.Вторая.Создание candidate :3",
                "CommonForm.Ф.А -> CommonForm.Первая.Создание candidate :4",
                "CommonForm.Ф.B -> CommonForm.Вторая.Создание candidate :8",
            ]
        );
        assert!(demo.dynamic_sites("form").is_empty() && demo.edges("open_form_var").is_empty());
    }

    #[test]
    fn what_only_run_time_knows() {
        let demo = base().module(
            "CommonModule.Х",
            "Процедура А(Имя) Экспорт\n\tОткрытьФорму(Имя + \".ФормаСписка\");\n\tОткрытьФорму(Имя);\nКонецПроцедуры",
        );
        assert!(demo.edges("dynamic_dispatch").is_empty());
        assert_eq!(demo.dynamic_sites("form"), ["CommonModule.Х.А *.ФормаСписка :2", "CommonModule.Х.А * :3"]);
    }
}
