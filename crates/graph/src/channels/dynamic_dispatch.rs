//! `dynamic_dispatch`: a call on a module, manager or object that code computes, whose type is inferred, or that a function or a
//! caller chose among several.
//!
//! The method with the call -> each method that it may reach: `М = Общий.МодульПоТипу(Т); М.М()` where the function gives back one
//! of several modules, or `Процедура П(М) … М.М()` where callers in the module give several; also `М = Вычислить("Склад")`, itself
//! or in a function that is no known dispatcher. Of forms: a method of one that the code opens or gets by its name
//! (`Форма = ОткрытьФорму("ОбщаяФорма.Выбор"); Форма.М()`), itself or in a function that gives it back, and of those that hand
//! themselves to a parameter, through however many calls.

use metadata::ModuleKind;

use super::{Receiver, Rule, Site, module_name_registration, module_registration, object_var_call};
use crate::edge::{Channel, Confidence, Edges, Half, Side};
use crate::flow::Flow;
use crate::value::{Origin, Value};
use crate::world::{MethodId, World};

/// The channel.
pub const CHANNEL: Channel = Channel("dynamic_dispatch");

/// The rule.
pub(super) struct DynamicDispatch;

impl Rule for DynamicDispatch {
    fn channel(&self) -> Channel {
        CHANNEL
    }

    fn call(&self, flow: &Flow<'_>, site: &Site<'_>, out: &mut Edges) {
        let Receiver::Value(values) = site.receiver else {
            return;
        };
        let world = flow.cx.module.world;
        let mut computed = false;
        for value in values.iter() {
            let (module, origin) = match value {
                Value::Module { module, origin } => (Some(module), origin),
                Value::Manager { object, origin } => (world.owned_module(object, ModuleKind::ManagerModule), origin),
                Value::Instance { object, aspect, origin } => {
                    let module = aspect.module().and_then(|kind| world.owned_module(object, kind));
                    // In a variable that the method fills by name it has a channel of its own.
                    let own_channel = object_var_call::in_variable(flow, site);
                    (module, if own_channel { origin } else { origin.of_chain() })
                }
                Value::Form(module) => (Some(module), Origin::Inferred),
                Value::SomeModule => {
                    computed = true;
                    for &target in world.registered_methods(site.name) {
                        meet(flow, module_name_registration::CHANNEL, target, site.line, out);
                        reach(flow, target, Confidence::Candidate, site.line, out);
                    }
                    continue;
                }
                Value::SomeManager(kind) => {
                    computed = true;
                    for target in world.manager_methods(kind, site.name) {
                        reach(flow, target, Confidence::Candidate, site.line, out);
                    }
                    continue;
                }
                _ => continue,
            };
            let confidence = match origin {
                Origin::Evaluated if values.is_certain() => Confidence::String,
                Origin::Inferred if values.is_certain() => Confidence::Typed,
                Origin::Evaluated | Origin::Inferred | Origin::Chosen => Confidence::Candidate,
                Origin::Written | Origin::Named => continue,
            };
            if let Some(target) = module.and_then(|module| world.exported_method(module, site.name)) {
                if origin == Origin::Chosen {
                    meet(flow, module_registration::CHANNEL, target, site.line, out);
                }
                reach(flow, target, confidence, site.line, out);
            }
        }
        if let Some(form) = site.base.filter(|_| world.is_exported(site.name)) {
            let known = |form| values.iter().any(|value| value == Value::Form(form));
            let handed = flow.forms_of(form).into_iter().filter(|form| !known(*form));
            let targets = handed.filter_map(|form| world.exported_method(form, site.name));
            targets.for_each(|target| reach(flow, target, Confidence::Candidate, site.line, out));
        }
        // Some module of the configuration, or something that nothing is known of: a method of that name may be hidden here.
        let unknown = values.is_empty() && world.is_exported(site.name);
        if computed || unknown {
            let kind = if computed { "dispatch" } else { "receiver" };
            out.dynamic.push(flow.cx.dynamic(kind, world.ident_text(site.name), site.line));
        }
    }
}

/// The edge to a method that a computed call reaches.
fn reach(flow: &Flow<'_>, target: MethodId, confidence: Confidence, line: u32, out: &mut Edges) {
    out.edges.push(flow.cx.edge(CHANNEL, target, confidence, line));
}

