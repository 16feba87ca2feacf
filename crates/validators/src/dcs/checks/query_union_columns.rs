//! Level 4, advisory: branches of a union have equally many columns.

use bsl::query::{BranchFacts, ColumnKind};

use crate::Text;
use crate::dcs::check::{Check, Examples};
use crate::dcs::report::Findings;
use crate::dcs::subject::Subject;

pub(super) const CHECK: Check = Check {
    title: ("В ветвях объединения одинаковое число колонок", "Branches of a union have the same number of columns"),
    source: "The query language: the branches of a union give rows of one table. Branches with * are left out. Measured: see the ledger",
    examples: Examples {
        valid: &["<dataSet xsi:type=\"DataSetQuery\"><name>Н</name><dataSource>И</dataSource><query>ВЫБРАТЬ 1 КАК А, 2 КАК Б ОБЪЕДИНИТЬ ВСЕ ВЫБРАТЬ 3, 4</query></dataSet>"],
        invalid: &[("<dataSet xsi:type=\"DataSetQuery\"><name>Н</name><dataSource>И</dataSource><query>ВЫБРАТЬ 1 КАК А, 2 КАК Б ОБЪЕДИНИТЬ ВСЕ ВЫБРАТЬ 3</query></dataSet>", "3")],
    },
    run,
    ..Check::advisory(4, "dcs-query-union-columns")
};

fn run(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    for query in subject.queries.iter().filter(|query| query.is_certain()) {
        for select in &query.facts().selects {
            let is_known = |branch: &&BranchFacts| {
                branch.columns.iter().all(|column| !matches!(column.kind, ColumnKind::Star | ColumnKind::StarOf(_)))
            };
            let Some(first) = select.branches.first().filter(is_known) else { continue };
            for branch in select.branches.iter().skip(1).filter(is_known) {
                let (wanted, there) = (first.columns.len(), branch.columns.len());
                if wanted != there {
                    findings.in_text(
                        query.element,
                        branch.select_list.range(),
                        Text::new(
                            format!("Колонок в этой ветви объединения {there}, а в первой {wanted}"),
                            format!("This branch of the union has {there} columns, the first one {wanted}"),
                        ),
                        Text::new(
                            "Добавьте или уберите колонки (недостающие — NULL)",
                            "Add or remove columns (NULL for what is missing)",
                        ),
                    );
                }
            }
        }
    }
}
