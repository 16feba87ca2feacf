//! What breaks when a thing is deleted or changed: see [`graph::impact`].

mod code;
mod forms;
mod queries;
mod references;
mod subject;

use super::compact::Rows;
use super::{EdgeRow, Index, NameId, Reason, State};
use crate::{Deadline, Result};
use graph::impact::rules::rule;
use graph::impact::spread::{spread, unused_after};
use graph::impact::{Change, Phase, Severity};
use graph::paths::cheapest::cost;
use graph::paths::{Arc, Direction};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::Serialize;
use std::rc::Rc;
use subject::Subject;

pub use subject::ImpactTarget;

/// What a reference costs more that is less likely than others of its confidence.
const FAR: u32 = 20;
/// Names that a step of the order shows.
const IN_STEP: usize = 50;

/// What is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImpactQuery {
    /// What is done to the thing.
    pub change: Change,
    /// Most rows of each group.
    pub limit: usize,
    /// How many calls deep consequences are followed; 0: what breaks directly.
    pub depth: u32,
    /// When the look at code and templates has to stop.
    pub until: Deadline,
}

impl Default for ImpactQuery {
    fn default() -> Self {
        Self { change: Change::Delete, limit: 100, depth: 20, until: Deadline::NEVER }
    }
}

/// What breaks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Impact {
    /// Full name of the thing.
    pub target: String,
    /// Its kind.
    pub kind: String,
    /// Support by a vendor of the object that it is, or belongs to: `locked`, `editable`, `removed`, `own`; empty if there is none.
    pub support: String,
    /// What is done to it.
    pub change: Change,
    /// Number of breaks of each group, the worst first.
    pub counts: Vec<GroupCount>,
    /// The breaks: the worst group first; in it the sure and near ones first.
    pub breaks: Vec<Break>,
    /// What to do before, so that nothing breaks: steps in their order.
    pub order: Vec<OrderStep>,
    /// Methods that only the deleted ones call: nothing uses them any more then.
    pub unused_after: Vec<String>,
}

/// Number of breaks of a group.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct GroupCount {
    /// The group.
    pub severity: Severity,
    /// What refers to the thing itself.
    pub direct: usize,
    /// What follows through chains.
    pub following: usize,
}

/// A thing that breaks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Break {
    /// How bad it is.
    pub severity: Severity,
    /// What breaks: a method, form, role, job, object …
    pub what: String,
    /// Kind of reference, or channel, of its step of the chain.
    pub kind: String,
    /// How sure the weakest step of the chain is.
    pub certainty: String,
    /// File that proves it, relative to the root of the dump.
    pub file: String,
    /// 1-based line; 0 where a whole file is the proof.
    pub line: u32,
    /// Steps from the thing; 1: it refers to the thing itself.
    pub depth: u32,
    /// A user, a job or another system comes in here.
    pub entry: bool,
    /// What more is known: a form's item, a right, a context.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub note: String,
    /// From what breaks to the thing: each step is a call or a reference.
    pub chain: Vec<EdgeRow>,
}

/// A step of a safe order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct OrderStep {
    /// What is edited; None: the last step, the change itself.
    pub phase: Option<Phase>,
    /// Full names, what stands nearest first; at most fifty.
    pub names: Vec<String>,
    /// Number of names in all.
    pub total: usize,
}

/// A reference to the thing, or to a part of it.
#[derive(Debug, Clone)]
pub(crate) struct Direct {
    /// Number of what refers, where it has one.
    pub node: Option<NameId>,
    /// Its full name, where it has no number.
    pub name: Option<Rc<str>>,
    /// Which part of the thing it refers to.
    pub target: NameId,
    /// Kind of reference, or channel.
    pub kind: Rc<str>,
    /// It stands in the target's own module.
    pub own: bool,
    /// Rank of the confidence.
    pub rank: u8,
    /// Less likely than others of its rank.
    pub far: bool,
    pub file: u32,
    pub line: u32,
    pub note: String,
    /// It isn't a reference: what the thing gives is lost there.
    pub loss: bool,
    /// From a thing that itself refers to the target: one step further.
    pub through: Option<Box<Direct>>,
}

