//! How the checks fare on genuine schemas: nothing blocks, and what is on by default is rare.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use dcs::Document;
use metascope_validators::dcs::{CHECKS, Calibration, Options, Severity, check, measure};
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

/// The folder of a repository in a path: what stands behind the folder of the corpus.
fn configuration(path: &Path) -> String {
    let parts: Vec<String> = path.components().map(|part| part.as_os_str().to_string_lossy().into_owned()).collect();
    match parts.iter().position(|part| part == "reference") {
        Some(at) => parts[at + 1].clone(),
        // A configuration that is a corpus of its own: `ssl_3_1-8624696-1796046454`.
        None => {
            let corpus = parts.iter().position(|part| part == "corpus").and_then(|at| parts.get(at + 1));
            corpus.map_or("?", |name| name.split('-').next().unwrap_or(name)).to_owned()
        }
    }
}

/// `corpus/calibration.tsv` says what is measured today. With `METASCOPE_UPDATE_LEDGER=1` it is written anew; lines of retired
/// checks stay.
#[test]
#[ignore = "corpus"]
fn the_ledger_is_up_to_date() {
    let file = support::workspace_root().join("corpus/calibration.tsv");
    let files = genuine_schemas();
    let reports: Vec<_> = files.par_iter().map(|file| measure(&file.bytes)).collect();
    let mut calibration = Calibration::default();
    for (file, report) in files.iter().zip(&reports) {
        calibration.add(&file.path.display().to_string(), &configuration(&file.path), report);
    }
    let old = std::fs::read_to_string(&file).unwrap_or_default();
    let retired: String =
        old.lines().filter(|line| line.contains("\tretired\t")).map(|line| format!("{line}\n")).collect();
    let measured = calibration.ledger() + &retired;
    if std::env::var_os("METASCOPE_UPDATE_LEDGER").is_some() {
        std::fs::write(&file, measured).expect("the ledger can be written");
    } else {
        assert_eq!(old, measured, "METASCOPE_UPDATE_LEDGER=1 writes it anew");
    }
    assert_eq!(calibration.lying(), [] as [&str; 0]);
    println!(
        "{} of {} files clean, {} configurations",
        calibration.clean(),
        calibration.files(),
        calibration.configurations()
    );
}
