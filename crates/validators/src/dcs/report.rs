//! Runs the checks; what they found.

use std::ops::Range;

use bsl::Catalog;
use dcs::{Document, Element};
use serde::Serialize;

use super::check::{Check, Needs, Severity};
use super::checks::CHECKS;
use super::subject::{Subject, Texts};
use crate::Text;

/// Most findings of one check in one file.
const MAX_FINDINGS: usize = 200;

/// Something that a check found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// The check.
    pub check: &'static str,
    /// What follows.
    pub severity: Severity,
    /// The check's level.
    pub level: u8,
    /// The element: names and keys from the root on.
    pub path: String,
    /// 1-based line.
    pub line: u32,
    /// 1-based column, in characters.
    pub column: u32,
    /// Bytes of the file.
    pub start: usize,
    /// Byte after the last one.
    pub end: usize,
    /// What is wrong.
    pub what: Text,
    /// How to mend it.
    pub mend: Text,
}

/// Which checks run.
#[derive(Clone, Copy, Default)]
pub struct Options<'o> {
    /// Those that are off by default, too.
    pub all: bool,
    /// Only these; empty: all.
    pub only: &'o [String],
    /// The configuration, for checks that need it.
    pub catalog: Option<&'o dyn Catalog>,
}

impl Options<'_> {
    fn wants(&self, check: &Check) -> bool {
        match self.only {
            [] => check.is_on || self.all,
            only => only.iter().any(|code| code == check.code),
        }
    }
}

/// What the checks say of a file.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Report {
    /// What was found, in the order of the text.
    pub findings: Vec<Finding>,
    /// Checks that need a configuration and had none.
    pub skipped: Vec<&'static str>,
    /// Files of the configuration that changed since the catalog was made: what they decide was not checked.
    pub outdated: Vec<String>,
}

impl Report {
    /// Whether something blocks.
    pub fn blocks(&self) -> bool {
        self.findings.iter().any(|finding| finding.severity == Severity::Blocking)
    }
}

/// Checks a document.
pub fn check(document: &Document, options: &Options<'_>) -> Report {
    let texts = Texts::of(document);
    let subject = Subject::new(document, &texts, options.catalog);
    let mut report = Report::default();
    for check in CHECKS.iter().filter(|check| options.wants(check)) {
        if check.needs == Needs::Configuration && options.catalog.is_none() {
            report.skipped.push(check.code);
            continue;
        }
        let mut findings = Findings { document, check, found: &mut report.findings, count: 0 };
        (check.run)(&subject, &mut findings);
    }
    report.findings.sort_by_key(|finding| (finding.start, finding.end));
    report.outdated = options.catalog.map(Catalog::outdated).unwrap_or_default();
    report
}

/// Says which files of the configuration are newer than what its index knows of them, and how to mend that. None if there are none.
pub fn outdated_text(files: &[String]) -> Option<Text> {
    const SHOWN: usize = 5;
    if files.is_empty() {
        return None;
    }
    let shown = files.iter().take(SHOWN).map(String::as_str).collect::<Vec<_>>().join(", ");
    let more = |word: &str| match files.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!(" {word} {more}"),
    };
    Some(Text::new(
        format!(
            "индекс старше файлов: {shown}{}; что зависит от них, не проверено. Обновите индекс: metascope index",
            more("и ещё")
        ),
        format!(
            "the index is older than these files: {shown}{}; what depends on them was not checked. Update it: metascope index",
            more("and")
        ),
    ))
}

/// What checks find in a document after an edit and did not find before. Places move; what is said of them doesn't. What was left
/// out, since the configuration is another one by now, the catalog tells ([`Catalog::outdated`]).
pub fn new_findings(before: &Document, after: &Document, options: &Options<'_>) -> Vec<Finding> {
    let of = |finding: Finding| (finding.check, finding.what.ru);
    let mut old: Vec<(&'static str, String)> = check(before, options).findings.into_iter().map(of).collect();
    let mut found = check(after, options).findings;
    found.retain(|finding| {
        match old.iter().position(|(code, what)| *code == finding.check && *what == finding.what.ru) {
            Some(at) => {
                old.swap_remove(at);
                false
            }
            None => true,
        }
    });
    found
}

/// Where a check puts what it finds.
pub(crate) struct Findings<'r> {
    document: &'r Document,
    check: &'static Check,
    found: &'r mut Vec<Finding>,
    count: usize,
}

impl Findings<'_> {
    /// Whether another finding would be kept. What is costly to say (the nearest names) need not be worked out else.
    pub(crate) fn wants_more(&self) -> bool {
        self.count < MAX_FINDINGS
    }

    /// Adds a finding at bytes of the file.
    pub(crate) fn at(&mut self, element: Option<Element<'_>>, range: Range<usize>, what: Text, mend: Text) {
        self.count += 1;
        if self.count > MAX_FINDINGS {
            return;
        }
        let tree = self.document.tree();
        self.found.push(Finding {
            check: self.check.code,
            severity: self.check.severity,
            level: self.check.level,
            path: element.map(Element::path).unwrap_or_default(),
            line: tree.line(range.start),
            column: tree.column(range.start),
            start: range.start,
            end: range.end,
            what,
            mend,
        });
    }

    /// Adds a finding at what stands in an element.
    pub(crate) fn inside(&mut self, element: Element<'_>, what: Text, mend: Text) {
        let inner = element.inner_range();
        let range = if inner.is_empty() { element.range() } else { inner };
        self.at(Some(element), range, what, mend);
    }

    /// Adds a finding at a start tag.
    pub(crate) fn tag(&mut self, element: Element<'_>, what: Text, mend: Text) {
        self.at(Some(element), element.start_tag(), what, mend);
    }

    /// Adds a finding at bytes of the text of an element.
    pub(crate) fn in_text(&mut self, element: Element<'_>, range: Range<usize>, what: Text, mend: Text) {
        let place = element.byte_of_text(range.start).zip(element.byte_of_text(range.end));
        match place {
            Some((start, end)) => self.at(Some(element), start..end, what, mend),
            None => self.inside(element, what, mend),
        }
    }
}
