//! Level 2, blocking: values of enumerations exist.

use bsl::nearest;
use dcs::formal::{Content, DeviationKind, Formal};

use crate::Text;
use crate::dcs::check::{Check, Examples};
use crate::dcs::report::Findings;
use crate::dcs::subject::Subject;

pub(super) const CHECK: Check = Check {
    title: ("Значение перечисления существует", "The value of an enumeration exists"),
    source: "The structure of the format; in 7,299 genuine files no value is outside of it",
    examples: Examples {
        valid: &["<parameter><name>П</name><use>Always</use></parameter>"],
        invalid: &[("<parameter><name>П</name><use>Sometimes</use></parameter>", "Sometimes"),
            ("<settingsVariant><s:name>О</s:name><s:settings><s:itemsViewMode>Fast</s:itemsViewMode></s:settings></settingsVariant>", "Fast")],
    },
    run,
    ..Check::blocking(2, "dcs-unknown-value")
};

fn run(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    for found in subject.deviations() {
        let DeviationKind::UnknownValue { of, value } = &found.kind else { continue };
        let Some(element) = subject.document.element(found.element) else { continue };
        let values = match Formal::get().find(of.ns, of.local).and_then(|id| Formal::get().of(id)).map(|of| &of.content) {
            Some(Content::Enumeration(values)) => values.as_slice(),
            _ => &[],
        };
        let near = nearest(value, values.iter().copied(), 3);
        let offered = if near.is_empty() { values.join(", ") } else { near.join(", ") };
        let what = Text::new(
            format!("Значения «{value}» нет в {}", of.local),
            format!("{} has no value “{value}”", of.local),
        );
        let mend = Text::new(format!("Возможные значения: {offered}"), format!("Possible values: {offered}"));
        findings.at(Some(element), found.place.clone(), what, mend);
    }
}
