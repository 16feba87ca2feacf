//! Variants and their structure.

use crate::{changes, edit, refuse, schema};

#[test]
fn structure_is_built_moved_and_named() {
    let document = edit(
        &schema(),
        &[
            "add-table Сводная @rows(Менеджер) @columns(Сумма)",
            "add-group Менеджер иерархия @inside(#1) @name(ПоМенеджерам)",
            "add-chart Динамика @points(Менеджер) @fields(Сумма)",
            "move-structure ПоМенеджерам @inside(/)",
            "modify-structure ПоМенеджерам @name(Главная) @off",
            "add-filter Сумма > 0 и (Менеджер заполнено или не Сумма = 1) @at(Главная)",
            "user-settings отбор @at(Главная) @user @view(быстрый)",
            "clear-settings отбор @at(Главная)",
            "remove-structure Динамика",
        ],
    );
    let settings = document.schema().unwrap().variants().next().unwrap().settings().unwrap();
    let all: Vec<String> = settings
        .all_structure()
        .iter()
        .map(|(depth, item)| format!("{depth} {} {}", item.kind().word(), item.name()))
        .collect();
    assert_eq!(all, ["0 group ", "0 table Сводная", "1 column ", "1 row ", "0 group Главная"]);
    assert_eq!(refuse(&document, "remove-structure Главня").nearest, ["Главная"]);
}

#[test]
fn variants_are_copied_renamed_and_reordered() {
    let document = edit(
        &schema(),
        &[
            "add-order Сумма убыв",
            "copy-variant Основной -> Второй @title(ru\"Второй\" en\"Second\")",
            "move-variant Второй @first",
            "rename-variant Основной -> Первый",
        ],
    );
    let variants: Vec<_> = document.schema().unwrap().variants().collect();
    assert_eq!(variants.iter().map(|v| v.name().into_owned()).collect::<Vec<_>>(), ["Второй", "Первый"]);
    let settings = |at: usize| metascope_dcs::meaning::meaning_of(variants[at].settings().unwrap().element());
    assert_eq!(settings(0), settings(1));
    assert_eq!(changes(&document, "remove-variant Второй", false), ["- settingsVariant[Второй]"]);
    assert!(refuse(&schema(), "remove-variant Основной").message.en.contains("only variant"));
    assert_eq!(refuse(&document, "add-order Сумма").nearest, ["Второй", "Первый"]);
}

#[test]
fn one_group_of_several_fields() {
    let document = edit(
        &schema(),
        &[
            "add-variant В @groups(Менеджер + Сумма, Менеджер иерархия)",
            "add-table Т @rows(Менеджер + Сумма иерархия, Сумма) @variant(В)",
        ],
    );
    let settings = document.schema().unwrap().variants().nth(1).unwrap().settings().unwrap();
    let groups: Vec<String> = settings
        .all_structure()
        .iter()
        .map(|(depth, item)| {
            let fields: Vec<String> =
                item.group_fields().map(|field| format!("{} {}", field.field(), field.kind())).collect();
            format!("{depth} {}: {}", item.kind().word(), fields.join(", "))
        })
        .collect();
    assert_eq!(
        groups,
        [
            "0 group: Менеджер Items, Сумма Items",
            "1 group: Менеджер Hierarchy",
            "2 group: ",
            "0 table: ",
            "1 row: Менеджер Items, Сумма Hierarchy",
            "2 group: Сумма Items",
        ]
    );
}
