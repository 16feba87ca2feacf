//! `direct`: `Метод()` of the own module, `Модуль.Метод()` of a common module.
//!
//! Site -> method. A variable, parameter or attribute of the module's name hides the module; an own method hides global ones.
//! Another module's method counts only if it is exported: the platform finds no other.

use super::{Receiver, Rule, Site};
use crate::edge::{Channel, Confidence, Edges};
use crate::flow::Flow;

/// The channel.
pub const CHANNEL: Channel = Channel("direct");

/// The rule.
pub(super) struct Direct;

impl Rule for Direct {
    fn channel(&self) -> Channel {
        CHANNEL
    }

    fn call(&self, flow: &Flow<'_>, site: &Site<'_>, out: &mut Edges) {
        let target = match site.receiver {
            Receiver::None | Receiver::This => flow.cx.module.own_method(site.name),
            Receiver::Module(module) => flow.cx.module.world.exported_method(module, site.name),
            _ => None,
        };
        if let Some(target) = target {
            out.edges.push(flow.cx.edge(CHANNEL, target, Confidence::Exact, site.line));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::channels::testing::*;

    #[test]
    fn own_and_common_modules() {
        let demo = demo()
            .module("CommonModule.Склад", "Функция Остаток() Экспорт\nКонецФункции\nПроцедура Тайная()\nКонецПроцедуры")
            .module(
                "CommonModule.Заказы",
                "Процедура Провести() Экспорт\n\tПроверить();\n\tА = склад.ОСТАТОК() + Склад.Остаток();\n\tСклад.Тайная();\n\
                 КонецПроцедуры\nПроцедура Проверить()\nКонецПроцедуры\nПровести();",
            );
        assert_eq!(
            demo.edges("direct"),
            [
                "CommonModule.Заказы.Провести -> CommonModule.Заказы.Проверить exact :2",
                "CommonModule.Заказы.Провести -> CommonModule.Склад.Остаток exact :3",
                "CommonModule.Заказы.Провести -> CommonModule.Склад.Остаток exact :3",
                "CommonModule.Заказы.$body -> CommonModule.Заказы.Провести exact :8",
            ]
        );
    }

    #[test]
    fn what_hides_a_module_and_what_is_no_call() {
        let demo = demo()
            .module("CommonModule.Склад", "Процедура М() Экспорт\nКонецПроцедуры\nПроцедура Массив() Экспорт\nКонецПроцедуры")
            .module(
                "CommonModule.Заказы",
                "Перем Цены;\nПроцедура А(Склад)\n\tСклад.М();\nКонецПроцедуры\nПроцедура Б()\n\tСклад = Неопределено;\n\
                 \tсклад.М();\nКонецПроцедуры\nПроцедура В()\n\tХ = Новый Массив();\n\tУ = Неизвестный.М();\n\tЗ = \"Склад.М()\";\n\
                 \tДругое.Склад.М();\nКонецПроцедуры\nПроцедура Массив()\nКонецПроцедуры",
            );
        assert!(demo.edges("direct").is_empty());
    }

    #[test]
    fn a_literal_dot_is_no_dot() {
        let demo = demo().module("CommonModule.Склад", "Процедура М() Экспорт\nКонецПроцедуры").module(
            "CommonModule.Заказы",
            "Процедура А()\n\tХ = \"Склад\" + \".\" + М();\nКонецПроцедуры\nФункция М()\nКонецФункции",
        );
        assert_eq!(demo.edges("direct"), ["CommonModule.Заказы.А -> CommonModule.Заказы.М exact :2"]);
    }

    #[test]
    fn attributes_of_the_form_and_the_object_hide_modules() {
        let demo = demo()
            .module("CommonModule.Цены", "Процедура М() Экспорт\nКонецПроцедуры")
            .module("CommonModule.Скидки", "Процедура М() Экспорт\nКонецПроцедуры")
            .attribute("Catalog.Товары", "Цены")
            .module("Catalog.Товары.ObjectModule", "Процедура А()\n\tЦены.М();\n\tСкидки.М();\nКонецПроцедуры")
            .form("Catalog.Товары.Form.Ф", &["Скидки"])
            .module("Catalog.Товары.Form.Ф", "Процедура А()\n\tЦены.М();\n\tСкидки.М();\nКонецПроцедуры");
        assert_eq!(
            demo.edges("direct"),
            [
                "Catalog.Товары.ObjectModule.А -> CommonModule.Скидки.М exact :3",
                "Catalog.Товары.Form.Ф.А -> CommonModule.Цены.М exact :2",
            ]
        );
    }

    #[test]
    fn english_and_this_object() {
        let demo = demo().module(
            "Catalog.Goods.ObjectModule",
            "Procedure A()\n\tThisObject.B();\n\tB();\nEndProcedure\nProcedure B() Export\nEndProcedure",
        );
        assert_eq!(demo.edges("direct").len(), 2);
    }
}
