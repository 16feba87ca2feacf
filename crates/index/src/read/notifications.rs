//! Flows of notifications: which event is sent where, and who tells it apart.
//!
//! `Оповестить("Записан заказ")` reaches every open form, whose `ОбработкаОповещения` compares the name, wholly or in part. Both
//! sides are stored as halves of edges that meet in the name: an event that nobody tells apart, and one that nobody sends, are
//! seen as well.

use super::{Answer, Index, NameId, Reason};
use crate::Result;
use rustc_hash::FxHashSet;
use serde::Serialize;

/// An event with both its ends.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct NotificationFlow {
    /// The name as some literal writes it; in lower case where none does. `*` stands for the part that handlers don't compare.
    pub event: String,
    /// Who sends it.
    pub senders: Vec<NotificationEnd>,
    /// Who tells it apart.
    pub handlers: Vec<NotificationEnd>,
}

/// A sender or a handler of an event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct NotificationEnd {
    /// The method.
    pub method: String,
    /// Channel: whether the name is compared as a whole, in part, or by a method that a form's handler hands it on to.
    pub channel: String,
    /// Confidence.
    pub confidence: String,
    /// File that proves it.
    pub file: String,
    /// 1-based line in it; 0 where a whole file is the proof.
    pub line: u32,
    /// What of the name a handler compares, where that is not all of it: `Запись_*`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compares: Option<String>,
    /// Number of the method.
    #[serde(skip)]
    id: NameId,
}

/// Events, in the order of their names.
const HALVES: &str = "\
    SELECT h.hub, h.side, h.node, n.name, c.word, w.word, f.path, h.line FROM half h JOIN words c ON c.id = h.channel
    JOIN words w ON w.id = h.confidence JOIN names n ON n.id = h.node JOIN file f ON f.id = h.file
    WHERE c.word LIKE 'notification_event%' ORDER BY h.hub, n.name, h.line";

impl Index {
    /// The flows of all events; with a `filter`, of those whose name holds that text, or that one of some methods sends or
    /// tells apart.
    ///
    /// # Errors
    /// If the file can't be read.
    pub fn notifications(&self, filter: &NotificationFilter) -> Result<Answer<NotificationFlow>> {
        let mut whole: Vec<(String, NotificationFlow)> = Vec::new();
        let mut parts: Vec<(String, NotificationFlow)> = Vec::new();
        for (hub, is_handler, end) in self.ends()? {
            let list = if hub.contains('*') { &mut parts } else { &mut whole };
            if list.last().is_none_or(|(last, _)| *last != hub) {
                let event = hub.clone();
                list.push((hub, NotificationFlow { event, senders: Vec::new(), handlers: Vec::new() }));
            }
            if let Some((_, flow)) = list.last_mut() {
                if is_handler { flow.handlers.push(end) } else { flow.senders.push(end) }
            }
        }
        // A handler that compares a part tells every whole name with that part apart; alone it stands where none is sent.
        let mut flows = Vec::new();
        for (hub, mut flow) in whole {
            for (pattern, part) in parts.iter().filter(|(pattern, _)| matches(pattern, &hub)) {
                let known: FxHashSet<NameId> = flow.handlers.iter().map(|handler| handler.id).collect();
                let new = part.handlers.iter().filter(|handler| !known.contains(&handler.id)).cloned();
                flow.handlers.extend(new.map(|handler| NotificationEnd { compares: Some(pattern.clone()), ..handler }));
            }
            flows.push((hub, flow));
        }
        let alone = |(pattern, _): &(String, NotificationFlow)| !flows.iter().any(|(hub, _)| matches(pattern, hub));
        let alone: Vec<_> = parts.into_iter().filter(alone).collect();
        flows.extend(alone);
        let wanted = flows.into_iter().filter(|(hub, flow)| filter.takes(hub, flow));
        let rows = wanted.map(|(hub, flow)| self.spelt(&hub, flow)).collect::<Result<Vec<_>>>()?;
        Ok(Answer::new(rows, self.hidden_senders(filter)?))
    }

