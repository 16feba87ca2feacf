//! Callers and callees.

use super::compact::Rows;
use super::{Answer, Index, NameId, Reason};
use crate::Result;
use graph::paths::walk::{Bounds, walk};
use graph::paths::{Arc, Direction};
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};

/// An edge as answers show it; the keys are the contract's.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EdgeRow {
    /// Who calls, or holds the link.
    pub source: String,
    /// What is reached.
    pub target: String,
    /// Channel.
    pub channel: String,
    /// Confidence.
    pub confidence: String,
    /// File that proves it, relative to the root of the dump.
    pub file: String,
    /// 1-based line; 0 where a whole file is the proof.
    pub line: u32,
    /// Distance from what was asked for, from 1.
    pub depth: u32,
    /// It leads back to where the walk came from: a cycle, cut here.
    #[serde(default, skip_serializing_if = "is_false")]
    pub cycle: bool,
    /// The call goes from a client to the server.
    #[serde(default, skip_serializing_if = "is_false")]
    pub crosses: bool,
    /// Contexts in which the source compiles and the target is not there (`thin_client` …).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missing_in: Vec<String>,
    /// The target is in none of the contexts in which the source compiles: the call can't compile, or never runs.
    #[serde(default, skip_serializing_if = "is_false")]
    pub impossible: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference")]
fn is_false(value: &bool) -> bool {
    !*value
}

/// How far and along what to walk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Walk {
    /// How many edges deep; 1 gives direct callers only.
    pub depth: u32,
    /// Channels to follow; empty: all.
    pub channels: Vec<String>,
    /// Most rows.
    pub limit: usize,
}

impl Default for Walk {
    fn default() -> Self {
        Self { depth: 1, channels: Vec::new(), limit: 1000 }
    }
}

/// An edge in numbers, as the writer keeps it: in the order of its table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct RawEdge<Name = NameId> {
    pub source: Name,
    pub target: Name,
    pub channel: i64,
    pub line: u32,
    pub file: u32,
    pub confidence: i64,
}

/// Every edge, halves joined.
pub(crate) const ALL_EDGES: &str = "\
    SELECT source, target, channel, confidence, file, line FROM edge
    UNION ALL
    SELECT a.node, b.node, a.channel, max(a.confidence, b.confidence), a.file, a.line
    FROM half a JOIN half b ON b.channel = a.channel AND b.hub = a.hub AND b.side = 1
    WHERE a.side = 0";

impl Index {
    /// Who calls a thing, or is linked to it. Of a module or an object: who calls its methods from outside. A method of an
    /// extension that overrides one of the base runs when that one is called: its callers are among the answer.
    ///
    /// # Errors
    /// If the file can't be read.
    pub fn callers(&self, of: NameId, walk: &Walk) -> Result<Answer<EdgeRow>> {
        self.walk(of, walk, Direction::Callers)
    }

    /// What a thing calls, or is linked to. Of a module or an object: what its methods call outside, and the methods that its own
    /// description, flowchart, items or commands are linked to, which are its own as a rule.
    ///
    /// # Errors
    /// If the file can't be read.
    pub fn callees(&self, of: NameId, walk: &Walk) -> Result<Answer<EdgeRow>> {
        self.walk(of, walk, Direction::Callees)
    }

    fn walk(&self, of: NameId, bounds: &Walk, direction: Direction) -> Result<Answer<EdgeRow>> {
        let mut starts = self.code_of(of)?;
        let code: FxHashSet<NameId> = starts.iter().copied().collect();
        starts.extend(self.declared_by(of, &code)?);
        if direction == Direction::Callers {
            starts.extend(self.overridden_by(of)?);
        }
        let graph = self.graph(direction)?;
        let filter = self.channel_filter(&bounds.channels)?;
        let follow =
            |arc: &Arc| bounds.channels.is_empty() || filter.get(usize::from(arc.channel)).copied().unwrap_or(false);
        let limits = Bounds { depth: bounds.depth, limit: bounds.limit };
        // A call from one method of a module to another is the module's own affair; that an object's flowchart runs a handler of
        // its module is what one asks about.
        let within = |arc: &Arc| direction == Direction::Callees && !code.contains(&arc.source);
        let found = walk(&graph, &starts, limits, within, follow);
        let rows = Rows::new(self)?;
        let row = |step: &graph::paths::walk::Step| {
            Ok(EdgeRow { cycle: step.cycle && bounds.depth > 1, ..rows.edge(&step.arc, step.depth)? })
        };
        let rows = found.steps.iter().map(row).collect::<Result<Vec<_>>>()?;
        let mut reasons = Vec::new();
        if found.more {
            reasons.push(Reason::LimitReached { limit: bounds.limit });
        }
        if found.deeper && bounds.depth > 1 {
            reasons.push(Reason::DepthReached { depth: bounds.depth });
        }
        match direction {
            Direction::Callers => reasons.extend(self.hidden_callers(of)?),
            Direction::Callees => reasons.extend(self.hidden_callees(&starts)?),
        }
        Ok(Answer::new(rows, reasons))
    }

    /// The thing itself; of a module also its methods and statements, of an object those of all its modules, of a form also
    /// its items and commands.
    pub(crate) fn with_parts(&self, of: NameId) -> Result<Vec<NameId>> {
        let mut all = self.code_of(of)?;
        let known: FxHashSet<NameId> = all.iter().copied().collect();
        all.extend(self.declared_by(of, &known)?);
        Ok(all)
    }

    /// Methods, and bodies of modules, that a thing is or has.
    fn code_of(&self, of: NameId) -> Result<Vec<NameId>> {
        self.rows(
            "SELECT id FROM method WHERE id = ?1 OR module = ?1
             UNION SELECT m.id FROM method m JOIN module x ON x.id = m.module WHERE x.object = ?1
             UNION SELECT body FROM module WHERE (id = ?1 OR object = ?1 OR body = ?1) AND body IS NOT NULL",
            [of],
            |row| row.get::<_, NameId>(0),
        )
    }

    /// What a thing is and has beside `code`: itself, its modules, of a form its items and commands.
    fn declared_by(&self, of: NameId, code: &FxHashSet<NameId>) -> Result<Vec<NameId>> {
        let mut all = vec![of];
        all.extend(
            self.rows("SELECT id FROM module WHERE object = ?1 AND id <> ?1", [of], |row| row.get::<_, NameId>(0))?,
        );
        if !self.rows("SELECT 1 FROM form WHERE id = ?1", [of], |_| Ok(()))?.is_empty() {
            let prefix = self.full_name(of)?;
            // `/` comes right after `.`: all names that go on with a dot.
            let range = [format!("{prefix}."), format!("{prefix}/")];
            all.extend(
                self.rows("SELECT id FROM names WHERE name > ?1 AND name < ?2", range, |row| row.get::<_, NameId>(0))?,
            );
        }
        all.sort_unstable();
        all.dedup();
        all.retain(|id| !code.contains(id));
        Ok(all)
    }
}
