//! What a form consists of.

use super::{HandlerRow, Index, NameId};
use crate::Result;
use serde::Serialize;

/// A form's items, attributes and commands, each in the order of its description.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct FormStructure {
    /// `managed` or `ordinary`.
    pub kind: String,
    /// File that describes it, relative to the root of the dump.
    pub file: String,
    /// Items, each behind the one that holds it.
    pub items: Vec<FormItemRow>,
    /// Attributes.
    pub attributes: Vec<FormAttributeRow>,
    /// Commands; one row an action.
    pub commands: Vec<FormCommandRow>,
    /// Handlers of events, the form's own first.
    pub handlers: Vec<HandlerRow>,
}

/// An item of a form.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct FormItemRow {
    /// How many items it lies in.
    pub depth: u32,
    /// Own name.
    pub name: String,
    /// Kind: `InputField`, `Table`, `UsualGroup` …
    pub kind: String,
    /// What it shows: `Объект.Контрагент`; empty if nothing.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub data_path: String,
    /// Title, empty if it has none of its own.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub title: String,
    /// The command that a button runs; empty if none.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub command: String,
    /// 1-based line in the form's file; 0 if it is not known.
    pub line: u32,
}

/// An attribute of a form.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct FormAttributeRow {
    /// Own name.
    pub name: String,
    /// Types, joined by commas.
    pub types: String,
    /// It is the form's main one.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_main: bool,
    /// Main table of a dynamic list; empty if it is none.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub main_table: String,
    /// Query of a dynamic list; empty if it has none of its own.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub query: String,
}

/// A command of a form with one of its actions.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct FormCommandRow {
    /// Own name.
    pub name: String,
    /// Title.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub title: String,
    /// Procedure; empty if it has none.
    pub action: String,
    /// `Before`, `After`, `Override` in a form of an extension.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub call_type: String,
    /// 1-based line of the command in the form's file; 0 if it is not known: it has no procedure of the form's module.
    pub line: u32,
}

impl Index {
    /// What a form consists of; None if the thing is no form.
    ///
    /// # Errors
    /// If the file can't be read.
    pub fn form_structure(&self, form: NameId) -> Result<Option<FormStructure>> {
        let text =
            |row: &rusqlite::Row<'_>, column| row.get::<_, Option<String>>(column).map(Option::unwrap_or_default);
        let found = self.rows(
            "SELECT k.word, f.path FROM form x JOIN words k ON k.id = x.kind LEFT JOIN file f ON f.id = x.file WHERE x.id = ?1",
            [form],
            |row| Ok((row.get::<_, String>(0)?, text(row, 1)?)),
        )?;
        let Some((kind, file)) = found.into_iter().next() else { return Ok(None) };
        let attributes = self.rows(
            "SELECT a.name, t.text, a.is_main, m.name, q.text FROM form_attribute a LEFT JOIN texts t ON t.id = a.types
             LEFT JOIN names m ON m.id = a.main_table LEFT JOIN texts q ON q.id = a.query WHERE a.form = ?1 ORDER BY a.number",
            [form],
            |row| {
                Ok(FormAttributeRow {
                    name: row.get(0)?,
                    types: text(row, 1)?,
                    is_main: row.get(2)?,
                    main_table: text(row, 3)?,
                    query: text(row, 4)?,
                })
            },
        )?;
        let commands = self.rows(
            "SELECT c.name, t.text, c.action, w.word,
                    (SELECT e.line FROM names n JOIN edge e ON e.source = n.id JOIN words k ON k.id = e.channel
                     WHERE n.name = f.name || '.Command.' || c.name AND k.word = 'form_command' LIMIT 1)
             FROM form_command c JOIN names f ON f.id = c.form LEFT JOIN texts t ON t.id = c.title
             LEFT JOIN words w ON w.id = c.call_type WHERE c.form = ?1 ORDER BY c.number",
            [form],
            |row| {
                let (name, title) = (row.get(0)?, text(row, 1)?);
                let line = row.get::<_, Option<u32>>(4)?.unwrap_or(0);
                Ok(FormCommandRow { name, title, action: text(row, 2)?, call_type: text(row, 3)?, line })
            },
        )?;
        let handlers = self.form_handlers(form)?;
        Ok(Some(FormStructure { kind, file, items: self.form_items(form)?, attributes, commands, handlers }))
    }

    fn form_items(&self, form: NameId) -> Result<Vec<FormItemRow>> {
        let text =
            |row: &rusqlite::Row<'_>, column| row.get::<_, Option<String>>(column).map(Option::unwrap_or_default);
        let rows = self.rows(
            "SELECT i.number, i.parent, i.name, k.word, d.text, t.text, c.word, i.line FROM form_item i
             LEFT JOIN words k ON k.id = i.kind LEFT JOIN texts d ON d.id = i.data_path LEFT JOIN texts t ON t.id = i.title
             LEFT JOIN words c ON c.id = i.command WHERE i.form = ?1 ORDER BY i.number",
            [form],
            |row| {
                let item = FormItemRow {
                    depth: 0,
                    name: row.get(2)?,
                    kind: text(row, 3)?,
                    data_path: text(row, 4)?,
                    title: text(row, 5)?,
                    command: text(row, 6)?,
                    line: row.get::<_, Option<u32>>(7)?.unwrap_or(0),
                };
                Ok((row.get::<_, i64>(0)?, row.get::<_, Option<i64>>(1)?, item))
            },
        )?;
        Ok(in_order(rows))
    }
}

/// Items by number, with that of the item around each, as a tree in the order of the numbers. What names an item around it
/// that is not there, or itself, stands at the top.
fn in_order(rows: Vec<(i64, Option<i64>, FormItemRow)>) -> Vec<FormItemRow> {
    let numbers: std::collections::BTreeSet<i64> = rows.iter().map(|(number, ..)| *number).collect();
    let mut inside: std::collections::BTreeMap<Option<i64>, Vec<(i64, FormItemRow)>> =
        std::collections::BTreeMap::new();
    for (number, parent, item) in rows {
        // The item around another one is described before it.
        let parent = parent.filter(|parent| numbers.contains(parent) && *parent < number);
        inside.entry(parent).or_default().push((number, item));
    }
    let mut found = Vec::new();
    let mut open: Vec<(u32, i64, FormItemRow)> = Vec::new();
    let mut push = |open: &mut Vec<(u32, i64, FormItemRow)>, of: Option<i64>, depth: u32| {
        let items = inside.remove(&of).unwrap_or_default();
        open.extend(items.into_iter().rev().map(|(number, item)| (depth, number, item)));
    };
    push(&mut open, None, 0);
    while let Some((depth, number, item)) = open.pop() {
        push(&mut open, Some(number), depth + 1);
        found.push(FormItemRow { depth, ..item });
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_stand_behind_what_holds_them() {
        let item = |name: &str| FormItemRow { name: name.to_owned(), ..FormItemRow::default() };
        let rows = vec![
            (1, None, item("Группа")),
            (2, None, item("Низ")),
            (3, Some(1), item("Поле")),
            (4, Some(9), item("Ничей")),
            (5, Some(3), item("Меню")),
        ];
        let found = in_order(rows);
        let told: Vec<(u32, &str)> = found.iter().map(|item| (item.depth, item.name.as_str())).collect();
        assert_eq!(told, [(0, "Группа"), (1, "Поле"), (2, "Меню"), (0, "Низ"), (0, "Ничей")]);
    }
}
