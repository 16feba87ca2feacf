//! Level 3, advisory: names of variants are not repeated.

use crate::dcs::words;
use crate::dcs::check::{Check, Examples};
use crate::dcs::report::Findings;
use crate::dcs::subject::Subject;

pub(super) const CHECK: Check = Check {
    title: ("Имена вариантов не повторяются", "Names of variants are not repeated"),
    source: "A variant is opened by its name; measured: see the ledger",
    examples: Examples {
        valid: &["<settingsVariant><s:name>О</s:name><s:settings></s:settings></settingsVariant><settingsVariant><s:name>Д</s:name><s:settings></s:settings></settingsVariant>"],
        invalid: &[("<settingsVariant><s:name>О</s:name><s:settings></s:settings></settingsVariant><settingsVariant><s:name>о</s:name><s:settings></s:settings></settingsVariant>", "о")],
    },
    run,
    ..Check::advisory(3, "dcs-variant-repeated")
};

fn run(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    for scope in &subject.scopes {
        let named = scope.schema.variants().filter_map(|variant| variant.element().child("name"));
        words::repeated(findings, ("варианта", "variant"), named);
    }
}
