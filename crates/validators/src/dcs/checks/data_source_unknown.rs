//! Level 3, advisory: a set names a source that is there.

use crate::dcs::words;
use crate::dcs::check::{Check, Examples};
use crate::dcs::report::Findings;
use crate::dcs::subject::{Names, Subject};

pub(super) const CHECK: Check = Check {
    title: ("Источник данных набора есть в схеме", "The source of a set is in the schema"),
    source: "The composer takes the source by its name; measured: see the ledger",
    examples: Examples {
        valid: &["<dataSource><name>И</name><dataSourceType>Local</dataSourceType></dataSource><dataSet xsi:type=\"DataSetQuery\"><name>Н</name><dataSource>И</dataSource><query>ВЫБРАТЬ 1 КАК А</query></dataSet>"],
        invalid: &[("<dataSource><name>И</name><dataSourceType>Local</dataSourceType></dataSource><dataSet xsi:type=\"DataSetQuery\"><name>Н</name><dataSource>Х</dataSource><query>ВЫБРАТЬ 1 КАК А</query></dataSet>", "Х")],
    },
    run,
    ..Check::advisory(3, "dcs-data-source-unknown")
};

fn run(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    for scope in &subject.scopes {
        let names: Names = scope.schema.data_sources().map(|source| source.name()).collect();
        for set in &scope.sets {
            let Some(element) = set.element().child("dataSource") else { continue };
            let name = element.text();
            if !name.is_empty() && !names.has(&name) {
                words::unknown(findings, element, ("источника данных", "data source"), &name, names.iter());
            }
        }
    }
}
