//! The checks of code over the Standard Subsystems Library: nothing in it is found to be wrong, and what is renamed on purpose is.

mod support;

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use bsl::same_name;
use index::sql::{SqlLimits, select};
use metascope_tools::scan::{Finding, Scanned, Scanner, new_findings};
use support::Project;
use validators::dcs::Severity;

/// How many methods are taken.
const METHODS: usize = 1_000;
/// The share of renamed identifiers that must be found.
const LEAST: f64 = 0.95;
/// What is put behind a name: no name of the library ends so.
const TAIL: &str = "Ъъ";

/// Numbers that are the same in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % limit.max(1) as u64).unwrap_or(0)
    }
}

/// A module of the library.
struct Module {
    place: usize,
    text: String,
    findings: Vec<Finding>,
}

/// A name in a method that the index resolves.
#[derive(Clone, Debug)]
struct Named {
    kind: &'static str,
    name: String,
    line: usize,
}

/// The kind of what is renamed, by the kind of a reference and its target.
fn kind_of(reference: &str, target: &str) -> Option<&'static str> {
    let parts = target.split('.').count();
    Some(match (reference, parts) {
        ("bsl_module_call", 2) => "module",
        ("bsl_manager" | "bsl_metadata" | "bsl_enum" | "bsl_type_string" | "bsl_session_parameter", 2) => {
            "metadata object"
        }
        ("bsl_enum_value", _) => "enum value",
        ("bsl_property", _) => "attribute",
        ("bsl_query", 2) => "query table",
        ("bsl_query", 4 | 6) => "query field",
        _ => return None,
    })
}

/// Byte ranges of a name among the words of a line.
fn places(line: &str, name: &str) -> Vec<(usize, usize)> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let mut found = Vec::new();
    let mut start = None;
    for (at, c) in line.char_indices().chain([(line.len(), ' ')]) {
        match (start, is_part(c)) {
            (None, true) => start = Some(at),
            (Some(from), false) => {
                if same_name(&line[from..at], name) {
                    found.push((from, at));
                }
                start = None;
            }
            _ => {}
        }
    }
    // What stands in a comment is no name.
    let code = line.find("//").unwrap_or(line.len());
    found.retain(|(from, _)| *from < code);
    found
}

fn with_line(text: &str, number: usize, change: impl Fn(&str) -> Option<String>) -> Option<String> {
    let mut lines: Vec<String> = text.split('\n').map(str::to_owned).collect();
    let line = lines.get_mut(number.checked_sub(1)?)?;
    *line = change(line)?;
    Some(lines.join("\n"))
}

/// The text with one name changed; None if the line doesn't show it as the index says.
fn renamed(text: &str, named: &Named) -> Option<String> {
    with_line(text, named.line, |line| {
        let found = places(line, &named.name);
        let dotted = |from: usize| line[..from].ends_with('.');
        // A variable may bear the name of a field: what stands behind a dot is the field.
        let wants_dot = !matches!(named.kind, "module" | "own method");
        let place = found.iter().find(|(from, _)| dotted(*from) == wants_dot || named.kind == "query field")?;
        // An attribute that is assigned to without a dot would become a variable.
        Some(format!("{}{TAIL}{}", &line[..place.1], &line[place.1..]))
    })
}

/// The text with so many more arguments in a call.
fn more_arguments(text: &str, named: &Named, more: usize) -> Option<String> {
    with_line(text, named.line, |line| {
        let (_, end) = places(line, &named.name).into_iter().find(|(_, end)| line[*end..].starts_with('('))?;
        Some(format!("{}({}{}", &line[..end], "0, ".repeat(more), &line[end + 1..]))
    })
}

