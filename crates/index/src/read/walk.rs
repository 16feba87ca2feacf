//! Paths: the cheapest chain of edges from one thing to another.

use super::compact::Rows;
use super::{Answer, EdgeRow, Index, NameId};
use crate::Result;
use graph::paths::Direction;
use graph::paths::cheapest::reach;
use rustc_hash::FxHashSet;

impl Index {
    /// The cheapest chain from one thing to another, in order: sure edges weigh less than guesses. No rows if there is none.
    /// A module or an object stands for all its methods.
    ///
    /// # Errors
    /// If the file can't be read.
    pub fn path_between(&self, from: NameId, to: NameId) -> Result<Answer<EdgeRow>> {
        let graph = self.graph(Direction::Callees)?;
        let goals: FxHashSet<NameId> = self.with_parts(to)?.into_iter().collect();
        let starts: FxHashSet<NameId> = self.with_parts(from)?.into_iter().collect();
        let goal = |node: NameId| goals.contains(&node) && !starts.contains(&node);
        let reached = reach(&graph, starts.iter().map(|&start| (start, 0)), |_, _| true, goal);
        let end = reached.order.last().copied().filter(|&node| goal(node));
        let chain = end.map(|end| reached.way(&graph, end)).unwrap_or_default();
        let rows = Rows::new(self)?;
        let chain = (1..).zip(&chain).map(|(depth, arc)| rows.edge(arc, depth)).collect::<Result<Vec<_>>>()?;
        let reasons = if chain.is_empty() { self.hidden_callers(to)? } else { Vec::new() };
        Ok(Answer::new(chain, reasons))
    }
}
