//! `manager_call`: `Справочники.Х.Метод()`, a method of a manager module.
//!
//! Site -> `….ManagerModule.M`. The collection is written in code, in either language; a manager in a variable is a channel of
//! its own. Members of the platform's managers (`Справочники.Х.НайтиПоКоду()`) are no methods of the module, so no edges.

use metadata::ModuleKind;

use super::{Receiver, Rule, Site};
use crate::edge::{Channel, Confidence, Edges};
use crate::flow::Flow;

/// The channel.
pub const CHANNEL: Channel = Channel("manager_call");

/// The rule.
pub(super) struct ManagerCall;

impl Rule for ManagerCall {
    fn channel(&self) -> Channel {
        CHANNEL
    }

    fn call(&self, flow: &Flow<'_>, site: &Site<'_>, out: &mut Edges) {
        let Receiver::Manager(object) = site.receiver else {
            return;
        };
        let world = flow.cx.module.world;
        let target = world
            .owned_module(object, ModuleKind::ManagerModule)
            .and_then(|module| world.exported_method(module, site.name));
        if let Some(target) = target {
            out.edges.push(flow.cx.edge(CHANNEL, target, Confidence::Exact, site.line));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::channels::testing::*;

    #[test]
    fn written_in_either_language() {
        let demo = demo()
            .module("Catalog.Товары.ManagerModule", "Функция М() Экспорт\nКонецФункции\nФункция Тайная()\nКонецФункции")
            .module(
                "CommonModule.Х",
                "Процедура А()\n\tсправочники.ТОВАРЫ.М();\n\tCatalogs.Товары.М();\n\tСправочники.Товары.Тайная();\n\
                 \tСправочники.Товары.НайтиПоКоду(1);\n\tДокументы.Товары.М();\nКонецПроцедуры\n\
                 Процедура Б(Справочники)\n\tСправочники.Товары.М();\nКонецПроцедуры",
            );
        assert_eq!(
            demo.edges("manager_call"),
            [
                "CommonModule.Х.А -> Catalog.Товары.ManagerModule.М exact :2",
                "CommonModule.Х.А -> Catalog.Товары.ManagerModule.М exact :3",
            ]
        );
    }
}