/// A break before it is a row: its place in the order, and where it comes from.
struct Found {
    severity: Severity,
    weight: Weight,
    source: Source,
}

/// What the chain to a break costs, so that sure and short ones come first; the rank of its weakest step; its steps.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Weight {
    cost: u32,
    rank: u8,
    depth: u32,
}

impl Weight {
    /// Of a reference itself.
    fn of(one: &Direct) -> Self {
        let through = one.through.as_deref().map_or(Self { cost: 0, rank: 1, depth: 0 }, Self::of);
        let far = if one.far { FAR } else { 0 };
        Self { cost: through.cost + cost(one.rank) + far, rank: through.rank.max(one.rank), depth: through.depth + 1 }
    }

    /// One edge further.
    fn after(self, arc: &Arc) -> Self {
        Self { cost: self.cost + cost(arc.confidence), rank: self.rank.max(arc.confidence), depth: self.depth + 1 }
    }
}

enum Source {
    Direct(usize),
    /// The node that the failure gets to.
    Reached(NameId),
    /// An edge from outside into a node that fails.
    Entry(Arc),
}

impl Index {
    /// What breaks when a thing is changed, with counts, the order of a safe change and what could hide more.
    ///
    /// # Errors
    /// If the index can't be read.
    pub fn impact(&self, target: &ImpactTarget, query: &ImpactQuery) -> Result<(Impact, State)> {
        let subject = self.subject(target)?;
        let (mut direct, looked) = self.direct_references(&subject, query.change, query.until)?;
        let severity = |one: &Direct| graph::impact::rules::edge_rule(&one.kind, one.own).severity(query.change);
        direct.retain(|one| severity(one).is_some());
        let callers = self.graph(Direction::Callers)?;

        let mut found: Vec<Found> = Vec::new();
        for (place, one) in direct.iter().enumerate() {
            if let Some(severity) = severity(one) {
                found.push(Found { severity, weight: Weight::of(one), source: Source::Direct(place) });
            }
        }
        let by_node = best_by_node(&direct);
        let reached = self.follow(&subject, &direct, &by_node, query, &callers, &mut found)?;
        found.sort_by_key(|one| (one.severity, one.weight));
        let mut reasons = self.hidden_breaks(&subject)?;
        reasons.extend(looked.reason());
        let counts = counts(&found);
        let mut shown: FxHashMap<Severity, usize> = FxHashMap::default();
        let before = found.len();
        found.retain(|one| {
            let count = shown.entry(one.severity).or_default();
            *count += 1;
            *count <= query.limit
        });
        if found.len() < before {
            reasons.push(Reason::LimitReached { limit: query.limit });
        }
        let maker = Maker {
            subject: &subject,
            rows: Rows::new(self)?,
            direct: &direct,
            by_node: &by_node,
            callers: &callers,
            reached: &reached,
        };
        let breaks = found.iter().map(|one| maker.row(one)).collect::<Result<Vec<_>>>()?;
        let order = self.order(&subject, &direct, &maker, query.change)?;
        let impact = Impact {
            target: subject.full_name.clone(),
            kind: subject.kind.clone(),
            support: self.support_of(&subject.full_name)?,
            change: query.change,
            counts,
            breaks,
            order,
            unused_after: self.unused(&subject, query.change, &callers)?,
        };
        Ok((impact, State::of(reasons)))
    }

