//! A process that tries inputs, and one that watches it: what never comes back, overflows the stack or takes all memory ends a
//! process, which then says nothing of its own.

use crate::mutate::input;
use crate::readers::Reader;
use crate::run::{Attempts, Finding, Limits, attempt, on_reading_thread};
use crate::seeds::{Seed, Seeds};
use crate::syntax::Syntax;
use anyhow::{Context, Result, bail};
use metadata::Format;
use peak_alloc::PeakAlloc;
use std::collections::BTreeMap;
use std::fs;
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// An input that takes longer never comes back.
const HANG: Duration = Duration::from_secs(60);
/// So many inputs of one finding are kept.
const KEPT: usize = 5;
/// The argument that tries files: `--try READER PATH FILE…`, where PATH is where such a file stands in a dump.
const TRY: &str = "--try";
/// The argument that makes a process the one that is watched.
const WORKER: &str = "--worker";

/// What to try.
#[derive(Debug, Clone)]
pub struct Plan {
    /// Name of the reader.
    pub reader: String,
    /// How long.
    pub time: Duration,
    /// Another seed gives other inputs.
    pub seed: u64,
    /// Number of the first input.
    pub first: u64,
    /// Where findings are put.
    pub out: PathBuf,
    /// Dumps that seeds are taken from.
    pub dumps: Vec<PathBuf>,
}

impl Plan {
    /// The arguments that a process is started with: `READER SECONDS SEED FIRST OUT DUMP…`.
    fn arguments(&self) -> Vec<std::ffi::OsString> {
        let numbers = [self.time.as_secs().to_string(), self.seed.to_string(), self.first.to_string()];
        let mut all: Vec<std::ffi::OsString> = vec![self.reader.clone().into()];
        all.extend(numbers.into_iter().map(Into::into));
        all.push(self.out.clone().into());
        all.extend(self.dumps.iter().map(|dump| dump.clone().into()));
        all
    }

    fn parse(mut arguments: impl Iterator<Item = std::ffi::OsString>) -> Option<Self> {
        let mut word = || arguments.next()?.into_string().ok();
        let (reader, seconds, seed, first) = (word()?, word()?, word()?, word()?);
        Some(Self {
            reader,
            time: Duration::from_secs(seconds.parse().ok()?),
            seed: seed.parse().ok()?,
            first: first.parse().ok()?,
            out: arguments.next()?.into(),
            dumps: arguments.map(PathBuf::from).collect(),
        })
    }

    fn folder(&self) -> PathBuf {
        self.out.join(&self.reader)
    }

    /// Where the process that tries inputs notes the number of the one that it is at.
    fn state(&self) -> PathBuf {
        self.folder().join("state")
    }

    fn reader(&self) -> Result<&'static dyn Reader> {
        let known = || crate::readers::ALL.map(|reader| reader.name()).join(", ");
        crate::readers::named(&self.reader).with_context(|| format!("no reader `{}`; known: {}", self.reader, known()))
    }
}

/// The program: watches a process of itself, or is the one that is watched.
///
/// # Errors
/// If the arguments are wrong, there are no seeds, or there were findings.
pub fn main(peak: &'static PeakAlloc) -> Result<()> {
    let mut arguments: Vec<_> = std::env::args_os().skip(1).collect();
    let is_worker = arguments.first().is_some_and(|first| first == WORKER);
    if is_worker {
        arguments.remove(0);
    }
    if arguments.first().is_some_and(|first| first == TRY) {
        return try_files(&arguments, peak);
    }
    let plan = Plan::parse(arguments.into_iter()).context("arguments: READER SECONDS SEED FIRST OUT DUMP…")?;
    if is_worker { work(&plan, peak) } else { watch(plan) }
}

/// Tries files: findings that were kept, and what they became when they were made smaller.
fn try_files(arguments: &[std::ffi::OsString], peak: &'static PeakAlloc) -> Result<()> {
    let [_, reader, path, files @ ..] = arguments else { bail!("arguments: {TRY} READER PATH FILE…") };
    let reader = crate::readers::named(&reader.to_string_lossy()).context("no such reader")?;
    let path = path.to_string_lossy();
    for file in files {
        let bytes = fs::read(file)?;
        let genuine = reader.seeds(Format::Designer, &path, bytes.clone());
        let seed = genuine.into_iter().next().unwrap_or_else(|| Seed::whole(&path, Syntax::Binary, Vec::new()));
        let (time, memory, finding) = on_reading_thread(|| attempt(reader, &seed, &bytes, Limits::STRICT, peak));
        let (time, memory) = (time.as_secs_f64() * 1e3, memory as f64 / 1e6);
        println!("{}: {} bytes, {time:.1} ms, {memory:.1} MB, {finding:?}", file.display(), bytes.len());
    }
    Ok(())
}

