//! What of the meaning differs.

use rustc_hash::FxHashMap;
use serde::Serialize;

use super::{Thing, Value};
use crate::formal::longest_run;

/// Larger groups of things that nothing tells apart are paired by their order.
const MAX_GROUP: usize = 400;

/// A difference.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Change {
    /// Where: names and keys from the root on, `dataSet[Продажи]/field[Сумма]/title`. Of several things that nothing tells
    /// apart, the number follows: `item#2`.
    pub path: String,
    /// What.
    #[serde(flatten)]
    pub kind: ChangeKind,
}

/// Kinds of differences.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "change", rename_all = "lowercase")]
pub enum ChangeKind {
    /// It is new.
    Added {
        /// What.
        new: Thing,
    },
    /// It is gone.
    Removed {
        /// What.
        old: Thing,
    },
    /// It has another value.
    Changed {
        /// The value it had.
        old: Value,
        /// The value it has.
        new: Value,
    },
    /// It is of another type (`xsi:type`).
    Retyped {
        /// The type it was of.
        old: Option<Box<str>>,
        /// The type it is of.
        new: Option<Box<str>>,
    },
    /// It stands at another place among its neighbours of the same name.
    Moved,
}

/// What differs between two meanings, in the order of the second one. Equal ones give nothing.
pub fn diff(old: &Thing, new: &Thing) -> Vec<Change> {
    let mut changes = Vec::new();
    if old.name == new.name {
        compare(old, new, "", &mut changes);
    } else {
        changes.push(Change { path: old.name.to_string(), kind: ChangeKind::Removed { old: old.clone() } });
        changes.push(Change { path: new.name.to_string(), kind: ChangeKind::Added { new: new.clone() } });
    }
    changes
}

/// Compares two things that stand for each other. No deeper than meanings are.
fn compare(old: &Thing, new: &Thing, path: &str, changes: &mut Vec<Change>) {
    if old.hash == new.hash {
        return;
    }
    if old.of != new.of {
        let kind = ChangeKind::Retyped { old: old.of.clone(), new: new.of.clone() };
        changes.push(Change { path: path.to_owned(), kind });
    }
    if old.value != new.value {
        let kind = ChangeKind::Changed { old: old.value.clone(), new: new.value.clone() };
        changes.push(Change { path: path.to_owned(), kind });
    }
    // Places of the old and of the new parts, by name and key.
    type Places = (Vec<usize>, Vec<usize>);
    let mut groups: FxHashMap<(&str, &str), Places> = FxHashMap::default();
    for (at, part) in old.parts.iter().enumerate() {
        groups.entry((&part.name, &part.key)).or_default().0.push(at);
    }
    for (at, part) in new.parts.iter().enumerate() {
        groups.entry((&part.name, &part.key)).or_default().1.push(at);
    }
    let mut partner_of_new: Vec<Option<usize>> = vec![None; new.parts.len()];
    let mut has_partner = vec![false; old.parts.len()];
    for (olds, news) in groups.values() {
        for (one, other) in pairs(&old.parts, olds, &new.parts, news) {
            partner_of_new[other] = Some(one);
            has_partner[one] = true;
        }
    }
    for (at, part) in old.parts.iter().enumerate().filter(|&(at, _)| !has_partner[at]) {
        let path = path_of(path, &old.parts, at);
        changes.push(Change { path, kind: ChangeKind::Removed { old: part.clone() } });
    }
    let moved = moved(new, &partner_of_new);
    for (at, part) in new.parts.iter().enumerate() {
        let is_same = |partner: usize| !moved[at] && old.parts[partner].hash == part.hash;
        // Most things are as they were, and a path costs a look at all neighbours.
        if partner_of_new[at].is_some_and(is_same) {
            continue;
        }
        let path = path_of(path, &new.parts, at);
        match partner_of_new[at] {
            None => changes.push(Change { path, kind: ChangeKind::Added { new: part.clone() } }),
            Some(partner) => {
                if moved[at] {
                    changes.push(Change { path: path.clone(), kind: ChangeKind::Moved });
                }
                compare(&old.parts[partner], part, &path, changes);
            }
        }
    }
}

/// Which parts stand in another order than their partners. Only the order among equal names counts: that between
/// different ones is the format's.
fn moved(new: &Thing, partners: &[Option<usize>]) -> Vec<bool> {
    let mut moved = vec![false; new.parts.len()];
    let mut by_name: FxHashMap<&str, Vec<usize>> = FxHashMap::default();
    for (at, part) in new.parts.iter().enumerate().filter(|&(at, _)| partners[at].is_some()) {
        by_name.entry(&part.name).or_default().push(at);
    }
    for places in by_name.into_values() {
        let order: Vec<usize> = places.iter().filter_map(|&at| partners[at]).collect();
        for (&at, stays) in places.iter().zip(longest_run(&order)) {
            moved[at] = !stays;
        }
    }
    moved
}

/// Pairs things of the same name and key: equal ones first, in order, then what stands between them.
fn pairs(old: &[Thing], olds: &[usize], new: &[Thing], news: &[usize]) -> Vec<(usize, usize)> {
    if olds.len() <= 1 && news.len() <= 1 || olds.len() > MAX_GROUP || news.len() > MAX_GROUP {
        return olds.iter().copied().zip(news.iter().copied()).collect();
    }
    // Lengths of the longest common runs of the rests.
    let width = news.len() + 1;
    let mut lengths = vec![0_u16; (olds.len() + 1) * width];
    for one in (0..olds.len()).rev() {
        for other in (0..news.len()).rev() {
            let is_equal = old[olds[one]].hash == new[news[other]].hash;
            lengths[one * width + other] = if is_equal {
                lengths[(one + 1) * width + other + 1] + 1
            } else {
                lengths[(one + 1) * width + other].max(lengths[one * width + other + 1])
            };
        }
    }
    let mut found = Vec::new();
    let (mut one, mut other) = (0, 0);
    let (mut unpaired_old, mut unpaired_new) = (Vec::new(), Vec::new());
    let flush = |olds: &mut Vec<usize>, news: &mut Vec<usize>, found: &mut Vec<(usize, usize)>| {
        found.extend(olds.drain(..).zip(news.drain(..)));
    };
    while one < olds.len() && other < news.len() {
        if old[olds[one]].hash == new[news[other]].hash {
            flush(&mut unpaired_old, &mut unpaired_new, &mut found);
            found.push((olds[one], news[other]));
            one += 1;
            other += 1;
        } else if lengths[(one + 1) * width + other] >= lengths[one * width + other + 1] {
            unpaired_old.push(olds[one]);
            one += 1;
        } else {
            unpaired_new.push(news[other]);
            other += 1;
        }
    }
    unpaired_old.extend_from_slice(&olds[one..]);
    unpaired_new.extend_from_slice(&news[other..]);
    flush(&mut unpaired_old, &mut unpaired_new, &mut found);
    found
}

fn path_of(path: &str, parts: &[Thing], at: usize) -> String {
    let part = &parts[at];
    let mut out = String::with_capacity(path.len() + part.name.len() + part.key.len() + 4);
    out.push_str(path);
    if !path.is_empty() {
        out.push('/');
    }
    out.push_str(&part.name);
    if !part.key.is_empty() {
        out.push('[');
        out.push_str(&part.key);
        out.push(']');
    }
    let is_same = |other: &&Thing| other.name == part.name && other.key == part.key;
    let before = parts[..at].iter().filter(is_same).count();
    if before > 0 || parts[at + 1..].iter().any(|other| is_same(&other)) {
        out.push_str(&format!("#{}", before + 1));
    }
    out
}
