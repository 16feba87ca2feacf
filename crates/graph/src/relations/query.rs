//! The fragment of the query language that joins the tables of a way.

use super::{FieldKind, Path, Reference, Schema, TableKind};
use std::fmt::Write as _;

/// Resources of a register that are selected.
const MOST_SHOWN: usize = 3;

/// What joins a table to one before it.
struct Join {
    table: u32,
    alias: String,
    /// Of a register: its virtual table.
    is_virtual: bool,
    /// `ПО …`; empty for the first table.
    condition: String,
    /// Every record has its counterpart: an inner join loses nothing.
    inner: bool,
}

/// A query over a way: `РАЗРЕШЕННЫЕ` if a role restricts one of its tables, without what is marked for deletion.
pub fn query(schema: &Schema, path: &Path) -> String {
    let joins = joins(schema, path);
    let restricted = joins.iter().any(|join| schema.table(join.table).restricted);
    let mut out = String::from(if restricted { "ВЫБРАТЬ РАЗРЕШЕННЫЕ\n" } else { "ВЫБРАТЬ\n" });
    let fields: Vec<String> = joins.iter().flat_map(|join| fields(schema, join)).collect();
    let _ = writeln!(out, "\t{}\nИЗ", fields.join(",\n\t"));
    for (place, join) in joins.iter().enumerate() {
        let table = schema.table(join.table);
        let name = match &table.kind {
            TableKind::Register { virtual_table, .. } if join.is_virtual && !virtual_table.is_empty() => {
                format!("{}.{virtual_table}", table.query_name)
            }
            _ => table.query_name.clone(),
        };
        if place == 0 {
            let _ = write!(out, "\t{name} КАК {}", join.alias);
            continue;
        }
        let word =
            if join.inner { "ВНУТРЕННЕЕ СОЕДИНЕНИЕ" } else { "ЛЕВОЕ СОЕДИНЕНИЕ" };
        let _ = write!(out, "\n\t\t{word} {name} КАК {}\n\t\tПО {}", join.alias, join.condition);
        if table.deletion_mark {
            let _ = write!(out, "\n\t\t\tИ (НЕ {}.ПометкаУдаления)", join.alias);
        }
    }
    if let Some(first) = joins.first().filter(|join| schema.table(join.table).deletion_mark) {
        let _ = write!(out, "\nГДЕ\n\tНЕ {}.ПометкаУдаления", first.alias);
    }
    out
}

/// The expression that gets from the first table to the last one without a join, for ways that follow references only:
/// `Продажа.Контрагент`, `ВЫРАЗИТЬ(Продажа.Основание КАК Документ.Заказ)`.
pub fn expression(schema: &Schema, path: &Path) -> Option<String> {
    let mut expression = alias_of(schema, path.start, &[]);
    for step in &path.steps {
        let reference = schema.references.get(step.reference as usize).filter(|_| step.forward)?;
        expression = format!("{expression}.{}", reference.field);
        if reference.types > 1 || reference.wide {
            expression = format!("ВЫРАЗИТЬ({expression} КАК {})", schema.table(reference.to).query_name);
        }
    }
    Some(expression)
}

fn joins(schema: &Schema, path: &Path) -> Vec<Join> {
    let first = path.tables(schema).first().copied().unwrap_or(path.start);
    let reference = |place: usize| {
        let step = path.steps.get(place)?;
        Some((schema.references.get(step.reference as usize)?, step.forward))
    };
    // Whether the virtual table of a register has the field by which the next step leaves it.
    let leaves = |place: usize, table: u32| reference(place).is_none_or(|(one, _)| is_virtual(schema, table, one));
    let mut joins = vec![Join {
        table: first,
        alias: alias_of(schema, first, &[]),
        is_virtual: leaves(0, first),
        condition: String::new(),
        inner: false,
    }];
    let mut place = 0;
    while let Some((one, forward)) = reference(place) {
        let left = joins.last().map(|join| join.alias.clone()).unwrap_or_default();
        let taken: Vec<&str> = joins.iter().map(|join| join.alias.as_str()).collect();
        // Two fields that refer to the same thing are compared; the thing itself need not be read.
        if forward && let Some((two, false)) = reference(place + 1) {
            let table = two.from;
            let alias = alias_of(schema, table, &taken);
            let condition = format!("{left}.{} = {alias}.{}", one.field, two.field);
            place += 2;
            let is_virtual = is_virtual(schema, table, two) && leaves(place, table);
            joins.push(Join { table, alias, is_virtual, condition, inner: false });
            continue;
        }
        let table = if forward { one.to } else { one.from };
        let alias = alias_of(schema, table, &taken);
        let condition = match forward {
            true => format!("{left}.{} = {alias}.Ссылка", one.field),
            false => format!("{alias}.{} = {left}.Ссылка", one.field),
        };
        place += 1;
        let is_virtual = is_virtual(schema, table, one) && leaves(place, table);
        joins.push(Join { table, alias, is_virtual, condition, inner: one.kind == FieldKind::SectionOwner });
    }
    joins
}

