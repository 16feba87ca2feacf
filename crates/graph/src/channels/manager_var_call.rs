//! `manager_var_call`: a method of a manager module, called on a manager in a variable.
//!
//! Site -> `….ManagerModule.M`. `М = Справочники.Х; М.Метод()`, a manager by its full name
//! (`МенеджерОбъектаПоПолномуИмени("Справочник.Х")`, `ОбщийМодуль("Справочники.Х")`): which functions give managers by name is
//! data. A manager that is computed (`Справочники[Имя]`), a function's result, or chosen among several is `dynamic_dispatch`.

use metadata::ModuleKind;

use super::{Receiver, Rule, Site};
use crate::edge::{Channel, Confidence, Edges};
use crate::flow::Flow;
use crate::value::{Origin, Value};

/// The channel.
pub const CHANNEL: Channel = Channel("manager_var_call");

/// The rule.
pub(super) struct ManagerVarCall;

impl Rule for ManagerVarCall {
    fn channel(&self) -> Channel {
        CHANNEL
    }

    fn call(&self, flow: &Flow<'_>, site: &Site<'_>, out: &mut Edges) {
        let Receiver::Value(values) = site.receiver else {
            return;
        };
        let world = flow.cx.module.world;
        for value in values.iter() {
            let Value::Manager { object, origin } = value else { continue };
            let confidence = match origin {
                Origin::Chosen | Origin::Evaluated | Origin::Inferred => continue,
                _ if !values.is_certain() => Confidence::Candidate,
                Origin::Named => Confidence::String,
                Origin::Written => Confidence::Typed,
            };
            let target = world
                .owned_module(object, ModuleKind::ManagerModule)
                .and_then(|module| world.exported_method(module, site.name));
            if let Some(target) = target {
                out.edges.push(flow.cx.edge(CHANNEL, target, confidence, site.line));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::channels::testing::*;

    #[test]
    fn written_and_named() {
        let demo = demo()
            .module("Catalog.Товары.ManagerModule", "Функция М() Экспорт\nКонецФункции\nФункция Тайная()\nКонецФункции")
            .module("CommonModule.Реестр", "Функция Найти(Имя) Экспорт\n\tВозврат Кэш[Имя];\nКонецФункции")
            .manager_dispatcher("Реестр.Найти", 1)
            .module(
                "CommonModule.Х",
                "Процедура А(П)\n\tМ = Справочники.Товары;\n\tМ.М();\n\tМ.Тайная();\n\tСправочники[\"Товары\"].М();\n\
                 \tМ = Реестр.Найти(\"Справочник.Товары\");\n\tМ.М();\n\tРеестр.Найти(\"Catalogs.Товары\").М();\n\
                 \tСправочники[П].М();\nКонецПроцедуры",
            );
        assert_eq!(
            demo.edges("manager_var_call"),
            [
                "CommonModule.Х.А -> Catalog.Товары.ManagerModule.М typed :3",
                "CommonModule.Х.А -> Catalog.Товары.ManagerModule.М string :7",
                "CommonModule.Х.А -> Catalog.Товары.ManagerModule.М string :8",
            ]
        );
    }
}
