//! The ways between two tables, the cheapest first.

use super::{FieldKind, Path, Reference, Schema, Step, TableKind};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Longest way, in steps.
const LONGEST: usize = 6;
/// Ways that are looked at; a dense schema has millions.
const MOST_LOOKED_AT: usize = 60_000;
/// Ways through the same tables, by different fields.
const SAME_TABLES: usize = 3;
/// No way.
const FAR: u32 = u32::MAX / 4;

/// Up to `limit` ways between two tables, the cheapest first.
pub fn paths(schema: &Schema, from: u32, to: u32, limit: usize) -> Vec<Path> {
    if from == to || limit == 0 {
        return Vec::new();
    }
    let left = costs_to(schema, to);
    let mut queue = BinaryHeap::new();
    let mut looked_at = 0;
    let mut found: Vec<Path> = Vec::new();
    // By (least cost of the whole way, cost so far): whatever comes out first is the cheapest of all that is left.
    if left.get(from as usize).is_some_and(|&cost| cost < FAR) {
        queue.push(Reverse((0, 0, Vec::<(u32, bool)>::new(), from)));
    }
    while let Some(Reverse((_, so_far, steps, at))) = queue.pop() {
        looked_at += 1;
        if looked_at > MOST_LOOKED_AT || found.len() == limit {
            break;
        }
        if at == to {
            let steps = steps.iter().map(|&(reference, forward)| Step { reference, forward }).collect();
            let path = Path { start: from, steps, cost: so_far };
            let tables = path.tables(schema);
            if found.iter().filter(|other| other.tables(schema) == tables).count() < SAME_TABLES {
                found.push(path);
            }
            continue;
        }
        if steps.len() == LONGEST {
            continue;
        }
        let passed = tables_of(schema, from, &steps);
        let last = steps.last().copied();
        for (number, reference) in schema.at(at) {
            let forward = reference.from == at;
            let next = if forward { reference.to } else { reference.from };
            if next == at || passed.contains(&next) {
                continue;
            }
            let (Some(cost), Some(&rest)) =
                (step_cost(schema, at, reference, forward, last, to), left.get(next as usize))
            else {
                continue;
            };
            if rest < FAR {
                let mut steps = steps.clone();
                steps.push((number, forward));
                let so_far = so_far + cost;
                queue.push(Reverse((so_far + rest, so_far, steps, next)));
            }
        }
    }
    found
}

fn tables_of(schema: &Schema, start: u32, steps: &[(u32, bool)]) -> Vec<u32> {
    let steps = steps.iter().map(|&(reference, forward)| Step { reference, forward }).collect();
    Path { start, steps, cost: 0 }.tables(schema)
}

/// What a step from a table costs; None if it makes no sense. `last` is the step that led there.
fn step_cost(
    schema: &Schema,
    at: u32,
    reference: &Reference,
    forward: bool,
    last: Option<(u32, bool)>,
    to: u32,
) -> Option<u32> {
    let next = if forward { reference.to } else { reference.from };
    // An enumeration's values are shared by everything, and relate nothing.
    if matches!(schema.table(next).kind, TableKind::Enumeration) && next != to {
        return None;
    }
    let mut cost = plain_cost(reference);
    // What is reached by a reference and left against another is only what two tables have in common: the more refer to it,
    // the less it says.
    if last.is_some_and(|(_, forward)| forward) && !forward && !matches!(reference.kind, FieldKind::SectionOwner) {
        let referring = schema.at(at).filter(|(_, other)| other.to == at).count() as u32;
        cost += 2 * (u32::BITS - referring.leading_zeros());
    }
    Some(cost)
}

fn plain_cost(reference: &Reference) -> u32 {
    let kind = match reference.kind {
        FieldKind::SectionOwner => 4,
        FieldKind::Owner => 9,
        FieldKind::Attribute => 10,
        FieldKind::Recorder => 11,
        FieldKind::Dimension => 12,
        FieldKind::Resource => 14,
    };
    let types = match reference.types {
        0 | 1 => 0,
        2..=5 => 2,
        _ => 4,
    };
    let basis = if reference.basis { 3 } else { 0 };
    kind + types + if reference.wide { 12 } else { 0 } - basis
}

/// By table: the least that a way from it to the goal costs.
fn costs_to(schema: &Schema, goal: u32) -> Vec<u32> {
    let mut costs = vec![FAR; schema.tables.len()];
    let mut queue = BinaryHeap::new();
    if let Some(cost) = costs.get_mut(goal as usize) {
        *cost = 0;
        queue.push(Reverse((0, goal)));
    }
    while let Some(Reverse((so_far, at))) = queue.pop() {
        if costs.get(at as usize).is_some_and(|&best| best < so_far) {
            continue;
        }
        for (_, reference) in schema.at(at) {
            let other = if reference.from == at { reference.to } else { reference.from };
            let total = so_far + plain_cost(reference);
            if let Some(best) = costs.get_mut(other as usize).filter(|best| total < **best) {
                *best = total;
                queue.push(Reverse((total, other)));
            }
        }
    }
    costs
}
