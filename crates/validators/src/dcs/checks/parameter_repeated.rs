//! Level 3, advisory: names of parameters are not repeated.

use crate::dcs::words;
use crate::dcs::check::{Check, Examples};
use crate::dcs::report::Findings;
use crate::dcs::subject::Subject;

pub(super) const CHECK: Check = Check {
    title: ("Имена параметров не повторяются", "Names of parameters are not repeated"),
    source: "Queries and settings name a parameter by it; measured: see the ledger",
    examples: Examples {
        valid: &["<parameter><name>П</name></parameter>"],
        invalid: &[("<parameter><name>П</name></parameter><parameter><name>п</name></parameter>", "п")],
    },
    run,
    ..Check::advisory(3, "dcs-parameter-repeated")
};

fn run(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    for scope in &subject.scopes {
        let named = scope.schema.parameters().filter_map(|parameter| parameter.element().child("name"));
        words::repeated(findings, ("параметра", "parameter"), named);
    }
}
