//! Level 3, advisory: names of templates are not repeated.

use crate::dcs::words;
use crate::dcs::check::{Check, Examples};
use crate::dcs::report::Findings;
use crate::dcs::subject::Subject;

pub(super) const CHECK: Check = Check {
    title: ("Имена макетов не повторяются", "Names of templates are not repeated"),
    source: "Bindings name a template by it: of two only one is found. The platform opens such files (there are genuine ones)",
    examples: Examples {
        valid: &["<template><name>М</name><template xsi:type=\"at:AreaTemplate\"></template></template>"],
        invalid: &[("<template><name>М</name><template xsi:type=\"at:AreaTemplate\"></template></template><template><name>м</name><template xsi:type=\"at:AreaTemplate\"></template></template>", "м")],
    },
    run,
    ..Check::advisory(3, "dcs-template-repeated")
};

fn run(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    for scope in &subject.scopes {
        let named = scope.schema.templates().filter_map(|template| template.element().child("name"));
        words::repeated(findings, ("макета", "template"), named);
    }
}
