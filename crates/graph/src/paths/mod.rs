//! The graph as walks need it: edges in two arrays, found by one of their ends.
//!
//! - [`Graph`] holds them, and is stored and read as one run of bytes;
//! - [`walk`] goes breadth first, cuts cycles and counts them;
//! - [`cheapest`] weighs edges by how sure they are: the way to one thing, or to everything that is reached;
//! - [`communities`] groups what is closely linked;
//! - [`picture`] lays out the surroundings of a thing, to be drawn.

pub mod bytes;
pub mod cheapest;
pub mod communities;
pub mod picture;
pub mod walk;

use crate::edge::Confidence;

/// An edge in numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Arc {
    /// Who calls.
    pub source: u32,
    /// What is reached.
    pub target: u32,
    /// Number of the channel, as its owner counts channels; below 4096.
    pub channel: u16,
    /// From 1, the surest first: see [`rank`].
    pub confidence: u8,
    /// Number of the file that proves it.
    pub file: u32,
    /// 1-based line in it, 0 where a whole file is the proof.
    pub line: u32,
    /// What the call crosses.
    pub crossing: ArcCrossing,
}

/// [`Crossing`](crate::contexts::Crossing) in two bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ArcCrossing {
    /// Bits of [`bsl::Contexts`] in which the target is not there.
    pub missing: u8,
    /// The call goes from a client to the server.
    pub to_server: bool,
    /// The call works nowhere.
    pub impossible: bool,
}

/// Which way to walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// From targets to sources.
    Callers,
    /// From sources to targets.
    Callees,
}

/// Edges, found by their target (to walk to callers) or by their source (to walk to callees).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Graph {
    /// By node: where its edges begin; one more entry than nodes.
    starts: Vec<u32>,
    arcs: Vec<Arc>,
    direction: Option<Direction>,
}

/// Numbers of confidences: from 1, the surest first.
pub fn rank(confidence: Confidence) -> u8 {
    match confidence {
        Confidence::Exact => 1,
        Confidence::Typed => 2,
        Confidence::String => 3,
        Confidence::Convention => 4,
        Confidence::Candidate => 5,
    }
}

impl Graph {
    /// A graph for walks of one direction. Nodes that no edge touches need no number.
    pub fn new(arcs: impl IntoIterator<Item = Arc>, direction: Direction) -> Self {
        let mut arcs: Vec<Arc> = arcs.into_iter().collect();
        arcs.sort_unstable_by_key(|arc| (at_end(arc, direction), *arc));
        Self::of_sorted(arcs, direction)
    }

    /// The same of edges that are sorted by that end already.
    fn of_sorted(arcs: Vec<Arc>, direction: Direction) -> Self {
        let nodes = arcs.last().map_or(0, |arc| at_end(arc, direction) as usize + 1);
        let mut starts = Vec::with_capacity(nodes + 1);
        for (place, arc) in (0_u32..).zip(&arcs) {
            while starts.len() <= at_end(arc, direction) as usize {
                starts.push(place);
            }
        }
        starts.push(arcs.len() as u32);
        Self { starts, arcs, direction: Some(direction) }
    }

    /// The same graph without some edges and with others. An edge that is taken out is known by all but what it crosses; of equal
    /// ones each takes out one.
    #[must_use]
    pub fn changed(self, mut removed: Vec<Arc>, mut added: Vec<Arc>) -> Self {
        let direction = self.direction();
        let key = |arc: &Arc| (at_end(arc, direction), Arc { crossing: ArcCrossing::default(), ..*arc });
        removed.sort_unstable_by_key(key);
        added.sort_unstable_by_key(|arc| (at_end(arc, direction), *arc));
        let (mut removed, mut added) = (removed.iter().peekable(), added.into_iter().peekable());
        let mut arcs = Vec::with_capacity(self.arcs.len() + added.len());
        for arc in self.arcs {
            while removed.next_if(|gone| key(gone) < key(&arc)).is_some() {}
            if removed.next_if(|gone| key(gone) == key(&arc)).is_some() {
                continue;
            }
            while let Some(new) = added.next_if(|new| (at_end(new, direction), *new) < (at_end(&arc, direction), arc)) {
                arcs.push(new);
            }
            arcs.push(arc);
        }
        arcs.extend(added);
        Self::of_sorted(arcs, direction)
    }

    /// Tells anew what edges cross; None leaves it as it is.
    pub fn cross_again<E>(&mut self, mut cross: impl FnMut(&Arc) -> Result<Option<ArcCrossing>, E>) -> Result<(), E> {
        for arc in &mut self.arcs {
            if let Some(crossing) = cross(arc)? {
                arc.crossing = crossing;
            }
        }
        Ok(())
    }

