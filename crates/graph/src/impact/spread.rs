//! What follows: callers of what breaks, and what nothing uses any more.

use crate::paths::cheapest::{Reached, cost, reach};
use crate::paths::{Arc, Graph};
use rustc_hash::FxHashSet;

/// Steps of the closure of what becomes unused; each takes away at least one method.
const ROUNDS: usize = 64;

/// Everything that reaches one of some nodes which break by themselves, each by its cheapest way. `starts`: node and the rank
/// of the confidence that it breaks; `inside`: nodes that go away with the target and break nothing.
///
/// `callers` is a graph for walks to callers; `carries` tells which channels hand a failure on.
pub fn spread(
    callers: &Graph,
    starts: &[(u32, u8)],
    inside: &FxHashSet<u32>,
    carries: impl Fn(&Arc) -> bool,
) -> Reached {
    let starts = starts.iter().map(|&(node, confidence)| (node, cost(confidence)));
    reach(callers, starts, |arc, _| !inside.contains(&arc.source) && carries(arc), |_| false)
}

/// Methods that only the deleted ones call, and those that only they call, in that order. `kept` tells which methods
/// stay in use without a caller.
pub fn unused_after(
    callers: &Graph,
    callees: &Graph,
    deleted: &FxHashSet<u32>,
    kept: impl Fn(u32) -> bool,
) -> Vec<u32> {
    let mut gone = deleted.clone();
    let mut order = Vec::new();
    let mut frontier: Vec<u32> = deleted.iter().copied().collect();
    frontier.sort_unstable();
    for _ in 0..ROUNDS {
        let mut next = Vec::new();
        for &node in &frontier {
            for arc in callees.at(node) {
                let target = arc.target;
                if gone.contains(&target) || kept(target) {
                    continue;
                }
                let only = callers.at(target).iter().all(|arc| gone.contains(&arc.source) || arc.source == target);
                if only && gone.insert(target) {
                    order.push(target);
                    next.push(target);
                }
            }
        }
        if next.is_empty() {
            break;
        }
        frontier = next;
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paths::Direction;
    use crate::paths::testing::graph;

    #[test]
    fn failures_go_up_to_callers_and_not_into_what_is_deleted() {
        // 3 calls 2 calls 1 (breaks); 9 is deleted and calls 1, too.
        let callers = graph(&[(2, 1, 1), (3, 2, 5), (9, 1, 1)], Direction::Callers);
        let found = spread(&callers, &[(1, 1)], &FxHashSet::from_iter([9]), |_| true);
        assert_eq!(found.order, [1, 2, 3]);
        assert_eq!(found.way(&callers, 3).iter().map(|arc| arc.source).collect::<Vec<_>>(), [2, 3]);
        assert!(found.cost(3) > found.cost(2));
    }

    #[test]
    fn what_only_the_deleted_call_is_unused_with_them() {
        // 1 is deleted; 2 is called by 1 alone, 3 by 2 and itself, 4 by 1 and 8, 5 is kept.
        let edges = [(1, 2, 1), (2, 3, 1), (3, 3, 1), (1, 4, 1), (8, 4, 1), (1, 5, 1)];
        let callees = graph(&edges, Direction::Callees);
        let unused = unused_after(&callees.reversed(), &callees, &FxHashSet::from_iter([1]), |node| node == 5);
        assert_eq!(unused, [2, 3]);
    }
}
