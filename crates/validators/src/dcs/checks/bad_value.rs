//! Level 2, advisory: texts are values of their types.

use dcs::formal::DeviationKind;

use crate::Text;
use crate::dcs::check::{Check, Examples};
use crate::dcs::report::Findings;
use crate::dcs::subject::Subject;

pub(super) const CHECK: Check = Check {
    title: ("Текст — значение своего типа", "A text is a value of its type"),
    source: "XML Schema: what the types of the format accept; no genuine file has another. What the platform makes of one is not known",
    examples: Examples {
        valid: &["<parameter><name>П</name><useRestriction>true</useRestriction></parameter>"],
        invalid: &[("<parameter><name>П</name><useRestriction>да</useRestriction></parameter>", "да"),
            ("<parameter><name>П</name><value xsi:type=\"xs:decimal\">1,5</value></parameter>", "1,5"),
            ("<parameter><name>П</name><valueType><v8:Type>q:x</v8:Type></valueType></parameter>", "q:x")],
    },
    run,
    ..Check::advisory(2, "dcs-bad-value")
};

fn run(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    for found in subject.deviations() {
        let DeviationKind::BadValue { of, value } = &found.kind else { continue };
        let Some(element) = subject.document.element(found.element) else { continue };
        let shown: String = value.chars().take(60).collect();
        let what = Text::new(
            format!("«{shown}» — не значение типа {}", of.name()),
            format!("“{shown}” is no value of {}", of.name()),
        );
        let mend = Text::new(format!("Пример: {}", of.example()), format!("An example: {}", of.example()));
        findings.at(Some(element), found.place.clone(), what, mend);
    }
}
