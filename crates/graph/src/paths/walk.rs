//! Breadth first, from some nodes to a depth.

use super::{Arc, Graph};
use rustc_hash::FxHashMap;

/// How far to go.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// How many edges deep, from 1.
    pub depth: u32,
    /// Most steps.
    pub limit: usize,
}

/// An edge that a walk took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The edge.
    pub arc: Arc,
    /// Its distance from the start, from 1.
    pub depth: u32,
    /// It leads back to where the walk to it came from: a cycle, cut here.
    pub cycle: bool,
}

/// What a walk found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Walked {
    /// The edges, nearest first.
    pub steps: Vec<Step>,
    /// How many of them close a cycle.
    pub cycles: usize,
    /// There are more than the limit.
    pub more: bool,
    /// There is more beyond the depth.
    pub deeper: bool,
}

/// Walks from `starts`. Of the edges between two of several starts only those count that `within` lets through, of all others
/// those that `follow` lets through. Each node is gone on from once, where it is nearest; an edge to it from elsewhere is shown
/// and not gone on from.
pub fn walk(
    graph: &Graph,
    starts: &[u32],
    bounds: Bounds,
    within: impl Fn(&Arc) -> bool,
    follow: impl Fn(&Arc) -> bool,
) -> Walked {
    let group = starts.len() > 1;
    // Node -> the node it was reached from; a start from itself.
    let mut from: FxHashMap<u32, u32> = starts.iter().map(|&start| (start, start)).collect();
    let mut found = Walked::default();
    let mut frontier: Vec<u32> = starts.to_vec();
    let last = bounds.depth.max(1);
    for depth in 1..=last {
        let mut next = Vec::new();
        for &node in &frontier {
            for arc in graph.at(node).iter().filter(|arc| follow(arc)) {
                let other = graph.other(arc);
                if group && depth == 1 && from.get(&other) == Some(&other) && !within(arc) {
                    continue;
                }
                if found.steps.len() == bounds.limit {
                    found.more = true;
                    return found;
                }
                let known = from.contains_key(&other);
                let cycle = known && leads_back(&from, node, other);
                found.cycles += usize::from(cycle);
                found.steps.push(Step { arc: *arc, depth, cycle });
                if !known {
                    from.insert(other, node);
                    next.push(other);
                }
            }
        }
        frontier = next;
        if frontier.is_empty() {
            break;
        }
        if depth == last {
            found.deeper = frontier.iter().any(|&node| graph.at(node).iter().any(&follow));
        }
    }
    found
}

/// Whether the way by which a node was reached goes through another.
fn leads_back(from: &FxHashMap<u32, u32>, node: u32, other: u32) -> bool {
    let mut at = node;
    // A way has no more steps than there are nodes: the bound only guards against a broken map.
    for _ in 0..=from.len() {
        if at == other {
            return true;
        }
        match from.get(&at) {
            Some(&before) if before != at => at = before,
            _ => return false,
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::super::Direction;
    use super::super::testing::graph;
    use super::*;

    fn steps(edges: &[(u32, u32, u8)], depth: u32, limit: usize) -> (Vec<(u32, u32, bool)>, Walked) {
        let graph = graph(edges, Direction::Callees);
        let found = walk(&graph, &[0], Bounds { depth, limit }, |_| false, |_| true);
        (found.steps.iter().map(|step| (step.arc.target, step.depth, step.cycle)).collect(), found)
    }

    #[test]
    fn cycles_are_cut_and_counted_and_diamonds_are_none() {
        // 0 → 1 → 2 → 0 is a cycle; 0 → 1 → 3 and 0 → 4 → 3 is a diamond; 2 → 2 calls itself.
        let edges = [(0, 1, 1), (1, 2, 1), (2, 0, 1), (2, 2, 1), (1, 3, 1), (0, 4, 1), (4, 3, 1)];
        let (rows, found) = steps(&edges, 10, 100);
        let expected =
            [(1, 1, false), (4, 1, false), (2, 2, false), (3, 2, false), (3, 2, false), (0, 3, true), (2, 3, true)];
        assert_eq!(rows, expected);
        assert_eq!((found.cycles, found.more, found.deeper), (2, false, false));
    }

    #[test]
    fn bounds_are_said() {
        let edges = [(0, 1, 1), (1, 2, 1), (2, 3, 1)];
        assert!(steps(&edges, 2, 100).1.deeper);
        assert!(!steps(&edges, 3, 100).1.deeper);
        let (rows, found) = steps(&edges, 10, 2);
        assert!(found.more && rows.len() == 2);
    }

    #[test]
    fn a_group_is_left_by_its_outer_edges_only() {
        let graph = graph(&[(1, 0, 1), (2, 0, 1), (2, 1, 1), (3, 2, 1)], Direction::Callers);
        let pairs = |found: Walked| found.steps.iter().map(|s| (s.arc.source, s.arc.target)).collect::<Vec<_>>();
        let bounds = Bounds { depth: 1, limit: 9 };
        assert_eq!(pairs(walk(&graph, &[0, 1], bounds, |_| false, |_| true)), [(2, 0), (2, 1)]);
        assert_eq!(pairs(walk(&graph, &[0, 1], bounds, |arc| arc.source == 1, |_| true)), [(1, 0), (2, 0), (2, 1)]);
    }
}
