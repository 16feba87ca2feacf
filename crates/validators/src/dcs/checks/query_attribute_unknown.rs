//! Level 4, advisory: fields of tables exist, along references.

use crate::dcs::Catalog;
use crate::dcs::subject::has_name;
use crate::dcs::words;
use crate::dcs::check::{Check, Examples, Needs};
use crate::dcs::report::Findings;
use crate::dcs::subject::Subject;

pub(super) const CHECK: Check = Check {
    title: ("Поля таблиц конфигурации существуют", "Fields of the configuration's tables exist"),
    source: "The configuration, by its index: «Поле не найдено». Only tables whose fields are known in full",
    needs: Needs::Configuration,
    examples: Examples {
        valid: &["<dataSet xsi:type=\"DataSetQuery\"><name>Н</name><dataSource>И</dataSource><query>ВЫБРАТЬ Т.Товар.Код КАК К ИЗ Документ.Счет КАК Т</query></dataSet>"],
        invalid: &[("<dataSet xsi:type=\"DataSetQuery\"><name>Н</name><dataSource>И</dataSource><query>ВЫБРАТЬ Т.Тавар КАК К ИЗ Документ.Счет КАК Т</query></dataSet>", "Т.Тавар"),
            ("<dataSet xsi:type=\"DataSetQuery\"><name>Н</name><dataSource>И</dataSource><query>ВЫБРАТЬ Т.Товар.Кот КАК К ИЗ Документ.Счет КАК Т</query></dataSet>", "Т.Товар.Кот")],
    },
    run,
    ..Check::advisory(4, "dcs-query-attribute-unknown")
};

fn run(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    let Some(catalog) = subject.catalog else { return };
    for query in subject.queries.iter().filter(|query| query.is_certain()) {
        let facts = query.facts();
        for field in facts.fields.iter().filter(|field| field.table_parts > 0 && field.column.is_none()) {
            let Some(table) = field.table.and_then(|table| facts.tables.get(table as usize)) else { continue };
            let path = field.parts.get(field.table_parts as usize..).unwrap_or(&[]);
            if table.name.is_empty() || path.is_empty() {
                continue;
            }
            if !findings.wants_more() {
                return;
            }
            if let Some((wrong, names)) = broken(catalog, &table.name, path) {
                let (what, mend) = words::unknown_texts(("поля", "field"), wrong, names.iter().map(String::as_str));
                findings.in_text(query.element, field.span.range(), what, mend);
            }
        }
    }
}

/// The part of a path that no table it may lead to has, and the names that there are.
fn broken<'p>(catalog: &dyn Catalog, table: &str, path: &'p [Box<str>]) -> Option<(&'p str, Vec<String>)> {
    let mut tables = vec![table.to_owned()];
    for part in path {
        let mut all = Vec::new();
        for table in &tables {
            // One table that isn't known in full could have it.
            all.extend(catalog.fields(table)?);
        }
        if !has_name(&all, part) {
            return Some((part, all));
        }
        let mut next = Vec::new();
        for table in &tables {
            next.extend(catalog.targets(table, part)?);
        }
        if next.is_empty() {
            return None;
        }
        tables = next;
    }
    None
}
