//! Runs the checks; what they found.

use serde::Serialize;

use super::check::{Check, Needs};
use super::checks::CHECKS;
use super::subject::Subject;
use crate::Text;
use crate::dcs::Severity;

/// Most findings of one check in one text.
const MAX_FINDINGS: usize = 200;

/// Something that a check found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// The check.
    pub check: &'static str,
    /// What follows.
    pub severity: Severity,
    /// 1-based line of the text.
    pub line: u32,
    /// 1-based column, in characters; 0 where only the line is known.
    pub column: u32,
    /// The method; None: the statements outside methods.
    pub method: Option<String>,
    /// The name that is wrong, as written; empty where no name is.
    pub name: String,
    /// What is wrong.
    pub what: Text,
    /// How to mend it.
    pub mend: Text,
    /// The nearest names that are right, best first.
    pub nearest: Vec<String>,
}

/// Which checks run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options<'o> {
    /// Only these; empty: all.
    pub only: &'o [String],
}

/// What the checks say of a text.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Report {
    /// What was found, in the order of the text.
    pub findings: Vec<Finding>,
    /// Checks that need a configuration and had none.
    pub skipped: Vec<&'static str>,
}

impl Report {
    /// Whether something blocks.
    pub fn blocks(&self) -> bool {
        self.findings.iter().any(|finding| finding.severity == Severity::Blocking)
    }
}

/// Checks a text.
pub fn check(subject: &Subject<'_>, options: &Options<'_>) -> Report {
    let mut report = Report::default();
    let wanted = |check: &&Check| options.only.is_empty() || options.only.iter().any(|code| code == check.code);
    for check in CHECKS.iter().filter(wanted) {
        if check.needs == Needs::Configuration && subject.ground.is_none() {
            report.skipped.push(check.code);
            continue;
        }
        (check.run)(subject, &mut Findings { subject, check, found: &mut report.findings, count: 0 });
    }
    report.findings.sort_by(|a, b| (a.line, a.column, &a.name).cmp(&(b.line, b.column, &b.name)));
    report
}

/// Where a check puts what it finds.
pub(crate) struct Findings<'r> {
    subject: &'r Subject<'r>,
    check: &'static Check,
    found: &'r mut Vec<Finding>,
    count: usize,
}

/// What is said of a finding.
pub(crate) struct Said {
    /// The name that is wrong.
    pub name: String,
    /// What is wrong.
    pub what: Text,
    /// How to mend it.
    pub mend: Text,
    /// The nearest names.
    pub nearest: Vec<String>,
}

impl Findings<'_> {
    /// Whether another finding would be kept. What is costly to say (the nearest names) need not be worked out else.
    pub(crate) fn wants_more(&self) -> bool {
        self.count < MAX_FINDINGS
    }

    /// Adds a finding at a line.
    pub(crate) fn at(&mut self, line: u32, column: u32, said: Said) {
        self.count += 1;
        if self.count > MAX_FINDINGS {
            return;
        }
        let facts = self.subject.facts;
        let around = facts.methods.iter().find(|method| method.line <= line && line <= method.end_line);
        let Said { name, what, mend, nearest } = said;
        self.found.push(Finding {
            check: self.check.code,
            severity: self.check.severity,
            line,
            column,
            method: around.map(|method| facts.text(method.name).to_owned()),
            name,
            what,
            mend,
            nearest,
        });
    }
}
