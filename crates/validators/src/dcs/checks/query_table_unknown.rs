//! Level 4, advisory: tables of queries are in the configuration.

use crate::Text;
use crate::dcs::check::{Check, Examples, Needs};
use crate::dcs::report::Findings;
use crate::dcs::subject::Subject;
use crate::dcs::words;

pub(super) const CHECK: Check = Check {
    title: ("Таблица запроса есть в конфигурации", "The table of a query is in the configuration"),
    source: "The configuration, by its index: «Таблица не найдена»",
    needs: Needs::Configuration,
    examples: Examples {
        valid: &["<dataSet xsi:type=\"DataSetQuery\"><name>Н</name><dataSource>И</dataSource><query>ВЫБРАТЬ Т.Код ИЗ Справочник.Товары КАК Т</query></dataSet>"],
        invalid: &[("<dataSet xsi:type=\"DataSetQuery\"><name>Н</name><dataSource>И</dataSource><query>ВЫБРАТЬ Т.Код ИЗ Справочник.Тавары КАК Т</query></dataSet>", "Справочник.Тавары КАК Т")],
    },
    run,
    ..Check::advisory(4, "dcs-query-table-unknown")
};

fn run(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    let Some(catalog) = subject.catalog else { return };
    for query in subject.queries.iter().filter(|query| query.is_certain()) {
        for table in query.facts().tables.iter().filter(|table| !table.name.is_empty()) {
            if catalog.has_table(&table.name) == Some(false) {
                let written = table.parts.join(".");
                let near = if findings.wants_more() { words::near_tables(catalog, table) } else { Vec::new() };
                findings.in_text(
                    query.element,
                    table.span.range(),
                    Text::new(format!("Таблицы «{written}» нет"), format!("There is no table “{written}”")),
                    words::nearest_names(&near),
                );
            }
        }
    }
}
