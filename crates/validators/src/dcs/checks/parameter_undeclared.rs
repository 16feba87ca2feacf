//! Level 3, advisory: parameters of queries are parameters of the schema.

use crate::dcs::words;
use crate::dcs::check::{Check, Examples};
use crate::dcs::report::Findings;
use crate::dcs::subject::{Names, Subject};

pub(super) const CHECK: Check = Check {
    title: ("Параметры запросов есть среди параметров схемы", "Parameters of queries are parameters of the schema"),
    source: "The designer adds them by itself; counted: 24 of 7,299 genuine files lack one, whose value code then sets",
    examples: Examples {
        valid: &["<dataSet xsi:type=\"DataSetQuery\"><name>Н</name><dataSource>И</dataSource><query>ВЫБРАТЬ &amp;П КАК А</query></dataSet><parameter><name>П</name></parameter>"],
        invalid: &[("<dataSet xsi:type=\"DataSetQuery\"><name>Н</name><dataSource>И</dataSource><query>ВЫБРАТЬ &amp;Перод КАК А</query></dataSet><parameter><name>Период</name></parameter>", "&amp;Перод")],
    },
    run,
    ..Check::advisory(3, "dcs-parameter-undeclared")
};

fn run(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    for scope in &subject.scopes {
        let mut names: Names = scope.schema.parameters().map(|parameter| parameter.name().into_owned()).collect();
        names.extend(scope.schema.links().map(|link| link.parameter().into_owned()));
        for query in scope.sets.iter().filter_map(|set| subject.query_of(*set)) {
            let mut seen = Names::default();
            for parameter in &query.facts().parameters {
                if !findings.wants_more() || names.has(&parameter.name) || seen.has(&parameter.name) {
                    continue;
                }
                seen.extend([&*parameter.name]);
                let known = names.iter().filter(|name| !name.is_empty());
                let (what, mend) = words::unknown_texts(("параметра", "parameter"), &parameter.name, known);
                findings.in_text(query.element, parameter.span.range(), what, mend);
            }
        }
    }
}
