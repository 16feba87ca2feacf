//! Groups of nodes that are linked more closely with each other than with the rest: the Louvain method.
//!
//! Blondel, Guillaume, Lambiotte, Lefebvre: "Fast unfolding of communities in large networks", 2008. Nodes are taken in
//! the order of their numbers and ties go to the lower number, so that equal graphs give equal groups.

use rustc_hash::FxHashMap;

/// Rounds over all nodes of a level; in practice a handful is enough.
const ROUNDS: usize = 32;
/// Levels; each at least halves what is left of a graph that still has groups.
const LEVELS: usize = 32;
/// Gain of modularity below which a move is not worth a change.
const LEAST_GAIN: f64 = 1e-9;

/// An undirected link between two nodes with its weight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Link {
    /// One end.
    pub a: u32,
    /// The other end; may be the same.
    pub b: u32,
    /// How strong; above zero.
    pub weight: f64,
}

/// The group of each of `nodes` nodes, numbered from 0 in the order of their first nodes.
pub fn communities(nodes: u32, links: &[Link]) -> Vec<u32> {
    let mut level = Level::new(nodes as usize, links);
    let mut group: Vec<u32> = (0..nodes).collect();
    for _ in 0..LEVELS {
        let moved = level.settle();
        let count = renumber(&mut level.group);
        for one in &mut group {
            *one = level.group.get(*one as usize).copied().unwrap_or(0);
        }
        if !moved || count == level.weights.len() {
            break;
        }
        level = level.merged(count);
    }
    renumber(&mut group);
    group
}

/// A graph whose nodes are groups of the one before.
struct Level {
    /// By node: its neighbours and weights; not itself.
    neighbours: Vec<Vec<(u32, f64)>>,
    /// By node: the weight of its link with itself, counted twice.
    own: Vec<f64>,
    /// By node: the weight of all its links.
    weights: Vec<f64>,
    /// Twice the weight of all links.
    total: f64,
    group: Vec<u32>,
}

impl Level {
    fn new(nodes: usize, links: &[Link]) -> Self {
        let mut joined: FxHashMap<(u32, u32), f64> = FxHashMap::default();
        for link in links.iter().filter(|link| (link.a.max(link.b) as usize) < nodes && link.weight > 0.0) {
            *joined.entry((link.a.min(link.b), link.a.max(link.b))).or_default() += link.weight;
        }
        let mut joined: Vec<((u32, u32), f64)> = joined.into_iter().collect();
        joined.sort_unstable_by_key(|&(ends, _)| ends);
        let mut level = Self {
            neighbours: vec![Vec::new(); nodes],
            own: vec![0.0; nodes],
            weights: vec![0.0; nodes],
            total: 0.0,
            group: (0..nodes as u32).collect(),
        };
        for ((a, b), weight) in joined {
            level.total += 2.0 * weight;
            level.weights[a as usize] += weight;
            level.weights[b as usize] += weight;
            if a == b {
                level.own[a as usize] += 2.0 * weight;
            } else {
                level.neighbours[a as usize].push((b, weight));
                level.neighbours[b as usize].push((a, weight));
            }
        }
        level
    }

    /// Moves nodes between groups as long as that makes them closer; whether any was moved.
    fn settle(&mut self) -> bool {
        let mut sums = self.weights.clone();
        let mut moved = false;
        let mut to: Vec<(u32, f64)> = Vec::new();
        for _ in 0..ROUNDS {
            let mut moves = 0;
            for node in 0..self.group.len() {
                let own = self.group[node];
                let weight = self.weights[node];
                to.clear();
                to.push((own, 0.0));
                to.extend(self.neighbours[node].iter().map(|&(other, w)| (self.group[other as usize], w)));
                to.sort_unstable_by_key(|&(group, _)| group);
                sums[own as usize] -= weight;
                let gain = |group: u32, inside: f64| {
                    inside - sums[group as usize] * weight / self.total.max(f64::MIN_POSITIVE)
                };
                let within = |same: &[(u32, f64)]| same.iter().map(|(_, weight)| weight).sum::<f64>();
                let at_home: Vec<(u32, f64)> = to.iter().copied().filter(|&(group, _)| group == own).collect();
                // The own group stays unless another is better beyond doubt.
                let mut best = (own, gain(own, within(&at_home)));
                for same in to.chunk_by(|a, b| a.0 == b.0) {
                    let gained = gain(same[0].0, within(same));
                    if gained > best.1 + LEAST_GAIN {
                        best = (same[0].0, gained);
                    }
                }
                sums[best.0 as usize] += weight;
                if best.0 != own {
                    self.group[node] = best.0;
                    moves += 1;
                }
            }
            if moves == 0 {
                break;
            }
            moved = true;
        }
        moved
    }

    /// The graph of groups.
    fn merged(&self, groups: usize) -> Self {
        let mut links = Vec::new();
        for (node, neighbours) in self.neighbours.iter().enumerate() {
            let a = self.group[node];
            if self.own[node] > 0.0 {
                links.push(Link { a, b: a, weight: self.own[node] / 2.0 });
            }
            // Each link is seen from both ends.
            for &(other, weight) in neighbours.iter().filter(|(other, _)| *other as usize > node) {
                links.push(Link { a, b: self.group[other as usize], weight });
            }
        }
        Self::new(groups, &links)
    }
}

/// Numbers groups from 0 in the order in which they come; gives their count.
fn renumber(groups: &mut [u32]) -> usize {
    let mut numbers: FxHashMap<u32, u32> = FxHashMap::default();
    for group in groups {
        let next = numbers.len() as u32;
        *group = *numbers.entry(*group).or_insert(next);
    }
    numbers.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn link(a: u32, b: u32) -> Link {
        Link { a, b, weight: 1.0 }
    }

    #[test]
    fn two_cliques_with_a_bridge_are_two_groups() {
        let clique = |first: u32| (0..5).flat_map(move |a| (a + 1..5).map(move |b| link(first + a, first + b)));
        let links: Vec<Link> = clique(0).chain(clique(5)).chain([link(2, 7)]).collect();
        assert_eq!(communities(10, &links), [0, 0, 0, 0, 0, 1, 1, 1, 1, 1]);
    }

    #[test]
    fn a_ring_of_cliques_keeps_its_cliques() {
        let mut links = Vec::new();
        for clique in 0..8 {
            for a in 0..4 {
                links.extend((a + 1..4).map(|b| link(clique * 4 + a, clique * 4 + b)));
            }
            links.push(link(clique * 4, (clique + 1) % 8 * 4 + 1));
        }
        let found = communities(32, &links);
        assert!(found.chunks(4).all(|clique| clique.iter().all(|group| *group == clique[0])), "{found:?}");
    }

    #[test]
    fn lone_nodes_and_nothing_at_all() {
        assert_eq!(communities(3, &[link(1, 1)]), [0, 1, 2]);
        assert!(communities(0, &[link(0, 1)]).is_empty());
    }
}
