//! Level 4, advisory: fields of tables exist, along references.

use crate::Text;
use crate::dcs::check::{Check, Examples, Needs};
use crate::dcs::paths::{Verdict, WrongPart, verdict};
use crate::dcs::report::Findings;
use crate::dcs::subject::Subject;
use crate::dcs::words;

pub(super) const CHECK: Check = Check {
    title: ("Поля таблиц конфигурации существуют", "Fields of the configuration's tables exist"),
    source: "The configuration, by its index: «Поле не найдено». Only tables whose fields are known in full",
    needs: Needs::Configuration,
    examples: Examples {
        valid: &["<dataSet xsi:type=\"DataSetQuery\"><name>Н</name><dataSource>И</dataSource><query>ВЫБРАТЬ Т.Товар.Код КАК К ИЗ Документ.Счет КАК Т</query></dataSet>",
            "<dataSet xsi:type=\"DataSetQuery\"><name>Н</name><dataSource>И</dataSource><query>ВЫБРАТЬ В.Х.Код КАК К, В.Х.Строки ИЗ (ВЫБРАТЬ Т.Товар КАК Х ИЗ Документ.Счет КАК Т ОБЪЕДИНИТЬ ВСЕ ВЫБРАТЬ Т.Ссылка ИЗ Документ.Счет КАК Т) КАК В</query></dataSet>",
            "<dataSet xsi:type=\"DataSetQuery\"><name>Н</name><dataSource>И</dataSource><query>ВЫБРАТЬ Код КАК К ИЗ Справочник.Товары ГДЕ ИСТИНА В (ВЫБРАТЬ ИСТИНА ИЗ Документ.Счет КАК Т ГДЕ Т.Товар.Цена = Цена)</query></dataSet>"],
        invalid: &[("<dataSet xsi:type=\"DataSetQuery\"><name>Н</name><dataSource>И</dataSource><query>ВЫБРАТЬ Т.Тавар КАК К ИЗ Документ.Счет КАК Т</query></dataSet>", "Т.Тавар"),
            ("<dataSet xsi:type=\"DataSetQuery\"><name>Н</name><dataSource>И</dataSource><query>ВЫБРАТЬ Т.Товар.Кот КАК К ИЗ Документ.Счет КАК Т</query></dataSet>", "Т.Товар.Кот"),
            ("<dataSet xsi:type=\"DataSetQuery\"><name>Н</name><dataSource>И</dataSource><query>ВЫБРАТЬ В.Х.Кот КАК К ИЗ (ВЫБРАТЬ Т.Товар КАК Х ИЗ Документ.Счет КАК Т) КАК В</query></dataSet>", "В.Х.Кот"),
            ("<dataSet xsi:type=\"DataSetQuery\"><name>Н</name><dataSource>И</dataSource><query>ВЫБРАТЬ Т.Код.Имя КАК К ИЗ Справочник.Товары КАК Т</query></dataSet>", "Т.Код.Имя"),
            ("<dataSet xsi:type=\"DataSetQuery\"><name>Н</name><dataSource>И</dataSource><query>ВЫБРАТЬ Кот КАК К ИЗ Справочник.Товары, Документ.Счет</query></dataSet>", "Кот")],
    },
    run,
    ..Check::advisory(4, "dcs-query-attribute-unknown")
};

fn run(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    for query in subject.queries.iter().filter(|query| query.is_certain()) {
        for field in &query.facts().fields {
            if !findings.wants_more() {
                return;
            }
            if let Verdict::Wrong(wrong) = verdict(subject, query, field) {
                let (what, mend) = said(&field.parts, &wrong);
                findings.in_text(query.element, field.span.range(), what, mend);
            }
        }
    }
}

/// What is wrong with a path, and how to mend it.
fn said(path: &[Box<str>], found: &WrongPart) -> (Text, Text) {
    let wrong = path.get(found.number).map_or("", |part| part);
    if found.tables.is_empty() && found.number > 0 {
        let before = path.get(found.number - 1).map_or("", |part| part);
        return (
            Text::new(
                format!("Нет поля «{wrong}»: «{before}» — не ссылка"),
                format!("There is no field “{wrong}”: “{before}” is no reference"),
            ),
            Text::new(
                format!("Уберите «.{wrong}» или возьмите поле, в котором ссылка"),
                format!("Remove “.{wrong}”, or take a field that holds a reference"),
            ),
        );
    }
    let names = found.names.iter().map(|name| &**name);
    let (what, mend) = words::unknown_texts(("поля", "field"), wrong, names);
    let tables = words::tables(&found.tables, wrong);
    let tables = if tables.is_empty() { tables } else { format!(" ({tables})") };
    (Text::new(format!("{}{tables}", what.ru), format!("{}{tables}", what.en)), mend)
}
