//! `metascope calibrate DIR`: how the checks fare on genuine files.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::Instant;

use bsl::Catalog;
use clap::ValueEnum;
use index::Tables;
use rayon::prelude::*;
use serde_json::json;
use validators::dcs::{Calibration, Line, Severity, measure_in};

use crate::context::Context;
use crate::failure::{Failure, Outcome};
use crate::output;

/// How many bytes at a file's beginning tell what it is.
const HEAD: u64 = 4096;

/// Runs every check over genuine files: hits a check, and how many files were clean. A check that blocks must find nothing.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// A folder of genuine files; its first level of folders counts as configurations.
    dir: PathBuf,
    /// What to check.
    #[arg(long, value_enum, default_value_t = Kind::Dcs)]
    kind: Kind,
    /// Writes the ledger (a table of all checks) to a file; what it says of retired checks stays.
    #[arg(long, value_name = "FILE")]
    ledger: Option<PathBuf>,
}

/// Kinds of checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Kind {
    /// Report schemas.
    Dcs,
}

/// Runs it.
///
/// # Errors
/// If there is no schema in the folder; if a check that blocks found something.
pub fn run(context: &Context, args: &Args) -> Outcome {
    let started = Instant::now();
    let Kind::Dcs = args.kind;
    let mut paths = Vec::new();
    walk(&args.dir, &mut paths).map_err(|error| {
        let what = context.pick("папка не читается", "the folder can't be read");
        Failure::usage("folder", format!("{what}: {}: {error}", args.dir.display()))
    })?;
    paths.sort();
    let read: Vec<(PathBuf, Vec<u8>)> =
        paths.into_par_iter().filter_map(|path| Some((path.clone(), schema_bytes(&path)?))).collect();
    let mut seen: HashSet<&[u8]> = HashSet::with_capacity(read.len());
    let distinct: Vec<&(PathBuf, Vec<u8>)> = read.iter().filter(|(_, bytes)| seen.insert(bytes)).collect();
    if distinct.is_empty() {
        let what = context.pick("в папке нет схем отчётов", "the folder holds no report schemas");
        return Err(Failure::usage("no_schema", format!("{what}: {}", args.dir.display())));
    }
    let inside = |path: &'_ Path| path.strip_prefix(&args.dir).unwrap_or(path).to_path_buf();
    let mut tables: HashMap<String, Option<Tables>> = HashMap::new();
    for (path, _) in &distinct {
        if let Entry::Vacant(free) = tables.entry(configuration_of(&inside(path))) {
            free.insert(context.tables_for(path)?);
        }
    }
    let report = |(path, bytes): &&(PathBuf, Vec<u8>)| {
        let tables = tables.get(&configuration_of(&inside(path))).and_then(Option::as_ref);
        measure_in(bytes, tables.map(|tables| tables as &dyn Catalog))
    };
    let reports: Vec<_> = distinct.par_iter().map(report).collect();
    let mut calibration = Calibration::default();
    for ((path, _), report) in distinct.iter().zip(&reports) {
        let inside = inside(path);
        calibration.add(&inside.to_string_lossy().replace('\\', "/"), &configuration_of(&inside), report);
    }
    if let Some(file) = &args.ledger {
        write_ledger(file, &calibration)?;
    }
    let seconds = started.elapsed().as_secs_f64();
    if context.json() {
        output::json(&json!({
            "files": read.len(), "distinct": calibration.files(), "configurations": calibration.configurations(),
            "clean": calibration.clean(), "with_index": calibration.with_index(), "seconds": seconds, "checks": calibration.lines(), "lying": calibration.lying(),
        }))?;
    } else {
        print(context, &calibration, read.len(), seconds)?;
    }
    let lying = calibration.lying();
    if lying.is_empty() {
        return Ok(());
    }
    let what =
        context.pick("блокирующие проверки сработали на подлинных файлах", "checks that block fire on genuine files");
    Err(Failure::not_found("calibration", format!("{what}: {}", lying.join(", "))))
}

