use super::*;

fn wanted(object: &str, part: Option<(Role, &str)>) -> Wanted {
    let (kind, name) = object.split_once('.').unwrap();
    let part = part.map(|(role, name)| {
        let (section, name) = match name.split_once('/') {
            Some((section, name)) => (Some(section.to_owned()), name),
            None => (None, name),
        };
        Part { role, name: name.to_owned(), name_en: None, section, kind: None }
    });
    Wanted { kind: Kind::named(kind).unwrap(), object: name.to_owned(), part, unique: false }
}

fn here(owner: &str, kind: ModuleKind) -> Here {
    let main = (kind == ModuleKind::FormModule).then(|| ("Объект".to_owned(), owner.to_owned()));
    Here { kind, owner: owner.to_owned(), main }
}

/// Mentions in a procedure's body, as `kind confidence :line` with lines of the body from 1.
fn found(wanted: &Wanted, here: &Here, body: &str) -> Vec<String> {
    let facts = bsl::read_module(format!("Процедура П(Параметр)\n{body}\nКонецПроцедуры").as_bytes());
    let row = |m: &Mention| format!("{} {} :{}", m.kind, m.confidence.as_str(), m.line - 1);
    Search::new(std::slice::from_ref(wanted)).mentions(&facts, here).iter().map(row).collect()
}

const MODULE: (&str, ModuleKind) = ("CommonModule.М", ModuleKind::Module);

fn in_module(wanted: &Wanted, body: &str) -> Vec<String> {
    found(wanted, &here(MODULE.0, MODULE.1), body)
}

#[test]
fn a_field_of_a_value_whose_object_is_known() {
    let price = wanted("Catalog.Товары", Some((Role::Field, "Цена")));
    assert_eq!(in_module(&price, "Т = Справочники.Товары.НайтиПоКоду(1);\nЦ = Т.Цена;"), ["bsl_property typed :2"]);
    assert_eq!(in_module(&price, "Т = Справочники.Склады.НайтиПоКоду(1);\nЦ = Т.Цена;"), [""; 0]);
    assert_eq!(in_module(&price, "Ц = Параметр.Цена;"), ["bsl_property candidate :1"]);
    assert_eq!(in_module(&price, "Ц = Параметр.Цена();"), [""; 0], "a call");
    let object = here("Catalog.Товары", ModuleKind::ObjectModule);
    assert_eq!(
        found(&price, &object, "Цена = 1;\nЭтотОбъект.Цена = 2;"),
        ["bsl_property exact :1", "bsl_property typed :2"]
    );
    assert_eq!(found(&price, &object, "Перем Цена;\nЦена = 1;"), [""; 0], "a local of that name");
    let form = here("Catalog.Товары", ModuleKind::FormModule);
    assert_eq!(found(&price, &form, "Объект.Цена = 1;"), ["bsl_property typed :1"]);
    assert_eq!(found(&price, &here("Catalog.Склады", ModuleKind::FormModule), "Объект.Цена = 1;"), [""; 0]);
}

#[test]
fn a_field_of_a_row_is_reached_through_its_section() {
    let count = wanted("Document.Заказ", Some((Role::RowField, "Товары/Количество")));
    let form = here("Document.Заказ", ModuleKind::FormModule);
    let body = "Для Каждого Строка Из Объект.Товары Цикл\nА = Строка.Количество;\nКонецЦикла;";
    assert_eq!(found(&count, &form, body), ["bsl_property typed :2"]);
}

#[test]
fn values_of_managers_and_texts_that_name_them() {
    let closed = wanted("Enum.Состояния", Some((Role::Value, "Закрыт")));
    let body = "А = Перечисления.Состояния.Закрыт;\nБ = ПредопределенноеЗначение(\"Перечисление.Состояния.Закрыт\");
В = Перечисления.Другие.Закрыт;\nВиды = Перечисления.Состояния;\nГ = Виды.Закрыт;\nД = Параметр.Закрыт;";
    assert_eq!(
        in_module(&closed, body),
        ["bsl_enum_value exact :1", "bsl_predefined_value exact :2", "bsl_enum_value_via_alias typed :5"]
    );
    let query = "З = \"ВЫБРАТЬ 1\n|ГДЕ А = ЗНАЧЕНИЕ(Перечисление.Состояния.Закрыт)\";";
    assert_eq!(in_module(&closed, query), ["bsl_query exact :2"]);
}

#[test]
fn queries_name_fields_of_their_tables() {
    let price = wanted("Catalog.Товары", Some((Role::Field, "Цена")));
    let query = "З = \"ВЫБРАТЬ\n| Т.Цена КАК Ц\n|ИЗ Справочник.Товары КАК Т\";";
    assert_eq!(in_module(&price, query), ["bsl_query typed :2"]);
    let other = "З = \"ВЫБРАТЬ Т.Товар.Цена ИЗ Документ.Заказ КАК Т\";";
    assert_eq!(in_module(&price, other), ["bsl_query candidate :1"]);
    let amount = wanted("AccumulationRegister.Запасы", Some((Role::Field, "Количество")));
    let query = "З = \"ВЫБРАТЬ О.КоличествоОстаток ИЗ РегистрНакопления.Запасы.Остатки КАК О\";";
    assert_eq!(in_module(&amount, query), ["bsl_query typed :1"]);
}