    fn ends(&self) -> Result<Vec<(String, bool, NotificationEnd)>> {
        let mut ends = self.rows(HALVES, [], |row| {
            let end = NotificationEnd {
                method: row.get(3)?,
                channel: row.get(4)?,
                confidence: row.get(5)?,
                file: row.get(6)?,
                line: row.get(7)?,
                compares: None,
                id: row.get(2)?,
            };
            Ok((row.get::<_, String>(0)?, row.get::<_, i64>(1)? == 1, end))
        })?;
        // The same call is a half of several channels.
        let mut seen = FxHashSet::default();
        ends.retain(|(hub, is_handler, end)| seen.insert((hub.clone(), *is_handler, end.id, end.line)));
        Ok(ends)
    }

    /// A flow with its name as a literal of a sender or handler writes it.
    fn spelt(&self, hub: &str, mut flow: NotificationFlow) -> Result<NotificationFlow> {
        for end in flow.senders.iter().chain(&flow.handlers) {
            let sql = "SELECT t.text FROM string s JOIN texts t ON t.id = s.value WHERE s.method = ?1";
            let texts = self.rows(sql, [end.id], |row| row.get::<_, String>(0))?;
            if let Some(text) = texts.into_iter().find(|text| bsl::fold(text.trim()) == hub) {
                flow.event = text.trim().to_owned();
                break;
            }
        }
        Ok(flow)
    }

    /// Sends of an event whose name only run time knows could be of any event, as far as what is known of it allows.
    fn hidden_senders(&self, filter: &NotificationFilter) -> Result<Vec<Reason>> {
        let mut reasons = self.unread()?;
        let sql =
            "SELECT s.file, s.line, s.known FROM dynamic_site s JOIN words w ON w.id = s.kind WHERE w.word = 'event'";
        let sites = self.rows(sql, [], |row| Ok(((row.get(0)?, row.get(1)?), row.get::<_, String>(2)?)))?;
        let could =
            |known: &String| filter.text.is_empty() || known.is_empty() || meet(&bsl::fold(known), &filter.text);
        let places = sites.into_iter().filter(|(_, known)| could(known)).map(|(place, _)| place).collect();
        reasons.extend(self.dynamic_reason(places)?);
        Ok(reasons)
    }
}

/// Which flows are asked for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NotificationFilter {
    /// Part of the event's name, folded; empty: any.
    text: String,
    /// Methods at one of the ends; None: any.
    methods: Option<FxHashSet<NameId>>,
}

impl NotificationFilter {
    /// Events whose name holds a text, or is told apart by a handler that compares a part of that name.
    #[must_use]
    pub fn event(text: &str) -> Self {
        Self { text: bsl::fold(text.trim()), methods: None }
    }

    /// Events that some thing sends or tells apart: a method, or the methods of a module, form or object.
    ///
    /// # Errors
    /// If the file can't be read.
    pub fn of(index: &Index, thing: NameId) -> Result<Self> {
        Ok(Self { text: String::new(), methods: Some(index.with_parts(thing)?.into_iter().collect()) })
    }

    fn takes(&self, hub: &str, flow: &NotificationFlow) -> bool {
        let ends = || flow.senders.iter().chain(&flow.handlers);
        (self.text.is_empty() || hub.contains(&self.text) || matches(hub, &self.text))
            && self.methods.as_ref().is_none_or(|methods| ends().any(|end| methods.contains(&end.id)))
    }
}

/// Whether a name is one of a pattern's: `запись_*`, `*_заказ`, `*заказ*`.
fn matches(pattern: &str, name: &str) -> bool {
    match (pattern.strip_prefix('*'), pattern.strip_suffix('*')) {
        (Some(_), Some(_)) => name.contains(pattern.trim_matches('*')),
        (Some(end), None) => name.ends_with(end),
        (None, Some(start)) => name.starts_with(start),
        (None, None) => pattern == name,
    }
}

/// Whether what is known of a computed name could be a name that holds a text: one of its known parts, or the text, is in the
/// other.
fn meet(known: &str, text: &str) -> bool {
    known.split('*').filter(|part| !part.is_empty()).all(|part| text.contains(part) || part.contains(text))
}

#[cfg(test)]
mod tests {
    use super::{matches, meet};

    #[test]
    fn parts_of_names() {
        assert!(matches("запись_*", "запись_заказ") && !matches("запись_*", "отмена"));
        assert!(matches("*_заказ", "запись_заказ") && matches("*ись*", "запись") && matches("отмена", "отмена"));
        assert!(meet("запись_*", "запись_заказ") && meet("*", "отмена") && !meet("запись_*", "отмена"));
    }
}