    /// The same edges for walks of the other direction.
    #[must_use]
    pub fn reversed(&self) -> Self {
        let direction = match self.direction() {
            Direction::Callers => Direction::Callees,
            Direction::Callees => Direction::Callers,
        };
        // Counting keeps the order within a node, so the result is the same as sorting's.
        let nodes = self.arcs.iter().map(|arc| at_end(arc, direction) as usize + 1).max().unwrap_or(0);
        let mut starts = vec![0_u32; nodes + 1];
        for arc in &self.arcs {
            if let Some(count) = starts.get_mut(at_end(arc, direction) as usize + 1) {
                *count += 1;
            }
        }
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        let mut next = starts.clone();
        let mut arcs = vec![Arc::default(); self.arcs.len()];
        for arc in &self.arcs {
            let Some(place) = next.get_mut(at_end(arc, direction) as usize) else { continue };
            if let Some(slot) = arcs.get_mut(*place as usize) {
                *slot = *arc;
            }
            *place += 1;
        }
        Self { starts, arcs, direction: Some(direction) }
    }

    /// Which walks it serves.
    pub fn direction(&self) -> Direction {
        self.direction.unwrap_or(Direction::Callers)
    }

    /// The edges at a node: those that lead to it, or those that leave it.
    pub fn at(&self, node: u32) -> &[Arc] {
        let node = node as usize;
        match (self.starts.get(node), self.starts.get(node + 1)) {
            (Some(&from), Some(&to)) => self.arcs.get(from as usize..to as usize).unwrap_or(&[]),
            _ => &[],
        }
    }

    /// The end of an edge that a walk gets to.
    pub fn other(&self, arc: &Arc) -> u32 {
        match self.direction() {
            Direction::Callers => arc.source,
            Direction::Callees => arc.target,
        }
    }

    /// All edges.
    pub fn arcs(&self) -> &[Arc] {
        &self.arcs
    }

    /// Nodes are numbered below this.
    pub fn nodes(&self) -> u32 {
        self.arcs.iter().map(|arc| arc.source.max(arc.target) + 1).max().unwrap_or(0)
    }
}

/// The end of an edge by which a graph of that direction finds it.
fn at_end(arc: &Arc, direction: Direction) -> u32 {
    match direction {
        Direction::Callers => arc.target,
        Direction::Callees => arc.source,
    }
}

#[cfg(test)]
pub(crate) mod testing {
    use super::{Arc, Direction, Graph};

    /// Edges as (source, target, confidence).
    pub fn graph(edges: &[(u32, u32, u8)], direction: Direction) -> Graph {
        let arc = |&(source, target, confidence)| Arc { source, target, confidence, line: 1, ..Arc::default() };
        Graph::new(edges.iter().map(arc), direction)
    }
}

#[cfg(test)]
mod tests {
    use super::testing::graph;
    use super::*;

    #[test]
    fn edges_are_found_by_either_end() {
        let edges = [(0, 7, 1), (3, 7, 1), (7, 3, 1), (0, 3, 2)];
        let callers = graph(&edges, Direction::Callers);
        let sources = |node| callers.at(node).iter().map(|arc| arc.source).collect::<Vec<_>>();
        assert_eq!((sources(7), sources(3), sources(0), sources(99)), (vec![0, 3], vec![0, 7], vec![], vec![]));
        let callees = callers.reversed();
        assert_eq!(callees, graph(&edges, Direction::Callees));
        assert_eq!(callees.reversed(), callers);
        assert_eq!(callers.nodes(), 8);
    }

    #[test]
    fn a_changed_graph_is_the_graph_of_what_is_left() {
        let edges = [(0, 7, 1), (0, 7, 1), (3, 7, 1), (7, 3, 1), (0, 3, 2), (9, 9, 1)];
        let arcs = |edges: &[(u32, u32, u8)]| graph(edges, Direction::Callers).arcs().to_vec();
        for direction in [Direction::Callers, Direction::Callees] {
            let removed = [(0, 7, 1), (9, 9, 1), (4, 4, 4)];
            let added = [(1, 0, 1), (3, 7, 1), (11, 12, 2), (0, 3, 1)];
            let left = [(0, 7, 1), (3, 7, 1), (7, 3, 1), (0, 3, 2), (1, 0, 1), (3, 7, 1), (11, 12, 2), (0, 3, 1)];
            let changed = graph(&edges, direction).changed(arcs(&removed), arcs(&added));
            assert_eq!(changed, graph(&left, direction), "{direction:?}");
        }
    }

    #[test]
    fn an_empty_graph_has_nothing_anywhere() {
        let empty = graph(&[], Direction::Callers);
        assert!(empty.at(0).is_empty() && empty.reversed().at(0).is_empty() && Graph::default().at(3).is_empty());
    }
}
