//! Level 3, advisory, off by default: each parameter is used.

use crate::Text;
use crate::dcs::check::{Check, Examples};
use crate::dcs::report::Findings;
use crate::dcs::subject::{Names, Subject};

pub(super) const CHECK: Check = Check {
    title: ("Параметр используется в запросах или выражениях", "A parameter is used in queries or expressions"),
    source: "Counted: 4,733 of 7,299 genuine files have parameters that no query uses: settings and code use them, too",
    is_on: false,
    examples: Examples {
        valid: &["<dataSet xsi:type=\"DataSetQuery\"><name>Н</name><dataSource>И</dataSource><query>ВЫБРАТЬ &amp;П КАК А</query></dataSet><parameter><name>П</name></parameter>"],
        invalid: &[("<parameter><name>П</name></parameter>", "П")],
    },
    run,
    ..Check::advisory(3, "dcs-parameter-unused")
};

fn run(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    for scope in &subject.scopes {
        let queries = scope.sets.iter().filter_map(|set| subject.query_of(*set));
        let mut used: Names =
            queries.flat_map(|query| &query.facts().parameters).map(|parameter| parameter.name.to_string()).collect();
        let root = scope.schema.element();
        for element in root.descendants().filter(|element| element.local().to_lowercase().ends_with("expression")) {
            let names = dcs::expression::names(&element.text());
            used.extend(names.parameters.into_iter().map(|parameter| parameter.name));
            used.extend(names.paths.into_iter().filter_map(|path| path.path.split_once('.').map(|(_, name)| name.to_owned())));
        }
        used.extend(scope.schema.links().map(|link| link.parameter().into_owned()));
        for element in scope.schema.parameters().filter_map(|parameter| parameter.element().child("name")) {
            let name = element.text();
            if !used.has(&name) {
                findings.inside(
                    element,
                    Text::new(format!("Параметр «{name}» не используется"), format!("The parameter “{name}” is not used")),
                    Text::new("Удалите его, если его не задаёт код", "Remove it, unless code sets it"),
                );
            }
        }
    }
}
