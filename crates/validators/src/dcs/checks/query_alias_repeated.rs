//! Level 4, advisory: aliases are not repeated within a branch.

use crate::Text;
use crate::dcs::check::{Check, Examples};
use crate::dcs::report::Findings;
use crate::dcs::subject::Subject;

pub(super) const CHECK: Check = Check {
    title: ("Псевдонимы колонок в одной ветви запроса не повторяются", "Aliases of columns are not repeated in one branch"),
    source: "The platform refuses such a query: «Повторяющийся псевдоним» (public tutorials); none of 3,586 branches in the queries of a large library has it",
    examples: Examples {
        valid: &["<dataSet xsi:type=\"DataSetQuery\"><name>Н</name><dataSource>И</dataSource><query>ВЫБРАТЬ 1 КАК А, 2 КАК Б ОБЪЕДИНИТЬ ВСЕ ВЫБРАТЬ 3 КАК А, 4</query></dataSet>",
            "<dataSet xsi:type=\"DataSetQuery\"><name>Н</name><dataSource>И</dataSource><query>ВЫБРАТЬ Т.Ссылка, Т.Владелец.Ссылка ИЗ Справочник.Т КАК Т</query></dataSet>"],
        invalid: &[("<dataSet xsi:type=\"DataSetQuery\"><name>Н</name><dataSource>И</dataSource><query>ВЫБРАТЬ 1 КАК А, 2 КАК а</query></dataSet>", "а"),
            ("<dataSet xsi:type=\"DataSetQuery\"><name>Н</name><dataSource>И</dataSource><query>ВЫБРАТЬ Х.Б ИЗ (ВЫБРАТЬ 1 КАК Б, 2 КАК Б) КАК Х</query></dataSet>", "Б")],
    },
    run,
    ..Check::advisory(4, "dcs-query-alias-repeated")
};

fn run(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    for query in &subject.queries {
        let tree = query.tree();
        if tree.placeholders {
            continue;
        }
        for branch in tree.selects.iter().flat_map(|select| &select.branches) {
            let mut seen: Vec<String> = Vec::new();
            for alias in branch.columns.iter().filter_map(|column| column.alias).filter(|alias| alias.is_known()) {
                let folded = bsl::fold(alias.text);
                if !seen.contains(&folded) {
                    seen.push(folded);
                    continue;
                }
                let name = alias.text;
                findings.in_text(
                    query.element,
                    alias.span.range(),
                    Text::new(format!("Повторяющийся псевдоним «{name}»"), format!("The alias “{name}” is repeated")),
                    Text::new("Дайте колонке другой псевдоним", "Give the column another alias"),
                );
            }
        }
    }
}
