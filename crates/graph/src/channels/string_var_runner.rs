//! `string_var_runner`: the name of a method, in a variable, given to something that runs it.
//!
//! Site -> each method that the variable may name; also a name that metadata gives
//! (`Метаданные.РегламентныеЗадания.Х.ИмяМетода`). A name that callers give, and a method of an object that the runner makes, are
//! `dynamic_dispatch`; a name that nothing is known of stays open.

use bsl::Expr;
use metadata::ModuleKind;

use super::{Rule, Site, dynamic_dispatch, running};
use crate::edge::{Channel, Confidence, Edges};
use crate::flow::{Flow, HOLE};
use crate::settings::Runs;
use crate::world::MethodId;

/// The channel.
pub const CHANNEL: Channel = Channel("string_var_runner");

/// The rule.
pub(super) struct StringVarRunner;

impl Rule for StringVarRunner {
    fn channel(&self) -> Channel {
        CHANNEL
    }

    fn call(&self, flow: &Flow<'_>, site: &Site<'_>, out: &mut Edges) {
        for (arg, runs) in running::arguments(flow, site) {
            if runs == Runs::Kept || matches!(flow.cx.code.expr(arg), Expr::String(_) | Expr::Omitted) {
                continue;
            }
            let values = flow.eval(arg);
            let passed = flow.is_passed(arg);
            let certain = values.is_certain() && !passed;
            let confidence = if certain { Confidence::String } else { Confidence::Candidate };
            for text in values.iter().filter_map(|value| flow.text(value)) {
                for target in running::methods(flow, site, runs, &text) {
                    let channel = if passed || of_object(flow, target) { dynamic_dispatch::CHANNEL } else { CHANNEL };
                    out.edges.push(flow.cx.edge(channel, target, confidence, site.line));
                }
            }
            if values.open {
                let known = flow.patterns(arg).pop().unwrap_or_default().replace(HOLE, "*");
                out.dynamic.push(flow.cx.dynamic("runner", known, site.line));
            }
        }
    }
}

/// Whether a method is one of an object that the runner makes.
fn of_object(flow: &Flow<'_>, method: MethodId) -> bool {
    let world = flow.cx.module.world;
    world.module(world.method(method).module).kind == ModuleKind::ObjectModule
}

#[cfg(test)]
mod tests {
    use crate::channels::testing::*;

    fn with(text: &str) -> Demo {
        demo()
            .module(
                "CommonModule.Склад",
                "Процедура М() Экспорт\nКонецПроцедуры\nПроцедура Н() Экспорт\nКонецПроцедуры",
            )
            .module("CommonModule.Х", &format!("Процедура А(П)\n{text}\nКонецПроцедуры"))
    }

    #[test]
    fn branches_and_unknown_names() {
        let demo = with(
            "Если П Тогда\nИмя = \"Склад.М\";\nИначе\nИмя = \"Склад.Н\";\nКонецЕсли;\nФоновыеЗадания.Выполнить(Имя);",
        );
        assert_eq!(
            demo.edges("string_var_runner"),
            [
                "CommonModule.Х.А -> CommonModule.Склад.М candidate :7",
                "CommonModule.Х.А -> CommonModule.Склад.Н candidate :7"
            ]
        );
        let demo = with("Имя = \"М\";\nФоновыеЗадания.Выполнить(\"Склад.\" + Имя);");
        assert_eq!(demo.edges("string_var_runner"), ["CommonModule.Х.А -> CommonModule.Склад.М string :3"]);
        let text = "Процедура А()\n\tИмя = Новая().Метаданные().ПолноеИмя() + \".МодульОбъекта.М\";\n\
                    \tФоновыеЗадания.Выполнить(Имя);\nКонецПроцедуры\n\
                    Функция Новая()\n\tВозврат Обработки.Обмен.Создать();\nКонецФункции";
        let demo = with("").module("CommonModule.У", text);
        let demo = demo.module("DataProcessor.Обмен.ObjectModule", "Процедура М() Экспорт\nКонецПроцедуры");
        let target = "DataProcessor.Обмен.ObjectModule.М";
        assert_eq!(demo.edges("dynamic_dispatch"), [format!("CommonModule.У.А -> {target} string :3")]);
        let demo = with("ФоновыеЗадания.Выполнить(\"Склад.\" + П);");
        assert!(demo.edges("string_var_runner").is_empty());
        assert_eq!(demo.dynamic(), [("runner", "Склад.*".to_owned())]);
    }
}