    /// What follows through chains of calls from methods that break by themselves.
    fn follow(
        &self,
        subject: &Subject,
        direct: &[Direct],
        by_node: &FxHashMap<NameId, usize>,
        query: &ImpactQuery,
        callers: &graph::paths::Graph,
        found: &mut Vec<Found>,
    ) -> Result<graph::paths::cheapest::Reached> {
        let fails = |one: &&Direct| {
            let severity = graph::impact::rules::edge_rule(&one.kind, one.own).severity(query.change);
            // Code that names the job which runs the method doesn't fail with it.
            one.through.is_none() && matches!(severity, Some(Severity::Build | Severity::Runtime))
        };
        let starts: Vec<(NameId, u8)> = match query.depth {
            0 => Vec::new(),
            _ => direct.iter().filter(fails).filter_map(|one| Some((one.node?, one.rank))).collect(),
        };
        let words = self.channel_words()?;
        let carries: Vec<bool> = words
            .iter()
            .map(|word| matches!(rule(word).severity(Change::Delete), Some(Severity::Build | Severity::Runtime)))
            .collect();
        let outside: Vec<&str> = graph::channels::is_from_outside().map(|channel| channel.0).collect();
        let outside = self.channel_filter(&outside)?;
        let is = |filter: &[bool], arc: &Arc| filter.get(usize::from(arc.channel)).copied().unwrap_or(false);
        let reached = spread(callers, &starts, &subject.inside, |arc| is(&carries, arc) && !is(&outside, arc));
        let started: FxHashSet<NameId> = starts.iter().map(|(node, _)| *node).collect();
        let mut known: FxHashMap<NameId, Weight> = FxHashMap::default();
        let mut entered: FxHashSet<(NameId, u16)> = FxHashSet::default();
        for &node in &reached.order {
            // What is reached comes after what it is reached from: the weight of that is known.
            let weight = match reached.last(node) {
                None => by_node.get(&node).and_then(|place| direct.get(*place)).map(Weight::of),
                Some(arc) => known.get(&arc.target).map(|weight| weight.after(&arc)),
            };
            let Some(weight) = weight.filter(|weight| weight.depth <= query.depth + 1) else { continue };
            known.insert(node, weight);
            if !started.contains(&node) {
                found.push(Found { severity: Severity::Runtime, weight, source: Source::Reached(node) });
            }
            for arc in callers.at(node).iter().filter(|arc| is(&outside, arc) && is(&carries, arc)) {
                if !subject.inside.contains(&arc.source) && entered.insert((arc.source, arc.channel)) {
                    let weight = weight.after(arc);
                    found.push(Found { severity: Severity::Runtime, weight, source: Source::Entry(*arc) });
                }
            }
        }
        Ok(reached)
    }

    /// Methods that nothing uses any more once the thing is gone.
    fn unused(&self, subject: &Subject, change: Change, callers: &graph::paths::Graph) -> Result<Vec<String>> {
        if change != Change::Delete {
            return Ok(Vec::new());
        }
        let callees = self.graph(Direction::Callees)?;
        let mut methods: FxHashMap<NameId, bool> = FxHashMap::default();
        let order = {
            let methods = std::cell::RefCell::new(&mut methods);
            unused_after(callers, &callees, &subject.inside, |node| {
                let mut methods = methods.borrow_mut();
                !*methods.entry(node).or_insert_with(|| self.is_method(node))
            })
        };
        order.into_iter().take(IN_STEP).map(|node| self.full_name(node)).collect()
    }

    fn is_method(&self, node: NameId) -> bool {
        self.rows("SELECT 1 FROM method WHERE id = ?1", [node], |_| Ok(())).is_ok_and(|rows| !rows.is_empty())
    }

    /// Steps of a safe change.
    fn order(&self, subject: &Subject, direct: &[Direct], maker: &Maker<'_>, change: Change) -> Result<Vec<OrderStep>> {
        let mut steps = Vec::new();
        for phase in Phase::ALL {
            let mut seen = FxHashSet::default();
            let mut names = Vec::new();
            let mut total = 0;
            let mut of_phase: Vec<&Direct> = direct
                .iter()
                .filter(|one| one.through.is_none() && !one.loss)
                .filter(|one| graph::impact::rules::edge_rule(&one.kind, one.own).phase == phase)
                .collect();
            of_phase.sort_by_key(|one| (one.rank, one.far));
            for one in of_phase {
                let name = maker.name_of(one)?;
                if seen.insert(Rc::clone(&name)) {
                    total += 1;
                    if names.len() < IN_STEP {
                        names.push(name.to_string());
                    }
                }
            }
            if total > 0 {
                steps.push(OrderStep { phase: Some(phase), names, total });
            }
        }
        if change == Change::Delete || !steps.is_empty() {
            steps.push(OrderStep { phase: None, names: vec![subject.full_name.clone()], total: 1 });
        }
        Ok(steps)
    }
}

