//! Level 2, blocking: `xsi:type` says what an element is where nothing else does.

use dcs::formal::DeviationKind;
use dcs::formal::{Formal, Type};

use crate::Text;
use crate::dcs::check::{Check, Examples};
use crate::dcs::report::Findings;
use crate::dcs::subject::Subject;

pub(super) const CHECK: Check = Check {
    title: ("Там, где без xsi:type не понять, он указан", "Where nothing else says what an element is, xsi:type does"),
    source: "The structure of the format: nothing is of an abstract type; in 7,299 genuine files xsi:type stands at all such places",
    examples: Examples {
        valid: &["<dataSet xsi:type=\"DataSetUnion\"><name>О</name></dataSet>"],
        invalid: &[("<dataSet><name>О</name></dataSet>", "<dataSet>"),
            ("<settingsVariant><s:name>О</s:name><s:settings><s:filter><s:item/></s:filter></s:settings></settingsVariant>", "<s:item/>")],
    },
    run,
    ..Check::blocking(2, "dcs-type-missing")
};

fn run(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    for found in subject.deviations() {
        let DeviationKind::TypeMissing { declared } = &found.kind else { continue };
        let Some(element) = subject.document.element(found.element) else { continue };
        let formal = Formal::get();
        let base = formal.find(declared.ns, declared.local);
        let fits = |of: &&Type| !of.is_abstract && formal.find(of.name.ns, of.name.local).zip(base).is_some_and(|(id, base)| formal.is_a(id, base));
        let fitting: Vec<&str> = formal.types().iter().filter(fits).map(|of| of.name.local).collect();
        let fitting = fitting.join(", ");
        let name = element.local();
        let what = Text::new(format!("У {name} не указан xsi:type"), format!("{name} has no xsi:type"));
        let mend = Text::new(format!("Укажите один из типов: {fitting}"), format!("Write one of these types: {fitting}"));
        findings.at(Some(element), found.place.clone(), what, mend);
    }
}
