//! Rows of metadata in an index that is updated: those that are there already stay, the others go and come.
//!
//! Metadata is read whole, since its parts look at each other; but few of its rows differ then, and only those are written.

use super::insert::insert;
use super::numbers::Filled;
use super::rows::{Cell, Rows, Table};
use crate::Result;
use rusqlite::types::{Value, ValueRef};
use rusqlite::{Connection, Row, params_from_iter};
use rustc_hash::FxHashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

/// The tables that metadata fills, and which of their rows are of metadata where code has rows there too. Those come first: the
/// tables behind them tell whose their rows are.
const TABLES: [(Table, &str); 30] = [
    (
        Table::Reference,
        "source NOT IN (SELECT id FROM method) AND source NOT IN (SELECT body FROM module WHERE body IS NOT NULL)",
    ),
    (Table::Query, OF_METADATA_TEXTS),
    (Table::QueryTables, OF_METADATA_TEXTS),
    (Table::QueryFields, OF_METADATA_TEXTS),
    // A protected module has a file of its own; what is protected behind the name of a source is found with the code.
    (
        Table::Problem,
        "kind NOT IN ('code', 'settings', 'absent_base', 'drifted_control') AND NOT (kind = 'protected' AND file LIKE '%.bsl')",
    ),
    (Table::Layer, ""),
    (Table::File, ""),
    (Table::Object, ""),
    (Table::Attribute, ""),
    (Table::TypeOf, ""),
    (Table::Property, ""),
    (Table::Link, ""),
    (Table::Form, ""),
    (Table::FormItem, ""),
    (Table::FormAttribute, ""),
    (Table::FormCommand, ""),
    (Table::FormHandler, ""),
    (Table::Movement, ""),
    (Table::RoleRight, ""),
    (Table::Restriction, ""),
    (Table::PredefinedItem, ""),
    (Table::Subscription, ""),
    (Table::SubscriptionSource, ""),
    (Table::Job, ""),
    (Table::Template, ""),
    (Table::HelpPage, ""),
    (Table::SchemaDataSet, ""),
    (Table::SchemaField, ""),
    (Table::SchemaParameter, ""),
    (Table::SchemaVariant, ""),
];
/// Queries of dynamic lists and of report schemas.
const OF_METADATA_TEXTS: &str = "owner IN (SELECT id FROM form UNION ALL SELECT id FROM template)";
/// Texts that rows of metadata refer to.
const TEXTS: &str = "\
    SELECT id, text FROM texts WHERE id IN (
      SELECT types FROM attribute UNION SELECT value FROM property UNION SELECT data_path FROM form_item
      UNION SELECT title FROM form_item UNION SELECT types FROM form_attribute UNION SELECT query FROM form_attribute
      UNION SELECT title FROM form_command UNION SELECT condition FROM restriction UNION SELECT effective FROM restriction
      UNION SELECT text FROM query WHERE owner IN (SELECT id FROM form UNION ALL SELECT id FROM template)
      UNION SELECT query FROM dcs_dataset UNION SELECT types FROM dcs_field UNION SELECT types FROM dcs_parameter
      UNION SELECT value FROM dcs_parameter)";

/// Makes the rows of metadata what they are now.
pub(super) fn put(connection: &Connection, rows: Vec<Rows>, numbers: &mut Filled<'_>) -> Result<()> {
    numbers.know_texts(connection, TEXTS)?;
    let mut by_table: FxHashMap<Table, Vec<Rows>> = FxHashMap::default();
    for rows in rows {
        by_table.entry(rows.table).or_default().push(rows);
    }
    for (table, of_metadata) in TABLES {
        put_table(connection, table, of_metadata, &by_table.remove(&table).unwrap_or_default(), numbers)?;
    }
    debug_assert!(by_table.is_empty(), "a table is missing in the list: {:?}", by_table.keys());
    Ok(())
}

fn put_table(
    connection: &Connection,
    table: Table,
    of_metadata: &str,
    new: &[Rows],
    numbers: &mut Filled<'_>,
) -> Result<()> {
    let stored = Stored::of(connection, table, of_metadata)?;
    let mut old = stored.hashes(connection)?;
    let mut come = Rows::new(table);
    for row in new.iter().flat_map(Rows::chunks) {
        match old.get_mut(&hash_of_cells(connection, row, numbers)?) {
            Some(count) if *count > 0 => *count -= 1,
            _ => come.push_cells(row),
        }
    }
    old.retain(|_, count| *count > 0);
    if !old.is_empty() {
        stored.take_out(connection, old)?;
    }
    insert(connection, numbers, &come)
}

