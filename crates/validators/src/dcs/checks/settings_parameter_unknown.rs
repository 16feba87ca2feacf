//! Level 3, advisory: settings set parameters that the schema has.

use crate::dcs::words;
use crate::dcs::check::{Check, Examples};
use crate::dcs::report::Findings;
use crate::dcs::subject::{Names, Subject};

pub(super) const CHECK: Check = Check {
    title: ("Настройки задают параметры, которые есть в схеме", "Settings set parameters that the schema has"),
    source: "A value for a parameter that isn't there does nothing; measured: see the ledger",
    examples: Examples {
        valid: &["<parameter><name>П</name></parameter><settingsVariant><s:name>О</s:name><s:settings><s:dataParameters><c:item xsi:type=\"s:SettingsParameterValue\"><c:parameter>П</c:parameter></c:item></s:dataParameters></s:settings></settingsVariant>"],
        invalid: &[("<parameter><name>П</name></parameter><settingsVariant><s:name>О</s:name><s:settings><s:dataParameters><c:item xsi:type=\"s:SettingsParameterValue\"><c:parameter>Х</c:parameter></c:item></s:dataParameters></s:settings></settingsVariant>", "Х")],
    },
    run,
    ..Check::advisory(3, "dcs-settings-parameter-unknown")
};

fn run(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    for scope in &subject.scopes {
        let mut names: Names = scope.schema.parameters().map(|parameter| parameter.name().into_owned()).collect();
        // What queries name becomes a parameter when the schema is used.
        let queries = scope.sets.iter().filter_map(|set| subject.query_of(*set));
        names.extend(queries.flat_map(|query| &query.facts().parameters).map(|parameter| parameter.name.to_string()));
        let settings = scope.schema.all_settings();
        let values = settings.iter().flat_map(|(_, settings)| settings.parameter_values());
        for element in values.filter_map(|value| value.element().child("parameter")) {
            let name = element.text();
            if !name.is_empty() && !names.has(&name) {
                words::unknown(findings, element, ("параметра", "parameter"), &name, names.iter());
            }
        }
    }
}
