//! Level 2, advisory: an attribute that all genuine files have is there.

use dcs::formal::DeviationKind;

use crate::Text;
use crate::dcs::check::{Check, Examples};
use crate::dcs::report::Findings;
use crate::dcs::subject::Subject;

pub(super) const CHECK: Check = Check {
    title: ("Обязательный атрибут на месте", "A required attribute is there"),
    source: "Counted in genuine files: all have it",
    examples: Examples {
        valid: &["<settingsVariant><s:name>О</s:name><s:settings><s:additionalProperties><v8:Property name=\"А\"><v8:Value xsi:type=\"xs:string\">х</v8:Value></v8:Property></s:additionalProperties></s:settings></settingsVariant>"],
        invalid: &[("<settingsVariant><s:name>О</s:name><s:settings><s:additionalProperties><v8:Property><v8:Value xsi:type=\"xs:string\">х</v8:Value></v8:Property></s:additionalProperties></s:settings></settingsVariant>", "<v8:Property>")],
    },
    run,
    ..Check::advisory(2, "dcs-missing-attribute")
};

fn run(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    for found in subject.deviations() {
        let DeviationKind::MissingAttribute { attribute } = &found.kind else { continue };
        let Some(element) = subject.document.element(found.element) else { continue };
        let name = element.local();
        let what = Text::new(format!("У {name} нет атрибута {attribute}"), format!("{name} lacks the attribute {attribute}"));
        let mend = Text::new(format!("Добавьте {attribute}=\"…\""), format!("Add {attribute}=\"…\""));
        findings.at(Some(element), found.place.clone(), what, mend);
    }
}
