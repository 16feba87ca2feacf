//! `module_name_registration`: the name of a module kept in a property -> its methods that computed calls reach.
//!
//! `Оповещение.ИмяМодуля = "Склад"` and, anywhere, `ОбщийМодуль(Имя).ПриПолучении()`: the site that holds the name leads to
//! `Склад.ПриПолучении`. Both ends meet in the method. Which properties hold names of modules is data.

use bsl::{Expr, ExprId};

use super::{AssignSite, Rule, Site, module_registration};
use crate::edge::{Channel, Edges};
use crate::flow::Flow;
use crate::settings::Kept;
use crate::words::Word;

/// The channel.
pub const CHANNEL: Channel = Channel("module_name_registration");

/// The rule.
pub(super) struct ModuleNameRegistration;

impl Rule for ModuleNameRegistration {
    fn channel(&self) -> Channel {
        CHANNEL
    }

    fn assign(&self, flow: &Flow<'_>, site: &AssignSite, out: &mut Edges) {
        register(flow, flow.cx.module.facts.text(site.name), site.value, site.line, out);
    }

    fn call(&self, flow: &Flow<'_>, site: &Site<'_>, out: &mut Edges) {
        if let &[key, value] = site.args
            && flow.cx.module.world.word(site.name) == Some(Word::Insert)
            && let Expr::String(key) = flow.cx.code.expr(key)
        {
            register(flow, flow.cx.module.facts.text(key), value, site.line, out);
        }
    }
}

fn register(flow: &Flow<'_>, name: &str, value: ExprId, line: u32, out: &mut Edges) {
    let (module, world) = (flow.cx.module, flow.cx.module.world);
    let Expr::String(text) = flow.cx.code.expr(value) else { return };
    let Some(named) = world.module_named(module.facts.text(text)) else { return };
    if world.settings().keeps(Kept::Module, name) {
        module_registration::register(flow, CHANNEL, named, line, out);
    }
}

#[cfg(test)]
mod tests {
    use crate::channels::testing::*;

    #[test]
    fn a_name_in_a_property_and_a_computed_call() {
        let demo = demo()
            .dispatcher("Реестр.Найти", 1)
            .module("CommonModule.Реестр", "Функция Найти(Имя) Экспорт\nКонецФункции")
            .module("CommonModule.Склад", "Процедура М() Экспорт\nКонецПроцедуры\nПроцедура Н() Экспорт\nКонецПроцедуры")
            .module("CommonModule.Цены", "Процедура М() Экспорт\nКонецПроцедуры")
            .module(
                "CommonModule.Х",
                "Процедура А(О)\n\tО.ИмяМодуля = \"Склад\";\n\tО.Вставить(\"Модуль\", \"Склад\");\n\tО.Имя = \"Цены\";\n\
                 КонецПроцедуры\nПроцедура Б(О)\n\tМ = Реестр.Найти(О.ИмяМодуля);\n\tМ.М();\nКонецПроцедуры",
            );
        assert_eq!(
            demo.edges("module_name_registration"),
            [
                "CommonModule.Х.А -> CommonModule.Склад.М string :2",
                "CommonModule.Х.А -> CommonModule.Склад.М string :3"
            ]
        );
        assert_eq!(demo.edges("dynamic_dispatch"), ["CommonModule.Х.Б -> CommonModule.Склад.М candidate :8"]);
    }
}