#[test]
#[ignore = "corpus"]
fn nothing_in_the_library_is_wrong_and_what_is_renamed_is_found() {
    let project = Project::library();
    let index = project.index();
    let scanner = Scanner::of(&index).expect("a scanner");
    let roots = index.layer_roots().expect("roots");
    let world = scanner.grounds().world();

    // Every module as it is.
    let count = world.modules().len();
    let next = AtomicUsize::new(0);
    let modules: Mutex<Vec<Module>> = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(2, usize::from) {
            scope.spawn(|| {
                loop {
                    let place = next.fetch_add(1, Ordering::Relaxed);
                    if place >= count {
                        return;
                    }
                    let file = scanner.grounds().file_of(place).expect("the index").expect("a file");
                    let Ok(bytes) = std::fs::read(roots.path(&file)) else { continue };
                    let text = String::from_utf8_lossy(&bytes).into_owned();
                    let scanned = Scanned { module: Some(place), is_part: false, text: text.as_bytes(), only: &[] };
                    let findings = scanner.scan(&scanned).findings;
                    modules.lock().expect("no panic").push(Module { place, text, findings });
                }
            });
        }
    });
    let mut modules = modules.into_inner().expect("no panic");
    modules.sort_by_key(|module| module.place);
    let mut by_check: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for module in &modules {
        for finding in module.findings.iter().filter(|finding| finding.severity == Severity::Blocking) {
            let file = scanner.grounds().file_of(module.place).expect("the index").unwrap_or_default();
            let place = format!("{file}:{}: {} {}", finding.line, finding.name, finding.what.en);
            by_check.entry(finding.check).or_default().push(place);
        }
    }
    for (check, places) in &by_check {
        println!("{check}: {}", places.len());
        places.iter().take(60).for_each(|place| println!("    {place}"));
    }

    // The methods that are taken, with the names that the index resolves in them.
    let methods: Vec<(usize, usize)> = modules
        .iter()
        .enumerate()
        .flat_map(|(module, one)| {
            let id = graph::world::ModuleId(u32::try_from(one.place).unwrap_or(0));
            (0..world.methods_of(id).len()).map(move |method| (module, method))
        })
        .collect();
    let mut dice = Dice(0x5eed_1c0d_e000_0001);
    let mut taken: Vec<(usize, usize)> = Vec::new();
    while taken.len() < METHODS {
        let one = methods[dice.below(methods.len())];
        if !taken.contains(&one) {
            taken.push(one);
        }
    }
    let limits = SqlLimits { rows: 2_000_000, bytes: 1 << 30, ..SqlLimits::default() };
    let rows = |sql: &str| select(index.path(), sql, limits).expect("rows").rows;
    let mut named: BTreeMap<String, Vec<Named>> = BTreeMap::new();
    let names: std::collections::HashSet<String> = taken
        .iter()
        .map(|&(module, method)| {
            let id = graph::world::ModuleId(u32::try_from(modules[module].place).unwrap_or(0));
            world.name(world.methods_of(id)[method].node).to_owned()
        })
        .collect();
    let last = |name: &str| name.rsplit('.').next().unwrap_or("").to_owned();
    for row in rows("SELECT source, target, kind, line FROM refs WHERE kind LIKE 'bsl_%'") {
        let text = |cell: usize| row[cell].as_str().unwrap_or("");
        let Some(kind) = kind_of(text(2), text(1)).filter(|_| names.contains(text(0))) else { continue };
        let line = usize::try_from(row[3].as_u64().unwrap_or(0)).unwrap_or(0);
        named.entry(text(0).to_owned()).or_default().push(Named { kind, name: last(text(1)), line });
    }
    let sql = "SELECT source, target, channel, line FROM edges WHERE channel IN ('direct', 'global_call', 'manager_call') AND confidence = 'exact'";
    for row in rows(sql) {
        let text = |cell: usize| row[cell].as_str().unwrap_or("");
        if !names.contains(text(0)) {
            continue;
        }
        let module = |name: &str| name.rsplit_once('.').map(|(module, _)| module.to_owned());
        let own = module(text(0)) == module(text(1)) || text(2) == "global_call";
        let line = usize::try_from(row[3].as_u64().unwrap_or(0)).unwrap_or(0);
        let kind = if own { "own method" } else { "method" };
        named.entry(text(0).to_owned()).or_default().push(Named { kind, name: last(text(1)), line });
    }

    // One name of each kind, renamed.
    let mut table: BTreeMap<&str, (usize, usize, usize)> = BTreeMap::new();
    let mut missed: Vec<String> = Vec::new();
    for &(module, method) in &taken {
        let module = &modules[module];
        let id = graph::world::ModuleId(u32::try_from(module.place).unwrap_or(0));
        let name = world.name(world.methods_of(id)[method].node);
        let Some(all) = named.get(name) else { continue };
        let mut kinds: BTreeMap<&str, Vec<&Named>> = BTreeMap::new();
        for one in all {
            kinds.entry(one.kind).or_default().push(one);
            if matches!(one.kind, "method" | "own method") {
                kinds.entry("number of arguments").or_default().push(one);
            }
        }
        for (kind, of_kind) in kinds {
            let one = of_kind[dice.below(of_kind.len())];
            let count = table.entry(kind).or_default();
            let text = match kind {
                "number of arguments" => more_arguments(&module.text, one, 40),
                _ => renamed(&module.text, one),
            };
            let Some(text) = text else {
                count.2 += 1;
                continue;
            };
            count.1 += 1;
            let scanned = Scanned { module: Some(module.place), is_part: false, text: text.as_bytes(), only: &[] };
            let found = new_findings(&module.findings, scanner.scan(&scanned).findings);
            match found.is_empty() {
                false => count.0 += 1,
                true => missed.push(format!("{kind}: {name}:{} {}", one.line, one.name)),
            }
        }
    }
    println!("| what | found | of | share | not tried: the line shows it otherwise |");
    for (kind, (found, of, left_out)) in &table {
        println!("| {kind} | {found} | {of} | {:.1} % | {left_out} |", *found as f64 * 100.0 / (*of).max(1) as f64);
    }
    missed.iter().for_each(|line| println!("missed {line}"));
    let (found, of) = table.values().fold((0, 0), |(a, b), (found, of, _)| (a + found, b + of));
    println!("all: {found} of {of}");

    let flagged = taken.iter().filter(|&&(module, method)| {
        let module = &modules[module];
        let id = graph::world::ModuleId(u32::try_from(module.place).unwrap_or(0));
        let own = last(world.name(world.methods_of(id)[method].node));
        module.findings.iter().any(|finding| finding.method.as_deref() == Some(&own))
    });
    assert_eq!(flagged.count(), 0, "of {METHODS} methods as they are");
    assert!(found as f64 >= LEAST * of as f64, "{found} of {of}");
    assert_eq!(by_check, BTreeMap::new(), "blocking, in all modules");
}
