use std::collections::BTreeSet;

use super::*;
use crate::Document;
use crate::operation::{Operation, new_schema, run};

const QUERY: &str = "ВЫБРАТЬ
	Продажи.Менеджер КАК Менеджер,
	Продажи.Склад КАК Склад,
	Продажи.Сумма КАК Сумма,
	Продажи.Количество КАК Количество
ИЗ
	РегистрНакопления.Продажи КАК Продажи
ГДЕ
	Продажи.Период >= &Начало";

/// What examples are about.
const SETUP: &[&str] = &[
    "rename-data-set НаборДанных1 -> Продажи",
    "add-calculated Маржа = Сумма * 2",
    "add-total Сумма",
    "add-parameter Период: СтандартныйПериод = ЭтотМесяц",
    "add-data-source Архив",
    "add-data-set Цены = ВЫБРАТЬ Т.Склад КАК Склад, Т.Цена КАК Цена ИЗ РегистрСведений.Цены КАК Т",
    "add-link Продажи -> Цены @source(Склад) @target(Склад)",
    "add-user-field Наценка = Сумма - Маржа",
    "add-selection Количество",
    "add-filter Сумма > 0",
    "add-order Сумма",
    "add-appearance ЦветТекста = #FF0000 @where(Сумма < 0) @presentation(Минус)",
    "set-output ВыводитьЗаголовок = да",
    "set-data-parameter Период = ЭтотМесяц",
    "add-group Склад @name(ПоСкладам)",
    "copy-variant Основной -> ПоСкладам",
    "modify-structure ПоСкладам @name() @variant(ПоСкладам)",
    "add-nested Остатки = ВЫБРАТЬ 1 КАК Остаток @variant(Основной)",
];

const AREA: &str = "<template><name>Макет1</name><template xmlns:at=\"http://v8.1c.ru/8.1/data-composition-system/area-template\" \
    xsi:type=\"at:AreaTemplate\"><at:item xsi:type=\"at:TableRow\"><at:tableCell><at:item xsi:type=\"at:Field\"><at:value \
    xmlns:c=\"http://v8.1c.ru/8.1/data-composition-system/core\" xsi:type=\"c:Parameter\">Сумма</at:value></at:item></at:tableCell></at:item></template><parameter \
    xmlns:at=\"http://v8.1c.ru/8.1/data-composition-system/area-template\" xsi:type=\"at:ExpressionAreaTemplateParameter\">\
    <at:name>Сумма</at:name><at:expression>Сумма</at:expression></parameter></template>\
    <fieldTemplate><field>Сумма</field><template>Макет1</template></fieldTemplate>";

fn report() -> Document {
    let lines: Vec<Operation> = SETUP.iter().map(|line| Operation::parse(line).expect(line)).collect();
    let document = new_schema(QUERY).expect("a schema");
    let ran = run(&document, &lines, false).unwrap_or_else(|(at, refusal)| panic!("{}: {refusal}", SETUP[at]));
    let text = ran.document.text().replacen("</nestedSchema>", &format!("</nestedSchema>{AREA}"), 1);
    Document::parse(text)
}

#[test]
fn every_text_has_its_russian_one_and_no_other_stands_in_the_list() {
    let texts = KINDS.iter().flat_map(|kind| kind.options.iter().map(|(_, what)| *what).chain([kind.summary]));
    let used: BTreeSet<&str> = texts.map(str::trim).collect();
    let listed: BTreeSet<&str> = RUSSIAN.keys().copied().collect();
    assert_eq!(used.difference(&listed).collect::<Vec<_>>(), Vec::<&&str>::new(), "not in Russian");
    assert_eq!(listed.difference(&used).collect::<Vec<_>>(), Vec::<&&str>::new(), "of no operation");
}

#[test]
fn every_example_is_carried_out_and_means_the_same_in_both_languages() {
    let document = report();
    assert_eq!(document.problems(), []);
    for (kind, help) in KINDS.iter().zip(help()) {
        let plan = |line: &str| {
            let operation = Operation::parse(line).unwrap_or_else(|refusal| panic!("{line}: {refusal}"));
            operation.plan(&document, true).unwrap_or_else(|refusal| panic!("{line}: {refusal}"))
        };
        assert!(help.example.ru.starts_with(&format!("{} ", kind.russian)), "{}", kind.name);
        assert!(help.example.en.starts_with(&format!("{} ", kind.name)), "{}", kind.name);
        assert_eq!(plan(&help.example.ru).patch, plan(&help.example.en).patch, "{}", kind.name);
    }
}

#[test]
fn options_are_called_in_both_languages() {
    for help in help() {
        for (name, what) in &help.options {
            assert!(name.ru.chars().any(|c| ('а'..='я').contains(&c)), "{}", name.en);
            assert!(what.ru.chars().any(|c| ('а'..='я').contains(&c)), "{}", what.en);
        }
    }
}