/// The end at which registrations of a method's module meet a computed call.
fn meet(flow: &Flow<'_>, channel: Channel, target: MethodId, line: u32, out: &mut Edges) {
    let world = flow.cx.module.world;
    let node = world.method(target).node;
    out.halves.push(Half {
        hub: hub(world, node),
        side: Side::Target,
        node,
        channel,
        confidence: Confidence::String,
        file: flow.cx.module.info.file,
        line,
    });
}

/// Where registrations of modules meet computed calls: the method.
pub(super) fn hub(world: &World, method: u32) -> String {
    crate::names::folded(world.name(method))
}

#[cfg(test)]
mod tests {
    use crate::channels::testing::*;

    fn base() -> Demo {
        demo()
            .module("CommonModule.Файлы", "Процедура М() Экспорт\nКонецПроцедуры")
            .module("CommonModule.Тома", "Процедура М() Экспорт\nКонецПроцедуры")
            .module(
                "CommonModule.Выбор",
                "Функция Хранилище(Т) Экспорт\n\tЕсли Т Тогда\n\t\tВозврат Файлы;\n\tКонецЕсли;\n\tВозврат Тома;\nКонецФункции",
            )
    }

    #[test]
    fn a_function_that_chooses() {
        let demo =
            base().module("CommonModule.Х", "Процедура А(Т)\n\tМ = Выбор.Хранилище(Т);\n\tМ.М();\nКонецПроцедуры");
        assert_eq!(
            demo.edges("dynamic_dispatch"),
            [
                "CommonModule.Х.А -> CommonModule.Файлы.М candidate :3",
                "CommonModule.Х.А -> CommonModule.Тома.М candidate :3",
            ]
        );
        assert!(demo.edges("common_module_var").is_empty());
    }

    #[test]
    fn callers_that_choose() {
        let demo = base().module(
            "CommonModule.Х",
            "Процедура А()\n\tБ(Файлы);\n\tБ(Тома);\n\tВ(Тома);\nКонецПроцедуры\nПроцедура Б(М)\n\tМ.М();\nКонецПроцедуры\n\
             Процедура В(М)\n\tМ.М();\nКонецПроцедуры",
        );
        assert_eq!(
            demo.edges("dynamic_dispatch"),
            [
                "CommonModule.Х.Б -> CommonModule.Файлы.М candidate :7",
                "CommonModule.Х.Б -> CommonModule.Тома.М candidate :7",
            ]
        );
        assert_eq!(demo.edges("common_module_var"), ["CommonModule.Х.В -> CommonModule.Тома.М typed :10"]);
    }

    fn forms() -> Demo {
        let method = "Процедура М() Экспорт\nКонецПроцедуры\nПроцедура Тайная()\nКонецПроцедуры";
        demo().module("CommonForm.Выбор", method).module("Document.Заказ.Form.Список", method).link(
            "Document.Заказ",
            "DefaultListForm",
            "Document.Заказ.Form.Список",
        )
    }

    #[test]
    fn forms_that_code_opens() {
        let demo = forms().module(
            "CommonModule.Х",
            "Процедура А()\n\tФорма = ОткрытьФорму(\"ОбщаяФорма.Выбор\");\n\tФорма.М();\n\tФорма.Тайная();\n\
             \tИмя = \"Document.Заказ.ListForm\";\n\tForm = GetForm(Имя);\n\tForm.М();\n\tФормаВыбора().М();\n\
             \tДокументы.Заказ.ПолучитьФорму(\"ФормаСписка\").М();\nКонецПроцедуры\n\
             Функция ФормаВыбора()\n\tФорма = ПолучитьФорму(\"ОбщаяФорма.Выбор\",, 1);\n\tВозврат Форма;\nКонецФункции",
        );
        assert_eq!(
            demo.edges("dynamic_dispatch"),
            [
                "CommonModule.Х.А -> CommonForm.Выбор.М typed :3",
                "CommonModule.Х.А -> Document.Заказ.Form.Список.М typed :7",
                "CommonModule.Х.А -> CommonForm.Выбор.М typed :8",
                "CommonModule.Х.А -> Document.Заказ.Form.Список.М typed :9",
            ]
        );
    }

