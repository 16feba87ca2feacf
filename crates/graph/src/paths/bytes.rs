//! A graph as one run of bytes: read in a millisecond, where rows of a table would take a tenth of a second.
//!
//! Little-endian numbers of 32 bits: a mark, the number of nodes, of edges; the starts; four numbers an edge, by target:
//! source, file, line, and the rest packed.

use super::{Arc, ArcCrossing, Direction, Graph};

/// Marks the layout; another one is not read.
const MARK: u32 = 0x6d73_6701;
/// Numbers before the starts.
const HEAD: usize = 3;
/// Numbers an edge.
const EACH: usize = 4;
/// Channels are numbered below this.
pub const CHANNELS: u16 = 1 << 12;

impl Graph {
    /// The bytes of a graph of either direction.
    pub fn to_bytes(&self) -> Vec<u8> {
        let turned;
        let graph = match self.direction() {
            Direction::Callers => self,
            Direction::Callees => {
                turned = self.reversed();
                &turned
            }
        };
        let nodes = graph.starts.len().saturating_sub(1);
        let mut numbers = Vec::with_capacity(HEAD + nodes + 1 + graph.arcs.len() * EACH);
        numbers.extend([MARK, nodes as u32, graph.arcs.len() as u32]);
        numbers.extend(graph.starts.iter().copied());
        numbers.resize(HEAD + nodes + 1, 0);
        for arc in &graph.arcs {
            numbers.extend([arc.source, arc.file, arc.line, pack(arc)]);
        }
        numbers.into_iter().flat_map(u32::to_le_bytes).collect()
    }

    /// The graph of bytes, for walks to callers; None if they are none of ours or damaged.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let numbers = || bytes.chunks_exact(4).map(|four| u32::from_le_bytes([four[0], four[1], four[2], four[3]]));
        let mut head = numbers();
        let (mark, nodes, count) = (head.next()?, head.next()? as usize, head.next()? as usize);
        let length = HEAD.checked_add(nodes)?.checked_add(1)?.checked_add(count.checked_mul(EACH)?)?;
        if mark != MARK || bytes.len() != length.checked_mul(4)? {
            return None;
        }
        let starts: Vec<u32> = head.by_ref().take(nodes + 1).collect();
        let whole = starts.is_sorted() && starts.first() == Some(&0) && starts.last() == Some(&(count as u32));
        if !whole {
            return None;
        }
        let mut arcs = Vec::with_capacity(count);
        let (_, rest) = bytes.split_at((HEAD + nodes + 1) * 4);
        let mut rows = rest.chunks_exact(EACH * 4);
        for (target, ends) in (0_u32..).zip(starts.windows(2)) {
            for _ in ends[0]..ends[1] {
                let row = rows.next()?;
                let number = |at: usize| u32::from_le_bytes([row[at], row[at + 1], row[at + 2], row[at + 3]]);
                arcs.push(unpack(number(0), target, number(4), number(8), number(12)));
            }
        }
        Some(Self { starts, arcs, direction: Some(Direction::Callers) })
    }
}

fn pack(arc: &Arc) -> u32 {
    let ArcCrossing { missing, to_server, impossible } = arc.crossing;
    u32::from(arc.channel.min(CHANNELS - 1))
        | u32::from(arc.confidence & 0xf) << 12
        | u32::from(missing) << 16
        | u32::from(to_server) << 24
        | u32::from(impossible) << 25
}

fn unpack(source: u32, target: u32, file: u32, line: u32, packed: u32) -> Arc {
    let crossing = ArcCrossing {
        missing: (packed >> 16) as u8,
        to_server: packed >> 24 & 1 == 1,
        impossible: packed >> 25 & 1 == 1,
    };
    let (channel, confidence) = ((packed & 0xfff) as u16, (packed >> 12 & 0xf) as u8);
    Arc { source, target, channel, confidence, file, line, crossing }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn some() -> Graph {
        let crossing = ArcCrossing { missing: 0b101, to_server: true, impossible: false };
        let arc = Arc { source: 5, target: 2, channel: 46, confidence: 3, file: 9, line: 70_000, crossing };
        Graph::new([arc, Arc { source: 2, target: 9, ..arc }, Arc { target: 0, ..arc }], Direction::Callers)
    }

    #[test]
    fn a_graph_comes_back() {
        let graph = some();
        assert_eq!(Graph::from_bytes(&graph.to_bytes()).unwrap(), graph);
        assert_eq!(Graph::from_bytes(&graph.reversed().to_bytes()).unwrap(), graph);
        let empty = Graph::new([], Direction::Callers);
        assert_eq!(Graph::from_bytes(&empty.to_bytes()).unwrap(), empty);
        assert!(Graph::from_bytes(&Graph::default().to_bytes()).unwrap().arcs().is_empty());
    }

    #[test]
    fn damaged_bytes_are_no_graph() {
        let bytes = some().to_bytes();
        for cut in 0..bytes.len() {
            assert!(Graph::from_bytes(&bytes[..cut]).is_none(), "{cut}");
        }
        for at in 0..HEAD * 4 + 10 * 4 {
            let mut broken = bytes.clone();
            broken[at] ^= 0xff;
            if let Some(graph) = Graph::from_bytes(&broken) {
                assert_eq!(graph.arcs().len(), 3, "{at}");
            }
        }
    }
}
