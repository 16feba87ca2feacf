//! A picture of the surroundings of a thing: who leads to it on the left, what it leads to on the right, in columns, with
//! as few crossing lines as a sweep or two give.

use super::{Arc, Graph};
use rustc_hash::{FxHashMap, FxHashSet};

/// Sweeps over the columns that order their nodes by what they are linked with.
const SWEEPS: usize = 3;

/// How much is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame {
    /// Columns on each side.
    pub columns: u32,
    /// Most nodes of a column.
    pub most: usize,
}

/// A node of the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    /// The thing.
    pub node: u32,
    /// Its column: 0 the centre, below it callers, above it callees.
    pub column: i32,
    /// Its place in the column, from 0.
    pub row: u32,
    /// Linked things further out that the picture leaves out.
    pub hidden: u32,
}

/// A line of the picture: the surest of the edges between two of its nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    /// Place of the caller among the nodes.
    pub from: usize,
    /// Place of the target among the nodes.
    pub to: usize,
    /// The edge.
    pub arc: Arc,
    /// Number of edges between the two.
    pub edges: u32,
}

/// The picture.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Picture {
    /// The nodes: the centre first, then column by column.
    pub nodes: Vec<Node>,
    /// The lines.
    pub lines: Vec<Line>,
}

/// Draws the surroundings of a thing. `parts` are what it stands for (a module's methods), the thing itself first; what is
/// linked with several of them is drawn once. The surest links come first where not all find room.
pub fn picture(callers: &Graph, callees: &Graph, parts: &[u32], frame: Frame) -> Picture {
    let Some(&centre) = parts.first() else { return Picture::default() };
    let inside: FxHashSet<u32> = parts.iter().copied().collect();
    let mut placed: FxHashMap<u32, (i32, u32)> = FxHashMap::from_iter([(centre, (0, 0))]);
    let mut hidden: FxHashMap<u32, u32> = FxHashMap::default();
    let mut columns: Vec<(i32, Vec<u32>)> = vec![(0, vec![centre])];
    for (graph, side) in [(callers, -1), (callees, 1)] {
        let mut last: Vec<u32> = parts.to_vec();
        for column in 1..=frame.columns {
            let mut best: FxHashMap<u32, (u8, u32)> = FxHashMap::default();
            let mut from: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
            for &node in &last {
                for arc in graph.at(node) {
                    let other = graph.other(arc);
                    if inside.contains(&other) || placed.contains_key(&other) {
                        continue;
                    }
                    let known = best.entry(other).or_insert((arc.confidence, 0));
                    *known = (known.0.min(arc.confidence), known.1 + 1);
                    let drawn = if inside.contains(&node) { centre } else { node };
                    let by = from.entry(other).or_default();
                    if !by.contains(&drawn) {
                        by.push(drawn);
                    }
                }
            }
            let mut found: Vec<u32> = best.keys().copied().collect();
            found.sort_unstable_by_key(|node| {
                let (confidence, edges) = best.get(node).copied().unwrap_or_default();
                (confidence, std::cmp::Reverse(edges), *node)
            });
            for left_out in found.iter().skip(frame.most) {
                for by in from.get(left_out).into_iter().flatten() {
                    *hidden.entry(*by).or_default() += 1;
                }
            }
            found.truncate(frame.most);
            for (row, &node) in (0_u32..).zip(&found) {
                placed.insert(node, (side * column as i32, row));
            }
            if found.is_empty() {
                break;
            }
            columns.push((side * column as i32, found.clone()));
            last = found;
        }
    }
    let lines = lines(callees, &inside, centre, &placed);
    sort_rows(&mut columns, &lines, &mut placed);
    let mut nodes: Vec<Node> = placed
        .iter()
        .map(|(&node, &(column, row))| Node { node, column, row, hidden: hidden.get(&node).copied().unwrap_or(0) })
        .collect();
    nodes.sort_unstable_by_key(|one| (one.column != 0, one.column, one.row));
    let place: FxHashMap<u32, usize> = nodes.iter().enumerate().map(|(place, one)| (one.node, place)).collect();
    let line = |((from, to), (arc, edges)): ((u32, u32), (Arc, u32))| {
        Some(Line { from: *place.get(&from)?, to: *place.get(&to)?, arc, edges })
    };
    let mut lines: Vec<Line> = lines.into_iter().filter_map(line).collect();
    lines.sort_unstable_by_key(|line| (line.from, line.to));
    Picture { nodes, lines }
}

