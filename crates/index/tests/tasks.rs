//! Two programs, each a process of its own, that claim tasks from one table, or want to make the vectors of one index.

#![allow(clippy::unwrap_used, reason = "helpers of tests, where a panic is the message")]

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use metascope_index::tasks::{ALL, TaskState, Tasks, VECTORS};
use metascope_index::vectors::background;
use metascope_index::vectors::file::Head;
use metascope_index::vectors::supervise::{OnProgress, Progress, QueueError, Stage};
use metascope_index::{Error, Location};

/// What a process is told: where the table is, who it is, at which task it stops without a word (0: never).
const TABLE: &str = "METASCOPE_TEST_TABLE";
const WHO: &str = "METASCOPE_TEST_WHO";
const HANGS_AT: &str = "METASCOPE_TEST_HANGS_AT";
/// The lease of these tests.
const LEASE: Duration = Duration::from_millis(1500);

fn child(table: &Path, who: &str, hangs_at: u32) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "child_of_these_tests", "--ignored", "--nocapture"])
        .env(TABLE, table)
        .envs([(WHO, who), (HANGS_AT, &hangs_at.to_string())])
        .stdout(Stdio::null())
        .spawn()
        .unwrap()
}

/// The file in which a process writes each task that it has run.
fn runs(table: &Path, who: &str) -> std::path::PathBuf {
    table.with_file_name(format!("{who}.runs"))
}

/// Not a test of its own: what the others start. Runs tasks until none is left and none is held by another.
#[test]
#[ignore = "run by the tests of this file"]
fn child_of_these_tests() {
    let Some(table) = std::env::var_os(TABLE) else { return };
    let (table, who) = (Path::new(&table), std::env::var(WHO).unwrap());
    let hangs_at: u32 = std::env::var(HANGS_AT).unwrap().parse().unwrap();
    let tasks = Tasks::open(table).unwrap();
    let mut file = File::options().create(true).append(true).open(runs(table, &who)).unwrap();
    // One write a line: who reads meanwhile sees whole lines.
    let mut note = |line: String| file.write_all(format!("{line}\n").as_bytes()).unwrap();
    let mut run = 0;
    loop {
        match tasks.claim("work", &who, LEASE).unwrap() {
            Some(task) => {
                run += 1;
                if run == hangs_at {
                    note(format!("hangs {}", task.key));
                    std::thread::sleep(Duration::from_secs(120));
                }
                note(task.key.clone());
                assert!(tasks.end(&task, Ok("")).unwrap());
            }
            None if tasks.list(5000).unwrap().iter().all(|row| row.state == TaskState::Done) => return,
            None => std::thread::sleep(Duration::from_millis(20)),
        }
    }
}

fn filled(table: &Path, count: usize) -> Tasks {
    let tasks = Tasks::open(table).unwrap();
    for number in 0..count {
        assert!(tasks.add("work", &number.to_string(), "").unwrap());
    }
    tasks
}

/// How often each task was run by the processes.
fn counted(table: &Path, who: &[&str]) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for who in who {
        for line in std::fs::read_to_string(runs(table, who)).unwrap().lines().filter(|line| !line.starts_with("hangs"))
        {
            *counts.entry(line.to_owned()).or_default() += 1;
        }
    }
    counts
}

#[test]
fn two_processes_run_each_of_a_thousand_tasks_once() {
    let folder = support::temp_dir();
    let table = folder.path().join("tasks.db");
    let tasks = filled(&table, 1000);
    let mut both = [child(&table, "one", 0), child(&table, "two", 0)];
    for process in &mut both {
        assert!(process.wait().unwrap().success());
    }
    let counts = counted(&table, &["one", "two"]);
    assert_eq!((counts.len(), counts.values().sum::<usize>()), (1000, 1000), "each once");
    let shares = [counted(&table, &["one"]).len(), counted(&table, &["two"]).len()];
    assert!(shares.iter().all(|share| *share > 0), "both worked: {shares:?}");
    assert!(tasks.list(2000).unwrap().iter().all(|row| row.state == TaskState::Done && row.claims == 1));
}

#[test]
fn the_tasks_of_a_killed_process_are_run_by_the_other() {
    let folder = support::temp_dir();
    let table = folder.path().join("tasks.db");
    let tasks = filled(&table, 200);
    let mut killed = child(&table, "killed", 20);
    let begun = Instant::now();
    let hung = loop {
        let text = std::fs::read_to_string(runs(&table, "killed")).unwrap_or_default();
        if let Some(key) = text.lines().find_map(|line| line.strip_prefix("hangs ")) {
            break key.to_owned();
        }
        assert!(begun.elapsed() < Duration::from_secs(100));
        std::thread::sleep(Duration::from_millis(20));
    };
    killed.kill().unwrap();
    killed.wait().unwrap();
    assert!(child(&table, "other", 0).wait().unwrap().success());
    let counts = counted(&table, &["killed", "other"]);
    assert_eq!((counts.len(), counts.values().sum::<usize>()), (200, 200), "each once, that of the killed one too");
    assert!(counted(&table, &["other"]).contains_key(&hung));
    let freed = tasks.list(500).unwrap().into_iter().find(|row| row.key == hung).unwrap();
    assert_eq!((freed.claims, freed.holder.map(|holder| holder.name).as_deref()), (2, Some("other")));
}

