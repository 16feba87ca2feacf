//! Two programs, each a process of its own, that claim tasks from one table.

#![allow(clippy::unwrap_used, reason = "helpers of tests, where a panic is the message")]

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use metascope_index::tasks::{TaskState, Tasks};

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
    assert_eq!((freed.claims, freed.holder.as_deref()), (2, Some("other")));
}