/// The best reference of each node: its place among the references.
fn best_by_node(direct: &[Direct]) -> FxHashMap<NameId, usize> {
    let mut best: FxHashMap<NameId, usize> = FxHashMap::default();
    for (place, one) in direct.iter().enumerate() {
        let Some(node) = one.node else { continue };
        let better = best.get(&node).and_then(|known| direct.get(*known)).is_none_or(|known| {
            (one.rank, one.far, one.through.is_some()) < (known.rank, known.far, known.through.is_some())
        });
        if better {
            best.insert(node, place);
        }
    }
    best
}

fn counts(found: &[Found]) -> Vec<GroupCount> {
    let count = |severity, is_direct: bool| {
        let of = |one: &&Found| one.severity == severity && matches!(one.source, Source::Direct(_)) == is_direct;
        found.iter().filter(of).count()
    };
    let group = |severity| GroupCount { severity, direct: count(severity, true), following: count(severity, false) };
    Severity::ALL.into_iter().map(group).filter(|group| group.direct + group.following > 0).collect()
}

/// Makes rows of breaks.
struct Maker<'a> {
    subject: &'a Subject,
    rows: Rows<'a>,
    direct: &'a [Direct],
    by_node: &'a FxHashMap<NameId, usize>,
    callers: &'a graph::paths::Graph,
    reached: &'a graph::paths::cheapest::Reached,
}

impl Maker<'_> {
    fn name_of(&self, one: &Direct) -> Result<Rc<str>> {
        match (&one.name, one.node) {
            (Some(name), _) => Ok(Rc::clone(name)),
            (None, Some(node)) => self.rows.name(node),
            (None, None) => Ok("".into()),
        }
    }

    /// The steps of a reference: from what refers to the thing.
    fn steps(&self, one: &Direct) -> Result<Vec<EdgeRow>> {
        let mut steps = Vec::new();
        let mut at = Some(one);
        while let Some(one) = at {
            let target = match &one.through {
                Some(through) => self.name_of(through)?,
                None if one.target == self.subject.id => self.subject.full_name.as_str().into(),
                None => self.rows.name(one.target)?,
            };
            steps.push(EdgeRow {
                source: self.name_of(one)?.to_string(),
                target: target.to_string(),
                channel: one.kind.to_string(),
                confidence: self.rows.confidence(one.rank)?.to_string(),
                file: self.rows.file(one.file)?.to_string(),
                line: one.line,
                ..EdgeRow::default()
            });
            at = one.through.as_deref();
        }
        Ok(steps)
    }

    fn row(&self, found: &Found) -> Result<Break> {
        let mut chain = Vec::new();
        let mut note = String::new();
        let entry = matches!(found.source, Source::Entry(_));
        let node = match &found.source {
            Source::Direct(place) => {
                if let Some(one) = self.direct.get(*place) {
                    chain = self.steps(one)?;
                    note.clone_from(&one.note);
                }
                None
            }
            Source::Reached(node) => Some(*node),
            Source::Entry(arc) => {
                chain.push(self.rows.edge(arc, 0)?);
                Some(arc.target)
            }
        };
        if let Some(node) = node {
            let way = self.reached.way(self.callers, node);
            for arc in way.iter().rev() {
                chain.push(self.rows.edge(arc, 0)?);
            }
            let start = way.first().map_or(node, |arc| arc.target);
            if let Some(one) = self.by_node.get(&start).and_then(|place| self.direct.get(*place)) {
                chain.extend(self.steps(one)?);
            }
        }
        for (depth, step) in (1..).zip(chain.iter_mut().rev()) {
            step.depth = depth;
        }
        let Weight { rank, depth, .. } = found.weight;
        let first = chain.first().cloned().unwrap_or_default();
        Ok(Break {
            severity: found.severity,
            what: first.source,
            kind: first.channel,
            certainty: self.rows.confidence(rank)?.to_string(),
            file: first.file,
            line: first.line,
            depth,
            entry,
            note,
            chain,
        })
    }
}
