//! `dynamic_dispatch`: a call on a module or manager that a function or a caller chose among several.
//!
//! The method with the call -> each method that it may reach: `М = Общий.МодульПоТипу(Т); М.М()` where the function gives back one
//! of several modules, or `Процедура П(М) … М.М()` where callers in the module give several.

use metadata::ModuleKind;

use super::{Receiver, Rule, Site};
use crate::edge::{Channel, Confidence, Edges};
use crate::flow::Flow;
use crate::value::{Origin, Value};

/// The channel.
pub const CHANNEL: Channel = Channel("dynamic_dispatch");

/// The rule.
pub(super) struct DynamicDispatch;

impl Rule for DynamicDispatch {
    fn channel(&self) -> Channel {
        CHANNEL
    }

    fn call(&self, flow: &Flow<'_>, site: &Site<'_>, out: &mut Edges) {
        let Receiver::Value(values) = site.receiver else {
            return;
        };
        let world = flow.cx.module.world;
        for value in values.iter() {
            let module = match value {
                Value::Module { module, origin: Origin::Chosen } => Some(module),
                Value::Manager { object, origin: Origin::Chosen } => {
                    world.owned_module(object, ModuleKind::ManagerModule)
                }
                _ => None,
            };
            if let Some(target) = module.and_then(|module| world.exported_method(module, site.name)) {
                out.edges.push(flow.cx.edge(CHANNEL, target, Confidence::Candidate, site.line));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::channels::testing::*;

    fn base() -> Demo {
        demo()
            .module("CommonModule.Файлы", "Процедура М() Экспорт\nКонецПроцедуры")
            .module("CommonModule.Тома", "Процедура М() Экспорт\nКонецПроцедуры")
            .module(
                "CommonModule.Выбор",
                "Функция Хранилище(Т) Экспорт\n\tЕсли Т Тогда\n\t\tВозврат Файлы;\n\tКонецЕсли;\n\tВозврат Тома;\nКонецФункции",
            )
    }

    #[test]
    fn a_function_that_chooses() {
        let demo =
            base().module("CommonModule.Х", "Процедура А(Т)\n\tМ = Выбор.Хранилище(Т);\n\tМ.М();\nКонецПроцедуры");
        assert_eq!(
            demo.edges("dynamic_dispatch"),
            [
                "CommonModule.Х.А -> CommonModule.Файлы.М candidate :3",
                "CommonModule.Х.А -> CommonModule.Тома.М candidate :3",
            ]
        );
        assert!(demo.edges("common_module_var").is_empty());
    }

    #[test]
    fn callers_that_choose() {
        let demo = base().module(
            "CommonModule.Х",
            "Процедура А()\n\tБ(Файлы);\n\tБ(Тома);\n\tВ(Тома);\nКонецПроцедуры\nПроцедура Б(М)\n\tМ.М();\nКонецПроцедуры\n\
             Процедура В(М)\n\tМ.М();\nКонецПроцедуры",
        );
        assert_eq!(
            demo.edges("dynamic_dispatch"),
            [
                "CommonModule.Х.Б -> CommonModule.Файлы.М candidate :7",
                "CommonModule.Х.Б -> CommonModule.Тома.М candidate :7",
            ]
        );
        assert_eq!(demo.edges("common_module_var"), ["CommonModule.Х.В -> CommonModule.Тома.М typed :10"]);
    }
}
