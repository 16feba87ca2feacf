//! Level 3, advisory: paths of calculated fields are not repeated.

use crate::dcs::words;
use crate::dcs::check::{Check, Examples};
use crate::dcs::report::Findings;
use crate::dcs::subject::Subject;

pub(super) const CHECK: Check = Check {
    title: ("Пути вычисляемых полей не повторяются", "Paths of calculated fields are not repeated"),
    source: "Of two fields with one path only one counts; measured: see the ledger",
    examples: Examples {
        valid: &["<calculatedField><dataPath>А</dataPath><expression>1</expression></calculatedField>"],
        invalid: &[("<calculatedField><dataPath>А</dataPath><expression>1</expression></calculatedField><calculatedField><dataPath>а</dataPath><expression>2</expression></calculatedField>", "а")],
    },
    run,
    ..Check::advisory(3, "dcs-calculated-repeated")
};

fn run(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    for scope in &subject.scopes {
        let named = scope.schema.calculated_fields().filter_map(|field| field.element().child("dataPath"));
        words::repeated(findings, ("вычисляемого поля", "calculated field"), named);
    }
}
