//! `open_form_var`: the site that opens a form whose name stands in a variable as a literal -> the form's handlers of its
//! creation and its opening.
//!
//! `Имя = "ОбщаяФорма.Выбор"; … ОткрытьФорму(Имя)`. Several literals that may stand there are candidates. A name that is
//! computed is dynamic dispatch (`open_form_computed.rs`).

use bsl::{Expr, ExprId};

use super::{Rule, Site, open_form};
use crate::edge::{Channel, Confidence, Edges};
use crate::flow::Flow;
use crate::scope::Binding;
use crate::value::{TextRef, Value};

/// The channel.
pub const CHANNEL: Channel = Channel("open_form_var");

/// The rule.
pub(super) struct OpenFormVar;

impl Rule for OpenFormVar {
    fn channel(&self) -> Channel {
        CHANNEL
    }

    fn call(&self, flow: &Flow<'_>, site: &Site<'_>, out: &mut Edges) {
        let Some((name, object)) = open_form::opened(flow, site) else { return };
        if !is_variable(flow, name) {
            return;
        }
        let values = flow.eval(name);
        let confidence = if values.is_certain() { Confidence::String } else { Confidence::Candidate };
        for value in values.iter() {
            if let Value::Text(TextRef::Symbol(text)) = value
                && let Some(form) = open_form::form(flow, object, flow.cx.module.facts.text(text))
            {
                open_form::edges(flow, CHANNEL, form, confidence, site.line, out);
            }
        }
    }
}

/// Whether an expression is a variable that the method itself fills in.
pub(super) fn is_variable(flow: &Flow<'_>, expr: ExprId) -> bool {
    match flow.cx.code.expr(expr) {
        Expr::Name(name) => !matches!(flow.cx.binding(name), Binding::Param(_) | Binding::Global(_)),
        _ => false,
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
    fn a_literal_in_a_variable() {
        let demo = base().module(
            "CommonModule.Х",
            "Процедура А(Б)\n\tЕсли Б Тогда\n\t\tИмя = \"ОбщаяФорма.Первая\";\n\tИначе\n\t\tИмя = \"CommonForm.Вторая\";\n\tКонецЕсли;\n\
             \tОткрытьФорму(Имя);\n\tИмя = \"ОбщаяФорма.Вторая\";\n\tOpenForm(Имя);\n\tОткрытьФорму(Имена.Вторая());\nКонецПроцедуры",
        );
        assert_eq!(
            demo.edges("open_form_var"),
            [
                "CommonModule.Х.А -> CommonForm.Первая.Создание candidate :7",
                "CommonModule.Х.А -> CommonForm.Вторая.Создание candidate :7",
                "CommonModule.Х.А -> CommonForm.Вторая.Создание string :9",
            ]
        );
        assert!(demo.edges("open_form").is_empty());
    }
}
