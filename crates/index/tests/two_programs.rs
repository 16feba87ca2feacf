//! Programs that use one index at the same moment, each a process of its own: one writes, others wait their turn by being told who
//! it is, and those that read see whole states only.

#![allow(clippy::unwrap_used, reason = "helpers of tests, where a panic is the message")]

use metascope_index::build::{Options, Phase, Progress, Stop, build};
use metascope_index::sql::{SqlLimits, select};
use metascope_index::tasks::{ALL, INDEX as BUILD, TaskState, Tasks};
use metascope_index::{Error, Index, Location};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};

const MODULE: &str = "CommonModules/ОстаткиСкладов/Ext/Module.bsl";
/// What each process is told: what to do, where the dump is, where the index.
const WHAT: &str = "METASCOPE_TEST_WHAT";
const DUMP: &str = "METASCOPE_TEST_DUMP";
const INDEX: &str = "METASCOPE_TEST_INDEX";
/// Begins the line that a process says how it went in.
const SAID: &str = "SAID ";

fn child(what: &str, dump: &Path, location: &Location) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "child_of_these_tests", "--ignored", "--nocapture"])
        .envs([(WHAT, what.as_ref()), (DUMP, dump.as_os_str()), (INDEX, location.pointer().as_os_str())])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// The next thing that a process says.
fn said(child: &mut Child) -> String {
    let lines = BufReader::new(child.stdout.as_mut().unwrap()).lines();
    lines.map(Result::unwrap).find_map(|line| line.split_once(SAID).map(|(_, said)| said.to_owned())).unwrap()
}

/// Not a test of its own: what the others start.
#[test]
#[ignore = "run by the tests of this file"]
fn child_of_these_tests() {
    let Some(what) = std::env::var_os(WHAT) else { return };
    let path = |name| PathBuf::from(std::env::var_os(name).unwrap());
    let (dump, location) = (path(DUMP), Location::at(path(INDEX)));
    if what == "hold" {
        let _lock = location.lock().unwrap();
        println!("{SAID}held");
        let _ = std::io::stdin().lines().next();
        return;
    }
    let options = Options { rebuild: what != "index", threads: 1, ..Options::default() };
    let told = AtomicBool::new(false);
    let progress = |step: Progress| {
        if what == "hang" && step.phase == Phase::Modules && !told.swap(true, Ordering::Relaxed) {
            println!("{SAID}hangs");
            std::thread::sleep(std::time::Duration::from_secs(120));
        }
    };
    match build(&dump, &location, &options, &Stop::default(), &progress) {
        Ok(report) => println!("{SAID}{:?}", report.outcome),
        Err(error) => println!("{SAID}{}: {error}", error.code()),
    }
}

fn built(folder: &Path) -> (PathBuf, Location) {
    let dump = folder.join("dump");
    support::copy_folder(&support::demo(), &dump);
    let location = Location::at(folder.join("index.db"));
    build(&dump, &location, &Options::default(), &Stop::default(), &|_| {}).unwrap();
    (dump, location)
}

/// The number of methods, and the number that `meta` says there are: they differ in no whole state.
fn counts(index: &Index) -> (i64, i64) {
    let sql = "SELECT count(*), (SELECT value FROM meta WHERE key = 'count_methods') FROM methods";
    let rows = select(index.path(), sql, SqlLimits::default()).unwrap().rows;
    let stored = rows[0][1].as_i64().or_else(|| rows[0][1].as_str()?.parse().ok()).unwrap();
    (rows[0][0].as_i64().unwrap(), stored)
}

#[test]
fn a_second_writer_is_told_who_writes() {
    let folder = support::temp_dir();
    let (dump, location) = built(folder.path());
    let mut holder = child("hold", &dump, &location);
    assert_eq!(said(&mut holder), "held");
    // The process that holds the lock is the one that was started: on Windows the file can't be read while it is locked.
    let error = build(&dump, &location, &Options::default(), &Stop::default(), &|_| {}).unwrap_err();
    let expected = (!cfg!(windows)).then(|| holder.id());
    assert!(matches!(&error, Error::Busy { holder, .. } if *holder == expected), "{error:?}");
    let said_by_other = said(&mut child("index", &dump, &location));
    assert!(said_by_other.starts_with("index_busy: another program"), "{said_by_other}");
    assert!(cfg!(windows) || said_by_other.contains(&format!("(process {})", holder.id())), "{said_by_other}");
    // Reading goes on meanwhile.
    assert!(counts(&Index::open(&location).unwrap()).0 > 100);
    // A process that is killed holds nothing.
    holder.kill().unwrap();
    holder.wait().unwrap();
    assert_eq!(said(&mut child("index", &dump, &location)), "Unchanged");
}