/// Edges between drawn nodes of neighbouring columns, the surest for each pair.
fn lines(
    callees: &Graph,
    inside: &FxHashSet<u32>,
    centre: u32,
    placed: &FxHashMap<u32, (i32, u32)>,
) -> FxHashMap<(u32, u32), (Arc, u32)> {
    let mut lines: FxHashMap<(u32, u32), (Arc, u32)> = FxHashMap::default();
    let drawn = |node: u32| if inside.contains(&node) { centre } else { node };
    let sources: Vec<u32> =
        placed.keys().copied().chain(inside.iter().copied().filter(|part| *part != centre)).collect();
    for source in sources {
        for arc in callees.at(source) {
            let (from, to) = (drawn(source), drawn(arc.target));
            let (Some(a), Some(b)) = (placed.get(&from), placed.get(&to)) else { continue };
            if from == to || b.0 - a.0 != 1 {
                continue;
            }
            let known = lines.entry((from, to)).or_insert((*arc, 0));
            if arc.confidence < known.0.confidence {
                known.0 = *arc;
            }
            known.1 += 1;
        }
    }
    lines
}

/// Orders each column by the middle of what its nodes are linked with one column further in, and back.
fn sort_rows(
    columns: &mut [(i32, Vec<u32>)],
    lines: &FxHashMap<(u32, u32), (Arc, u32)>,
    placed: &mut FxHashMap<u32, (i32, u32)>,
) {
    let mut linked: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
    for &(from, to) in lines.keys() {
        linked.entry(from).or_default().push(to);
        linked.entry(to).or_default().push(from);
    }
    for _ in 0..SWEEPS {
        for (_, nodes) in columns.iter_mut() {
            let middle = |node: u32| {
                let rows: Vec<u32> = linked
                    .get(&node)
                    .into_iter()
                    .flatten()
                    .filter_map(|other| placed.get(other))
                    .map(|at| at.1)
                    .collect();
                // In thousandths of a row: a whole number sorts without doubt.
                rows.iter().sum::<u32>() * 1000 / (rows.len() as u32).max(1)
            };
            let mut order: Vec<(u32, u32)> = nodes.iter().map(|&node| (middle(node), node)).collect();
            order.sort_by_key(|&(middle, _)| middle);
            *nodes = order.into_iter().map(|(_, node)| node).collect();
            for (row, node) in (0_u32..).zip(nodes.iter()) {
                if let Some(at) = placed.get_mut(node) {
                    at.1 = row;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Direction;
    use super::super::testing::graph;
    use super::*;

    fn draw(edges: &[(u32, u32, u8)], parts: &[u32], frame: Frame) -> Picture {
        let callees = graph(edges, Direction::Callees);
        picture(&callees.reversed(), &callees, parts, frame)
    }

    const WIDE: Frame = Frame { columns: 2, most: 10 };

    #[test]
    fn callers_stand_left_and_callees_right() {
        let drawn = draw(&[(1, 0, 1), (2, 1, 1), (0, 3, 1), (3, 4, 1), (4, 5, 1)], &[0], WIDE);
        let columns: Vec<(u32, i32)> = drawn.nodes.iter().map(|one| (one.node, one.column)).collect();
        assert_eq!(columns, [(0, 0), (2, -2), (1, -1), (3, 1), (4, 2)], "the centre first; 5 is too far");
        assert_eq!(drawn.lines.len(), 4);
        assert!(drawn.lines.iter().all(|line| drawn.nodes[line.to].column - drawn.nodes[line.from].column == 1));
    }

    #[test]
    fn the_surest_find_room_and_the_rest_is_counted() {
        let frame = Frame { columns: 1, most: 2 };
        let drawn = draw(&[(1, 0, 5), (2, 0, 1), (3, 0, 2), (4, 0, 5)], &[0], frame);
        let left: Vec<u32> = drawn.nodes.iter().skip(1).map(|one| one.node).collect();
        assert_eq!((left.len(), drawn.nodes[0].hidden), (2, 2));
        assert!(left.contains(&2) && left.contains(&3));
    }

    #[test]
    fn parts_are_drawn_as_their_whole_and_several_edges_as_one_line() {
        let drawn = draw(&[(1, 10, 1), (1, 11, 2), (10, 11, 1), (11, 5, 1)], &[0, 10, 11], WIDE);
        let names: Vec<u32> = drawn.nodes.iter().map(|one| one.node).collect();
        assert_eq!(names, [0, 1, 5]);
        let to_centre = drawn.lines.iter().find(|line| line.to == 0).unwrap();
        assert_eq!((to_centre.edges, to_centre.arc.confidence), (2, 1));
    }

    #[test]
    fn rows_follow_what_they_are_linked_with() {
        // 1 and 2 call the centre; 4 calls 1 and 3 calls 2: crossing lines are not needed.
        let drawn = draw(&[(1, 0, 1), (2, 0, 1), (3, 2, 1), (4, 1, 1)], &[0], WIDE);
        let row = |node: u32| drawn.nodes.iter().find(|one| one.node == node).unwrap().row;
        assert_eq!(row(1) < row(2), row(4) < row(3));
    }

    #[test]
    fn a_cycle_is_drawn_once_and_nothing_draws_nothing() {
        let drawn = draw(&[(0, 1, 1), (1, 0, 1)], &[0], WIDE);
        assert_eq!(drawn.nodes.len(), 2);
        assert!(draw(&[], &[], WIDE).nodes.is_empty());
    }
}
