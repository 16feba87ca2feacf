//! Level 3, advisory: a text is written once in each language.

use dcs::formal::Formal;
use dcs::xml::ns;

use crate::dcs::words;
use crate::dcs::check::{Check, Examples};
use crate::dcs::report::Findings;
use crate::dcs::subject::Subject;

pub(super) const CHECK: Check = Check {
    title: ("Текст записан на каждом языке один раз", "A text is written once in each language"),
    source: "Of two texts in one language one is shown; measured: see the ledger",
    examples: Examples {
        valid: &["<parameter><name>П</name><title xsi:type=\"v8:LocalStringType\"><v8:item><v8:lang>ru</v8:lang><v8:content>П</v8:content></v8:item></title></parameter>"],
        invalid: &[("<parameter><name>П</name><title xsi:type=\"v8:LocalStringType\"><v8:item><v8:lang>ru</v8:lang><v8:content>П</v8:content></v8:item><v8:item><v8:lang>ru</v8:lang><v8:content>Р</v8:content></v8:item></title></parameter>", "ru")],
    },
    run,
    ..Check::advisory(3, "dcs-language-repeated")
};

fn run(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    let text = Formal::get().find(ns::DATA, "LocalStringType");
    let Some(root) = subject.document.root() else { return };
    for element in root.descendants().filter(|element| Some(element.type_id()) == text) {
        words::repeated(findings, ("языка", "language"), element.all("item").filter_map(|item| item.child("lang")));
    }
}
