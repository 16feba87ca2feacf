//! Level 4, advisory: no tabular section is reached through a reference.

use bsl::Catalog;
use bsl::catalog::{Followed, follow};
use bsl::query::{Clause, Origin};

use crate::Text;
use crate::dcs::check::{Check, Examples, Needs};
use crate::dcs::report::Findings;
use crate::dcs::subject::Subject;
use crate::dcs::words;

pub(super) const CHECK: Check = Check {
    title: ("Табличная часть не берётся через ссылку", "No tabular section is taken through a reference"),
    source: "The query language: a tabular section is a nested table of its object's table, not a field of a reference. What a \
        condition after ГДЕ makes of it isn't established, so conditions are left out; so is a name that may be an attribute, too",
    needs: Needs::Configuration,
    examples: Examples {
        valid: &["<dataSet xsi:type=\"DataSetQuery\"><name>Н</name><dataSource>И</dataSource><query>ВЫБРАТЬ Т.Строки.(Товар), Т.Строки.Товар КАК В ИЗ Документ.Счет КАК Т</query></dataSet>",
            "<dataSet xsi:type=\"DataSetQuery\"><name>Н</name><dataSource>И</dataSource><query>ВЫБРАТЬ Т.Товар, Т.Ссылка.Дата КАК В ИЗ Документ.Счет.Строки КАК Т</query></dataSet>"],
        invalid: &[("<dataSet xsi:type=\"DataSetQuery\"><name>Н</name><dataSource>И</dataSource><query>ВЫБРАТЬ Т.Ссылка.Строки.Товар КАК К ИЗ Документ.Счет КАК Т</query></dataSet>", "Т.Ссылка.Строки.Товар"),
            ("<dataSet xsi:type=\"DataSetQuery\"><name>Н</name><dataSource>И</dataSource><query>ВЫБРАТЬ СУММА(В.Х.Строки.Сумма) КАК К ИЗ (ВЫБРАТЬ Т.Ссылка КАК Х ИЗ Документ.Счет КАК Т) КАК В</query></dataSet>", "В.Х.Строки.Сумма")],
    },
    run,
    ..Check::advisory(4, "dcs-query-section-through-reference")
};

/// Where it is known to be wrong.
fn is_wrong_in(clause: Clause) -> bool {
    matches!(clause, Clause::Select | Clause::Join | Clause::Group | Clause::Having | Clause::Order | Clause::Totals)
}

fn run(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    let Some(catalog) = subject.catalog else { return };
    for query in subject.queries.iter().filter(|query| query.is_certain()) {
        for field in query.facts().fields.iter().filter(|field| is_wrong_in(field.clause)) {
            let tail = field.parts.len().saturating_sub(field.table_parts as usize + usize::from(field.column.is_some()));
            let sections: Vec<_> = field.origins.iter().map(|origin| section(catalog, origin, tail)).collect();
            // Of several sources one may have an attribute of that name.
            let Some(Some((number, section))) = sections.first().filter(|_| sections.iter().all(Option::is_some)) else { continue };
            let name = section.rsplit('.').next().unwrap_or("");
            let before = field.parts.len() - tail + number;
            let before = field.parts.get(..before).unwrap_or(&[]).join(".");
            let table = words::tables(std::slice::from_ref(section), name);
            findings.in_text(
                query.element,
                field.span.range(),
                Text::new(
                    format!("Табличная часть «{name}» берётся через ссылку «{before}»"),
                    format!("The tabular section “{name}” is taken through the reference “{before}”"),
                ),
                Text::new(
                    format!("Соедините с таблицей {table} по условию «Ссылка = {before}»"),
                    format!("Join the table {table} on “Ref = {before}”"),
                ),
            );
        }
    }
}

/// The tabular section that the last `tail` parts of a path reach through a reference: behind how many of those parts, and which.
/// None if there is none, or if something else may be meant.
fn section(catalog: &dyn Catalog, origin: &Origin, tail: usize) -> Option<(usize, Box<str>)> {
    let path: Vec<&str> = origin.path.split('.').collect();
    let own = path.len().checked_sub(tail)?;
    let mut tables: Vec<Box<str>> = vec![origin.table.clone()];
    for (number, part) in path.iter().enumerate() {
        let mut next: Vec<Box<str>> = Vec::new();
        for table in &tables {
            if catalog.has_field(table, part)? {
                next.extend(catalog.targets(table, part)?.iter().cloned());
            }
        }
        let is_section = |table: &str| table.contains(".TabularSection.");
        // The first part takes the section of the table itself.
        if number > 0 && !next.is_empty() && next.iter().all(|table| is_section(table)) {
            let leads_on = matches!(follow(catalog, &origin.table, &path[..=number]), Followed::Whole);
            return (leads_on && number >= own).then(|| (number - own, next.swap_remove(0)));
        }
        tables = next;
    }
    None
}
