//! `global_call`: `Метод()` of a global common module, unqualified.
//!
//! Site -> method. The own module comes first; then exported methods of global common modules, then those of the application
//! modules.

use super::{Receiver, Rule, Site};
use crate::edge::{Channel, Confidence, Edges};
use crate::flow::Flow;

/// The channel.
pub const CHANNEL: Channel = Channel("global_call");

/// The rule.
pub(super) struct GlobalCall;

impl Rule for GlobalCall {
    fn channel(&self) -> Channel {
        CHANNEL
    }

    fn call(&self, flow: &Flow<'_>, site: &Site<'_>, out: &mut Edges) {
        let module = flow.cx.module;
        if !matches!(site.receiver, Receiver::None) || module.own_method(site.name).is_some() {
            return;
        }
        let application =
            || module.world.application_modules().find_map(|m| module.world.exported_method(m, site.name));
        if let Some(target) = module.world.global_method(site.name).or_else(application) {
            out.edges.push(flow.cx.edge(CHANNEL, target, Confidence::Exact, site.line));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::channels::testing::*;

    #[test]
    fn global_modules_after_the_own() {
        let demo = demo()
            .global_module("Общие", "Процедура Показать() Экспорт\nКонецПроцедуры\nПроцедура Своя() Экспорт\nКонецПроцедуры\nПроцедура Тайная()\nКонецПроцедуры")
            .module("CommonModule.Обычный", "Процедура Другая() Экспорт\nКонецПроцедуры")
            .module(
                "CommonModule.Х",
                "Процедура А()\n\tпоказать();\n\tСвоя();\n\tТайная();\n\tДругая();\n\tЗапись.Показать();\nКонецПроцедуры\n\
                 Процедура Своя()\nКонецПроцедуры",
            );
        assert_eq!(demo.edges("global_call"), ["CommonModule.Х.А -> CommonModule.Общие.Показать exact :2"]);
    }

    #[test]
    fn application_module() {
        let demo = demo()
            .module("Configuration.ManagedApplicationModule", "Процедура Обновить() Экспорт\nКонецПроцедуры")
            .module("CommonForm.Ф", "Процедура А()\n\tОбновить();\nКонецПроцедуры");
        assert_eq!(
            demo.edges("global_call"),
            ["CommonForm.Ф.А -> Configuration.ManagedApplicationModule.Обновить exact :2"]
        );
    }
}