/// Tries inputs until the time is over; writes down each finding and, at the end, what it came to.
fn work(plan: &Plan, peak: &'static PeakAlloc) -> Result<()> {
    let reader = plan.reader()?;
    let seeds = Seeds::of(reader, &plan.dumps)?;
    if seeds.all.is_empty() {
        bail!("no file for the reader `{}` in what was given", plan.reader);
    }
    let mut state = fs::File::create(plan.state())?;
    let end = Instant::now() + plan.time;
    let attempts = on_reading_thread(|| -> Result<Attempts> {
        let mut attempts = Attempts::default();
        let mut kept: BTreeMap<Finding, usize> = BTreeMap::new();
        for number in plan.first.. {
            if Instant::now() >= end {
                break;
            }
            state.seek(SeekFrom::Start(0))?;
            state.write_all(&number.to_le_bytes())?;
            let Some(input) = attempts.one(reader, &seeds, (plan.seed, number), Limits::STRICT, peak) else { continue };
            let Some((_, finding)) = attempts.findings.last() else { continue };
            let count = kept.entry(finding.clone()).or_default();
            *count += 1;
            if *count <= KEPT {
                let path = &seeds.all.get(input.seed).context("no seed")?.path;
                keep(plan, number, &format!("{finding:?}"), path, &input.bytes, &input.done)?;
            }
        }
        Ok(attempts)
    })?;
    println!("{}", report(plan, &seeds, &attempts));
    Ok(())
}

/// Writes an input down, and says so.
fn keep(plan: &Plan, number: u64, what: &str, path: &str, bytes: &[u8], done: &[&str]) -> Result<()> {
    let file = plan.folder().join(format!("{}-{number}", plan.seed));
    fs::write(&file, bytes)?;
    let mut log = fs::OpenOptions::new().create(true).append(true).open(plan.folder().join("findings.txt"))?;
    let line = format!("{}-{number}\t{what}\t{path}\t{} bytes\t{}", plan.seed, bytes.len(), done.join(", "));
    writeln!(log, "{line}")?;
    println!("{line}");
    Ok(())
}

fn report(plan: &Plan, seeds: &Seeds, attempts: &Attempts) -> String {
    let seconds = plan.time.as_secs_f64();
    format!(
        "{}: {} inputs of {} seeds, {:.0} a second, {:.1} MB a second; slowest {:.0} ms ({}), most memory {:.1} MB ({}); {} findings",
        plan.reader,
        attempts.inputs,
        seeds.all.len(),
        attempts.inputs as f64 / seconds,
        attempts.bytes as f64 / 1e6 / seconds,
        attempts.slowest.0.as_secs_f64() * 1e3,
        attempts.slowest.1,
        attempts.largest.0 as f64 / 1e6,
        attempts.largest.1,
        attempts.findings.len(),
    )
}

/// Starts processes that try inputs until the time is over, and notes what ends them.
fn watch(mut plan: Plan) -> Result<()> {
    fs::create_dir_all(plan.folder())?;
    let (first, end) = (plan.first, Instant::now() + plan.time);
    let mut deaths = 0;
    loop {
        let _ = fs::remove_file(plan.state());
        plan.time = end.saturating_duration_since(Instant::now()).max(Duration::from_secs(1));
        let mut worker = Command::new(std::env::current_exe()?);
        let mut worker = worker.arg(WORKER).args(plan.arguments()).stdin(Stdio::null()).spawn()?;
        let (mut number, mut since) = (None, Instant::now());
        let why = loop {
            std::thread::sleep(Duration::from_millis(100));
            if let Some(status) = worker.try_wait()? {
                break if status.success() { None } else { Some(status.to_string()) };
            }
            let now = at(&plan.state());
            if now != number {
                (number, since) = (now, Instant::now());
            } else if number.is_some() && since.elapsed() > HANG {
                worker.kill()?;
                worker.wait()?;
                break Some(format!("no answer in {} s", HANG.as_secs()));
            }
        };
        let Some(why) = why else { break };
        let number = at(&plan.state()).with_context(|| format!("ended before the first input: {why}"))?;
        deaths += 1;
        let seeds = Seeds::of(plan.reader()?, &plan.dumps)?;
        let input = input(&seeds, plan.seed, number).context("no input")?;
        let path = &seeds.all.get(input.seed).context("no seed")?.path;
        keep(&plan, number, &why, path, &input.bytes, &input.done)?;
        plan.first = number + 1;
        if Instant::now() >= end {
            break;
        }
    }
    let last = at(&plan.state()).unwrap_or(plan.first);
    println!("{}: numbers {first} to {last} of seed {}", plan.reader, plan.seed);
    let findings = fs::read_to_string(plan.folder().join("findings.txt")).unwrap_or_default().lines().count();
    if findings > 0 {
        bail!("{findings} findings in {} ({deaths} of them ended the process)", plan.folder().display());
    }
    Ok(())
}

/// The number of the input that a process is at.
fn at(state: &Path) -> Option<u64> {
    fs::read(state).ok()?.try_into().ok().map(u64::from_le_bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_there_and_back() {
        let plan = Plan {
            reader: "bsl".to_owned(),
            time: Duration::from_secs(5),
            seed: 3,
            first: 7,
            out: "out".into(),
            dumps: vec!["a b".into(), "c".into()],
        };
        let back = Plan::parse(plan.arguments().into_iter()).expect("arguments");
        assert_eq!((back.time, back.first, &back.dumps, back.folder()), (plan.time, 7, &plan.dumps, "out/bsl".into()));
        assert!(Plan::parse(["bsl".into(), "x".into()].into_iter()).is_none());
    }
}
