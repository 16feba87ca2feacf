//! `string_runner`: the name of a method, as a literal, given to something that runs it.
//!
//! Site -> method. `ДлительныеОперации.ВыполнитьВФоне("Склад.Пересчитать", …)`, `ФоновыеЗадания.Выполнить(…)`: two parts name a
//! method of a common module, three of a manager module, four of the module that they say. Which methods run others is data
//! (`data/runners.tsv`, settings of the project), and what hands its parameter on to one of them.

use bsl::Expr;

use super::{Rule, Site, running};
use crate::edge::{Channel, Confidence, Edges};
use crate::flow::Flow;
use crate::settings::Runs;

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
            if runs == Runs::Own {
                continue;
            }
            for target in running::methods(flow, site, runs, flow.cx.module.facts.text(text)) {
                out.edges.push(flow.cx.edge(CHANNEL, target, Confidence::String, flow.cx.code.line(arg)));
            }
        }
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
                "DataProcessor.Обмен.ObjectModule.М string :5",
            ]
        );
    }
}
