//! Level 3, advisory: names of the parameters of a template are not repeated.

use crate::dcs::words;
use crate::dcs::check::{Check, Examples};
use crate::dcs::report::Findings;
use crate::dcs::subject::Subject;

pub(super) const CHECK: Check = Check {
    title: ("Имена параметров макета не повторяются", "Names of the parameters of a template are not repeated"),
    source: "Cells name a parameter by it; measured: see the ledger",
    examples: Examples {
        valid: &["<template><name>М</name><template xsi:type=\"at:AreaTemplate\"></template><parameter xsi:type=\"at:ExpressionAreaTemplateParameter\"><at:name>П</at:name><at:expression>1</at:expression></parameter></template>"],
        invalid: &[("<template><name>М</name><template xsi:type=\"at:AreaTemplate\"></template><parameter xsi:type=\"at:ExpressionAreaTemplateParameter\"><at:name>П</at:name><at:expression>1</at:expression></parameter><parameter xsi:type=\"at:ExpressionAreaTemplateParameter\"><at:name>П</at:name><at:expression>1</at:expression></parameter></template>", "П")],
    },
    run,
    ..Check::advisory(3, "dcs-template-parameter-repeated")
};

fn run(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    for template in subject.scopes.iter().flat_map(|scope| scope.schema.templates()) {
        let named = template.parameters().filter_map(|parameter| parameter.element().child("name"));
        words::repeated(findings, ("параметра макета", "parameter of the template"), named);
    }
}
