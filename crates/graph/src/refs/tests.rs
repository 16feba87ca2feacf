//! References of code and queries, on small configurations.

use super::testing::{in_module, of, refs};
use crate::channels::testing::{Demo, demo, form_command};

fn goods() -> Demo {
    demo()
        .typed_part("Catalog.Товары", "Attribute.Цена", "Number")
        .typed_part("Catalog.Товары", "Attribute.Склад", "CatalogRef.Склады")
        .part("Catalog.Товары", "TabularSection.Места", "", "")
        .typed_part("Catalog.Товары", "TabularSection.Места.Attribute.Место", "CatalogRef.Склады")
        .typed_part("Catalog.Склады", "Attribute.Адрес", "String")
}

const PRICE: &str = "Catalog.Товары.Attribute.Цена";
const ADDRESS: &str = "Catalog.Склады.Attribute.Адрес";

#[test]
fn pictures_and_items_of_the_style() {
    let library = || demo().object("CommonPicture.Флаг").object("StyleItem.Важно");
    let russian =
        "А = БиблиотекаКартинок.Флаг;\nБ = БиблиотекаКартинок.Найти;\nВ = ЦветаСтиля.Важно;\nГ = ШрифтыСтиля.Важно;";
    let found = refs(library(), russian);
    assert_eq!(of(&found, "CommonPicture.Флаг"), ["bsl_property :1"]);
    assert_eq!(of(&found, "StyleItem.Важно"), ["bsl_property :3", "bsl_property :4"]);
    assert_eq!(found.len(), 3);
    let found =
        refs(library(), "A = PictureLib.Флаг;\nB = StyleBorders[\"Важно\"];\nStyleColors = B;\nC = StyleColors.Важно;");
    assert_eq!(of(&found, "CommonPicture.Флаг"), ["bsl_property :1"]);
    assert_eq!(of(&found, "StyleItem.Важно"), ["bsl_property :2"], "a variable hides the library");
}

#[test]
fn constants_in_queries_and_sets() {
    let constants = || demo().object("Constant.Валюта");
    let found = refs(constants(), "З = \"ВЫБРАТЬ К.Валюта КАК В,\n| К.Другая\n|ИЗ Константы КАК К\";");
    assert_eq!(of(&found, "Constant.Валюта"), ["bsl_query :1"]);
    let found = refs(constants(), "S = Constants.CreateSet(\"Валюта\");\nS.Валюта = 1;\nS.Read();");
    assert_eq!(of(&found, "Constant.Валюта"), ["bsl_string :1", "bsl_property :2"]);
}

#[test]
fn a_section_leads_to_its_object() {
    let found = refs(goods(), "З = \"ВЫБРАТЬ М.Ссылка.Цена,\n| М.Ref.Склад.Адрес ИЗ Справочник.Товары.Места КАК М\";");
    assert_eq!(of(&found, PRICE), ["bsl_query :1"]);
    assert_eq!(of(&found, ADDRESS), ["bsl_query :2"]);
}

#[test]
fn a_new_name_is_not_the_field() {
    let query =
        "З = \"ВЫБРАТЬ Товары.Цена КАК Новая,\n| Товары.Цена КАК Цена\n|ПОМЕСТИТЬ ВТ ИЗ Справочник.Товары КАК Товары;
        |ВЫБРАТЬ Итог.Новая,\n| Итог.Цена,\n| Итог.Новая + Т.Цена\n|ИЗ ВТ КАК Итог, Справочник.Товары КАК Т\";";
    let found = refs(goods(), query);
    assert_eq!(of(&found, PRICE), ["bsl_query :1", "bsl_query :2", "bsl_query :5", "bsl_query :6"]);
    // The alias `Товары` is the catalog's name, `Т` is none.
    let lines = ["bsl_query :1", "bsl_query :2", "bsl_query :3", "bsl_query :7"];
    assert_eq!(of(&found, "Catalog.Товары"), lines);
}

