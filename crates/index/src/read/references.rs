//! Every place that refers to a thing: stored rows, and what could be more of them.

use super::{Answer, ImpactTarget, Index, NameId, Reason, Walk};
use crate::{Deadline, Result};
use rustc_hash::FxHashSet;
use serde::Serialize;

/// Places that are named of those that could be references too.
const PLACES: usize = 5;

/// A place that refers to a thing: a row of the view `refs`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct ReferenceRow {
    /// Full name of the thing.
    pub target: String,
    /// Full name of who refers to it: a method, object, form, role …
    pub source: String,
    /// Kind of reference; of a method the channel of the edge.
    pub kind: String,
    /// File, relative to the root of the dump.
    pub file: String,
    /// 1-based line; 0 where the file as a whole is meant.
    pub line: u32,
}

/// Which references are wanted.
#[derive(Debug, Clone, Default)]
pub struct ReferenceQuery {
    /// Kinds of reference; empty: all.
    pub kinds: Vec<String>,
    /// Most rows.
    pub limit: usize,
    /// When the look at what could be more has to stop; what is stored is found in any case.
    pub until: Deadline,
}

impl Index {
    /// Every place that refers to a thing, by file and line. Of a method: every edge to it.
    ///
    /// # Errors
    /// If the index can't be read.
    pub fn references(&self, target: &ImpactTarget, query: &ReferenceQuery) -> Result<Answer<ReferenceRow>> {
        let Some(id) = self.referred(target)? else { return Ok(Answer::new(Vec::new(), Vec::new())) };
        if target.named.kind == "method" {
            return self.references_to_method(id, query);
        }
        let mut reasons = Vec::new();
        let all = self.rows(
            "SELECT target, source, kind, file, line FROM refs WHERE target = (SELECT name FROM names WHERE id = ?1)
             ORDER BY file, line, kind, source",
            [id],
            |row| {
                Ok(ReferenceRow {
                    target: row.get(0)?,
                    source: row.get(1)?,
                    kind: row.get(2)?,
                    file: row.get::<_, Option<String>>(3)?.unwrap_or_default(),
                    line: row.get(4)?,
                })
            },
        )?;
        if query.kinds.is_empty() {
            self.more_references(target, &all, query.until, &mut reasons)?;
        }
        let mut rows = all;
        rows.retain(|row| query.kinds.is_empty() || query.kinds.contains(&row.kind));
        if rows.len() > query.limit {
            rows.truncate(query.limit);
            reasons.push(Reason::LimitReached { limit: query.limit });
        }
        Ok(Answer::new(rows, reasons))
    }

    /// The number under which references to a thing are stored: a predefined item has one of its own.
    pub(crate) fn referred(&self, target: &ImpactTarget) -> Result<Option<NameId>> {
        match &target.item {
            Some(item) => Ok(self.by_key(&format!("{}.{item}", target.named.full_name))?.map(|named| named.id)),
            None => Ok(Some(target.named.id)),
        }
    }

    fn references_to_method(&self, id: NameId, query: &ReferenceQuery) -> Result<Answer<ReferenceRow>> {
        let walk = Walk { depth: 1, channels: query.kinds.clone(), limit: query.limit };
        let found = self.callers(id, &walk)?;
        let row = |edge: super::EdgeRow| ReferenceRow {
            target: edge.target,
            source: edge.source,
            kind: edge.channel,
            file: edge.file,
            line: edge.line,
        };
        Ok(Answer { state: found.state, rows: found.rows.into_iter().map(row).collect() })
    }

    /// What could be more: the same name on values that nothing is known of, and in literals that could name anything.
    fn more_references(
        &self,
        target: &ImpactTarget,
        known: &[ReferenceRow],
        until: Deadline,
        reasons: &mut Vec<Reason>,
    ) -> Result<()> {
        let subject = self.subject(target)?;
        // What is inside of an object has its own answer; an object may be named in more than one way.
        let own = if subject.is_object() { subject.wanted.as_slice() } else { subject.wanted.get(..1).unwrap_or(&[]) };
        if own.is_empty() {
            return Ok(());
        }
        let known: FxHashSet<(&str, u32)> = known.iter().map(|row| (&*row.file, row.line)).collect();
        let (mut untyped, mut named) = (Vec::new(), Vec::new());
        let (mentions, looked) = self.mentions_of(own, until)?;
        let mut seen = FxHashSet::default();
        for (mention, _, file) in mentions {
            let path = self.file(file)?;
            let is_known = known.contains(&(&*path, mention.line)) || mention.kind == "bsl_query";
            if is_known || !seen.insert((file, mention.line)) {
                continue;
            }
            let places = if mention.kind == "bsl_property" { &mut untyped } else { &mut named };
            places.push(format!("{path}:{}", mention.line));
        }
        if own.iter().filter_map(|wanted| wanted.part.as_ref()).any(|part| part.role.is_field()) {
            for (file, line) in self.open_fields(&subject)? {
                let path = self.file(file)?;
                if !known.contains(&(&*path, line)) && seen.insert((file, line)) {
                    untyped.push(format!("{path}:{line}"));
                }
            }
        }
        for (places, make) in [
            (untyped, (|places, count| Reason::SameName { places, count }) as fn(Vec<String>, usize) -> Reason),
            (named, |places, count| Reason::NamedInStrings { places, count }),
        ] {
            let (count, mut places) = (places.len(), places);
            places.truncate(PLACES);
            if count > 0 {
                reasons.push(make(places, count));
            }
        }
        reasons.extend(looked.reason());
        let unread = self.meta("unread_files")?.and_then(|count| count.parse().ok()).unwrap_or(0);
        if unread > 0 {
            reasons.push(Reason::UnreadFiles { count: unread });
        }
        Ok(())
    }
}
