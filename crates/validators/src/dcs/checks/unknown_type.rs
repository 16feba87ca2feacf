//! Level 2, blocking: `xsi:type` names a type that exists.

use bsl::nearest;
use dcs::formal::{DeviationKind, Formal};

use crate::Text;
use crate::dcs::check::{Check, Examples};
use crate::dcs::report::Findings;
use crate::dcs::subject::Subject;

pub(super) const CHECK: Check = Check {
    title: ("Тип из xsi:type существует", "The type that xsi:type names exists"),
    source: "The structure of the format; in 7,299 genuine files no type of these namespaces is outside of it. Types of other namespaces are opaque",
    examples: Examples {
        valid: &["<dataSet xsi:type=\"DataSetUnion\"><name>О</name></dataSet>", "<parameter><name>П</name><value xmlns:d=\"urn:d\" xsi:type=\"d:T\"/></parameter>"],
        invalid: &[("<dataSet xsi:type=\"DataSetQuer\"><name>О</name></dataSet>", "DataSetQuer"),
            ("<parameter><name>П</name><value xsi:type=\"z:string\">х</value></parameter>", "z:string")],
    },
    run,
    ..Check::blocking(2, "dcs-unknown-type")
};

fn run(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    for found in subject.deviations() {
        let DeviationKind::UnknownType = &found.kind else { continue };
        let Some(element) = subject.document.element(found.element) else { continue };
        let name = element.xsi_type().map_or("", |(_, name)| name);
        let types = Formal::get().types().iter().map(|of| of.name.local);
        let near = nearest(name, types, 3).join(", ");
        let what = Text::new(format!("Типа {name} нет"), format!("There is no type {name}"));
        let mend = match near.as_str() {
            "" => Text::new("Исправьте имя или префикс типа", "Correct the name, or the prefix, of the type"),
            near => Text::new(format!("Исправьте имя типа: {near}"), format!("Correct the name of the type: {near}")),
        };
        findings.at(Some(element), found.place.clone(), what, mend);
    }
}
