//! Queries of a method: what the columns of their results hold.

use bsl::query::{ColumnFacts, FieldUse, QueryFacts, TextKind};
use bsl::{Expr, ExprId};

use super::Flow;
use crate::names::{Ident, same};
use crate::value::{TextRef, Value, Values};
use crate::words::Word;

impl Flow<'_> {
    /// `Запрос.Текст = "…"`: from here on the variable holds that query.
    pub(super) fn set_query_text(&mut self, target: ExprId, value: ExprId) {
        let Expr::Member(base, property) = self.cx.code.expr(target) else { return };
        let Expr::Name(variable) = self.cx.code.expr(base) else { return };
        if self.cx.module.word(property) != Some(Word::Text) {
            return;
        }
        let is_query = self.eval(base).iter().any(|value| match value {
            Value::Query(_) => true,
            Value::Platform(of) => self.cx.module.world.is_query(of),
            _ => false,
        });
        if is_query {
            let query = self.query_of(value).map_or_else(Values::unknown, Values::from);
            self.set(variable, query);
        }
    }

    /// The query of a text that is one literal.
    pub(super) fn query_of(&self, text: ExprId) -> Option<Value> {
        let values = self.eval(text);
        match values.iter().next() {
            Some(Value::Text(TextRef::Symbol(text))) if values.is_certain() => Some(Value::Query(text)),
            _ => None,
        }
    }

    /// What a column of the result of a query may hold.
    pub(super) fn column(&self, text: bsl::Symbol, name: Ident) -> Values {
        let module = self.cx.module;
        let facts = module.query(text, |text| bsl::query::read(text, TextKind::Query));
        let name = module.world.ident_text(name);
        let Some(column) = columns(&facts).find(|column| same(&column.name, name)) else { return Values::unknown() };
        let mut values = Values::with_open(column.value.open || !column.value.types.is_empty());
        for field in column.value.fields.iter().filter_map(|field| facts.fields.get(*field as usize)) {
            values.join(&self.field(field));
        }
        if values.is_empty() { Values::unknown() } else { values.given_back() }
    }

    /// What a field of a table may hold.
    fn field(&self, field: &FieldUse) -> Values {
        let world = self.cx.module.world;
        let mut values = Values::default();
        for origin in &field.origins {
            let table = table_of(&origin.table).and_then(|table| world.find(table));
            let mut path = origin.path.split('.').map(|name| world.ident(name));
            let first = table.zip(path.next().flatten());
            let Some(mut held) = first.and_then(|(table, name)| world.attribute(table, name)) else {
                values.open = true;
                continue;
            };
            for name in path {
                let mut next = Values::with_open(held.open);
                for value in held.iter() {
                    next.join(&name.map_or_else(Values::unknown, |name| world.member_of(value, name)));
                }
                held = next;
            }
            values.join(&held);
        }
        if values.is_empty() { Values::unknown() } else { values }
    }
}

/// The full name of what keeps the rows of a table: a tabular section, or the object, also of a virtual table. None for what is no
/// full name.
fn table_of(table: &str) -> Option<&str> {
    let mut dots = table.match_indices('.').map(|(at, _)| at);
    let (_, after_object) = (dots.next()?, dots.next());
    match after_object {
        Some(end) if !table[end + 1..].starts_with("TabularSection.") => Some(&table[..end]),
        _ => Some(table),
    }
}

/// The columns of the last result of a batch.
fn columns(facts: &QueryFacts) -> impl Iterator<Item = &ColumnFacts> {
    let last =
        facts.statements.iter().rev().find(|statement| statement.select.is_some() && statement.temp_table.is_none());
    let select = last.and_then(|statement| facts.selects.get(statement.select? as usize));
    select.and_then(|select| select.branches.first()).into_iter().flat_map(|branch| &branch.columns)
}
