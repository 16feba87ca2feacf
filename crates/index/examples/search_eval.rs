//! Measures search against queries with known answers: `search_eval INDEX QUERIES.jsonl [--misses]`.
//!
//! A query is a line `{"id", "query", "expect": [full names], "kind": "function" | "object", "style"}`. Printed by style and
//! leg: queries with a right answer first, in the first 5, in the first 10, and MRR@10.

use std::collections::BTreeMap;
use std::time::Instant;

use metascope_index::search::{Meaning, Mode, Options, search};
use metascope_index::vectors::corpus::Class;
use metascope_index::{Index, Location};
use serde::Deserialize;

#[derive(Deserialize)]
struct Query {
    id: String,
    query: String,
    expect: Vec<String>,
    kind: String,
    style: String,
}

#[derive(Default)]
struct Score {
    queries: usize,
    first: usize,
    five: usize,
    ten: usize,
    reciprocal: f64,
}

impl Score {
    fn add(&mut self, rank: Option<usize>) {
        self.queries += 1;
        let Some(rank) = rank else { return };
        self.first += usize::from(rank <= 1);
        self.five += usize::from(rank <= 5);
        self.ten += usize::from(rank <= 10);
        self.reciprocal += 1.0 / rank as f64;
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (Some(index), Some(queries)) = (arguments.first(), arguments.get(1)) else {
        return Err("usage: search_eval INDEX QUERIES.jsonl [--misses]".into());
    };
    let misses = arguments.iter().any(|argument| argument == "--misses");
    let queries: Vec<Query> =
        std::fs::read_to_string(queries)?.lines().map(serde_json::from_str).collect::<Result<_, _>>()?;
    let index = Index::open(&Location::at(index))?;
    let mut meaning = Meaning::of_user(None);
    let mut table: BTreeMap<(String, &str), Score> = BTreeMap::new();
    let mut notes = Vec::new();
    for (leg, mode) in
        [("vectors", Mode::Vector), ("full text", Mode::Fulltext), ("literal", Mode::Literal), ("hybrid", Mode::Hybrid)]
    {
        let start = Instant::now();
        for query in &queries {
            let is_object = query.kind == "object";
            let kind = Some(if is_object { Class::Object } else { Class::Method });
            let found =
                search(&index, &query.query, Options { mode, kind, limit: 10, ..Options::default() }, &mut meaning)?;
            let rank = found.hits.iter().position(|hit| query.expect.contains(&hit.full_name)).map(|place| place + 1);
            if misses && mode == Mode::Hybrid && rank.is_none_or(|rank| rank > 1) {
                println!("{} {} {:?} {}", query.id, query.style, rank, query.query);
            }
            let style = if is_object { "objects" } else { query.style.as_str() };
            for group in [style, "~ all"] {
                table.entry((group.to_owned(), leg)).or_default().add(rank);
            }
            for note in found.notes {
                if !notes.contains(&note) {
                    notes.push(note);
                }
            }
        }
        println!("{leg}: {:.0} ms a query", start.elapsed().as_secs_f64() * 1e3 / queries.len().max(1) as f64);
    }
    println!("{:<12} {:<10} {:>4} {:>4} {:>4} {:>4} {:>6}", "style", "leg", "of", "@1", "@5", "@10", "MRR");
    for ((style, leg), score) in &table {
        let mrr = score.reciprocal / score.queries.max(1) as f64;
        let (of, first, five, ten) = (score.queries, score.first, score.five, score.ten);
        println!("{style:<12} {leg:<10} {of:>4} {first:>4} {five:>4} {ten:>4} {mrr:>6.3}");
    }
    for note in notes {
        println!("note: {note:?}");
    }
    Ok(())
}
