//! Paths: the cheapest chain of edges from one thing to another.

use super::graph::{ALL_EDGES, RawEdge, read_raw};
use super::{Answer, EdgeRow, Index, NameId};
use crate::Result;
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The whole graph in memory: edges sorted by one end, found by offsets.
pub(crate) struct Adjacency {
    pub edges: Vec<RawEdge>,
    starts: FxHashMap<NameId, (u32, u32)>,
    by_target: bool,
}

impl Adjacency {
    pub fn load(index: &Index, by_target: bool) -> Result<Self> {
        let mut edges = index.rows(ALL_EDGES, [], read_raw)?;
        let end = |edge: &RawEdge| if by_target { edge.target } else { edge.source };
        edges.sort_unstable_by_key(|edge| (end(edge), *edge));
        let mut starts = FxHashMap::default();
        let mut from = 0;
        for chunk in edges.chunk_by(|a, b| end(a) == end(b)) {
            let to = from + u32::try_from(chunk.len()).unwrap_or(u32::MAX);
            if let Some(first) = chunk.first() {
                starts.insert(end(first), (from, to));
            }
            from = to;
        }
        Ok(Self { edges, starts, by_target })
    }

    /// The edges at a node: those that lead to it or those that leave it.
    pub fn at(&self, node: NameId) -> &[RawEdge] {
        let Some(&(from, to)) = self.starts.get(&node) else { return &[] };
        self.edges.get(from as usize..to as usize).unwrap_or(&[])
    }

    /// The other end of an edge.
    pub fn other(&self, edge: &RawEdge) -> NameId {
        if self.by_target { edge.source } else { edge.target }
    }
}

/// What a step costs: a chain of sure steps wins over a shorter one of guesses. Confidences are numbered from 1, the
/// surest first.
pub(crate) fn cost(edge: &RawEdge) -> u32 {
    match edge.confidence {
        1 => 10,
        2 => 11,
        3 => 13,
        4 => 15,
        _ => 30,
    }
}

impl Index {
    /// The cheapest chain from one thing to another, in order; no rows if there is none. A module or an object stands
    /// for all its methods.
    ///
    /// # Errors
    /// If the file can't be read.
    pub fn path_between(&self, from: NameId, to: NameId) -> Result<Answer<EdgeRow>> {
        let graph = Adjacency::load(self, false)?;
        let goals = self.with_parts(to)?;
        let mut reached: FxHashMap<NameId, (u32, Option<RawEdge>)> = FxHashMap::default();
        let mut queue = BinaryHeap::new();
        for start in self.with_parts(from)? {
            reached.insert(start, (0, None));
            queue.push(Reverse((0, start)));
        }
        let mut end = None;
        while let Some(Reverse((so_far, node))) = queue.pop() {
            if reached.get(&node).is_some_and(|&(best, _)| best < so_far) {
                continue;
            }
            if goals.contains(&node) && so_far > 0 {
                end = Some(node);
                break;
            }
            for edge in graph.at(node) {
                let (next, total) = (graph.other(edge), so_far + cost(edge));
                if reached.get(&next).is_none_or(|&(best, _)| total < best) {
                    reached.insert(next, (total, Some(*edge)));
                    queue.push(Reverse((total, next)));
                }
            }
        }
        let mut chain = Vec::new();
        let mut at = end;
        while let Some(edge) = at.and_then(|node| reached.get(&node)).and_then(|&(_, edge)| edge) {
            chain.push(edge);
            at = Some(edge.source);
        }
        chain.reverse();
        let rows = (1..).zip(chain).map(|(depth, edge)| self.edge_row(edge, depth)).collect::<Result<Vec<_>>>()?;
        let reasons = if rows.is_empty() { self.hidden_callers(to, true)? } else { Vec::new() };
        Ok(Answer::new(rows, reasons))
    }
}
