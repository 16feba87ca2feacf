//! Renaming follows every place that names a thing; removing asks them.

use crate::{QUERY, changes, edit, parse, query, refuse, schema};

#[test]
fn a_field_is_renamed_with_all_that_names_it() {
    let document = edit(
        &schema(),
        &[
            "add-calculated Доля = Сумма / ВычислитьВыражение(\"Сумма(Сумма)\", \"ОбщийИтог\")",
            "add-total Сумма",
            "add-filter Сумма > 0 @variant(Основной)",
            "add-order Сумма убыв",
            "add-group Сумма",
            "add-appearance ЦветТекста = #FF0000 @where(Сумма < 0) @fields(Сумма)",
            "rename-field Сумма -> Выручка",
        ],
    );
    let text = document.text();
    assert!(text.contains("Выручка / ВычислитьВыражение(\"Сумма(Выручка)\", \"ОбщийИтог\")"));
    assert!(text.contains("<expression>Сумма(Выручка)</expression>") && text.contains("КАК Выручка"));
    assert!(!text.contains(">Сумма<"));
    let old = edit(&document, &["rename-field Выручка -> Сумма"]);
    assert_eq!(query(&old), QUERY);
}

#[test]
fn what_is_needed_is_not_removed_alone() {
    let document = edit(
        &schema(),
        &["add-calculated Маржа = Сумма * 2", "add-total Маржа", "add-selection Маржа @variant(Основной)"],
    );
    let refusal = refuse(&document, "remove-calculated Маржа");
    let paths: Vec<&str> = refusal.needed_by.iter().map(|need| need.path.as_str()).collect();
    assert_eq!(paths, ["totalField[Маржа]", "settingsVariant[Основной]/settings/selection/item[Маржа]"]);
    assert!(refusal.text(true).contains("--cascade"));
    let gone = changes(&document, "remove-calculated Маржа", true);
    assert_eq!(
        gone,
        [
            "- calculatedField[Маржа]",
            "- totalField[Маржа]",
            "- settingsVariant[Основной]/settings/selection/item[Маржа]"
        ]
    );
    // What a variant sets of a parameter goes with it; a query can't.
    let set = edit(&document, &["add-parameter Курс = 1", "set-data-parameter Курс = 2"]);
    assert_eq!(changes(&set, "remove-parameter Курс", true).len(), 2);
    let refusal = parse("remove-parameter Начало").plan(&document, true).unwrap_err();
    assert!(!refusal.needed_by[0].removable, "{refusal}");
    assert_eq!(refuse(&document, "remove-parameter Началo").nearest, ["Начало"]);
}

#[test]
fn a_parameter_is_renamed_in_queries_and_expressions() {
    let document = edit(
        &schema(),
        &[
            "add-parameter Период: СтандартныйПериод \"Период\" @always = ЭтотМесяц",
            "modify-parameter Начало @expression(&Период.ДатаНачала) @hidden",
            "rename-parameter Период -> Срок",
            "rename-parameter Начало -> СНачала",
        ],
    );
    assert!(query(&document).contains(">= &СНачала"));
    assert!(document.text().contains("&amp;Срок.ДатаНачала"));
}

#[test]
fn conditional_items_go_with_their_last_condition() {
    let document = edit(
        &schema(),
        &["add-calculated Б = Сумма", "add-appearance Формат = \"ЧДЦ=2\" @where(Б < 0)", "add-group Б"],
    );
    let gone = changes(&document, "remove-calculated Б", true);
    let settings = "settingsVariant[Основной]/settings";
    assert_eq!(
        gone,
        [
            "- calculatedField[Б]".to_owned(),
            format!("- {settings}/item#2"),
            format!("- {settings}/conditionalAppearance/item")
        ]
    );
}
