//! References of the Standard Subsystems Library against hand-made ground truth: exactly the files listed, none of the places
//! that only look alike. Items marked `strict_only` may have more files: values are copied there by name.

#![allow(clippy::unwrap_used, reason = "helpers of tests, where a panic is the message")]

use std::collections::BTreeSet;
use std::fs;

use index::build::{Options, Stop, build};
use index::{Index, Location, ReferenceQuery};
use serde_json::Value;

/// The places of a list of the truth, as (file, line).
fn places(row: &Value, list: &str) -> BTreeSet<(String, u64)> {
    let entries = row[list].as_array().into_iter().flatten();
    let lines = |entry: &Value| {
        let file = entry["file"].as_str().unwrap().to_owned();
        let lines = entry["lines"].as_array().into_iter().flatten().filter_map(Value::as_u64);
        lines.map(|line| (file.clone(), line)).collect::<Vec<_>>()
    };
    entries.flat_map(lines).collect()
}

fn files(places: &BTreeSet<(String, u64)>) -> BTreeSet<&str> {
    places.iter().map(|(file, _)| file.as_str()).collect()
}

#[test]
#[ignore = "corpus"]
fn references_of_the_library_are_exactly_those_listed() {
    let gold = support::gold().expect("ground truth beside the corpus");
    let dump = support::require_corpus("ssl_3_1");
    let folder = support::temp_dir();
    let location = Location::at(folder.path().join("index.db"));
    build(&dump, &location, &Options::default(), &Stop::default(), &|_| {}).unwrap();
    let index = Index::open(&location).unwrap();
    let mut wrong = Vec::new();
    for line in fs::read_to_string(gold.join("refs.dev.jsonl")).unwrap().lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        let item = row["item"].as_str().unwrap();
        let target = index.require_target(item).unwrap();
        let query = ReferenceQuery { limit: usize::MAX, ..ReferenceQuery::default() };
        let found = index.references(&target, &query).unwrap().rows;
        let found: BTreeSet<(String, u64)> = found.into_iter().map(|row| (row.file, u64::from(row.line))).collect();
        let (wanted, same) = (places(&row, "refs"), places(&row, "same_name"));
        let missing: Vec<&str> = files(&wanted).difference(&files(&found)).copied().collect();
        let extra: Vec<&str> = files(&found).difference(&files(&wanted)).copied().collect();
        // A line may hold both the thing and a namesake.
        let alike: Vec<_> = found.intersection(&same).filter(|place| !wanted.contains(place)).collect();
        let strict = row["strict_only"].as_bool().unwrap_or(false);
        if !missing.is_empty() || !strict && !extra.is_empty() || !alike.is_empty() {
            wrong.push(format!("{item}\n  missing {missing:?}\n  extra {extra:?}\n  namesakes {alike:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
