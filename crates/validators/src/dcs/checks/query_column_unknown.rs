//! Level 4, advisory: fields of nested queries and temporary tables are columns of them.

use crate::dcs::subject::has_name;
use crate::dcs::words;
use crate::dcs::check::{Check, Examples};
use crate::dcs::report::Findings;
use crate::dcs::subject::Subject;

pub(super) const CHECK: Check = Check {
    title: ("Поле вложенного запроса или временной таблицы есть среди её колонок", "A field of a nested query or temporary table is one of its columns"),
    source: "The query language: «Поле не найдено». Only tables whose columns the text itself shows. Measured: see the ledger",
    examples: Examples {
        valid: &["<dataSet xsi:type=\"DataSetQuery\"><name>Н</name><dataSource>И</dataSource><query>ВЫБРАТЬ Х.А ИЗ (ВЫБРАТЬ 1 КАК А) КАК Х</query></dataSet>"],
        invalid: &[("<dataSet xsi:type=\"DataSetQuery\"><name>Н</name><dataSource>И</dataSource><query>ВЫБРАТЬ Х.Сума КАК С ИЗ (ВЫБРАТЬ 1 КАК Сумма) КАК Х</query></dataSet>", "Х.Сума"),
            ("<dataSet xsi:type=\"DataSetQuery\"><name>Н</name><dataSource>И</dataSource><query>ВЫБРАТЬ 1 КАК Сумма ПОМЕСТИТЬ ВТ; ВЫБРАТЬ ВТ.Сума КАК С ИЗ ВТ КАК ВТ</query></dataSet>", "ВТ.Сума")],
    },
    run,
    ..Check::advisory(4, "dcs-query-column-unknown")
};

fn run(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    for query in subject.queries.iter().filter(|query| query.is_certain()) {
        let facts = query.facts();
        for field in facts.fields.iter().filter(|field| field.column.is_none() && field.table_parts > 0) {
            let table = field.table.and_then(|table| facts.tables.get(table as usize));
            let Some(columns) = table.and_then(|table| query.columns_of(table)) else { continue };
            let Some(name) = field.parts.get(field.table_parts as usize) else { continue };
            if findings.wants_more() && !has_name(&columns, name) {
                let (what, mend) = words::unknown_texts(("колонки", "column"), name, columns.iter().copied());
                findings.in_text(query.element, field.span.range(), what, mend);
            }
        }
    }
}
