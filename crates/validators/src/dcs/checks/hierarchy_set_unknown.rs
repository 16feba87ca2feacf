//! Level 3, advisory: the set by which a hierarchy is checked is there.

use crate::dcs::words;
use crate::dcs::check::{Check, Examples};
use crate::dcs::report::Findings;
use crate::dcs::subject::{Names, Subject};

pub(super) const CHECK: Check = Check {
    title: ("Набор контроля иерархии есть", "The set that checks a hierarchy is there"),
    source: "The composer takes the set by its name; measured: see the ledger",
    examples: Examples {
        valid: &["<dataSource><name>И</name><dataSourceType>Local</dataSourceType></dataSource><dataSet xsi:type=\"DataSetQuery\"><name>Н</name><field xsi:type=\"DataSetFieldField\"><dataPath>А</dataPath><field>А</field><inHierarchyDataSet>Н</inHierarchyDataSet></field><dataSource>И</dataSource><query>ВЫБРАТЬ 1 КАК А</query></dataSet>"],
        invalid: &[("<dataSource><name>И</name><dataSourceType>Local</dataSourceType></dataSource><dataSet xsi:type=\"DataSetQuery\"><name>Н</name><field xsi:type=\"DataSetFieldField\"><dataPath>А</dataPath><field>А</field><inHierarchyDataSet>Х</inHierarchyDataSet></field><dataSource>И</dataSource><query>ВЫБРАТЬ 1 КАК А</query></dataSet>", "Х")],
    },
    run,
    ..Check::advisory(3, "dcs-hierarchy-set-unknown")
};

fn run(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    for scope in &subject.scopes {
        let names: Names = scope.sets.iter().map(|set| set.name()).collect();
        for field in scope.sets.iter().flat_map(|set| set.fields()) {
            let Some(element) = field.element().child("inHierarchyDataSet") else { continue };
            let name = element.text();
            if !name.is_empty() && !names.has(&name) {
                words::unknown(findings, element, ("набора данных", "data set"), &name, names.iter());
            }
        }
    }
}
