//! A short run of every reader on the demo configuration.

use fuzz::readers::ALL;
use fuzz::run::{Attempts, Limits, on_reading_thread};
use fuzz::seeds::Seeds;
use peak_alloc::PeakAlloc;

#[global_allocator]
static PEAK: PeakAlloc = PeakAlloc;

/// Tries so many inputs. More of them: `cargo xtask fuzz`.
fn short_run(name: &str, inputs: u64) {
    let reader = ALL.into_iter().find(|reader| reader.name() == name).expect("a reader");
    let seeds = Seeds::of(reader, &[support::demo(), support::demo_edt()]).expect("dumps");
    assert!(!seeds.all.is_empty(), "{name}: no seeds");
    let attempts = on_reading_thread(|| {
        let mut attempts = Attempts::default();
        for number in 0..inputs {
            attempts.one(reader, &seeds, (1, number), Limits::LOOSE, &PEAK);
        }
        attempts
    });
    assert_eq!(attempts.findings, [], "{name}: make such an input again with `fuzz::mutate::input`");
    assert_eq!(attempts.inputs, inputs);
}

#[test]
fn designer() {
    short_run("designer", 1500);
}

#[test]
fn edt() {
    short_run("edt", 1500);
}

#[test]
fn bsl() {
    short_run("bsl", 400);
}

#[test]
fn grammar() {
    short_run("grammar", 1000);
}

#[test]
fn query() {
    short_run("query", 400);
}

#[test]
fn container() {
    short_run("container", 1500);
}
