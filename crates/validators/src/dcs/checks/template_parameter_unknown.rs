//! Level 3, advisory: cells of a template name its parameters.

use crate::dcs::words;
use crate::dcs::check::{Check, Examples};
use crate::dcs::report::Findings;
use crate::dcs::subject::{Names, Subject};

pub(super) const CHECK: Check = Check {
    title: ("Параметр в ячейке макета описан", "A parameter in a cell of a template is described"),
    source: "A cell shows what the parameter of this name gives; measured: see the ledger",
    examples: Examples {
        valid: &["<template><name>М</name><template xsi:type=\"at:AreaTemplate\"><at:item xsi:type=\"at:TableRow\"><at:tableCell><at:item xsi:type=\"at:Field\"><at:value xsi:type=\"c:Parameter\">П</at:value></at:item></at:tableCell></at:item></template><parameter xsi:type=\"at:ExpressionAreaTemplateParameter\"><at:name>П</at:name><at:expression>1</at:expression></parameter></template>"],
        invalid: &[("<template><name>М</name><template xsi:type=\"at:AreaTemplate\"><at:item xsi:type=\"at:TableRow\"><at:tableCell><at:item xsi:type=\"at:Field\"><at:value xsi:type=\"c:Parameter\">Р</at:value></at:item></at:tableCell></at:item></template><parameter xsi:type=\"at:ExpressionAreaTemplateParameter\"><at:name>П</at:name><at:expression>1</at:expression></parameter></template>", "Р")],
    },
    run,
    ..Check::advisory(3, "dcs-template-parameter-unknown")
};

fn run(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    for template in subject.scopes.iter().flat_map(|scope| scope.schema.templates()) {
        let names: Names = template.parameters().map(|parameter| parameter.name()).collect();
        for element in template.used_parameters() {
            let name = element.text();
            if !name.is_empty() && !names.has(&name) {
                words::unknown(findings, element, ("параметра макета", "parameter of the template"), &name, names.iter());
            }
        }
    }
}
