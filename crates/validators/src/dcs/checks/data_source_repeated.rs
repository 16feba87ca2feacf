//! Level 3, advisory: names of sources are not repeated.

use crate::dcs::words;
use crate::dcs::check::{Check, Examples};
use crate::dcs::report::Findings;
use crate::dcs::subject::Subject;

pub(super) const CHECK: Check = Check {
    title: ("Имена источников данных не повторяются", "Names of data sources are not repeated"),
    source: "Sets name their source by it; measured: see the ledger",
    examples: Examples {
        valid: &["<dataSource><name>И</name><dataSourceType>Local</dataSourceType></dataSource>"],
        invalid: &[("<dataSource><name>И</name><dataSourceType>Local</dataSourceType></dataSource><dataSource><name>И</name><dataSourceType>Local</dataSourceType></dataSource>", "И")],
    },
    run,
    ..Check::advisory(3, "dcs-data-source-repeated")
};

fn run(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    for scope in &subject.scopes {
        let named = scope.schema.data_sources().filter_map(|source| source.element().child("name"));
        words::repeated(findings, ("источника данных", "data source"), named);
    }
}
