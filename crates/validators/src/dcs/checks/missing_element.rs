//! Level 2, advisory: a child that the format requires is there.

use dcs::formal::DeviationKind;

use crate::Text;
use crate::dcs::check::{Check, Examples};
use crate::dcs::report::Findings;
use crate::dcs::subject::Subject;

pub(super) const CHECK: Check = Check {
    title: ("Обязательный элемент на месте", "A required element is there"),
    source: "The structure of the format; all genuine files have them. Whether the platform refuses a file without one is not known: some that the format calls required are absent in genuine files",
    examples: Examples {
        valid: &["<dataSource><name>А</name><dataSourceType>Local</dataSourceType></dataSource>"],
        invalid: &[("<dataSource><name>А</name></dataSource>", "<dataSource>"),
            ("<totalField><dataPath>А</dataPath></totalField>", "<totalField>")],
    },
    run,
    ..Check::advisory(2, "dcs-missing-element")
};

fn run(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    for found in subject.deviations() {
        let DeviationKind::MissingChild { child } = &found.kind else { continue };
        let Some(element) = subject.document.element(found.element) else { continue };
        let (name, child) = (element.local(), child.local);
        let what = Text::new(format!("В {name} нет {child}"), format!("{name} has no {child}"));
        let mend = Text::new(format!("Добавьте {child}"), format!("Add {child}"));
        findings.at(Some(element), found.place.clone(), what, mend);
    }
}