#[test]
fn conditions_that_are_put_into_a_query() {
    let query = "\"ВЫБРАТЬ Т.Склад ИЗ Справочник.Товары КАК Т ГДЕ &Условие\"";
    let put = format!("У = \"Т.Цена > 0\n|И Т.Склад.Адрес = 1\";\nЗ = СтрЗаменить({query}, \"&Условие\", У);");
    let found = refs(goods(), &put);
    assert_eq!(of(&found, PRICE), ["bsl_query :1"]);
    assert_eq!(of(&found, ADDRESS), ["bsl_query :2"]);
    let added =
        format!("Q = New Query;\nQ.Text = {query};\nQ.Text = Q.Text + \" И Т.Цена = 1\";\nДругая = \"Т.Цена\";");
    assert_eq!(of(&refs(goods(), &added), PRICE), ["bsl_query :3"]);
    let other =
        format!("З = {query};\nЗ = \"ВЫБРАТЬ Т.Адрес ИЗ Справочник.Склады КАК Т\";\nЗ = З + \" ГДЕ Т.Цена = 1\";");
    assert_eq!(of(&refs(goods(), &other), PRICE), [""; 0], "the last query has no such field");
}

#[test]
fn branches_are_alternatives() {
    let code = "Т = \"ВЫБРАТЬ Т.Склад КАК С ПОМЕСТИТЬ В ИЗ Справочник.Товары КАК Т;\";\nЕсли А Тогда
        Т = Т + \"ВЫБРАТЬ Т.Цена ИЗ Справочник.Товары КАК Т, В\n|\";\nИначе
        Т = Т + \"ВЫБРАТЬ Т.Цена ИЗ Справочник.Товары КАК Т\n|\";\nКонецЕсли;";
    assert_eq!(of(&refs(goods(), code), PRICE), ["bsl_query :3", "bsl_query :6"]);
}

#[test]
fn the_only_field_of_a_name_is_meant_on_a_computed_table() {
    let found =
        refs(goods(), "З = \"ВЫБРАТЬ Т.Цена ИЗ #Таблица КАК Т\";\nБ = \"ВЫБРАТЬ Т.Цена ПОМЕСТИТЬ В ИЗ &Т КАК Т\";");
    assert_eq!(of(&found, PRICE), ["bsl_query :1"], "a table of values has columns of its own");
}

#[test]
fn what_comments_say_of_parameters() {
    let code = "// Параметры:\n//  Список - Массив из СправочникСсылка.Товары\n//  Форма - Форма:\n//   * Объект - СправочникОбъект.Товары
        Процедура П(Список, Форма)\nДля Каждого Один Из Список Цикл\nА = Один.Цена;\nКонецЦикла;\nФорма.Объект.Цена = 1;\nКонецПроцедуры";
    let found = in_module(goods(), "CommonModule.Проверка", code, 0);
    assert_eq!(of(&found, PRICE), ["bsl_property :7", "bsl_property :9"]);
}

#[test]
fn some_object_of_a_kind_and_defined_types() {
    let code = "// Параметры:\n//  Один - СправочникОбъект - что угодно.\n//  Другой - ОпределяемыйТип.Предмет\n//  Форма - Форма:\n//   * Объект - СправочникОбъект
        Процедура П(Один, Другой, Форма)\nА = Один.Цена;\nБ = Другой.Цена;\nВ = Форма.Объект.Цена;\nКонецПроцедуры";
    let found = in_module(goods().defined_type("Предмет", &["CatalogRef.Товары"]), "CommonModule.Проверка", code, 0);
    assert_eq!(of(&found, PRICE), ["bsl_property :7", "bsl_property :8", "bsl_property :9"]);
}

#[test]
fn names_that_are_put_together_and_chosen() {
    let pictures =
        demo().object("CommonPicture.Да").object("CommonPicture.Нет").form("Catalog.Товары.Form.Список", &[]);
    let code = "А = БиблиотекаКартинок[?(Параметр, \"Да\", \"Нет\")];\nНачало = \"Справочник.Товары.Форма.\";\nБ = Начало + \"Список\";";
    let found = refs(pictures, code);
    assert_eq!(of(&found, "CommonPicture.Да"), ["bsl_property :1"]);
    assert_eq!(of(&found, "CommonPicture.Нет"), ["bsl_property :1"]);
    assert_eq!(of(&found, "Catalog.Товары.Form.Список"), ["bsl_string :3"]);
}

#[test]
fn descriptions_of_the_own_object() {
    let code = "Процедура П()\nМ = Метаданные();\nА = М.Реквизиты.Цена.Имя;\nБ = ЭтотОбъект.Метаданные().Реквизиты.Цена;\nКонецПроцедуры";
    let found = in_module(goods(), "Catalog.Товары.ObjectModule", code, 0);
    assert_eq!(of(&found, PRICE), ["bsl_metadata :3", "bsl_metadata :4"]);
}