/// The configuration that a file belongs to, by its path inside the folder.
fn configuration_of(inside: &Path) -> String {
    let mut parts = inside.components();
    let first = parts.next().map(|part| part.as_os_str().to_string_lossy().into_owned()).unwrap_or_default();
    // A file that lies in the folder itself belongs to the folder.
    if parts.next().is_some() { first } else { String::new() }
}

fn print(context: &Context, calibration: &Calibration, all: usize, seconds: f64) -> Outcome {
    let files = calibration.files();
    let row = |line: &Line| {
        let state = match (line.severity, line.on) {
            (Severity::Blocking, _) => context.pick("блокирует", "blocking"),
            (Severity::Advisory, true) => context.pick("замечание", "advisory"),
            (Severity::Advisory, false) => context.pick("выключена", "off"),
        };
        let share = format!("{:.1} %", line.files as f64 * 100.0 / files.max(1) as f64);
        let counts = format!("{} ({share}, {})", line.files, line.configurations);
        vec![line.level.to_string(), line.check.to_owned(), state.to_owned(), counts, line.example.clone()]
    };
    let lines = calibration.lines();
    output::columns(&lines.iter().map(row).collect::<Vec<_>>())?;
    let (clean, configurations, known) = (calibration.clean(), calibration.configurations(), calibration.with_index());
    output::text(&match context.lang() {
        crate::cli::Lang::Ru => format!(
            "файлов {all}, различных {files}, конфигураций {configurations}, с индексом {known}; без замечаний {clean}; {seconds:.2} с\n\
             после имени проверки: файлов (доля, конфигураций), первое место"
        ),
        crate::cli::Lang::En => format!(
            "files {all}, distinct {files}, configurations {configurations}, with an index {known}; clean {clean}; {seconds:.2} s\n\
             behind a check: files (share, configurations), the first place"
        ),
    })
}

/// Files whose names schemas may have.
fn walk(folder: &Path, found: &mut Vec<PathBuf>) -> std::io::Result<()> {
    let mut open = vec![folder.to_path_buf()];
    while let Some(folder) = open.pop() {
        let entries = match fs::read_dir(&folder) {
            Ok(entries) => entries,
            // The folder that was asked for must be there; one inside may be closed to us.
            Err(error) if found.is_empty() && open.is_empty() => return Err(error),
            Err(_) => continue,
        };
        for entry in entries.flatten() {
            let path = entry.path();
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => open.push(path),
                Ok(kind) if kind.is_file() => {
                    let extension = path.extension().map(|extension| extension.to_ascii_lowercase());
                    if extension.is_some_and(|extension| extension == "dcs" || extension == "xml") {
                        found.push(path);
                    }
                }
                _ => {}
            }
        }
    }
    Ok(())
}

/// A file's bytes, if it begins as a schema does.
fn schema_bytes(path: &Path) -> Option<Vec<u8>> {
    let mut file = File::open(path).ok()?;
    let mut bytes = Vec::with_capacity(HEAD as usize);
    file.by_ref().take(HEAD).read_to_end(&mut bytes).ok()?;
    let head = String::from_utf8_lossy(&bytes);
    let at = head.find("DataCompositionSchema")?;
    // The root's name: what stands before it is a declaration, comments, or a prefix.
    let is_root = head[..at].rsplit('<').next().is_some_and(|before| before.is_empty() || before.ends_with(':'));
    if !is_root {
        return None;
    }
    file.read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

/// Writes the table; lines of retired checks, which are written by hand, stay behind it.
fn write_ledger(file: &Path, calibration: &Calibration) -> Outcome {
    let old = fs::read_to_string(file).unwrap_or_default();
    let mut text = calibration.ledger();
    for line in old.lines().filter(|line| line.split('\t').nth(2) == Some("retired")) {
        text.push_str(line);
        text.push('\n');
    }
    Ok(fs::write(file, text)?)
}
