//! Level 3, advisory: the query of a set is not empty.

use crate::Text;
use crate::dcs::check::{Check, Examples};
use crate::dcs::report::Findings;
use crate::dcs::subject::Subject;

pub(super) const CHECK: Check = Check {
    title: ("Запрос набора не пуст", "The query of a set is not empty"),
    source: "Counted: 1 of 7,299 genuine files has an empty one: code sets it",
    examples: Examples {
        valid: &["<dataSource><name>И</name><dataSourceType>Local</dataSourceType></dataSource><dataSet xsi:type=\"DataSetQuery\"><name>Н</name><dataSource>И</dataSource><query>ВЫБРАТЬ 1 КАК А</query></dataSet>"],
        invalid: &[("<dataSource><name>И</name><dataSourceType>Local</dataSourceType></dataSource><dataSet xsi:type=\"DataSetQuery\"><name>Н</name><dataSource>И</dataSource><query></query></dataSet>", "<query></query>")],
    },
    run,
    ..Check::advisory(3, "dcs-query-empty")
};

fn run(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    for query in subject.queries.iter().filter(|query| query.text.trim().is_empty()) {
        let what = Text::new("Запрос пуст", "The query is empty");
        findings.inside(query.element, what, Text::new("Напишите запрос", "Write a query"));
    }
}
