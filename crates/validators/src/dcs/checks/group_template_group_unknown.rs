//! Level 3, advisory, off by default: the group that a template is bound to is in some variant.

use crate::dcs::words;
use crate::dcs::check::{Check, Examples};
use crate::dcs::report::Findings;
use crate::dcs::subject::{Names, Subject};

pub(super) const CHECK: Check = Check {
    title: ("Группировка макета есть в каком-то варианте", "The group of a template is in some variant"),
    source: "Counted: genuine files name groups that no variant of them has, since settings may come from elsewhere",
    is_on: false,
    examples: Examples {
        valid: &["<groupTemplate><groupName>Г</groupName><templateType>Header</templateType><template>М</template></groupTemplate><settingsVariant><s:name>О</s:name><s:settings><s:item xsi:type=\"s:StructureItemGroup\"><s:name>Г</s:name></s:item></s:settings></settingsVariant>"],
        invalid: &[("<groupTemplate><groupName>Х</groupName><templateType>Header</templateType><template>М</template></groupTemplate><settingsVariant><s:name>О</s:name><s:settings><s:item xsi:type=\"s:StructureItemGroup\"><s:name>Г</s:name></s:item></s:settings></settingsVariant>", "Х")],
    },
    run,
    ..Check::advisory(3, "dcs-group-template-group-unknown")
};

fn run(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    for scope in &subject.scopes {
        let settings = scope.schema.all_settings();
        let items = settings.iter().flat_map(|(_, settings)| settings.all_structure());
        let names: Names = items.map(|(_, item)| item.name()).filter(|name| !name.is_empty()).collect();
        let bound = scope.schema.group_templates().chain(scope.schema.group_header_templates());
        let bound = bound.map(|one| one.element()).chain(scope.schema.total_templates().map(|one| one.element()));
        let parts = |one: dcs::Element<'_>| ["groupName", "groupName1", "groupName2"].map(|part| one.child(part).map(|e| e.id()));
        for id in bound.flat_map(parts).flatten() {
            let Some(element) = subject.document.element(id) else { continue };
            let name = element.text();
            if !name.is_empty() && !names.has(&name) {
                words::unknown(findings, element, ("группировки", "group"), &name, names.iter());
            }
        }
    }
}
