//! Level 2, blocking: what `xsi:type` names may stand in its place.

use dcs::formal::DeviationKind;
use dcs::formal::{Formal, Type};

use crate::Text;
use crate::dcs::check::{Check, Examples};
use crate::dcs::report::Findings;
use crate::dcs::subject::Subject;

pub(super) const CHECK: Check = Check {
    title: ("Тип из xsi:type годится для этого места", "The type that xsi:type names may stand here"),
    source: "The structure of the format: a type that does not inherit from the declared one can't stand for it; no genuine file has one",
    examples: Examples {
        valid: &["<dataSet xsi:type=\"DataSetUnion\"><name>О</name></dataSet>"],
        invalid: &[("<dataSet xsi:type=\"DataSetFieldField\"><dataPath>А</dataPath><field>А</field></dataSet>", "DataSetFieldField"),
            ("<dataSet xsi:type=\"v8:StandardPeriod\"><v8:variant>Custom</v8:variant></dataSet>", "v8:StandardPeriod")],
    },
    run,
    ..Check::blocking(2, "dcs-wrong-type")
};

fn run(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    for found in subject.deviations() {
        let DeviationKind::WrongType { declared } = &found.kind else { continue };
        let Some(element) = subject.document.element(found.element) else { continue };
        let name = element.xsi_type().map_or("", |(_, name)| name);
        let formal = Formal::get();
        let base = formal.find(declared.ns, declared.local);
        let fits = |of: &&Type| !of.is_abstract && formal.find(of.name.ns, of.name.local).zip(base).is_some_and(|(id, base)| formal.is_a(id, base));
        let fitting: Vec<&str> = formal.types().iter().filter(fits).map(|of| of.name.local).collect();
        let fitting = fitting.join(", ");
        let what = Text::new(
            format!("Тип {name} не может стоять в {}", element.local()),
            format!("The type {name} can't stand in {}", element.local()),
        );
        let mend = Text::new(format!("Здесь могут быть: {fitting}"), format!("Here may stand: {fitting}"));
        findings.at(Some(element), found.place.clone(), what, mend);
    }
}
