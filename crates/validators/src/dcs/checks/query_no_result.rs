//! Level 4, advisory: a batch gives rows.

use crate::Text;
use crate::dcs::check::{Check, Examples};
use crate::dcs::report::Findings;
use crate::dcs::subject::Subject;

pub(super) const CHECK: Check = Check {
    title: ("Пакет запросов даёт строки", "A batch gives rows"),
    source: "The set takes its rows from the last query of the batch that fills no temporary table. Measured: see the ledger",
    examples: Examples {
        valid: &["<dataSet xsi:type=\"DataSetQuery\"><name>Н</name><dataSource>И</dataSource><query>ВЫБРАТЬ 1 КАК А ПОМЕСТИТЬ ВТ; ВЫБРАТЬ ВТ.А ИЗ ВТ КАК ВТ; УНИЧТОЖИТЬ ВТ</query></dataSet>"],
        invalid: &[("<dataSet xsi:type=\"DataSetQuery\"><name>Н</name><dataSource>И</dataSource><query>ВЫБРАТЬ 1 КАК А ПОМЕСТИТЬ ВТ</query></dataSet>", "ВЫБРАТЬ 1 КАК А ПОМЕСТИТЬ ВТ")],
    },
    run,
    ..Check::advisory(4, "dcs-query-no-result")
};

fn run(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    for query in subject.queries.iter().filter(|query| query.is_certain() && !query.facts().statements.is_empty()) {
        if query.result().is_none() {
            findings.inside(
                query.element,
                Text::new("Запрос только заполняет временные таблицы", "The query fills temporary tables only"),
                Text::new("Добавьте запрос без ПОМЕСТИТЬ", "Add a query without INTO"),
            );
        }
    }
}
