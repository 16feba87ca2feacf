//! Level 3, advisory: expressions of calculated fields and totals name fields that are there.

use crate::dcs::words;
use crate::dcs::check::{Check, Examples};
use crate::dcs::report::Findings;
use crate::dcs::subject::Subject;

pub(super) const CHECK: Check = Check {
    title: ("Выражения называют поля, которые есть", "Expressions name fields that are there"),
    source: "The composer looks fields up when the report runs: «Поле не найдено»; measured: see the ledger",
    examples: Examples {
        valid: &["<dataSource><name>И</name><dataSourceType>Local</dataSourceType></dataSource><dataSet xsi:type=\"DataSetQuery\"><name>Н</name><dataSource>И</dataSource><query>ВЫБРАТЬ 1 КАК Цена, 2 КАК Кол</query></dataSet><calculatedField><dataPath>Сумма</dataPath><expression>Цена * Кол</expression></calculatedField><totalField><dataPath>Сумма</dataPath><expression>Сумма(Цена * Кол)</expression></totalField>"],
        invalid: &[("<dataSource><name>И</name><dataSourceType>Local</dataSourceType></dataSource><dataSet xsi:type=\"DataSetQuery\"><name>Н</name><dataSource>И</dataSource><query>ВЫБРАТЬ 1 КАК Цена, 2 КАК Кол</query></dataSet><calculatedField><dataPath>Сумма</dataPath><expression>Цена * Колво</expression></calculatedField>", "Колво"),
            ("<dataSource><name>И</name><dataSourceType>Local</dataSourceType></dataSource><dataSet xsi:type=\"DataSetQuery\"><name>Н</name><dataSource>И</dataSource><query>ВЫБРАТЬ 1 КАК Цена</query></dataSet><totalField><dataPath>Цена</dataPath><expression>Сумма(Цна)</expression></totalField>", "Цна")],
    },
    run,
    ..Check::advisory(3, "dcs-expression-field-unknown")
};

fn run(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    for scope in &subject.scopes {
        let fields = subject.fields_of(scope);
        if fields.is_open {
            continue;
        }
        let calculated = scope.schema.calculated_fields().map(|field| field.element());
        for element in calculated.chain(scope.schema.totals().map(|total| total.element())).filter_map(|one| one.child("expression")) {
            for found in dcs::expression::names(&element.text()).paths {
                if findings.wants_more() && !fields.has(&found.path) {
                    let (what, mend) = words::unknown_texts(("поля", "field"), &found.path, fields.names());
                    findings.in_text(element, found.range, what, mend);
                }
            }
        }
    }
}
