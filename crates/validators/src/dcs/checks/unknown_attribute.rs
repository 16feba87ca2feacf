//! Level 2, advisory: no attribute that the format hasn't.

use dcs::formal::DeviationKind;

use crate::Text;
use crate::dcs::check::{Check, Examples};
use crate::dcs::report::Findings;
use crate::dcs::subject::Subject;

pub(super) const CHECK: Check = Check {
    title: ("Атрибут известен модели", "The model knows the attribute"),
    source: "The structure of the format; no genuine file has another attribute",
    examples: Examples {
        valid: &["<parameter><name>П</name></parameter>"],
        invalid: &[("<parameter kind=\"1\"><name>П</name></parameter>", "kind=\"1\"")],
    },
    run,
    ..Check::advisory(2, "dcs-unknown-attribute")
};

fn run(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    for found in subject.deviations() {
        let DeviationKind::UnknownAttribute { attribute } = &found.kind else { continue };
        let Some(element) = subject.document.element(found.element) else { continue };
        let name = element.local();
        let what = Text::new(format!("У {name} нет атрибута {attribute}"), format!("{name} has no attribute {attribute}"));
        let mend = Text::new("Уберите его", "Remove it");
        findings.at(Some(element), found.place.clone(), what, mend);
    }
}
