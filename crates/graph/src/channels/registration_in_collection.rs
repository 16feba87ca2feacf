//! `registration_in_collection`: the name of a method, put into a collection under an object of the configuration.
//!
//! Site that inserts -> method. `Объекты.Вставить(Метаданные.Документы.Заказ.ПолноеИмя(), "Метод")`: a method of the own module,
//! else of the object's manager module. `Имена.Вставить(Метаданные.РегламентныеЗадания.Ночное.ИмяМетода)`: the job's method, unless
//! the collection only finds jobs.

use bsl::{Expr, ExprId};
use metadata::ModuleKind;

use super::{Rule, Site, string_named};
use crate::edge::{Channel, Confidence, Edges};
use crate::flow::Flow;
use crate::words::Word;

/// The channel.
pub const CHANNEL: Channel = Channel("registration_in_collection");

/// The rule.
pub(super) struct RegistrationInCollection;

impl Rule for RegistrationInCollection {
    fn channel(&self) -> Channel {
        CHANNEL
    }

    fn call(&self, flow: &Flow<'_>, site: &Site<'_>, out: &mut Edges) {
        let (module, world) = (flow.cx.module, flow.cx.module.world);
        let Some(collection) = site.base.filter(|_| matches!(world.word(site.name), Some(Word::Insert | Word::Add)))
        else {
            return;
        };
        if let &[.., value] = site.args
            && let Some(method) = flow.job_method(value)
            && !string_named::is_filter(flow, collection)
        {
            let line = flow.cx.code.line(value);
            let targets = world.methods_named(method).into_iter();
            out.edges.extend(targets.map(|target| flow.cx.edge(CHANNEL, target, Confidence::String, line)));
        }
        let &[key, value] = site.args else { return };
        let Expr::String(text) = flow.cx.code.expr(value) else { return };
        if world.word(site.name) != Some(Word::Insert) {
            return;
        }
        let Some(object) = object_of(flow, key) else { return };
        // One literal may list several methods, one a line.
        for name in module.facts.text(text).lines() {
            let Some(name) = world.ident(name.trim()) else { continue };
            let of_manager = || {
                let manager = world.owned_module(object, ModuleKind::ManagerModule)?;
                world.exported_method(manager, name)
            };
            if let Some(target) = module.own_method(name).or_else(of_manager) {
                out.edges.push(flow.cx.edge(CHANNEL, target, Confidence::String, flow.cx.code.line(value)));
            }
        }
    }
}

/// The object that `Метаданные.Документы.Заказ` names, with or without `ПолноеИмя()` behind it.
fn object_of(flow: &Flow<'_>, key: ExprId) -> Option<u32> {
    match flow.cx.code.expr(key) {
        Expr::Call { callee, .. } => match flow.cx.code.expr(callee) {
            Expr::Member(base, name) if flow.cx.module.word(name) == Some(Word::FullName) => flow.described(base),
            _ => None,
        },
        _ => flow.described(key),
    }
}

#[cfg(test)]
mod tests {
    use crate::channels::testing::*;

    #[test]
    fn of_the_own_module_or_the_manager() {
        let demo = demo()
            .module("Document.Заказ.ManagerModule", "Функция Реквизиты() Экспорт\nКонецФункции")
            .module(
                "CommonModule.Х",
                "Процедура А(О)\n\tО.Вставить(Метаданные.Документы.Заказ.ПолноеИмя(), \"М\");\n\
                 \tО.Вставить(Метаданные.Документы.Заказ, \"Реквизиты\n|Нет\");\n\tО.Вставить(\"Х\", \"М\");\nКонецПроцедуры\n\
                 Процедура М()\nКонецПроцедуры",
            );
        assert_eq!(
            demo.edges("registration_in_collection"),
            [
                "CommonModule.Х.А -> CommonModule.Х.М string :2",
                "CommonModule.Х.А -> Document.Заказ.ManagerModule.Реквизиты string :3",
            ]
        );
    }

    #[test]
    fn the_method_of_a_scheduled_job() {
        let name = "Метаданные.РегламентныеЗадания.Ночное.ИмяМетода";
        let demo = demo()
            .job("Ночное", "CommonModule.Склад.М")
            .module("CommonModule.Склад", "Процедура М() Экспорт\nКонецПроцедуры")
            .module(
                "CommonModule.Х",
                &format!(
                    "Процедура А(О)\n\tО.Вставить({name});\n\tП.Вставить(\"ИмяМетода\", {name});\n\tЗадания = НайтиЗадания(П);\n\
                     \tF.Add(Metadata.ScheduledJobs.Ночное.MethodName);\n\tФоновыеЗадания.Выполнить({name});\nКонецПроцедуры"
                ),
            );
        let target = "CommonModule.Х.А -> CommonModule.Склад.М string";
        assert_eq!(demo.edges("registration_in_collection"), [format!("{target} :2"), format!("{target} :5")]);
        assert_eq!(demo.edges("string_var_runner"), [format!("{target} :6")]);
    }
}
