//! The cheapest ways: a chain of sure steps wins over a shorter one of guesses.

use super::{Arc, Graph};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// What a step costs, by the rank of its confidence: one guess weighs as much as three sure steps.
pub fn cost(confidence: u8) -> u32 {
    match confidence {
        1 => 10,
        2 => 11,
        3 => 13,
        4 => 15,
        _ => 30,
    }
}

/// Everything that is reached from some nodes, each by its cheapest way.
#[derive(Clone, Debug, Default)]
pub struct Reached {
    /// Node -> what it costs to get there, and the last edge of the way; a start has none.
    nodes: FxHashMap<u32, (u32, Option<Arc>)>,
    /// The nodes, cheapest first, the starts among them.
    pub order: Vec<u32>,
}

/// Walks from some nodes, cheapest first. `step` is asked once for each edge on a cheapest way so far: `false` leaves it
/// out. Stops when `done` says so of a node.
pub fn reach(
    graph: &Graph,
    starts: impl IntoIterator<Item = (u32, u32)>,
    mut step: impl FnMut(&Arc, u32) -> bool,
    done: impl Fn(u32) -> bool,
) -> Reached {
    let mut reached = Reached::default();
    let mut queue = BinaryHeap::new();
    for (start, cost) in starts {
        if reached.nodes.get(&start).is_none_or(|&(known, _)| cost < known) {
            reached.nodes.insert(start, (cost, None));
            queue.push(Reverse((cost, start)));
        }
    }
    while let Some(Reverse((so_far, node))) = queue.pop() {
        if reached.nodes.get(&node).is_some_and(|&(best, _)| best < so_far) {
            continue;
        }
        reached.order.push(node);
        if done(node) {
            break;
        }
        for arc in graph.at(node) {
            let (other, total) = (graph.other(arc), so_far.saturating_add(cost(arc.confidence)));
            let better = reached.nodes.get(&other).is_none_or(|&(best, _)| total < best);
            if better && step(arc, total) {
                reached.nodes.insert(other, (total, Some(*arc)));
                queue.push(Reverse((total, other)));
            }
        }
    }
    reached
}

impl Reached {
    /// What it costs to get to a node; None if it is not reached.
    pub fn cost(&self, node: u32) -> Option<u32> {
        self.nodes.get(&node).map(|&(cost, _)| cost)
    }

    /// The last edge of the way to a node.
    pub fn last(&self, node: u32) -> Option<Arc> {
        self.nodes.get(&node).and_then(|&(_, arc)| arc)
    }

    /// The way from a start to a node: its edges in the order of the walk.
    pub fn way(&self, graph: &Graph, node: u32) -> Vec<Arc> {
        let mut way = Vec::new();
        let mut at = node;
        // Costs fall along the way, so it ends; the bound only guards against a graph that is not the one walked.
        while let Some(arc) = self.last(at) {
            way.push(arc);
            at = if graph.other(&arc) == arc.source { arc.target } else { arc.source };
            if way.len() > self.nodes.len() {
                break;
            }
        }
        way.reverse();
        way
    }
}

#[cfg(test)]
mod tests {
    use super::super::Direction;
    use super::super::testing::graph;
    use super::*;

    #[test]
    fn sure_steps_win_over_fewer_guesses() {
        let edges = [(0, 3, 5), (0, 1, 1), (1, 3, 1), (3, 4, 1), (4, 0, 1)];
        let graph = graph(&edges, Direction::Callees);
        let reached = reach(&graph, [(0, 0)], |_, _| true, |_| false);
        let way: Vec<u32> = reached.way(&graph, 4).iter().map(|arc| arc.target).collect();
        assert_eq!(way, [1, 3, 4]);
        assert_eq!((reached.cost(4), reached.cost(9)), (Some(30), None));
        assert_eq!(reached.order, [0, 1, 3, 4]);
    }

    #[test]
    fn walks_to_callers_give_ways_from_the_start_too() {
        let graph = graph(&[(2, 1, 1), (1, 0, 1)], Direction::Callers);
        let reached = reach(&graph, [(0, 0)], |_, _| true, |node| node == 2);
        let way: Vec<(u32, u32)> = reached.way(&graph, 2).iter().map(|arc| (arc.source, arc.target)).collect();
        assert_eq!(way, [(1, 0), (2, 1)]);
    }

    #[test]
    fn an_edge_that_is_refused_is_not_taken() {
        let graph = graph(&[(0, 1, 1), (1, 2, 1)], Direction::Callees);
        let reached = reach(&graph, [(0, 0)], |arc, _| arc.target != 2, |_| false);
        assert_eq!(reached.cost(2), None);
    }
}
