//! Columns of the demo's reports and of genuine schemas, back to tables.

#![allow(clippy::unwrap_used, reason = "helpers of tests, where a panic is the message")]

use metascope_dcs::Document;
use metascope_dcs::outline::outline;
use metascope_dcs::trace::{NamedBy, StepKind, Trace, trace};
use rayon::prelude::*;
use support::{demo_schemas, genuine_schemas};

/// A report of the demo, in the Designer's format.
fn report(name: &str) -> Document {
    let files = demo_schemas();
    let file = files.into_iter().find(|file| {
        file.path.extension().is_some_and(|end| end == "xml") && file.path.iter().any(|part| part == name)
    });
    Document::parse(file.unwrap().bytes)
}

/// `kind name: text`, with the line of the file, without what lies around it.
fn way(document: &Document, found: &Trace) -> Vec<(usize, StepKind, String, String)> {
    let [answer] = &found.answers[..] else { panic!("{found:#?}") };
    let step = |step: &metascope_dcs::trace::Step| {
        let line = document.text().lines().nth(step.line as usize - 1).unwrap().trim().to_owned();
        (step.depth, step.kind, format!("{}: {}", step.name, step.text), line)
    };
    answer.steps.iter().map(step).collect()
}

#[test]
fn a_calculated_column_is_followed_through_a_temporary_table_to_the_register() {
    let document = report("АнализПродажТоваров");
    let found = trace(&document, "profit");
    assert_eq!(found.answers[0].named_by, [NamedBy::Title]);
    let way = way(&document, &found);
    let short: Vec<(usize, StepKind, &str)> =
        way.iter().map(|(depth, kind, said, _)| (*depth, *kind, said.as_str())).collect();
    use StepKind::{Calculated, Column, Field, Table, Total};
    let register = "РегистрНакопления.ОборотыПродаж.Обороты";
    let (sum, cost) = (format!("{register}: СуммаОборот"), format!("{register}: СебестоимостьОборот"));
    assert_eq!(
        short,
        [
            (0, Total, "Прибыль: Сумма(Прибыль)"),
            (0, Calculated, "Прибыль: Сумма - Себестоимость"),
            (1, Field, "Сумма: Сумма"),
            (2, Column, "Сумма: Продажи.Сумма"),
            (3, Column, "Сумма: ОборотыПродажОбороты.СуммаОборот"),
            (4, Table, sum.as_str()),
            (1, Field, "Себестоимость: Себестоимость"),
            (2, Column, "Себестоимость: Продажи.Себестоимость"),
            (3, Column, "Себестоимость: ОборотыПродажОбороты.СебестоимостьОборот"),
            (4, Table, cost.as_str()),
        ]
    );
    // The lines of the file are those of the steps.
    assert_eq!(way[3].3, "Продажи.Сумма КАК Сумма,");
    assert_eq!(way[4].3, "ОборотыПродажОбороты.СуммаОборот КАК Сумма,");
    assert!(way[5].3.starts_with("РегистрНакопления.ОборотыПродаж.Обороты("), "{}", way[5].3);
    let table = &found.answers[0].steps[5];
    assert_eq!(table.object, "AccumulationRegister.ОборотыПродаж.Turnovers");
}

#[test]
fn a_joined_table_and_a_path_behind_a_field() {
    let document = report("АнализПродажТоваров");
    let sku = trace(&document, "SKU");
    let last = way(&document, &sku).pop().unwrap();
    assert_eq!(
        (last.2.as_str(), last.3.as_str()),
        ("Справочник.Товары: Артикул", "ВНУТРЕННЕЕ СОЕДИНЕНИЕ Справочник.Товары КАК Товары")
    );
    let behind = trace(&document, "ТоварнаяГруппа.Код");
    assert_eq!(way(&document, &behind).pop().unwrap().2, "Справочник.Товары: Родитель.Код");
    let missing = trace(&document, "Прибыл");
    assert_eq!((missing.answers.len(), &missing.nearest[..]), (0, &["Прибыль".to_owned()][..]));
}

/// Both formats of the demo lead the same way.
#[test]
fn every_column_of_the_demo_leads_to_a_table() {
    for file in demo_schemas() {
        let document = Document::parse(file.bytes);
        for set in outline(&document).iter().flat_map(|schema| &schema.data_sets) {
            for field in set.fields.iter().filter(|field| !field.path.is_empty()) {
                let found = trace(&document, &field.path);
                let leads =
                    found.answers.iter().flat_map(|answer| &answer.steps).any(|step| step.kind == StepKind::Table);
                let has_column = set.query.contains(&format!("КАК {}", field.path));
                assert!(leads || !has_column, "{}: {}: {found:#?}", file.path.display(), field.path);
            }
        }
    }
}

/// Of genuine schemas, nearly every described field of a query leads to a column of it: the others are left behind by edits.
#[test]
#[ignore = "corpus"]
fn fields_of_genuine_schemas_lead_to_columns() {
    let files = genuine_schemas();
    let counts = files.par_iter().map(|file| {
        let document = Document::parse(file.bytes.clone());
        let (mut all, mut columns, mut ends) = (0_usize, 0_usize, 0_usize);
        for set in outline(&document).iter().flat_map(|schema| &schema.data_sets).filter(|set| set.kind == "query") {
            for field in &set.fields {
                let found = trace(&document, &field.path);
                let steps = || found.answers.iter().flat_map(|answer| &answer.steps);
                all += 1;
                columns += usize::from(steps().any(|step| step.kind == StepKind::Column));
                ends += usize::from(steps().any(|step| step.kind == StepKind::Table));
                let last = document.tree().line(document.text().len());
                assert!(steps().all(|step| step.line >= 1 && step.line <= last), "{}", file.path.display());
            }
        }
        (all, columns, ends)
    });
    let (all, columns, ends) =
        counts.reduce(|| (0, 0, 0), |one, other| (one.0 + other.0, one.1 + other.1, one.2 + other.2));
    println!("fields {all}, with a column {columns}, with a table {ends}, schemas {}", files.len());
    assert!(all > 1000 && columns * 100 >= all * 90, "{columns} of {all}");
}
