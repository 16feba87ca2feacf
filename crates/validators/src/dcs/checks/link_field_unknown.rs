//! Level 3, advisory: expressions of links name fields that are there.

use crate::dcs::words;
use crate::dcs::check::{Check, Examples};
use crate::dcs::report::Findings;
use crate::dcs::subject::Subject;

pub(super) const CHECK: Check = Check {
    title: ("Выражения связей называют поля своих наборов", "Expressions of links name fields that are there"),
    source: "The composer looks fields up when the report runs; measured: see the ledger",
    examples: Examples {
        valid: &["<dataSource><name>И</name><dataSourceType>Local</dataSourceType></dataSource><dataSet xsi:type=\"DataSetQuery\"><name>А</name><dataSource>И</dataSource><query>ВЫБРАТЬ 1 КАК А</query></dataSet><dataSet xsi:type=\"DataSetQuery\"><name>Б</name><dataSource>И</dataSource><query>ВЫБРАТЬ 1 КАК А</query></dataSet><dataSetLink><sourceDataSet>А</sourceDataSet><destinationDataSet>Б</destinationDataSet><sourceExpression>А</sourceExpression><destinationExpression>А</destinationExpression></dataSetLink>"],
        invalid: &[("<dataSource><name>И</name><dataSourceType>Local</dataSourceType></dataSource><dataSet xsi:type=\"DataSetQuery\"><name>А</name><dataSource>И</dataSource><query>ВЫБРАТЬ 1 КАК Х</query></dataSet><dataSet xsi:type=\"DataSetQuery\"><name>Б</name><dataSource>И</dataSource><query>ВЫБРАТЬ 1 КАК Х</query></dataSet><dataSetLink><sourceDataSet>А</sourceDataSet><destinationDataSet>Б</destinationDataSet><sourceExpression>А</sourceExpression><destinationExpression>А</destinationExpression></dataSetLink>", "А")],
    },
    run,
    ..Check::advisory(3, "dcs-link-field-unknown")
};

fn run(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    for scope in &subject.scopes {
        let fields = subject.fields_of(scope);
        if fields.is_open {
            continue;
        }
        let parts = ["sourceExpression", "destinationExpression", "startExpression", "linkConditionExpression"];
        for link in scope.schema.links() {
            for element in parts.into_iter().filter_map(|part| link.element().child(part)) {
                for found in dcs::expression::names(&element.text()).paths {
                    if findings.wants_more() && !fields.has(&found.path) {
                        let (what, mend) = words::unknown_texts(("поля", "field"), &found.path, fields.names());
                        findings.in_text(element, found.range, what, mend);
                    }
                }
            }
        }
    }
}
