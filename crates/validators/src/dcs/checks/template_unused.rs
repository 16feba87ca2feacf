//! Level 3, advisory, off by default: something is bound to each template.

use crate::Text;
use crate::dcs::check::{Check, Examples};
use crate::dcs::report::Findings;
use crate::dcs::subject::{Names, Subject};

pub(super) const CHECK: Check = Check {
    title: ("К макету что-то привязано", "Something is bound to a template"),
    source: "Nothing shows a template that nothing is bound to; code may",
    is_on: false,
    examples: Examples {
        valid: &["<template><name>М</name><template xsi:type=\"at:AreaTemplate\"></template></template><fieldTemplate><field>А</field><template>М</template></fieldTemplate>"],
        invalid: &[("<template><name>М</name><template xsi:type=\"at:AreaTemplate\"></template></template>", "М")],
    },
    run,
    ..Check::advisory(3, "dcs-template-unused")
};

fn run(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    for scope in &subject.scopes {
        let schema = scope.schema;
        let mut bound: Names = schema.field_templates().map(|one| one.template()).collect();
        bound.extend(schema.group_templates().map(|one| one.template()));
        bound.extend(schema.group_header_templates().map(|one| one.template()));
        bound.extend(schema.total_templates().map(|one| one.template()));
        for element in schema.templates().filter_map(|template| template.element().child("name")) {
            let name = element.text();
            if !name.is_empty() && !bound.has(&name) {
                findings.inside(
                    element,
                    Text::new(format!("К макету «{name}» ничего не привязано"), format!("Nothing is bound to the template “{name}”")),
                    Text::new("Привяжите его к полю или группировке или удалите", "Bind it to a field or group, or remove it"),
                );
            }
        }
    }
}
