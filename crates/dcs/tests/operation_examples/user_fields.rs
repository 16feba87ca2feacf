//! The user's fields of a variant.

use metascope_dcs::Document;

use crate::{changes, edit, refuse, schema};

fn variant_text(document: &Document, name: &str) -> String {
    let found = document.schema().unwrap().variants().find(|variant| variant.name() == name).unwrap();
    document.text()[found.element().range()].to_owned()
}

#[test]
fn fields_of_the_user_belong_to_their_variant() {
    let document = edit(
        &schema(),
        &[
            "add-user-field Наценка \"Наценка, %\" = Сумма * 2 @total(Сумма(Сумма))",
            "добавить-пользовательское-поле Размер @выбор(Сумма > 1000 -> \"крупная\" \"Крупная\"; иначе -> Менеджер)",
            "add-user-field Доля = ПользовательскиеПоля.Наценка / 2 @before(Размер)",
            "add-selection ПользовательскиеПоля.Наценка",
            "add-filter ПользовательскиеПоля.Наценка > 1",
            "copy-variant Основной -> Второй",
            "rename-user-field Наценка -> Доход @variant(Основной)",
        ],
    );
    let (first, second) = (variant_text(&document, "Основной"), variant_text(&document, "Второй"));
    // Its path, both expressions of the field that names it, the selection and the filter.
    assert_eq!((first.matches(".Доход").count(), first.matches(".Наценка").count()), (5, 0));
    assert_eq!((second.matches(".Доход").count(), second.matches(".Наценка").count()), (0, 5));
    // What the user sees of an expression names titles.
    assert!(first.contains("detailExpressionPresentation>[Наценка, %] / 2<"), "{first}");
    let refusal = refuse(&document, "add-order ПользовательскиеПоля.Доход @variant(Второй)");
    assert!(refusal.nearest.contains(&"ПользовательскиеПоля.Доля".to_owned()), "{refusal}");
    let refusal = refuse(&document, "remove-user-field Доход @variant(Основной)");
    let settings = "settingsVariant[Основной]/settings";
    let needed: Vec<&str> = refusal.needed_by.iter().map(|need| need.path.as_str()).collect();
    assert_eq!(
        needed,
        [
            format!("{settings}/userFields/item[ПользовательскиеПоля.Доля]"),
            format!("{settings}/selection/item[ПользовательскиеПоля.Доход]"),
            format!("{settings}/filter/item[ПользовательскиеПоля.Доход Greater]"),
        ]
    );
    assert_eq!(changes(&document, "remove-user-field Доход @variant(Основной)", true).len(), 4);
    let refused = |line: &str| refuse(&document, line).message.en;
    assert!(refused("add-user-field Доля = 1 @variant(Второй)").contains("already"));
    assert!(refused("modify-user-field Размер = 1 @variant(Второй)").contains("cases"));
    assert!(refused("modify-user-field Доля = ПользовательскиеПоля.Доля @variant(Второй)").contains("itself"));
    assert!(refused("add-user-field А = Сума @variant(Второй)").contains("Сума"));
    assert!(refused("add-user-field А @cases(Сумма > 1) @variant(Второй)").contains("Example"));
}

#[test]
fn fields_of_the_user_are_changed_and_go_with_what_they_need() {
    let document = edit(
        &schema(),
        &[
            "add-calculated Маржа = Сумма * 2",
            "add-user-field Размер @cases(Маржа > 1000 -> \"а\"; Сумма > 1 -> \"б\"; иначе -> 0)",
            "modify-user-field Размер ru\"Размер\" en\"Size\"",
            "modify-user-field Размер @cases(Маржа > 10 -> \"а\"; Сумма > 1 -> Сумма; иначе -> 0)",
            "add-user-field Наценка = Маржа",
            "modify-user-field Наценка = Маржа + Сумма @total(Сумма(Сумма))",
        ],
    );
    let settings = document.schema().unwrap().variants().next().unwrap().settings().unwrap();
    let fields: Vec<_> = settings.user_fields().unwrap().all("item").collect();
    let cases: Vec<_> = fields[0].at(&["cases"]).unwrap().all("item").collect();
    assert_eq!(cases.iter().map(|case| case.text_of("value").into_owned()).collect::<Vec<_>>(), ["а", "Сумма", "0"]);
    assert_eq!(&*fields[1].text_of("detailExpression"), "Маржа + Сумма");
    assert_eq!(&*fields[1].text_of("totalExpressionPresentation"), "Сумма(Сумма)");
    // A case goes with its condition, an expression with its field.
    let gone = changes(&document, "remove-calculated Маржа", true);
    assert_eq!(gone.len(), 3, "{gone:?}");
    let renamed = edit(&document, &["rename-field Сумма -> Выручка"]);
    let list = renamed.schema().unwrap().variants().next().unwrap().settings().unwrap().user_fields().unwrap();
    assert_eq!(&*list.all("item").nth(1).unwrap().text_of("detailExpressionPresentation"), "Маржа + Выручка");
    // The list goes with its last field.
    let without = edit(&document, &["remove-user-field Размер", "remove-user-field Наценка"]);
    assert!(!without.text().contains("userFields"));
}
