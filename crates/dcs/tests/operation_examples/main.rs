//! What operations do and what they refuse, on a schema made from a query.

#![allow(clippy::unwrap_used, reason = "helpers of tests, where a panic is the message")]

mod areas;
mod data;
mod names;
mod queries;
mod settings;
mod structure;
mod user_fields;

use metascope_dcs::Document;
use metascope_dcs::formal::conform;
use metascope_dcs::meaning::ChangeKind;
use metascope_dcs::operation::{Operation, Refusal, new_schema, run};

const QUERY: &str = "ВЫБРАТЬ
	Продажи.Менеджер КАК Менеджер,
	СУММА(Продажи.Сумма) КАК Сумма
ИЗ
	РегистрНакопления.Продажи КАК Продажи
ГДЕ
	Продажи.Период >= &Начало
СГРУППИРОВАТЬ ПО
	Продажи.Менеджер

ОБЪЕДИНИТЬ ВСЕ

ВЫБРАТЬ
	Возвраты.Менеджер,
	Возвраты.Сумма
ИЗ
	РегистрНакопления.Возвраты КАК Возвраты

УПОРЯДОЧИТЬ ПО
	Менеджер";

fn parse(line: &str) -> Operation {
    Operation::parse(line).unwrap_or_else(|refusal| panic!("{line}: {refusal}"))
}

fn edit(document: &Document, lines: &[&str]) -> Document {
    let operations: Vec<Operation> = lines.iter().map(|line| parse(line)).collect();
    let ran = run(document, &operations, false).unwrap_or_else(|(at, refusal)| panic!("{}: {refusal}", lines[at]));
    assert_eq!(conform(&ran.document), [], "{lines:?}");
    ran.document
}

fn refuse(document: &Document, line: &str) -> Refusal {
    parse(line).plan(document, false).map(|plan| plan.title).unwrap_err()
}

fn changes(document: &Document, line: &str, cascade: bool) -> Vec<String> {
    let plan = parse(line).plan(document, cascade).unwrap_or_else(|refusal| panic!("{line}: {refusal}"));
    let shown = |change: &metascope_dcs::meaning::Change| match &change.kind {
        ChangeKind::Added { .. } => format!("+ {}", change.path),
        ChangeKind::Removed { .. } => format!("- {}", change.path),
        ChangeKind::Changed { .. } | ChangeKind::Retyped { .. } => format!("~ {}", change.path),
        ChangeKind::Moved => format!("> {}", change.path),
    };
    plan.declared.iter().map(shown).collect()
}

fn schema() -> Document {
    let document = new_schema(QUERY).unwrap();
    assert_eq!(conform(&document), []);
    document
}

fn query(document: &Document) -> String {
    document.schema().unwrap().data_sets().next().unwrap().query().into_owned()
}
