//! Level 2, blocking: what may stand once stands once.

use dcs::formal::DeviationKind;

use crate::Text;
use crate::dcs::check::{Check, Examples};
use crate::dcs::report::Findings;
use crate::dcs::subject::Subject;

pub(super) const CHECK: Check = Check {
    title: ("Элемент не повторяется там, где он один", "An element that stands once isn't repeated"),
    source: "The structure of the format; no genuine file has it. A value that stands once can't be read twice, as order can't be another",
    examples: Examples {
        valid: &["<parameter><name>П</name></parameter>"],
        invalid: &[("<parameter><name>П</name><name>Р</name></parameter>", "<name>")],
    },
    run,
    ..Check::blocking(2, "dcs-repeated-element")
};

fn run(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    for found in subject.deviations() {
        let DeviationKind::Repeated = &found.kind else { continue };
        let Some(element) = subject.document.element(found.element) else { continue };
        let name = element.local();
        let what = Text::new(format!("{name} повторяется"), format!("{name} is repeated"));
        let mend = Text::new("Оставьте один элемент", "Leave one of them");
        findings.at(Some(element), found.place.clone(), what, mend);
    }
}
