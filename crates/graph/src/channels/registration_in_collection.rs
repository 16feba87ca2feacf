//! `registration_in_collection`: the name of a method, put into a collection under an object of the configuration.
//!
//! Site that inserts -> method. `Объекты.Вставить(Метаданные.Документы.Заказ.ПолноеИмя(), "Метод")`: a method of the own module,
//! else of the object's manager module.

use bsl::{Expr, ExprId};
use metadata::ModuleKind;

use super::{Rule, Site};
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
        let &[key, value] = site.args else { return };
        let Expr::String(text) = flow.cx.code.expr(value) else { return };
        if world.word(site.name) != Some(Word::Insert) || site.base.is_none() {
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
    let (code, module) = (flow.cx.code, flow.cx.module);
    let path = match code.expr(key) {
        Expr::Call { callee, .. } => match code.expr(callee) {
            Expr::Member(base, name) if module.word(name) == Some(Word::FullName) => base,
            _ => return None,
        },
        _ => key,
    };
    let Expr::Member(collection, name) = code.expr(path) else { return None };
    let Expr::Member(root, kind) = code.expr(collection) else { return None };
    let Expr::Name(root) = code.expr(root) else { return None };
    if module.word(root) != Some(Word::Metadata) {
        return None;
    }
    let kind = module.world.collection(module.ident(kind)?)?;
    module.world.object(kind, module.ident(name)?)
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
}
