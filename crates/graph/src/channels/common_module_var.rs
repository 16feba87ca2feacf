//! `common_module_var`: a method of a common module that stands in a variable, or is given back by a function.
//!
//! Site -> method. `М = Общий.ОбщийМодуль("Склад"); М.Остаток()`, the same without the variable, `М = Склад`, a parameter that
//! calls of the same module fill. Which functions give back modules by name is data
//! (`data/dispatchers.tsv`, settings of the project). A literal that
//! names no module is no error: optional subsystems are asked for by name. A module that code evaluates (`Вычислить(Имя)`), or
//! that a function or a caller chose among several, is `dynamic_dispatch`.

use super::{Receiver, Rule, Site};
use crate::edge::{Channel, Confidence, Edges};
use crate::flow::Flow;
use crate::value::{Origin, Value};

/// The channel.
pub const CHANNEL: Channel = Channel("common_module_var");

/// The rule.
pub(super) struct CommonModuleVar;

impl Rule for CommonModuleVar {
    fn channel(&self) -> Channel {
        CHANNEL
    }

    fn call(&self, flow: &Flow<'_>, site: &Site<'_>, out: &mut Edges) {
        let Receiver::Value(values) = site.receiver else {
            return;
        };
        for value in values.iter() {
            let Value::Module { module, origin } = value else { continue };
            let Some(target) = flow.cx.module.world.exported_method(module, site.name) else { continue };
            let confidence = match origin {
                Origin::Chosen | Origin::Evaluated => continue,
                _ if !values.is_certain() => Confidence::Candidate,
                Origin::Named => Confidence::String,
                Origin::Written | Origin::Inferred => Confidence::Typed,
            };
            out.edges.push(flow.cx.edge(CHANNEL, target, confidence, site.line));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::channels::testing::*;

    /// Two modules and a dispatcher with functions around it.
    fn base() -> Demo {
        demo()
            .dispatcher("Служебный.Модуль", 1)
            .module("CommonModule.Склад", "Процедура М() Экспорт\nКонецПроцедуры\nПроцедура Тайная()\nКонецПроцедуры")
            .module("CommonModule.Цены", "Процедура М() Экспорт\nКонецПроцедуры")
            .module(
                "CommonModule.Служебный",
                "Функция Модуль(Имя) Экспорт\n\tРезультат = Вычислить(Имя);\n\tВозврат Результат;\nКонецФункции\n\
                 Функция Обертка(Имя) Экспорт\n\tВозврат Модуль(Имя);\nКонецФункции\n\
                 Функция Складской() Экспорт\n\tВозврат Обертка(\"Склад\");\nКонецФункции\n\
                 Функция Прямой() Экспорт\n\tВозврат Склад;\nКонецФункции",
            )
    }

    fn edges(text: &str) -> Vec<String> {
        let demo = base().module("CommonModule.Х", &format!("Процедура А(П)\n{text}\nКонецПроцедуры"));
        demo.edges("common_module_var")
            .into_iter()
            .map(|e| e.replace("CommonModule.Х.А -> CommonModule.", ""))
            .collect()
    }

    #[test]
    fn by_a_literal() {
        assert_eq!(edges("М = Служебный.Модуль(\"Склад\");\nМ.М();\nМ.Тайная();"), ["Склад.М string :3"]);
        assert_eq!(edges("Служебный.Модуль(\"склад\").М();"), ["Склад.М string :2"]);
        assert_eq!(edges("М = Служебный.Обертка(\"Цены\");\nм.М();"), ["Цены.М string :3"]);
        assert_eq!(edges("Имя = \"Цены\";\nМ = Служебный.Модуль(Имя);\nМ.М();"), ["Цены.М string :4"]);
        assert_eq!(edges("М = Служебный.Модуль(\"Це\" + \"ны\");\nМ.М();"), ["Цены.М string :3"]);
        assert_eq!(edges("М = Вычислить(\"Цены\");\nМ.М();"), [""; 0]);
    }

    #[test]
    fn by_a_function_or_another_variable() {
        assert_eq!(edges("М = Служебный.Складской();\nМ.М();"), ["Склад.М string :3"]);
        assert_eq!(edges("Служебный.Прямой().М();"), ["Склад.М typed :2"]);
        assert_eq!(edges("Другой = Склад;\nМ = Другой;\nМ.М();"), ["Склад.М typed :4"]);
    }

    #[test]
    fn branches_and_loops() {
        let text = "Если П Тогда\nМ = Склад;\nИначе\nМ = Цены;\nКонецЕсли;\nМ.М();";
        assert_eq!(edges(text), ["Склад.М candidate :7", "Цены.М candidate :7"]);
        assert_eq!(edges("М = Склад;\nМ.М();\nМ = Цены;\nМ.М();"), ["Склад.М typed :3", "Цены.М typed :5"]);
        assert_eq!(
            edges("Если П Тогда\nМ = Склад;\nИначе\nМ = Неопределено;\nКонецЕсли;\nМ.М();"),
            ["Склад.М typed :7"]
        );
        assert_eq!(edges("Если П Тогда\nМ = Склад;\nВозврат;\nКонецЕсли;\nМ = Цены;\nМ.М();"), ["Цены.М typed :7"]);
        let text = "М = Склад;\nПока П Цикл\nМ.М();\nМ = Цены;\nКонецЦикла;";
        assert_eq!(edges(text), ["Склад.М candidate :4", "Цены.М candidate :4"]);
        assert_eq!(edges("Попытка\nМ = Склад;\nИсключение\nВозврат;\nКонецПопытки;\nМ.М();"), ["Склад.М typed :7"]);
        assert_eq!(edges("М = ?(П, Склад, Цены);\nМ.М();"), ["Склад.М candidate :3", "Цены.М candidate :3"]);
    }

    #[test]
    fn branches_of_the_preprocessor() {
        let both = ["Склад.М candidate :7", "Цены.М candidate :7"];
        assert_eq!(edges("#Если Сервер Тогда\nМ = Склад;\n#Иначе\nМ = Цены;\n#КонецЕсли\nМ.М();"), both);
        let text = "М = Склад;\n#Если ВебКлиент Тогда\nМ.М();\nМ = Цены;\n#КонецЕсли\nМ.М();";
        assert_eq!(edges(text), ["Склад.М typed :4", "Склад.М candidate :7", "Цены.М candidate :7"]);
        let text = "#Если Сервер Тогда\nМ = Склад;\nМ.М();\n#Иначе\n#КонецЕсли\n#Если Сервер Тогда\nМ = Цены;\n#КонецЕсли\nА = 1;";
        assert_eq!(edges(text), ["Склад.М typed :4"]);
    }

    #[test]
    fn what_is_not_known_gives_nothing() {
        for text in [
            "П.М();",
            "М = Служебный.Модуль(П);\nМ.М();",
            "М = Служебный.Модуль(\"НетТакого\");\nМ.М();",
            "М = Служебный.Модуль(\"Скл\" + П);\nМ.М();",
            "М = Склад;\nМ = П;\nМ.М();",
            "М = Склад;\nДля Каждого М Из П Цикл\nМ.М();\nКонецЦикла;",
            "М = Склад;\nМ.Свойство.М();",
        ] {
            assert_eq!(edges(text), [""; 0], "{text}");
        }
    }

    #[test]
    fn a_parameter_that_the_own_module_fills() {
        let demo = base().module(
            "CommonModule.Х",
            "Процедура А()\n\tБ(Склад);\n\tВ(\"Цены\");\nКонецПроцедуры\nПроцедура Б(Модуль)\n\tМодуль.М();\nКонецПроцедуры\n\
             Процедура В(Имя)\n\tСлужебный.Модуль(Имя).М();\nКонецПроцедуры\nПроцедура Г(Модуль)\n\tМодуль.М();\nКонецПроцедуры",
        );
        assert_eq!(
            demo.edges("common_module_var"),
            ["CommonModule.Х.Б -> CommonModule.Склад.М typed :6", "CommonModule.Х.В -> CommonModule.Цены.М string :9",]
        );
    }

    #[test]
    fn a_dispatcher_of_the_project() {
        let text = "Процедура А()\n\tМ = Реестр.Найти(1, \"Склад\");\n\tМ.М();\nКонецПроцедуры";
        let demo = base()
            .module("CommonModule.Реестр", "Функция Найти(Х, Имя) Экспорт\n\tВозврат Кэш[Имя];\nКонецФункции")
            .module("CommonModule.Х", text);
        assert!(demo.edges("common_module_var").is_empty());
        let demo = demo.dispatcher("Реестр.Найти", 2);
        assert_eq!(demo.edges("common_module_var"), ["CommonModule.Х.А -> CommonModule.Склад.М string :3"]);
    }
}
