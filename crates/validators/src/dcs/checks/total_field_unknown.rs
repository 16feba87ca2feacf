//! Level 3, advisory: a total belongs to a field that is there.

use crate::dcs::words;
use crate::dcs::check::{Check, Examples};
use crate::dcs::report::Findings;
use crate::dcs::subject::Subject;

pub(super) const CHECK: Check = Check {
    title: ("Итог считается по полю, которое есть", "A total belongs to a field that is there"),
    source: "Counted: 8 of 7,299 genuine files have a total of a field that is absent; it is never shown",
    examples: Examples {
        valid: &["<dataSource><name>И</name><dataSourceType>Local</dataSourceType></dataSource><dataSet xsi:type=\"DataSetQuery\"><name>Н</name><dataSource>И</dataSource><query>ВЫБРАТЬ 1 КАК Сумма</query></dataSet><totalField><dataPath>Сумма</dataPath><expression>Сумма(Сумма)</expression></totalField>",
            "<dataSource><name>И</name><dataSourceType>Local</dataSourceType></dataSource><dataSet xsi:type=\"DataSetQuery\"><name>Н</name><dataSource>И</dataSource><query>ВЫБРАТЬ Т.* ИЗ Т КАК Т</query></dataSet><totalField><dataPath>Х</dataPath><expression>Сумма(Х)</expression></totalField>"],
        invalid: &[("<dataSource><name>И</name><dataSourceType>Local</dataSourceType></dataSource><dataSet xsi:type=\"DataSetQuery\"><name>Н</name><dataSource>И</dataSource><query>ВЫБРАТЬ 1 КАК Сумма</query></dataSet><totalField><dataPath>Суммма</dataPath><expression>1</expression></totalField>", "Суммма"),
            ("<dataSource><name>И</name><dataSourceType>Local</dataSourceType></dataSource><dataSet xsi:type=\"DataSetQuery\"><name>Н</name><field xsi:type=\"DataSetFieldField\"><dataPath>Б</dataPath><field>Б</field></field><dataSource>И</dataSource><query>ВЫБРАТЬ 1 КАК А</query><autoFillFields>false</autoFillFields></dataSet><totalField><dataPath>А</dataPath><expression>1</expression></totalField>", "А")],
    },
    run,
    ..Check::advisory(3, "dcs-total-field-unknown")
};

fn run(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    for scope in &subject.scopes {
        let fields = subject.fields_of(scope);
        for element in scope.schema.totals().filter_map(|total| total.element().child("dataPath")) {
            let path = element.text();
            if !fields.is_open && !path.is_empty() && !fields.has(&path) {
                words::unknown(findings, element, ("поля", "field"), &path, fields.names());
            }
        }
    }
}