/// Where the process is told that the index of its vectors lies.
const INDEX: &str = "METASCOPE_TEST_INDEX";

/// Makes one vector of ten, and says so.
fn one_of_ten(on_progress: &mut OnProgress<'_>) -> bool {
    on_progress(Progress { stage: Stage::Names, done: 1, total: 10, failed: 0, per_second: 1.0 })
}

fn head(names_done: usize) -> Head {
    Head {
        model: "none".to_owned(),
        model_sha256: String::new(),
        dimensions: 4,
        rows: 10,
        names_done,
        bodies: 0,
        bodies_done: 0,
        fingerprint: String::new(),
    }
}

/// Not a test of its own: makes vectors, and never ends.
#[test]
#[ignore = "run by the tests of this file"]
fn child_that_makes_vectors() {
    let Some(index) = std::env::var_os(INDEX) else { return };
    let make = |on_progress: &mut OnProgress<'_>| -> Result<Head, QueueError> {
        assert!(one_of_ten(on_progress));
        std::thread::sleep(Duration::from_secs(120));
        Ok(head(1))
    };
    background::as_task(&Location::at(index), &make, &mut |_| true).unwrap();
}

#[test]
fn the_vectors_of_a_killed_process_are_made_by_the_next_at_once() {
    let folder = support::temp_dir();
    let location = Location::at(folder.path().join("index.db"));
    assert!(!background::ask(&location).unwrap(), "nobody is at it: somebody must be started");
    let mut killed = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "child_that_makes_vectors", "--ignored", "--nocapture"])
        .env(INDEX, location.pointer())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let row = || Tasks::of(&location).unwrap().open_one(VECTORS, ALL).unwrap().unwrap();
    let begun = Instant::now();
    // A sign of life, with how far it is.
    while row().done == 0 {
        assert!(begun.elapsed() < Duration::from_secs(60), "{:?}", row());
        std::thread::sleep(Duration::from_millis(50));
    }
    let seen = row();
    assert_eq!((seen.state, seen.phase.as_str(), seen.done, seen.total), (TaskState::Running, "names", 1, 10));
    assert_eq!(seen.holder.unwrap().process, Some(killed.id()));
    // Who comes second is told who is at it, and need not start anybody.
    let make = |_: &mut OnProgress<'_>| Ok(head(10));
    let error = background::as_task(&location, &make, &mut |_| true).unwrap_err();
    let QueueError::Index(Error::VectorsBusy { holder, doing }) = &error else { panic!("{error:?}") };
    assert_eq!((*holder, doing.as_ref().unwrap().done), (Some(killed.id()), 1));
    assert!(background::ask(&location).unwrap());
    killed.kill().unwrap();
    killed.wait().unwrap();
    assert!(!background::ask(&location).unwrap(), "it is dead, whatever its lease says");
    assert_eq!(row().state, TaskState::Running);
    assert_eq!(background::as_task(&location, &make, &mut |_| true).unwrap().names_done, 10);
    let last = &Tasks::of(&location).unwrap().list(9).unwrap()[0];
    assert_eq!((last.state, last.claims, last.result.as_deref()), (TaskState::Done, 2, Some("10 + 0")));
}

#[test]
fn what_is_asked_for_meanwhile_is_made_too_and_what_is_stopped_waits() {
    let folder = support::temp_dir();
    let location = Location::at(folder.path().join("index.db"));
    let rounds = std::cell::Cell::new(0);
    let make = |on_progress: &mut OnProgress<'_>| {
        rounds.set(rounds.get() + 1);
        if rounds.get() == 1 {
            assert!(background::ask(&location).unwrap(), "the index changed while its vectors are made");
        }
        one_of_ten(on_progress);
        Ok(head(rounds.get()))
    };
    assert_eq!(background::as_task(&location, &make, &mut |_| true).unwrap().names_done, 2);
    background::as_task(&location, &make, &mut |_| false).unwrap();
    let row = &Tasks::of(&location).unwrap().list(9).unwrap()[0];
    assert_eq!((row.state, rounds.get()), (TaskState::Waiting, 3));
    let broken = |_: &mut OnProgress<'_>| Err(Error::Stopped.into());
    background::as_task(&location, &broken, &mut |_| true).unwrap_err();
    let row = &Tasks::of(&location).unwrap().list(9).unwrap()[0];
    assert_eq!((row.state, row.result.as_deref()), (TaskState::Failed, Some("stopped")));
}
