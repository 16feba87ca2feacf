//! What a variant sets, and batches of operations.

use metascope_dcs::operation::{batch, run};

use crate::{edit, refuse, schema};

#[test]
fn settings_are_set_modified_and_removed() {
    let document = edit(
        &schema(),
        &[
            "add-selection Сумма @folder(Деньги) @placement(вместе)",
            "add-selection Менеджер @inside(Деньги) @title(Кто)",
            "modify-selection Деньги @placement(вертикально) @off",
            "add-filter Сумма в списке (1, 2) @user",
            "modify-filter Сумма @condition(Сумма >= 10) @view(быстрый) @off",
            "add-order Сумма",
            "modify-order Сумма @descending",
            "set-output ВыводитьЗаголовок = нет",
            "set-output TitleOutput = да @user",
            "set-data-parameter Начало = НачалоЭтогоДня @user",
            "add-appearance Шрифт = жирный; ЦветТекста = #FF0000 @where(Сумма < 0) @presentation(Минус)",
            "modify-appearance Минус @appearance(ЦветТекста = auto) @fields(Сумма)",
        ],
    );
    let settings = document.schema().unwrap().variants().next().unwrap().settings().unwrap().element();
    let filter = settings.at(&["filter", "item"]).unwrap();
    assert_eq!((&*filter.text_of("comparisonType"), &*filter.text_of("right")), ("GreaterOrEqual", "10"));
    assert!(filter.all("right").count() == 1 && !filter.text_of("userSettingID").is_empty());
    assert_eq!(settings.at(&["order", "item"]).unwrap().text_of("orderType"), "Desc");
    assert_eq!(settings.at(&["outputParameters", "item"]).unwrap().text_of("value"), "Output");
    let document = edit(
        &document,
        &[
            "remove-filter Сумма",
            "remove-order #1",
            "remove-output ВыводитьЗаголовок",
            "remove-data-parameter Начало",
            "remove-appearance #1",
            "remove-selection Деньги",
            "clear-settings структура",
        ],
    );
    let settings = document.schema().unwrap().variants().next().unwrap().settings().unwrap();
    assert!(settings.all_structure().is_empty() && settings.parameter_values().next().is_none());
    assert_eq!(refuse(&document, "set-output ВыводитьЗаголовк = нет").nearest[0], "ВыводитьЗаголовок");
    assert!(refuse(&document, "set-output КоличествоЗаписей = много").message.en.contains("number"));
    assert_eq!(refuse(&document, "add-filter Сума = 1").nearest, ["Сумма"]);
    assert!(refuse(&document, "add-appearance ЦветТекста = style:Имя").message.en.contains("#RRGGBB"));
}

#[test]
fn batches_are_lines_or_json() {
    let lines = batch("# итоги\nadd-total Сумма\n\nadd-order Сумма убыв\n").unwrap();
    let json = batch(
        r#"["add-total Сумма", {"do": "add-order", "fields": ["Сумма убыв"]},
            {"do": "add-variant", "name": "В", "title": {"ru": "Вариант", "en": "Variant"}}]"#,
    )
    .unwrap();
    assert_eq!((lines.len(), &lines[..]), (2, &json[..2]));
    assert_eq!(batch("add-total Сумма\nadd-totl А").unwrap_err().0, 2);
    let (at, refusal) = batch(r#"[{"do": "add-total", "nam": "А"}]"#).unwrap_err();
    assert_eq!((at, refusal.nearest), (1, vec!["name".to_owned()]));
    // All or none.
    assert_eq!(run(&schema(), &[lines[0].clone(), lines[0].clone()], false).unwrap_err().0, 1);
}
