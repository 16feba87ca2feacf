//! `string_named`: a literal `"Модуль.Метод"` that something keeps to call it later.
//!
//! Site -> method of a common module. By role: the value of a property (`Обработчик.Процедура = "Склад.М"`), of a variable that
//! goes on, an element of a collection (`Вставить`, `Добавить`): edges. A name in an error text or a log, in a rule of
//! order or a filter of jobs: none; such a name is still found in strings.

use bsl::Expr;
use metadata::ModuleKind;

use super::{LiteralSite, Place, Rule};
use crate::edge::{Channel, Confidence, Edges};
use crate::flow::Flow;
use crate::settings::Kept;
use crate::words::Word;

/// The channel.
pub const CHANNEL: Channel = Channel("string_named");

/// The rule.
pub(super) struct StringNamed;

impl Rule for StringNamed {
    fn channel(&self) -> Channel {
        CHANNEL
    }

    fn literal(&self, flow: &Flow<'_>, site: &LiteralSite<'_>, out: &mut Edges) {
        keep(flow, CHANNEL, site, |kind| kind == ModuleKind::Module, out);
    }
}

/// Edges to methods that a literal keeps, of modules of the right kind.
pub(super) fn keep(
    flow: &Flow<'_>,
    channel: Channel,
    site: &LiteralSite<'_>,
    fits: impl Fn(ModuleKind) -> bool,
    out: &mut Edges,
) {
    if site.bare || !is_kept(flow, site) || in_update_handlers(flow, site) {
        return;
    }
    let world = flow.cx.module.world;
    for &target in site.methods {
        if fits(world.module(world.method(target).module).kind) {
            out.edges.push(flow.cx.edge(channel, target, Confidence::String, site.line));
        }
    }
}

/// Whether a literal stands where something keeps names to call.
pub(super) fn is_kept(flow: &Flow<'_>, site: &LiteralSite<'_>) -> bool {
    let (code, module) = (flow.cx.code, flow.cx.module);
    let is_named = |variable, what| match code.expr(variable) {
        Expr::Name(name) => module.world.settings().keeps(what, module.facts.text(name)),
        _ => false,
    };
    match site.place {
        Place::Variable(_) => true,
        Place::Property { base, .. } => !is_named(base, Kept::Ordering),
        Place::Argument { receiver: Some(receiver), callee, .. } => {
            let is_collection = matches!(module.word(callee), Some(Word::Add | Word::Insert));
            is_collection && !is_named(receiver, Kept::Filter)
        }
        Place::Argument { receiver: None, .. } => false,
    }
}

/// Whether a literal is a property's value in a procedure that lists update handlers: a channel of its own.
pub(super) fn in_update_handlers(flow: &Flow<'_>, site: &LiteralSite<'_>) -> bool {
    let (facts, settings) = (flow.cx.module.facts, flow.cx.module.world.settings());
    matches!(site.place, Place::Property { .. })
        && flow.cx.method.is_some_and(|method| settings.keeps(Kept::UpdateHandlers, facts.text(method.name)))
}

#[cfg(test)]
mod tests {
    use crate::channels::testing::*;

    fn edges(text: &str) -> Vec<String> {
        let demo = demo()
            .module("CommonModule.Склад", "Процедура М() Экспорт\nКонецПроцедуры")
            .module("CommonModule.Х", &format!("Процедура А(П)\n{text}\nКонецПроцедуры"));
        demo.edges("string_named").into_iter().map(|e| e.replace("CommonModule.Х.А -> CommonModule.", "")).collect()
    }

    #[test]
    fn what_is_kept() {
        assert_eq!(edges("О.Процедура = \"Склад.М\";"), ["Склад.М string :2"]);
        assert_eq!(edges("Имя = \"Склад.М\";"), ["Склад.М string :2"]);
        assert_eq!(
            edges("О.Вставить(\"Ключ\", \"Склад.М\");\nО.Добавить(\"склад.м\");"),
            ["Склад.М string :2", "Склад.М string :3"]
        );
    }

    #[test]
    fn what_only_mentions() {
        for text in [
            "Сообщить(\"Склад.М\");",
            "Проверить(П, \"Склад.М\");",
            "ОтборЗаданий.Вставить(\"ИмяМетода\", \"Склад.М\");",
            "Приоритет = О.ПриоритетыВыполнения.Добавить();\nПриоритет.Процедура = \"Склад.М\";",
            "О.Процедура = \"Склад.Нет\";",
        ] {
            assert_eq!(edges(text), [""; 0], "{text}");
        }
    }
}
