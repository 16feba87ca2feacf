//! Level 3, advisory: what a link hands values over in is a parameter.

use crate::dcs::words;
use crate::dcs::check::{Check, Examples};
use crate::dcs::report::Findings;
use crate::dcs::subject::{Names, Subject};

pub(super) const CHECK: Check = Check {
    title: ("Параметр связи есть в запросе набора-приёмника или среди параметров", "The parameter of a link is one of the query or of the schema"),
    source: "The composer hands values over in it; where nothing takes them the link reads everything",
    examples: Examples {
        valid: &["<dataSet xsi:type=\"DataSetQuery\"><name>А</name><dataSource>И</dataSource><query>ВЫБРАТЬ 1 КАК А</query></dataSet><dataSet xsi:type=\"DataSetQuery\"><name>Б</name><dataSource>И</dataSource><query>ВЫБРАТЬ &amp;П КАК А</query></dataSet><dataSetLink><sourceDataSet>А</sourceDataSet><destinationDataSet>Б</destinationDataSet><sourceExpression>А</sourceExpression><destinationExpression>А</destinationExpression><parameter>П</parameter></dataSetLink><parameter><name>П</name></parameter>"],
        invalid: &[("<dataSet xsi:type=\"DataSetQuery\"><name>А</name><dataSource>И</dataSource><query>ВЫБРАТЬ 1 КАК А</query></dataSet><dataSet xsi:type=\"DataSetQuery\"><name>Б</name><dataSource>И</dataSource><query>ВЫБРАТЬ 1 КАК А</query></dataSet><dataSetLink><sourceDataSet>А</sourceDataSet><destinationDataSet>Б</destinationDataSet><sourceExpression>А</sourceExpression><destinationExpression>А</destinationExpression><parameter>Х</parameter></dataSetLink>", "Х")],
    },
    run,
    ..Check::advisory(3, "dcs-link-parameter-unknown")
};

fn run(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    for scope in &subject.scopes {
        let mut names: Names = scope.schema.parameters().map(|parameter| parameter.name().into_owned()).collect();
        let queries: Vec<_> = scope.sets.iter().filter_map(|set| subject.query_of(*set)).collect();
        if queries.iter().any(|query| !query.is_certain()) {
            continue;
        }
        names.extend(queries.iter().flat_map(|query| &query.facts().parameters).map(|parameter| parameter.name.to_string()));
        for element in scope.schema.links().filter_map(|link| link.element().child("parameter")) {
            let name = element.text();
            if !name.is_empty() && !names.has(&name) {
                words::unknown(findings, element, ("параметра", "parameter"), &name, names.iter());
            }
        }
    }
}
