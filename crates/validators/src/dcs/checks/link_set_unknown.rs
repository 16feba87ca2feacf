//! Level 3, advisory: a link names sets that are there.

use crate::dcs::words;
use crate::dcs::check::{Check, Examples};
use crate::dcs::report::Findings;
use crate::dcs::subject::{Names, Subject};

pub(super) const CHECK: Check = Check {
    title: ("Связь называет наборы, которые есть", "A link names sets that are there"),
    source: "Counted: 9 of 7,299 genuine files name a set that is absent; the composer then leaves the link out or fails",
    examples: Examples {
        valid: &["<dataSet xsi:type=\"DataSetQuery\"><name>А</name><dataSource>И</dataSource><query>ВЫБРАТЬ 1 КАК А</query></dataSet><dataSet xsi:type=\"DataSetQuery\"><name>Б</name><dataSource>И</dataSource><query>ВЫБРАТЬ 1 КАК А</query></dataSet><dataSetLink><sourceDataSet>А</sourceDataSet><destinationDataSet>Б</destinationDataSet><sourceExpression>А</sourceExpression><destinationExpression>А</destinationExpression></dataSetLink>"],
        invalid: &[("<dataSet xsi:type=\"DataSetQuery\"><name>А</name><dataSource>И</dataSource><query>ВЫБРАТЬ 1 КАК А</query></dataSet><dataSetLink><sourceDataSet>А</sourceDataSet><destinationDataSet>В</destinationDataSet><sourceExpression>А</sourceExpression><destinationExpression>А</destinationExpression></dataSetLink>", "В")],
    },
    run,
    ..Check::advisory(3, "dcs-link-set-unknown")
};

fn run(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    for scope in &subject.scopes {
        let names: Names = scope.schema.data_sets().map(|set| set.name()).collect();
        for link in scope.schema.links() {
            let ends = ["sourceDataSet", "destinationDataSet"].into_iter().filter_map(|end| link.element().child(end));
            for element in ends {
                let name = element.text();
                if !name.is_empty() && !names.has(&name) {
                    words::unknown(findings, element, ("набора данных", "data set"), &name, names.iter());
                }
            }
        }
    }
}
