//! What operations do to queries and the fields they give.

use metascope_dcs::operation::new_schema;

use crate::{QUERY, changes, edit, query, refuse, schema};

#[test]
fn a_schema_is_made_of_a_query() {
    let document = schema();
    let schema = document.schema().unwrap();
    let fields: Vec<_> =
        schema.data_sets().next().unwrap().fields().map(|field| field.data_path().into_owned()).collect();
    assert_eq!(fields, ["Менеджер", "Сумма"]);
    assert_eq!(schema.parameters().map(|p| p.name().into_owned()).collect::<Vec<_>>(), ["Начало"]);
    assert_eq!(query(&document), QUERY);
    assert!(new_schema("ВЫБРАТЬ ИЗ").is_err());
}

#[test]
fn a_column_is_added_to_every_branch_and_to_the_groups() {
    let line = "добавить-поле Склад: СправочникСсылка.Склады \"Склад\" @ветви(Продажи.Склад; Возвраты.Склад)";
    let document = edit(&schema(), &[line]);
    let expected = QUERY
        .replace("КАК Сумма\n", "КАК Сумма,\n\tПродажи.Склад КАК Склад\n")
        .replace("\tВозвраты.Сумма\n", "\tВозвраты.Сумма,\n\tВозвраты.Склад\n")
        .replace("ПО\n\tПродажи.Менеджер\n", "ПО\n\tПродажи.Менеджер,\n\tПродажи.Склад\n");
    assert_eq!(query(&document), expected);
    // A table that a branch hasn't.
    let refusal = refuse(&schema(), "добавить-поле Склад = Продажи.Склад");
    assert!(refusal.message.en.contains("branch 2") && refusal.nearest == ["Возвраты"], "{refusal}");
    // One that there is already; one without a column.
    assert!(refuse(&schema(), "add-field Сумма = 1").message.en.contains("already"));
    assert_eq!(refuse(&schema(), "add-field Менеджр").nearest, ["Менеджер"]);
    assert_eq!(changes(&document, "удалить-поле Склад @query", false).len(), 2);
    assert_eq!(query(&edit(&document, &["удалить-поле Склад @query"])).matches("Склад").count(), 1);
}

#[test]
fn a_query_is_patched_where_it_matches_once() {
    let refusal = refuse(&schema(), "patch-query НаборДанных1 @old(КАК) @new(КАК )");
    assert!(refusal.message.en.contains("4 times"), "{refusal}");
    let document = edit(&schema(), &["patch-query НаборДанных1 @old(>= &Начало) @new(> &Начало)"]);
    assert!(query(&document).contains("Период > &Начало"));
    // A field whose column is gone goes too, if that is wanted.
    let without = "set-query НаборДанных1 = ВЫБРАТЬ 1 КАК Сумма ГДЕ &Начало = 1";
    let used = edit(&schema(), &["add-total Менеджер = Количество(Менеджер)"]);
    assert!(!refuse(&used, without).needed_by.is_empty());
    assert!(changes(&used, without, true).contains(&"- totalField[Менеджер]".to_owned()));
}

#[test]
fn demo_of_four_commands() {
    let document = edit(
        &schema(),
        &[
            "добавить-поле Скидка: Число(15,2) \"Скидка\" @ветви(СУММА(Продажи.Скидка); Возвраты.Скидка)",
            "добавить-итог Скидка",
            "добавить-вариант ПоМенеджерам \"По менеджерам\" @группировки(Менеджер) @поля(Менеджер, Скидка)",
            "добавить-отбор Менеджер заполнено @вариант(ПоМенеджерам) @пользователь",
        ],
    );
    let schema = document.schema().unwrap();
    assert_eq!(schema.variants().count(), 2);
    assert_eq!(schema.totals().next().unwrap().expression(), "Сумма(Скидка)");
}
