//! What extensions adopted: what breaks in them with its base, what their forms stand around, where they list it.

use super::{Built, Small, put};
use metascope_index::{Change, ImpactQuery, ImpactTarget, Index};
use std::fs;

fn deleted(index: &Index, name: &str) -> Vec<String> {
    let target = ImpactTarget::from(index.require(name).unwrap());
    let (impact, _) = index.impact(&target, &ImpactQuery { change: Change::Delete, ..ImpactQuery::default() }).unwrap();
    let of_extension = impact.breaks.iter().filter(|row| row.depth == 1 && row.what.starts_with("Расш::"));
    let mut rows: Vec<String> = of_extension
        .map(|row| {
            format!("{} {} {} {}", row.severity.as_str(), row.what, row.kind, row.file.trim_start_matches("Расш::"))
        })
        .collect();
    rows.sort();
    rows
}

#[test]
fn deleting_the_base_breaks_what_extensions_adopted_of_it() {
    let built = Small::new().together();
    let index = built.open();
    let catalog = deleted(&index, "Справочник.Товары");
    for row in [
        "build Расш::Catalog.Товары adopted Catalogs/Товары.xml",
        "data Расш::Catalog.Товары.Attribute.Р_Марка extension_item Catalogs/Товары.xml",
        "build Расш::Catalog.Товары.ObjectModule adopted Catalogs/Товары/Ext/ObjectModule.bsl",
    ] {
        assert!(catalog.iter().any(|known| known == row), "{row}\n{catalog:#?}");
    }
    assert_eq!(deleted(&index, "Справочник.Товары.Реквизит.Артикул"), [""; 0]);
    let method = deleted(&index, "ОбщийМодуль.Склад.Внутренний");
    assert!(
        method.iter().any(|row| row.starts_with("build Расш::CommonModule.Склад.Р_Внутренний extension_override")),
        "{method:#?}"
    );
    assert!(deleted(&index, "Расш::Справочник.Р_Марки").iter().all(|row| !row.contains("adopted")));
}

#[test]
fn handlers_of_an_adopted_form_override_the_base() {
    let small = Small::new();
    let form = |layer: &str, events: &str, text: &str| {
        let root = small.path(layer);
        let catalog = root.join("Catalogs/Товары.xml");
        let described = fs::read_to_string(&catalog).unwrap();
        fs::write(&catalog, described.replacen("<ChildObjects>", "<ChildObjects><Form>Форма</Form>", 1)).unwrap();
        put(&root, "Catalogs/Товары/Forms/Форма.xml", &super::description("Form", "Форма", "", ""));
        put(&root, "Catalogs/Товары/Forms/Форма/Ext/Form.xml", &format!("<Form>{events}</Form>"));
        put(&root, "Catalogs/Товары/Forms/Форма/Ext/Form/Module.bsl", text);
    };
    form(
        "base",
        "<Events><Event name=\"OnOpen\">ПриОткрытии</Event></Events><Commands><Command name=\"К\" id=\"1\"><Action>Печать</Action></Command></Commands>",
        "&НаКлиенте\nПроцедура ПриОткрытии(Отказ)\nКонецПроцедуры\n&НаКлиенте\nПроцедура Печать(К)\nКонецПроцедуры\n",
    );
    form(
        "extension",
        "<Events><Event name=\"OnOpen\" callType=\"After\">Р_ПриОткрытии</Event><Event name=\"OnClose\" callType=\"Before\">Р_Закрыть</Event></Events>\
         <Commands><Command name=\"К\" id=\"1\"><Action callType=\"Override\">Р_Печать</Action></Command></Commands>",
        "&НаКлиенте\nПроцедура Р_ПриОткрытии(Отказ)\nКонецПроцедуры\n&НаКлиенте\nПроцедура Р_Закрыть()\nКонецПроцедуры\n\
         &НаКлиенте\nПроцедура Р_Печать(К)\nКонецПроцедуры\n",
    );
    let built: Built = small.together();
    assert_eq!(
        built.rows(
            "SELECT name, override_of, override_kind FROM methods WHERE module = 'Расш::Catalog.Товары.Form.Форма' ORDER BY line"
        ),
        [
            "Р_ПриОткрытии | Catalog.Товары.Form.Форма.ПриОткрытии | after",
            "Р_Закрыть | Null | Null",
            "Р_Печать | Catalog.Товары.Form.Форма.Печать | around",
        ]
    );
    let index = built.open();
    let steps = index.effective(index.require("Catalog.Товары.Form.Форма.ПриОткрытии").unwrap().id).unwrap();
    let shown: Vec<String> = steps.into_iter().map(|step| format!("{} {}", step.full_name, step.kind)).collect();
    assert_eq!(
        shown,
        ["Catalog.Товары.Form.Форма.ПриОткрытии base", "Расш::Catalog.Товары.Form.Форма.Р_ПриОткрытии after"]
    );
    let form = deleted(&index, "Catalog.Товары.Form.Форма");
    assert!(form.iter().any(|row| row.starts_with("build Расш::Catalog.Товары.Form.Форма adopted")), "{form:#?}");
}

#[test]
fn every_layer_lists_its_objects() {
    let built = Small::new().together();
    let listed = "SELECT target FROM refs WHERE kind = 'configuration_childobjects' AND source = 'Расш::Configuration' ORDER BY target";
    assert_eq!(
        built.rows(listed),
        [
            "Catalog.Товары",
            "CommonModule.Склад",
            "EventSubscription.Запись",
            "Расш::Catalog.Р_Марки",
            "Расш::Catalog.Товары",
            "Расш::CommonModule.Р_Свой",
            "Расш::CommonModule.Склад",
            "Расш::EventSubscription.Запись",
        ]
    );
    let base = "SELECT count(*) FROM refs WHERE kind = 'configuration_childobjects' AND source = 'Configuration'";
    assert_eq!(built.rows(base), ["4"]);
}
