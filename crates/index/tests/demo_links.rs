//! The demo configuration: every written link is found, with its place, and no other.

#![allow(clippy::unwrap_used, reason = "helpers of tests, where a panic is the message")]

use std::collections::BTreeSet;
use std::path::Path;

use graph::{ModuleSummary, Side, World};
use metascope_index::settings::ProjectSettings;

type Row = (String, String, String, String);

#[test]
fn every_link_of_the_demo_and_no_other() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus");
    let found = edges_of(&corpus.join("demo"));
    let written = rows(&corpus.join("demo_links.tsv"));
    let missing: Vec<_> = written.difference(&found).collect();
    let extra: Vec<_> = found.iter().filter(|row| !written.contains(*row)).collect();
    assert!(!written.is_empty() && missing.is_empty() && extra.is_empty(), "missing {missing:#?}\nextra {extra:#?}");
}

fn rows(path: &Path) -> BTreeSet<Row> {
    let text = std::fs::read_to_string(path).unwrap();
    let row = |line: &str| {
        let mut cells = line.split('\t').map(str::to_owned);
        Some((cells.next()?, cells.next()?, cells.next()?, cells.next()?))
    };
    text.lines().skip(1).filter(|line| !line.starts_with('#')).filter_map(row).collect()
}

fn edges_of(root: &Path) -> BTreeSet<Row> {
    let configuration = metadata::read(root).unwrap();
    let read =
        |module: &metadata::Module| bsl::read_module(&std::fs::read(configuration.full_path(module.file)).unwrap());
    let facts: Vec<_> = configuration.modules.iter().map(read).collect();
    let summaries: Vec<_> = facts.iter().map(ModuleSummary::of).collect();
    let world = World::new(&configuration, &summaries, &ProjectSettings::of(root).graph);
    let mut all = vec![world.metadata_edges(&configuration)];
    all.extend(facts.iter().enumerate().map(|(module, facts)| world.module_edges(module, facts)));
    let mut found = BTreeSet::new();
    let mut row = |channel: &str, source, target, file, line| {
        let place = format!("{}:{line}", configuration.path(metadata::FileId(file)));
        found.insert((channel.to_owned(), world.name(source).to_owned(), world.name(target).to_owned(), place));
    };
    for edge in all.iter().flat_map(|edges| &edges.edges) {
        row(edge.channel.0, edge.source, edge.target, edge.file, edge.line);
    }
    let halves = |side| all.iter().flat_map(|edges| &edges.halves).filter(move |half| half.side == side);
    for source in halves(Side::Source) {
        for target in halves(Side::Target).filter(|half| half.channel == source.channel && half.hub == source.hub) {
            row(source.channel.0, source.node, target.node, source.file, source.line);
        }
    }
    found
}
