//! Reads every text in the query language below a folder and prints what could not be read: `queries FOLDER [--list]`.
//!
//! Texts are those of modules, dynamic lists of forms, restrictions of roles and data sets of report schemas. A file that
//! ends in `.query` is one text. `--list` prints the first problem of each text that has one. `queries --hostile` measures
//! texts of a megabyte that are nested as deeply as that allows.

use std::path::Path;
use std::time::{Duration, Instant};

use metascope_bsl::query::{self, TextKind};
use metascope_bsl::{query_texts, read_module};
use rayon::prelude::*;

/// A text and where it comes from.
struct Found {
    source: &'static str,
    place: String,
    text: String,
    kind: TextKind,
    complete: bool,
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let Some(folder) = args.first() else {
        eprintln!("usage: queries FOLDER [--list] | queries --hostile");
        std::process::exit(2);
    };
    if folder == "--hostile" {
        return hostile();
    }
    let files: Vec<_> = walkdir::WalkDir::new(folder)
        .sort_by_file_name()
        .into_iter()
        .filter_map(Result::ok)
        .filter(|entry| entry.file_type().is_file())
        .map(walkdir::DirEntry::into_path)
        .collect();
    let all: Vec<Found> = files.par_iter().flat_map_iter(|path| texts_of(path)).collect();
    let mut sources: Vec<&str> = all.iter().map(|found| found.source).collect();
    sources.sort_unstable();
    sources.dedup();
    let list = args.iter().any(|arg| arg == "--list");
    for source in sources {
        report(source, all.iter().filter(|found| found.source == source), list);
    }
}

fn texts_of(path: &Path) -> Vec<Found> {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or("");
    let Ok(bytes) = std::fs::read(path) else { return Vec::new() };
    let place = path.display().to_string();
    if name.ends_with(".bsl") {
        let facts = read_module(&bytes);
        let texts = query_texts(&facts).into_iter().map(|found| Found {
            source: "modules",
            place: format!("{place}:{}", found.line),
            kind: found.kind(),
            complete: found.complete,
            text: found.text,
        });
        return texts.collect();
    }
    let text = String::from_utf8_lossy(&bytes);
    let (source, tag, kind) = match name {
        "Form.xml" => ("dynamic lists", "QueryText", TextKind::Query),
        "Rights.xml" => ("restrictions", "condition", TextKind::Restriction),
        "Template.xml" | "Template.dcs" => ("report schemas", "query", TextKind::Query),
        _ if name.ends_with(".query") => {
            let text = text.into_owned();
            return vec![Found { source: "files", place, text, kind: TextKind::Query, complete: true }];
        }
        _ => return Vec::new(),
    };
    let elements = elements(&text, tag).into_iter();
    elements
        .map(|(line, text)| Found { source, place: format!("{place}:{line}"), text, kind, complete: true })
        .collect()
}

/// Line and content of each element of a name, whatever its prefix.
fn elements(xml: &str, tag: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let mut from = 0;
    let close = format!("{tag}>");
    while let Some(at) = xml[from..].find(&close).map(|at| from + at) {
        let start = at + close.len();
        from = start;
        let opens = xml[..at].ends_with(['<', ':']) && !xml[..at].ends_with("</");
        let Some(end) = xml[start..].find("</").map(|end| start + end) else { break };
        if opens && xml[end..].split('>').next().is_some_and(|name| name.ends_with(tag)) {
            let line = xml[..start].matches('\n').count() + 1;
            found.push((line, unescape(&xml[start..end])));
            from = end + 2 + close.len();
        }
    }
    found
}

fn unescape(text: &str) -> String {
    text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&apos;", "'").replace("&amp;", "&")
}

fn report<'a>(source: &str, all: impl Iterator<Item = &'a Found>, list: bool) {
    let (mut texts, mut bytes, mut plain, mut bad) = (0_usize, 0, 0_usize, 0);
    let (mut tables, mut fields, mut of_tables, mut of_metadata) = (0, 0, 0, 0);
    let (mut parsing, mut reading) = (Duration::ZERO, Duration::ZERO);
    for found in all {
        texts += 1;
        bytes += found.text.len();
        let clock = Instant::now();
        std::hint::black_box(query::parse(&found.text, found.kind));
        parsing += clock.elapsed();
        let clock = Instant::now();
        let facts = query::read(&found.text, found.kind);
        reading += clock.elapsed();
        let is_plain = found.complete && !facts.placeholders && found.kind != TextKind::Fragment;
        plain += usize::from(is_plain);
        bad += usize::from(is_plain && !facts.problems.is_empty());
        tables += facts.tables.len();
        fields += facts.fields.len();
        of_tables += facts.fields.iter().filter(|field| field.table.is_some() || field.column.is_some()).count();
        of_metadata += facts.fields.iter().filter(|field| !field.origins.is_empty()).count();
        if list && let Some(problem) = facts.problems.first() {
            let line = found.text.lines().nth(problem.span.line as usize - 1).unwrap_or("").trim();
            println!("{}: line {}: {}: {line}", found.place, problem.span.line, problem.kind);
        }
    }
    let share = 100.0 * (plain - bad) as f64 / plain.max(1) as f64;
    println!("{source}: {texts} texts, {:.2} MB; {plain} without placeholders", bytes as f64 / 1e6);
    println!("  without problems {share:.2} % of those ({bad} with)");
    println!("  {tables} tables; {fields} fields: {of_tables} with their table, {of_metadata} followed to metadata");
    println!("  parsed in {:.1} ms, read in {:.1} ms", parsing.as_secs_f64() * 1e3, reading.as_secs_f64() * 1e3);
}

/// How long a megabyte of nesting takes, closed and not.
fn hostile() {
    let shapes: [(&str, &str, &str); 7] = [
        ("parentheses", "(", ")"),
        ("CASE in WHEN", "ВЫБОР КОГДА ", " ТОГДА 1 КОНЕЦ"),
        ("CASE in ELSE", "ВЫБОР КОГДА А ТОГДА 1 ИНАЧЕ ", " КОНЕЦ"),
        ("nested queries", "А В (ВЫБРАТЬ А ИЗ Т ГДЕ ", ")"),
        ("nested sources", "1 ИЗ (ВЫБРАТЬ ", ") КАК Т"),
        ("braces", "{", "}"),
        ("alternatives", "#Если А #Тогда ", " #КонецЕсли"),
    ];
    for (name, open, close) in shapes {
        for close in [close, ""] {
            let times = 1_000_000 / (open.len() + close.len());
            let text = format!("ВЫБРАТЬ {}1{}", open.repeat(times), close.repeat(times));
            for kind in [TextKind::Query, TextKind::Restriction] {
                let clock = Instant::now();
                let facts = query::read(&text, kind);
                let seconds = clock.elapsed().as_secs_f64();
                let state = if close.is_empty() { "open" } else { "closed" };
                let problems = facts.problems.len();
                println!(
                    "{name:15} {state:7} {kind:12?} {:.2} MB {seconds:.3} s, {problems} problems",
                    text.len() as f64 / 1e6
                );
            }
        }
    }
}