    #[test]
    fn forms_that_callers_hand_over() {
        let demo = forms()
            .module("CommonModule.Общий", "Процедура Б(Ф) Экспорт\n\tФ.М();\n\tФ.Закрыть();\nКонецПроцедуры")
            .module(
                "CommonForm.Ф",
                "Процедура А()\n\tОбщий.Б(ЭтотОбъект);\nКонецПроцедуры\nПроцедура М() Экспорт\nКонецПроцедуры",
            );
        assert_eq!(demo.edges("dynamic_dispatch"), ["CommonModule.Общий.Б -> CommonForm.Ф.М candidate :2"]);
        let opened = "Процедура А()\n\tФорма = ОткрытьФорму(\"ОбщаяФорма.Выбор\");\n\tОбщий.Б(Форма);\nКонецПроцедуры";
        let demo = demo.module("CommonModule.У", opened);
        let of = |form: &str| format!("CommonModule.Общий.Б -> CommonForm.{form}.М candidate :2");
        assert_eq!(demo.edges("dynamic_dispatch"), [of("Выбор"), of("Ф")]);
    }

    #[test]
    fn a_function_of_a_form_that_gives_its_object() {
        let text = "Функция ЭтотОбъект(Т = Неопределено)\n\tЕсли Т = Неопределено Тогда\n\
                    \t\tВозврат РеквизитФормыВЗначение(\"Объект\");\n\tКонецЕсли;\n\tВозврат Неопределено;\nКонецФункции\n\
                    Процедура А()\n\tО = ЭтотОбъект();\n\tО.М();\n\tЭтотОбъект().М();\nКонецПроцедуры";
        let demo = demo()
            .module("DataProcessor.Обмен.ObjectModule", "Процедура М() Экспорт\nКонецПроцедуры")
            .form_with("DataProcessor.Обмен.Form.Ф", |form| {
                let mut object = form_attribute("Объект");
                object.types = types(&["DataProcessorObject.Обмен"]);
                form.attributes.push(object);
            })
            .module("DataProcessor.Обмен.Form.Ф", text);
        let target = "DataProcessor.Обмен.Form.Ф.А -> DataProcessor.Обмен.ObjectModule.М typed";
        assert_eq!(demo.edges("dynamic_dispatch"), [format!("{target} :9"), format!("{target} :10")]);
    }

    #[test]
    fn a_name_that_is_evaluated() {
        let text = "Процедура А()\n\tМ = Вычислить(\"Тома\");\n\tМ.М();\n\tНайти(\"Файлы\").М();\nКонецПроцедуры\n\
                    Функция Найти(Имя)\n\tМодуль = Вычислить(Имя);\n\tВозврат Модуль;\nКонецФункции";
        let demo = base().module("CommonModule.Х", text);
        assert_eq!(
            demo.edges("dynamic_dispatch"),
            ["CommonModule.Х.А -> CommonModule.Тома.М string :3", "CommonModule.Х.А -> CommonModule.Файлы.М string :4",]
        );
    }

    #[test]
    fn rows_of_tabular_sections_of_tables_on_forms_and_of_their_queries() {
        let demo = demo()
            .module("Document.Заказ.ObjectModule", "Процедура М() Экспорт\nКонецПроцедуры")
            .object("Document.Отгрузка")
            .typed_part("Document.Отгрузка", "TabularSection.Заказы", "")
            .typed_part("Document.Отгрузка", "TabularSection.Заказы.Attribute.Основание", "DocumentRef.Заказ");
        let row = |rows: &str| {
            format!(
                "Процедура А(П)\nДля Каждого Строка Из {rows} Цикл\nСтрока.Основание.ПолучитьОбъект().М();\nКонецЦикла;\nКонецПроцедуры"
            )
        };
        let reached = ["CommonModule.Х.А -> Document.Заказ.ObjectModule.М typed :3"];
        let of = |text: &str| demo.clone().module("CommonModule.Х", text).edges("dynamic_dispatch");
        assert_eq!(of(&row("Документы.Отгрузка.СоздатьДокумент().Заказы")), reached);
        for field in ["Основание", "Заказы.Основание"] {
            let query =
                format!("Новый Запрос(\"ВЫБРАТЬ {field} КАК Основание ИЗ Документ.Отгрузка.Заказы КАК Заказы\")");
            assert_eq!(of(&row(&format!("{query}.Выполнить().Выгрузить()"))), reached);
        }
        let on_form = demo
            .clone()
            .form_with("CommonForm.Ф", |form| {
                form.attributes.push(form_table("Строки", &[("Основание", "DocumentRef.Заказ"), ("Сумма", "Number")]));
            })
            .module("CommonForm.Ф", &row("Строки"));
        assert_eq!(on_form.edges("dynamic_dispatch"), ["CommonForm.Ф.А -> Document.Заказ.ObjectModule.М typed :3"]);
    }
}
