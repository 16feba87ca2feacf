//! `idle_handler`: the site that attaches an idle handler -> the procedure.
//!
//! `ПодключитьОбработчикОжидания("М", 5)`. In a form: a procedure of the form; else, and in other modules: an exported one of a
//! global common module, then of an application module. Detaching calls nothing, so it is no edge. Of a form that callers hand over
//! (`Форма.ПодключитьОбработчикОжидания("М", 5)`) it is `string_registration` (`handed.rs`).

use metadata::ModuleKind;

use super::{Receiver, Rule, Site, handed};
use crate::edge::{Channel, Confidence, Edges};
use crate::flow::Flow;
use crate::value::Value;
use crate::words::Word;

/// The channel.
pub const CHANNEL: Channel = Channel("idle_handler");

/// The rule.
pub(super) struct IdleHandler;

impl Rule for IdleHandler {
    fn channel(&self) -> Channel {
        CHANNEL
    }

    fn call(&self, flow: &Flow<'_>, site: &Site<'_>, out: &mut Edges) {
        let (module, world) = (flow.cx.module, flow.cx.module.world);
        let own_object = match site.receiver {
            Receiver::None | Receiver::This => true,
            Receiver::Value(values) => values.iter().any(|value| value == Value::This),
            _ => false,
        };
        if world.word(site.name) != Some(Word::AttachIdleHandler) {
            return;
        }
        let Some(&procedure) = site.args.first() else {
            return;
        };
        if let (Receiver::Value(_), Some(form)) = (site.receiver, site.base) {
            handed::procedures(flow, form, procedure, false, out);
        }
        if !own_object {
            return;
        }
        // The own module counts where the platform looks for handlers in it: in a form and in an application module.
        let own_counts = matches!(
            module.info.kind,
            ModuleKind::FormModule | ModuleKind::ManagedApplicationModule | ModuleKind::OrdinaryApplicationModule
        );
        for name in flow.named_idents(procedure) {
            let own = if own_counts { module.own_method(name) } else { None };
            let application = || world.application_modules().find_map(|m| world.exported_method(m, name));
            if let Some(target) = own.or_else(|| world.global_method(name)).or_else(application) {
                out.edges.push(flow.cx.edge(CHANNEL, target, Confidence::String, site.line));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::channels::testing::*;

    #[test]
    fn the_form_first_then_global_modules() {
        let demo = demo()
            .global_module("Общие", "Процедура Проверка() Экспорт\nКонецПроцедуры\nПроцедура Обновить() Экспорт\nКонецПроцедуры")
            .module("Configuration.ManagedApplicationModule", "Процедура Выйти() Экспорт\nКонецПроцедуры")
            .module(
                "CommonForm.Ф",
                "Процедура А()\n\tПодключитьОбработчикОжидания(\"Обновить\", 1);\n\tПодключитьОбработчикОжидания(\"Проверка\", 1);\n\
                 \tОтключитьОбработчикОжидания(\"Обновить\");\n\tAttachIdleHandler(\"обновить\", 1, True);\n\
                 КонецПроцедуры\nПроцедура Обновить()\nКонецПроцедуры",
            )
            .module(
                "CommonModule.Х",
                "Процедура А() Экспорт\n\tПодключитьОбработчикОжидания(\"Обновить\", 1);\n\
                 \tПодключитьОбработчикОжидания(\"Выйти\", 1);\n\tПодключитьОбработчикОжидания(\"А\", 1);\nКонецПроцедуры",
            );
        assert_eq!(
            demo.edges("idle_handler"),
            [
                "CommonForm.Ф.А -> CommonForm.Ф.Обновить string :2",
                "CommonForm.Ф.А -> CommonModule.Общие.Проверка string :3",
                "CommonForm.Ф.А -> CommonForm.Ф.Обновить string :5",
                "CommonModule.Х.А -> CommonModule.Общие.Обновить string :2",
                "CommonModule.Х.А -> Configuration.ManagedApplicationModule.Выйти string :3",
            ]
        );
    }
}
