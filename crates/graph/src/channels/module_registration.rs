//! `module_registration`: a module put into a collection -> its methods that something calls on elements of collections.
//!
//! `Модули.Добавить(Склад)` and, anywhere, `Для Каждого Модуль Из Модули Цикл Модуль.М()`: the site that adds leads to `Склад.М`.
//! Both ends meet in the method, so that a registered module leads only to what is called.

use super::{Rule, Site, dynamic_dispatch};
use crate::edge::{Channel, Confidence, Edges, Half, Side};
use crate::flow::Flow;
use crate::value::Value;
use crate::words::Word;
use crate::world::ModuleId;

/// The channel.
pub const CHANNEL: Channel = Channel("module_registration");

/// The rule.
pub(super) struct ModuleRegistration;

impl Rule for ModuleRegistration {
    fn channel(&self) -> Channel {
        CHANNEL
    }

    fn call(&self, flow: &Flow<'_>, site: &Site<'_>, out: &mut Edges) {
        let &[only] = site.args else { return };
        if flow.cx.module.world.word(site.name) != Some(Word::Add) || site.base.is_none() {
            return;
        }
        for value in flow.eval(only).iter() {
            if let Value::Module { module, .. } = value {
                register(flow, CHANNEL, module, site.line, out);
            }
        }
    }
}

/// Halves from a site to whatever computed calls reach of a module.
pub(super) fn register(flow: &Flow<'_>, channel: Channel, module: ModuleId, line: u32, out: &mut Edges) {
    let world = flow.cx.module.world;
    for method in world.methods_of(module).iter().filter(|method| method.export) {
        out.halves.push(Half {
            hub: dynamic_dispatch::hub(world, method.node),
            side: Side::Source,
            node: flow.cx.node,
            channel,
            confidence: Confidence::String,
            file: flow.cx.module.info.file,
            line,
        });
    }
}

#[cfg(test)]
mod tests {
    use crate::channels::testing::*;

    #[test]
    fn only_what_is_called_on_elements() {
        let demo = demo()
            .module("CommonModule.Склад", "Процедура М(Х) Экспорт\nКонецПроцедуры\nПроцедура Н() Экспорт\nКонецПроцедуры")
            .module(
                "CommonModule.Х",
                "Процедура А()\n\tМодули = Новый Массив;\n\tМодули.Добавить(Склад);\n\tДля Каждого Модуль Из Модули Цикл\n\
                 \t\tМодуль.М(1);\n\tКонецЦикла;\nКонецПроцедуры",
            );
        assert_eq!(demo.edges("module_registration"), ["CommonModule.Х.А -> CommonModule.Склад.М string :3"]);
        assert_eq!(demo.edges("dynamic_dispatch"), ["CommonModule.Х.А -> CommonModule.Склад.М candidate :5"]);
    }
}
