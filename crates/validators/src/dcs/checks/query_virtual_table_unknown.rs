//! Level 4, advisory: virtual tables of queries are those that the platform makes.

use bsl::query::virtual_tables_instead;

use crate::dcs::check::{Check, Examples};
use crate::dcs::report::Findings;
use crate::dcs::subject::Subject;
use crate::dcs::words;

pub(super) const CHECK: Check = Check {
    title: ("Виртуальная таблица запроса есть у платформы", "The platform has the virtual table of a query"),
    source: "The platform's guide \"Query tables\", chapters of each kind: «Таблица не найдена»",
    examples: Examples {
        valid: &[
            "<dataSet xsi:type=\"DataSetQuery\"><name>Н</name><dataSource>И</dataSource><query>ВЫБРАТЬ Т.Курс ИЗ РегистрСведений.Курсы.СрезПоследних КАК Т</query></dataSet>",
        ],
        invalid: &[(
            "<dataSet xsi:type=\"DataSetQuery\"><name>Н</name><dataSource>И</dataSource><query>ВЫБРАТЬ Т.Курс ИЗ РегистрСведений.Курсы.СрезПоследнх КАК Т</query></dataSet>",
            "РегистрСведений.Курсы.СрезПоследнх КАК Т",
        )],
    },
    run,
    ..Check::advisory(4, "dcs-query-virtual-table-unknown")
};

fn run(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    for query in subject.queries.iter().filter(|query| query.is_certain()) {
        for table in &query.facts().tables {
            let Some(names) = virtual_tables_instead(&table.parts) else { continue };
            let third = table.parts.last().map_or("", |part| part);
            let (what, mend) =
                words::unknown_texts(("виртуальной таблицы", "virtual table"), third, names.iter().map(String::as_str));
            findings.in_text(query.element, table.span.range(), what, mend);
        }
    }
}
