//! Names of procedures of forms that callers hand over, for the channel `string_registration`.
//!
//! `Новый ОписаниеОповещения("М", Форма)`, `Форма.ПодключитьОбработчикОжидания("М", 1)` in a module whose callers give it the form:
//! the procedure of every form that hands itself to the parameter, through however many calls, of those that the module then keeps
//! under the key of a structure (`П.Вставить("Форма", Форма)` … `П.Форма`), and of a form that the method opened itself. `Форма.М()`
//! is `dynamic_dispatch`.

use bsl::ExprId;

use super::string_registration;
use crate::edge::{Confidence, Edges};
use crate::flow::Flow;

/// Edges to the procedures of a name in the forms that an expression gives; `exported`: whether only exported ones count.
pub(super) fn procedures(flow: &Flow<'_>, form: ExprId, procedure: ExprId, exported: bool, out: &mut Edges) {
    let forms = flow.forms_of(form);
    if forms.is_empty() {
        return;
    }
    let (world, line) = (flow.cx.module.world, flow.cx.code.line(procedure));
    let confidence = if flow.eval(procedure).is_certain() { Confidence::String } else { Confidence::Candidate };
    for name in flow.named_idents(procedure) {
        for &form in &forms {
            let target = if exported { world.exported_method(form, name) } else { world.own_method(form, name) };
            let edge = target.map(|target| flow.cx.edge(string_registration::CHANNEL, target, confidence, line));
            out.edges.extend(edge);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::channels::testing::*;

    fn given(text: &str, call: &str) -> Demo {
        let procedures = "Процедура После(Р, П) Экспорт\nКонецПроцедуры\nПроцедура Ждать()\nКонецПроцедуры";
        demo()
            .module("CommonModule.Общий", text)
            .module("CommonModule.Дальше", "Процедура М(Х, Ф) Экспорт\n\tОбщий.М(Ф);\nКонецПроцедуры")
            .module("CommonForm.Первая", &format!("Процедура А()\n\t{call}\nКонецПроцедуры\n{procedures}"))
            .module("CommonForm.Вторая", procedures)
    }

    const NOTIFY: &str = "Процедура М(Форма) Экспорт\n\tО = Новый ОписаниеОповещения(\"После\", Форма);\n\
                          \tО = Новый ОписаниеОповещения(\"Ждать\", Форма, 1);\nКонецПроцедуры";
    const IDLE: &str = "Процедура М(Form) Экспорт\n\tForm.AttachIdleHandler(\"Ждать\", 1, True);\nКонецПроцедуры";

    #[test]
    fn forms_that_callers_hand_over() {
        for call in ["Общий.М(ЭтотОбъект);", "Дальше.М(1, ЭтаФорма);", "Х = Общий; Х.М(ThisObject);"]
        {
            let edges = given(NOTIFY, call).edges("string_registration");
            assert_eq!(edges, ["CommonModule.Общий.М -> CommonForm.Первая.После string :2"], "{call}");
            let edges = given(IDLE, call).edges("string_registration");
            assert_eq!(edges, ["CommonModule.Общий.М -> CommonForm.Первая.Ждать string :2"], "{call}");
        }
    }

    #[test]
    fn a_form_that_nobody_hands_over_and_another_value() {
        for call in ["Общий.М(П);", "Общий.М(Элементы);", "Общий.М(ЭтотОбъект.Элементы);"]
        {
            assert!(given(NOTIFY, call).edges("string_registration").is_empty(), "{call}");
        }
        let text = NOTIFY.replacen("\tО =", "\tФорма = Х.Форма;\n\tО =", 1);
        assert!(given(&text, "Общий.М(ЭтотОбъект);").edges("string_registration").is_empty());
    }

    #[test]
    fn a_form_that_the_module_keeps_under_a_key() {
        let text = "Процедура М(Форма) Экспорт\n\tП = Новый Структура(\"Форма\", Форма);\n\
                    \tО = Новый ОписаниеОповещения(\"Дальше\", ЭтотОбъект, П);\nКонецПроцедуры\n\
                    Процедура Дальше(Р, П) Экспорт\n\tО = Новый ОписаниеОповещения(\"После\", П.Форма);\n\tФ = П.Форма;\n\
                    \tФ.ПодключитьОбработчикОжидания(\"Ждать\", 1);\n\tП.Другая.ПодключитьОбработчикОжидания(\"Ждать\", 1);\n\
                    КонецПроцедуры";
        assert_eq!(
            given(text, "Общий.М(ЭтотОбъект);").edges("string_registration"),
            [
                "CommonModule.Общий.Дальше -> CommonForm.Первая.После string :6",
                "CommonModule.Общий.Дальше -> CommonForm.Первая.Ждать string :8",
            ]
        );
    }

    #[test]
    fn a_form_that_the_method_opened() {
        let text = "Процедура М() Экспорт\n\tФорма = ОткрытьФорму(\"ОбщаяФорма.Вторая\");\n\
                    \tО = Новый ОписаниеОповещения(\"После\", Форма);\nКонецПроцедуры";
        let edges = given(text, "").edges("string_registration");
        assert_eq!(edges, ["CommonModule.Общий.М -> CommonForm.Вторая.После string :3"]);
    }
}
