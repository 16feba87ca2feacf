//! `string_registration`: a bare name of a method, given to something that will call it.
//!
//! Site that holds the literal -> method of its own module: the value of a property or key that is named after handlers
//! (`Параметры.ОбработчикЗавершения = "М"`, `Вставить("ИмяПроцедуры", "М")`; data), or an argument of a method that runs its
//! caller's methods by name, or keeps its parameter under such a property or key (`НоваяСтрока("Страница", "М")`).
//! In other modules: a procedure of the forms that callers hand over (`handed.rs`).

use bsl::Expr;

use super::{LiteralSite, Place, Rule, Site, running};
use crate::edge::{Channel, Confidence, Edges};
use crate::flow::Flow;
use crate::settings::{Kept, Runs};
use crate::words::Word;

/// The channel.
pub const CHANNEL: Channel = Channel("string_registration");

/// The rule.
pub(super) struct StringRegistration;

impl Rule for StringRegistration {
    fn channel(&self) -> Channel {
        CHANNEL
    }

    fn literal(&self, flow: &Flow<'_>, site: &LiteralSite<'_>, out: &mut Edges) {
        let module = flow.cx.module;
        let key = match site.place {
            Place::Property { name, .. } => name,
            Place::Argument { callee, args: &[key, _], index: 1, .. } if module.word(callee) == Some(Word::Insert) => {
                match flow.cx.code.expr(key) {
                    Expr::String(key) => key,
                    _ => return,
                }
            }
            _ => return,
        };
        if site.bare && module.world.settings().keeps(Kept::Handler, module.facts.text(key)) {
            for &target in site.methods {
                out.edges.push(flow.cx.edge(CHANNEL, target, Confidence::String, site.line));
            }
        }
    }

    fn call(&self, flow: &Flow<'_>, site: &Site<'_>, out: &mut Edges) {
        for (arg, runs) in running::arguments(flow, site) {
            let Expr::String(text) = flow.cx.code.expr(arg) else { continue };
            if matches!(runs, Runs::Own | Runs::Kept) {
                for target in running::methods(flow, site, runs, flow.cx.module.facts.text(text)) {
                    out.edges.push(flow.cx.edge(CHANNEL, target, Confidence::String, flow.cx.code.line(arg)));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::channels::testing::*;

    #[test]
    fn methods_that_keep_their_parameter_as_a_handler() {
        let text = "Процедура А()\n\tСтрока(\"М\", \"Н\");\n\tДальше(\"Н\");\nКонецПроцедуры\n\
                    Процедура Строка(Страница, Имя = \"\")\n\tС = Т.Добавить();\n\tС.Страница = Страница;\n\
                    \tС.ИмяОбработчикаПриОткрытии = Имя;\nКонецПроцедуры\nПроцедура Дальше(Х)\n\tСтрока(1, Х);\nКонецПроцедуры\n\
                    Процедура М()\nКонецПроцедуры\nПроцедура Н()\nКонецПроцедуры";
        let demo = demo().module("CommonForm.Ф", text);
        assert_eq!(
            demo.edges("string_registration"),
            ["CommonForm.Ф.А -> CommonForm.Ф.Н string :2", "CommonForm.Ф.А -> CommonForm.Ф.Н string :3"]
        );
        assert!(demo.dynamic_sites("runner").is_empty());
    }

    #[test]
    fn properties_and_keys_of_handlers() {
        let text = "Процедура А(П)\n\tП.ОбработчикЗавершения = \"М\";\n\tП.Вставить(\"ИмяПроцедуры\", \"м\");\n\
                    \tП.Представление = \"М\";\n\tП.Вставить(\"М\");\n\tП.Вставить(\"М\", Истина);\n\
                    \tП.Обработчик = \"Нет\";\nКонецПроцедуры\nПроцедура М()\nКонецПроцедуры";
        let demo = demo().module("CommonForm.Ф", text);
        assert_eq!(
            demo.edges("string_registration"),
            ["CommonForm.Ф.А -> CommonForm.Ф.М string :2", "CommonForm.Ф.А -> CommonForm.Ф.М string :3"]
        );
    }
}