#[test]
fn names_of_fields_in_lists() {
    let price = wanted("Catalog.Товары", Some((Role::Field, "Цена")));
    let list = "А = Общее.Значения(Параметр, \"Код, Цена\");";
    assert_eq!(in_module(&price, list), ["bsl_attribute_name_string candidate :1"]);
    assert_eq!(in_module(&price, "А = \"Цена не указана\";"), [""; 0], "prose");
    let unique = Wanted { unique: true, ..price };
    assert_eq!(in_module(&unique, list), ["bsl_attribute_name_string string :1"]);
    assert_eq!(in_module(&unique, "Ц = Параметр.Цена;"), ["bsl_property typed :1"]);
    let key = "С.Вставить(\"Цена\", 1);\nЦ = С.Цена;";
    assert_eq!(in_module(&unique, key), ["bsl_attribute_name_string string :1", "bsl_property candidate :2"], "a key");
}

#[test]
fn objects_by_managers_types_and_names() {
    let goods = wanted("Catalog.Товары", None);
    let body = "А = Справочники.Товары;\nБ = Тип(\"СправочникСсылка.Товары\");\nВ = Метаданные.Справочники.Товары;
Г = \"Справочник.Товары.ФормаСписка\";\nД = \"ВЫБРАТЬ 1 ИЗ\n| Справочник.Товары\";\nЕ = Документы.Товары;";
    assert_eq!(
        in_module(&goods, body),
        [
            "bsl_manager exact :1",
            "bsl_type_string string :2",
            "bsl_metadata exact :3",
            "bsl_string string :4",
            "bsl_query string :6"
        ]
    );
    let module = wanted("CommonModule.Склад", None);
    assert_eq!(
        in_module(&module, "Склад.Остаток();\nМ = Общее.Модуль(\"Склад\");"),
        ["bsl_module_call exact :1", "bsl_string string :2"]
    );
    assert_eq!(in_module(&module, "Перем Склад;\nСклад.Остаток();"), [""; 0]);
    let role = wanted("Role.Полные", None);
    assert_eq!(in_module(&role, "А = РольДоступна(\"Полные\");"), ["bsl_role_name_string string :1"]);
}

#[test]
fn descriptions_of_metadata_name_the_object() {
    let price = wanted("Catalog.Товары", Some((Role::Field, "Цена")));
    let body = "А = Метаданные.Справочники.Товары.Реквизиты.Цена;\nБ = Метаданные.Справочники.Склады.Реквизиты.Цена;";
    assert_eq!(in_module(&price, body), ["bsl_metadata exact :1"]);
}

#[test]
fn a_value_that_is_set_from_itself_ends() {
    let price = wanted("Catalog.Товары", Some((Role::Field, "Цена")));
    assert_eq!(in_module(&price, "А = А.Ссылка;\nЦ = А.Цена;"), ["bsl_property candidate :2"]);
}

#[test]
fn a_literal_of_many_lines_tells_the_line_of_each_name() {
    let price = wanted("Catalog.Товары", Some((Role::Field, "Цена")));
    let query = "З = \"ВЫБРАТЬ\n|\tТ.Код,\n|\tТ.ЦЕНА,\n|\tТ.Товар.цена КАК Ц2,\n|\tТ.ЦенаЗакупки\n|ИЗ Справочник.Товары КАК Т\n|ГДЕ Т.Цена > 0\";";
    assert_eq!(in_module(&price, query), ["bsl_query typed :3", "bsl_query typed :4", "bsl_query typed :7"]);
}

#[test]
fn an_object_of_a_collection_is_no_field() {
    let number = Wanted { unique: true, ..wanted("Catalog.Контрагенты", Some((Role::Field, "КПП"))) };
    assert_eq!(in_module(&number, "А = Константы.КПП.Получить();\nБ = Параметр.КПП;"), ["bsl_property typed :2"]);
}

#[test]
fn a_command_is_no_form_of_its_name() {
    let mut command = wanted("Catalog.Заметки", Some((Role::Named, "Все")));
    command.part.as_mut().unwrap().kind = Kind::named("Command");
    let body = "А = \"Справочник.Заметки.Форма.Все\";\nБ = \"Справочник.Заметки.Команда.Все\";\nВ = \"Справочник.Заметки.Все\";";
    assert_eq!(in_module(&command, body), ["bsl_string exact :2", "bsl_string exact :3"]);
    let field = wanted("Catalog.Заметки", Some((Role::Field, "Все")));
    assert_eq!(in_module(&field, "А = \"Справочник.Заметки.Форма.Все\";"), [""; 0]);
}
