//! Level 3, advisory, off by default: a union holds sets.

use dcs::view::DataSetKind;

use crate::Text;
use crate::dcs::check::{Check, Examples};
use crate::dcs::report::Findings;
use crate::dcs::subject::Subject;

pub(super) const CHECK: Check = Check {
    title: ("В объединении есть наборы", "A union holds sets"),
    source: "A union of nothing gives no rows; a schema that code fills in begins so",
    is_on: false,
    examples: Examples {
        valid: &["<dataSet xsi:type=\"DataSetUnion\"><name>О</name><item xsi:type=\"DataSetObject\"><name>А</name><dataSource>И</dataSource><objectName>Т</objectName></item></dataSet>"],
        invalid: &[("<dataSet xsi:type=\"DataSetUnion\"><name>О</name></dataSet>", "<dataSet xsi:type=\"DataSetUnion\">")],
    },
    run,
    ..Check::advisory(3, "dcs-union-empty")
};

fn run(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    let sets = subject.scopes.iter().flat_map(|scope| &scope.sets);
    for set in sets.filter(|set| set.kind() == DataSetKind::Union && set.items().next().is_none()) {
        let what = Text::new("В объединении нет наборов", "The union holds no sets");
        findings.tag(set.element(), what, Text::new("Добавьте наборы", "Add sets"));
    }
}
