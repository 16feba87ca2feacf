//! Level 2, advisory: `xsi:nil` stands where the format provides for it.

use dcs::formal::DeviationKind;

use crate::Text;
use crate::dcs::check::{Check, Examples};
use crate::dcs::report::Findings;
use crate::dcs::subject::Subject;

pub(super) const CHECK: Check = Check {
    title: ("xsi:nil стоит там, где он возможен", "xsi:nil stands where it may"),
    source: "The structure of the format; no genuine file has it elsewhere",
    examples: Examples {
        valid: &["<parameter><name>П</name><value xsi:nil=\"true\"/></parameter>"],
        invalid: &[("<parameter><name xsi:nil=\"true\"/></parameter>", "<name xsi:nil=\"true\"/>")],
    },
    run,
    ..Check::advisory(2, "dcs-not-nillable")
};

fn run(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    for found in subject.deviations() {
        let DeviationKind::NotNillable = &found.kind else { continue };
        let Some(element) = subject.document.element(found.element) else { continue };
        let name = element.local();
        let what = Text::new(format!("У {name} не бывает xsi:nil"), format!("{name} can't be nil"));
        let mend = Text::new("Запишите значение", "Write a value");
        findings.at(Some(element), found.place.clone(), what, mend);
    }
}
