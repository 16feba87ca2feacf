//! Reads every module below a folder and prints what it took: `facts [--tokens] FOLDER [RUNS]`.
//!
//! The floor is the grammar alone on the unchanged text of whole modules, on the same threads.

use std::path::Path;
use std::time::Instant;

use metascope_bsl::{Engine, Expr, ModuleFacts, ReadStats, read_module_with};
use rayon::prelude::*;

fn main() {
    let mut args: Vec<String> = std::env::args().skip(1).collect();
    let tokens_only = args.first().is_some_and(|arg| arg == "--tokens");
    if tokens_only {
        args.remove(0);
    }
    let Some(folder) = args.first() else {
        eprintln!("usage: facts [--tokens] FOLDER [RUNS]");
        std::process::exit(2);
    };
    let runs = args.get(1).and_then(|runs| runs.parse().ok()).unwrap_or(3);
    let engine = if tokens_only { Engine::Tokens } else { Engine::Tree };
    let modules = load(Path::new(folder));
    let bytes: usize = modules.iter().map(|(_, text)| text.len()).sum();
    let megabytes = bytes as f64 / 1e6;
    println!("{} modules, {megabytes:.1} MB, {} threads", modules.len(), rayon::current_num_threads());
    let floor = median(runs, || parse_only(&modules));
    let facts = median(runs, || {
        modules.par_iter().for_each(|(_, text)| {
            std::hint::black_box(read_module_with(text, engine));
        });
    });
    for (what, (processor, wall)) in [("floor (grammar alone)", floor), ("facts", facts)] {
        println!("{what:22} {processor:6.2} cpu-s, {wall:6.2} s, {:4.0} MB a cpu-s", megabytes / processor);
    }
    println!("facts take {:.2} x the floor", facts.0 / floor.0);
    let all: Vec<(&str, ModuleFacts, ReadStats)> = modules
        .par_iter()
        .map(|(name, text)| {
            let (facts, stats) = read_module_with(text, engine);
            (name.as_str(), facts, stats)
        })
        .collect();
    report(&all);
}

fn load(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let files = walkdir::WalkDir::new(folder).sort_by_file_name().into_iter().filter_map(Result::ok);
    let modules = files.filter(|entry| entry.path().extension().is_some_and(|extension| extension == "bsl"));
    modules.filter_map(|entry| Some((entry.path().display().to_string(), std::fs::read(entry.path()).ok()?))).collect()
}

fn parse_only(modules: &[(String, Vec<u8>)]) {
    let parser = || {
        let mut parser = tree_sitter::Parser::new();
        parser.set_language(&tree_sitter_bsl::LANGUAGE.into()).expect("the grammar fits the parser");
        parser
    };
    modules.par_iter().for_each_init(parser, |parser, (_, text)| {
        std::hint::black_box(parser.parse(text, None));
    });
}

/// The median of several runs, in seconds of processor time where the system tells it, else of the clock.
fn median(runs: usize, mut job: impl FnMut()) -> (f64, f64) {
    let mut times: Vec<(f64, f64)> = (0..runs.max(1))
        .map(|_| {
            let (clock, processor) = (Instant::now(), processor_seconds());
            job();
            let wall = clock.elapsed().as_secs_f64();
            let processor = processor_seconds().zip(processor).map_or(wall, |(after, before)| after - before);
            (processor, wall)
        })
        .collect();
    times.sort_by(|a, b| a.0.total_cmp(&b.0));
    times[times.len() / 2]
}

/// Processor time of this process, from Linux's own accounting (ticks of a hundredth of a second).
fn processor_seconds() -> Option<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    let fields: Vec<&str> = stat.rsplit(')').next()?.split_whitespace().collect();
    let ticks = |index: usize| fields.get(index)?.parse::<f64>().ok();
    Some((ticks(11)? + ticks(12)?) / 100.0)
}

fn report(all: &[(&str, ModuleFacts, ReadStats)]) {
    let (mut calls, mut strings, mut nodes, mut statements, mut size) = (0, 0, 0, 0, 0);
    for (_, facts, _) in all {
        for (_, code) in facts.codes() {
            calls += code.calls().count();
            strings += code.nodes.iter().filter(|node| matches!(node.expr, Expr::String(_))).count();
            nodes += code.nodes.len();
            statements += code.statements.len();
        }
        size += postcard::to_stdvec(facts).map_or(0, |bytes| bytes.len());
    }
    let methods: usize = all.iter().map(|(_, facts, _)| facts.methods.len()).sum();
    let problems: usize = all.iter().map(|(_, facts, _)| facts.problems.len()).sum();
    let by_tree: u32 = all.iter().map(|(.., stats)| stats.by_tree).sum();
    let by_tokens: u32 = all.iter().map(|(.., stats)| stats.by_tokens).sum();
    println!("methods {methods}, calls {calls}, strings {strings}, nodes {nodes}, statements {statements}");
    println!("bodies read by the grammar {by_tree}, by tokens {by_tokens}; problems {problems}");
    println!("size of all facts (postcard): {:.1} MB", size as f64 / 1e6);
    if std::env::var_os("VERBOSE").is_some() {
        for (name, facts, stats) in all {
            if stats.by_tokens > 0 {
                println!(
                    "{name}:{}: {} bodies not understood by the grammar",
                    stats.first_rejected_line, stats.by_tokens
                );
            }
            for problem in &facts.problems {
                println!("{name}:{}:{}: {}", problem.line, problem.column, problem.message);
            }
        }
    }
}
