//! Entry points: how a user, a job or a service reaches a thing.

use super::walk::{Adjacency, cost};
use super::{Answer, EdgeRow, Index, NameId, Reason};
use crate::Result;
use rustc_hash::{FxHashMap, FxHashSet};
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// One way in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Entry {
    /// What starts it: a form, a form command, a job, a subscription, a service's method, an object …
    pub entry: String,
    /// Channel of the first step.
    pub channel: String,
    /// The steps from the entry to the thing.
    pub chain: Vec<EdgeRow>,
}

impl Index {
    /// Ways in, the shortest and surest first, at most `limit`.
    ///
    /// # Errors
    /// If the file can't be read.
    pub fn entries(&self, of: NameId, limit: usize) -> Result<Answer<Entry>> {
        let graph = Adjacency::load(self, true)?;
        let outside = self.outside_channels()?;
        let start = self.with_parts(of)?;
        let inside: FxHashSet<NameId> = start.iter().copied().collect();
        // Node -> (cost, edge that leads from it towards the thing).
        let mut reached: FxHashMap<NameId, (u32, Option<super::graph::RawEdge>)> = FxHashMap::default();
        let mut queue = BinaryHeap::new();
        for node in start {
            reached.insert(node, (0, None));
            queue.push(Reverse((0, node)));
        }
        let mut found = Vec::new();
        let mut entered = FxHashSet::default();
        while let Some(Reverse((so_far, node))) = queue.pop() {
            if reached.get(&node).is_some_and(|&(best, _)| best < so_far) {
                continue;
            }
            for edge in graph.at(node) {
                let from = graph.other(edge);
                if outside.contains(&edge.channel) {
                    if entered.insert((from, edge.channel)) {
                        found.push((so_far + cost(edge), *edge));
                    }
                    continue;
                }
                let total = so_far + cost(edge);
                if !inside.contains(&from) && reached.get(&from).is_none_or(|&(best, _)| total < best) {
                    reached.insert(from, (total, Some(*edge)));
                    queue.push(Reverse((total, from)));
                }
            }
        }
        found.sort_unstable();
        let more = found.len() > limit;
        found.truncate(limit);
        let mut rows = Vec::new();
        for (_, first) in found {
            let mut chain = vec![self.edge_row(first, 1)?];
            let mut at = first.target;
            while let Some(edge) = reached.get(&at).and_then(|&(_, edge)| edge) {
                chain.push(self.edge_row(edge, u32::try_from(chain.len()).unwrap_or(u32::MAX) + 1)?);
                at = edge.target;
            }
            let (entry, channel) = chain.first().map(|e| (e.source.clone(), e.channel.clone())).unwrap_or_default();
            rows.push(Entry { entry, channel, chain });
        }
        let mut reasons = self.hidden_callers(of, rows.is_empty())?;
        if more {
            reasons.push(Reason::LimitReached { limit });
        }
        Ok(Answer::new(rows, reasons))
    }

    /// Numbers of the channels that lead in from outside.
    pub(crate) fn outside_channels(&self) -> Result<FxHashSet<i64>> {
        let words =
            self.rows("SELECT id, word FROM words", [], |row| Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?)))?;
        let outside: FxHashSet<&str> = graph::channels::from_outside().map(|channel| channel.0).collect();
        Ok(words.into_iter().filter(|(_, word)| outside.contains(word.as_str())).map(|(id, _)| id).collect())
    }
}
