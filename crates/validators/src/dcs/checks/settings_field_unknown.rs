//! Level 3, advisory, off by default (fields that were left behind are usual in genuine files): settings name fields that are there.

use crate::dcs::words;
use crate::dcs::check::{Check, Examples};
use crate::dcs::report::Findings;
use crate::dcs::subject::Subject;

pub(super) const CHECK: Check = Check {
    title: ("Настройки называют поля, которые есть", "Settings name fields that are there"),
    source: "A field that isn't there is crossed out in the settings and not shown; measured: see the ledger",
    is_on: false,
    examples: Examples {
        valid: &["<dataSource><name>И</name><dataSourceType>Local</dataSourceType></dataSource><dataSet xsi:type=\"DataSetQuery\"><name>Н</name><dataSource>И</dataSource><query>ВЫБРАТЬ 1 КАК А</query></dataSet><settingsVariant><s:name>О</s:name><s:settings><s:selection><s:item xsi:type=\"s:SelectedItemField\"><s:field>А.Код</s:field></s:item><s:item xsi:type=\"s:SelectedItemField\"><s:field>СистемныеПоля.НомерПоПорядку</s:field></s:item></s:selection></s:settings></settingsVariant>"],
        invalid: &[("<dataSource><name>И</name><dataSourceType>Local</dataSourceType></dataSource><dataSet xsi:type=\"DataSetQuery\"><name>Н</name><dataSource>И</dataSource><query>ВЫБРАТЬ 1 КАК Абв</query></dataSet><settingsVariant><s:name>О</s:name><s:settings><s:selection><s:item xsi:type=\"s:SelectedItemField\"><s:field>Абг</s:field></s:item></s:selection></s:settings></settingsVariant>", "Абг")],
    },
    run,
    ..Check::advisory(3, "dcs-settings-field-unknown")
};

fn run(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    for scope in &subject.scopes {
        let fields = subject.fields_of(scope);
        // Settings of a schema without fields are meant for data that code brings.
        if fields.is_open || scope.sets.is_empty() {
            continue;
        }
        for (_, settings) in scope.schema.all_settings() {
            // Settings of a nested schema name its fields.
            let nested: Vec<_> = settings.all_structure().into_iter().filter_map(|(_, item)| item.settings()).collect();
            let nested: Vec<_> = nested.iter().map(|settings| settings.element().range()).collect();
            for element in dcs::view::field_uses(settings.element()) {
                let path = element.text();
                if !path.is_empty() && !fields.has(&path) && !nested.iter().any(|range| range.contains(&element.range().start)) {
                    words::unknown(findings, element, ("поля", "field"), &path, fields.names());
                }
            }
        }
    }
}
