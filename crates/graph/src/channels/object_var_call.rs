//! `object_var_call`: a method of an object module, called on an object of known type.
//!
//! Site -> `….ObjectModule.M`, also of a record set's and a value manager's module: `О = Обработки.Х.Создать(); О.Метод()`,
//! `О = Документы.Х.НайтиПоНомеру(1).ПолучитьОбъект()`. The variable is filled in the method itself, from a manager that the code
//! names; an object whose type is known in another way (`РеквизитФормыВЗначение("Объект")`, a function's result, a test of the type,
//! a doc comment), or that stands in no variable, is `dynamic_dispatch`.

use bsl::Expr;

use super::{Receiver, Rule, Site};
use crate::edge::{Channel, Confidence, Edges};
use crate::flow::Flow;
use crate::value::{Origin, Value};

/// The channel.
pub const CHANNEL: Channel = Channel("object_var_call");

/// The rule.
pub(super) struct ObjectVarCall;

impl Rule for ObjectVarCall {
    fn channel(&self) -> Channel {
        CHANNEL
    }

    fn call(&self, flow: &Flow<'_>, site: &Site<'_>, out: &mut Edges) {
        let Receiver::Value(values) = site.receiver else {
            return;
        };
        if !in_variable(flow, site) {
            return;
        }
        let world = flow.cx.module.world;
        let confidence = if values.is_certain() { Confidence::Typed } else { Confidence::Candidate };
        for value in values.iter() {
            let Value::Instance { object, aspect, origin: Origin::Written | Origin::Named } = value else { continue };
            let target = aspect
                .module()
                .and_then(|kind| world.owned_module(object, kind))
                .and_then(|module| world.exported_method(module, site.name));
            if let Some(target) = target {
                out.edges.push(flow.cx.edge(CHANNEL, target, confidence, site.line));
            }
        }
    }
}

/// Whether a variable stands before the dot.
pub(super) fn in_variable(flow: &Flow<'_>, site: &Site<'_>) -> bool {
    site.base.is_some_and(|base| matches!(flow.cx.code.expr(base), Expr::Name(_)))
}

#[cfg(test)]
mod tests {
    use crate::channels::testing::*;

    const METHOD: &str = "Процедура М() Экспорт\nКонецПроцедуры\nПроцедура Тайная()\nКонецПроцедуры";

    fn base() -> Demo {
        demo()
            .module("Document.Заказ.ObjectModule", METHOD)
            .module("DataProcessor.Обмен.ObjectModule", METHOD)
            .module("InformationRegister.Цены.RecordSetModule", METHOD)
    }

    fn edges(text: &str) -> Vec<String> {
        of_channel("object_var_call", text)
    }

    fn of_channel(channel: &str, text: &str) -> Vec<String> {
        let edges = base().module("CommonModule.Х", text).edges(channel);
        edges.into_iter().map(|e| e.replace("CommonModule.Х.", "")).collect()
    }

    fn of_body(text: &str) -> Vec<String> {
        edges(&format!("Процедура А(П)\n{text}\nКонецПроцедуры"))
    }

    #[test]
    fn objects_that_managers_and_references_give() {
        assert_eq!(
            of_body("О = Обработки.Обмен.Создать();\nО.М();\nО.Тайная();"),
            ["А -> DataProcessor.Обмен.ObjectModule.М typed :3"]
        );
        assert_eq!(
            of_body("О = Документы.Заказ.НайтиПоНомеру(1).ПолучитьОбъект();\nО.М();"),
            ["А -> Document.Заказ.ObjectModule.М typed :3"]
        );
        assert_eq!(
            of_body("О = Documents.Заказ.CreateDocument();\nО.М();"),
            ["А -> Document.Заказ.ObjectModule.М typed :3"]
        );
        assert_eq!(
            of_body("Н = РегистрыСведений.Цены.СоздатьНаборЗаписей();\nН.М();"),
            ["А -> InformationRegister.Цены.RecordSetModule.М typed :3"]
        );
        assert_eq!(
            of_body("О = Документы.Заказ.СоздатьДокумент();\nД = О.Движения.Цены;\nД.М();"),
            ["А -> InformationRegister.Цены.RecordSetModule.М typed :4"]
        );
        assert_eq!(of_body("О = П.ПолучитьОбъект();\nО.М();"), [""; 0]);
    }

    #[test]
    fn a_test_of_the_type_holds_in_its_branch() {
        let text = "Если ТипЗнч(П) = Тип(\"ДокументОбъект.Заказ\") Тогда\nП.М();\nИначе\nП.М();\nКонецЕсли;\nП.М();";
        let expected =
            ["А -> Document.Заказ.ObjectModule.М typed :3", "А -> Document.Заказ.ObjectModule.М candidate :7"];
        assert_eq!(of_channel("dynamic_dispatch", &format!("Процедура А(П)\n{text}\nКонецПроцедуры")), expected);
    }

    #[test]
    fn doc_comments() {
        let text = "// Параметры:\n//  П - ДокументОбъект.Заказ - заказ\nПроцедура А(П)\n\tП.М();\nКонецПроцедуры\n\
                    // Возвращаемое значение:\n//  ОбработкаОбъект.Обмен\nФункция Новая() Экспорт\n\tВозврат Кэш();\nКонецФункции\n\
                    Процедура Б()\n\tНовая().М();\nКонецПроцедуры";
        let expected =
            ["А -> Document.Заказ.ObjectModule.М candidate :4", "Б -> DataProcessor.Обмен.ObjectModule.М typed :12"];
        assert_eq!(of_channel("dynamic_dispatch", text), expected);
    }

    #[test]
    fn functions_give_objects() {
        let text = "Функция Новый1()\n\tО = Обработки.Обмен.Создать();\n\tВозврат О;\nКонецФункции\n\
                    Процедура А()\n\tНовый1().М();\nКонецПроцедуры";
        assert_eq!(of_channel("dynamic_dispatch", text), ["А -> DataProcessor.Обмен.ObjectModule.М typed :6"]);
        assert_eq!(edges(text), [""; 0]);
    }
}