#[test]
fn a_build_is_a_task_that_says_how_far_it_is_and_a_killed_one_is_taken_over() {
    let folder = support::temp_dir();
    let (dump, location) = built(folder.path());
    let rows = || Tasks::of(&location).unwrap().list(9).unwrap();
    assert_eq!((rows()[0].kind.as_str(), rows()[0].state), (BUILD, TaskState::Done));
    let mut builder = child("hang", &dump, &location);
    assert_eq!(said(&mut builder), "hangs");
    // The next sign of life says where it stands.
    let begun = std::time::Instant::now();
    while rows()[0].phase != "modules" {
        assert!(begun.elapsed().as_secs() < 60, "{:?}", rows()[0]);
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    let error = build(&dump, &location, &Options::default(), &Stop::default(), &|_| {}).unwrap_err();
    let Error::Busy { doing: Some(doing), .. } = &error else { panic!("{error:?}") };
    assert_eq!(doing.holder.as_ref().unwrap().process, Some(builder.id()));
    assert!(error.to_string().contains("reading modules"), "{error}");
    builder.kill().unwrap();
    builder.wait().unwrap();
    // The lock is free at once, so the lease of the dead one counts for nothing.
    assert_eq!(rows()[0].state, TaskState::Running);
    build(&dump, &location, &Options::default(), &Stop::default(), &|_| {}).unwrap();
    let row = &rows()[0];
    assert_eq!((row.state, row.claims), (TaskState::Done, 2));
    assert_eq!(Tasks::of(&location).unwrap().open_one(BUILD, ALL).unwrap(), None);
}

#[test]
fn builds_and_updates_at_the_same_moment_and_readers_beside_them() {
    let folder = support::temp_dir();
    let (dump, location) = built(folder.path());
    let file = dump.join(MODULE);
    let text = std::fs::read_to_string(&file).unwrap();
    let methods = counts(&Index::open(&location).unwrap()).0;
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let reader = scope.spawn(|| {
            let mut reads = 0;
            while !done.load(Ordering::Relaxed) {
                let (methods, stored) = counts(&Index::open(&location).unwrap());
                assert_eq!(methods, stored);
                reads += 1;
            }
            reads
        });
        let (mut wrote, mut busy) = (0, 0);
        for round in 1..=6 {
            let added: String =
                (0..round).map(|n| format!("\nПроцедура Добавлена{n}() Экспорт\nКонецПроцедуры\n")).collect();
            std::fs::write(&file, format!("{text}{added}")).unwrap();
            let mut children = ["index", "rebuild", "index", "index"].map(|what| child(what, &dump, &location));
            for child in &mut children {
                let said = said(child);
                if said.starts_with("index_busy") {
                    busy += 1
                } else {
                    wrote += 1
                }
                assert!(
                    !said.contains(": ") || said.starts_with("index_busy") || said.starts_with("Updated"),
                    "{said}"
                );
                assert!(child.wait().unwrap().success());
            }
            // One of them came first and read the files as they are.
            let index = Index::open(&location).unwrap();
            assert_eq!(counts(&index), (methods + round, methods + round), "round {round}");
        }
        assert!(wrote >= 6 && busy > 0, "{wrote} wrote, {busy} were told to wait");
        done.store(true, Ordering::Relaxed);
        assert!(reader.join().unwrap() > 6);
    });
    let current = location.current().unwrap().unwrap();
    let connection = rusqlite::Connection::open(current).unwrap();
    let check: String = connection.pragma_query_value(None, "integrity_check", |row| row.get(0)).unwrap();
    assert_eq!(check, "ok");
}