/// Whether a register's virtual table has the field: none has the recorder, and totals have no attributes.
fn is_virtual(schema: &Schema, table: u32, reference: &Reference) -> bool {
    match (&schema.table(table).kind, reference.kind) {
        (_, FieldKind::Recorder) => false,
        (TableKind::Register { ending, .. }, FieldKind::Resource) => ending.is_empty(),
        _ => true,
    }
}

/// A table's alias: its own name, a section's with its object's before it; a number behind one that is taken.
fn alias_of(schema: &Schema, table: u32, taken: &[&str]) -> String {
    let name: String = schema.table(table).query_name.split('.').skip(1).collect();
    let is_taken = |name: &str| taken.iter().any(|other| bsl::same_name(other, name));
    if !is_taken(&name) {
        return name;
    }
    (1_u32..).map(|number| format!("{name}{number}")).find(|name| !is_taken(name)).unwrap_or(name)
}

fn fields(schema: &Schema, join: &Join) -> Vec<String> {
    let table = schema.table(join.table);
    let alias = &join.alias;
    let resources = |ending: &str| -> Vec<String> {
        let shown = table.shown.iter().take(MOST_SHOWN);
        shown.map(|name| format!("{alias}.{name}{ending} КАК {alias}{name}{ending}")).collect()
    };
    match &table.kind {
        TableKind::Object | TableKind::Enumeration => vec![format!("{alias}.Ссылка КАК {alias}Ссылка")],
        TableKind::Section => vec![format!("{alias}.НомерСтроки КАК {alias}НомерСтроки")],
        TableKind::Register { virtual_table, ending } => {
            let ending = if join.is_virtual && !virtual_table.is_empty() { ending } else { "" };
            resources(ending)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::paths;
    use super::super::testing::trade;
    use super::*;

    fn first(from: &str, to: &str) -> (String, Option<String>) {
        let schema = trade();
        let found = paths(&schema, schema.find(from).unwrap(), schema.find(to).unwrap(), 1);
        (query(&schema, &found[0]), expression(&schema, &found[0]))
    }

    #[test]
    fn a_reference_that_can_hold_several_types() {
        let (text, short) = first("Document.Продажа", "Document.Заказ");
        assert_eq!(
            text,
            "ВЫБРАТЬ РАЗРЕШЕННЫЕ\n\tПродажа.Ссылка КАК ПродажаСсылка,\n\tЗаказ.Ссылка КАК ЗаказСсылка\nИЗ\n\tДокумент.Продажа КАК Продажа
\t\tЛЕВОЕ СОЕДИНЕНИЕ Документ.Заказ КАК Заказ\n\t\tПО Продажа.Основание = Заказ.Ссылка\n\t\t\tИ (НЕ Заказ.ПометкаУдаления)
ГДЕ\n\tНЕ Продажа.ПометкаУдаления"
        );
        assert_eq!(short.as_deref(), Some("ВЫРАЗИТЬ(Продажа.Основание КАК Документ.Заказ)"));
    }

    #[test]
    fn through_a_section() {
        let (text, short) = first("Document.Продажа", "Catalog.Товары");
        assert!(text.contains("ВНУТРЕННЕЕ СОЕДИНЕНИЕ Документ.Продажа.Товары КАК ПродажаТовары\n\t\tПО ПродажаТовары.Ссылка = Продажа.Ссылка"), "{text}");
        assert!(text.contains("ПО ПродажаТовары.Товар = Товары.Ссылка"), "{text}");
        assert!(!text.contains("РАЗРЕШЕННЫЕ"), "no role restricts them");
        assert_eq!(short, None);
    }

    #[test]
    fn registers_by_dimensions_are_virtual_and_by_recorder_plain() {
        let (text, _) = first("Catalog.Товары", "AccumulationRegister.Запасы");
        assert!(
            text.contains("РегистрНакопления.Запасы.Остатки КАК Запасы\n\t\tПО Запасы.Товар = Товары.Ссылка"),
            "{text}"
        );
        assert!(text.contains("Запасы.КоличествоОстаток КАК"), "{text}");
        let (text, _) = first("Document.Продажа", "AccumulationRegister.Запасы");
        assert!(
            text.contains("РегистрНакопления.Запасы КАК Запасы\n\t\tПО Запасы.Регистратор = Продажа.Ссылка"),
            "{text}"
        );
    }

    #[test]
    fn what_both_refer_to_is_not_read() {
        let (text, _) = first("InformationRegister.Цены", "AccumulationRegister.Запасы");
        assert!(text.contains("РегистрСведений.Цены.СрезПоследних КАК Цены"), "{text}");
        assert!(text.contains("ПО Цены.Товар = Запасы.Товар") && !text.contains("Справочник.Товары"), "{text}");
    }

    #[test]
    fn a_table_that_comes_twice_gets_another_alias() {
        let schema = trade();
        assert_eq!(alias_of(&schema, 0, &["заказ", "Заказ1"]), "Заказ2");
    }
}
