//! The call graph of the Standard Subsystems Library against hand-made ground truth, by the rules of its scorer.
//!
//! Recall of a channel: pairs (source, target) of the truth that the graph holds under any channel. Precision: pairs of the
//! channel, whose source's object is covered by the truth, that the truth holds under any channel.

#![allow(clippy::unwrap_used, reason = "helpers of tests, where a panic is the message")]

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::Path;

use index::build::{Options, Stop, build};
use index::{Index, Location, for_each_edge};

/// Least share of recall and precision a channel; one pair may always differ.
const LEAST: f64 = 0.99;

type Pairs = HashSet<(String, String)>;

/// Rows of a string that are mentions, not links.
const NOT_LINKS: &[&str] = &["role=mention", "role=priority", "role=filter", "role=other"];

struct Truth {
    by_channel: BTreeMap<String, Pairs>,
    any: Pairs,
    covered: HashSet<String>,
}

impl Truth {
    fn read(gold: &Path) -> Self {
        let mut truth = Self { by_channel: BTreeMap::new(), any: Pairs::new(), covered: HashSet::new() };
        for entry in fs::read_dir(gold.join("graph")).unwrap() {
            let path = entry.unwrap().path();
            let channel = path.file_stem().unwrap().to_str().unwrap().to_owned();
            let pairs = truth.by_channel.entry(channel.clone()).or_default();
            for row in fs::read_to_string(&path).unwrap().lines().skip(1) {
                let cells: Vec<&str> = row.split('\t').collect();
                let note = cells.get(4).copied().unwrap_or("");
                if channel.starts_with("string_named") && NOT_LINKS.iter().any(|role| note.contains(role)) {
                    continue;
                }
                let pair = (cells[1].to_lowercase(), cells[2].to_lowercase());
                truth.any.insert(pair.clone());
                pairs.insert(pair);
            }
        }
        let listed = fs::read_to_string(gold.join("sources_dev.txt")).unwrap();
        truth.covered = listed.lines().map(str::to_lowercase).collect();
        truth
    }

    fn covers(&self, source: &str) -> bool {
        let owner: Vec<&str> = source.split('.').take(2).collect();
        self.covered.contains(&owner.join("."))
    }
}

#[test]
#[ignore = "corpus"]
fn every_channel_of_the_library_is_found_and_right() {
    let gold = support::gold().expect("ground truth beside the corpus");
    let dump = support::require_corpus("ssl_3_1");
    let folder = support::temp_dir();
    let location = Location::at(folder.path().join("index.db"));
    build(&dump, &location, &Options::default(), &Stop::default(), &|_| {}).unwrap();
    let truth = Truth::read(&gold);
    let (mut mine, mut any) = (BTreeMap::<String, Pairs>::new(), Pairs::new());
    let (mut http, mut targets) = (0, 0);
    for_each_edge(&Index::open(&location).unwrap(), |edge| {
        let pair = (edge.source.to_lowercase(), edge.target.to_lowercase());
        http += usize::from(edge.channel == "http_service");
        targets += 1;
        if truth.covers(&pair.0) {
            mine.entry(edge.channel.clone()).or_default().insert(pair.clone());
        }
        any.insert(pair);
        true
    })
    .unwrap();
    assert_eq!(http, 15, "every handler of an HTTP service stands in the graph");
    assert!(targets > 90_000, "{targets} edges");
    let none = Pairs::new();
    let mut below = Vec::new();
    assert!(truth.by_channel.len() >= 30, "{} channels have rows", truth.by_channel.len());
    for (channel, expected) in &truth.by_channel {
        let found = mine.get(channel).unwrap_or(&none);
        let lost: Vec<_> = expected.difference(&any).collect();
        let extra: Vec<_> = found.difference(&truth.any).collect();
        let allowed = |count: usize| f64::max(1.0, (1.0 - LEAST) * count as f64);
        let wrong = lost.len() as f64 > allowed(expected.len())
            || extra.len() as f64 > allowed(found.len())
            || (!expected.is_empty() && found.is_empty());
        println!(
            "{channel}: truth {}, lost {}, exported {}, extra {}",
            expected.len(),
            lost.len(),
            found.len(),
            extra.len()
        );
        if wrong {
            below.push(format!(
                "{channel}: lost {:?}, extra {:?}",
                &lost[..lost.len().min(3)],
                &extra[..extra.len().min(3)]
            ));
        }
    }
    assert!(below.is_empty(), "below {LEAST}:\n{}", below.join("\n"));
}

/// Channels that the sets read by hand leave out.
const NOT_IN_SETS: &[&str] =
    &["object_event", "by_convention", "notify_execute", "notify_choice", "notify_changed", "session_parameter"];

#[test]
#[ignore = "corpus"]
fn callers_read_by_hand_are_all_there_and_no_other() {
    let gold = support::gold().expect("ground truth beside the corpus");
    let dump = support::require_corpus("ssl_3_1");
    let folder = support::temp_dir();
    let location = Location::at(folder.path().join("index.db"));
    build(&dump, &location, &Options::default(), &Stop::default(), &|_| {}).unwrap();
    let mut callers: BTreeMap<String, HashSet<String>> = BTreeMap::new();
    for_each_edge(&Index::open(&location).unwrap(), |edge| {
        if !NOT_IN_SETS.contains(&edge.channel.as_str()) {
            callers.entry(edge.target.to_lowercase()).or_default().insert(edge.source.to_lowercase());
        }
        true
    })
    .unwrap();
    let sets = fs::read_to_string(gold.join("hand.dev.jsonl")).unwrap();
    let mut wrong = Vec::new();
    for line in sets.lines() {
        let set: serde_json::Value = serde_json::from_str(line).unwrap();
        let method = set["method"].as_str().unwrap();
        let from =
            set["callers"].as_array().unwrap().iter().map(|caller| caller["from"].as_str().unwrap().to_lowercase());
        let expected: HashSet<String> = from.collect();
        let found = callers.remove(&method.to_lowercase()).unwrap_or_default();
        if found != expected {
            let missing: Vec<_> = expected.difference(&found).collect();
            let extra: Vec<_> = found.difference(&expected).collect();
            wrong.push(format!("{method}: missing {missing:?}, extra {extra:?}"));
        }
    }
    assert!(sets.lines().count() >= 30 && wrong.is_empty(), "{}", wrong.join("\n"));
}
