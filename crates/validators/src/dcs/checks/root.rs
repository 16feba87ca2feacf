//! Level 1, blocking: a file begins as a schema, or as settings, does.

use dcs::formal::DeviationKind;

use crate::Text;
use crate::dcs::check::{Check, Examples};
use crate::dcs::report::Findings;
use crate::dcs::subject::Subject;

pub(super) const CHECK: Check = Check {
    title: ("Корень — схема компоновки или настройки", "The root is a report schema, or settings"),
    source: "All of 7,299 genuine files of public repositories begin so; another root is another kind of file",
    examples: Examples {
        valid: &["", "<!-- --><Settings xmlns=\"http://v8.1c.ru/8.1/data-composition-system/settings\"/>"],
        invalid: &[
            ("<!-- --><Schema/>", "<Schema/>"),
            ("<!-- --><DataCompositionSchema/>", "<DataCompositionSchema/>"),
        ],
    },
    run,
    ..Check::blocking(1, "dcs-root")
};

fn run(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    for found in subject.deviations().iter().filter(|found| found.kind == DeviationKind::UnknownRoot) {
        let element = subject.document.element(found.element);
        let name = element.map(dcs::Element::full_name).unwrap_or_default();
        findings.at(
            element,
            found.place.clone(),
            Text::new(format!("Файл начинается с {name}"), format!("The file begins with {name}")),
            Text::new(
                "Корень — DataCompositionSchema в пространстве имён http://v8.1c.ru/8.1/data-composition-system/schema",
                "The root is DataCompositionSchema of http://v8.1c.ru/8.1/data-composition-system/schema",
            ),
        );
    }
}