/// The rows of a table that are of metadata.
struct Stored {
    name: &'static str,
    /// What tells rows apart.
    key: Vec<String>,
    condition: String,
}

impl Stored {
    fn of(connection: &Connection, table: Table, of_metadata: &str) -> Result<Self> {
        let name = table.name();
        let sql = "SELECT name FROM pragma_table_info(?1) WHERE pk > 0 ORDER BY pk";
        let mut statement = connection.prepare_cached(sql)?;
        let mut key: Vec<String> = statement.query_map([name], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
        if key.is_empty() {
            key.push("rowid".to_owned());
        }
        let condition = if of_metadata.is_empty() { String::new() } else { format!("WHERE {of_metadata}") };
        Ok(Self { name, key, condition })
    }

    /// How often each row stands there.
    fn hashes(&self, connection: &Connection) -> Result<FxHashMap<u64, u32>> {
        let mut statement = connection.prepare(&format!("SELECT * FROM \"{}\" {}", self.name, self.condition))?;
        let columns = statement.column_count();
        let mut hashes = FxHashMap::default();
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            *hashes.entry(hash_of_row(row, 0..columns)?).or_default() += 1;
        }
        Ok(hashes)
    }

    /// Takes out as many rows of each hash as it says.
    fn take_out(&self, connection: &Connection, mut gone: FxHashMap<u64, u32>) -> Result<()> {
        let Self { name, key, condition } = self;
        let select = format!("SELECT {}, * FROM \"{name}\" {condition}", key.join(", "));
        let mut keys: Vec<Vec<Value>> = Vec::new();
        {
            let mut statement = connection.prepare(&select)?;
            let columns = statement.column_count();
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next()? {
                if let Some(count) = gone.get_mut(&hash_of_row(row, key.len()..columns)?).filter(|count| **count > 0) {
                    *count -= 1;
                    keys.push((0..key.len()).map(|column| row.get(column)).collect::<rusqlite::Result<_>>()?);
                }
            }
        }
        let places = key.iter().map(|column| format!("{column} = ?")).collect::<Vec<_>>().join(" AND ");
        let mut delete = connection.prepare(&format!("DELETE FROM \"{name}\" WHERE {places}"))?;
        for key in keys {
            delete.execute(params_from_iter(key))?;
        }
        Ok(())
    }
}

fn hash_of_row(row: &Row<'_>, columns: std::ops::Range<usize>) -> Result<u64> {
    let mut hasher = DefaultHasher::new();
    for column in columns {
        match row.get_ref(column)? {
            ValueRef::Null => Part::Null,
            ValueRef::Integer(number) => Part::Number(number),
            ValueRef::Real(number) => Part::Number(number.to_bits().cast_signed()),
            ValueRef::Text(bytes) | ValueRef::Blob(bytes) => Part::Bytes(bytes),
        }
        .hash(&mut hasher);
    }
    Ok(hasher.finish())
}

fn hash_of_cells(connection: &Connection, row: &[Cell], numbers: &mut Filled<'_>) -> Result<u64> {
    use super::numbers::Numbers;
    let mut hasher = DefaultHasher::new();
    for cell in row {
        match cell {
            Cell::Null => Part::Null,
            Cell::Int(number) => Part::Number(*number),
            Cell::Node(node) => Part::Number(numbers.name(connection, *node)?.into()),
            Cell::Text(text) => Part::Bytes(text.as_bytes()),
            Cell::Blob(blob) => Part::Bytes(blob),
            Cell::Word(word) => Part::Number(numbers.word(connection, word)?),
            Cell::Known(word) => Part::Number(numbers.word(connection, word)?),
            Cell::Shared(text) => Part::Number(numbers.text(connection, text)?),
        }
        .hash(&mut hasher);
    }
    Ok(hasher.finish())
}

/// A value of a row.
#[derive(Hash)]
enum Part<'a> {
    Null,
    Number(i64),
    Bytes(&'a [u8]),
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every table that no module fills is in the list.
    #[test]
    fn every_table_of_metadata_is_compared() {
        let of_code = [
            Table::Module,
            Table::Facts,
            Table::ModuleWords,
            Table::ModuleInput,
            Table::Method,
            Table::Condition,
            Table::MethodType,
            Table::Strings,
            Table::StringName,
            Table::Doc,
        ];
        for table in Table::ALL {
            assert_ne!(TABLES.iter().any(|(known, _)| known == table), of_code.contains(table), "{}", table.name());
        }
    }
}
