//! `session_parameter`: a session parameter -> the method that sets it.
//!
//! The session module asks a map of handlers, which other modules fill in: `Обработчики.Вставить("ТекущийСклад",
//! "Склад.УстановитьПараметр")`, `Обработчики["ТекущийСклад"]` aside. The key names a parameter of the configuration, the value a
//! method; `*` at the end of the key stands for any letters.

use bsl::{Expr, ExprId};

use super::{Receiver, Rule, Site};
use crate::edge::{Channel, Confidence, Edge, Edges};
use crate::flow::Flow;
use crate::words::Word;

/// The channel.
pub const CHANNEL: Channel = Channel("session_parameter");

/// The rule.
pub(super) struct SessionParameter;

impl Rule for SessionParameter {
    fn channel(&self) -> Channel {
        CHANNEL
    }

    fn call(&self, flow: &Flow<'_>, site: &Site<'_>, out: &mut Edges) {
        let (module, code) = (flow.cx.module, flow.cx.code);
        if module.world.word(site.name) != Some(Word::Insert)
            || matches!(site.receiver, Receiver::None | Receiver::Module(_) | Receiver::Manager(_))
        {
            return;
        }
        let &[key, handler] = site.args else { return };
        // Maps are filled everywhere: only names of methods are worth a look.
        let may_name = match code.expr(handler) {
            Expr::String(text) => module.facts.text(text).contains('.'),
            Expr::Name(_) => true,
            _ => false,
        };
        if may_name && matches!(code.expr(key), Expr::String(_) | Expr::Name(_)) {
            entry(flow, key, handler, site.line, out);
        }
    }
}

fn entry(flow: &Flow<'_>, key: ExprId, handler: ExprId, line: u32, out: &mut Edges) {
    let (module, world) = (flow.cx.module, flow.cx.module.world);
    let parameters: Vec<u32> = flow.texts(key).iter().flatten().flat_map(|key| world.session_parameters(key)).collect();
    if parameters.is_empty() {
        return;
    }
    for target in flow.texts(handler).iter().flatten().flat_map(|text| world.methods_named(text)) {
        for &source in &parameters {
            let (target, confidence) = (world.method(target).node, Confidence::String);
            let file = module.info.file;
            out.edges.push(Edge { source, target, channel: CHANNEL, confidence, file, line });
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::channels::testing::*;

    #[test]
    fn entries_of_the_map_of_handlers() {
        let demo = demo()
            .object("SessionParameter.ТекущийСклад")
            .object("SessionParameter.ТекущийПользователь")
            .module("CommonModule.Сеанс", "Процедура Задать(Имя, У) Экспорт\nКонецПроцедуры\nПроцедура Тайная(Имя)\nКонецПроцедуры")
            .module(
                "CommonModule.Х",
                "Процедура А(Обработчики) Экспорт\n\tОбработчики.Вставить(\"ТекущийСклад\", \"Сеанс.Задать\");\n\
                 \tОбработчики.Insert(\"текущий*\", \"Сеанс.Задать\");\n\tОбработчики.Вставить(\"Другой\", \"Сеанс.Задать\");\n\
                 \tОбработчики.Вставить(\"ТекущийСклад\", \"Сеанс.Тайная\");\n\tОбработчики.Вставить(\"*\", \"Сеанс.Задать\");\nКонецПроцедуры",
            );
        assert_eq!(
            demo.edges("session_parameter"),
            [
                "SessionParameter.ТекущийСклад -> CommonModule.Сеанс.Задать string :2",
                "SessionParameter.ТекущийПользователь -> CommonModule.Сеанс.Задать string :3",
                "SessionParameter.ТекущийСклад -> CommonModule.Сеанс.Задать string :3",
            ]
        );
    }
}
