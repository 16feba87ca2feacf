//! Messages of every kind, on small schemas; the demo's broken variants are in `tests/explain.rs`.

use super::*;
use crate::dcs::tests::{document, testing};

fn explained(body: &str, message: &str) -> Explanation {
    explain(&document(body), message, Some(&testing::Small))
}

fn query(text: &str) -> String {
    format!("<dataSet xsi:type=\"DataSetQuery\"><name>Н</name><query>{text}</query></dataSet>")
}

/// Text of the first cause, whether it is sure, the nearest names.
fn first(body: &str, message: &str) -> (String, bool, Vec<String>) {
    let document = document(body);
    let why = explain(&document, message, Some(&testing::Small));
    let cause = why.causes.first().unwrap_or_else(|| panic!("{message}: {why:#?}"));
    (document.text()[cause.start..cause.end].to_owned(), cause.sure, cause.nearest.clone())
}

#[test]
fn kinds_have_names_of_their_own_and_words_in_both_languages() {
    for kind in KINDS {
        for language in ["ru", "en"] {
            assert!(message::patterns().any(|one| one.kind == kind.code && one.language == language), "{}", kind.code);
        }
        assert!(!kind.title.0.is_empty() && !kind.title.1.is_empty());
        assert_eq!(KINDS.iter().filter(|other| other.code == kind.code).count(), 1);
    }
    assert!(message::patterns().all(|one| KINDS.iter().any(|kind| kind.code == one.kind)));
}

#[test]
fn a_place_of_the_query_tells_which_of_two_is_meant() {
    let body = query("ВЫБРАТЬ\n\tТ.Кот КАК А,\n\tТ.Кот КАК Б\nИЗ Документ.Счет КАК Т");
    let why = explained(&body, "{(3, 2)}: Поле не найдено \"Т.Кот\"\n<<?>>Т.Кот КАК Б");
    let lines: Vec<u32> = why.causes.iter().map(|cause| cause.line).collect();
    assert_eq!((lines, why.findings.len()), (vec![3], 0));
    // Lines of a query that the platform put together anew: the line itself is found.
    let why = explained(&body, "{(40, 7)}: Поле не найдено \"Т.Кот\"\n<<?>>Т.Кот КАК Б");
    assert_eq!(why.causes.iter().map(|cause| cause.line).collect::<Vec<_>>(), [3]);
    // Without a place: both.
    assert_eq!(explained(&body, "Поле не найдено \"Т.Кот\"").causes.len(), 2);
}

#[test]
fn the_set_that_a_message_names_counts() {
    let sets = "<dataSet xsi:type=\"DataSetQuery\"><name>А</name><query>ВЫБРАТЬ Т.Х КАК Х ИЗ Справочник.Нет КАК Т</query></dataSet>\n\
        <dataSet xsi:type=\"DataSetQuery\"><name>Б</name><query>ВЫБРАТЬ Т.Х КАК Х ИЗ Справочник.Нет КАК Т</query></dataSet>";
    let why = explained(sets, "Ошибка в наборе данных \"Б\": {(1, 24)}: Таблица не найдена \"Справочник.Нет\"");
    assert_eq!(why.causes.iter().map(|cause| cause.line).collect::<Vec<_>>(), [2]);
}

#[test]
fn fields_of_queries_along_references_aliases_and_without_table() {
    let chain = query("ВЫБРАТЬ Т.Товар.Наименавание КАК А ИЗ Документ.Счет КАК Т");
    let found = first(&chain, "Поле не найдено \"Т.Товар.Наименавание\"");
    assert_eq!(found, ("Т.Товар.Наименавание".into(), true, vec!["Т.Товар.Наименование".into()]));
    let alias = query("ВЫБРАТЬ Счет1.Дата КАК А ИЗ Документ.Счет КАК Счет");
    assert_eq!(first(&alias, "Field not found \"Счет1.Дата\""), ("Счет1.Дата".into(), true, vec!["Счет.Дата".into()]));
    let bare = query("ВЫБРАТЬ Датта КАК А ИЗ Документ.Счет КАК Счет");
    assert_eq!(first(&bare, "Поле не найдено: Датта"), ("Датта".into(), true, vec!["Дата".into()]));
}

#[test]
fn fields_of_sets_and_settings() {
    let field = "<dataSet xsi:type=\"DataSetQuery\"><name>Н</name><field xsi:type=\"DataSetFieldField\"><dataPath>Сумма</dataPath>\
        <field>Сума</field></field><query>ВЫБРАТЬ 1 КАК Сумма</query></dataSet>";
    assert_eq!(first(field, "Поле не найдено \"Сума\""), ("Сума".into(), true, vec!["Сумма".into()]));
    let settings = format!(
        "{}<settingsVariant><s:name>О</s:name><s:settings><s:selection><s:item xsi:type=\"s:SelectedItemField\">\
         <s:field>Итог</s:field></s:item></s:selection></s:settings></settingsVariant>",
        query("ВЫБРАТЬ 1 КАК Итого")
    );
    assert_eq!(first(&settings, "Поле не найдено \"Итог\""), ("Итог".into(), true, vec!["Итого".into()]));
}

#[test]
fn ambiguous_fields_and_twin_aliases() {
    let body = query("ВЫБРАТЬ Ссылка КАК А ИЗ Документ.Счет КАК С, Справочник.Товары КАК Т");
    let found = first(&body, "{(1, 9)}: Неоднозначное поле \"Ссылка\"");
    assert_eq!(found, ("Ссылка".into(), true, vec!["С.Ссылка".into(), "Т.Ссылка".into()]));
    let twins = query("ВЫБРАТЬ Т.Код КАК А ИЗ Документ.Счет КАК Т, Справочник.Товары КАК Т");
    assert_eq!(first(&twins, "Ambiguous field \"Т.Код\"").0, "Т.Код");
    assert_eq!(first(&twins, "Повторяющийся псевдоним \"Т\"").0, "Справочник.Товары КАК Т");
}

