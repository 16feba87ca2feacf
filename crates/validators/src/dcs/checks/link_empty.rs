//! Level 3, advisory: a link has its sets and expressions.

use crate::Text;
use crate::dcs::check::{Check, Examples};
use crate::dcs::report::Findings;
use crate::dcs::subject::Subject;

pub(super) const CHECK: Check = Check {
    title: ("У связи указаны наборы и выражения", "A link has its sets and expressions"),
    source: "Counted: 2 of 7,299 genuine files have a link with an empty expression; such a link joins nothing",
    examples: Examples {
        valid: &["<dataSet xsi:type=\"DataSetQuery\"><name>А</name><dataSource>И</dataSource><query>ВЫБРАТЬ 1 КАК А</query></dataSet><dataSet xsi:type=\"DataSetQuery\"><name>Б</name><dataSource>И</dataSource><query>ВЫБРАТЬ 1 КАК А</query></dataSet><dataSetLink><sourceDataSet>А</sourceDataSet><destinationDataSet>Б</destinationDataSet><sourceExpression>А</sourceExpression><destinationExpression>А</destinationExpression></dataSetLink>"],
        invalid: &[("<dataSetLink><sourceDataSet></sourceDataSet><destinationDataSet>Б</destinationDataSet><sourceExpression>А</sourceExpression><destinationExpression>А</destinationExpression></dataSetLink>", "<sourceDataSet></sourceDataSet>")],
    },
    run,
    ..Check::advisory(3, "dcs-link-empty")
};

fn run(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    for link in subject.scopes.iter().flat_map(|scope| scope.schema.links()) {
        let parts = ["sourceDataSet", "destinationDataSet", "sourceExpression", "destinationExpression"];
        for element in parts.into_iter().filter_map(|part| link.element().child(part)) {
            if element.text().trim().is_empty() {
                let name = element.local();
                let what = Text::new(format!("В связи пусто: {name}"), format!("Empty in a link: {name}"));
                findings.inside(element, what, Text::new("Заполните или удалите связь", "Fill it in, or remove the link"));
            }
        }
    }
}
