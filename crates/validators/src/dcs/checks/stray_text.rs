//! Level 2, advisory: no text between elements.

use dcs::formal::DeviationKind;

use crate::Text;
use crate::dcs::check::{Check, Examples};
use crate::dcs::report::Findings;
use crate::dcs::subject::Subject;

pub(super) const CHECK: Check = Check {
    title: ("Между элементами нет текста", "There is no text between elements"),
    source: "The structure of the format; no genuine file has it",
    examples: Examples {
        valid: &["<parameter><name>П</name></parameter>"],
        invalid: &[("<parameter>лишнее<name>П</name></parameter>", "лишнее")],
    },
    run,
    ..Check::advisory(2, "dcs-stray-text")
};

fn run(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    for found in subject.deviations() {
        let DeviationKind::StrayText = &found.kind else { continue };
        let Some(element) = subject.document.element(found.element) else { continue };
        let name = element.local();
        let what = Text::new(format!("Текст между элементами в {name}"), format!("Text between the elements of {name}"));
        let mend = Text::new("Уберите его", "Remove it");
        findings.at(Some(element), found.place.clone(), what, mend);
    }
}
