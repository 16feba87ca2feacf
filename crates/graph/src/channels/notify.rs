//! `notify`: the site that makes a notification description -> the procedure that it will call.
//!
//! `Новый ОписаниеОповещения("М", ЭтотОбъект)`: a procedure of the own module; a common module by its name or in a variable:
//! an exported one of that module. The name may come from a variable too. Of a form that callers hand over it is
//! `string_registration` (`handed.rs`).

use bsl::ExprId;

use super::{NewSite, Rule, handed};
use crate::edge::{Channel, Confidence, Edges};
use crate::flow::Flow;
use crate::value::Value;
use crate::words::Word;

/// The channel.
pub const CHANNEL: Channel = Channel("notify");

/// The rule.
pub(super) struct Notify;

impl Rule for Notify {
    fn channel(&self) -> Channel {
        CHANNEL
    }

    fn construct(&self, flow: &Flow<'_>, site: &NewSite<'_>, out: &mut Edges) {
        if site.word == Word::NotifyDescription
            && let &[procedure, module, ..] = site.args
        {
            procedures(flow, CHANNEL, procedure, module, site.line, out);
        }
    }
}

/// Edges to the procedures that a name and a module given to a notification description mean.
pub(super) fn procedures(
    flow: &Flow<'_>,
    channel: Channel,
    procedure: ExprId,
    module: ExprId,
    line: u32,
    out: &mut Edges,
) {
    handed::procedures(flow, module, procedure, true, out);
    let modules = flow.eval(module);
    if modules.is_empty() {
        return;
    }
    let own = flow.cx.module;
    let certain = modules.is_certain() && flow.eval(procedure).is_certain();
    for name in flow.named_idents(procedure) {
        for value in modules.iter() {
            let target = match value {
                Value::This => own.own_method(name),
                Value::Module { module, .. } if module == own.id => own.own_method(name),
                Value::Module { module, .. } => own.world.exported_method(module, name),
                _ => None,
            };
            if let Some(target) = target {
                let confidence = if certain { Confidence::String } else { Confidence::Candidate };
                out.edges.push(flow.cx.edge(channel, target, confidence, line));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::channels::testing::*;

    #[test]
    fn this_object_modules_and_variables() {
        let demo = demo()
            .module("CommonModule.Клиент", "Процедура После(Р, П) Экспорт\nКонецПроцедуры\nПроцедура Тайная(Р, П)\nКонецПроцедуры")
            .module(
                "CommonForm.Ф",
                "Процедура А(Форма)\n\tО = Новый ОписаниеОповещения(\"После\", ЭтотОбъект);\n\
                 \tО = Новый ОписаниеОповещения(\"После\", Клиент, Новый Структура);\n\
                 \tМ = Клиент;\n\tИмя = \"после\";\n\tО = Новый ОписаниеОповещения(Имя, М);\n\
                 \tО = Новый NotifyDescription(\"После\", ThisObject);\n\
                 \tО = Новый ОписаниеОповещения(\"Тайная\", Клиент);\n\tО = Новый ОписаниеОповещения(\"После\", Форма);\n\
                 \tО = Новый ОписаниеОповещения();\n\tО = Новый ОписаниеОповещения(\"Нет\", ЭтаФорма);\n\
                 КонецПроцедуры\nПроцедура После(Р, П) Экспорт\nКонецПроцедуры",
            );
        assert_eq!(
            demo.edges("notify"),
            [
                "CommonForm.Ф.А -> CommonForm.Ф.После string :2",
                "CommonForm.Ф.А -> CommonModule.Клиент.После string :3",
                "CommonForm.Ф.А -> CommonModule.Клиент.После string :6",
                "CommonForm.Ф.А -> CommonForm.Ф.После string :7",
            ]
        );
    }

    #[test]
    fn a_name_that_callers_in_the_module_give() {
        let demo = demo().module(
            "CommonForm.Ф",
            "Процедура А()\n\tБ(\"Первая\");\n\tБ(\"Вторая\");\nКонецПроцедуры\nПроцедура Б(Имя)\n\
             \tО = Новый ОписаниеОповещения(Имя, ЭтотОбъект);\nКонецПроцедуры\nПроцедура Первая(Р, П) Экспорт\nКонецПроцедуры\n\
             Процедура Вторая(Р, П) Экспорт\nКонецПроцедуры",
        );
        assert_eq!(
            demo.edges("notify"),
            [
                "CommonForm.Ф.Б -> CommonForm.Ф.Первая candidate :6",
                "CommonForm.Ф.Б -> CommonForm.Ф.Вторая candidate :6"
            ]
        );
    }
}
