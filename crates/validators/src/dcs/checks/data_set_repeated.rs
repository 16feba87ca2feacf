//! Level 3, advisory: names of sets are not repeated, those inside of unions aside.

use crate::dcs::words;
use crate::dcs::check::{Check, Examples};
use crate::dcs::report::Findings;
use crate::dcs::subject::Subject;

pub(super) const CHECK: Check = Check {
    title: ("Имена наборов верхнего уровня не повторяются", "Names of outer sets are not repeated"),
    source: "Links and settings name a set by it. Sets inside of unions repeat names in genuine files and are not looked at",
    examples: Examples {
        valid: &["<dataSet xsi:type=\"DataSetQuery\"><name>Н</name><dataSource>И</dataSource><query>ВЫБРАТЬ 1 КАК А</query></dataSet><dataSet xsi:type=\"DataSetQuery\"><name>М</name><dataSource>И</dataSource><query>ВЫБРАТЬ 1 КАК А</query></dataSet>"],
        invalid: &[("<dataSet xsi:type=\"DataSetQuery\"><name>Н</name><dataSource>И</dataSource><query>ВЫБРАТЬ 1 КАК А</query></dataSet><dataSet xsi:type=\"DataSetQuery\"><name>н</name><dataSource>И</dataSource><query>ВЫБРАТЬ 1 КАК А</query></dataSet>", "н")],
    },
    run,
    ..Check::advisory(3, "dcs-data-set-repeated")
};

fn run(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    for scope in &subject.scopes {
        let named = scope.schema.data_sets().filter_map(|set| set.element().child("name"));
        words::repeated(findings, ("набора данных", "data set"), named);
    }
}
