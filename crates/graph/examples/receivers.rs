//! How many calls `receiver.Name(` are resolved, Name being an exported method of the configuration.
//!
//! `cargo run --release -p metascope-graph --example receivers -- DUMP [N]` prints the counts, for names that no type of the
//! platform has and for ambiguous ones, and the N names that are unresolved most often, with a place each.

use std::collections::{HashMap, HashSet};

use metascope_graph::{ModuleSummary, Settings, World};
use rayon::prelude::*;

type Failure = Box<dyn std::error::Error>;

#[derive(Default)]
struct Count {
    all: usize,
    resolved: usize,
    unknown: usize,
}

fn main() -> Result<(), Failure> {
    let path = std::env::args().nth(1).ok_or("usage: receivers DUMP [N]")?;
    let most = std::env::args().nth(2).and_then(|n| n.parse().ok()).unwrap_or(20);
    let configuration = metadata::read(path.as_ref())?;
    let text = |module: &metadata::Module| std::fs::read(configuration.full_path(module.file)).unwrap_or_default();
    let facts: Vec<_> = configuration.modules.par_iter().map(|module| bsl::read_module(&text(module))).collect();
    let summaries: Vec<_> = facts.par_iter().map(ModuleSummary::of).collect();
    let world = World::new(&configuration, &summaries, &Settings::default());
    let exported: HashSet<String> =
        summaries.iter().flat_map(|s| &s.methods).filter(|m| m.export).map(|m| bsl::fold(m.name)).collect();
    let platform: HashSet<String> = include_str!("../data/platform_types.tsv")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .skip(1)
        .flat_map(|line| line.split('\t').skip(3).take(2).map(bsl::fold).collect::<Vec<_>>())
        .collect();
    let (mut own, mut ambiguous) = (Count::default(), Count::default());
    let mut open: HashMap<String, (usize, String)> = HashMap::new();
    for (module, facts) in facts.iter().enumerate() {
        let edges = world.module_edges(module, facts);
        let reached: HashSet<(u32, String)> = edges
            .edges
            .iter()
            .map(|edge| (edge.line, bsl::fold(world.name(edge.target).rsplit('.').next().unwrap_or(""))))
            .collect();
        let sites: HashSet<(u32, String)> = edges
            .dynamic
            .iter()
            .filter(|site| site.kind == "receiver")
            .map(|site| (site.line, bsl::fold(&site.known)))
            .collect();
        for (_, code) in facts.codes() {
            for call in code.calls().filter(|call| call.receiver.is_some()) {
                let name = bsl::fold(facts.text(call.name));
                if !exported.contains(&name) {
                    continue;
                }
                let count = if platform.contains(&name) { &mut ambiguous } else { &mut own };
                count.all += 1;
                let key = (call.line, name.clone());
                count.resolved += usize::from(reached.contains(&key));
                if sites.contains(&key) && !reached.contains(&key) {
                    count.unknown += 1;
                }
                if !reached.contains(&key) && !platform.contains(&name) {
                    let file = configuration.path(configuration.modules[module].file);
                    let entry = open.entry(name).or_insert_with(|| (0, format!("{file}:{}", call.line)));
                    entry.0 += 1;
                }
            }
        }
    }
    let share = |count: &Count| 100.0 * count.resolved as f64 / count.all.max(1) as f64;
    println!("own names: {} calls, {} resolved ({:.2} %), {} open", own.all, own.resolved, share(&own), own.unknown);
    let typed = ambiguous.all - ambiguous.resolved - ambiguous.unknown;
    println!(
        "ambiguous: {} calls, {} resolved, {typed} typed otherwise, {} unknown",
        ambiguous.all, ambiguous.resolved, ambiguous.unknown
    );
    let mut open: Vec<_> = open.into_iter().collect();
    open.sort_by(|a, b| b.1.0.cmp(&a.1.0).then_with(|| a.0.cmp(&b.0)));
    for (name, (count, place)) in open.into_iter().take(most) {
        println!("{count:5}  {name}  {place}");
    }
    Ok(())
}
