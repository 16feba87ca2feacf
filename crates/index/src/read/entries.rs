//! Entry points: how a user, a job or a service reaches a thing.

use super::compact::Rows;
use super::{Answer, EdgeRow, Index, NameId, Reason};
use crate::Result;
use graph::paths::cheapest::{cost, reach};
use graph::paths::{Arc, Direction};
use rustc_hash::FxHashSet;
use serde::Serialize;

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
        let graph = self.graph(Direction::Callers)?;
        let outside: Vec<&str> = graph::channels::is_from_outside().map(|channel| channel.0).collect();
        let outside = self.channel_filter(&outside)?;
        let outside = |arc: &Arc| outside.get(usize::from(arc.channel)).copied().unwrap_or(false);
        let mut start = self.with_parts(of)?;
        start.extend(self.overridden_by(of)?);
        // What comes from outside ends the walk; a way in is an end by one channel.
        let reached = reach(&graph, start.iter().map(|&node| (node, 0)), |arc, _| !outside(arc), |_| false);
        let mut found = Vec::new();
        let mut entered = FxHashSet::default();
        for &node in &reached.order {
            let so_far = reached.cost(node).unwrap_or(0);
            for arc in graph.at(node).iter().filter(|arc| outside(arc)) {
                if entered.insert((arc.source, arc.channel)) {
                    found.push((so_far + cost(arc.confidence), *arc));
                }
            }
        }
        found.sort_unstable();
        let more = found.len() > limit;
        found.truncate(limit);
        let show = Rows::new(self)?;
        let mut rows = Vec::new();
        for (_, first) in found {
            let mut way = reached.way(&graph, first.target);
            way.push(first);
            let steps = (1..).zip(way.iter().rev());
            let chain = steps.map(|(depth, arc)| show.edge(arc, depth)).collect::<Result<Vec<_>>>()?;
            let (entry, channel) = chain.first().map(|e| (e.source.clone(), e.channel.clone())).unwrap_or_default();
            rows.push(Entry { entry, channel, chain });
        }
        let mut reasons = self.hidden_callers(of)?;
        if more {
            reasons.push(Reason::LimitReached { limit });
        }
        Ok(Answer::new(rows, reasons))
    }

    /// Numbers of the channels that lead in from outside.
    pub(crate) fn outside_channels(&self) -> Result<FxHashSet<i64>> {
        let words =
            self.rows("SELECT id, word FROM words", [], |row| Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?)))?;
        let outside: FxHashSet<&str> = graph::channels::is_from_outside().map(|channel| channel.0).collect();
        Ok(words.into_iter().filter(|(_, word)| outside.contains(word.as_str())).map(|(id, _)| id).collect())
    }
}
