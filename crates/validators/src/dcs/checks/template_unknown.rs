//! Level 3, advisory: what is bound to a template finds it.

use crate::dcs::words;
use crate::dcs::check::{Check, Examples};
use crate::dcs::report::Findings;
use crate::dcs::subject::{Names, Subject};

pub(super) const CHECK: Check = Check {
    title: ("Макет, к которому что-то привязано, есть", "A template that something is bound to is there"),
    source: "The composer takes the template by its name; measured: see the ledger",
    examples: Examples {
        valid: &["<template><name>М</name><template xsi:type=\"at:AreaTemplate\"></template></template><fieldTemplate><field>А</field><template>М</template></fieldTemplate>"],
        invalid: &[("<template><name>Макет1</name><template xsi:type=\"at:AreaTemplate\"></template></template><groupTemplate><groupName>Г</groupName><templateType>Header</templateType><template>Макет2</template></groupTemplate>", "Макет2")],
    },
    run,
    ..Check::advisory(3, "dcs-template-unknown")
};

fn run(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    for scope in &subject.scopes {
        let schema = scope.schema;
        let names: Names = schema.templates().map(|template| template.name()).collect();
        let bound = schema.field_templates().map(|one| one.element());
        let bound = bound.chain(schema.group_templates().map(|one| one.element()));
        let bound = bound.chain(schema.group_header_templates().map(|one| one.element()));
        let bound = bound.chain(schema.total_templates().map(|one| one.element()));
        for element in bound.filter_map(|one| one.child("template")) {
            let name = element.text();
            if !name.is_empty() && !names.has(&name) {
                words::unknown(findings, element, ("макета", "template"), &name, names.iter());
            }
        }
    }
}
