//! `string_runner`: the name of a method, as a literal, given to something that runs it.
//!
//! Site -> method. `ДлительныеОперации.ВыполнитьВФоне("Склад.Пересчитать", …)`, `ФоновыеЗадания.Выполнить(…)`: two parts name a
//! method of a common module, three of a manager module, four of the module that they say (of an object module it is
//! `dynamic_dispatch`: the runner makes the object). Which methods run others is data (`data/runners.tsv`, settings of the
//! project), and what hands its parameter on to one of them; a name given to a method of the own module that does is
//! `string_registration`.

use bsl::Expr;
use metadata::ModuleKind;

use super::{Receiver, Rule, Site, dynamic_dispatch, running, string_registration};
use crate::edge::{Channel, Confidence, Edges};
use crate::flow::Flow;
use crate::settings::Runs;
use crate::world::MethodId;

/// The channel.
pub const CHANNEL: Channel = Channel("string_runner");

/// The rule.
pub(super) struct StringRunner;

impl Rule for StringRunner {
    fn channel(&self) -> Channel {
        CHANNEL
    }

    fn call(&self, flow: &Flow<'_>, site: &Site<'_>, out: &mut Edges) {
        for (arg, runs) in running::arguments(flow, site) {
            let Expr::String(text) = flow.cx.code.expr(arg) else { continue };
            if matches!(runs, Runs::Own | Runs::Kept) {
                continue;
            }
            for target in running::methods(flow, site, runs, flow.cx.module.facts.text(text)) {
                let channel = channel_of(flow, site, target);
                out.edges.push(flow.cx.edge(channel, target, Confidence::String, flow.cx.code.line(arg)));
            }
        }
    }
}

/// A method of an object module is called on an object that the runner makes; a name that the own module's method hands on to a
/// runner is registered with it.
pub(super) fn channel_of(flow: &Flow<'_>, site: &Site<'_>, target: MethodId) -> Channel {
    let world = flow.cx.module.world;
    let own = matches!(site.receiver, Receiver::None | Receiver::This);
    match world.module(world.method(target).module).kind {
        ModuleKind::ObjectModule => dynamic_dispatch::CHANNEL,
        _ if own => string_registration::CHANNEL,
        _ => CHANNEL,
    }
}

#[cfg(test)]
mod tests {
    use crate::channels::testing::*;

    #[test]
    fn two_three_and_four_parts() {
        let demo = demo()
            .module("CommonModule.Склад", "Процедура М() Экспорт\nКонецПроцедуры\nПроцедура Тайная()\nКонецПроцедуры")
            .module("Catalog.Товары.ManagerModule", "Процедура М() Экспорт\nКонецПроцедуры")
            .module("DataProcessor.Обмен.ObjectModule", "Процедура М() Экспорт\nКонецПроцедуры")
            .module("CommonModule.ДлительныеОперации", "Функция ВыполнитьВФоне(Имя, П) Экспорт\nКонецФункции")
            .module(
                "CommonModule.Х",
                "Процедура А(П)\n\tДлительныеОперации.ВыполнитьВФоне(\"Склад.М\", П);\n\
                 \tФоновыеЗадания.Выполнить(\"склад.м\");\n\tДлительныеОперации.ВыполнитьВФоне(\"Справочники.Товары.М\");\n\
                 \tBackgroundJobs.Execute(\"Обработка.Обмен.МодульОбъекта.М\");\n\
                 \tДлительныеОперации.ВыполнитьВФоне(\"Склад.Тайная\");\n\tДлительныеОперации.ВыполнитьВФоне(П, \"Склад.М\");\n\
                 КонецПроцедуры",
            );
        let edges = demo.edges("string_runner").into_iter().map(|e| e.replace("CommonModule.Х.А -> ", ""));
        assert_eq!(
            edges.collect::<Vec<_>>(),
            [
                "CommonModule.Склад.М string :2",
                "CommonModule.Склад.М string :3",
                "Catalog.Товары.ManagerModule.М string :4",
            ]
        );
        let edges = demo.edges("dynamic_dispatch");
        assert_eq!(edges, ["CommonModule.Х.А -> DataProcessor.Обмен.ObjectModule.М string :5"]);
    }

    #[test]
    fn what_hands_a_name_on_to_a_runner_is_one() {
        let text = "Процедура А(П) Экспорт\n\tФоновыеЗадания.Выполнить(П);\nКонецПроцедуры\n\
                    Процедура Б(Х, Имя) Экспорт\n\tА(Имя);\nКонецПроцедуры\nПроцедура В() Экспорт\n\tБ(1, \"Х.В\");\nКонецПроцедуры";
        let demo = demo()
            .module("CommonModule.Х", text)
            .module("CommonModule.У", "Процедура Г()\n\tХ.Б(1, \"Х.В\");\n\tХ.Б(\"Х.В\", 1);\nКонецПроцедуры");
        assert_eq!(demo.edges("string_runner"), ["CommonModule.У.Г -> CommonModule.Х.В string :2"]);
        assert_eq!(demo.edges("string_registration"), ["CommonModule.Х.В -> CommonModule.Х.В string :8"]);
    }
}
