//! Level 3, advisory, off by default (fields that were left behind are usual in genuine files): a field of a set is a column of its query.

use dcs::view::FieldKind;

use crate::dcs::fields::Fields;
use crate::dcs::words;
use crate::dcs::check::{Check, Examples};
use crate::dcs::report::Findings;
use crate::dcs::subject::Subject;

pub(super) const CHECK: Check = Check {
    title: ("Поле набора есть среди колонок запроса", "A field of a set is a column of its query"),
    source: "A field without a column gives nothing, or the composer refuses it; measured: see the ledger",
    is_on: false,
    examples: Examples {
        valid: &["<dataSource><name>И</name><dataSourceType>Local</dataSourceType></dataSource><dataSet xsi:type=\"DataSetQuery\"><name>Н</name><field xsi:type=\"DataSetFieldField\"><dataPath>Путь</dataPath><field>А</field></field><dataSource>И</dataSource><query>ВЫБРАТЬ 1 КАК А</query></dataSet>",
            "<dataSource><name>И</name><dataSourceType>Local</dataSourceType></dataSource><dataSet xsi:type=\"DataSetQuery\"><name>Н</name><field xsi:type=\"DataSetFieldField\"><dataPath>Х</dataPath><field>Х</field></field><dataSource>И</dataSource><query>ВЫБРАТЬ * ИЗ Т</query></dataSet>"],
        invalid: &[("<dataSource><name>И</name><dataSourceType>Local</dataSourceType></dataSource><dataSet xsi:type=\"DataSetQuery\"><name>Н</name><field xsi:type=\"DataSetFieldField\"><dataPath>Абг</dataPath><field>Абг</field></field><dataSource>И</dataSource><query>ВЫБРАТЬ 1 КАК Абв</query></dataSet>", "Абг")],
    },
    run,
    ..Check::advisory(3, "dcs-field-source-unknown")
};

fn run(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    for scope in &subject.scopes {
        for set in &scope.sets {
            let Some(query) = subject.query_of(*set).filter(|query| query.is_certain()) else { continue };
            let columns = Fields::of_query(query);
            if columns.is_open {
                continue;
            }
            for field in set.fields().filter(|field| field.kind() == FieldKind::Field) {
                let Some(element) = field.element().child("field") else { continue };
                let name = element.text();
                if !name.is_empty() && !columns.has(&name) {
                    words::unknown(findings, element, ("колонки запроса", "column of the query"), &name, columns.names());
                }
            }
        }
    }
}
