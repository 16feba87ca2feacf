//! Level 4, advisory: names of fields without their table are unambiguous.

use bsl::query::{Clause, TableUse};

use crate::dcs::subject::has_name;
use crate::Text;
use crate::dcs::check::{Check, Examples};
use crate::dcs::report::Findings;
use crate::dcs::subject::Subject;

pub(super) const CHECK: Check = Check {
    title: ("Имя поля без таблицы однозначно", "The name of a field without its table is unambiguous"),
    source: "The query language: «Неоднозначное поле». A name counts if two tables of the branch are known to have it, by the text or by the configuration",
    examples: Examples {
        valid: &["<dataSet xsi:type=\"DataSetQuery\"><name>Н</name><dataSource>И</dataSource><query>ВЫБРАТЬ А КАК А ИЗ (ВЫБРАТЬ 1 КАК А) КАК Х, (ВЫБРАТЬ 1 КАК Б) КАК У</query></dataSet>"],
        invalid: &[("<dataSet xsi:type=\"DataSetQuery\"><name>Н</name><dataSource>И</dataSource><query>ВЫБРАТЬ А КАК В ИЗ (ВЫБРАТЬ 1 КАК А) КАК Х, (ВЫБРАТЬ 1 КАК А) КАК У</query></dataSet>", "А")],
    },
    run,
    ..Check::advisory(4, "dcs-query-field-ambiguous")
};

fn run(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    for query in subject.queries.iter().filter(|query| query.is_certain()) {
        let facts = query.facts();
        for field in facts.fields.iter().filter(|field| field.table_parts == 0 && is_of_tables(field.clause)) {
            let branch = facts.selects.get(field.select as usize).and_then(|select| select.branches.get(field.branch as usize));
            let (Some(name), Some(branch)) = (field.parts.first(), branch) else { continue };
            // The name of a table is no field.
            let tables = || branch.tables.iter().filter_map(|&table| facts.tables.get(table as usize));
            if branch.tables.len() < 2 || tables().any(|table| bsl::same_name(&table.alias, name)) {
                continue;
            }
            let has = |table: &&TableUse| match query.columns_of(table) {
                Some(columns) => has_name(&columns, name),
                None => subject.catalog.and_then(|catalog| catalog.has_field(&table.name, name)) == Some(true),
            };
            let having: Vec<&str> = tables().filter(has).map(|table| &*table.alias).collect();
            if having.len() > 1 {
                let tables = having.join(", ");
                findings.in_text(
                    query.element,
                    field.span.range(),
                    Text::new(
                        format!("Неоднозначное поле «{name}»: оно есть в таблицах {tables}"),
                        format!("Ambiguous field “{name}”: the tables {tables} have it"),
                    ),
                    Text::new(format!("Укажите таблицу: {}.{name}", having[0]), format!("Name the table: {}.{name}", having[0])),
                );
            }
        }
    }
}

/// Where names are those of tables: an order and totals name columns of the result.
fn is_of_tables(clause: Clause) -> bool {
    matches!(clause, Clause::Select | Clause::Join | Clause::Where | Clause::Group)
}