#[test]
fn lists_of_fields_that_are_copied() {
    let code = "Т = Справочники.Товары.СоздатьЭлемент();\nЗаполнитьЗначенияСвойств(Т, Параметр, \"Цена\");
        FillPropertyValues(Параметр, Т, , \"Цена\");";
    let rows = ["bsl_attribute_name_string :2", "bsl_attribute_name_string :3"];
    assert_eq!(of(&refs(goods(), code), PRICE), rows);
}

#[test]
fn nested_subsystems_by_their_full_name_and_by_a_search_in_the_outer_one() {
    let nested = || demo().object("Subsystem.Торговля").object("Subsystem.Торговля.Subsystem.Цены");
    let found = refs(
        nested(),
        "А = \"Подсистема.Торговля.Подсистема.Цены\";\nТ = Метаданные.Подсистемы.Найти(\"Торговля\");\n\
         Ц = ?(Т = Неопределено, Неопределено, Т.Подсистемы.Найти(\"Цены\"));\nН = Т.Подсистемы.Найти(\"Нет\");",
    );
    assert_eq!(of(&found, "Subsystem.Торговля"), ["bsl_string :1", "bsl_metadata :2"]);
    assert_eq!(of(&found, "Subsystem.Торговля.Subsystem.Цены"), ["bsl_string :1", "bsl_metadata :3"]);
}

#[test]
fn forms_described_by_metadata() {
    let body = "Ф = Метаданные.Справочники.Товары.Формы.Выбор;\nИ = Metadata.Catalogs.Товары.Forms.Find(\"Выбор\");\n\
                М = Метаданные.Справочники.Товары.Макеты.Выбор;";
    let found = refs(goods().form("Catalog.Товары.Form.Выбор", &[]), body);
    assert_eq!(of(&found, "Catalog.Товары.Form.Выбор"), ["bsl_metadata :1", "bsl_string :2"]);
}

#[test]
fn commands_of_a_form_in_its_module() {
    let form = || demo().form_with("CommonForm.Ф", |form| form.commands.push(form_command("Печать", &["Печать"])));
    let text = "Процедура А()\nКоманды.Печать.Доступность = Ложь;\nЭтотОбъект.Команды[\"Печать\"].Доступность = Ложь;\n\
                К = Команды.Найти(\"Печать\");\nКонецПроцедуры\nПроцедура Печать(К)\nКонецПроцедуры";
    let found = in_module(form(), "CommonForm.Ф", text, 0);
    assert_eq!(of(&found, "CommonForm.Ф.Command.Печать"), ["bsl_property :2", "bsl_property :3", "bsl_property :4"]);
    let text = "Процедура А(Команды)\nКоманды.Печать.Доступность = Ложь;\nКонецПроцедуры";
    assert_eq!(of(&in_module(form(), "CommonForm.Ф", text, 0), "CommonForm.Ф.Command.Печать"), [""; 0]);
}

#[test]
fn a_name_that_a_form_bears_too_is_a_role_where_roles_are_spoken_of() {
    let roles = || demo().object("Role.Подбор").object("Role.Чтение").object("Catalog.Товары");
    let body = "ОткрытьНовую(\"Подбор\");\nСписок = \"Чтение\";\nА = Пользователи.РолиДоступны(\"Подбор\");";
    let found = refs(roles().form("Catalog.Товары.Form.Подбор", &[]), body);
    assert_eq!(of(&found, "Role.Подбор"), ["bsl_role_name_string :3"]);
    assert_eq!(of(&found, "Role.Чтение"), ["bsl_role_name_string :2"]);
}

#[test]
fn a_name_of_an_attribute_that_one_object_alone_has() {
    let common = "Функция ЕстьРеквизитОбъекта(Имя, Описание) Экспорт\nВозврат Истина;\nКонецФункции";
    let goods = || {
        goods()
            .typed_part("Catalog.Склады", "Attribute.Склад", "String")
            .module("CommonModule.ОбщегоНазначения", common)
    };
    let found = refs(
        goods(),
        "А = ОбщегоНазначения.ЕстьРеквизитОбъекта(\"Цена\", Параметр);\nБ = ОбщегоНазначения.ЕстьРеквизитОбъекта(\"Склад\", Параметр);\n\
         В = ОбщегоНазначения.ЕстьРеквизитОбъекта(\"Цена\", Справочники.Склады.НайтиПоКоду(1));",
    );
    assert_eq!(of(&found, PRICE), ["bsl_attribute_name_string :1"]);
    assert_eq!(of(&found, "Catalog.Товары.Attribute.Склад"), [""; 0]);
}
