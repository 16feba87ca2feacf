//! Prints the edges of a dump as `channel source target confidence evidence`, evidence being `file:line`.
//!
//! `cargo run --release -p metascope-graph --example export -- DUMP > edges.tsv`; times go to stderr. With `dynamic` behind the
//! dump: the places that stay open, as `kind method known evidence`.

use std::collections::HashMap;
use std::io::Write;
use std::time::Instant;

use metascope_graph::{Confidence, Edges, ModuleSummary, Settings, Side, World};
use rayon::prelude::*;

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let path = std::env::args().nth(1).ok_or("usage: export DUMP")?;
    let mut watch = Watch(Instant::now());
    let configuration = metadata::read(path.as_ref())?;
    watch.lap(&format!("metadata: {} modules", configuration.modules.len()));
    let facts: Vec<_> = configuration
        .modules
        .par_iter()
        .map(|module| {
            let bytes = std::fs::read(configuration.full_path(module.file)).unwrap_or_default();
            bsl::read_module(&bytes)
        })
        .collect();
    watch.lap("facts");
    let summaries: Vec<_> = facts.par_iter().map(ModuleSummary::of).collect();
    watch.lap("summaries");
    let world = World::new(&configuration, &summaries, &Settings::default());
    watch.lap(&format!(
        "world: {} names, {} methods, {} KB",
        world.names().len(),
        world.methods().len(),
        world.heap_size() / 1024
    ));
    let of_metadata = world.metadata_edges(&configuration);
    watch.lap("metadata edges");
    let of_modules: Vec<_> =
        facts.par_iter().enumerate().map(|(module, facts)| world.module_edges(module, facts)).collect();
    watch.lap("module edges");
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    if std::env::args().nth(2).as_deref() == Some("dynamic") {
        for site in std::iter::once(&of_metadata).chain(&of_modules).flat_map(|edges| &edges.dynamic) {
            let path = configuration.path(metadata::FileId(site.file));
            writeln!(out, "{}\t{}\t{}\t{path}:{}", site.kind, world.name(site.node), site.known, site.line)?;
        }
        return Ok(());
    }
    writeln!(out, "channel\tsource\ttarget\tconfidence\tevidence")?;
    let all: Vec<_> = std::iter::once(of_metadata).chain(of_modules).collect();
    print(&mut out, &world, &configuration, &all)?;
    out.flush()?;
    watch.lap("output");
    Ok(())
}

fn print(
    out: &mut impl Write,
    world: &World,
    configuration: &metadata::Configuration,
    all: &[Edges],
) -> Result<(), Failure> {
    let mut row = |channel: &str, source, target, confidence: Confidence, file, line| {
        let (source, target) = (world.name(source), world.name(target));
        let path = configuration.path(metadata::FileId(file));
        writeln!(out, "{channel}\t{source}\t{target}\t{}\t{path}:{line}", confidence.as_str())
    };
    for edge in all.iter().flat_map(|edges| &edges.edges) {
        row(edge.channel.0, edge.source, edge.target, edge.confidence, edge.file, edge.line)?;
    }
    let mut hubs: HashMap<_, Vec<_>> = HashMap::new();
    let halves = || all.iter().flat_map(|edges| &edges.halves);
    for target in halves().filter(|half| half.side == Side::Target) {
        hubs.entry((target.channel, &target.hub)).or_default().push(target.node);
    }
    for source in halves().filter(|half| half.side == Side::Source) {
        for &target in hubs.get(&(source.channel, &source.hub)).into_iter().flatten() {
            row(source.channel.0, source.node, target, source.confidence, source.file, source.line)?;
        }
    }
    Ok(())
}

struct Watch(Instant);

impl Watch {
    fn lap(&mut self, what: &str) {
        eprintln!("{:>7.1} ms  {what}", self.0.elapsed().as_secs_f64() * 1000.0);
        self.0 = Instant::now();
    }
}
