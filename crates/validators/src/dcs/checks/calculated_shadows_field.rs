//! Level 3, advisory, off by default: a calculated field hides no field of a set.

use crate::Text;
use crate::dcs::check::{Check, Examples};
use crate::dcs::report::Findings;
use crate::dcs::subject::{Names, Subject};

pub(super) const CHECK: Check = Check {
    title: ("Вычисляемое поле не закрывает поле набора", "A calculated field doesn't hide a field of a set"),
    source: "Counted: 315 of 7,299 genuine files have it: it is a way to give a field another expression",
    is_on: false,
    examples: Examples {
        valid: &["<dataSource><name>И</name><dataSourceType>Local</dataSourceType></dataSource><dataSet xsi:type=\"DataSetQuery\"><name>Н</name><field xsi:type=\"DataSetFieldField\"><dataPath>А</dataPath><field>А</field></field><dataSource>И</dataSource><query>ВЫБРАТЬ 1 КАК А</query></dataSet><calculatedField><dataPath>Б</dataPath><expression>А</expression></calculatedField>"],
        invalid: &[("<dataSource><name>И</name><dataSourceType>Local</dataSourceType></dataSource><dataSet xsi:type=\"DataSetQuery\"><name>Н</name><field xsi:type=\"DataSetFieldField\"><dataPath>А</dataPath><field>А</field></field><dataSource>И</dataSource><query>ВЫБРАТЬ 1 КАК А</query></dataSet><calculatedField><dataPath>А</dataPath><expression>1</expression></calculatedField>", "А")],
    },
    run,
    ..Check::advisory(3, "dcs-calculated-shadows-field")
};

fn run(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    for scope in &subject.scopes {
        let paths: Names = scope.sets.iter().flat_map(|set| set.fields()).map(|field| field.data_path()).collect();
        for element in scope.schema.calculated_fields().filter_map(|field| field.element().child("dataPath")) {
            let path = element.text();
            if paths.has(&path) {
                findings.inside(
                    element,
                    Text::new(format!("«{path}» — уже поле набора"), format!("“{path}” is a field of a set already")),
                    Text::new("Дайте вычисляемому полю другой путь", "Give the calculated field another path"),
                );
            }
        }
    }
}
