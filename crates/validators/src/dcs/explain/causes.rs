//! What causes a message.

use std::ops::Range;

use dcs::{Document, Element};
use serde::Serialize;

use crate::Text;
use crate::dcs::report::Finding;

/// Most causes that are shown.
const MAX_CAUSES: usize = 20;

/// A place that causes a message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Cause {
    /// It is known to be wrong, or it stands where the message points; otherwise it may be the cause.
    pub sure: bool,
    /// The element: names and keys from the root on.
    pub path: String,
    /// 1-based line of the file.
    pub line: u32,
    /// 1-based column of the file, in characters.
    pub column: u32,
    /// Bytes of the file.
    pub start: usize,
    /// Byte after the last one.
    pub end: usize,
    /// What is there.
    pub what: Text,
    /// Why the platform complains of it.
    pub why: Text,
    /// The nearest right names, best first.
    pub nearest: Vec<String>,
    /// What to do.
    pub mend: Text,
}

/// What is said of a cause.
#[derive(Clone, Debug, Default)]
pub(super) struct Said {
    pub(super) sure: bool,
    pub(super) what: Text,
    pub(super) why: Text,
    pub(super) nearest: Vec<String>,
    pub(super) mend: Text,
}

/// Where causes are put.
pub(super) struct Causes<'d> {
    document: &'d Document,
    found: Vec<Cause>,
}

impl<'d> Causes<'d> {
    pub(super) fn new(document: &'d Document) -> Self {
        Self { document, found: Vec::new() }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// Adds a cause at bytes of the text of an element.
    pub(super) fn in_text(&mut self, element: Element<'_>, range: Range<usize>, said: Said) {
        let place = element.byte_of_text(range.start).zip(element.byte_of_text(range.end));
        let inner = element.inner_range();
        let whole = if inner.is_empty() { element.range() } else { inner };
        let range = place.map_or(whole, |(start, end)| start..end);
        self.add(element.path(), range, said);
    }

    /// Adds a cause at what stands in an element.
    pub(super) fn inside(&mut self, element: Element<'_>, said: Said) {
        let inner = element.inner_range();
        let range = if inner.is_empty() || element.children().next().is_some() { element.start_tag() } else { inner };
        self.add(element.path(), range, said);
    }

    /// What a check found, as a cause.
    pub(super) fn finding(&mut self, finding: &Finding, why: Text) {
        let said =
            Said { sure: true, what: finding.what.clone(), why, nearest: Vec::new(), mend: finding.mend.clone() };
        self.add(finding.path.clone(), finding.start..finding.end, said);
    }

    fn add(&mut self, path: String, range: Range<usize>, said: Said) {
        let tree = self.document.tree();
        self.found.push(Cause {
            sure: said.sure,
            path,
            line: tree.line(range.start),
            column: tree.column(range.start),
            start: range.start,
            end: range.end,
            what: said.what,
            why: said.why,
            nearest: said.nearest,
            mend: said.mend,
        });
    }

    /// The causes, the surest first; of those at one place the first. Where there is a sure one, the others don't count.
    pub(super) fn finish(mut self) -> Vec<Cause> {
        self.found.sort_by_key(|cause| (!cause.sure, cause.start));
        if self.found.iter().any(|cause| cause.sure) {
            self.found.retain(|cause| cause.sure);
        }
        let mut seen: Vec<(usize, usize)> = Vec::new();
        self.found.retain(|cause| {
            let place = (cause.start, cause.end);
            let is_new = !seen.contains(&place);
            seen.push(place);
            is_new && seen.len() <= MAX_CAUSES
        });
        self.found
    }
}
