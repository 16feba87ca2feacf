//! Level 3, advisory, off by default: a calculated field has an expression.

use crate::Text;
use crate::dcs::check::{Check, Examples};
use crate::dcs::report::Findings;
use crate::dcs::subject::Subject;

pub(super) const CHECK: Check = Check {
    title: ("У вычисляемого поля есть выражение", "A calculated field has an expression"),
    source: "Counted: 133 of 7,299 genuine files have one without: code sets it, or the field is a place holder",
    is_on: false,
    examples: Examples {
        valid: &["<calculatedField><dataPath>А</dataPath><expression>1</expression></calculatedField>"],
        invalid: &[("<calculatedField><dataPath>А</dataPath><expression></expression></calculatedField>", "<expression></expression>")],
    },
    run,
    ..Check::advisory(3, "dcs-calculated-empty")
};

fn run(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    for field in subject.scopes.iter().flat_map(|scope| scope.schema.calculated_fields()) {
        let Some(element) = field.element().child("expression") else { continue };
        if element.text().trim().is_empty() {
            let path = field.data_path();
            findings.inside(
                element,
                Text::new(format!("У поля «{path}» нет выражения"), format!("The field “{path}” has no expression")),
                Text::new("Напишите выражение", "Write an expression"),
            );
        }
    }
}
