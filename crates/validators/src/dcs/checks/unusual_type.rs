//! Level 2, advisory: values are of types that occur in their places.

use dcs::formal::DeviationKind;

use crate::Text;
use crate::dcs::check::{Check, Examples};
use crate::dcs::report::Findings;
use crate::dcs::subject::Subject;

pub(super) const CHECK: Check = Check {
    title: ("Тип значения встречается в этом месте", "The type of a value is one that occurs here"),
    source: "Counted in genuine files: no other type was seen at this place. The format allows any",
    examples: Examples {
        valid: &["<parameter><name>П</name><value xsi:type=\"xs:string\">х</value></parameter>"],
        invalid: &[("<parameter><name>П</name><value xsi:type=\"s:Filter\"/></parameter>", "s:Filter")],
    },
    run,
    ..Check::advisory(2, "dcs-unusual-type")
};

fn run(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    for found in subject.deviations() {
        let DeviationKind::UnusualType = &found.kind else { continue };
        let Some(element) = subject.document.element(found.element) else { continue };
        let name = element.local();
        let of = element.xsi_type().map_or("", |(_, name)| name);
        let what = Text::new(format!("{name}: тип {of} здесь не встречался"), format!("{name}: the type {of} was never seen here"));
        let mend = Text::new("Проверьте тип значения", "Look at the type of the value");
        findings.at(Some(element), found.place.clone(), what, mend);
    }
}
