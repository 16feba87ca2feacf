//! Level 3, advisory: names and paths are not empty.

use crate::Text;
use crate::dcs::check::{Check, Examples};
use crate::dcs::report::Findings;
use crate::dcs::subject::Subject;

pub(super) const CHECK: Check = Check {
    title: ("Имена и пути не пусты", "Names and paths are not empty"),
    source: "Nothing can refer to what has no name; measured: see the ledger",
    examples: Examples {
        valid: &["<parameter><name>П</name></parameter>"],
        invalid: &[("<parameter><name></name></parameter>", "<name></name>"),
            ("<totalField><dataPath></dataPath><expression>1</expression></totalField>", "<dataPath></dataPath>")],
    },
    run,
    ..Check::advisory(3, "dcs-name-empty")
};

fn run(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    for scope in &subject.scopes {
        let schema = scope.schema;
        let named = schema.data_sources().map(|one| one.element());
        let named = named.chain(scope.sets.iter().map(|one| one.element()));
        let named = named.chain(scope.sets.iter().flat_map(|set| set.fields()).map(|one| one.element()));
        let named = named.chain(schema.calculated_fields().map(|one| one.element()));
        let named = named.chain(schema.totals().map(|one| one.element()));
        let named = named.chain(schema.parameters().map(|one| one.element()));
        let named = named.chain(schema.templates().map(|one| one.element()));
        let named = named.chain(schema.variants().map(|one| one.element()));
        for element in named.filter_map(|one| one.child("name").or_else(|| one.child("dataPath"))) {
            if element.text().trim().is_empty() {
                let of = element.parent().map_or("", dcs::Element::local);
                let what = Text::new(format!("Пустое имя: {of}"), format!("An empty name: {of}"));
                findings.inside(element, what, Text::new("Дайте имя", "Give it a name"));
            }
        }
    }
}
