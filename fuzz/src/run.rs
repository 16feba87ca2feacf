//! Trying inputs: what counts as a finding.

use crate::mutate::{Input, input};
use crate::readers::Reader;
use crate::seeds::{Seed, Seeds};
use peak_alloc::PeakAlloc;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, Once, PoisonError};
use std::time::Duration;

/// What an input may cost.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Time whatever its length.
    pub time: Duration,
    /// Time a byte.
    pub time_a_byte: Duration,
    /// Bytes of memory whatever its length.
    pub memory: usize,
    /// Bytes of memory a byte.
    pub memory_a_byte: usize,
}

impl Limits {
    /// What an optimised build with checks keeps, several times over.
    pub const STRICT: Self = Self {
        time: Duration::from_millis(30),
        time_a_byte: Duration::from_micros(1),
        memory: 96 << 20,
        memory_a_byte: 1000,
    };

    /// The same for a debug build on a busy machine: only what grows by the square is found.
    pub const LOOSE: Self =
        Self { time: Duration::from_secs(3), time_a_byte: Duration::from_micros(30), ..Self::STRICT };

    fn time_of(&self, length: usize, passes: u32) -> Duration {
        self.time + self.time_a_byte * u32::try_from(length).unwrap_or(u32::MAX) * passes
    }

    fn memory_of(&self, length: usize) -> usize {
        self.memory.saturating_add(self.memory_a_byte.saturating_mul(length))
    }
}

/// What is wrong with reading an input.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Finding {
    /// The place of a panic, and its message.
    Panic(String),
    /// A rule that what was read breaks.
    Broken(String),
    /// It took too long.
    Slow,
    /// It took too much memory.
    Memory,
}

/// What trying inputs came to.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Attempts {
    /// Inputs that were tried.
    pub inputs: u64,
    /// Their bytes.
    pub bytes: u64,
    /// The longest time of one, and its number.
    pub slowest: (Duration, u64),
    /// The most memory of one, in bytes, and its number.
    pub largest: (usize, u64),
    /// Numbers of inputs with what is wrong with them.
    pub findings: Vec<(u64, Finding)>,
}

/// The place and message of the last panic.
static PANIC: Mutex<String> = Mutex::new(String::new());

/// Keeps panics to tell of them, instead of printing each.
fn keep_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            if std::thread::current().name() == Some(READING) {
                *PANIC.lock().unwrap_or_else(PoisonError::into_inner) = info.to_string();
            } else {
                before(info);
            }
        }));
    });
}

/// Name of the thread that reads.
const READING: &str = "reading";
/// Its stack: what the threads of a build have.
const STACK: usize = 2 << 20;

/// Runs something on a thread like those that read dumps.
///
/// # Panics
/// If there is no thread to be had, or if it panics outside of a reader.
pub fn on_reading_thread<T: Send>(f: impl FnOnce() -> T + Send) -> T {
    keep_panics();
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().name(READING.to_owned()).stack_size(STACK).spawn_scoped(scope, f);
        let thread = thread.unwrap_or_else(|error| panic!("no thread: {error}"));
        thread
            .join()
            .unwrap_or_else(|_| panic!("not in a reader: {}", PANIC.lock().unwrap_or_else(PoisonError::into_inner)))
    })
}

/// What this thread took so far: other programs of a busy machine don't count.
#[cfg(unix)]
fn now() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(u64::try_from(time.tv_sec).unwrap_or(0), u32::try_from(time.tv_nsec).unwrap_or(0))
}

/// Time since a moment that is always the same.
#[cfg(not(unix))]
fn now() -> Duration {
    use std::sync::OnceLock;
    static START: OnceLock<std::time::Instant> = OnceLock::new();
    START.get_or_init(std::time::Instant::now).elapsed()
}

/// Reads an input once: what it took, and what is wrong.
fn read_once(reader: &dyn Reader, seed: &Seed, bytes: &[u8], peak: &PeakAlloc) -> (Duration, usize, Option<Finding>) {
    peak.reset_peak_usage();
    let before = peak.current_usage();
    let start = now();
    let result = catch_unwind(AssertUnwindSafe(|| reader.read(seed, bytes)));
    let time = now().saturating_sub(start);
    let memory = peak.peak_usage().saturating_sub(before);
    let finding = match result {
        Ok(broken) => broken.into_iter().next().map(Finding::Broken),
        Err(_) => Some(Finding::Panic(PANIC.lock().unwrap_or_else(PoisonError::into_inner).clone())),
    };
    (time, memory, finding)
}

/// Tries an input; gives what it took, and what is wrong. A time that seems too long is measured again.
pub fn attempt(
    reader: &dyn Reader,
    seed: &Seed,
    bytes: &[u8],
    limits: Limits,
    peak: &PeakAlloc,
) -> (Duration, usize, Option<Finding>) {
    let (mut time, memory, mut finding) = read_once(reader, seed, bytes, peak);
    let longest = limits.time_of(bytes.len(), reader.passes());
    for _ in 0..3 {
        if time <= longest || finding.is_some() {
            break;
        }
        time = time.min(read_once(reader, seed, bytes, peak).0);
    }
    if finding.is_none() && time > longest {
        finding = Some(Finding::Slow);
    }
    if finding.is_none() && memory > limits.memory_of(bytes.len()) {
        finding = Some(Finding::Memory);
    }
    (time, memory, finding)
}

impl Attempts {
    /// Tries one input more and gives it if it is a finding.
    pub fn one(
        &mut self,
        reader: &dyn Reader,
        seeds: &Seeds,
        (seed, number): (u64, u64),
        limits: Limits,
        peak: &PeakAlloc,
    ) -> Option<Input> {
        let input = input(seeds, seed, number)?;
        let (time, memory, finding) = attempt(reader, seeds.all.get(input.seed)?, &input.bytes, limits, peak);
        self.inputs += 1;
        self.bytes += input.bytes.len() as u64;
        self.slowest = self.slowest.max((time, number));
        self.largest = self.largest.max((memory, number));
        self.findings.push((number, finding?));
        Some(input)
    }
}
