//! What the value of an expression may be.

use rustc_hash::FxHashSet;

use super::expr::{BinaryOp, ExprId, ExprKind};
use super::facts::{QueryFacts, ValueFacts, ValueType};
use super::functions::function;
use super::model::Query;
use super::tables;

/// Parts of one expression that are looked at; a longer one may be anything.
const MAX_PARTS: usize = 256;
/// Most types and fields that are kept of one value.
const MAX_KEPT: usize = 16;

/// The number of the field use of each expression that is a path.
#[derive(Debug)]
pub(crate) struct FieldNumbers(Vec<u32>);

impl FieldNumbers {
    /// None yet of so many expressions.
    pub fn new(exprs: usize) -> Self {
        Self(vec![u32::MAX; exprs])
    }

    pub fn get(&self, id: ExprId) -> Option<u32> {
        self.0.get(id.0 as usize).copied().filter(|&field| field != u32::MAX)
    }

    pub fn set(&mut self, id: ExprId, field: u32) {
        if let Some(place) = self.0.get_mut(id.0 as usize) {
            *place = field;
        }
    }
}

impl ValueFacts {
    /// Adds what another value may be.
    pub(crate) fn extend(&mut self, other: &Self) {
        for known in &other.types {
            self.add_type(known.clone());
        }
        for &field in &other.fields {
            self.add_field(field);
        }
        self.open |= other.open;
    }

    fn add_type(&mut self, known: ValueType) {
        if self.types.contains(&known) {
            return;
        }
        if self.types.len() < MAX_KEPT { self.types.push(known) } else { self.open = true }
    }

    fn add_field(&mut self, field: u32) {
        if self.fields.contains(&field) {
            return;
        }
        if self.fields.len() < MAX_KEPT { self.fields.push(field) } else { self.open = true }
    }
}

/// What an expression may be. `fields`: numbers of the field uses of those expressions that are paths.
pub(crate) fn value_of(query: &Query<'_>, expr: ExprId, fields: &FieldNumbers, facts: &QueryFacts) -> ValueFacts {
    let mut value = ValueFacts::default();
    let mut waiting = vec![expr];
    for _ in 0..MAX_PARTS {
        let Some(id) = waiting.pop() else { return value };
        let Some(expr) = query.expr(id) else { continue };
        match expr.kind {
            ExprKind::Null => value.add_type(ValueType::Null),
            ExprKind::Undefined => value.add_type(ValueType::Undefined),
            ExprKind::Boolean(_)
            | ExprKind::Not(_)
            | ExprKind::In { .. }
            | ExprKind::Between(..)
            | ExprKind::Like(..)
            | ExprKind::IsNull(_)
            | ExprKind::Refs(..) => value.add_type(ValueType::Boolean),
            ExprKind::Number(_) | ExprKind::Sign(_) => value.add_type(ValueType::Number),
            ExprKind::String(_) => value.add_type(ValueType::String),
            ExprKind::Field(_) | ExprKind::Member(..) => match fields.get(id) {
                Some(field) => add_field(&mut value, field, facts),
                None => value.open = true,
            },
            ExprKind::Call { name, args, .. } => match function(name.text).map(|function| function.result) {
                Some("arguments") => waiting.extend(query.list(args)),
                result => match result.and_then(simple_type) {
                    Some(known) => value.add_type(known),
                    None => value.open = true,
                },
            },
            ExprKind::Cast(_, name) => match named_type(&tables::type_of(&texts(query, name))) {
                Some(known) => value.add_type(known),
                None => value.open = true,
            },
            ExprKind::Value(name) => match &*tables::value_of(&texts(query, name)).0 {
                "" => value.open = true,
                known => value.add_type(ValueType::Named(known.into())),
            },
            ExprKind::Type(_) => value.add_type(ValueType::Type),
            ExprKind::Binary(op, ..) => match op {
                BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div => value.add_type(ValueType::Number),
                BinaryOp::Add => match sum_type(query, id) {
                    Some(known) => value.add_type(known),
                    None => value.open = true,
                },
                BinaryOp::Unknown => value.open = true,
                _ => value.add_type(ValueType::Boolean),
            },
            ExprKind::Case(_, parts, otherwise) => {
                let values = query.list(parts).iter().skip(1).step_by(2);
                waiting.extend(values);
                match otherwise {
                    Some(otherwise) => waiting.push(otherwise),
                    None => value.add_type(ValueType::Null),
                }
            }
            ExprKind::Tuple(list) => waiting.extend(query.list(list)),
            ExprKind::Parameter(_)
            | ExprKind::Period(_)
            | ExprKind::Subquery(_)
            | ExprKind::Macro(..)
            | ExprKind::Error => value.open = true,
        }
    }
    value.open |= !waiting.is_empty();
    value
}

/// A field that shows a column of a nested query or a temporary table is what that column may be.
fn add_field(value: &mut ValueFacts, field: u32, facts: &QueryFacts) {
    let Some(read) = facts.fields.get(field as usize) else { return value.add_field(field) };
    let is_whole = read.parts.len() as u32 == read.table_parts + 1;
    let Some((select, place)) = read.column.filter(|_| is_whole) else { return value.add_field(field) };
    let branches = facts.selects.get(select as usize).map_or(&[][..], |select| &select.branches);
    for branch in branches.iter().take(MAX_KEPT) {
        if let Some(column) = branch.columns.get(place as usize) {
            value.extend(&column.value);
        }
    }
}

/// `А + Б` joins strings if one of its operands is a string; else it is a number, if one is.
fn sum_type(query: &Query<'_>, sum: ExprId) -> Option<ValueType> {
    let mut waiting = vec![sum];
    let mut seen: FxHashSet<ValueType> = FxHashSet::default();
    for _ in 0..MAX_PARTS {
        let Some(expr) = waiting.pop().and_then(|id| query.expr(id)) else { break };
        match expr.kind {
            ExprKind::Binary(BinaryOp::Add, left, right) => waiting.extend([right, left]),
            ExprKind::Binary(BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div, ..)
            | ExprKind::Number(_)
            | ExprKind::Sign(_) => drop(seen.insert(ValueType::Number)),
            ExprKind::String(_) => return Some(ValueType::String),
            ExprKind::Call { name, .. } => {
                seen.extend(function(name.text).and_then(|function| simple_type(function.result)));
            }
            ExprKind::Cast(_, name) => seen.extend(named_type(&tables::type_of(&texts(query, name)))),
            _ => {}
        }
    }
    let found = |known: ValueType| seen.contains(&known).then_some(known);
    found(ValueType::String).or_else(|| found(ValueType::Number))
}

fn texts<'t>(query: &Query<'t>, name: super::model::Run) -> Vec<&'t str> {
    query.path(name).iter().map(|part| part.text).collect()
}

/// The result of a function, as in its data file.
fn simple_type(result: &str) -> Option<ValueType> {
    Some(match result {
        "number" => ValueType::Number,
        "string" => ValueType::String,
        "date" => ValueType::Date,
        "type" => ValueType::Type,
        "uuid" => ValueType::Uuid,
        _ => return None,
    })
}

fn named_type(name: &str) -> Option<ValueType> {
    Some(match name {
        "" => return None,
        "String" => ValueType::String,
        "Number" => ValueType::Number,
        "Boolean" => ValueType::Boolean,
        "Date" => ValueType::Date,
        other => ValueType::Named(other.into()),
    })
}