#[test]
fn temporary_tables_that_are_made_later_or_never() {
    let later = query("ВЫБРАТЬ ВТ.А КАК А ИЗ ВТ КАК ВТ; ВЫБРАТЬ 1 КАК А ПОМЕСТИТЬ ВТ");
    let why = explained(&later, "Таблица не найдена \"ВТ\"");
    assert!(why.causes[0].sure && why.causes[0].why.ru.contains("ниже по тексту"), "{why:#?}");
    let never = query("ВЫБРАТЬ 1 КАК А ПОМЕСТИТЬ ВТТовары; ВЫБРАТЬ ВТ.А КАК А ИЗ ВТТовар КАК ВТ");
    assert_eq!(first(&never, "Table not found \"ВТТовар\"").2, ["ВТТовары"]);
}

#[test]
fn sets_parameters_and_external_sets() {
    let link = format!(
        "{}<dataSetLink><sourceDataSet>Н</sourceDataSet><destinationDataSet>НН</destinationDataSet></dataSetLink>",
        query("ВЫБРАТЬ 1 КАК А")
    );
    assert_eq!(first(&link, "Набор данных не найден \"НН\""), ("НН".into(), true, vec!["Н".into()]));
    let object = "<dataSet xsi:type=\"DataSetObject\"><name>Н</name><objectName>Данные</objectName></dataSet>";
    assert_eq!(first(object, "Не найден внешний набор данных \"Данные\""), ("Данные".into(), true, Vec::new()));
    let hidden = format!(
        "{}<parameter><name>Дата</name><useRestriction>true</useRestriction></parameter>",
        query("ВЫБРАТЬ &amp;Дата КАК А")
    );
    let why = explained(&hidden, "Не установлено значение параметра \"Дата\"");
    assert!(why.causes[0].why.ru.contains("скрыт"), "{why:#?}");
}

#[test]
fn wrong_arguments_syntax_and_groups() {
    let body = query("ВЫБРАТЬ\n\tСУММА(Т.Код) КАК А,\n\tТ.Наименование + 1 КАК Б\nИЗ Справочник.Товары КАК Т");
    assert_eq!(first(&body, "{(2, 2)}: Неверные параметры \"СУММА\""), ("СУММА(Т.Код)".into(), true, Vec::new()));
    assert_eq!(first(&body, "Неверные параметры \"+\"").0, "Т.Наименование + 1");
    let why = explained(&body, "{(3, 2)}: Поле не входит в группу \"Т.Наименование\"");
    assert_eq!((why.causes.len(), why.causes[0].line), (1, 3));
    let grouped = query(
        "ВЫБРАТЬ Т.Ссылка.Код КАК А, Т.Код КАК К, СУММА(Т.Цена) КАК Ц ИЗ Справочник.Товары КАК Т СГРУППИРОВАТЬ ПО Т.Ссылка",
    );
    let why = explained(&grouped, "Поле не входит в группу");
    assert_eq!(
        why.causes.iter().map(|cause| cause.what.ru.as_str()).collect::<Vec<_>>(),
        ["Поле «Т.Код» запроса с группировкой"]
    );
    let syntax = query("ВЫБРАТЬ\n\tТ.Код КАК А\n\tТ.Цена КАК Б\nИЗ Справочник.Товары КАК Т");
    let why = explained(&syntax, "{(3, 2)}: Синтаксическая ошибка \"Т.Цена\"\n<<?>>Т.Цена КАК Б");
    assert_eq!((why.causes[0].line, why.causes[0].sure), (3, true));
    let unfinished = query("ВЫБРАТЬ Т.Код КАК А ИЗ Справочник.Товары КАК Т ГДЕ Т.Код В (");
    for message in ["{(1, 1)}: Ожидается выражение \"ВЫБРАТЬ\"", "{(1, 1)}: Expression expected \"SELECT\""]
    {
        let why = explained(&unfinished, message);
        assert!(why.causes.first().is_some_and(|cause| cause.sure), "{message}: {why:#?}");
    }
    let expression = "<calculatedField><dataPath>А</dataPath><expression>Сумма((Б)</expression></calculatedField>";
    assert_eq!(first(expression, "Ошибка в выражении: Синтаксическая ошибка").0, "(");
}

#[test]
fn an_unknown_message_says_so_and_shows_what_checks_find() {
    let why = explained("<dataSourse/>", "Недостаточно памяти");
    assert_eq!((why.message.kind, why.causes.len()), (None, 0));
    assert_eq!(why.findings[0].check, "dcs-unknown-element");
    // A message that the file doesn't cause.
    let why = explained(&query("ВЫБРАТЬ 1 КАК А"), "Таблица не найдена \"Справочник.Х\"");
    assert_eq!((why.message.kind, why.causes.len()), (Some("table-not-found"), 0));
}

#[test]
fn messages_of_all_kinds_are_explained_of_any_file() {
    let whole = document(&query("ВЫБРАТЬ Т.А КАК А, 1 КАК А ИЗ Т КАК Т")).text().to_owned();
    for pattern in message::patterns() {
        for name in ["", "\"Т.А\"", "\"А\""] {
            let message = format!("{{(1, 9)}}: {}", pattern.words.replace('*', name));
            let _ = explain(&Document::parse(&*whole), &message, None);
            let _ = explain(&Document::parse(&whole[..whole.len() / 2]), &message, None);
        }
    }
}
