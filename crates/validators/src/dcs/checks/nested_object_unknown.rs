//! Level 3, advisory: settings name nested schemas that are there.

use crate::dcs::words;
use crate::dcs::check::{Check, Examples};
use crate::dcs::report::Findings;
use crate::dcs::subject::{Names, Subject};

pub(super) const CHECK: Check = Check {
    title: ("Вложенная схема, которую называют настройки, есть", "A nested schema that settings name is there"),
    source: "Settings of a nested schema find it by its name; measured: see the ledger",
    examples: Examples {
        valid: &["<nestedSchema><name>В</name><schema/></nestedSchema><settingsVariant><s:name>О</s:name><s:settings><s:item xsi:type=\"s:StructureItemNestedObject\"><s:objectID>В</s:objectID><s:settings/></s:item></s:settings></settingsVariant>"],
        invalid: &[("<nestedSchema><name>В</name><schema/></nestedSchema><settingsVariant><s:name>О</s:name><s:settings><s:item xsi:type=\"s:StructureItemNestedObject\"><s:objectID>Г</s:objectID><s:settings/></s:item></s:settings></settingsVariant>", "Г")],
    },
    run,
    ..Check::advisory(3, "dcs-nested-object-unknown")
};

fn run(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    for scope in &subject.scopes {
        let names: Names = scope.schema.nested_schemas().map(|nested| nested.name()).collect();
        for (_, settings) in scope.schema.all_settings() {
            for (_, item) in settings.all_structure() {
                let Some(element) = item.element().child("objectID") else { continue };
                let name = element.text();
                if !name.is_empty() && !names.has(&name) {
                    words::unknown(findings, element, ("вложенной схемы", "nested schema"), &name, names.iter());
                }
            }
        }
    }
}
