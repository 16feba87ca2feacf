//! How the checks fare on genuine schemas: nothing blocks, and what is on by default is rare.

use std::collections::{BTreeMap, BTreeSet};

use dcs::Document;
use metascope_validators::dcs::{CHECKS, Options, Severity, check};
use rayon::prelude::*;
use support::{SchemaFile, demo_schemas, genuine_schemas};

/// A check that finds something in a larger part of genuine files is off by default.
const MOST: f64 = 0.02;

/// Files in which each check finds something, those off by default among them.
fn hits(files: &[SchemaFile]) -> BTreeMap<&'static str, BTreeSet<String>> {
    let options = Options { all: true, ..Options::default() };
    let found = files.par_iter().map(|file| (file, check(&Document::parse(file.bytes.clone()), &options)));
    let mut hits: BTreeMap<&'static str, BTreeSet<String>> = BTreeMap::new();
    for (file, report) in found.collect::<Vec<_>>() {
        for finding in report.findings {
            let place = format!("{}:{} {}", file.path.display(), finding.line, finding.what.ru);
            let places = hits.entry(finding.check).or_default();
            if !places.iter().any(|other| other.starts_with(&format!("{}:", file.path.display()))) {
                places.insert(place);
            }
        }
    }
    hits
}

#[test]
fn the_demo_has_no_findings() {
    let files = demo_schemas();
    for file in &files {
        let report = check(&Document::parse(file.bytes.clone()), &Options::default());
        assert_eq!(report.findings, [], "{}", file.path.display());
    }
}

#[test]
#[ignore = "corpus"]
fn nothing_blocks_a_genuine_file_and_what_is_on_is_rare() {
    let files = genuine_schemas();
    let hits = hits(&files);
    let mut wrong = Vec::new();
    for check in CHECKS {
        let Some(places) = hits.get(check.code) else { continue };
        let share = places.len() as f64 / files.len() as f64;
        println!("{}: {} of {} files ({:.1} %)", check.code, places.len(), files.len(), share * 100.0);
        for place in places.iter().take(3) {
            println!("    {place}");
        }
        if check.severity == Severity::Blocking || (check.is_on && share > MOST) {
            wrong.push(check.code);
        }
    }
    assert_eq!(wrong, [] as [&str; 0], "these fire on genuine files");
}
