//! How often each check finds something in genuine files.

use std::collections::{BTreeMap, BTreeSet};

use bsl::Catalog;
use dcs::Document;
use serde::Serialize;

use super::check::{Needs, Severity};
use super::checks::CHECKS;
use super::report::{Finding, Options, Report, check};

/// What was counted over a number of files. Files with equal bytes count once, with the first of their names.
#[derive(Clone, Debug, Default)]
pub struct Calibration {
    files: BTreeSet<String>,
    configurations: BTreeSet<String>,
    clean: usize,
    with_index: usize,
    hits: BTreeMap<&'static str, Hits>,
}

#[derive(Clone, Debug, Default)]
struct Hits {
    findings: usize,
    files: usize,
    configurations: BTreeSet<String>,
    example: String,
}

/// A check's line.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Line {
    /// The check.
    pub check: &'static str,
    /// Its level.
    pub level: u8,
    /// What follows from a finding.
    pub severity: Severity,
    /// It is on by default.
    pub on: bool,
    /// How much it found.
    pub findings: usize,
    /// Distinct files in which it found something.
    pub files: usize,
    /// Configurations of those files.
    pub configurations: usize,
    /// The first place.
    pub example: String,
}

/// Runs every check that needs the file alone, those off by default among them.
pub fn measure(bytes: &[u8]) -> Report {
    measure_in(bytes, None)
}

/// [`measure`] in a configuration, with the checks that need one.
pub fn measure_in(bytes: &[u8], catalog: Option<&dyn Catalog>) -> Report {
    check(&Document::parse(bytes), &Options { all: true, catalog, ..Options::default() })
}

impl Calibration {
    /// Adds a file: its name, the configuration it belongs to, what was found in it.
    pub fn add(&mut self, file: &str, configuration: &str, report: &Report) {
        self.files.insert(file.to_owned());
        self.configurations.insert(configuration.to_owned());
        let is_on = |finding: &Finding| CHECKS.iter().any(|check| check.code == finding.check && check.is_on);
        self.clean += usize::from(!report.findings.iter().any(is_on));
        self.with_index += usize::from(report.skipped.is_empty());
        let mut seen: BTreeSet<&str> = BTreeSet::new();
        for finding in &report.findings {
            let hits = self.hits.entry(finding.check).or_default();
            hits.findings += 1;
            if seen.insert(finding.check) {
                hits.files += 1;
                hits.configurations.insert(configuration.to_owned());
            }
            if hits.example.is_empty() {
                hits.example = format!("{file}:{}: {}", finding.line, finding.what.en);
            }
        }
    }

    /// How many files were looked at.
    pub fn files(&self) -> usize {
        self.files.len()
    }

    /// Of how many configurations.
    pub fn configurations(&self) -> usize {
        self.configurations.len()
    }

    /// In how many files no check that is on found anything.
    pub fn clean(&self) -> usize {
        self.clean
    }

    /// How many files had their configuration beside them.
    pub fn with_index(&self) -> usize {
        self.with_index
    }

    /// All checks that were run, in their order.
    pub fn lines(&self) -> Vec<Line> {
        let has_run = |check: &&super::Check| check.needs == Needs::File || self.with_index > 0;
        let line = |check: &super::Check| {
            let hits = self.hits.get(check.code).cloned().unwrap_or_default();
            Line {
                check: check.code,
                level: check.level,
                severity: check.severity,
                on: check.is_on,
                findings: hits.findings,
                files: hits.files,
                configurations: hits.configurations.len(),
                example: hits.example,
            }
        };
        CHECKS.iter().filter(has_run).map(line).collect()
    }

    /// Checks that block and found something: they are wrong.
    pub fn lying(&self) -> Vec<&'static str> {
        let lines = self.lines().into_iter().filter(|line| line.severity == Severity::Blocking && line.files > 0);
        lines.map(|line| line.check).collect()
    }

    /// The ledger: a table of the checks that need the file alone (tab separated, with a header), without examples.
    pub fn ledger(&self) -> String {
        let mut out = String::from("check\tlevel\tstate\tfiles\tconfigurations\tof_files\tof_configurations\n");
        let needs_file =
            |line: &Line| CHECKS.iter().any(|check| check.code == line.check && check.needs == Needs::File);
        for line in self.lines().into_iter().filter(needs_file) {
            let state = match (line.severity, line.on) {
                (Severity::Blocking, _) => "blocking",
                (Severity::Advisory, true) => "advisory",
                (Severity::Advisory, false) => "off",
            };
            let (files, configurations) = (self.files(), self.configurations());
            out.push_str(&format!(
                "{}\t{}\t{state}\t{}\t{}\t{files}\t{configurations}\n",
                line.check, line.level, line.files, line.configurations
            ));
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dcs::tests::document;

    #[test]
    fn files_and_configurations_are_counted_once() {
        let mut calibration = Calibration::default();
        let bad =
            document("<parameter><name>П</name></parameter><parameter><name>П</name></parameter>").text().to_owned();
        let good = document("").text().to_owned();
        calibration.add("a/1.dcs", "a", &measure(bad.as_bytes()));
        calibration.add("a/2.dcs", "a", &measure(bad.as_bytes()));
        calibration.add("b/1.dcs", "b", &measure(good.as_bytes()));
        let line = calibration.lines().into_iter().find(|line| line.check == "dcs-parameter-repeated").unwrap();
        assert_eq!((line.files, line.configurations, line.findings), (2, 1, 2));
        assert!(line.example.starts_with("a/1.dcs:1: "), "{}", line.example);
        assert_eq!((calibration.files(), calibration.configurations(), calibration.clean()), (3, 2, 1));
        assert_eq!(calibration.lying(), [] as [&str; 0]);
        assert!(calibration.ledger().contains("dcs-parameter-repeated\t3\tadvisory\t2\t1\t3\t2\n"));
        calibration.add("c", "c", &measure(b"<a>"));
        assert_eq!(calibration.lying(), ["dcs-well-formed", "dcs-root"]);
    }
}
