//! Level 1, blocking: the sections of a schema stand in their order.

use crate::dcs::check::{Check, Examples};
use crate::dcs::report::Findings;
use crate::dcs::subject::Subject;

pub(super) const CHECK: Check = Check {
    title: ("Разделы схемы стоят по порядку", "The sections of a schema stand in order"),
    source: "The platform refuses another order (a public report: cc-1c-skills, issue 101); no genuine file has one",
    examples: Examples {
        valid: &["<totalField><dataPath>А</dataPath><expression>1</expression></totalField><parameter><name>П</name></parameter>"],
        invalid: &[(
            "<parameter><name>П</name></parameter><totalField><dataPath>А</dataPath><expression>1</expression></totalField>",
            "<parameter>",
        )],
    },
    run,
    ..Check::blocking(1, "dcs-sections-order")
};

fn run(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    super::order::report(subject, findings, true);
}
