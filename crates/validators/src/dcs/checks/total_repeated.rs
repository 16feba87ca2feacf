//! Level 3, advisory: totals of a field differ in their groups.

use rustc_hash::FxHashSet;

use crate::Text;
use crate::dcs::check::{Check, Examples};
use crate::dcs::report::Findings;
use crate::dcs::subject::Subject;

pub(super) const CHECK: Check = Check {
    title: ("У поля один итог на группировку", "A field has one total for a group"),
    source: "Two totals of a field that are told apart by nothing: one of them counts; with different groups several are usual",
    examples: Examples {
        valid: &["<totalField><dataPath>А</dataPath><expression>1</expression></totalField><totalField><dataPath>А</dataPath><expression>2</expression><group>Г</group></totalField>"],
        invalid: &[("<totalField><dataPath>А</dataPath><expression>1</expression></totalField><totalField><dataPath>А</dataPath><expression>2</expression></totalField>", "А")],
    },
    run,
    ..Check::advisory(3, "dcs-total-repeated")
};

fn run(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    for scope in &subject.scopes {
        let mut seen: FxHashSet<(String, Vec<String>)> = FxHashSet::default();
        for total in scope.schema.totals() {
            let mut groups: Vec<String> = total.groups().map(|group| bsl::fold(&group)).collect();
            groups.sort();
            let key = (bsl::fold(&total.data_path()), groups);
            if seen.insert(key) {
                continue;
            }
            let Some(element) = total.element().child("dataPath") else { continue };
            let path = element.text();
            findings.inside(
                element,
                Text::new(
                    format!("Второй итог поля «{path}» для тех же группировок"),
                    format!("A second total of “{path}” for the same groups"),
                ),
                Text::new("Удалите один или укажите группировки", "Remove one of them, or name the groups"),
            );
        }
    }
}
